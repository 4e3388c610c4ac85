"""Review: what is drawn is what is stored, and one selection links all of it."""

import csv
import json
import re
from contextlib import nullcontext

import numpy as np
import pytest
from playwright.sync_api import expect

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.test_report_browser import ROBOTS
from tests.service.pages.conftest import FRAMES, PHONE, Held, Here, offline
from tests.service.pages.growing import GROWING, HALT, growing
from tests.service.pages.reviewing import CHOOSE, all_rows, choose, follows, rows, state_of, until

pytestmark = pytest.mark.browser

SHOWN = "box => box.data.filter(t => t.meta !== 'evaluations').map(t => [t.meta, t.customdata.length])"


EYES = "boxes => boxes.map(box => JSON.stringify(box.layout.scene.camera.eye))"


def drag(page, selector):
    """Drag the pointer across the first element of a selector."""
    box = page.locator(selector).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=3)
    page.mouse.up()


def drawn(visitor):
    """Points of the front's figure by layout, as SI values would be: [x, y, z] of each."""
    return visitor.page.locator("#front").evaluate(
        "box => box.data.filter(t => t.meta).map(t => [t.meta, Array.from(t.x, (x, i) => [x, t.y[i], t.z?.[i]])])"
    )


def test_the_front_is_drawn_as_it_is_stored_and_every_view_follows_the_selection(shared_review, local):
    front = local.fronts.list("robots").items
    visitor = shared_review("robots")
    page = visitor.page
    for layout, points in drawn(visitor):
        stored = [d.metrics for d in front if d.layout == layout]
        expected = [[m["workspace_volume"], m["F2"], m["F3"]] for m in stored]
        np.testing.assert_allclose(sorted(points), sorted(expected), rtol=1e-9, err_msg=layout)
    assert sorted(all_rows(visitor)) == sorted(design.key for design in front)
    follows(visitor, state_of(visitor)["key"])

    (pick,) = [
        p for p in local.fronts.picks("robots").items if (p.layout, p.objective) == ("suspended", "F2")
    ]
    page.get_by_role("group", name="Designs of suspended").get_by_text("Best stiffness F2").click()
    follows(visitor, pick.key)
    assert state_of(visitor)["layout"] == "suspended"
    chosen = next(d for d in front if d.key == pick.key)
    assert f"{chosen.metrics['workspace_volume']:.4g}" in page.inner_text(".details")
    robot = page.locator(".inspector .space")
    assert local.designs.scene(pick.key, "robots").caption.split(".")[0] in robot.text_content()
    stored = len(local.designs.figure(pick.key, "robots").data)
    assert robot.locator(".plot").evaluate("box => box.data.length") == stored
    visitor.assert_accessible()


@pytest.mark.parametrize(("study", "moved"), [("robots", "eye="), ("halves", "zoom=")])
def test_a_point_is_picked_by_a_still_pointer_near_it_and_not_by_a_drag(shared_review, local, study, moved):
    visitor = shared_review(study)
    page = visitor.page
    before = state_of(visitor)["key"]
    ends = [
        pick.key for pick in local.fronts.picks(study).items if pick.kind == "best" and pick.key != before
    ]
    other = ends[-1]  # where nothing else is near
    # The ring stands where the point is drawn: go there when another design is selected.
    choose(visitor, other)
    page.locator("#front").evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    ring = page.locator(".marks .selected circle").last.bounding_box()
    x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
    choose(visitor, before)
    page.mouse.move(x + 5, y + 4)
    page.locator("#front .tooltip", has_text=other[:8]).wait_for()
    page.mouse.down()
    page.mouse.up()
    follows(visitor, other)
    choose(visitor, before)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=3)
    page.mouse.up()
    page.wait_for_function("moved => location.hash.includes(moved)", arg=moved)
    assert state_of(visitor)["key"] == before
    assert visitor.complaints == []


