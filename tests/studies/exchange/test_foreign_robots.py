"""Robots that other programs wrote: how each is read, against what its file says.

The files are not part of the tree; the tests of them are left out where they are not at hand.
"""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from errors import InputError
from models import load
from service.new_studies import begin_study
from studies.definition.study_file import check_text
from studies.exchange.plausible_body import plausible_body
from studies.exchange.robot_files import read_robot
from studies.problem.problem import check

ROBOTS = Path(__file__).resolve().parents[4] / "shared" / "data" / "robots"
STUDY_CELLS = 12


def found(name):
    file = ROBOTS / name
    if not file.exists():
        pytest.skip(f"{file} is not on this machine")
    return file


def volume_of(name, folder, **settings):
    """Volume of the workspace as `study new` sets it up, or why there is none."""
    file = found(name)
    if file.suffix == ".csv":
        copy = Path(shutil.copy(file, folder))
        text = begin_study(tables=[copy], folder=folder, name="box").text
    else:
        text = begin_study(robots=[read_robot(file)], folder=folder, name="box").text
    (problem,) = check_text(text, "box.toml", check, folder)[1].values()
    outcome = problem.model.evaluate(
        problem.model.resolve(None, {**problem.settings, **settings}), "workspace"
    )
    return getattr(outcome, "reason", None) or outcome.metrics["workspace_volume"]


TABLE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "robot-files.md"
TRIED = {
    "CASPR, CAROCA": ["caspr/CAROCA/CAROCA_cables.xml"],
    "CASPR, CoGiRo": ["caspr/CoGiRo/CoGiRo_cables.xml"],
    "CASPR, NIST RoboCrane": ["caspr/NIST_ROBOCRANE/NIST_RoboCrane_cables.xml"],
    "CASPR, SEGESTA": ["caspr/SEGESTA/SEGESTA_cables.xml"],
    "CASPR, KNTU planar": ["caspr/KNTU_planar/KNTU_planar_cables.xml"],
    "CASPR, Example planar XY": ["caspr/Example_planar_XY/Example_planar_XY_cables.xml"],
    "CASPR, Example point XZ": ["caspr/Example_point_XZ/Example_point_XZ_cables.xml"],
    "CASPR, SpiderBot UR3": ["caspr/SpiderBot_UR3/SpiderBot_UR3_cables.xml"],
    "WireX, CoGiRo": ["wirex/CoGiRo.wcrfx"],
    "WireX, IPAnema": ["wirex/IPAnema.wcrfx"],
    "WireX, IPAnema 2": ["wirex/IPAnema2.wcrfx"],
    "WireX, SEGESTA": ["wirex/Segesta.wcrfx"],
    "WireX, WDPSS": ["wirex/WDPSS.wcrfx"],
    "WireX, 2D IPAnema 2": ["wirex/2DIPAnema2.wcrfx"],
    "CASPR's limits of the joint, 8 m³": ["own/limits_cables.xml"],
    "the same with springs of 30 mm": ["own/spring_cables.xml"],
    "CASPR, no box; joint limits of 8 m³": ["own/nobox_cables.xml"],
    "WireX, placeholders": ["own/wirex-placeholder.wcrfx"],
    "WireX, limits of the application": ["own/wirex-application.wcrfx"],
    "table, symmetric but for rounding": ["own/offset-symmetric-small.csv"],
    "table in millimetres without units": ["own/c-nounit-mm.csv"],
    "table of three pulleys for six cables": ["own/shared-pulleys.csv"],
    "cdpyr, YAML with `!!python/tuple`": ["own/cdpyr-tuples.yaml"],
    "cdpyr, JSON with `Infinity`": ["own/cdpyr-mass-only.json"],
    "URDF, 5 kg that move on the platform": ["own/u-payload.urdf"],
    "URDF, turned origins": ["own/u-rot.urdf"],
    "URDF, platform on a prismatic joint, or fixed to the root": ["own/u-prismatic.urdf", "own/u-fixed.urdf"],
    "Gazebo's YAML, CAROCA": ["gazebo/caroca.yaml"],
    "Gazebo's YAML, cube": ["gazebo/cube.yaml"],
}


def told_in_the_docs():
    """Rows of the table of robots that were tried: its file and its volume."""
    text = TABLE.read_text(encoding="utf-8").split("## Robots that were tried")[1]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    return {row[0].strip(): row[1].strip() for row in rows}


