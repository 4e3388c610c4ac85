"""The controls below the robot of the review: colours, clip plane, opacity, posture, and the picture as a file."""

import numpy as np
import pytest

from tests.service.pages.conftest import PHONE
from tests.service.pages.reviewing import follows, state_of, until

pytestmark = pytest.mark.browser

SHOWN = """name => {
  const list = values => Array.from(values ?? []);
  const box = document.querySelector('.space .plot[data-key]');
  const trace = box.data.find(each => each.name === name);
  return Object.fromEntries([...'xyzijk'].map(axis => [axis, list(trace[axis])])
    .concat([['opacity', trace.opacity ?? trace.marker?.opacity], ['colours', list(trace.marker?.color)]]));
}"""
# Waits until a script finds what it looks for in the traces of the robot.
HAS = "test => {{ const box = document.querySelector('.space .plot[data-key]'); const of = name => box.data.find(each => each.name === name); return {}; }}"


def opened(review, local, state="", **settings):
    """The review of a constrained design, with the controls of its picture opened."""
    key = next(each.key for each in local.fronts.picks("robots").items if each.layout == "constrained")
    visitor = review("robots", f"#layout=constrained&key={key}{state}", **settings)
    follows(visitor, key)
    if not state:
        visitor.page.click("summary:has-text('Colours, clip plane')")
    return visitor, key


def trace(visitor, name):
    return visitor.page.evaluate(SHOWN, name)


def waits(visitor, condition, value=None):
    visitor.page.wait_for_function(HAS.format(condition), arg=value)


def area(mesh):
    """Area of all triangles of a mesh, m^2."""
    points = np.array([mesh[axis] for axis in "xyz"]).T
    a, b, c = (points[mesh[corner]] for corner in "ijk")
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def test_the_clip_plane_ends_points_lines_and_meshes_where_it_stands(review, local):
    visitor, key = opened(review, local)
    page = visitor.page
    sides = 2 * np.array(local.designs.get(key, "robots").parameters["platform_half_size"])
    platform, cables = trace(visitor, "platform"), trace(visitor, "cables")
    whole = 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0])
    assert area(platform) == pytest.approx(whole, rel=1e-3)
    height = round(float(np.mean(platform["z"])) + sides[2] / 4, 3)  # a quarter of the box lies above
    page.evaluate("at => (location.hash += `&cut=z:below:${at}`)", height)
    waits(visitor, "Math.max(...of('cables').z.filter(at => at !== null)) < test + 1e-4", height)
    kept = sides[2] - (max(platform["z"]) - height)
    closed = sides[0] * sides[1] + 2 * (sides[0] + sides[1]) * kept  # its lid is open
    assert area(trace(visitor, "platform")) == pytest.approx(closed, rel=1e-3)
    cut, pulleys = trace(visitor, "cables"), trace(visitor, "pulleys")
    assert max(pulleys["z"]) < 0
    start, end = np.array([cables[axis] for axis in "xyz"], float).T
    ends = np.array([cut[axis][:2] for axis in "xyz"], float).T
    share = (height - start[2]) / (end[2] - start[2])
    assert min(np.abs(ends - (start + share * (end - start))).max(axis=1)) < 1e-5
    assert page.get_by_label("Clip plane", exact=True).input_value() == "z"

    slider = page.get_by_label("Place of the clip plane")
    before = float(state_of(visitor)["cut"].split(":")[-1])
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("at => Number(location.hash.match(/cut=z:below:([^&]+)/)[1]) > at", arg=before)
    assert slider.get_attribute("aria-valuetext").startswith("z = ")
    page.get_by_label("What the clip plane hides").select_option("hide smaller z")
    waits(visitor, "Math.min(...of('pulleys').z) > 0")
    page.get_by_role("button", name="Reset the picture").click()
    until(visitor, "cut", "")
    waits(visitor, "of('cables').z.length === test", len(cables["z"]))
    visitor.assert_accessible("figure.space")


