"""The form that makes a study, and the study file beside it."""

import json
import re
import tomllib

import pytest
from playwright.sync_api import expect

from models import load
from service.examples import examples
from studies.definition.study_file import define, parse_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import PHONE, Held, offline

pytestmark = pytest.mark.browser
DEMO_TEXT = examples()[0].toml
DEMO = parse_study(DEMO_TEXT)


def field(visitor, pointer):
    """The control of a place in the study, in a step that is open."""
    place = visitor.page.locator(f'[data-pointer="{pointer}"]')
    place.first.evaluate(
        "place => { for (let part = place; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true; }"
    )
    return place.locator("input:not([type=range]), select, textarea").first


def step(visitor, name):
    """A step of the form, opened."""
    found = visitor.page.locator(f"[data-step={name}]")
    found.evaluate("step => { step.open = true; }")
    return found


def write_file(visitor, text):
    visitor.page.locator("details.file").evaluate("fold => { fold.open = true; }")
    visitor.page.locator("#file").fill(text)


def new_study(visitor, model):
    """Begin with nothing but a back-end; test problems are folded away."""
    visitor.page.evaluate(
        "document.querySelectorAll('.beginnings > details').forEach(fold => fold.open = true)"
    )
    visitor.page.locator(f".card[data-model={model}] button").click()


def pick(visitor, label, name):
    """Choose what a search field finds."""
    visitor.page.get_by_label(label, exact=True).fill(name)
    visitor.page.locator(f"[data-pick='{name}']:visible").click()


def goal(visitor, name):
    step(visitor, "goals")
    return visitor.page.locator(f"[data-goal='{name}']")


def sound(visitor):
    visitor.page.locator(".verdict .good").wait_for()


def mended(visitor, count):
    """Wait until so many faults are told; what the summary says."""
    visitor.page.wait_for_function(
        "n => document.querySelectorAll('.verdict .faults li').length === n", arg=count
    )
    return visitor.page.locator(".verdict .faults").inner_text() if count else ""


def file_of(visitor):
    return visitor.page.locator("#file").input_value()


def wait_for_file(visitor, text):
    visitor.page.wait_for_function("t => document.getElementById('file').value.includes(t)", arg=text)


def begin(visitor, example="robocab"):
    visitor.page.locator(f"[data-example={example}]").click()
    sound(visitor)
    visitor.page.locator(".chosen").wait_for()
    return visitor


NEW_HALVES = LAYOUTS.replace('"halves"', '"new-halves"')  # no study of that name is stored


def begin_with(visitor, text=NEW_HALVES):
    """With a study file; that of a test problem is checked at once, and no robot is drawn."""
    new_study(visitor, parse_study(text).model)
    wait_for_file(visitor, "seeds = [1]")
    write_file(visitor, text)
    sound(visitor)
    return visitor


def fold(visitor, title):
    visitor.page.locator("summary", has_text=title).click()


def stored(folder, name):
    with Store(str(folder / "tautline.db")) as store:
        study = store.study(name)
        return define(dict(study.definition)), {run.state for run in study.runs}


def test_it_begins_with_back_ends_their_pictures_and_examples(visit):
    visitor = visit("/new", viewport=PHONE, color_scheme="dark")
    told = visitor.page.evaluate("fetch('/api/v1/models').then(answer => answer.json())")["items"]
    told.sort(key=lambda model: model["test_problem"])
    cards = visitor.page.locator(".card")
    assert [cards.nth(n).get_attribute("data-model") for n in range(len(told))] == [m["model"] for m in told]
    assert all(
        model["summary"].replace("^", "") in cards.nth(n).text_content() for n, model in enumerate(told)
    )
    drawn = "() => [...document.images].every(picture => picture.complete && picture.naturalWidth > 0)"
    visitor.page.wait_for_function(drawn)
    own = [cards.nth(n).locator("img").get_attribute("src").rsplit("/", 1)[1] for n in range(5)]
    assert own == [
        f"{name}.svg"
        for name in (
            "hybrid-cable-robot",
            "continuum-statics",
            "continuum-kinematics",
            "continuum-dynamics",
            "flexible-arm",
        )
    ]
    assert visitor.page.locator("[data-example]").count() == len(examples())
    for each in examples():
        example = visitor.page.locator(f"[data-example={each.example}]")
        assert example.locator("img").get_attribute("src").endswith(f"/pictures/examples/{each.example}.svg")
        assert f"{each.time.capitalize()} on two cores" in example.inner_text()
    problems = visitor.page.locator("summary", has_text="test problems")
    assert not visitor.page.locator(".card[data-model=bnh]").is_visible()
    visitor.assert_sound()
    problems.click()
    assert visitor.page.locator(".card[data-model=bnh]").is_visible()
    visitor.assert_accessible()


def test_the_robocab_study_is_changed_in_the_form_and_launched(visit, folder):
    visitor = visit("/new")
    visitor.page.route("**/api/v1/models/*/evaluate", lambda _: None)  # nothing is measured
    begin(visitor)
    field(visitor, "/name").fill("pulleys")
    field(visitor, "/seeds").fill("3, 4")
    field(visitor, "/search/population").fill("8")
    field(visitor, "/layouts/suspended/variables/beta1/upper").fill("180")
    wait_for_file(visitor, 'beta1 = { lower = "0 deg", upper = "180 deg" }')
    sound(visitor)
    assert visitor.page.locator(".facts").inner_text().split("\n")[:4] == [
        "Time",
        "not measured yet",
        "Runs",
        "4 (2 layouts, 2 seeds)",
    ]
    with visitor.page.expect_request(re.compile(r"/api/v1/studies\?launch=true$")) as sent:
        field(visitor, "/name").press("Control+Enter")
    visitor.page.wait_for_url("**/studies/pulleys")
    assert sent.value.headers["idempotency-key"]
    study, states = stored(folder, "pulleys")
    assert states == {"queued"}
    beta1 = study.layouts["suspended"].variables["beta1"]
    assert (study.seeds, study.search.population, beta1.upper) == ([3, 4], 8, "180 deg")
    assert (study.objectives, study.parameters) == (DEMO.objectives, DEMO.parameters)
    assert visitor.page.evaluate("Object.keys(sessionStorage).filter(key => key === 'tautline-draft')") == []


def test_a_study_is_made_from_nothing_by_the_keyboard_alone(visit, folder):
    visitor = visit("/new")
    keys = visitor.page.keyboard
    visitor.page.locator("summary", has_text="test problems").focus()
    keys.press("Enter")
    visitor.page.get_by_role("button", name="New study: Test problem BNH: two constraints").focus()
    keys.press("Enter")
    assert "objectives" in mended(visitor, 1)
    assert visitor.page.locator(".verdict .bad, [aria-invalid]").count() == 0, "nothing was touched"
    field(visitor, "/name").focus()
    keys.press("Control+a")
    keys.type("by-keys")
    summary = visitor.page.locator("[data-step=vary] > summary")
    summary.focus()
    keys.press("Enter")
    for name in ("x1", "x2"):
        visitor.page.get_by_label("Let another parameter vary", exact=True).focus()
        keys.type(name)
        keys.press("Enter")
        visitor.page.wait_for_function(
            "p => document.activeElement.closest(p)", arg=f'[data-pointer="/variables/{name}/lower"]'
        )
    visitor.page.locator("[data-step=goals] > summary").focus()
    keys.press("Enter")
    assert not visitor.page.locator("[data-step=vary]").evaluate("step => step.open"), "one step is open"
    for name in ("f1", "f2"):
        visitor.page.get_by_role("button", name=f"{name.upper()}: less is better").focus()
        keys.press("Space")
    field(visitor, "/constraints/c1/lower").focus()
    keys.type("0")
    sound(visitor)
    visitor.page.get_by_role("button", name="Save as draft").focus()
    keys.press("Enter")
    visitor.page.wait_for_url("**/studies/by-keys")
    study, states = stored(folder, "by-keys")
    assert states == {"draft"}
    assert (set(study.variables), list(study.objectives)) == ({"x1", "x2"}, ["f1", "f2"])
    assert study.constraints["c1"].lower == 0
    assert (study.search.algorithm, study.search.population, study.search.generations) == ("nsga2", 40, 25)