def test_the_table_of_the_docs_has_every_file_that_is_at_hand():
    assert list(told_in_the_docs()) == list(TRIED)
    beside = ("_bodies.xml", "_trajectories.xml", "_operational_spaces.xml", "LICENSE")
    here = [file for file in found("").rglob("*") if file.is_file() and not file.name.endswith(beside)]
    assert {str(file.relative_to(ROBOTS)) for file in here} == {
        name for names in TRIED.values() for name in names
    }


@pytest.mark.parametrize("tried", TRIED)
def test_a_robot_of_another_program_is_what_the_table_of_the_docs_says(tmp_path, tried):
    told = told_in_the_docs()[tried]
    for name in TRIED[tried]:
        if told.startswith("refused"):
            with pytest.raises(InputError):
                volume_of(name, tmp_path)
        elif told.startswith("0:"):
            assert "no cell of the space can hold every wrench" in volume_of(name, tmp_path)
        else:
            volume = float(re.match(r"[\d ]*\.?\d+(e\d+)?", told)[0].replace(" ", ""))
            assert volume_of(name, tmp_path) == pytest.approx(volume, rel=6e-3)


def test_a_robot_that_no_assumption_keeps_from_working_is_said_to_be_so(tmp_path):
    begun = begin_study(robots=[read_robot(found("wirex/Segesta.wcrfx"))], folder=tmp_path, name="box")
    ((told,),) = begun.verdicts.values()
    assert "No assumption is the cause" in told
    assert "whether the platform must be turned" in told
    begun = begin_study(robots=[read_robot(found("own/u-rot.urdf"))], folder=tmp_path, name="box")
    ((told,),) = begun.verdicts.values()
    assert "several assumptions together: that f_min is 1 N; " in told
    assert "cables are 2 mm thick" in told


def test_no_box_of_a_platform_is_made_up_to_be_cut(tmp_path):
    around = {"space": [[-7.3, -5.2, -9.2], [7.3, 5.2, 5.4]]}
    assert volume_of("own/nobox_cables.xml", tmp_path, **around) == pytest.approx(1183, rel=1e-3)
    made_up = volume_of("own/nobox_cables.xml", tmp_path, **around, check_platform=True)
    assert "cables cut the platform" in made_up


def test_limits_of_caspr_are_the_space_and_the_rotation_limit():
    cogiro = read_robot(found("caspr/CoGiRo/CoGiRo_cables.xml"))
    assert cogiro.parameters["space"] == [[-7.0, -5.0, 0.0], [7.0, 5.0, 5.0]]
    assert "rotation_limit" not in cogiro.parameters  # half a turn is none
    assert cogiro.pose.position == (0.0, 0.0, 2.0)
    limits = read_robot(found("own/limits_cables.xml"))
    assert limits.parameters["space"] == [[-1.0, -1.0, 1.0], [1.0, 1.0, 3.0]]
    assert limits.parameters["rotation_limit"] == 0.1
    spring = read_robot(found("own/spring_cables.xml"))
    assert (spring.parameters["axial_stiffness"], spring.parameters["cable_diameter"]) == ([5e4] * 8, 0.03)


