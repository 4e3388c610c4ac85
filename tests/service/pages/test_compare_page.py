"""Studies against each other: what the page shows is what the store holds."""

import re
from contextlib import nullcontext

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import FRAMES, PHONE, Held, Here, offline
from tests.service.pages.growing import GROWING

pytestmark = pytest.mark.browser

POINTS = "box => box.data.map(trace => (trace.x ?? []).length)"
# Places at which a canvas has the blue of the first layout, below the strip on top.
MARKED = """canvas => {
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const { left, top } = canvas.getBoundingClientRect();
  for (let y = 16; y < height - 80; y += 1) for (let x = 90; x < width; x += 1) {
    const [r, g, b] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
    if (r < 40 && Math.abs(g - 114) < 14 && Math.abs(b - 178) < 14) return [left + x / devicePixelRatio, top + y / devicePixelRatio];
  }
  return null;
}"""
LARGE = {"width": 1440, "height": 900}
ACROSS = "&across_conditions=true"
LAYOUTS_OF_ROBOTS = ["constrained", "suspended"]


@pytest.fixture(scope="module")
def stored(folder):
    with Store(str(folder / "tautline.db")) as store:
        yield StoreServices(Context(store=store))


def plot(visitor, figure):
    """A figure that is drawn; of several at one place, it is chosen first."""
    choice = visitor.page.locator(f"#choose-{figure}")
    if choice.is_visible():
        choice.click()
    return visitor.page.locator(f"[data-figure='{figure}'][data-drawn]")


def as_read(text):
    """A text of the server as the page has it, where powers are raised."""
    return text.replace("^", "")


def values_of(visitor, caption):
    """A table of the page as text: the row's heading, then its cells without notes and ticks."""
    table = visitor.page.locator("table", has=visitor.page.locator("caption", has_text=caption))
    return table.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.firstChild?.textContent ?? ''))"
    )


@pytest.fixture(scope="module")
def lasting_robots(contexts):
    with contexts.lasting("/compare?of=robots", viewport=LARGE) as visitor:
        yield visitor


@pytest.fixture
def robots(lasting_robots):
    """The layouts of the robots, for tests that change nothing but the window and what the address says."""
    lasting_robots.begin_again()
    yield lasting_robots
    lasting_robots.page.set_viewport_size(LARGE)


def test_layouts_of_a_study_stand_against_each_other(robots, stored):
    visitor = robots
    found = stored.comparisons.studies(["robots"])
    assert visitor.page.locator(".verdict p").all_inner_texts() == list(map(as_read, found.verdict))
    sizes = [row.front for row in found.contenders]
    for number in range(1, 5):
        assert plot(visitor, f"front-{number}").evaluate(POINTS) == [max(size, 1) for size in sizes]
    assert plot(visitor, "spread").evaluate(POINTS) == [2, 1, 2] * 2
    assert plot(visitor, "history").evaluate(POINTS)
    drawn = plot(visitor, "front-2").evaluate("box => box.data.map(trace => trace.customdata)")
    front = stored.fronts.list("robots").items
    assert drawn == [[d.key for d in front if d.layout == layout] for layout in LAYOUTS_OF_ROBOTS]
    answers = visitor.page.locator(".answers dd").all_inner_texts()
    assert answers == [f"{text}." for text in found.headline.model_dump().values()]
    rest = values_of(visitor, "Metrics that were not optimised")
    assert rest == [[as_read(cell.text) for cell in row] for row in found.tables["not_optimised"].rows]
    assert "interference margin" in [row[0] for row in rest]
    assert as_read(found.point) in visitor.page.inner_text("main")
    visitor.assert_accessible()


