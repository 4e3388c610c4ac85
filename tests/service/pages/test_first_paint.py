"""The review page before plotly.js is there, and the state that its link holds."""

import pytest

pytestmark = pytest.mark.browser

# Number of pixels of a canvas that have something on them.
PAINTED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, place) => place % 4 === 3 && value > 0).length;
}"""


@pytest.mark.parametrize("view", ["3d", pytest.param("2d", marks=pytest.mark.soak)])
def test_numbers_and_the_front_come_before_the_drawing_library(visitor, view):
    page = visitor.page
    held = []
    page.route("**/plotly.js", lambda route: held.append(route))
    page.goto(f"{visitor.address}/studies/robots/review#view={view}")
    page.locator("#content:not([aria-busy])").wait_for()
    assert page.locator(".designs tbody tr").count() > 0
    assert page.locator("#front[data-drawn] canvas").evaluate(PAINTED) > 500
    page.wait_for_function("() => performance.getEntriesByName('content').length")
    assert page.evaluate("window.Plotly") is None
    while not held:  # until it is asked for: it is not taken from what an earlier visit has left
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.wait_for_selector(".space .plot[data-key][data-drawn]")
    assert visitor.complaints == []


def test_a_link_holds_what_a_plane_is_zoomed_to(visit):
    visitor = visit("/studies/halves/review#view=2d")
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
    assert again.page.locator("#front canvas").evaluate("canvas => canvas.toDataURL()") == painted
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