def test_what_a_file_says_of_its_cables_lengths_is_listed():
    unread = " ".join(read_robot(found("wirex/IPAnema.wcrfx")).unread)
    assert "winch/cable@dl_max = 0 (not read: the format does not say from where it counts)" in unread
    assert "radius" not in unread
    beside = read_robot(found("caspr/CAROCA/CAROCA_cables.xml")).unread
    assert "CAROCA_trajectories.xml, beside the robot's files: joint_trajectories" in beside


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("caspr/KNTU_planar/KNTU_planar_cables.xml", {"freedoms": "1R2T", "plane": "xy", "f_max": 60.0}),
        ("caspr/Example_planar_XY/Example_planar_XY_cables.xml", {"freedoms": "1R2T", "f_min": 0.01}),
        ("caspr/Example_point_XZ/Example_point_XZ_cables.xml", {"freedoms": "2T", "plane": "xz"}),
        ("caspr/NIST_ROBOCRANE/NIST_RoboCrane_cables.xml", {"f_max": [1e3, 5e3, 1e3, 5e3, 5e3, 5e3]}),
        ("caspr/SpiderBot_UR3/SpiderBot_UR3_cables.xml", {"pulley_radius": 0.045, "rotation_limit": 0.1}),
        ("wirex/2DIPAnema2.wcrfx", {"freedoms": "1R2T", "plane": "xy", "f_min": 40.0, "f_max": 1000.0}),
        ("wirex/IPAnema2.wcrfx", {"pulley_radius": 0.25, "pulley_axis": [0.0, 0.0, 1.0]}),
        ("wirex/CoGiRo.wcrfx", {"pulley_radius": 0.1, "max_cable_speed": 2.0, "winch_radius": 0.1}),
        ("gazebo/caroca.yaml", {"platform_half_size": [0.6, 0.3, 0.2], "f_min": 50.0, "f_max": 1e4}),
        ("gazebo/cube.yaml", {"freedoms": "3T", "cable_diameter": 0.01, "max_cable_speed": 10.0}),
    ],
)
def test_freedoms_wheels_and_limits_of_cables_are_read(name, settings):
    given = read_robot(found(name)).parameters
    assert {path: given[path] for path in settings} == settings


def test_the_links_of_an_arm_of_caspr_are_its_arm():
    robot = read_robot(found("caspr/SpiderBot_UR3/SpiderBot_UR3_cables.xml"))
    assert robot.parameters["platform_body"]["mass"] == 10.0
    assert [link["mass"] for link in robot.parameters["arm_links"]] == [2.0, 3.42, 1.26, 0.8, 0.8, 0.35]
    assert robot.parameters["arm_posture"] == [0.0, 0.0, 0.0, 0.0, -1.5708, 0.0]
    assert robot.parameters["pulley_axis"][:2] == [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
    assert any("an arm of 6 joints (UR3 shoulder, UR3 upper arm" in text for text in robot.assumed)


def test_a_link_of_an_arm_without_a_number_is_refused(tmp_path):
    for file in found("caspr/SpiderBot_UR3").glob("*.xml"):
        (tmp_path / file.name).write_text(file.read_text().replace('num="4"', 'num="four"'))
    with pytest.raises(InputError, match="has a link with the number 'four'"):
        read_robot(tmp_path)


def test_a_platform_on_four_cables_keeps_their_directions_as_a_point():
    robot = read_robot(found("gazebo/cube.yaml")).parameters
    assert robot["pulleys"][0] == [-1.8, -1.8, 4.0]  # of (-2, -2, 4) and (-0.2, -0.2, 0)
    assert robot["attachments"] == [[0.0, 0.0, 0.0]] * 4


def with_pulleys(folder, change=lambda text: text):
    """CAROCA with its set of cables over rotating pulleys, changed."""
    for file in found("caspr/CAROCA").glob("*.xml"):
        text = file.read_text().replace(
            'default_cable_set="original"', 'default_cable_set="with_rotating_pulleys"'
        )
        (folder / file.name).write_text(change(text))
    return folder


def test_wheels_of_caspr_swivel_about_the_direction_in_which_cables_enter(tmp_path):
    robot = read_robot(with_pulleys(tmp_path)).parameters
    assert (robot["pulley_radius"], robot["pulley_axis"]) == (0.045, [0.0, 0.0, 1.0])
    assert robot["pulleys"][0] == [1.659, -2.85, 3.221]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<pulley_radius>0.045", "<pulley_radius>9", "cable '1' has a pulley with a radius of 9 m, which holds the attachment"),
        ("<pulley_radius>0.045", "<pulley_radius>-1", "cable '1' has a pulley with a radius of -1 m"),
        ("<cable_entry_vector>0 0 1", "<cable_entry_vector>0 0 0", "cable '1' has a pulley whose swivel axis has no length"),
        ("<force_max>1000", "<force_max>0", "cable '1' has f_min = 0 N, which must be less than its f_max = 0 N"),
    ],
)  # fmt: skip
def test_what_no_cable_has_is_refused_with_its_cable(tmp_path, old, new, message):
    def changed(text):
        begin, mark, rest = text.partition('<cable_set id="with_rotating_pulleys">')
        return begin + mark + rest.replace(old, new, 1)

    with pytest.raises(InputError, match=message):
        read_robot(with_pulleys(tmp_path, changed))


# ---------------------------------------------------------------- placeholders


