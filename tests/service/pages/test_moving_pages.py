"""Pages that change while one looks: studies that go on, windows that change."""

import re

import pytest

from tests.service.pages.conftest import PHONE
from tests.service.pages.growing import growing

pytestmark = pytest.mark.browser

POINTS = "() => document.querySelector(\"[data-figure='front-1'][data-drawn]\")?.data[0].x.length"
# A drawing of plotly.js is as large as its box; a canvas holds as many pixels as its stage shows.
FITS = """() => [...document.querySelectorAll('.plot[data-drawn]')].every(box => {
  const canvas = box.querySelector('.stage > canvas'), drawn = box.querySelector('.main-svg');
  const [width, height] = canvas ? [canvas.width / devicePixelRatio, canvas.height / devicePixelRatio]
    : [drawn.clientWidth, drawn.clientHeight];
  const room = canvas ?? box;
  return Math.abs(width - room.clientWidth) < 1 && Math.abs(height - room.clientHeight) < 1;
})"""
# Figures, and what stands in their boxes, reach into no neighbour.
APART = """() => {
  const boxes = [...document.querySelectorAll('figure')].map(figure => figure.getBoundingClientRect()).filter(box => box.width);
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return boxes.length > 1 && boxes.every((one, place) => boxes.slice(place + 1).every(other => apart(one, other)))
    && [...document.querySelectorAll('.plot[data-drawn] .main-svg')].every(drawing =>
      drawing.getBoundingClientRect().right <= drawing.closest('figure').getBoundingClientRect().right + 1);
}"""


def test_a_comparison_follows_a_study_that_goes_on(visit, folder):
    with growing(folder) as study:
        study.begin()
        visitor = visit("/compare?of=growing,halves&across_conditions=true#evidence=conditions")
        page = visitor.page
        page.wait_for_function(f"{POINTS.removeprefix('() => ')} > 0")
        page.evaluate("document.querySelector(\"[data-figure='front-1']\").dataset.same = 'yes'")
        assert "0 of 1" in page.inner_text("main")
        study.finish()
        stored = study.local.fronts.list("growing").items
        page.wait_for_function(f"many => ({POINTS})() === many", arg=len(stored))
        page.get_by_text("1 of 1", exact=True).wait_for()
        # The box stayed, and so does what somebody turned or zoomed in it.
        assert page.locator("[data-figure='front-1']").get_attribute("data-same") == "yes"
        assert visitor.complaints == []


def test_a_comparison_is_followed_although_a_figure_did_not_come(visitor, folder):
    with growing(folder) as study:
        study.begin()
        study.wait_until_it_halts()
        refused = "**/api/v1/comparison/figures/history*"
        visitor.page.route(refused, lambda route: route.fulfill(status=500))
        visitor.goto("/compare?of=growing,halves&across_conditions=true#spread=history")
        visitor.page.locator("[data-figure='front-1'][data-drawn]").wait_for()
        with visitor.page.expect_response(re.compile("/figures/history")):
            visitor.page.locator("[data-figure='history']").scroll_into_view_if_needed()
        visitor.page.unroute(refused)
        study.finish()
        visitor.page.locator("[data-figure='history'][data-drawn]").wait_for()
        visitor.page.get_by_role("tab", name="Conditions", exact=True).click()
        visitor.page.get_by_text("1 of 1", exact=True).wait_for()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param("/", "tr[data-study='growing'] [data-state=done]", marks=pytest.mark.soak),
        pytest.param("/studies/growing", ".head [data-state=done]", marks=pytest.mark.soak),
        pytest.param("/studies/growing/review", "#front[data-designs='{front}']", marks=pytest.mark.soak),
        ("/compare?of=growing,halves&across_conditions=true#evidence=conditions", "text='1 of 1'"),
    ],
    ids=["list", "study", "review", "compare"],
)
def test_what_happens_before_the_events_come_is_seen_too(visitor, folder, path, told):
    held, let_through = [], []
    visitor.page.route(
        "**/api/v1/events*", lambda route: route.continue_() if let_through else held.append(route)
    )
    with growing(folder) as study:
        visitor.goto(path)
        study.begin()
        study.finish()
        let_through.append(True)
        for route in held:
            route.continue_()
        visitor.page.wait_for_selector(told.format(front=len(study.local.fronts.list("growing").items)))
        assert visitor.complaints == []


@pytest.mark.parametrize("path", ["/studies/halves/review", "/compare?of=halves"])
def test_figures_are_drawn_anew_when_a_phone_is_turned(visit, path):
    visitor = visit(path, viewport=PHONE)
    visitor.settle()
    for turned in ({"width": PHONE["height"], "height": PHONE["width"]}, PHONE):
        visitor.page.set_viewport_size(turned)
        settled = f"width => innerWidth === width && ({FITS})() && ({APART})()"
        visitor.page.wait_for_function(settled, arg=turned["width"])
    visitor.assert_sound()


def test_a_figure_follows_its_box_while_the_window_stays(visit):
    visitor = visit("/compare?of=halves")
    visitor.settle()
    box = visitor.page.locator("[data-figure='front-1']")
    before = box.evaluate("box => box.querySelector('canvas').width")
    box.evaluate("box => { box.style.width = '60%'; }")
    narrower = "document.querySelector(\"[data-figure='front-1'] canvas\").width < before"
    visitor.page.wait_for_function(f"before => {narrower} && ({FITS})()", arg=before)
    assert visitor.complaints == []