def test_the_form_follows_the_file_and_stays_when_the_file_is_broken(visit):
    visitor = begin_with(visit("/new"))
    text = file_of(visitor)
    edited = text.replace("population = 12", "population = 24 # fewer")
    write_file(visitor, edited)
    visitor.page.wait_for_function(
        "() => document.querySelector('[data-pointer=\"/search/population\"] input').value === '24'"
    )
    assert file_of(visitor) == edited, "the file that somebody writes stays theirs"
    write_file(visitor, edited.replace("population = 24", "population = = 24"))
    line = edited[: edited.index("population = 24")].count("\n") + 1
    assert f"Line {line}" in mended(visitor, 1)
    assert field(visitor, "/search/population").input_value() == "24"
    assert visitor.page.locator(".lines .bad").inner_text() == f"! {line}"
    assert "as it was before" in visitor.page.locator(".verdict .notice").inner_text()
    visitor.page.locator("#file-faults a").click()
    picked = "(f => f.value.slice(f.selectionStart, f.selectionEnd))(document.getElementById('file'))"
    assert visitor.page.evaluate(picked).startswith("population = = 24")
    write_file(visitor, edited.replace("popul", "popl"))
    assert "did you mean 'population'" in mended(visitor, 1)
    visitor.assert_sound()
    write_file(visitor, edited)
    sound(visitor)
    field(visitor, "/search/population").fill("32")
    wait_for_file(visitor, "population = 32 # fewer\n")
    assert tomllib.loads(file_of(visitor))["search"]["population"] == 32
    visitor.page.get_by_role("button", name="Undo").click()
    sound(visitor)
    assert file_of(visitor) == edited


def test_faults_stand_at_their_fields_and_the_summary_leads_there(visit):
    visitor = begin(visit("/new"))
    field(visitor, "/layouts/suspended/variables/beta2/lower").fill("400")
    step(visitor, "robot")
    pick(visitor, "Change another value", "f_min")
    field(visitor, "/parameters/f_min").fill("3 kg")
    told = mended(visitor, 2)
    assert "parameters \u203a f min" in told
    assert "beta2" in told, "all faults stand there at once"
    assert field(visitor, "/parameters/f_min").get_attribute("aria-invalid") == "true"
    assert step(visitor, "goals").locator("summary > .bad").is_hidden()
    assert visitor.page.locator("[data-step=vary] > summary > .bad").inner_text() == "1 fault"
    visitor.page.locator(".verdict .faults a", has_text="f min").click()
    described = "document.activeElement.closest('.field').querySelector('.field-fault').textContent"
    assert "kg" in visitor.page.evaluate(described)
    visitor.assert_accessible(".verdict, .field:has([aria-invalid=true])")
    field(visitor, "/parameters/f_min").fill("")
    assert "beta2" in mended(visitor, 1)
    visitor.page.get_by_role("button", name="Launch", exact=True).click()
    visitor.page.wait_for_function("() => document.activeElement.value === '400'")  # the lower bound
    visitor.page.locator(".verdict .faults a").click()
    assert visitor.page.evaluate("document.activeElement.value") == "400"
    assert not any("launch=true" in url for url in visitor.requests)

    field(visitor, "/layouts/suspended/variables/beta2/lower").fill("0")
    sound(visitor)
    for end, value in (("lower", "80"), ("upper", "20")):
        field(visitor, f"/layouts/constrained/variables/beta1/{end}").fill(value)
    mended(visitor, 1)
    place = visitor.page.locator('[data-pointer="/layouts/constrained/variables/beta1/lower"]')
    assert (
        "80 deg must be below upper (20 deg); were the two swapped?"
        in place.locator(".field-fault").inner_text().lower()
    ), "angles are answered as they were typed, at the lower bound"
    assert place.locator("input").get_attribute("aria-invalid") == "true"


def test_a_parameter_is_found_reads_in_its_unit_and_is_written_only_when_it_differs(visit):
    visitor = begin(visit("/new"))
    step(visitor, "robot")
    visitor.page.get_by_label("Change another value", exact=True).fill("axes of the platform")
    pick(visitor, "Change another value", "frame_radius")
    radius = field(visitor, "/parameters/frame_radius")
    assert radius.get_attribute("placeholder") == "0.70711"
    radius.fill("80 cm")
    wait_for_file(visitor, 'frame_radius = "80 cm"')
    pick(visitor, "Change another value", "upper_height")
    height = field(visitor, "/parameters/upper_height")
    height.fill("0.6")
    wait_for_file(visitor, "upper_height = 0.6")
    height.fill("0.5")
    visitor.page.wait_for_function("() => !document.getElementById('file').value.includes('upper_height')")
    pick(visitor, "Change another value", "rotation_limit")
    limit = field(visitor, "/parameters/rotation_limit")
    assert limit.get_attribute("placeholder") == "10"
    limit.fill("15")
    wait_for_file(visitor, 'rotation_limit = "15 deg"')
    sound(visitor)
    visitor.page.get_by_role("button", name="Vary Rotation limit").click()
    wait_for_file(visitor, "rotation_limit = { lower")
    assert "rotation_limit" not in tomllib.loads(file_of(visitor))["parameters"]


def test_every_parameter_and_every_quantity_is_in_view_or_found(visit):
    visitor = visit("/new")
    for model in ("hybrid-cable-robot", "continuum-statics", "continuum-kinematics", "flexible-arm"):
        new_study(visitor, model)
        visitor.page.locator(f".chosen[data-model={model}]").wait_for()
        for name, label, shown, all_of in (
            ("robot", "Change another value", "path", set(load(model).parameters.model_fields)),
            ("goals", "Another quantity", "goal", {metric.name for metric in load(model).metrics}),
        ):
            part = step(visitor, name)
            part.get_by_role("button", name=f"List all: {label}").click()
            names = part.evaluate(
                "(part, key) => ['pick', key].flatMap((one) =>"
                " [...part.querySelectorAll(`[data-${one}]`)].map((found) => found.dataset[one]))",
                shown,
            )
            assert sorted(names) == sorted(all_of), model
        visitor.page.get_by_role("button", name="Start over").click()