CORNERS = np.array([[x, y, z] for x in (-0.06, 0.06) for y in (-0.06, 0.06) for z in (0.0, 0.1)])


def test_a_body_that_its_platform_can_have_is_believed():
    inertia = np.diag([0.1, 0.12, 0.08])
    body = plausible_body(10.0, np.array([0.01, 0.0, -0.3]), inertia, CORNERS)
    assert (body.centre.tolist(), body.inertia.tolist(), body.doubts) == (
        [0.01, 0.0, -0.3],
        inertia.tolist(),
        [],
    )


def test_a_weight_beside_the_platform_is_not_believed_and_offered():
    body = plausible_body(25.0, np.array([0.0, 1.0, 0.2]), np.zeros((3, 3)), CORNERS)
    assert body.centre.tolist() == [0.0, 0.0, 0.05]
    (doubt,) = body.doubts
    assert doubt.endswith("to have the file's, set platform_body.centre_of_mass = [0, 1, 0.2]")


@pytest.mark.parametrize(
    ("moments", "why"),
    [
        ((14.0, 0.0, 0.0), "one far exceeds the sum of the two others"),
        ((14.0, 14.0, 14.0), "put 25 kg beyond 0.445 m"),
    ],
)
@pytest.mark.parametrize("mass", [25.0, 5e-324])
def test_moments_of_inertia_of_no_such_body_are_not_believed(moments, why, mass):
    why = why.replace("25", f"{mass:g}")
    body = plausible_body(mass, np.zeros(3), np.diag(moments), CORNERS)
    assert not body.inertia.any()
    assert why in body.doubts[0]
    assert "set platform_body.inertia = [14, " in body.doubts[0]


# ---------------------------------------------------------------- assumptions


TEXT = "dof 6\nnow 8\nfmin {least}\nfmax {greatest}\n" + "".join(
    f"base {n} {2 * x} {2 * y} {2 * z}\nplatform {n} {x * (0.2 if z > 0 else 0.15)} {y * (0.15 if z > 0 else 0.2)} {z / 10}\n"
    for n, (x, y, z) in enumerate(((x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)), 1)
)  # fmt: skip


def verdict_of(folder, text, name="box.txt"):
    (folder / name).write_text(text)
    (told,) = begin_study(robots=[read_robot(folder / name)], folder=folder, name="box").verdicts.values()
    return " ".join(told)


def test_the_assumption_on_which_a_robot_hangs_is_named(tmp_path):
    told = verdict_of(tmp_path, TEXT.format(least=1, greatest=5))
    assert "it is INFEASIBLE: no cell of the space can hold every wrench" in told
    assert told.endswith("It hangs on an assumption: what the cables hold (wrench_set).")
    assert verdict_of(tmp_path, TEXT.format(least=1, greatest=500)).startswith(
        "As read, it has a workspace of "
    )


def test_a_robot_that_fails_at_its_own_pose_says_so(tmp_path):
    for end in ("bodies", "cables"):
        text = found(f"own/limits_{end}.xml").read_text()
        (tmp_path / f"box_{end}.xml").write_text(text.replace('q_initial="0 0 2', 'q_initial="0 0 9'))
    (told,) = begin_study(robots=[read_robot(tmp_path)], folder=tmp_path, name="box").verdicts.values()
    assert told[0].startswith("As read, it has a workspace of 7.78 m^3")
    pose = "At the pose in which the file has it, [0, 0, 9] m"
    assert told[1].startswith(f"{pose}, it is infeasible: no tensions within the limits hold the loads")


@pytest.mark.parametrize(("mass", "greatest"), [(1.0, 100.0), (150.0, 20_000.0)])
def test_a_greatest_tension_that_is_assumed_lifts_the_known_mass(tmp_path, mass, greatest):
    text = found("own/wirex-placeholder.wcrfx").read_text()
    text = text.replace('mass="25.0"', f'mass="{mass}"').replace('<cable f_max="720.0"/>', "")
    (tmp_path / "box.wcrfx").write_text(text)
    begun = begin_study(robots=[read_robot(tmp_path / "box.wcrfx")], folder=tmp_path, name="box")
    (problem,) = check_text(begun.text, "box.toml", check, tmp_path)[1].values()
    record = load("hybrid-cable-robot").resolve(None, problem.settings)
    assert record.f_max == greatest > mass * 9.81
    assert f"f_max = {greatest:g} N" in begun.text


