"""Arms of foreign files as tables of joints: places and wrenches are those of pinocchio, in any frames."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from errors import InputError
from models import load
from models.hybrid_cable_robot import ArmMotion, PlatformMotion, forward_kinematics, platform_wrench
from models.hybrid_cable_robot.bodies import ARM_JOINTS
from models.numerics.rotations import rotation_matrix
from studies.exchange.formats import FORMATS, design_file
from studies.exchange.robot_files import read_robot
from tests.left_out import package
from tests.models.hybrid_cable_robot.arms import arm_of
from tests.studies.exchange.conftest import SMALL
from tests.studies.exchange.test_foreign_robots import found
from tests.studies.exchange.test_link_trees import read, refused, urdf

MODEL = load("hybrid-cable-robot")
KINDS = {"R": "revolute", "P": "prismatic", "C": "continuous"}


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def link(name, mass=1.0, centre=(0, 0, 0)):
    return (
        f'<link name="{name}"><inertial><origin xyz="{numbers(centre)}"/><mass value="{mass}"/>'
        '<inertia ixx=".02" iyy=".03" izz=".04" ixy=".001" ixz="0" iyz=".002"/></inertial></link>'
    )


def joint(name, kind, parent, child, xyz=(0, 0, 0), rpy=(0, 0, 0), axis=(0, 0, 1), limits=(-1, 1)):
    ends = (
        "" if limits is None else f'<limit lower="{limits[0]}" upper="{limits[1]}" effort="1" velocity="1"/>'
    )
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{numbers(xyz)}" rpy="{numbers(rpy)}"/><axis xyz="{numbers(axis)}"/>{ends}</joint>'
    )


def random_chain(kinds, seed, axes=None):
    """An arm with frames and axes in any direction, and a tool on it."""
    rng = np.random.default_rng([seed, *map(ord, kinds)])
    parts, above = [], "platform"
    for number, kind in enumerate(kinds):
        axis = rng.normal(size=3) if axes is None else axes[number]
        parts.append(link(f"l{number}", rng.uniform(0.5, 2), rng.uniform(-0.1, 0.1, 3)))
        place, turn = rng.uniform(-0.3, 0.3, 3), rng.uniform(-1, 1, 3) * (axes is None)
        limits = None if kind == "C" else (-0.5, 0.75)
        parts.append(joint(f"q{number}", KINDS[kind], above, f"l{number}", place, turn, axis, limits))
        above = f"l{number}"
    parts.append(f'<link name="tool0"/>{joint("t", "fixed", above, "tool0", (0.05, -0.02, 0.1))}')
    return "".join(parts)


def tool_of(parameters, coordinates):
    positions, rotations = forward_kinematics(coordinates, parameters.arm_joints)
    base = rotation_matrix(np.array(parameters.arm_base_rotation))
    return np.array(parameters.arm_base_position) + base @ (
        positions[-1] + rotations[-1] @ parameters.arm_tool
    )


CHAINS = [
    ("R", None), ("P", None), ("RPR", None), ("RRRRRR", None), ("PRCPRRPR", None),
    ("RRR", np.eye(3)[[2, 2, 2]]),  # parallel axes
    ("PPP", np.eye(3)),
    ("RRRRRR", np.eye(3)[[2, 1, 1, 1, 2, 1]]),  # as of CASPR's UR3
    ("RPR", -np.eye(3)[[2, 2, 2]]),
]  # fmt: skip


@pytest.mark.parametrize(("kinds", "axes"), CHAINS)
def test_an_arm_in_any_frames_moves_and_weighs_as_pinocchio_has_it(kinds, axes):
    pin = package("pinocchio", "arms of files beside pinocchio")
    more = random_chain(kinds, 1, axes)
    robot = read(more=more)
    parameters = MODEL.resolve(None, {**robot.parameters, **SMALL})
    limits = [[-np.pi if k == "C" else -0.5 for k in kinds], [np.pi if k == "C" else 0.75 for k in kinds]]
    np.testing.assert_allclose(parameters.arm_joint_limits, limits)
    model = pin.buildModelFromXML(urdf(more=more))
    data, rng = model.createData(), np.random.default_rng(2)
    for _ in range(5):
        values, rates, seconds = rng.uniform(-1, 1, (3, len(kinds)))
        q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        for number, kind in enumerate(kinds):
            place = model.joints[model.getJointId(f"q{number}")]
            angle = [np.cos(values[number]), np.sin(values[number])] if kind == "C" else [values[number]]
            q[place.idx_q : place.idx_q + place.nq] = angle
            v[place.idx_v], a[place.idx_v] = rates[number], seconds[number]
        pin.framesForwardKinematics(model, data, q)
        platform = data.oMf[model.getFrameId("platform")]
        theirs = platform.actInv(data.oMf[model.getFrameId("tool0")]).translation
        np.testing.assert_allclose(tool_of(parameters, values), theirs, atol=1e-12)
        tau = pin.rnea(model, data, q, v, a)
        still, arm = PlatformMotion.at_rest((0, 0, 0), (0, 0, 0)), ArmMotion(values, rates, seconds)
        # pyrefly: ignore[bad-argument-type]
        ours = platform_wrench(parameters, still, arm)
        np.testing.assert_allclose(ours.wrench, tau[:6], atol=1e-9 * np.abs(tau).max())
        first = [model.joints[model.getJointId(f"q{number}")].idx_v for number in range(len(kinds))]
        np.testing.assert_allclose(ours.torques, tau[first], atol=1e-9 * np.abs(tau).max())


@pytest.mark.parametrize("kind", ["urdf", "sdf", "json"])
@pytest.mark.parametrize("kinds", ["P", "RPR", "RRRRRRRR"])
def test_a_written_arm_is_read_again(tmp_path, kind, kinds):
    written = arm_of(kinds, arm_tool=[0.1, 0.02, -0.03], f_max=100.0, cells=4)
    file = tmp_path / f"robot.{FORMATS[kind].ending}"
    file.write_bytes(design_file(MODEL, written, kind).content)
    again = MODEL.resolve(None, {**read_robot(file).parameters, **SMALL})
    for ours, read_row in zip(written.arm_joints, again.arm_joints, strict=True):
        assert ours.kind == read_row.kind
        for name in ("a", "alpha", "d", "offset"):
            assert getattr(read_row, name) == pytest.approx(getattr(ours, name), abs=1e-9)
    np.testing.assert_allclose(again.arm_joint_limits, written.arm_joint_limits, atol=1e-12)
    np.testing.assert_allclose(again.arm_tool, written.arm_tool, atol=1e-12)
    values = np.linspace(-0.6, 0.7, len(kinds))
    np.testing.assert_allclose(tool_of(again, values), tool_of(written, values), atol=1e-9)
    for ours, read_link in zip(written.arm_links, again.arm_links, strict=True):
        np.testing.assert_allclose(read_link.inertia, ours.inertia, atol=1e-9)


def test_the_arm_of_the_paper_keeps_its_table(tmp_path):
    file = tmp_path / "robot.urdf"
    file.write_bytes(design_file(MODEL, MODEL.resolve("constrained", {"cells": 4}), "urdf").content)
    robot = read_robot(file)
    assert "arm_joints" not in robot.parameters
    assert MODEL.resolve(None, {**robot.parameters, **SMALL}).arm_joints == ARM_JOINTS


def test_an_arm_is_told_with_what_is_assumed_of_it():
    robot = read(more=link("l") + joint("slide", "prismatic", "platform", "l", limits=None))
    assert any("has no limits in the file: no travel" in text for text in robot.assumed)
    assert any("an arm of 1 joint (slide)" in text and "arm_tool" in text for text in robot.assumed)
    assert robot.parameters["arm_joint_limits"] == [[0.0], [0.0]]


GRIPPER = (
    link("hand") + joint("wrist", "revolute", "platform", "hand")
    + link("left") + joint("l", "prismatic", "hand", "left")
    + link("right") + joint("r", "prismatic", "hand", "right")
)  # fmt: skip


def test_an_arm_that_branches_is_refused_with_the_place():
    text = refused(more=GRIPPER)
    assert "branches: its link 'hand' carries the joints 'l' and 'r'" in text
    assert "type fixed" in text
    fixed = GRIPPER.replace('name="l" type="prismatic"', 'name="l" type="fixed"')
    assert len(read(more=fixed).parameters["arm_joints"]) == 2


def test_an_arm_with_a_loop_or_an_axis_without_length_is_refused_with_the_place():
    again = joint("back", "revolute", "left", "hand")
    assert "the link 'hand' hangs on two joints, 'wrist' and 'back'" in refused(more=GRIPPER + again)
    flat = link("l") + joint("flat", "revolute", "platform", "l", axis=(0, 0, 0))
    assert "the joint 'flat' has an axis of length 0" in refused(more=flat)


def test_more_joints_than_an_arm_has_count_with_the_platform():
    robot = read(more=random_chain("R" * 9, 4))
    assert any("9 moving joints on the platform stand at zero" in text for text in robot.assumed)
    assert "arm_joints" not in robot.parameters


def test_two_arms_on_one_platform_count_with_it():
    two = (
        link("a")
        + joint("a", "revolute", "platform", "a")
        + link("b")
        + joint("b", "revolute", "platform", "b")
    )
    robot = read(more=two)
    assert robot.parameters["platform_body"]["mass"] == 12.0


def test_links_of_caspr_in_a_row_are_an_arm():
    """Its tool is where the last link ends, by the product of turns and shifts that the file has."""
    robot = read_robot(found("caspr/SpiderBot_UR3"))
    parameters = MODEL.resolve(None, {**robot.parameters, **SMALL})
    assert sum(each.mass for each in parameters.arm_links) == pytest.approx(8.63)
    places = [
        [0, 0, 0.341], [0, 0.1198, -0.02], [0.255, -0.0925, 0], [0.2245, -0.007, 0], [0, 0.0792, -0.043],
        [0, 0.043, -0.0405],
    ]  # fmt: skip
    for values in np.random.default_rng(3).uniform(-1, 1, (10, 6)):
        turn, place = Rotation.identity(), np.zeros(3)
        for at, axis, value in zip(places, "ZYYYZY", values, strict=True):
            place = place + turn.apply(at)
            turn = turn * Rotation.from_rotvec(value * np.eye(3)["XYZ".index(axis)])
        np.testing.assert_allclose(
            tool_of(parameters, values), place + turn.apply([0, 0.0325, 0]), atol=1e-12
        )


def test_bad_input_is_an_error_of_ours():
    with pytest.raises(InputError):
        read(more=link("l") + joint("q", "revolute", "platform", "l", axis=(0, 0, "nan")))
