"""Designs far from all others: figures show most designs, mark those beyond the axes, and count them in words."""

import json
import re

import pytest

pytestmark = pytest.mark.browser

FAR = 1e4
"""Times the first objective of one design, against all others."""
DECADES = """canvas => {
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const isMark = at => Math.abs(data[at] - 213) + Math.abs(data[at + 1] - 94) + data[at + 2] < 60;
  let [count, last] = [0, -9];
  for (let x = 0; x < width; x += 1) {
    let found = false;
    for (let y = 16; y < height && !found; y += 1) found = isMark(4 * (y * width + x));
    if (found && x > last + 4) count += 1;
    if (found) last = x;
  }
  return count;
}"""
"""Groups of the columns in which marks of the second layout stand: one for each decade."""
SPREAD = """selector => {
  const canvas = document.querySelector(`${selector} canvas`);
  const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const isMark = at => data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60;
  const columns = new Set();
  for (let at = 64 * width; at < data.length; at += 4) if (isMark(at)) columns.add((at / 4) % width);
  return columns.size / width;
}"""
"""Share of the columns of a figure in which something coloured stands: marks that are squeezed take few."""


def far_in_figure(route):
    figure = route.fetch().json()
    figure["data"][0]["x"][0] *= FAR
    route.fulfill(body=json.dumps(figure), content_type="application/json")


def far_on_front(route):
    front = route.fetch().json()
    front["items"][0]["metrics"]["f1"] *= FAR
    route.fulfill(body=json.dumps(front), content_type="application/json")


PLACES = {
    "overview": ("/studies/halves", "**/api/v1/studies/halves/figures/front-1*", far_in_figure),
    "compare": (
        "/compare?of=halves",
        re.compile(r"/api/v1/comparisons/.*front-1|figures/front-1"),
        far_in_figure,
    ),
    "review": (
        "/studies/halves/review#view=2d&axes=f1,f2",
        re.compile(r"/api/v1/studies/halves/front\b"),
        far_on_front,
    ),
    "pairs": (
        "/studies/halves/review#view=matrix&axes=f1,f2",
        re.compile(r"/api/v1/studies/halves/front\b"),
        far_on_front,
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_far_design_stands_at_the_edge_and_is_counted(visitor, name):
    path, wanted, change = PLACES[name]
    visitor.page.route(wanted, change)
    visitor.goto(path)
    visitor.settle()
    figure = visitor.page.locator("figure:has(.legend .far)")
    assert re.search(
        r"Designs at the edges, far from the others: (left|right) \(1 of \d+\)\.",
        figure.locator(".legend:visible").inner_text(),
    )
    fitted = visitor.page.evaluate(SPREAD, "figure:has(.legend .far)")
    figure.get_by_role("button", name="Show all").click()
    figure.get_by_role("button", name="Fit the axes to most designs").wait_for()
    assert figure.locator("span.far").count() == 0
    squeezed = visitor.page.evaluate(SPREAD, "figure:has(.legend .far)")
    assert squeezed < 0.5 * fitted
    figure.get_by_role("button", name="Fit the axes to most designs").click()
    visitor.page.wait_for_function(f"fitted => ({SPREAD})('figure:has(.legend .far)') === fitted", arg=fitted)
    visitor.assert_accessible("figure:has(.legend .far)")


def over_decades(route):
    figure = route.fetch().json()
    for trace in figure["data"]:
        trace["x"] = [10.0 ** (place % 7) for place in range(len(trace["x"]))]
    route.fulfill(body=json.dumps(figure), content_type="application/json")


def test_values_over_decades_stand_along_a_logarithmic_axis(visitor):
    visitor.page.route("**/api/v1/studies/halves/figures/front-1*", over_decades)
    visitor.goto("/studies/halves")
    visitor.settle()
    told = visitor.page.get_by_text("Logarithmic: f1", exact=True)
    told.wait_for()
    figure = visitor.page.locator("figure", has=told)
    figure.get_by_role("button", name="left").click()
    assert figure.locator("canvas").evaluate(DECADES) == 7


def decades_on_front(route):
    front = route.fetch().json()
    for place, item in enumerate(front["items"]):
        item["metrics"]["f1"] = 10.0 ** (place % 7)
    route.fulfill(body=json.dumps(front), content_type="application/json")


def test_a_logarithmic_axis_of_review_can_be_turned_off(visitor):
    visitor.page.route(PLACES["review"][1], decades_on_front)
    visitor.goto(PLACES["review"][0])
    visitor.settle()
    box = visitor.page.get_by_label("logarithmic x")
    assert box.is_checked()
    box.uncheck()
    visitor.page.wait_for_function("() => location.hash.includes('log=-f1')")
    assert not visitor.page.get_by_label("logarithmic x").is_checked()


def alone_and_far(route):
    figure = route.fetch().json()
    trace = figure["data"][0]
    for name in ("x", "y", "text", "customdata"):
        trace[name] = trace[name][:1]
    trace["x"][0] = FAR
    route.fulfill(body=json.dumps(figure), content_type="application/json")


def test_a_layout_that_stands_at_the_edges_alone_is_named(visitor):
    visitor.page.route("**/api/v1/studies/halves/figures/front-1*", alone_and_far)
    visitor.goto("/studies/halves")
    visitor.settle()
    figure = visitor.page.locator("figure:has(.legend .far)")
    assert figure.locator("span.far").inner_text() == (
        "Designs at the edges, far from the others: left (all 1)."
    )
    fitted = visitor.page.evaluate(SPREAD, "figure:has(.legend .far)")
    figure.get_by_role("button", name="Show all").click()
    figure.get_by_role("button", name="Fit the axes to most designs").wait_for()
    assert visitor.page.evaluate(SPREAD, "figure:has(.legend .far)") < 0.5 * fitted


def test_nothing_is_said_where_no_design_is_far(visit):
    page = visit("/studies/halves").page
    page.locator("#content canvas").first.wait_for()
    assert page.locator(".legend .far").count() == 0