def test_the_keyboard_walks_the_table_and_sorts_it(review, local):
    front = local.fronts.list("halves").items
    visitor = review("halves")
    page = visitor.page
    page.click(".sort[data-column='f1']")  # the usual order, turned round
    until(visitor, "sort", "-f1")
    assert page.get_attribute("th[aria-sort]", "aria-sort") == "descending"
    page.click(".sort[data-column='f2']")
    until(visitor, "sort", "f2")
    order = sorted(front, key=lambda d: d.metrics["f2"])
    keys = [d.key for d in order]
    assert len(keys) > 100  # so that the table has parts
    first = keys.index(state_of(visitor)["key"]) // 50 * 50  # the part with the selected design
    assert rows(visitor) == keys[first : first + 50]
    assert page.get_attribute("th[aria-sort]", "aria-sort") == "ascending"
    page.locator(".designs .pick[tabindex='0']").focus()
    page.keyboard.press("Home")
    until(visitor, "key", order[0].key)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    until(visitor, "key", order[2].key)
    follows(visitor, order[2].key)
    assert page.evaluate("document.activeElement.closest('tr').dataset.key") == order[2].key
    visitor.assert_sound()


LATER = "() => { const now = Date.now; Date.now = () => now() + 5000; }"
"""Let what comes next be a step of its own in the history, where quick ones are one."""


def test_keys_work_after_a_click_and_back_undoes_selections_pins_and_ranges(review, local):
    visitor = review("robots")
    page = visitor.page
    first, second, third = rows(visitor)[:3]
    page.locator(f".designs tr[data-key='{first}']").click()
    follows(visitor, first)
    page.keyboard.press("j")
    follows(visitor, second)
    page.evaluate(LATER)
    page.locator("#front canvas").first.click(position={"x": 3, "y": 3})
    page.keyboard.press("ArrowDown")
    follows(visitor, third)
    page.go_back()
    follows(visitor, second)
    page.evaluate(LATER)
    page.keyboard.press("p")
    page.wait_for_selector(f".pins[data-pins='1'] >> text={second[:10]}")
    page.keyboard.press("f")
    page.locator(f".marks .favourite[data-key='{second}']").wait_for(state="attached")
    page.keyboard.press("f")
    page.locator(f".marks .favourite[data-key='{second}']").wait_for(state="detached")
    page.go_back()
    page.wait_for_selector(".pins[data-pins='0']", state="attached")
    follows(visitor, second)
    page.evaluate(LATER)
    page.keyboard.press("/")
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    page.locator("#in-ranges", has_text="designs lie in the range").wait_for()
    shown = int(page.get_attribute(".box.tall", "data-rows"))
    page.click("summary:has-text('Download')")
    with page.expect_download() as download:
        page.locator("li", has_text="Designs that are shown").get_by_role("button", name="CSV").click()
    saved = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert 0 < len(saved) == shown < len(local.fronts.list("robots").items)
    assert all(float(row["beta1 [rad]"]) >= np.radians(60) - 1e-8 for row in saved)
    page.click("summary:has-text('Download')")
    page.go_back()
    page.locator("#in-ranges", has_text="No range is set").wait_for()
    follows(visitor, second)
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    visitor.assert_accessible("dialog")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Keys").wait_for(state="detached")
    visitor.assert_sound()


def test_ranges_as_numbers_and_dragged_narrow_the_front_the_lines_and_the_table(review, local):
    front = local.fronts.list("halves").items
    visitor = review("halves")
    page = visitor.page
    page.click("#mode-lines")
    assert page.get_attribute(".parallel", "data-lines") == str(len(front))
    page.click("text=Ranges as numbers")
    values = sorted(d.metrics["f1"] for d in front)
    low, high = values[3], values[-4]
    inside = [d.key for d in front if low <= d.metrics["f1"] <= high]
    page.get_by_label("least f1").fill(str(low))
    page.get_by_label("greatest f1").fill(f"{high:.9g}")
    page.keyboard.press("Enter")
    page.wait_for_selector(f".parallel[data-inside='{len(inside)}']")
    assert sorted(all_rows(visitor)) == sorted(inside)
    page.click("#mode-2d")
    page.wait_for_selector(f"#front[data-inside='{len(inside)}']")
    page.wait_for_function(
        f"count => ({SHOWN})(document.getElementById('front'))"
        ".reduce((sum, [layout, shown]) => sum + (layout ? shown : 0), 0) === count",
        arg=len(inside),
    )
    page.click("#mode-lines")
    page.get_by_label("least f1").fill("little")
    page.keyboard.press("Enter")
    assert page.get_by_label("least f1").get_attribute("aria-invalid") == "true"
    assert "\u201clittle\u201d is not a number" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Clear all ranges").click()
    until(visitor, "brush", "")
    page.wait_for_selector(f".box[data-rows='{len(front)}']")
    visitor.assert_sound()

    # A drag on an axis sets a range, a click beside it lets it go.
    lines = page.locator(".parallel")
    lines.evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = lines.bounding_box()
    x = box["x"] + 46  # the first axis: the layout
    page.mouse.move(x, box["y"] + box["height"] - 20)
    page.mouse.down()
    page.mouse.move(x, box["y"] + box["height"] - 60, steps=3)
    page.mouse.up()
    until(visitor, "brush", "layout:0:0")
    assert sorted(all_rows(visitor)) == sorted(d.key for d in front if d.layout == "left")
    lines.evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = lines.bounding_box()
    page.mouse.click(x, box["y"] + box["height"] - 150)
    until(visitor, "brush", "")