def test_a_mass_of_zero_is_none_and_a_negative_one_is_refused(tmp_path):
    text = found("own/wirex-placeholder.wcrfx").read_text()
    (tmp_path / "box.wcrfx").write_text(text.replace('mass="25.0"', 'mass="0"'))
    robot = read_robot(tmp_path / "box.wcrfx")
    assert "platform_body" not in robot.parameters
    assert any("is not known" in each for each in robot.assumed)
    (tmp_path / "box.wcrfx").write_text(text.replace('mass="25.0"', 'mass="-3"'))
    with pytest.raises(InputError, match="a mass must be positive"):
        read_robot(tmp_path / "box.wcrfx")


# ---------------------------------------------------------------- planar robots and cranes


def planar(ends):
    lines = [f"base {n} {x} 0 {z}\nplatform {n} {a} 0 {b}\n" for n, ((x, z), (a, b)) in enumerate(ends, 1)]
    return f"dof 3\nnow {len(lines)}\nfmin 1\nfmax 50\n" + "".join(lines)


CORNERS_OF_A_FRAME = [(2.0, 2.0), (2.0, -2.0), (-2.0, -2.0), (-2.0, 2.0)]


@pytest.mark.parametrize("crossed", [False, True])
def test_cables_of_a_planar_robot_that_cross_run_in_layers(tmp_path, crossed):
    ends = [((x, z), (x / 10, -z / 10 if crossed else 0.0)) for x, z in CORNERS_OF_A_FRAME]
    (tmp_path / "plane.txt").write_text(planar(ends))
    robot = read_robot(tmp_path / "plane.txt")
    assert robot.parameters.get("check_interference", True) is not crossed
    begun = begin_study(robots=[robot], folder=tmp_path, name="box")
    ((told,),) = begun.verdicts.values()
    assert told.startswith("As read, it has a workspace of ")
    assert "m^2 in the plane xz" in told
    assert ("check_interference = false  # the cables run in layers" in begun.text) is crossed


def test_pulleys_of_a_planar_robot_move_in_its_plane(tmp_path):
    ends = [((x, z), (x / 10, z / 10)) for x, z in CORNERS_OF_A_FRAME]
    (tmp_path / "plane.txt").write_text(planar(ends))
    text = begin_study(robots=[read_robot(tmp_path / "plane.txt")], folder=tmp_path, name="box").text
    (problem,) = check_text(text, "box.toml", check, tmp_path)[1].values()
    for corner in (np.zeros(len(problem.space)), np.ones(len(problem.space))):
        record = problem.model.resolve(None, {**problem.settings, **problem.space.decode(corner)})
        assert {point[1] for point in (*record.pulleys, *record.attachments)} == {0.0}
    lower, upper = record.space
    assert (lower[1], upper[1]) == (-0.5, 0.5)  # 1 m thick, the plane in its middle


def test_a_level_planar_robot_has_no_height_and_a_crane_no_width_of_its_point(tmp_path):
    text = begin_study(
        robots=[read_robot(found("caspr/KNTU_planar/KNTU_planar_cables.xml"))], folder=tmp_path, name="box"
    ).text
    assert "pulley_height" not in text
    text = begin_study(robots=[read_robot(found("gazebo/cube.yaml"))], folder=tmp_path, name="box").text
    assert "pulley_height" in text
    assert "platform_radius" not in text
    assert "platform_half_size" not in text


def test_a_table_may_have_limits_of_each_cable(tmp_path):
    rows = [
        "pulley_x [m],pulley_y [m],pulley_z [m],attachment_x [m],attachment_y [m],attachment_z [m],f_max [N]"
    ]
    for n, (x, y, z) in enumerate(CORNERS * [30, 30, 20]):
        rows.append(f"{x},{y},{z},{x / 20},{-y / 20},{z / 20},{100 + 10 * n}")
    (tmp_path / "own.csv").write_text("\n".join(rows))
    text = begin_study(tables=[tmp_path / "own.csv"], folder=tmp_path, name="box").text
    (problem,) = check_text(text, "box.toml", check, tmp_path)[1].values()
    assert problem.model.resolve(None, problem.settings).f_max == tuple(100.0 + 10 * n for n in range(8))
