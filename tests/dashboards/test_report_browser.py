from contextlib import nullcontext

import pytest

from dashboards.report import write_report
from studies.definition.study_file import parse_study
from studies.execution.evaluation import evaluate_task
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS, SHAPES, Visit, faults_of_access

pytestmark = pytest.mark.browser

ROBOTS = """
name = "robots"
model = "hybrid-cable-robot"
seeds = [1, 2]
[parameters]
wrench_set = "gravity"
orientations = "nominal"
cells = 6
[layouts.constrained]
preset = "constrained"
[layouts.constrained.variables]
beta1 = { lower = "0 deg", upper = "90 deg" }
beta2 = { lower = "0 deg", upper = "90 deg" }
[layouts.suspended]
preset = "suspended"
[layouts.suspended.variables]
beta1 = { lower = "0 deg", upper = "360 deg" }
beta2 = { lower = "0 deg", upper = "360 deg" }
[objectives]
workspace_volume = "maximize"
F2 = "minimize"
F3 = "minimize"
[search]
population = 8
generations = 3
"""

HIDDEN_POINTS = """() => [...document.querySelectorAll('.plot')].map(plot => ({
  figure: plot.dataset.figure,
  points: plot.data.map(trace => (trace.x ?? trace.dimensions?.[0].values ?? []).length),
}))"""


FILL = "text => getComputedStyle(text).fill"


class Here:
    """Evaluates in this process."""

    workers = 1

    def evaluate(self, tasks, sink, should_stop, limits, **said):
        sink([evaluate_task(task, "here") for task in tasks])


def written(text, folder):
    """The report of a study that is run for it."""
    with Store(str(folder / "tautline.db")) as store:
        study = run_study(store, parse_study(text), lambda: nullcontext(Here()))
        return write_report(store, study.name, folder / "report.html")


@pytest.fixture(scope="module")
def robots(tmp_path_factory):
    """The report of a small study of cable robots, written once for all tests here."""
    return written(ROBOTS, tmp_path_factory.mktemp("robots"))


@pytest.fixture(scope="module")
def seen_robots(context, robots):
    """The report with all figures drawn: for tests that change nothing in it."""
    seen = Visit(context, robots)
    seen.draw_everything()
    return seen


@pytest.fixture(scope="module")
def halves_report(tmp_path_factory):
    return written(LAYOUTS, tmp_path_factory.mktemp("halves"))


def test_all_figures_are_drawn_and_nothing_leaves_the_file(seen_robots):
    seen = seen_robots
    drawn = seen.page.evaluate(HIDDEN_POINTS)
    assert [item["figure"] for item in drawn][:4] == ["front-0", "front-1", "front-2", "front-3"]
    assert all(sum(item["points"]) > 0 for item in drawn)
    assert seen.page.locator(".modebar-btn").count() > 0
    buttons = seen.page.locator(".modebar-btn").evaluate_all(
        "all => all.map(b => b.dataset.title ?? b.title)"
    )
    assert not [title for title in buttons if "share" in title.lower() or "cloud" in title.lower()]
    assert seen.foreign == []
    assert seen.complaints == []


def test_nothing_in_the_file_is_inaccessible(seen_robots):
    assert faults_of_access(seen_robots.page) == []


def test_a_report_is_short_until_it_is_unfolded_and_whole_on_paper(robots, visit):
    seen = visit(robots, viewport={"width": 1440, "height": 900})
    assert seen.page.evaluate("document.documentElement.scrollHeight") < 7000
    assert seen.page.locator("details[open]").count() == 0
    seen.page.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("details:not([open])").count() == 0
    assert seen.page.evaluate("document.documentElement.scrollHeight") > 14000


TICKS = """() => [...document.querySelectorAll('td.best')].map(cell => [
  new Set([...cell.querySelector('.value').getClientRects()].map(part => part.top)).size,
  getComputedStyle(cell.querySelector('.value'), '::after').content,
  getComputedStyle(cell, '::after').content,
])"""


def test_a_tick_stands_on_the_line_of_its_number(seen_robots):
    ticks = seen_robots.page.evaluate(TICKS)
    assert len(ticks) >= 3
    for lines, after_number, after_cell in ticks:
        assert (lines, after_number, after_cell) == (1, '"" / "best"', "none")


def test_hostile_text_runs_nothing(visit, tmp_path):
    seen = visit(written(SHAPES, tmp_path))
    seen.draw_everything()
    assert seen.page.evaluate("window.hostile") is None
    assert seen.page.locator("img").count() == 0
    assert "onerror='window.hostile = 1'" in seen.page.inner_text("header")
    assert seen.foreign == []
    assert seen.complaints == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_figures_take_the_colours_of_the_page(halves_report, visit, scheme):
    seen = visit(halves_report, color_scheme=scheme)
    seen.draw_everything()
    ink = seen.page.evaluate("getComputedStyle(document.body).color")
    text = seen.page.locator(".plot .axis-title").first
    assert text.evaluate(FILL) == ink
    canvas = seen.page.locator(".plot canvas").first
    painted = canvas.evaluate("canvas => canvas.toDataURL()")
    seen.page.click("#theme")
    seen.page.wait_for_function(f"([text, ink]) => ({FILL})(text) !== ink", arg=[text.element_handle(), ink])
    assert canvas.evaluate("canvas => canvas.toDataURL()") != painted
    turned = seen.page.evaluate("getComputedStyle(document.body).color")
    assert turned != ink
    assert seen.complaints == []