def test_a_spreadsheet_is_pasted_into_points_and_no_value_stands_there_as_json(visit):
    visitor = begin(visit("/new", robots=False), "cogiro")
    step(visitor, "robot")
    points = visitor.page.locator('[data-pointer="/parameters/pulleys"]')
    assert points.locator("tbody tr").count() == 8
    second = points.get_by_label("Pulleys, Cable 2, y [m]")
    second.evaluate(
        "(cell, text) => { const clipboardData = new DataTransfer(); clipboardData.setData('text', text);"
        " cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })); }",
        "1,5\t2,5\n3\t-4\r\n",
    )
    visitor.page.wait_for_function("() => /1\\.5,\\s*2\\.5/.test(document.getElementById('file').value)")
    rows = tomllib.loads(file_of(visitor))["parameters"]["pulleys"]
    assert rows[1] == [-7.4594, 1.5, 2.5]
    assert rows[2] == [-7.3911, 3, -4]
    assert len(rows) == 8
    for name in ("robot", "goals", "vary", "search"):
        texts = (
            step(visitor, name).locator("input, textarea").evaluate_all("all => all.map((one) => one.value)")
        )
        assert not any(text.lstrip().startswith(("[", "{")) for text in texts)


PASTE = """(cell, text) => { const clipboardData = new DataTransfer(); clipboardData.setData('text', text);
  cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })); }"""
"""Cells of a spreadsheet are pasted, from a cell on."""


def table(visitor, pointer):
    """A parameter's table, with the titles of its columns."""
    found = visitor.page.locator(f'[data-pointer="/parameters/{pointer}"].grid')
    found.wait_for()
    return found, [title for title in found.locator("thead th").all_text_contents()[1:] if title != "Actions"]


def begin_robot(visitor, model, *names):
    """A new study of a back-end whose form shows these parameters."""
    new_study(visitor, model)
    visitor.page.locator(f".chosen[data-model={model}]").wait_for()
    for name in names:
        if not visitor.page.locator(f'[data-pointer="/parameters/{name}"]').count():
            pick(visitor, "Change another value", name)
    return visitor


def parameters_of(visitor, text):
    wait_for_file(visitor, text)
    return tomllib.loads(file_of(visitor))["parameters"]


def test_bodies_wrenches_and_paths_are_tables_with_names_and_units(visit):
    visitor = begin_robot(
        visit("/new", robots=False), "hybrid-cable-robot", "arm_links", "trajectory", "wrench_set"
    )
    bodies, titles = table(visitor, "arm_links")
    assert titles[:2] + titles[4:6] == [
        "mass [kg]",
        "centre of mass x [m]",
        "inertia xx [kg\u00b7m\u00b2]",
        "inertia yy [kg\u00b7m\u00b2]",
    ]
    bodies.get_by_label("Arm links, Arm link 2, centre of mass z [m]").fill("5 mm")
    links = parameters_of(visitor, '"5 mm"')["arm_links"]
    was = load("hybrid-cable-robot").parameters().model_dump(mode="json")["arm_links"]
    assert links[1]["centre_of_mass"] == [*was[1]["centre_of_mass"][:2], "5 mm"]
    assert [links[0], *links[2:]] == [was[0], *was[2:]], "what nobody touched keeps all its digits"

    for name in ("wrench_set", "trajectory"):
        field(visitor, f"/parameters/{name}").select_option(label="a value of its own")
        table(visitor, name)
    wrenches, titles = table(visitor, "wrench_set")
    assert titles[0::5] == ["force x [N]", "moment z [N m]"]
    wrenches.get_by_label("Wrench set, Center, force x [N]").evaluate(PASTE, "1\t2\n3\t4")
    found = parameters_of(visitor, "half_range = [3")["wrench_set"]
    assert (found["center"], found["half_range"]) == ([1, 2, 0, 0, 0, 0], [3, 4, 0, 0, 0, 0])

    path, titles = table(visitor, "trajectory")
    assert titles == [
        "time [s]",
        "platform position x [m]",
        "platform position y [m]",
        "platform position z [m]",
    ]
    path.get_by_label("Trajectory, Waypoint 1, time [s]").evaluate(PASTE, "0\t0\n2\t0,1\n4\t0,2")
    visitor.page.get_by_role("button", name="Add joints to Trajectory").click()
    found = parameters_of(visitor, "joints")["trajectory"]
    assert found["times"] == [0, 2, 4]
    assert found["platform_positions"] == [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]
    assert found["joints"] == [[0] * 6] * 3
    field(visitor, "/parameters/trajectory").select_option(label="four seconds, rest to rest")
    visitor.page.wait_for_function("() => !document.getElementById('file').value.includes('waypoint')")
    visitor.assert_accessible("[data-step=robot]")


def test_values_of_joints_follow_the_arm_that_is_chosen(visit):
    visitor = begin(visit("/new", robots=False), "scara-on-cables")
    limits, titles = table(visitor, "arm_joint_limits")
    assert titles == ["arm joint 1 [\u00b0]", "arm joint 2 [\u00b0]", "arm joint 3 [m]"]
    limits.get_by_label("Arm joint limits, Greatest angle of arm joint, arm joint 3 [m]").fill("0.15")
    assert parameters_of(visitor, "0.15]")["arm_joint_limits"][1] == [2.6, 2.4, 0.15]

    pick(visitor, "Change another value", "trajectory")
    field(visitor, "/parameters/trajectory").select_option(label="a value of its own")
    visitor.page.get_by_role("button", name="Add joints to Trajectory").click()
    assert parameters_of(visitor, "joints = [[")["trajectory"]["joints"] == [[0] * 3] * 2
    visitor.page.get_by_label("Trajectory, Waypoint 1, arm joint 3 [m]").wait_for()
    _, titles = table(visitor, "trajectory")
    assert titles[-3:] == ["arm joint 1 [\u00b0]", "arm joint 2 [\u00b0]", "arm joint 3 [m]"]

    joints, titles = table(visitor, "arm_joints")
    assert titles[0] == "kind"
    assert joints.get_by_role("combobox").last.locator("option").all_inner_texts() == [
        "revolute",
        "prismatic",
    ]
    joints.get_by_role("button", name="Add row").click()
    added = visitor.page.get_by_label("Arm joints, Arm joint 4, kind")
    added.select_option("prismatic")
    visitor.page.get_by_label("Trajectory, Waypoint 1, arm joint 4 [m]").wait_for()
    expect(added, "the focus stays where it was").to_be_focused()
    assert parameters_of(visitor, '{ kind = "prismatic" }')["arm_joints"][3] == {"kind": "prismatic"}
    pick(visitor, "Change another value", "arm_posture")
    visitor.page.get_by_label("Arm posture, arm joint 4 [m]").wait_for()
    _, titles = table(visitor, "arm_posture")
    assert titles[-2:] == ["arm joint 3 [m]", "arm joint 4 [m]"]
    joints.get_by_role("button", name="Remove Arm joints, Arm joint 4").click()
    visitor.page.get_by_label("Trajectory, Waypoint 1, arm joint 4 [m]").wait_for(state="detached")
    sound(visitor)
    visitor.assert_accessible("[data-step=robot]")