def test_a_link_reproduces_the_view(review, shared_review, local):
    front = [d for d in local.fronts.list("halves").items if d.layout == "right"]
    one, other = front[0], front[-1]
    visitor = shared_review("halves")
    page = visitor.page
    choose(visitor, one.key)
    page.click("text=Pin to compare")
    choose(visitor, other.key)
    page.click("text=Pin to compare")
    page.get_by_label("x axis").select_option("x1")
    page.locator(".pins[data-pins='2'] table").first.wait_for()
    told = state_of(visitor)
    assert told["pins"] == f"right:{one.key},right:{other.key}"
    assert told["axes"] == "x1,f2"

    again = review("halves", page.evaluate("location.hash"))
    follows(again, other.key)
    assert state_of(again) == told
    assert again.page.locator("#axis-0").input_value() == "x1"
    (points,) = [points for layout, points in drawn(again) if layout == "right"]
    expected = [[d.variables["x1"], d.metrics["f2"]] for d in front]
    np.testing.assert_allclose(sorted(p[:2] for p in points), sorted(expected))
    table = again.page.locator(".pins table").last
    table.wait_for()
    assert one.key[:8] in table.inner_text()
    assert "differs" in table.inner_text()
    again.assert_sound()


def test_pinned_robots_stand_side_by_side_in_one_frame_and_turn_together(review, local):
    one, other = (
        next(d for d in local.fronts.list("robots").items if d.layout == layout)
        for layout in ("constrained", "suspended")
    )
    visitor = review("robots", f"#pins=constrained:{one.key},suspended:{other.key}")
    page = visitor.page
    page.locator(".pins .view .plot[data-key]").nth(1).wait_for()
    visitor.settle()
    frames = page.locator(".pins .view .plot").evaluate_all(
        "all => all.map(p => ['x', 'y', 'z'].map(a => p.layout.scene[`${a}axis`].range))"
    )
    assert frames[0] == frames[1]
    before = page.locator(".pins .view .plot").evaluate_all(EYES)
    drag(page, ".pins .view canvas")
    page.wait_for_function(
        f"before => {{ const now = ({EYES})([...document.querySelectorAll('.pins .view .plot')]);"
        " return now.every(eye => eye === now[0] && !before.includes(eye)); }",
        arg=before,
    )
    visitor.assert_sound()


LIMITS = """
name = "limits"
model = "faulty"
[variables]
x = { lower = 0, upper = 0.04 }
y = { lower = 0, upper = 1e-4 }
[objectives]
f1 = "minimize"
f2 = "minimize"
sometimes = "minimize"
[search]
population = 40
generations = 1
"""


@pytest.fixture
def limits(folder):
    """A study in which no design has the third objective; it is deleted in the end."""
    with Store(str(folder / "tautline.db")) as store:
        run_study(store, parse_study(LIMITS), lambda: nullcontext(Here()))
        yield StoreServices(Context(store=store))
        store.delete_study("limits")