def test_a_phone_sees_the_page_without_scrolling_sideways(robots, visit):
    seen = visit(robots, viewport={"width": 360, "height": 740})
    seen.draw_everything(".plot:not([data-figure^='view-1'])")  # which is of the other view's kind
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_designs_and_viewpoints_are_chosen_with_the_keyboard(seen_robots):
    seen = seen_robots
    view = seen.page.locator(".view").first
    button = view.locator(".choice button").last
    button.focus()
    seen.page.keyboard.press("Enter")
    wanted = button.get_attribute("data-figure")
    seen.page.wait_for_function(
        "id => document.querySelector('.view .plot').dataset.drawn === id", arg=wanted
    )
    assert button.get_attribute("aria-pressed") == "true"
    assert view.locator(f"[data-caption='{wanted}']").is_visible()
    seen.page.locator("[data-eye='0 0 1']").press("Enter")
    seen.page.wait_for_function(
        "() => [...document.querySelectorAll('.view .plot')].every(p => p.layout.scene.camera.eye.x === p.layout.scene.camera.center.x)"
    )
    assert seen.complaints == []


def test_without_plots_the_page_still_works(visit, tmp_path):
    seen = visit(written(LAYOUTS.replace("c1 = { lower = 0 }", "c1 = { lower = 1000 }"), tmp_path))
    with seen.page.expect_download() as download:
        seen.page.click("#save-study")
    assert download.value.suggested_filename == "halves.toml"
    assert seen.complaints == []


RODS = """
name = "rods"
model = "continuum-statics"
seeds = [1]
[parameters]
tip_mass = "55 g"
planar = true
density = "7850 kg/m^3"
[variables]
backbone_diameter = { lower = "1.48 mm", upper = "1.52 mm" }
[objectives]
tip_y = "maximize"
mass = "minimize"
[search]
algorithm = "lhs"
evaluations = 2
"""

MOMENT = """([figure, least]) => {
  const plot = document.querySelector(`.plot[data-figure='${figure}']`);
  return Number(plot.dataset.moment ?? -1) >= least;
}"""

# In the middle of what it shows it is paused: what the button says before and after. Both within one call, as it
# goes on while others take their time.
PAUSED = """([slider, button]) => {
  if (Number(slider.value) < 2 || slider.value === slider.max) return null;
  const before = button.textContent;
  button.click();
  return [before, button.textContent];
}"""
ENDED = "([slider, button]) => slider.value === slider.max && button.textContent === 'Play'"


@pytest.fixture(scope="module")
def rods(tmp_path_factory):
    """The report of a small study of continuum robots that snap through."""
    return written(RODS, tmp_path_factory.mktemp("rods"))


def player_of(seen):
    """The figure of the first design that moves: its name, button, slider and label."""
    figure = seen.page.locator("figure.motion").first
    for fold in figure.locator("xpath=ancestor::details[not(@open)]").all():
        fold.locator("summary").first.click()
    figure.scroll_into_view_if_needed()
    name = figure.locator(".plot").get_attribute("data-figure")
    seen.page.wait_for_function(MOMENT, arg=[name, 0])
    parts = (figure.locator(f".player {tag}") for tag in ("button", "input", "output"))
    return name, *parts


def test_the_continuum_robot_moves_at_the_press_of_a_key_and_not_by_itself(rods, visit):
    seen = visit(rods)
    name, button, slider, label = player_of(seen)
    tip = "name => document.querySelector(`.plot[data-figure='${name}']`).data[0].z.at(-2)"
    before = seen.page.evaluate(tip, name)
    assert (slider.input_value(), label.inner_text()) == ("0", "0 N")
    slider.press("ArrowRight")
    slider.press("End")
    seen.page.wait_for_function(MOMENT, arg=[name, int(slider.get_attribute("max"))])
    assert label.inner_text() == slider.get_attribute("aria-valuetext") == "20 N"
    assert seen.page.evaluate(tip, name) != before
    button.press("Enter")  # from the end it starts again
    player = [part.element_handle() for part in (slider, button)]
    told = seen.page.wait_for_function(PAUSED, arg=player).json_value()
    assert told == ["Pause", "Play"]
    slider.fill(str(int(slider.get_attribute("max")) - 3))  # each moment takes a while to draw
    button.press("Space")  # it goes on from there, and stops at the end
    seen.page.wait_for_function(ENDED, arg=player)
    assert seen.complaints == []
    assert seen.foreign == []


def test_a_moment_outlasts_a_change_of_colours(rods, visit):
    seen = visit(rods)
    name, _, slider, label = player_of(seen)
    slider.press("End")
    seen.page.wait_for_function(MOMENT, arg=[name, 1])
    tip = "name => document.querySelector(`.plot[data-figure='${name}']`).data[0].z.at(-2)"
    there = seen.page.evaluate(tip, name)
    seen.page.click("#theme")
    seen.page.wait_for_function(
        "([name, there]) => document.querySelector(`.plot[data-figure='${name}']`).data[0].z.at(-2) === there",
        arg=[name, there],
    )
    assert label.inner_text() == "20 N"
    assert seen.complaints == []


ONE_DESIGN = ".plot:not([data-figure^='design-0-1-'])"
"""All figures but those of the second design, which are of the first one's kinds."""


def test_all_figures_of_a_continuum_robot_fit_a_phone(rods, visit):
    seen = visit(rods, viewport={"width": 360, "height": 740})
    seen.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    seen.draw_everything(ONE_DESIGN)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    drawn = seen.page.locator(".plot[data-drawn]").evaluate_all("all => all.map(p => p.dataset.figure)")
    assert {"design-0-0-0", "design-0-0-1", "design-0-0-2"} <= set(drawn)
    assert {figure.split("-")[0] for figure in drawn} >= {"design", "designs", "front", "view"}
    assert seen.complaints == []