# Number of pixels of a canvas that have the colour of arrows.
ARROWS = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) found += data[at] === 75 && data[at + 1] === 63 && data[at + 2] === 160;
  return found;
}"""


def test_space_has_arrows_to_the_better_ends_and_the_ideal_point_as_review_has(robots):
    visitor = robots
    for number in range(1, 5):
        figure = plot(visitor, f"front-{number}")
        assert "ideal point" in figure.locator(".legend").inner_text()
        assert figure.locator("canvas").evaluate(ARROWS) > 50
    assert "Arrows on the axes point to the better end." in visitor.page.inner_text("main")


def test_what_stands_far_below_is_asked_for_and_drawn_when_somebody_comes_near(visit):
    visitor = visit("/compare?of=robots", viewport=LARGE)
    page = visitor.page
    page.wait_for_function("() => !document.querySelector('.plot[aria-busy]')")
    page.locator(".knees .plot[data-drawn]").nth(1).wait_for()
    assert page.locator("script[src*=plotly]").count() == 0, "nothing that is seen needs it"
    assert not [url for url in visitor.requests if "/figures/history" in url]
    page.locator("[data-figure='spread']").scroll_into_view_if_needed()
    plot(visitor, "spread").wait_for()
    assert plot(visitor, "history").evaluate(POINTS)
    visitor.assert_sound()


# Number of pixels of a canvas in colours, which axes and frames have none.
COLOURED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    const channels = [data[at], data[at + 1], data[at + 2]];
    found += data[at + 3] > 200 && Math.max(...channels) - Math.min(...channels) > 60;
  }
  return found;
}"""


def test_robots_are_drawn_without_a_graphics_card_and_turned_by_the_pointer(robots):
    visitor = robots
    page = visitor.page
    canvas = page.locator(".knees .plot[data-drawn] canvas")
    canvas.nth(1).wait_for()
    assert all(canvas.nth(place).evaluate(COLOURED) > 200 for place in range(2))
    before = canvas.evaluate_all("all => all.map(canvas => canvas.toDataURL())")
    box = canvas.first.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 170, box["y"] + 110, steps=4)
    page.mouse.up()
    page.wait_for_function("() => location.hash.includes('side=')")
    after = canvas.evaluate_all("all => all.map(canvas => canvas.toDataURL())")
    assert all(one != other for one, other in zip(before, after, strict=True)), "turning one turns both"
    visitor.assert_sound()


def test_studies_are_flagged_that_were_not_searched_alike(visit, stored):
    visitor = visit(f"/compare?of=halves,shapes{ACROSS}", viewport=PHONE, color_scheme="dark")
    visitor.settle()
    told = visitor.page.locator("#same")
    assert "The conditions are not the same" in told.inner_text()
    assert "seeds (1 and 2 in halves; 1 in shapes)" in told.inner_text()
    assert "notice" in told.get_attribute("class")
    assert "Left out: f2 of halves; f2, sometimes of shapes" in visitor.page.inner_text("main")
    found = stored.comparisons.studies(["halves", "shapes"], across_conditions=True)
    marked = {row[0] for row in values_of(visitor, "Conditions that differ")}
    assert {c.condition for c in found.differences} <= marked
    assert visitor.page.locator("td.differs").count() >= 5 * len(found.differences)
    assert visitor.page.evaluate("window.hostile") is None
    visitor.assert_accessible()


def test_other_conditions_are_refused_with_a_way_to_compare_all_the_same(visit):
    visitor = visit("/compare?of=halves,shapes")
    alert = visitor.page.get_by_role("alert")
    assert "the back-end (bnh in halves; faulty in shapes)" in alert.inner_text()
    assert visitor.faults_of_access("[role=alert]") == []
    assert [text for text in visitor.complaints if "422" not in text] == []
    visitor.page.get_by_role("link", name="Compare all the same").press("Enter")
    visitor.page.locator(".answers").wait_for()
    assert visitor.page.url.endswith(f"/compare?of=halves,shapes{ACROSS}")
    visitor.settle()
    captions = visitor.page.locator("main figure[class]:visible > figcaption").all_inner_texts()
    assert captions
    assert all("Conditions differ:" in caption for caption in captions)
    marks = visitor.page.locator("[data-figure='spread']").evaluate(
        "box => box.layout.annotations.map(a => a.text)"
    )
    assert len(marks) == 1
    assert marks[0].startswith("<b>conditions differ: ")