def test_an_objective_that_no_design_has_stays_as_the_limit_it_counts_as(review, limits):
    keys = [design.key for design in limits.fronts.list("limits").items]
    pinned = ",".join(f"default:{key}" for key in keys[:4])
    visitor = review("limits", f"#key={keys[4]}&layout=default&pins={pinned}")
    page = visitor.page
    follows(visitor, keys[4])
    assert "sometimes" in page.locator(".designs thead").inner_text()
    assert set(
        page.locator(".designs tbody tr").evaluate_all("rows => rows.map(r => r.cells[5].innerText)")
    ) == {"≤ 9"}
    axes = page.locator("#front").evaluate("box => Array.from(box.data[0].z)")
    assert axes == [9] * len(keys)
    names = (
        page.locator(".details table", has_text="Metrics")
        .locator("tbody th")
        .evaluate_all("heads => heads.map(head => head.firstChild.textContent)")
    )
    assert names == ["f1", "f2", "sometimes"]
    assert "≤ 9 m" in page.locator(".details").inner_text()
    assert "≤ 9" in page.locator(".pins table").first.inner_text()
    page.get_by_role("button", name="Pin to compare").click()
    page.get_by_text("4 designs are pinned, which is the most. Unpin one first.").wait_for()
    assert state_of(visitor)["pins"].count("default") == 4
    page.get_by_role("button", name="Unpin A").first.click()
    page.get_by_role("button", name="Pin to compare").click()
    page.locator(".pins[data-pins='4']").wait_for()
    page.wait_for_function(
        "key => location.hash.includes(`default:${key}`) || location.hash.includes(`default%3A${key}`)",
        arg=keys[4],
    )


# A painted pixel of a plane that is grey, and far from everything that is coloured.
ALONE = """box => {
  const canvas = box.querySelector('canvas');
  const fine = canvas.width / canvas.clientWidth;
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const coloured = (x, y) => {
    const at = 4 * (y * width + x);
    return data[at + 3] > 0 && Math.max(...data.slice(at, at + 3)) - Math.min(...data.slice(at, at + 3)) > 40;
  };
  const grey = (x, y) => Math.abs(data[4 * (y * width + x)] - 138) < 12 && data[4 * (y * width + x) + 3] > 90 && data[4 * (y * width + x) + 3] < 140;
  for (let y = 40; y < height - 80; y += 1) for (let x = 120; x < width - 60; x += 1) {
    if (![[0, 0], [1, 0], [0, 1], [1, 1]].every(([dx, dy]) => grey(x + dx, y + dy))) continue;
    let clear = true;
    for (let dy = -16; dy <= 16 && clear; dy += 1) for (let dx = -16; dx <= 16 && clear; dx += 1) clear = !coloured(x + dx, y + dy);
    if (clear) return [(x + 1) / fine, (y + 1) / fine];
  }
  return null;
}"""


def test_all_evaluations_are_a_cloud_whose_points_can_be_selected(shared_review, local):
    visitor = shared_review("halves", "&cloud=1")
    page = visitor.page
    page.wait_for_function("() => document.querySelector('#front').data.some(t => t.meta === 'evaluations')")
    asked = json.loads(local.exports.table("halves", "json").content)
    counts = page.locator("#front").evaluate(
        "box => box.data.filter(t => t.meta === 'evaluations').map(t => t.x.length)"
    )
    assert sum(counts) == len(asked)
    assert f"{len(asked)} evaluations" in page.inner_text("figcaption")
    known = {d.key for d in local.fronts.list("halves").items}
    assert "beyond the ends of the axes" in page.inner_text("figcaption")
    page.get_by_label("Axes over all of them").check()
    until(visitor, "range", "all")
    page.locator("figcaption", has_text="beyond the ends").wait_for(state="detached")
    known = {d.key for d in local.fronts.list("halves").items}
    alone = page.locator("#front").evaluate(ALONE)
    page.locator("#front").evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    canvas = page.locator("#front canvas").bounding_box()
    before = state_of(visitor)["key"]
    page.mouse.click(canvas["x"] + alone[0], canvas["y"] + alone[1])
    page.wait_for_function("before => !location.hash.includes(before)", arg=before)
    first = local.designs.get(state_of(visitor)["key"])
    assert first.key not in known
    page.wait_for_selector(f".details[data-key='{first.key}']:not([aria-busy])")
    assert ("not on the front" in page.inner_text(".details")) == (first.key not in known)
    page.wait_for_selector(f".marks .selected[data-key='{first.key}']", state="attached")
    visitor.assert_sound()


def with_margin(route):
    """Answer with a margin of 1.5 m, where the stored one is some millimetres."""
    answer = route.fetch()
    body = answer.json()
    body["metrics"]["interference_margin"] = 1.5
    route.fulfill(response=answer, json=body)