def test_cells_take_the_colours_of_a_field_and_an_opacity(review, local):
    visitor, key = opened(review, local, viewport=PHONE)
    page = visitor.page
    field = page.get_by_label("Colour workspace by")
    field.select_option(label="max tension [N]")
    waits(visitor, "of('workspace').type === 'scatter3d'")
    stored = local.designs.figure(key, "robots", "max_tension")
    expected = next(each for each in stored.data if each["name"] == "workspace")["marker"]["color"]
    shown = trace(visitor, "workspace")
    assert shown["colours"] == pytest.approx(expected)
    page.get_by_label("Opacity of workspace").fill("30")
    waits(visitor, "of('workspace').marker.opacity === 0.3")
    assert "greatest cable tension" in page.locator(".space figcaption").last.text_content()
    middle = float(np.median(shown["x"]))
    page.evaluate("at => (location.hash += `&cut=x:above:${at}`)", middle)
    waits(visitor, "Math.min(...of('workspace').x) >= test", middle)
    kept = trace(visitor, "workspace")
    inside = np.array(shown["x"]) >= middle
    assert kept["colours"] == pytest.approx(np.array(shown["colours"])[inside].tolist())
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG of Robot").click()
    assert saved.value.suggested_filename == f"robots-robot-{key[:10]}.svg"
    text = saved.value.path().read_text()
    assert "max tension [N]" in text
    assert "<image" not in text  # it can be enlarged
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG of Robot").click()
    width = int.from_bytes(saved.value.path().read_bytes()[16:20], "big")
    assert width == 2 * page.locator(".space .plot").last.evaluate("box => box.clientWidth")
    visitor.assert_sound()


def test_joints_move_the_arm_and_pinned_robots_follow(review, local):
    picks = {each.layout: each.key for each in local.fronts.picks("robots").items}
    pins = ",".join(f"{layout}:{key}" for layout, key in picks.items())
    visitor, key = opened(review, local, f"&field=capacity_margin&pins={pins}", viewport=PHONE)
    page = visitor.page
    before = trace(visitor, "arm")
    joint = page.get_by_label("arm joint 2")
    joint.fill("0")
    until(visitor, "posture", "0,0,3.14159,0,0,0")
    waits(visitor, "Math.abs(of('arm').x.at(-2) - test) > 0.01", before["x"][-2])
    posture = [0.0, 0.0, 3.14159, 0.0, 0.0, 0.0]
    stored = local.designs.figure(key, "robots", "capacity_margin", posture)
    expected = next(each for each in stored.data if each["name"] == "arm")
    assert trace(visitor, "arm")["x"][:-1] == pytest.approx(expected["x"][:-1], abs=1e-5)
    assert (
        "Joints of the arm at 0, 0, 180, 0, 0, 0 deg; the workspace is"
        in page.locator(".space figcaption").last.text_content()
    )
    page.wait_for_function("""() => {
      const boxes = [...document.querySelectorAll('.views .plot[data-key]')];
      const scales = boxes.map(({ layout }) => [layout.coloraxis.cmin, layout.coloraxis.cmax].join());
      const captions = [...document.querySelectorAll('.views figcaption')];
      return boxes.length === 2 && new Set(scales).size === 1
        && captions.every(each => each.textContent.includes('0, 0, 180, 0, 0, 0 deg; '));
    }""")
    visitor.settle()
    visitor.assert_accessible("figure.space")


def test_views_the_switch_of_the_workspace_and_the_large_window(review, local):
    visitor, key = opened(review, local)
    page, figure = visitor.page, visitor.page.locator("figure.space")
    lines = local.designs.figure(key, "robots").lines
    assert len(lines) == 8
    page.click("details.cables summary")
    assert page.locator("details.cables tbody tr").count() == 8
    page.get_by_role("button", name="Front", exact=True).click()
    page.wait_for_function("() => /side=/.test(location.hash)")
    figure.last.get_by_role("button", name="Reset the view").click()
    until(visitor, "side", "")
    page.get_by_role("button", name="Workspace", exact=True).click()
    until(visitor, "hull", "off")
    waits(visitor, "of('workspace').visible === false")
    wide = page.locator(".space .plot[data-key]").evaluate("box => box.clientWidth")
    page.get_by_role("button", name="Enlarge").click()
    page.wait_for_function("least => document.querySelector('dialog .plot').clientWidth > least", arg=wide)
    visitor.assert_accessible("dialog.enlarged")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('dialog.enlarged')")
    assert figure.locator(".plot[data-key]").count() == 1
    visitor.assert_sound()