def test_a_list_in_a_row_of_a_table_is_a_table_of_its_own(visit):
    visitor = begin_robot(visit("/new", robots=False), "continuum-dynamics", "drives", "hole_azimuths")
    drives, titles = table(visitor, "drives")
    assert titles == ["state", "pull [mm]", "start [s]", "end [s]"]
    drives.get_by_label("Drives, Cable 2, state").select_option("locked")
    visitor.page.locator("summary", has_text="Cable 1, table (empty)").click()
    rows, titles = table(visitor, "drives/0/table")
    assert titles == ["time [s]", "length [m]"]
    rows.get_by_role("button", name="Add row").click()
    rows.get_by_label("Drives, Cable 1, table, Row 1, time [s]").evaluate(PASTE, "0\t0\n1\t0,02")
    found = parameters_of(visitor, "0.02 }]")["drives"]
    assert found[0]["table"] == [{"time": 0, "length": 0}, {"time": 1, "length": 0.02}]
    assert (found[1]["state"], found[0]["pull"]) == ("locked", 0.02494)
    drives.get_by_role("button", name="Remove Drives, Cable 2").click()
    visitor.page.wait_for_function("() => !document.getElementById('file').value.includes('locked')")
    found = tomllib.loads(file_of(visitor))["parameters"]["drives"]
    assert [each["state"] for each in found] == ["driven", "slack"]
    assert len(found[0]["table"]) == 2, "a list stays with its row"
    azimuths, _ = table(visitor, "hole_azimuths")
    azimuths.get_by_role("button", name="Add row").click()
    azimuths.locator("input").first.fill("90 deg")
    assert parameters_of(visitor, '"90 deg"')["hole_azimuths"] == ["90 deg"]


def test_a_range_is_dragged_and_stops_at_its_other_end(visit):
    visitor = begin(visit("/new", robots=False))
    part = step(visitor, "vary")
    upper = part.get_by_label("Beta1: upper handle").first
    upper.focus()
    visitor.page.keyboard.press("ArrowRight")
    wait_for_file(visitor, 'beta1 = { lower = "0 deg", upper = "91 deg" }')
    assert field(visitor, "/layouts/constrained/variables/beta1/upper").input_value() == "91"
    lower = part.get_by_label("Beta1: lower handle").first
    lower.evaluate(
        "handle => { handle.value = handle.max; handle.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    wait_for_file(visitor, 'lower = "91 deg", upper = "91 deg"')
    heads = part.locator(".varying > .box > table > thead th").all_inner_texts()
    assert len(heads) == 1 + len(DEMO.layouts), "layouts are columns of one table"


def test_a_range_becomes_steps_and_decades(visit):
    visitor = begin(visit("/new", robots=False))
    part = step(visitor, "vary")
    part.get_by_text("More", exact=True).first.click()
    kind = field(visitor, "/layouts/constrained/variables/beta1/type")
    kind.select_option("in steps")
    wait_for_file(visitor, 'beta1 = { lower = "0 deg", upper = "90 deg", step = "9 deg" }')
    field(visitor, "/layouts/constrained/variables/beta1/step").fill("20")
    assert "does not reach upper; that would be" in mended(visitor, 1)
    field(visitor, "/layouts/constrained/variables/beta1/step").fill("15")
    sound(visitor)
    field(visitor, "/layouts/constrained/variables/beta1/type").select_option("range over decades")
    assert "must be above 0 on a logarithmic scale" in mended(visitor, 1)
    field(visitor, "/layouts/constrained/variables/beta1/lower").fill("1")
    sound(visitor)
    assert 'lower = "1 deg", upper = "90 deg", scale = "log"' in file_of(visitor)


def test_a_variable_gets_a_condition_which_another_kind_keeps(visit):
    visitor = begin(visit("/new", robots=False))
    part = step(visitor, "vary")
    part.get_by_text("More", exact=True).first.click()
    field(visitor, "/layouts/constrained/variables/beta1/type").select_option("in steps")
    field(visitor, "/layouts/constrained/variables/beta1/when").fill("beta2 = 1, 2")
    wait_for_file(visitor, 'step = "9 deg", when = { beta2 = [1, 2] } }')
    assert "a condition needs options, whole numbers or steps" in mended(visitor, 1)
    field(visitor, "/layouts/constrained/variables/beta1/type").select_option("range")
    wait_for_file(visitor, 'upper = "90 deg", when = { beta2 = [1, 2] } }')


def test_rungs_of_a_ladder_are_stated_and_checked(visit):
    visitor = begin(visit("/new", robots=False))
    step(visitor, "search")
    kind = visitor.page.get_by_label("Fidelities")
    field(visitor, "/search/algorithm")
    kind.select_option("those of the back-end first")
    wait_for_file(visitor, "ladder = true")
    sound(visitor)
    kind.select_option("those that I state first")
    rungs = field(visitor, "/search/ladder")
    rungs.fill("cels = 5\ncells = 10")
    assert "cels" in mended(visitor, 1)
    visitor.page.locator('[data-pointer="/search/ladder"] .field-fault', has_text="cels").wait_for()
    assert rungs.get_attribute("aria-invalid") == "true"
    visitor.assert_accessible("[data-step=search]")
    rungs.fill("cells = 5\n\ncells = 10 ")
    sound(visitor)
    assert define(tomllib.loads(file_of(visitor))).search.ladder == [{"cells": 5}, {"cells": 10}]
    kind.select_option("every design in full")
    sound(visitor)
    assert "ladder" not in file_of(visitor)
    write_file(visitor, file_of(visitor).replace("[search]", "[search]\nladder = [{ cells = 5 }]"))
    visitor.page.wait_for_function(
        "() => document.querySelector('[data-pointer=\"/search/ladder\"] textarea')?.value === 'cells = 5'"
    )


def test_equal_parts_are_stated_and_checked(visit):
    visitor = begin(visit("/new", robots=False))
    part = step(visitor, "vary")
    part.get_by_text("Equal parts that may change places").click()
    groups = field(visitor, "/interchangeable")
    groups.fill("beta1; gamma")
    assert "gamma" in mended(visitor, 1)
    place = '[data-pointer="/interchangeable"] .field-fault'
    visitor.page.locator(place, has_text="gamma").wait_for()
    visitor.assert_accessible("[data-step=vary] .field:has([aria-invalid=true])")
    groups.fill("beta1; beta2\n")
    sound(visitor)
    assert define(tomllib.loads(file_of(visitor))).interchangeable == [["beta1", "beta2"]]
    groups.fill("beta1, gamma; beta2, delta")
    wait_for_file(visitor, 'interchangeable = [[["beta1", "gamma"], ["beta2", "delta"]]]')
    groups.fill("")
    sound(visitor)
    assert "interchangeable" not in file_of(visitor)


def test_layouts_stand_below_each_other_on_a_phone(visit):
    visitor = begin(visit("/new", robots=False, viewport=PHONE))
    box = step(visitor, "vary").locator(".varying > .box")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    heads = box.locator("tr[data-path=beta1] td").evaluate_all(
        "cells => cells.map(cell => cell.dataset.head)"
    )
    assert heads == list(DEMO.layouts)
    visitor.assert_accessible("[data-step=vary]")


LEAST_CLICKS = 8
ROBOTS = (
    "hybrid-cable-robot", "continuum-statics", "continuum-kinematics", "continuum-dynamics", "flexible-arm"
)  # fmt: skip


@pytest.mark.parametrize("model", ROBOTS)
def test_a_study_of_each_robot_is_launched_by_few_clicks(visit, folder, model):
    visitor = visit("/new", robots=False)
    clicks = 0

    def press(button):
        nonlocal clicks
        button.click()
        clicks += 1

    def button(name):
        return visitor.page.get_by_role("button", name=re.compile(name)).and_(
            visitor.page.locator(":visible")
        )

    press(visitor.page.locator(f".card[data-model={model}] button"))
    for name in (
        "^Next: Goals",
        "^Take ",
        "^Next: What may vary",
        "^Vary .* and ",
        "^Next: Search",
        "^Quick",
    ):
        press(button(name))
    assert visitor.page.locator(".verdict .bad, [aria-invalid=true]").count() == 0, (
        "nothing is red on the way"
    )
    sound(visitor)
    press(button("^Launch$"))
    visitor.page.wait_for_url(f"**/studies/{model}")
    study, states = stored(folder, model)
    assert (clicks, states) == (LEAST_CLICKS, {"queued"})
    assert (len(study.objectives), len(study.variables)) == (2, 2)


UNDER_THE_BAR = """() => {
  const bar = document.querySelector(".launchbar");
  const hidden = [];
  for (const way of [1, -1]) {
    const controls = [...document.querySelectorAll(".form :is(input, select, textarea, button, summary)")];
    for (const one of way > 0 ? controls : controls.reverse()) {
      if (bar.contains(one) || !one.checkVisibility() || one.disabled) continue;
      one.focus();
      const { bottom, height } = one.getBoundingClientRect();
      if (bottom > bar.getBoundingClientRect().top + 1 && height < innerHeight / 2)
        hidden.push(one.outerHTML.slice(0, 120));
    }
  }
  return hidden;
}"""
"""Controls of the form that stand below the bar while they have the focus, on the way down and up."""


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)], ids=str)
def test_no_control_with_the_focus_stands_below_the_bar(visit, size):
    viewport = dict(zip(("width", "height"), size, strict=True))
    visitor = begin(visit("/new", robots=False, viewport=viewport), "cogiro")
    visitor.page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    for name in ("robot", "goals", "vary", "search"):
        step(visitor, name)
        visitor.page.evaluate(
            "name => document.querySelectorAll(`[data-step=${name}] .fold`).forEach(fold => (fold.open = true))",
            name,
        )
        assert visitor.page.evaluate(UNDER_THE_BAR) == []