def test_a_design_is_evaluated_again_with_finer_cells_and_reproduced(review, local):
    key = next(d.key for d in local.fronts.list("robots").items if d.layout == "constrained")
    visitor = review("robots", f"#layout=constrained&key={key}")
    page = visitor.page
    page.click("summary:has-text('Evaluate again')")
    assert page.get_by_label("Parameter", exact=True).input_value() == "cells"
    assert page.get_by_label("New value").input_value() == "12"
    page.click("text=Evaluate with these settings")
    table = page.locator(".again table")
    table.wait_for()
    line = next(
        row
        for row in table.inner_text().splitlines()
        if row.startswith("workspace volume\t") or row == "workspace volume"
    )
    assert line
    assert re.search(r"[+\u2212]\d+(\.\d+)? %", table.inner_text())
    page.route(re.compile("/evaluate$"), with_margin)
    page.click("text=Evaluate with these settings")
    row = page.locator(".again tr", has=page.get_by_role("rowheader", name="interference margin", exact=True))
    row.get_by_text(re.compile(r"^1\.50* m$")).wait_for()
    assert row.locator("td").first.inner_text().endswith(" m"), "both in one unit"
    page.unroute(re.compile("/evaluate$"))
    page.click("text=Reproduce exactly")
    page.wait_for_selector("text=Identical")
    page.get_by_label("New value").fill("100000")
    page.click("text=Evaluate with these settings")
    page.wait_for_selector(".again .fault")
    assert "cells" in page.inner_text(".again .fault")
    assert [text for text in visitor.complaints if "422" not in text] == []


def test_a_design_is_evaluated_again_under_other_conditions(review, local):
    key = next(d.key for d in local.fronts.list("robots").items if d.layout == "constrained")
    visitor = review("robots", f"#layout=constrained&key={key}")
    page = visitor.page
    page.click("summary:has-text('Evaluate again')")
    groups = page.locator(".again optgroup").evaluate_all("found => found.map((group) => group.label)")
    assert groups[0] == "Frame and pulleys"
    offered = page.locator(".again option").evaluate_all("found => found.map((option) => option.value)")
    assert {"orientations", "wrench_set", "f_max", "check_platform", "axial_stiffness"} <= set(offered)
    assert not {"beta1", "attachments"} & set(offered), "what varies, and what is neither number nor option"
    page.get_by_label("Parameter", exact=True).select_option("orientations")
    wanted = page.get_by_label("New value").evaluate("select => select.selectedOptions[0].text")
    assert f"was {wanted}" not in page.inner_text(".again .settings"), (
        "begins with another option than it was"
    )
    page.click("text=One more setting")
    page.get_by_label("Parameter", exact=True).last.select_option("wrench_set")
    page.get_by_label("New value").last.select_option(label="weight")
    page.click("text=Evaluate with these settings")
    told = page.locator(".again [aria-live]", has_text=f"With orientations {wanted}, wrench set weight")
    told.wait_for()  # of the metrics, or that no cell holds so much
    visitor.assert_accessible(".again")


def test_everything_can_be_saved(review):
    visitor = review("robots", viewport={"width": 800, "height": 700})
    page = visitor.page
    page.click("summary:has-text('Download')")
    links = page.locator("#links a").evaluate_all("all => all.map(a => [a.getAttribute('href'), a.download])")
    for href, file in links:
        answer = visitor.context.request.get(visitor.address + href)
        assert answer.status == 200, href
        assert f'filename="{file}"' in answer.headers["content-disposition"]
    assert len(links) == 8
    assert len({file for _, file in links}) == len(links), "no two files have the same name"
    for label, ending in (
        ("Front as drawn", "svg"),
        ("Robot as drawn", "png"),
        ("Parallel coordinates", "png"),
    ):
        with page.expect_download() as download:
            page.locator("li", has_text=label).get_by_role("button", name=ending.upper()).click()
        assert download.value.suggested_filename.endswith(ending)
    page.click("summary:has-text('Download')")
    with page.expect_download() as download:
        page.get_by_role("button", name="Parameters as JSON").click()
    saved = json.loads(download.value.path().read_text())
    assert saved["parameters"]["cells"] == 6
    assert visitor.complaints == []


