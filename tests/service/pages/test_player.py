"""The player of a design that moves: by button, slider and keyboard, and never by itself."""

import json

import numpy as np
import pytest

from dashboards.figures import packed, scene_motion_figure
from models.scene import Line, Moment, Scene
from tests.service.pages.conftest import FRAMES, PHONE

pytestmark = pytest.mark.browser

ROBOT = "document.querySelector('.space .plot[data-key]')"
TIMES = np.linspace(0.0, 19.0, 96)
# Counts how often the player draws, and the timers that it starts; other parts of a page have timers, too.
COUNTED = """() => {
  window.counts = { drawn: 0, timers: 0 };
  const { clearRect } = CanvasRenderingContext2D.prototype, timeout = window.setTimeout;
  CanvasRenderingContext2D.prototype.clearRect = function (...all) {
    if (this.canvas.closest('.space')) counts.drawn += 1;
    return clearRect.call(this, ...all);
  };
  window.setTimeout = (...all) => {
    if (/ wait /.test(new Error().stack)) counts.timers += 1;
    return timeout(...all);
  };
}"""
COUNTS = "() => [counts.drawn, counts.timers]"
SHOWS = f"moment => {ROBOT}.dataset.moment === String(moment)"
TIP = f"() => {{ const {{ x, z }} = {ROBOT}.data[0]; return [x.at(-2), z.at(-2)]; }}"


def rod(time):
    """A rod that bends over, (9, 3) m."""
    angles = np.linspace(1e-6, 0.1 * time + 1e-5, 9)
    return np.stack([1 - np.cos(angles), np.zeros(9), np.sin(angles)], axis=1) / angles[-1]


def figure(*, moves):
    """JSON that REST sends for the scene of a design."""
    moments = tuple(Moment(float(time), (Line("rod", rod(time)),)) for time in TIMES)
    scene = Scene(moments[-1].lines, "at the end", moments=moments if moves else ())
    drawn = packed(scene_motion_figure(scene))
    return json.dumps(
        {"frames": [], **drawn, "key": "k", "caption": scene.caption, "summary": "rod: 1 line."}
    )


@pytest.fixture
def review(visitor):
    """The review of a study whose first design moves; the next one that is selected stands still."""
    answers = [figure(moves=True), figure(moves=False)]

    def answer(route):
        content = answers.pop(0) if len(answers) > 1 else answers[0]
        route.fulfill(body=content, content_type="application/json")

    visitor.page.route("**/designs/*/figure", answer)
    visitor.goto("/studies/halves/review")
    visitor.page.locator(".player").wait_for()
    return visitor


def parts(visitor):
    """Button, slider, and the moment that is shown."""
    return [visitor.page.locator(f".player {tag}") for tag in ("button", "input", "output")]


def shows(visitor, moment):
    """Wait until the figure shows a moment, and compare where the tip is drawn."""
    visitor.page.wait_for_function(SHOWS, arg=moment)
    assert visitor.page.evaluate(TIP) == pytest.approx(rod(TIMES[moment])[-1, [0, 2]].tolist(), abs=2e-4)


def test_a_motion_is_moved_with_keys_and_plays_until_it_is_stopped(review):
    page, (button, slider, label) = review.page, parts(review)
    assert (slider.input_value(), label.inner_text(), button.inner_text()) == ("95", "19.0 s", "Play")
    assert page.locator(".player span").inner_text() == "in real time"
    slider.press("ArrowLeft")
    shows(review, 94)
    button.press("Home")
    shows(review, 0)
    assert (label.inner_text(), slider.get_attribute("aria-valuetext")) == ("0.0 s", "0.0 s")
    button.press("ArrowRight")
    shows(review, 1)
    page.evaluate(COUNTED)
    slider.press("Space")
    page.wait_for_function(f"() => Number({ROBOT}.dataset.moment) > 3")
    assert button.inner_text() == "Pause"
    slider.press("Space")
    assert button.inner_text() == "Play"
    page.evaluate(FRAMES)
    stopped, moment = page.evaluate(COUNTS), slider.input_value()
    assert min(stopped) > 0
    page.evaluate(FRAMES)
    assert page.evaluate(COUNTS) == stopped
    assert slider.input_value() == moment
    review.assert_accessible("figure:has(.player)")


def test_a_motion_keeps_its_moment_in_other_colours_and_ends_at_its_end(review):
    page, (button, slider, _) = review.page, parts(review)
    slider.fill("40")
    shows(review, 40)
    canvas = page.locator(".space .plot[data-key] canvas")
    painted = canvas.evaluate("canvas => canvas.toDataURL()")
    page.click("#theme")
    page.wait_for_function(f"before => {ROBOT}.querySelector('canvas').toDataURL() !== before", arg=painted)
    assert page.evaluate(TIP) == pytest.approx(rod(TIMES[40])[-1, [0, 2]].tolist(), abs=2e-4)
    slider.fill("93")
    button.press("Enter")
    shows(review, 95)
    page.wait_for_function("() => document.querySelector('.player button').textContent === 'Play'")
    page.set_viewport_size(PHONE)
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=PHONE["width"])
    boxes = [part.bounding_box() for part in parts(review)]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert min(box["height"] for box in boxes[:2]) >= 24
    review.assert_sound()


def test_a_design_that_stands_still_has_no_player(review):
    page, (button, *_) = review.page, parts(review)
    button.click()
    page.locator(".designs tbody tr:not([aria-current])").first.click()
    page.locator(".player").wait_for(state="detached")
    key = page.locator(".designs tr[aria-current]").get_attribute("data-key")
    page.locator(f".space .plot[data-key='{key}']:not([aria-busy])").wait_for()
    assert page.locator(".player").count() == 0