# True if a canvas has the colour of the mark in its upper right corner.
NOTED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, 0, canvas.width / 2, 18 * devicePixelRatio);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) found += data[at] === 0x8A && data[at + 1] === 0x52 && data[at + 2] === 0;
  return found;
}"""


def test_figures_that_the_page_draws_itself_have_the_mark_too(visit, folder, robots):
    with Store(str(folder / "tautline.db")) as store:
        text = (
            LAYOUTS.replace("halves", "tighter")
            .replace("Two tighter", "Two parts")
            .replace("c1 = { lower = 0 }", "c1 = { lower = 1 }")
        )
        run_study(store, parse_study(text), lambda: nullcontext(Here()))
    visitor = visit(f"/compare?of=halves,tighter{ACROSS}")
    visitor.settle()
    assert plot(visitor, "front-1").locator("canvas").evaluate(NOTED) > 20
    assert plot(robots, "front-1").locator("canvas").evaluate(NOTED) == 0


def test_three_questions_are_answered_in_the_first_screen(robots, stored):
    visitor = robots
    page, found = visitor.page, stored.comparisons.studies(["robots"])
    questions = page.locator(".answers dt").all_inner_texts()
    assert questions == ["Which layout?", "How sure?", "At what price in safety?"]
    rows = values_of(visitor, "Scoreboard")
    told = [[as_read(cell.text) for cell in row] for row in found.tables["scoreboard"].rows]
    assert rows == told
    assert {"stiffness F2", "sensitivity F3", "workspace volume"} <= {r[0] for r in rows}
    page.evaluate("scrollTo(0, 0)")
    for part in (".answers", ".scores table", ".knees .views"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 900
    assert "stiffness objective" in page.get_by_text("stiffness F2", exact=True).first.get_attribute("title")
    assert page.locator(".scores sup").first.inner_text() == "1.5"


def test_knee_robots_are_turned_together(robots, stored):
    page = robots.page
    found = stored.comparisons.studies(["robots"])
    knees = {knee.label: knee.key for knee in found.knees}
    columns = [cell for cell in found.tables["scoreboard"].head if cell in knees]
    keys = [knees[label] for label in columns]
    assert len(keys) == 2
    boxes = page.locator(".knees .plot[data-drawn]")
    boxes.nth(1).wait_for()
    assert boxes.evaluate_all("boxes => boxes.map(box => box.dataset.key)") == keys
    ranges = (
        "boxes => boxes.map(box => ['xaxis', 'yaxis', 'zaxis'].map(axis => box.layout.scene[axis].range))"
    )
    one, other = boxes.evaluate_all(ranges)
    assert one == other
    page.evaluate("location.hash = 'side=2,0,0.5,0,0,0'")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.knees .plot')].every(box => box.layout.scene.camera.eye.x === 2)"
    )
    way = page.locator(".knees a").first.get_attribute("href")
    assert keys[0] in way


def test_studies_are_chosen_from_a_list_by_keyboard(visit):
    visitor = visit("/compare")
    page = visitor.page
    assert page.get_by_role("button", name="Compare", exact=True).is_disabled()
    visitor.assert_sound()
    page.get_by_label("Search").press_sequentially("hal")
    page.wait_for_function("() => document.querySelectorAll('.picker tbody tr').length === 1")
    page.get_by_label("halves").press("Space")
    page.get_by_label("Search").fill("nothing has this name")
    page.get_by_text("No study has this in its name").wait_for()
    page.get_by_label("Search").fill("")
    page.get_by_label("robots").press("Space")
    assert "Chosen: halves, robots" in page.inner_text("form")
    page.get_by_role("button", name="Compare", exact=True).press("Enter")
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "no objective in common" in alert.inner_text()
    assert page.url.endswith("/compare?of=halves,robots")
    page.get_by_label("robots").press("Space")
    page.get_by_role("button", name="Compare", exact=True).press("Enter")
    page.locator(".answers").wait_for()
    assert page.url.endswith("/compare?of=halves")
    assert [text for text in visitor.complaints if "422" not in text] == []


def test_a_study_with_one_layout_is_compared_with_another_one(visit, folder):
    with Store(str(folder / "tautline.db")) as store:
        run_study(store, parse_study(GROWING.replace("growing", "whole")), lambda: nullcontext(Here()))
    visitor = visit("/studies/whole")
    page = visitor.page
    page.get_by_role("link", name="Compare with another study").click()
    page.locator(".picker tbody tr").first.wait_for()
    of_picker = page.locator(".picker tbody td:nth-child(2)")
    models = of_picker.evaluate_all("cells => cells.map(cell => cell.title)")
    assert of_picker.first.inner_text() == "Test problem BNH: two constraints"
    assert "whole" not in page.locator(".picker tbody").inner_text()
    assert models[0] == "bnh"
    assert models == sorted(models, key=lambda model: model != "bnh")
    assert not any("/api/v1/comparison" in url for url in visitor.requests)
    compare = page.locator(".picker button[type=submit]")
    assert compare.is_disabled()
    page.get_by_label("halves").check()
    page.locator(".picker .notice", has_text="under different conditions").wait_for()
    assert "c1" in page.locator("table", has_text="Conditions that differ").inner_text()
    visitor.assert_accessible(".picker")
    assert compare.inner_text() == "Compare all the same"
    compare.click()
    page.locator(".answers").wait_for()
    assert page.url.endswith(f"/compare?of=whole,halves{ACROSS}")
    assert visitor.complaints == []


def test_the_answer_to_an_older_search_shows_nothing(visit):
    visitor = visit("/compare")
    page = visitor.page
    held = Held(visitor, re.compile(r"/api/v1/studies\?search=hal&"))
    page.get_by_label("Search").fill("hal")
    held.wait_for()
    page.get_by_label("Search").fill("robots")
    page.wait_for_function("() => document.querySelectorAll('.picker tbody tr').length === 1")
    held.let_through()
    assert [name.strip() for name in page.locator(".picker tbody th").all_inner_texts()] == ["robots"]
    assert visitor.complaints == []


def test_a_study_that_is_not_there_is_reported(visit):
    visitor = visit("/compare?of=halfs")
    assert "did you mean" in visitor.page.get_by_role("alert").inner_text() or re.search(
        "unknown study 'halfs'", visitor.page.get_by_role("alert").inner_text()
    )
    assert [text for text in visitor.complaints if "404" not in text] == []


def test_a_design_picked_in_a_front_is_reported_and_kept_in_the_address(visit, stored):
    visitor = visit("/compare?of=halves")
    visitor.settle()
    box = plot(visitor, "front-1")
    box.evaluate("box => box.scrollIntoView({ block: 'center', behavior: 'instant' })")
    x, y = box.locator("canvas").evaluate(MARKED)
    visitor.page.mouse.move(x + 40, y + 40)
    visitor.page.mouse.move(x + 2, y + 2, steps=4)
    visitor.page.locator("[data-figure='front-1'] .tooltip:not([hidden])").wait_for()
    visitor.page.mouse.down()
    visitor.page.mouse.up()
    way = visitor.page.get_by_role("link", name="Review this design")
    way.wait_for()
    told, address = visitor.page.locator(".picked").inner_text(), way.get_attribute("href")
    key = address.partition("key=")[2]
    design = stored.designs.get(key)
    until = "key => new URLSearchParams(location.hash.slice(1)).get('key') === key"
    visitor.page.wait_for_function(until, arg=key)
    assert f"f1 {design.metrics['f1']:.4g}"[:6] in told
    again = visit(visitor.page.evaluate("location.pathname + location.search + location.hash"))
    again.page.get_by_role("link", name="Review this design").wait_for()
    assert again.page.locator(".picked").inner_text() == told


def test_offline_what_is_seen_stays(visit):
    visitor = visit("/compare?of=halves#of=left&key=none", hurried=True)
    visitor.settle()
    before = visitor.page.locator(".verdict").inner_text()
    with offline(visitor):
        visitor.page.locator("#offline").wait_for(state="visible")
        assert visitor.page.locator(".verdict").inner_text() == before
        assert plot(visitor, "front-1").count() == 1
    visitor.page.locator("#offline").wait_for(state="hidden")
    assert visitor.page.url.endswith("#of=left&key=none")


def test_a_phone_shows_every_column_of_the_scoreboard(robots):
    visitor = robots
    visitor.page.set_viewport_size(PHONE)
    visitor.page.evaluate(FRAMES)
    visitor.settle()
    table = visitor.page.locator("table", has=visitor.page.locator("caption", has_text="Scoreboard"))
    cells = table.locator("tbody td").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.head, cell.getBoundingClientRect().right])"
    )
    assert {"constrained", "suspended"} <= {head for head, _ in cells}
    assert all(right <= PHONE["width"] for _, right in cells)
    best = table.locator("td.best").first
    tick = best.locator(".value").evaluate("value => getComputedStyle(value, '::before').content")
    assert tick == '"" / "best"'
    assert best.bounding_box()["height"] < 50  # value and note; the tick takes no line of its own
    visitor.page.get_by_role("tab", name="Conditions", exact=True).click()
    for way in ("Runs", "Review", "Report"):
        box = visitor.page.get_by_role("link", name=f"{way} of constrained").bounding_box()
        assert box["x"] + box["width"] <= PHONE["width"]
    visitor.assert_sound()
