"""Figures of a study, for which no page waits, and the state that a link holds."""

import pytest

pytestmark = pytest.mark.browser


DRAWN = {
    "/studies/robots": ["[data-figure='history'][data-drawn]", "[data-figure='front-1'][data-drawn]"],
    "/studies/robots/review": ["#front[data-drawn]", ".space .plot[data-key][data-drawn]"],
    "/studies/robots/analyse": ["[aria-label='Slice'] .plot[data-drawn]"],
}


@pytest.mark.parametrize("path", DRAWN)
def test_a_study_is_seen_without_a_drawing_library(visitor, path):
    """plotly.js takes more than a second of script."""
    visitor.page.goto(visitor.address + path)
    for figure in DRAWN[path]:
        visitor.page.wait_for_selector(figure)
    assert not [url for url in visitor.requests if "plotly" in url]
    visitor.assert_sound()


def test_a_link_holds_what_a_plane_is_zoomed_to(visit):
    visitor = visit("/studies/halves/review#view=2d")
    visitor.settle()
    page = visitor.page
    box = page.locator("#front[data-drawn] canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y + 80, steps=3)
    page.mouse.up()
    page.wait_for_function("() => location.hash.includes('zoom=')")
    painted = page.locator("#front canvas").evaluate("canvas => canvas.toDataURL()")
    again = visit("/studies/halves/review" + page.evaluate("location.hash"))
    again.settle()
    again.page.wait_for_function(
        "painted => document.querySelector('#front canvas').toDataURL() === painted", arg=painted
    )
    again.page.get_by_role("button", name="Reset the view").click()
    again.page.wait_for_function("() => !location.hash.includes('zoom')")


def test_a_link_holds_from_where_the_robot_is_seen(visit):
    visitor = visit("/studies/robots/review#side=0.1,-2,0.5,0,0,-0.1")
    robot = visitor.page.locator("figure.space .plot[data-key]").last
    robot.wait_for()
    assert robot.evaluate("plot => plot.layout.scene.camera.eye.y") == -2
    visitor.page.evaluate("location.hash = location.hash.replace(/side=[^&]*/, 'side=0.3,-1.5,0.5,0,0,-0.1')")
    visitor.page.wait_for_function(
        "() => document.querySelectorAll('.space .plot[data-key]')[0].layout.scene.camera.eye.x === 0.3"
    )
    assert visitor.complaints == []
