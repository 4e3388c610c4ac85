"""What the review page shows before plotly.js is there, and what its link holds."""

import pytest

pytestmark = pytest.mark.browser

# How many of the sketch's pixels have something on them.
PAINTED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, place) => place % 4 === 3 && value > 0).length;
}"""


@pytest.mark.parametrize("view", ["3d", "2d", "matrix"])
def test_numbers_and_a_sketch_of_the_front_come_before_the_drawing_library(visit, view):
    visitor = visit("/account")
    page = visitor.page
    held = []
    page.route("**/plotly.js", lambda route: held.append(route))
    page.goto(f"{visitor.address}/studies/robots/review#view={view}")
    page.locator("#content:not([aria-busy])").wait_for()
    assert page.locator(".designs tbody tr").count() > 0
    assert page.locator(".parallel:not([aria-busy])").count() == 1
    assert page.locator(".sketch").evaluate(PAINTED) > 500
    page.wait_for_function("() => performance.getEntriesByName('content').length")
    assert page.evaluate("window.Plotly") is None
    while not held:  # until it is asked for: it is not taken from what an earlier visit has left
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.wait_for_selector("#front[data-drawn]")
    page.wait_for_selector(".sketch", state="detached")
    assert visitor.complaints == []


def test_a_link_holds_what_a_plane_is_zoomed_to(visit):
    visitor = visit("/studies/halves/review#view=2d")
    visitor.page.wait_for_selector("#front[data-drawn]")
    visitor.page.evaluate(
        "() => Plotly.relayout('front', { 'xaxis.range': [20, 60], 'yaxis.range': [10, 30] })"
    )
    visitor.page.wait_for_function("() => location.hash.includes('zoom=20:60,10:30')")
    again = visit("/studies/halves/review" + visitor.page.evaluate("location.hash"))
    again.page.wait_for_selector("#front[data-drawn]")
    assert again.page.evaluate("document.getElementById('front').layout.xaxis.range") == [20, 60]
    assert again.page.evaluate("document.getElementById('front')._fullLayout.yaxis.range") == [10, 30]
    again.page.evaluate(
        "() => Plotly.relayout('front', { 'xaxis.autorange': true, 'yaxis.autorange': true })"
    )
    again.page.wait_for_function("() => !location.hash.includes('zoom')")


def test_a_link_holds_from_where_the_robot_is_seen(visit):
    visitor = visit("/studies/robots/review#side=0.1,-2,0.5,0,0,-0.1")
    robot = visitor.page.locator("figure.space .plot[data-key]").last
    robot.wait_for()
    assert robot.evaluate("plot => plot.layout.scene.camera.eye.y") == -2
    robot.evaluate("plot => Plotly.relayout(plot, { 'scene.camera.eye': { x: 2, y: 0.5, z: 0.25 } })")
    visitor.page.evaluate("location.hash = location.hash.replace(/side=[^&]*/, 'side=0.3,-1.5,0.5,0,0,-0.1')")
    visitor.page.wait_for_function(
        "() => document.querySelectorAll('.space .plot[data-key]')[0].layout.scene.camera.eye.x === 0.3"
    )
    assert visitor.complaints == []
