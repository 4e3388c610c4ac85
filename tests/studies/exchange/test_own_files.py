"""Tautline reads the files that it writes, or says what the file is and what to give instead."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from errors import InputError
from models import load
from models.hybrid_cable_robot.robot import pulley_points
from studies.exchange.formats import FORMATS, design_file, formats_of
from studies.exchange.robot_files import read_robot, read_robots
from tests.studies.exchange.conftest import SMALL

MODEL = load("hybrid-cable-robot")
READ = {"json", "urdf", "sdf"}


def written(folder, design, kind, model=MODEL):
    file = folder / f"robot.{FORMATS[kind].ending}"
    file.write_bytes(design_file(model, design, kind).content)
    return file


@pytest.fixture
def turned(cable_robot):
    """A robot whose record has what a new study would not assume."""
    changed = {
        "clearance": 0.01,
        "weight_moment": "ignored",
        "task_box": [[-0.1, -0.1, 0.0], [0.1, 0.1, 0.1]],
    }
    return MODEL.resolve_over(cable_robot.model_dump(mode="json"), changed)


@pytest.mark.parametrize("kind", sorted(READ))
def test_a_description_gives_the_same_robot(tmp_path, turned, kind):
    robot = read_robot(written(tmp_path, turned, kind))
    again = MODEL.resolve(None, {**robot.parameters, **SMALL})
    # pyrefly: ignore[bad-argument-type]
    np.testing.assert_allclose(pulley_points(again), pulley_points(turned), atol=1e-12)
    np.testing.assert_allclose(again.attachments, turned.attachments, atol=1e-12)
    np.testing.assert_allclose(again.platform_half_size, turned.platform_half_size)
    assert again.platform_body.mass == turned.platform_body.mass
    np.testing.assert_allclose(again.platform_body.inertia, turned.platform_body.inertia, rtol=1e-9)
    for ours, read in zip(turned.arm_links, again.arm_links, strict=True):
        np.testing.assert_allclose(read.inertia, ours.inertia, atol=1e-15)
        np.testing.assert_allclose(read.centre_of_mass, ours.centre_of_mass, atol=1e-15)
    np.testing.assert_allclose(again.arm_joint_limits, turned.arm_joint_limits)
    np.testing.assert_allclose(again.arm_base_rotation, turned.arm_base_rotation, atol=1e-12)


def test_json_gives_every_parameter_again_and_lists_what_a_study_states_itself(tmp_path, turned, axial_robot):
    for design in (turned, axial_robot):
        robot = read_robot(written(tmp_path, design, "json"))
        again = MODEL.resolve(None, {**robot.parameters, **SMALL})
        superseded = {"pulleys", "orientations", *MODEL.parameters.supersedes["pulleys"]}
        if design.axial_stiffness is not None:
            superseded.add("cable_stiffness")
        left = {name: value for name, value in again.model_dump().items() if name not in superseded}
        assert left == {name: value for name, value in design.model_dump().items() if name not in superseded}
        assert robot.unread == (
            f"parameters: cells = 6, orientations = {design.orientations} (a new study states its own)",
        )
        assert robot.assumed == ()


def test_json_of_a_robot_that_the_back_end_refuses_says_why(tmp_path, cable_robot):
    tree = json.loads(written(tmp_path, cable_robot, "json").read_text())
    for change, message in (
        ({"f_max": -1.0}, "has parameters that the back-end does not accept"),
        ({"strange": 1}, "unknown key 'strange'"),
    ):
        text = json.dumps({**tree, "parameters": tree["parameters"] | change})
        with pytest.raises(InputError, match=message):
            read_robots({"robot.json": text})


@pytest.mark.parametrize("kind", [kind for kind in formats_of(MODEL) if kind not in READ])
def test_any_other_file_says_what_it_is_and_what_to_give(tmp_path, cable_robot, kind):
    if kind == "step" and find_spec("OCP") is None:
        pytest.skip("the extra 'step' is not installed")
    file = written(tmp_path, cable_robot, kind)
    said = (
        "is a table: give it with --from-csv" if kind == "csv" else "give the robot as URDF, as SDF, as JSON"
    )
    with pytest.raises(InputError) as caught:
        read_robot(file)
    assert said in str(caught.value)
    sent = file.read_bytes().decode("utf-8", "replace")  # as a browser reads a file
    with pytest.raises(InputError) as caught:
        read_robots({file.name: sent})
    assert said in str(caught.value)


@pytest.mark.parametrize("kind", ["json", "urdf", "sdf"])
def test_robots_of_other_back_ends_are_refused_in_words(tmp_path, arm, kind):
    file = written(tmp_path, arm, kind, load("flexible-arm"))
    with pytest.raises(
        InputError, match=r"is a design of flexible-arm|has no links whose names hold 'pulley'"
    ):
        read_robot(file)


# ---------------------------------------------------------------- SDF of others


def sdf(old="", new="", kind="sdf"):
    design = MODEL.resolve("suspended", SMALL)
    # pyrefly: ignore[bad-argument-type]
    text = design_file(MODEL, design, kind).content.decode()
    assert old in text
    return text.replace(old, new) if old else text


def test_a_model_that_is_turned_as_a_whole_turns_pulleys_and_platform():
    (plain,) = read_robots({"a.sdf": sdf()})
    old = '<model name="hybrid-cable-robot">\n    <pose>0.0 0.0 0.0 0.0 0.0 0.0</pose>'
    new = '<model name="hybrid-cable-robot">\n    <pose>1 2 3 0 0 1.5707963267948966</pose>'
    (robot,) = read_robots({"a.sdf": sdf(old, new)})
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = np.array(plain.parameters["pulleys"]) @ quarter.T + [1, 2, 3]
    np.testing.assert_allclose(robot.parameters["pulleys"], moved, atol=1e-12)
    turned = np.array(plain.parameters["attachments"]) @ quarter.T
    np.testing.assert_allclose(robot.parameters["attachments"], turned, atol=1e-12)


def test_a_joint_beside_its_child_moves_it_about_its_own_place():
    joint = '<joint name="arm_joint_1" type="revolute">'
    (plain,) = read_robots({"a.sdf": sdf()})
    (robot,) = read_robots({"a.sdf": sdf(joint, f"{joint}<pose>0.1 0 0 0 0 0</pose>")})
    assert "arm_joints" not in plain.parameters
    mass = plain.parameters["platform_body"]["mass"]
    assert robot.parameters["platform_body"]["mass"] == pytest.approx(mass)
    assert [row["a"] for row in robot.parameters["arm_joints"]] == pytest.approx([0.1, -0.1, 0.19, 0, 0, 0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<model ", '<model name="a"/><model ', "holds 2 models in <sdf>"),
        ('<link name="frame">', '<include><uri>model://a</uri></include><link name="frame">', "includes other models"),
        ('<link name="frame">', '<static>true</static><link name="frame">', "is static"),
        ('<link name="frame">', '<link name="frame"/><link name="frame">', "two elements <link> of the name 'frame'"),
        ("<pose>0.0 0.0 0.0 ", "<pose>0.0 0.0 ", "is not 6 finite numbers"),
        ('<link name="platform">\n      <pose>', '<link name="platform">\n      <pose relative_to="platform">', "which is given in itself"),
        ('<link name="platform">\n      <pose>', '<link name="platform">\n      <pose relative_to="moon">', "given in 'moon', which is not there"),
        ("<parent>world</parent>", "<parent>moon</parent>", "given in 'moon', which is not there"),
        ('type="revolute">', 'type="revolute"><pose relative_to="frame">0 0 0 0 0 0</pose>', "is not given in its child"),
    ],
)  # fmt: skip
def test_other_models_are_refused_with_their_reason(old, new, message):
    with pytest.raises(InputError) as caught:
        read_robots({"a.sdf": sdf(old, new)})
    assert message in str(caught.value)


# ---------------------------------------------------------------- formats that are known and not read


GAZEBO = """frame: {type: box, lower: [-2, -2, 0], upper: [2, 2, 4]}
joints:
  actuated: {effort: 100, min: 5}
