"""Colour and size of the marks on the review page stand for any quantity."""

import pytest

from dashboards.palette import RAMP, ramp_colour
from tests.service.pages.reviewing import state_of, until

pytestmark = pytest.mark.browser

# The colours of the drawn marks, counted by the colours that are asked for.
COUNT = """([colours, box]) => {
  const canvas = document.querySelector(box);
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const found = Object.fromEntries(colours.map((colour) => [colour, 0]));
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 100) continue;
    for (const colour of colours) {
      const channels = [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));
      if (channels.every((channel, place) => Math.abs(channel - data[at + place]) < 3)) found[colour] += 1;
    }
  }
  return found;
}"""
FRONT = "#front canvas"


def counted(page, colours, box=FRONT):
    return page.evaluate(COUNT, [list(colours), box])


def test_marks_and_lines_take_the_colours_of_a_metric(review, local):
    visitor = review("robots", "#view=2d&axes=F2,F3")
    page = visitor.page
    assert counted(page, [RAMP[-1]])[RAMP[-1]] == 0
    page.locator("#colour-by").select_option("F3")
    until(visitor, "colour", "F3")
    ends = counted(page, [ramp_colour(0), ramp_colour(1)])
    assert min(ends.values()) > 10, "the least and the greatest value"
    values = [design.metrics["F3"] for design in local.fronts.list("robots").items]
    told = page.locator(".encoding .scale").inner_text()
    assert f"{min(values):.4g}" in told
    assert f"{max(values):.4g}" in told
    assert counted(page, ["#0072B2"])["#0072B2"] == 0, "no mark has the colour of its layout"
    page.locator("#colour-by").select_option("")
    until(visitor, "colour", "")
    assert counted(page, ["#0072B2"])["#0072B2"] > 10
    visitor.assert_sound()


def test_sizes_and_colours_are_kept_in_the_address_and_in_the_matrix(shared_review, local):
    front = local.fronts.list("halves").items
    visitor = shared_review("halves", "&view=matrix&colour=f1&size=x1")
    page = visitor.page
    assert page.locator("#colour-by").input_value() == "f1"
    assert page.locator("#size-by").input_value() == "x1"
    shown = page.locator("#front").evaluate(
        "box => box.data.filter(t => t.meta).map(t => t.customdata.length)"
    )
    assert sum(shown) == len(front)
    assert counted(page, ["#0072B2"])["#0072B2"] == 0, "no mark has the colour of its layout"
    assert all(counted(page, [ramp_colour(0), ramp_colour(1)]).values())
    assert state_of(visitor)["size"] == "x1"
    visitor.assert_accessible("figure:has(#front)")


def test_a_quantity_that_a_study_does_not_have_changes_nothing(shared_review):
    visitor = shared_review("halves", "&colour=nothing&size=layout")
    assert visitor.page.locator("#colour-by").input_value() == ""
    assert visitor.page.locator(".encoding .scale").count() == 0
    visitor.assert_sound()