BESIDE = """() => {
  const [aside, bar] = [".aside", ".launchbar"].map(name => document.querySelector(name));
  aside.scrollTop = aside.scrollHeight;
  const seen = [...aside.querySelectorAll("*")].filter(one => one.checkVisibility());
  const last = Math.max(...seen.map(one => one.getBoundingClientRect().bottom));
  return [aside.getBoundingClientRect().bottom, last].map(end => Math.round(end - bar.getBoundingClientRect().top));
}"""
"""Reach of the panel beside the form, and of the last in it, below the upper edge of the bar [px]."""


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)], ids=str)
def test_all_of_the_panel_beside_the_form_is_seen_above_the_bar(visit, size):
    viewport = dict(zip(("width", "height"), size, strict=True))
    visitor = begin(visit("/new", robots=False, viewport=viewport), "cogiro")
    step(visitor, "robot")
    write_file(visitor, file_of(visitor) + "# seen\n" * 60)
    for place in ("0", "document.documentElement.scrollHeight"):
        visitor.page.evaluate(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
        assert max(visitor.page.evaluate(BESIDE)) <= 0, place


@pytest.mark.parametrize("act", ["tap", "focus"])
def test_a_cut_text_is_whole_once_its_row_has_the_focus_and_moves_nothing_pressed(visit, act):
    visitor = begin(visit("/new", robots=False, viewport=PHONE, has_touch=True), "cogiro")
    for name, rows in (("robot", ".line:has(.hint)"), ("goals", ".goal:has(.note)")):
        inside = step(visitor, name)
        height = "one => one.scrollHeight - one.clientHeight"
        found = [
            row
            for row in inside.locator(rows).all()
            if row.locator(".hint, .note").first.evaluate(height) > 0
        ]
        assert len(found) > 1, name
        text = found[0].locator(".hint, .note").first
        control = found[0].locator("select:visible, input:visible, button:visible").first
        control.scroll_into_view_if_needed()
        before = control.bounding_box()
        (text.tap if act == "tap" else control.focus)()
        assert text.evaluate(height) == 0
        assert control.bounding_box() == before
        found[1].locator("select:visible, input:visible, button:visible").first.focus()
        assert text.evaluate(height) == 0


def measured(response):
    """True for an evaluation of a cable robot; while the server is busy, the page asks again."""
    return response.ok and response.url.endswith("/models/hybrid-cable-robot/evaluate")


def test_the_cost_is_designs_times_measured_seconds_over_workers(visit):
    visitor = begin(visit("/new"))
    field(visitor, "/parameters/cells").fill("6")
    wait_for_file(visitor, "cells = 6")
    sound(visitor)
    visitor.page.get_by_label("Workers").fill("4")
    with visitor.page.expect_response(measured) as answer:
        visitor.page.get_by_role("button", name="Measure again").click()
    visitor.page.get_by_role("button", name="Measure again").and_(visitor.page.locator(":enabled")).wait_for()
    first = answer.value.json()
    assert first["parameters"]["beta1"] == pytest.approx(0.785398, rel=1e-5)
    assert first["parameters"]["cells"] == 6
    second = visitor.page.evaluate(
        "body => fetch('/api/v1/studies/draft', {method: 'POST', body, headers: {'Content-Type': 'application/toml'}})"
        ".then(answer => answer.json())", file_of(visitor),
    )["layouts"][1]  # fmt: skip
    assert second["middle"]["settings"]["beta1"] == pytest.approx(3.141593, rel=1e-5)
    estimate = visitor.page.locator("[data-estimate]")
    total, preparation = (
        float(estimate.get_attribute(f"data-{name}")) for name in ("estimate", "preparation")
    )
    assert preparation > 0, "an answer takes longer than the evaluation in it"
    assert "Start of the workers" in visitor.page.inner_text(".facts")
    shown = visitor.page.locator(".facts .each").all_inner_texts()
    assert [re.search(r"\((.*)\)", text)[1] for text in shown] == ["constrained", "suspended"]
    seconds = [float(text.split()[0]) / (1e3 if " ms " in text else 1) for text in shown]
    assert seconds[0] == pytest.approx(first["seconds"], rel=0.01)
    designs = second["designs"] * len(DEMO.seeds)
    assert total == pytest.approx(preparation + designs * sum(seconds) / 4, rel=0.01)
    with visitor.page.expect_response(measured) as again:
        field(visitor, "/parameters/cells").fill("8")
    assert json.loads(again.value.request.post_data)["settings"]["cells"] == 8, "measured again by itself"


def test_what_was_typed_survives_a_reload(visit):
    visitor = begin_with(visit("/new"))
    field(visitor, "/name").fill("kept")
    goal(visitor, "f2").locator("[aria-pressed=true]").click()
    wait_for_file(visitor, 'name = "kept"')
    visitor.page.wait_for_function("() => !document.getElementById('file').value.includes('f2')")
    text = file_of(visitor)
    visitor.page.reload()
    sound(visitor)
    assert field(visitor, "/name").input_value() == "kept"
    assert file_of(visitor) == text
    visitor.page.get_by_role("button", name="Start over").click()
    visitor.page.get_by_role("button", name="Back to the study").click()
    assert field(visitor, "/name").input_value() == "kept"


def test_without_the_server_typing_goes_on_and_the_check_follows_by_itself(visit):
    visitor = begin_with(visit("/new"))
    with offline(visitor):
        field(visitor, "/name").fill("offline")
        visitor.page.locator("#offline").wait_for()
        goal(visitor, "c2").get_by_role("button", name="more").click()
    sound(visitor)
    visitor.page.locator("#offline").wait_for(state="hidden")
    study = tomllib.loads(file_of(visitor))
    assert (study["name"], study["objectives"]["c2"]) == ("offline", "maximize")


def test_an_answer_about_what_was_typed_before_is_not_taken_for_one_about_what_stands_there(visit):
    visitor = begin_with(visit("/new"))
    held = Held(visitor, "**/api/v1/studies/draft/edited")
    field(visitor, "/name").fill("first")
    held.wait_for()
    field(visitor, "/name").fill("second")
    held.let_through()
    assert visitor.page.locator(".verdict .good").count() == 0
    held.wait_for()
    held.let_through()
    sound(visitor)
    assert tomllib.loads(file_of(visitor))["name"] == "second"
    assert visitor.complaints == []


def test_a_form_that_could_not_be_drawn_is_drawn_when_the_server_is_back(visit):
    visitor = visit("/new")
    with offline(visitor):
        new_study(visitor, "bnh")
        visitor.page.locator("#form .fault").wait_for()
    visitor.page.locator(".chosen").wait_for()
    assert field(visitor, "/name").input_value() == "bnh"


def test_a_stored_study_is_what_another_one_begins_with(visit):
    visitor = visit("/new?from=halves")
    sound(visitor)
    old = parse_study(LAYOUTS)
    assert parse_study(file_of(visitor)).digest() == old.model_copy(update={"name": "halves-2"}).digest()
    step(visitor, "search").get_by_role("button", name="Take those of halves").click()
    wait_for_file(visitor, 'from = ["halves"]')
    visitor.page.get_by_text("designs of halves;").last.wait_for()
    field(visitor, "/search/from").fill("halfs")
    assert "did you mean 'halves'" in mended(visitor, 1)
    field(visitor, "/search/from").fill("")
    sound(visitor)
    field(visitor, "/name").fill("halves")
    field(visitor, "/search/generations").fill("9")
    assert "another name" in mended(visitor, 1)


def test_a_study_that_is_not_there_is_reported_and_another_beginning_offered(visit):
    visitor = visit("/new?from=halfs")
    assert "did you mean 'halves'" in visitor.page.locator(".fault:visible").inner_text()
    assert visitor.page.locator(".card").count() > 2
    new_study(visitor, "bnh")
    wait_for_file(visitor, "seeds = [1]")
    step(visitor, "vary")
    for _ in range(2):
        visitor.page.get_by_role("button", name="Add layout").click()
    wait_for_file(visitor, "seeds = [1, 2, 3, 4, 5]")  # which layouts need that are compared


def test_hostile_texts_are_texts(visit):
    visitor = visit("/new?from=shapes")
    visitor.page.locator(".verdict .unsure").wait_for()
    assert "<script>" in field(visitor, "/description").input_value()
    hostile = "<img src=x onerror=window.hostile=1>"
    write_file(visitor, f"name = '{hostile}'\nmodel = '{hostile}'\n[variables]\n\"{hostile}\" = {{}}\n")
    assert hostile in mended(visitor, 3)
    visitor.page.locator(".draft-robot .hint", has_text="no installed back-end").wait_for()
    assert not any("%3Cimg" in url for url in visitor.requests), "no picture of a back-end that is not there"
    assert visitor.page.evaluate("window.hostile") is None
    visitor.assert_sound()


def test_who_may_only_look_can_check_but_not_launch_and_reads_cautions(visitor):
    def cautious(route):
        answer = route.fetch()
        told = answer.json()
        for metric in told["metrics"]:
            if metric["metric"] == "f1":
                metric["caution"] = "chaotic; ask for a <b>quantile</b>"
        route.fulfill(response=answer, json=told)

    role = {"account": "vera", "role": "viewer", "scope": "admin"}
    visitor.page.route("**/api/v1/me", lambda route: route.fulfill(json=role))
    visitor.page.route("**/api/v1/models/bnh", cautious)
    visitor.goto("/new")
    begin_with(visitor)
    for name in ("Launch", "Save as draft", "Measure again"):
        assert visitor.page.get_by_role("button", name=name, exact=True).is_disabled()
    assert "role editor" in visitor.page.locator(".launching").inner_text()
    caution = goal(visitor, "f1").locator(".caution").inner_text()
    assert caution == "Caution: chaotic; ask for a <b>quantile</b>."


def test_test_problems_stand_by_themselves_and_last(visitor):
    def declared(route):
        answer = route.fetch()
        found = [{**model, "test_problem": model["model"] == "bnh"} for model in answer.json()["items"]]
        route.fulfill(response=answer, json={**answer.json(), "items": found})

    visitor.page.route("**/api/v1/models*", declared)
    visitor.goto("/new")
    fold = visitor.page.locator(".beginnings > :last-child")
    assert "test problem for search algorithms" in fold.inner_text().lower()
    assert fold.locator(".card").count() == 1
    assert visitor.page.locator(".card").last.get_attribute("data-model") == "bnh"
    assert visitor.page.locator(".card[data-model=bnh]").count() == 1
    title = fold.locator("h3 span")
    assert (title.text_content(), title.get_attribute("title")) == (
        "Test problem BNH: two constraints",
        "bnh",
    )


def test_comments_stay_when_the_form_changes_a_value_and_are_missed_aloud_where_they_cannot(visit):
    visitor = visit("/new")
    new_study(visitor, "bnh")
    wait_for_file(visitor, "seeds = [1]")
    told = visitor.page.locator(".file .notice")
    write_file(visitor, "# one\n" + file_of(visitor).replace("seeds = [1]", "seeds = [\n  1, # two\n]"))
    field(visitor, "/name").fill("with")
    wait_for_file(visitor, 'name = "with"')
    assert file_of(visitor).startswith("# one\n")
    assert "# two" in file_of(visitor)
    assert told.is_hidden()
    field(visitor, "/seeds").fill("1, 2")
    wait_for_file(visitor, "seeds = [1, 2]")
    told.wait_for()
    assert "without 1 comment; Undo brings it back" in told.inner_text()
    assert file_of(visitor).startswith("# one\n")
    visitor.page.get_by_role("button", name="Undo").click()
    wait_for_file(visitor, "# two")


SEVERAL_EFFECTS = DEMO_TEXT.replace("cable_stiffness", "# cable_stiffness")


def test_layouts_that_differ_in_more_are_made_equal_by_a_button(visit):
    visitor = visit("/new")
    begin(visitor)
    write_file(visitor, SEVERAL_EFFECTS)
    box = visitor.page.locator("[data-unequal=cable_stiffness]")
    box.wait_for()
    assert "differ in more than the layout: cable stiffness" in box.inner_text()
    assert "The study is ready to launch" not in visitor.page.locator(".launching").inner_text()
    assert (
        visitor.page.locator(".launchbar .check").inner_text() == "The study can be launched. Read this first"
    )
    visitor.assert_sound()
    box.get_by_role("button", name="Use 1000 N/m in both").click()
    sound(visitor)
    assert box.count() == 0
    assert tomllib.loads(file_of(visitor))["parameters"]["cable_stiffness"] == 1000
    assert "# cable_stiffness" in file_of(visitor)
    visitor.page.get_by_role("button", name="Undo").click()
    box.wait_for()


def test_on_a_phone_all_of_a_description_is_seen_and_the_bar_that_launches_wherever_one_is(visit):
    visitor = visit("/new?from=robots", viewport=PHONE)
    page = visitor.page
    launch = page.get_by_role("button", name="Launch", exact=True)
    launch.wait_for()
    page.wait_for_function(
        "most => document.documentElement.scrollHeight > most", arg=2 * PHONE["height"]
    )  # a form as long as that, or this shows nothing
    for share in (0.0, 0.5, 1.0):
        page.evaluate("share => scrollTo(0, share * document.documentElement.scrollHeight)", share)
        for button in (
            launch,
            page.locator(".launchbar .check"),
            page.get_by_role("button", name="Save as draft"),
        ):
            box = button.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= PHONE["height"]
    place = field(visitor, "/description")
    place.fill(
        "Pulley azimuths of the two layouts, searched under the same wrench box and force limits. " * 2
    )
    assert place.evaluate("box => box.scrollHeight <= box.clientHeight")


SYMMETRIC = """name = "symmetric"
model = "continuum-statics"
seeds = [1]

[variables]
backbone_diameter = { lower = "1 mm", upper = "2 mm" }

[objectives]
mass = "minimize"

[search]
algorithm = "de"
generations = 2
"""


def test_expressions_and_drives_are_made_in_the_form(visit):
    visitor = begin_with(visit("/new", robots=False), SYMMETRIC)
    goal(visitor, "mass")
    fold(visitor, "A quantity of your own")
    visitor.page.get_by_role("button", name="Add row to Expressions").click()
    cells = visitor.page.locator('[data-pointer="/expressions"] input')
    cells.nth(0).fill("per_mass")
    cells.nth(1).fill("reachable_volume + mass")
    assert "ixes m\u00b3 and kg in +" in mended(visitor, 1)
    assert cells.nth(0).get_attribute("aria-invalid") == "true"
    cells.nth(1).fill("reachable_volume / mass")
    sound(visitor)
    step(visitor, "vary").get_by_text("More").click()
    visitor.page.get_by_role("button", name="Add row to Drives").click()
    drive = visitor.page.locator('[data-pointer$="/drives"] input')
    visitor.page.get_by_label("Drives, 1, parameter").select_option(label="Hole radius")
    drive.nth(0).fill("10")
    drive.nth(1).fill("1 m")
    assert "'hole_radius' is 1.01 where backbone_diameter = 0.001" in mended(visitor, 1)
    drive.nth(1).fill("")
    sound(visitor)
    step(visitor, "goals")
    pick(visitor, "Another quantity", "per_mass")
    goal(visitor, "per_mass").get_by_role("button", name="less").click()
    wait_for_file(visitor, 'per_mass = "minimize"')
    mended(visitor, 1)  # two objectives are too many for this algorithm
    visitor.assert_accessible(".verdict, [data-step=goals], .field:has([aria-invalid=true])")
    made = parse_study(file_of(visitor))
    assert made.expressions == {"per_mass": "reachable_volume / mass"}
    (drive,) = made.variables["backbone_diameter"].drives
    assert (drive.parameter, drive.factor) == ("hole_radius", 10)


def test_a_study_of_ones_own_robots_begins_with_their_tables(visit, tmp_path):
    head = "pulley_x [mm],pulley_y [mm],pulley_z [mm],attachment_x [mm],attachment_y [mm],attachment_z [mm]\n"
    rows = [f"{x},{y},900,{x // 10},{y // 10},{z}" for x, y, z in CORNERS]
    (tmp_path / "six.csv").write_text(head + "\n".join(rows), encoding="utf-8")
    (tmp_path / "torn.csv").write_text(head + "1,2\n", encoding="utf-8")
    visitor = visit("/new")
    chooser = visitor.page.locator("#robot-files")
    chooser.set_input_files(tmp_path / "torn.csv")
    visitor.page.locator(".own-robots .fault").wait_for()
    assert "torn.csv, line 2" in visitor.page.locator(".own-robots .fault").inner_text()
    chooser.set_input_files(tmp_path / "six.csv")
    sound(visitor)
    study = parse_study(file_of(visitor))
    assert study.name == "own-robot"
    assert len(study.parameters["pulleys"]) == 6
    assert len(study.search.initial[0]) == len(study.variables)


def give_wirex(visitor, folder, *entries):
    """Give the form six cables as WireX writes them, with further entries."""
    lines = ["now 6", *entries]
    for number, (x, y, z) in enumerate(CORNERS, 1):
        lines += [
            f"base {number} {x / 1e3} {y / 1e3} 0.9",
            f"platform {number} {x / 1e4} {y / 1e4} {z / 1e3}",
        ]
    (folder / "six.txt").write_text("\n".join(lines), encoding="utf-8")
    visitor.page.locator("#robot-files").set_input_files(folder / "six.txt")


def test_a_robot_that_does_not_work_as_it_was_read_is_marked(visit, tmp_path):
    visitor = visit("/new", viewport=PHONE, color_scheme="dark")
    give_wirex(visitor, tmp_path, "fmin 80", "fmax 81")
    told = visitor.page.locator(".read-robot .each.fault")
    told.wait_for()
    assert told.inner_text().startswith("As read, it is INFEASIBLE")
    visitor.assert_accessible(".read-robot")


def test_a_robot_of_another_program_says_what_was_read_of_it_and_is_drawn(visit, tmp_path):
    visitor = visit("/new", viewport=PHONE, color_scheme="dark")
    give_wirex(visitor, tmp_path, "fmax 90", "colour red")
    sound(visitor)
    report = visitor.page.get_by_role("region", name="six.txt (WireX text)")
    report.wait_for()
    told = report.locator("dd").all_inner_texts()
    read, verdict, assumed, left_out = told
    assert (read, left_out) == ("pulleys, attachments, f_max", "line 3: colour red")
    assert assumed.splitlines() == [
        "cable_stiffness = 1000 N/m, f_min = 1 N: write yours",
        "the cables hold a force of 20 N downwards, more or less (wrench_set): write your loads",
        "the cables are as thick as those of a published robot, 2 mm (cable_diameter)",
        (
            "no cable is tested against the platform, of which nothing gives the box (check_platform); drawings "
            "show one that reaches as far as the attachments (platform_half_size)"
        ),
        "the workspace is looked for in a box around the pulleys (space)",
    ]
    assert verdict.startswith("As read, it ")
    model, design = drawn_key(visitor)
    assert (model, len(design["settings"]["pulleys"])) == ("hybrid-cable-robot", 6)
    visitor.assert_accessible(".read-robot, .draft-robot")
    visitor.page.reload()
    report.wait_for()  # the tab keeps it with the draft
    assert parse_study(file_of(visitor)).parameters["f_max"] == 90.0
    visitor.page.get_by_role("button", name="Start over").click()
    begin(visitor)
    assert report.count() == 0


CORNERS = [(800, 500, 60), (0, 900, -60), (-800, 500, 60), (800, -500, 60), (0, -900, -60), (-800, -500, 60)]


def drawn_key(visitor):
    """Back-end and design of the robot beside the form, once it is drawn."""
    plot = visitor.page.locator(".draft-robot .plot")
    plot.evaluate("plot => { const fold = plot.closest('details'); if (fold) fold.open = true; }")
    plot.scroll_into_view_if_needed()
    visitor.page.locator(".draft-robot .plot[data-drawn]:not([aria-busy])").wait_for()
    return json.loads(plot.get_attribute("data-key"))


def redraws(visitor, act):
    """Key of the drawing after an action that changes the robot."""
    before = json.dumps(drawn_key(visitor), separators=(",", ":"))
    act()
    visitor.page.wait_for_function(
        "old => { const plot = document.querySelector('.draft-robot .plot');"
        " return JSON.stringify(JSON.parse(plot.dataset.key)) !== old && !plot.getAttribute('aria-busy'); }",
        arg=before,
    )
    return drawn_key(visitor)


def test_the_robot_beside_the_form_follows_ranges_parameters_and_layouts(visit):
    visitor = begin_with(visit("/new"), SYMMETRIC)
    model, middle = drawn_key(visitor)
    assert (model, middle["settings"]["backbone_diameter"]) == ("continuum-statics", pytest.approx(0.0015))
    ends = visitor.page.get_by_role("group", name="Where in the ranges")
    upper = redraws(visitor, ends.get_by_role("button", name="Upper").click)
    assert upper[1]["settings"]["backbone_diameter"] == pytest.approx(0.002)
    assert ends.locator("[aria-pressed=true]").inner_text() == "Upper"
    wider = redraws(visitor, lambda: field(visitor, "/variables/backbone_diameter/upper").fill("3"))
    assert wider[1]["settings"]["backbone_diameter"] == pytest.approx(0.003)
    assert visitor.page.locator(".draft-robot select").is_hidden()
    field(visitor, "/variables/backbone_diameter/upper").fill("0.5")
    mended(visitor, 1)
    hint = visitor.page.locator(".draft-robot .hint")
    assert hint.inner_text() == "The study has faults; the robot is drawn as far as it is known."
    assert "backbone_diameter" not in drawn_key(visitor)[1]["settings"], "what is at fault is left out"
    field(visitor, "/variables/backbone_diameter/upper").fill("3")
    sound(visitor)
    assert hint.inner_text() == ""
    visitor.assert_accessible(".draft-robot")


def test_the_robot_follows_the_preset_before_the_study_is_sound_and_launching_leads_to_the_fault(visit):
    visitor = begin(visit("/new"))
    page = visitor.page
    sound(visitor)
    drawn_key(visitor)
    field(visitor, "/search/population").fill("-4")
    mended(visitor, 1)
    name = next(iter(DEMO.layouts))
    preset = field(visitor, f"/layouts/{name}/preset")
    other = next(
        value
        for value in preset.locator("option").evaluate_all("all => all.map(option => option.value)")
        if value and value != preset.input_value()
    )
    drawn = redraws(visitor, lambda: preset.select_option(other))
    assert drawn[1]["preset"] == other
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.activeElement?.closest('[data-pointer=\"/search/population\"]')")
    message = page.locator("[data-pointer='/search/population'] > .field-fault")
    message.wait_for()
    page.wait_for_function(  # it scrolls smoothly
        """() => {
          const { top, bottom } = document.querySelector("[data-pointer='/search/population'] > .field-fault").getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        }"""
    )


def test_a_fault_below_one_field_of_a_variable_moves_no_other(visit):
    visitor = begin(visit("/new"))
    sound(visitor)
    ends = [f"/layouts/{next(iter(DEMO.layouts))}/variables/beta1/{end}" for end in ("lower", "upper")]
    field(visitor, ends[1]).scroll_into_view_if_needed()
    offset = "input => input.getBoundingClientRect().y - input.closest('.variable').getBoundingClientRect().y"
    before = [field(visitor, end).evaluate(offset) for end in ends]
    field(visitor, ends[0]).fill("400")
    mended(visitor, 1)
    assert [field(visitor, end).evaluate(offset) for end in ends] == before


HIT = """bar => {
  const { x, y } = bar.getBoundingClientRect();
  return bar.contains(document.elementFromPoint(x + 40, y + 12));
}"""
"""True where nothing lies over the bar."""


def test_robot_and_cost_are_at_hand_in_every_step_at_every_width(visit):
    visitor = begin(visit("/new", viewport=PHONE))
    glance = visitor.page.locator(".glance > summary")
    plot = visitor.page.locator(".draft-robot .plot")
    for name in ("robot", "goals", "vary", "search"):
        step(visitor, name).locator("> .inside").evaluate(
            "inside => inside.scrollIntoView({ block: 'end', behavior: 'instant' })"
        )
        top = glance.evaluate("bar => bar.getBoundingClientRect().top")
        assert 0 <= top < PHONE["height"] / 2, name
        assert glance.evaluate(HIT), name
        glance.press(
            "Enter"
        )  # a click misses where the form moves between the press and the release of a button
        visitor.page.locator(".draft-robot .plot[data-drawn]:not([aria-busy])").wait_for()
        assert plot.evaluate("plot => plot.getBoundingClientRect().bottom") < PHONE["height"], name
        glance.press("Enter")
        visitor.page.locator(".glance:not([open])").wait_for()
    visitor.page.set_viewport_size({"width": 1024, "height": 768})
    visitor.page.locator(".aside .draft-robot").wait_for()
    visitor.page.evaluate("scrollTo(0, 0)")
    left, right = (visitor.page.locator(part).bounding_box() for part in ("#form", ".aside"))
    assert left["x"] + left["width"] <= right["x"]


@pytest.mark.parametrize(
    "settings",
    [pytest.param({}, marks=pytest.mark.soak), {"color_scheme": "dark", "viewport": PHONE}],
    ids=["wide", "phone"],
)
def test_each_layout_of_the_draft_is_drawn_and_the_whole_form_is_accessible(visit, settings):
    visitor = begin(visit("/new", **settings))
    chooser = visitor.page.get_by_label("Layout that is drawn")
    first = drawn_key(visitor)
    names = list(DEMO.layouts)
    assert chooser.input_value() == names[0]
    other = redraws(visitor, lambda: chooser.select_option(names[1]))
    assert (first[1]["preset"], other[1]["preset"]) == tuple(DEMO.layouts[name].preset for name in names)
    for name in ("robot", "goals", "vary", "search"):
        step(visitor, name).locator(".fold").evaluate_all(
            "folds => folds.forEach((fold) => (fold.open = true))"
        )
        visitor.assert_accessible()


def test_a_design_that_cannot_be_drawn_says_why(visitor):
    visitor.page.route(
        "**/api/v1/models/*/figure",
        lambda route: route.fulfill(
            status=422,
            content_type="application/problem+json",
            json={"title": "no", "detail": "no such pose"},
        ),
    )
    visitor.goto("/new")
    begin(visitor)
    note = visitor.page.locator(".draft-robot .empty", has_text="no such pose")
    note.scroll_into_view_if_needed()
    note.wait_for()