CENTRE = """key => {
  const { x, y, width, height } = document.querySelector(`.marks .selected[data-key="${key}"] circle`).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


@pytest.mark.parametrize("many", [5, pytest.param(14, marks=pytest.mark.soak)])
def test_marks_in_space_are_each_selected_by_a_click_on_their_centre(review, many):
    """Marks less than a pixel apart cannot be told by a mouse: then the other one stands there, too."""
    visitor = review("halves", "#view=3d&axes=f1,f2,x1")
    page = visitor.page
    page.locator("#front").evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    keys = rows(visitor)
    same = 0
    for place in range(many):
        key, other = (keys[(place * len(keys) // many + more) % len(keys)] for more in (0, len(keys) // 2))
        for wanted in (key, other):
            page.evaluate(CHOOSE, wanted)
            page.wait_for_selector(f".marks .selected[data-key='{wanted}']", state="attached")
            if wanted == key:
                x, y = page.evaluate(CENTRE, key)
        page.mouse.click(x, y)
        page.wait_for_function("other => !location.hash.includes(other)", arg=other)
        found = state_of(visitor)["key"]
        page.wait_for_selector(f".marks .selected[data-key='{found}']", state="attached")
        assert page.evaluate(CENTRE, found) == pytest.approx([x, y], abs=1.0)
        same += found == key
    assert same >= 0.8 * many
    assert visitor.complaints == []


# The share of the stage that the drawing takes along both directions, without its margins.
FILLED = """box => {
  const canvas = box.querySelector('canvas');
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) if (data[4 * (y * width + x) + 3]) {
    left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  return [left / width, right / width, top / height, bottom / height];
}"""


SAME = "painted => document.querySelector('#front canvas').toDataURL() === painted"
"""The front is painted like another one."""


def test_space_fills_its_panel_and_nothing_written_is_cut(shared_review):
    fills_its_panel(shared_review("robots"), 1280)


@pytest.mark.soak
@pytest.mark.parametrize("width", [1440, 768, 390])
def test_space_fills_its_panel_at_other_widths(review, width):
    fills_its_panel(review("robots", viewport={"width": width, "height": 900}), width)


def fills_its_panel(visitor, width):
    left, right, top, bottom = visitor.page.locator("#front").evaluate(FILLED)
    assert left > 0
    assert right < 0.999
    assert top > 0
    assert bottom < 0.999
    assert (right - left) > (0.6 if width < 1000 else 0.5)  # wide panels are flat
    assert (bottom - top) > (0.7 if width > 400 else 0.5)
    told = visitor.page.inner_text("figcaption")
    assert "Arrows: the better end" in told
    assert "ideal point" in told


def test_a_logarithmic_axis_is_offered_and_kept_in_the_address(review, shared_review):
    visitor = shared_review("halves", "&view=2d&axes=f2,f1")
    page = visitor.page
    before = page.locator("#front canvas").evaluate("canvas => canvas.toDataURL()")
    page.get_by_label("logarithmic x").check()
    until(visitor, "log", "f2")
    page.evaluate(FRAMES)  # until the figure has its size
    after = page.locator("#front canvas").evaluate("canvas => canvas.toDataURL()")
    assert after != before
    again = review("halves", page.evaluate("location.hash"))
    again.page.wait_for_function(SAME, arg=after)
    assert again.page.get_by_label("logarithmic x").is_checked()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_a_phone_shows_all_of_it(review, scheme):
    visitor = review("halves", "#view=matrix", viewport=PHONE, color_scheme=scheme)
    visitor.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    visitor.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")  # what loads is pale
    visitor.assert_accessible()
    assert visitor.page.locator("#front .plane canvas").count() == 1  # of the only pair


def test_a_tap_picks_a_point_in_space(review):
    visitor = review("robots", viewport=PHONE)
    page = visitor.page
    # In the context of all others: one of its own for fingers would compile all scripts again.
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    before = state_of(visitor)["key"]
    other = rows(visitor)[-1]
    choose(visitor, other)
    page.locator("#front").evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    ring = page.locator(".marks .selected circle").last.bounding_box()
    choose(visitor, before)
    at = {"x": ring["x"] + ring["width"] / 2 + 2, "y": ring["y"] + ring["height"] / 2 + 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    follows(visitor, other)


def test_back_at_a_design_its_robot_is_shown_and_not_one_that_was_asked_for_meanwhile(review):
    visitor = review("robots")
    page = visitor.page
    first = state_of(visitor)["key"]
    other = next(key for key in rows(visitor) if key != first)
    held = Held(visitor, f"**/designs/{other}/figure")
    page.evaluate(CHOOSE, other)
    held.wait_for()
    choose(visitor, first)
    held.let_through()
    robot = page.locator(".inspector .space")
    robot.locator(f".plot[data-key='{first}']:not([aria-busy])").wait_for()
    assert first[:8] in robot.locator("h2").inner_text()
    assert visitor.complaints == []


@pytest.fixture(scope="module")
def leaving(tmp_path_factory):
    """A design of the growing study that is on its front while it halts, and not in the end."""
    path = tmp_path_factory.mktemp("grown") / "tautline.db"
    with Store(str(path)) as store:
        keys = []
        for generations in (HALT, 8):
            text = GROWING.replace("generations = 8", f"generations = {generations}")
            study = parse_study(text.replace('"growing"', f'"grown-{generations}"'))
            run_study(store, study, lambda: nullcontext(Here()))
            keys.append(
                [design.key for design in StoreServices(Context(store=store)).fronts.list(study.name).items]
            )
    return next(key for key in keys[0] if key not in keys[1])


def test_a_front_grows_without_losing_what_is_selected(review, folder, leaving):
    with growing(folder) as study:
        visitor = review("growing")
        page = visitor.page
        assert "as soon as there is one" in page.inner_text("#content")
        study.begin()
        study.wait_until_it_halts()
        page.wait_for_selector(
            f"#front[data-drawn][data-designs='{len(study.local.fronts.list('growing').items)}']"
        )
        key = leaving
        choose(visitor, key)
        page.evaluate("location.hash += '&brush=f1:0:200&view=2d'")
        page.wait_for_selector("#in-ranges button")
        before = int(page.get_attribute(".box.tall", "data-rows"))
        study.finish()
        stored = len(study.local.fronts.list("growing").items)
        assert stored > before
        page.wait_for_selector(f"#front[data-designs='{stored}']")
        assert state_of(visitor)["key"] == key
        assert state_of(visitor)["brush"] == "f1:0:200"
        assert key not in [design.key for design in study.local.fronts.list("growing").items]
        page.wait_for_selector(f".marks .selected[data-key='{key}']", state="attached")
        assert visitor.complaints == []


CROSSING = (
    ROBOTS.replace('"robots"', '"crossing"')
    .replace("cells = 6", 'cells = 6\ncheck_interference = false\ncable_diameter = "20 mm"')
    .replace('F2 = "minimize"\nF3 = "minimize"', '"interference_margin.q05" = "maximize"')
)
"""Ropes so thick that some of them touch, which the search is not told."""


def test_a_design_beyond_a_limit_of_safety_has_the_same_mark_in_all_parts(review, folder, local):
    with Store(str(folder / "tautline.db")) as store:
        run_study(store, parse_study(CROSSING), lambda: nullcontext(Here()))
    front = {design.key: design for design in local.fronts.list("crossing").items}
    unsafe = {key for key, design in front.items() if design.metrics["interference_margin.q05"] < 0}
    assert unsafe == {key for key, design in front.items() if design.unsafe}
    assert 0 < len(unsafe) < len(front)
    key = next(pick.key for pick in local.fronts.picks("crossing").items if pick.key in unsafe)
    layout = front[key].layout
    visitor = review("crossing", f"#layout={layout}&key={key}&pins={layout}:{key}&view=2d")
    page = visitor.page
    told = page.locator(".details p.bad").inner_text()
    assert told.startswith("Unsafe: interference margin q05 is \N{MINUS SIGN}")
    assert "below the limit of safety 0 mm" in told

    def marked(rows):
        found = page.locator(rows, has=page.locator(".unsafe"))
        return set(found.evaluate_all("rows => rows.map(row => row.dataset.key)"))

    assert marked(".designs tbody tr") == unsafe
    assert "interference margin" in page.locator(".designs .unsafe").first.get_attribute("title")
    of_layout = sum(front[each].layout == layout for each in unsafe)
    page.locator("#front .legend", has_text=f"{layout}, unsafe ({of_layout})").wait_for()
    expect(page.locator(".pins thead .unsafe")).to_have_count(2)  # of metrics and of parameters
    assert page.locator(".inspector .space h2 .unsafe").inner_text().strip() == "unsafe"
    visitor.assert_accessible(".designs, .details, .pins")
    visitor.goto(f"/studies/crossing/decide#layout={layout}&key={key}")
    page.locator(".ranking tbody tr").first.wait_for()
    assert marked(".ranking tbody tr") == {
        each for each in unsafe if page.locator(f".ranking tr[data-key='{each}']").count()
    }
    assert page.locator(".decide form p.bad").inner_text().startswith("Unsafe: interference margin")
    visitor.goto("/studies/crossing/analyse")
    page.locator(".leaders summary").click()
    page.locator(".leaders form button[type=submit]").click()
    page.locator(f".leaders tr[data-key='{key}'] .unsafe").wait_for()
    assert (
        "unsafe: interference margin" in page.locator(f".leaders tr[data-key='{key}'] td").last.inner_text()
    )
    assert visitor.complaints == []


def test_hostile_names_are_text_and_missing_designs_are_said(review):
    visitor = review("shapes")
    page = visitor.page
    assert page.evaluate("window.hostile") is None
    assert "never: no feasible design" in page.inner_text(".picks")
    page.wait_for_selector(".details[data-key]:not([aria-busy])")
    visitor.assert_sound()
    page.get_by_role("link", name="Analyse").click()
    page.locator(".importance").get_by_label("Layout").select_option("never")
    bars = page.get_by_role("group", name="Importance of variables", exact=True)
    bars.get_by_text("at least 30 are needed").wait_for()
    assert bars.locator(".plot").is_hidden()


def test_what_is_seen_stays_while_the_server_does_not_answer(review, local):
    front = local.fronts.list("robots").items
    visitor = review("robots", hurried=True)
    page = visitor.page
    follows(visitor, state_of(visitor)["key"])
    other = next(key for key in rows(visitor) if key != state_of(visitor)["key"])
    with offline(visitor):
        page.locator(f".designs tr[data-key='{other}']").click()
        page.locator("#offline").wait_for()
        assert state_of(visitor)["key"] == other
        assert len(all_rows(visitor)) == len(front)
    follows(visitor, other)
    page.locator("#offline").wait_for(state="hidden")


def test_a_design_is_saved_for_other_programs_and_its_warnings_are_shown(review, tmp_path):
    visitor = review("robots")
    page = visitor.page
    key = rows(visitor)[0]
    page.locator(f".designs tr[data-key='{key}']").click()
    follows(visitor, key)
    menu = page.locator(".details .design-file")
    menu.locator("summary").click()
    assert "urdf (.urdf): links and joints" in menu.inner_text()
    visitor.assert_accessible(".details")
    with page.expect_download() as saved:
        menu.get_by_role("button", name="urdf").click()
    assert re.fullmatch(r"robots-[0-9a-f]{6,}\.urdf", saved.value.suggested_filename)
    saved.value.save_as(tmp_path / "robot.urdf")
    assert "cable_8_attachment" in (tmp_path / "robot.urdf").read_text()
    status = page.locator(".details [role=status]", has_text="is saved")
    status.wait_for()
    assert "platform has a principal moment of inertia" in status.inner_text()


def test_on_a_phone_the_front_comes_first_and_its_controls_are_folded(review):
    visitor = review("robots", viewport=PHONE)
    page = visitor.page
    front = page.locator("#front").bounding_box()
    assert front["y"] + front["height"] < PHONE["height"], "the front is seen at once"
    assert page.locator(".picks").bounding_box()["y"] > front["y"]
    assert page.locator(".axes").first.is_hidden()
    page.get_by_text("Axes, colours and sizes").click()
    page.locator(".axes").first.wait_for()
    visitor.assert_accessible(".phone-fold")


def test_the_review_calls_an_objective_as_compare_does(shared_review, local):
    page = shared_review("robots").page
    label = next(one.label for one in local.studies.quantities("robots").metrics if one.metric == "F2")
    assert label == "stiffness F2"
    assert page.locator(".designs thead", has_text=label).count() == 1
    assert page.locator(".picks button", has_text=f"est {label}").count() > 0
