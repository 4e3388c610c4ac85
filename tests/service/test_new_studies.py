"""Study files to begin with, and robots before any search."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import tautline
from dashboards.content.backends.cable_robot import robot_numbers
from errors import InputError
from models import load
from service.new_studies import begin_study, new_study, robots_of
from studies.definition.study_file import check_text
from studies.problem.problem import check, setup_of

HEAD = "pulley_x [mm],pulley_y [mm],pulley_z [mm],attachment_x [mm],attachment_y [mm],attachment_z [mm]"
ROWS = [
    "800,600,700,60,0,-40", "-800,600,700,-60,0,-40", "-800,-600,700,-60,0,-40", "800,-600,700,60,0,-40",
    "600,800,700,0,50,40", "-600,800,700,0,50,40", "-600,-800,700,0,-50,40", "600,-800,700,0,-50,40",
]  # fmt: skip


@pytest.fixture
def table(tmp_path):
    def write(rows=ROWS, head=HEAD, name="eight.csv", encoding="utf-8"):
        file = tmp_path / name
        file.write_text("\n".join([head, *rows]), encoding=encoding)
        return file

    return write


def first_robot(problem):
    return problem.model.resolve(None, {**problem.settings, **problem.space.decode(problem.initial[0])})


def of_tables(*files):
    text = new_study(tables=files, folder=files[0].parent, name="own")
    _, problems = check_text(text, "own.toml", check, files[0].parent)
    return text, problems


def test_a_length_that_all_designs_share_is_shown_with_its_value(table, store):
    """Attachments vary, and torques of all designs are divided by one length."""
    file = table()
    text, _ = of_tables(file)
    study = store.create_study(*check_text(text, "own.toml", check, file.parent))
    assert re.fullmatch(r"[\d.]+ mm", robot_numbers(setup_of(study), "default")["characteristic length"])


def test_a_meaning_of_a_metric_ends_with_a_clause(table):
    text, _ = of_tables(table())
    assert " ..." not in text.partition("[objectives]")[2].partition("[search]")[0]


@pytest.mark.parametrize(
    ("model", "preset"),
    [
        (name, preset)
        for name in ("hybrid-cable-robot", "continuum-statics", "continuum-kinematics", "flexible-arm")
        for preset in load(name).presets
    ],
)
def test_every_preset_begins_a_sound_study(model, preset):
    text = new_study([preset], name="begun", model=model)
    definition, _ = check_text(text, "begun.toml", check, Path())
    assert definition.preset == preset
    assert text.startswith("# ")


def test_several_presets_are_layouts():
    definition, problems = check_text(new_study(["constrained", "suspended"]), "", check, Path())
    assert list(problems) == ["constrained", "suspended"]
    assert definition.name == "new-study"


def test_an_example_keeps_its_comments_under_another_name():
    text = new_study(["cogiro"], name="mine")
    assert text.startswith("# Asks how tall the platform of")
    assert 'name = "mine"' in text


def test_a_table_of_a_symmetric_robot_has_few_variables_and_mirror_images_follow(table):
    text, problems = of_tables(table())
    (problem,) = problems.values()
    first = first_robot(problem)
    assert first.pulleys == pytest.approx(
        np.array([[float(c) / 1000 for c in row.split(",")[:3]] for row in ROWS])
    )
    assert first.attachments[6] == pytest.approx((0.0, -0.05, 0.04))
    assert [variable.path for variable in problem.space.variables] == [
        "pulleys.0.0", "pulleys.0.1", "pulleys.4.0", "pulleys.4.1", "attachments.0.0", "attachments.4.1",
    ]  # fmt: skip
    assert "assumed, write yours" in text


def test_the_planes_of_a_robot_may_lie_beside_the_origin(table):
    rows = [f"{float(x) + 900},{float(y) - 50},{rest}" for x, y, rest in (row.split(",", 2) for row in ROWS)]
    text, problems = of_tables(table(rows))
    assert 'mirror = "x", point = [0.9, 0.0, 0.0]' in text
    assert 'mirror = "y", point = [0.0, -0.05, 0.0]' in text
    (problem,) = problems.values()
    assert first_robot(problem).pulleys[6] == pytest.approx((0.3, -0.85, 0.7))


def variables_of(problem):
    return {variable.path: variable for variable in problem.space.variables}


def test_a_measured_robot_keeps_its_points_and_its_images_move_together(table):
    _, problems = of_tables(table(["810,600,700,60,0,-40", *ROWS[1:]]))
    (problem,) = problems.values()
    first = first_robot(problem)
    assert first.pulleys[0] == pytest.approx((0.81, 0.6, 0.7))
    assert first.pulleys[5] == pytest.approx((-0.6, 0.8, 0.7))
    assert first.attachments[6] == pytest.approx((0.0, -0.05, 0.04))
    lower = problem.model.resolve(
        None, {**problem.settings, **problem.space.decode(np.zeros(len(problem.space)))}
    )
    moved = np.array(lower.pulleys) - first.pulleys
    assert moved[0] == pytest.approx(moved[2] * [-1, -1, 1])
    assert len(variables_of(problem)) == 6


def test_a_table_without_symmetry_is_a_robot_whose_linked_parameters_follow(table):
    _, problems = of_tables(table(["1800,600,200,60,0,-40", *ROWS[1:]]))
    (problem,) = problems.values()
    first = first_robot(problem)
    assert first.pulleys[5] == pytest.approx((-0.6, 0.8, 0.7))
    assert first.attachments[6] == pytest.approx((0.0, -0.05, 0.04))
    assert [*variables_of(problem)] == ["pulley_reach", "platform_radius", "pulley_height"]


def test_the_robot_as_read_lies_within_ranges_whose_ends_are_rounded(table):
    """700 mm are 0.7000000000000001 m, and the range of a pulley at the wall ends at 0.7 m."""
    rows = ["700,600,900,80,50,-60", "-700,600,900,-80,50,-60", "-700,-600,900,-80,-50,-60", "700,-600,900,80,-50,-60"]  # fmt: skip
    inner = ["600,600,900,50,80,60", "-600,600,900,-50,80,60", "-600,-600,900,-50,-80,60", "600,-600,900,50,-80,60"]  # fmt: skip
    for first in (rows[0], "702,600,900,80,50,-60"):
        _, problems = of_tables(table([first, *rows[1:], *inner]))
        (problem,) = problems.values()
        assert (problem.initial[0] <= 1).all()
        assert first_robot(problem).pulleys[1] == pytest.approx((-0.7, 0.6, 0.9))


def test_no_variable_moves_a_pulley_out_of_the_hall_or_slides_the_robot(table):
    low = [row.replace(",700,", ",-700,") for row in ROWS[4:]]
    for rows in (ROWS, [*ROWS[:4], *low], ["810,600,700,60,0,-40", *ROWS[1:4], *low]):
        _, problems = of_tables(table(rows))
        (problem,) = problems.values()
        pulleys = np.array(first_robot(problem).pulleys)
        for corner in np.random.default_rng(0).integers(0, 2, (40, len(problem.space))).astype(float):
            robot = problem.model.resolve(None, {**problem.settings, **problem.space.decode(corner)})
            assert (np.min(robot.pulleys, axis=0) >= pulleys.min(axis=0) - 1e-9).all()
            assert (np.max(robot.pulleys, axis=0) <= pulleys.max(axis=0) + 1e-9).all()
            assert np.min(robot.pulleys, axis=0)[2] == pytest.approx(pulleys.min(axis=0)[2])
        height = variables_of(problem).get("pulley_height")
        assert (height is None) == (rows is ROWS)
        assert height is None or (height.lower, height.upper) == pytest.approx((0.42, 0.7))


def test_tables_of_six_and_eight_cables_are_layouts(table):
    _, problems = of_tables(table(), table(ROWS[:6], name="Six Cables.csv"))
    counts = {name: len(problem.settings["pulleys"]) for name, problem in problems.items()}
    assert counts == {"eight": 8, "six-cables": 6}


def test_the_workspace_of_measured_pulleys_at_one_height_is_looked_for_below_them(table):
    heights = [700, 703, 698, 701, 699, 700, 702, 700]
    rows = [row.replace(",700,", f",{height},") for row, height in zip(ROWS, heights, strict=True)]
    _, problems = of_tables(table(rows))
    (problem,) = problems.values()
    (_, _, lower), (_, _, upper) = problem.settings["space"]
    assert upper == pytest.approx(0.703)
    assert lower == pytest.approx(0.703 - 1.6)


def test_a_table_with_decimal_commas_is_read_and_said(table, tmp_path):
    rows = [";".join(f"{float(cell) / 100:g}".replace(".", ",") for cell in row.split(",")) for row in ROWS]
    file = table(rows, HEAD.replace(",", ";").replace("mm", "dm"))
    begun = begin_study(tables=[file], folder=tmp_path)
    (report,) = begun.reports.values()
    assert report.assumed[0] == "commas in numbers are decimal commas"
    _, problems = check_text(begun.text, "own.toml", check, tmp_path)
    assert np.array(problems["default"].settings["attachments"])[6] == pytest.approx((0.0, -0.05, 0.04))


def test_limits_and_stiffness_stand_in_columns_and_a_mark_of_spreadsheets_is_accepted(table):
    rows = [f"{row};{number};2;0.15".replace(",", ";") for number, row in enumerate(ROWS, 500)]
    head = f"{HEAD},cable_stiffness [N/m],f_min [N],f_max [kN]".replace(",", ";")
    _, problems = of_tables(table(rows, head, encoding="utf-8-sig"))
    settings = problems["default"].settings
    assert (settings["f_min"], settings["f_max"]) == (2, 150)
    assert settings["cable_stiffness"] == list(range(500, 508))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("pulley_z", "height"), "eight.csv has no column 'pulley_z'; it needs a row"),
        (lambda text: text.replace("-40", "nan", 1), "eight.csv, line 2, column 'attachment_z [mm]': 'nan'"),
        (lambda text: text.replace(",700", ",7o0", 1), "line 2, column 'pulley_z [mm]': '7o0' is not a finite"),
        (lambda text: text.replace("[mm]", "[kg]", 1), "column 'pulley_x [kg]': "),
        (lambda text: text.replace(",-40", "", 1), "eight.csv, line 2: has 5 cells for 6 columns"),
        (lambda text: "\n".join(text.splitlines()[:5]), "6"),
        (lambda _: "", "eight.csv is empty"),
    ],
)  # fmt: skip
def test_tables_that_are_no_robot_are_refused_with_their_place(table, change, message):
    file = table()
    file.write_text(change(file.read_text()))
    with pytest.raises(InputError) as caught:
        of_tables(file)
    assert message in str(caught.value)


def test_limits_that_differ_are_those_of_each_cable(table):
    rows = [f"{row},{number}" for number, row in enumerate(ROWS, 10)]
    text, _ = of_tables(table(rows, f"{HEAD},f_max [N]"))
    assert "f_max = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]" in text


def test_limits_of_one_cable_in_the_wrong_order_are_refused_with_its_number(table):
    rows = [f"{row},{0.5 if number == 3 else 10}" for number, row in enumerate(ROWS, 1)]
    with pytest.raises(InputError, match=r"'f_min' of cable 3 .* must be less than 'f_max'"):
        of_tables(table([f"{row},1" for row in rows], f"{HEAD},f_max [N],f_min [N]"))


def test_the_report_of_a_table_names_units_columns_and_the_size(table, tmp_path):
    bare = HEAD.replace(" [mm]", "")
    file = table([f"{row},red" for row in ROWS], head=f"{bare},colour")
    (report,) = begin_study(tables=[file], folder=tmp_path).reports.values()
    assert report.source == "eight.csv (table)"
    assert report.read == ["pulleys", "attachments"]
    assert report.assumed[0].endswith("attachment_z have no unit and are in SI units, lengths in metres")
    assert report.assumed[-1] == (
        "the lengths are metres, so that the pulleys are 1600 m apart: if they are not, write their unit, as in "
        "pulley_x [mm]"
    )
    assert report.unread == ["the column 'colour'"]
    (report,) = begin_study(tables=[table()], folder=tmp_path).reports.values()
    assert not any("metres" in text for text in report.assumed)
    assert report.unread == []


def test_a_table_outside_the_folder_is_refused(table, tmp_path):
    (tmp_path / "below").mkdir()
    with pytest.raises(InputError, match=r"is not in the folder of the study file, .*below: put it there"):
        new_study(tables=[table()], folder=tmp_path / "below")


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (["constraned"], "unknown example or preset 'constraned'; did you mean 'constrained'"),
        ([], "gives nothing to begin with"),
        (["cogiro", "constrained"], "'cogiro' is an example, which stands alone"),
        (["constrained", "susp"], "unknown preset 'susp'; did you mean 'suspended'?"),
    ],
)
def test_unknown_sources_are_refused(sources, message):
    with pytest.raises(InputError) as caught:
        new_study(sources)
    assert message in str(caught.value)


def test_the_command_line_writes_a_study_and_shows_its_robot(call, table, tmp_path):
    table()
    call("study", "new", "own.toml", "--from-csv", "eight.csv", check=0)
    again = call("study", "new", "own.toml", "--from-csv", "eight.csv", check=2)
    assert "own.toml exists; give another name, or --force" in again.err
    call("study", "new", "--from", "cogiro", check=0)
    assert (tmp_path / "cogiro.toml").is_file()
    assert "cannot be the name of a study" in call("study", "new", "A.toml", "--from", "cogiro", check=2).err
    shown = call("robot", "show", "own.toml", "--format", "json", check=0)
    lines = json.loads(shown.out)["lines"]
    cable = next(line for line in lines if line["line"] == "cable 6")
    assert (cable["to x"], cable["to y"], cable["to z"]) == pytest.approx((-0.6, 0.8, 0.7))
    page = (tmp_path / "own-robot.html").read_text(encoding="utf-8")
    assert 'data-figure="robot-0"' in page
    assert 'http-equiv="Content-Security-Policy"' in page
    assert "error: --from: gives nothing to begin with" in call("study", "new", "b.toml", check=2).err
    table_of_lines = call("robot", "show", "own.toml", check=0).out
    assert "cable 8" in table_of_lines
    assert "10\N{SUPERSCRIPT MINUS}" not in table_of_lines
    assert "unknown example or preset" in call("robot", "show", "nobody", check=2).err


def test_a_mistyped_pulley_is_seen(table):
    file = table([ROWS[0].replace("800,", "8000,", 1), *ROWS[1:]])
    (file.parent / "own.toml").write_text(new_study(tables=[file], folder=file.parent, name="own"))
    (view,) = robots_of(str(file.parent / "own.toml")).views
    assert max(line.end[0] for line in view.lines if line.group == "cables") == pytest.approx(8.0)


def test_a_robot_without_workspace_says_why(table, tmp_path):
    text, _ = of_tables(table())
    (tmp_path / "thick.toml").write_text(
        text.replace("[parameters]", '[parameters]\ncable_diameter = "0.2 m"', 1)
    )
    (view,) = robots_of(tmp_path / "thick.toml").views
    assert (
        " It is INFEASIBLE: in every cell that can hold the wrenches, cables touch each other (cables "
        in view.caption
    )
    (tmp_path / "eight.toml").write_text(text)
    (view,) = robots_of(tmp_path / "eight.toml").views
    assert "INFEASIBLE" not in view.caption


def test_verdicts_name_their_layouts_the_space_they_share_and_what_is_short(table, tmp_path):
    head = HEAD.replace(" [mm]", "")
    begun = begin_study(tables=[table(), table(head=head, name="huge.csv")], folder=tmp_path)
    assert "one space (space)" in " ".join(begun.verdicts["eight"])
    assert "# eight: As read, it is INFEASIBLE: " in begun.text
    weak = table([f"{row},1.5" for row in ROWS], f"{HEAD},f_max [N]", name="weak.csv")
    ((told,),) = begin_study(tables=[weak], folder=tmp_path).verdicts.values()
    assert " N in the best cell" in told


def test_robots_of_presets_and_examples():
    assert robots_of("robocab").views[0].model.name == "hybrid-cable-robot"
    assert robots_of("cogiro").title == "cogiro"
    assert len(robots_of("paper-40").views) == 2


def test_robots_are_a_table_and_a_page_from_python(table, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(of_tables(table())[0], encoding="utf-8")
    robots = tautline.robots_of(file)
    lines = robots.table()[:8]
    assert list(lines["line"]) == [f"cable {number}" for number in range(1, 9)]
    ends = lines[[f"{end} {axis}" for end in ("from", "to") for axis in "xyz"]].to_numpy()
    assert lines["length"].to_numpy() == pytest.approx(np.linalg.norm(ends[:, 3:] - ends[:, :3], axis=1))
    assert "cable 8" in robots.write(tmp_path / "own.html").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        robots.write(tmp_path)