platform: {mass: 1}
points:
- frame: [-2.0, -2.0, 4.0]
  platform: [-0.2, -0.2, 0.0]
- frame: [2.0, -2.0, 4.0]
  platform: [0.2, -0.2, 0.0]
- frame: [0.0, 2.0, 4.0]
  platform: [0.0, 0.2, 0.0]
"""


def test_the_yaml_of_gazebo_gives_a_crane_on_three_cables():
    (robot,) = read_robots({"crane.yaml": GAZEBO})
    assert robot.parameters["freedoms"] == "3T"
    assert robot.parameters["pulleys"] == [[-1.8, -1.8, 4.0], [1.8, -1.8, 4.0], [0.0, 1.8, 4.0]]
    assert (robot.parameters["f_min"], robot.parameters["f_max"]) == (5.0, 100.0)
    assert robot.parameters["space"] == [[-2.0, -2.0, 0.0], [2.0, 2.0, 4.0]]
    assert robot.unread == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[-2.0, -2.0, 4.0]", "[-2.0, -2.0]", "point 1, frame must be 3 finite numbers"),
        ("mass: 1", "mass: one", "mass of the platform must be 1 finite number"),
        ("effort: 100", "effort: 5", "point 1 has f_min = 5 N, which must be less than its f_max = 5 N"),
        ("points:\n", "points: {}\nothers:\n", "'points' must be a list with 'frame' and 'platform'"),
    ],
)
def test_other_yaml_of_gazebo_is_refused_with_its_place(old, new, message):
    with pytest.raises(InputError, match=message):
        read_robots({"crane.yaml": GAZEBO.replace(old, new, 1)})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.xml", '<?xml version="1.0"?>\n<!-- a > b -->\n<mujoco model="a"/>', "is MJCF of MuJoCo"),
        ("a.stl", "solid robot\nfacet normal 0 0 1", "is STL, a mesh"),
        ("a.dxf", "999\nmade by hand\n  0\nSECTION\n", "is DXF"),
        ("a.xlsx", "PK\x03\x04", "save the sheet as CSV"),
        ("a.txt", "pulley_x [mm],pulley_y [mm]\n1,2", "is a table: give it with --from-csv"),
        ("a.csv", "1,2\n3,4", "is a table: give it with --from-csv"),
        ("a.txt", "nothing", "is no robot that is known: URDF (<robot>), SDF (<sdf>)"),
    ],
)
def test_formats_that_are_not_read_are_named(name, text, message):
    with pytest.raises(InputError) as caught:
        read_robots({name: text})
    assert message in str(caught.value)


def test_long_beginnings_are_looked_at_in_no_time(tmp_path):
    for text in (
        " " * 100_000,
        "<!" * 50_000,
        "999\n" * 25_000,
        "0\n" * 50_000,
        "pulley" * 15_000,
        "points:\n" * 12_000,
    ):
        with pytest.raises(InputError, match="is no robot that is known"):
            read_robots({"a.txt": text})
