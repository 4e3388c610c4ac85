"""URDF and SDF are read by pinocchio and by Drake: their kinematics are those of the back-end."""

import numpy as np
import pytest

from models import load
from models.flexible_arm.arm import arm_of
from models.hybrid_cable_robot.arm.kinematics import forward_kinematics
from models.hybrid_cable_robot.freedoms import wrench_rows
from models.hybrid_cable_robot.robot import pulley_points
from models.numerics.rotations import rotation_matrix
from studies.exchange.formats import design_file
from studies.exchange.robot_description import _angles, upright
from studies.exchange.robot_files import read_robots
from tests.left_out import package

ROBOT, ARM = "hybrid-cable-robot", "flexible-arm"
ANGLES = np.array([0.3, -0.7, 0.5, 1.1, -0.4, 0.2])


@pytest.fixture(scope="module")
def pin():
    return package("pinocchio", "exported robots in another program")


@pytest.fixture(scope="module")
def drake():
    package("pydrake", "exported robots in another program")
    from pydrake.multibody import parsing, plant

    def parsed(content, kind):
        found = plant.MultibodyPlant(0.0)
        (model,) = parsing.Parser(found).AddModelsFromString(content.decode(), kind)
        found.Finalize()
        return found, model

    return parsed


def test_urdf_has_the_points_bodies_and_kinematics_of_the_robot(pin, cable_robot):
    content = design_file(load(ROBOT), cable_robot, "urdf").content.decode()
    model = pin.buildModelFromXML(content)
    data = model.createData()
    q = pin.neutral(model)
    mechanism = load(ROBOT).mechanism(cable_robot)
    (platform,) = (joint for joint in mechanism.joints if joint.kind == "floating")
    for number, angle in enumerate(ANGLES, 1):
        q[model.joints[model.getJointId(f"arm_joint_{number}")].idx_q] = angle
    pin.framesForwardKinematics(model, data, q)

    def place(name):
        return data.oMf[model.getFrameId(name)]

    np.testing.assert_allclose(place("platform").translation, platform.position, atol=1e-12)
    for number, pulley in enumerate(pulley_points(cable_robot), 1):
        np.testing.assert_allclose(place(f"cable_{number}_pulley").translation, pulley, atol=1e-12)
        end = platform.position + np.array(cable_robot.attachments[number - 1])
        np.testing.assert_allclose(place(f"cable_{number}_attachment").translation, end, atol=1e-12)
    positions, rotations = forward_kinematics(ANGLES)
    turned = rotation_matrix(np.array(cable_robot.arm_base_rotation))
    base = platform.position + np.array(cable_robot.arm_base_position)
    for number in range(6):
        found = place(f"arm_link_{number + 1}")
        np.testing.assert_allclose(found.translation, base + turned @ positions[number], atol=1e-9)
        np.testing.assert_allclose(found.rotation, turned @ rotations[number], atol=1e-9)
    body = model.inertias[model.getJointId("platform_joint")]
    assert body.mass == 2.0
    np.testing.assert_allclose(body.inertia, cable_robot.platform_body.tensor, atol=1e-12)
    assert sum(each.mass for each in model.inertias) == pytest.approx(2.0 + 6 * 0.3)


@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_drake_loads_both_and_finds_the_same_poses(drake, cable_robot, kind):
    plant, model = drake(design_file(load(ROBOT), cable_robot, kind).content, kind)
    context = plant.CreateDefaultContext()
    mechanism = load(ROBOT).mechanism(cable_robot)
    (platform,) = (joint for joint in mechanism.joints if joint.kind == "floating")
    assert plant.CalcTotalMass(context) == pytest.approx(2.0 + 6 * 0.3, abs=1e-5)
    for number, angle in enumerate(ANGLES, 1):
        plant.GetJointByName(f"arm_joint_{number}", model).set_angle(context, angle)
    pose = plant.GetFrameByName("platform", model).CalcPoseInWorld(context)
    at = pose.translation()
    if kind == "sdf":  # the file holds where a floating link is; URDF has it as the origin of a joint
        np.testing.assert_allclose(at, platform.position, atol=1e-9)
    positions, rotations = forward_kinematics(ANGLES)
    turned = rotation_matrix(np.array(cable_robot.arm_base_rotation))
    last = plant.GetFrameByName("arm_link_6", model).CalcPoseInWorld(context)
    where = at + np.array(cable_robot.arm_base_position) + turned @ positions[5]
    np.testing.assert_allclose(last.translation(), where, atol=1e-9)
    np.testing.assert_allclose(last.rotation().matrix(), turned @ rotations[5], atol=1e-9)
    for number, pulley in enumerate(pulley_points(cable_robot), 1):
        frame = plant.GetFrameByName(f"cable_{number}_pulley", model)
        np.testing.assert_allclose(frame.CalcPoseInWorld(context).translation(), pulley, atol=1e-9)
        frame = plant.GetFrameByName(f"cable_{number}_attachment", model)
        end = at + np.array(cable_robot.attachments[number - 1])
        np.testing.assert_allclose(frame.CalcPoseInWorld(context).translation(), end, atol=1e-9)


@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_a_chain_of_links_stands_upright_and_as_it_starts(drake, arm, kind):
    plant, model = drake(design_file(load(ARM), arm, kind).content, kind)
    context = plant.CreateDefaultContext()
    for number, (x, y) in enumerate(arm.ends[:-1], 1):
        frame = plant.GetFrameByName(f"link_{number}", model).CalcPoseInWorld(context)
        np.testing.assert_allclose(frame.translation(), [x, 0.0, y], atol=1e-9)
    assert plant.num_positions() == arm.links
    # the mass matrix of a chain of rigid links about one fixed point: a pendulum's by hand
    masses = plant.CalcMassMatrix(context)
    chain = arm_of(arm)
    assert masses[-1, -1] == pytest.approx(chain.m2[-1])


def test_the_file_says_what_it_does_not_hold(cable_robot):
    found = design_file(load(ROBOT), load(ROBOT).resolve("constrained", {"cells": 6}), "urdf")
    assert "Cables close loops" in found.content.decode()
    assert any("platform has a principal moment of inertia" in warning for warning in found.warnings)
    assert not design_file(load(ROBOT), cable_robot, "urdf").warnings


def test_own_pulleys_have_neither_the_arm_nor_silently_the_mass_of_the_paper():
    # pyrefly: ignore[bad-argument-type]
    pulleys = pulley_points(load(ROBOT).resolve("constrained", {})).tolist()
    own = load(ROBOT).resolve(None, {"pulleys": pulleys, "cells": 6})
    found = design_file(load(ROBOT), own, "sdf")
    assert b'name="arm_link' not in found.content
    assert [warning for warning in found.warnings if "set platform_body" in warning]


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
def test_upwards_becomes_z(up):
    axis = np.zeros(3)
    axis["xyz".index(up[-1])] = -1.0 if up[0] == "-" else 1.0
    np.testing.assert_array_equal(upright(up) @ axis, [0.0, 0.0, 1.0])
    assert np.linalg.det(upright(up)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "vector",
    [(0.0, 0.0, 0.0), (0.4, -1.1, 2.0), (np.pi, 0.0, 0.0), (0.0, np.pi / 2, 0.0), (0.0, -np.pi / 2, 0.0)],
)
def test_roll_pitch_and_yaw_give_the_rotation_again(vector):
    rotation = rotation_matrix(np.array(vector))
    roll, pitch, yaw = (
        rotation_matrix(turn * axis) for turn, axis in zip(_angles(rotation), np.eye(3), strict=True)
    )
    np.testing.assert_allclose(yaw @ pitch @ roll, rotation, atol=1e-12)


def test_a_robot_without_rigid_links_is_refused_with_the_formats_that_there_are():
    from errors import InputError

    model = load("continuum-statics")
    with pytest.raises(InputError, match="it offers json, csv, dxf, step, vtk, gltf, netcdf"):
        design_file(model, model.resolve(None, {}), "urdf")


WHEELS = {
    "cells": 4,
    "orientations": "nominal",
    "pulley_radius": [0.02, 0.03, *[0.02] * 6],
    "pulley_axis": [[0.0, 0.0, 1.0]] * 4 + [[0.0, 0.0, -1.0]] * 4,
}


@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_wheels_are_cylinders_that_touch_their_cables(kind):
    from defusedxml.ElementTree import fromstring

    model = load(ROBOT)
    record = model.resolve("constrained", WHEELS)
    found = design_file(model, record, kind)
    root = fromstring(found.content)
    shapes = {each.get("name"): each for each in root.iter("visual")}
    assert len([name for name in shapes if name and name.endswith("_wheel")]) == 8

    def cylinder(name):
        """Middle, unit vector along z, radius and length."""
        shape = shapes[name]
        if kind == "urdf":
            pose = [*shape.find("origin").get("xyz").split(), *shape.find("origin").get("rpy").split()]
            size = shape.find("geometry/cylinder").attrib
        else:
            pose = shape.find("pose").text.split()
            size = {part.tag: part.text for part in shape.find("geometry/cylinder")}
        x, y, z, roll, pitch, yaw = map(float, pose)
        turns = [rotation_matrix(a * axis) for a, axis in zip((roll, pitch, yaw), np.eye(3), strict=True)]
        along = turns[2] @ turns[1] @ turns[0] @ np.eye(3)[2]
        # pyrefly: ignore[bad-argument-type]
        return np.array([x, y, z]), along, float(size["radius"]), float(size["length"])

    for number, radius in enumerate(record.pulley_radius, 1):
        center, axle, own, _ = cylinder(f"pulley_{number}_wheel")
        assert own == pytest.approx(radius, rel=1e-12)
        middle, along, _, length = cylinder(f"cable_{number}")
        leaving = min(
            (middle - length / 2 * along, middle + length / 2 * along),
            key=lambda end: np.linalg.norm(end - center),
        )
        assert np.linalg.norm(leaving - center) == pytest.approx(radius, abs=1e-9)  # on the wheel
        assert (leaving - center) @ along == pytest.approx(0.0, abs=1e-9)  # tangent to it
        assert axle @ along == pytest.approx(0.0, abs=1e-9)  # in its plane
        # pyrefly: ignore[bad-argument-type]
        point = pulley_points(record)[number - 1]
        assert np.linalg.norm(point - center) == pytest.approx(radius, abs=1e-9)  # A is on the wheel
    assert any("they neither turn nor swivel" in text for text in found.warnings)


def robot_of_pattern(freedoms, plane="xz", **more):
    """A platform of a motion pattern on eight cables from the corners of a box, or four in a plane."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    size = np.array([0.0, 0.0, 0.0] if freedoms in ("3T", "2T") else [0.1, 0.05, 0.08])
    if freedoms in ("1R2T", "2T"):
        normal = "zyx"[["xy", "xz", "yz"].index(plane)]
        signs[:, "xyz".index(normal)] = 0.0
        signs = np.unique(signs, axis=0)
    if freedoms == "2R3T":
        size[1:] = 0.0
    settings = {"freedoms": freedoms, "plane": plane, "pulleys": signs.tolist(), "cells": 4}
    settings |= {
        "attachments": (signs * size).tolist(),
        "arm_links": [{"mass": 0.0, "inertia": [0.0] * 6}] * 6,
    }
    return load(ROBOT).resolve(None, settings | more)


PATTERNS = [("1R2T", "xy", 3), ("1R2T", "xz", 3), ("1R2T", "yz", 3), ("2T", "xz", 2), ("3T", "xz", 3)]


@pytest.mark.parametrize("kind", ["urdf", "sdf"])
@pytest.mark.parametrize(("freedoms", "plane", "count"), PATTERNS)
def test_joints_of_the_platform_are_its_motion_pattern(freedoms, plane, count, kind):
    record = robot_of_pattern(freedoms, plane)
    found = design_file(load(ROBOT), record, kind)
    (robot,) = read_robots({f"robot.{kind}": found.content.decode()})
    assert robot.parameters["freedoms"] == freedoms
    assert robot.parameters.get("plane", plane) == plane
    np.testing.assert_allclose(robot.parameters["pulleys"], record.pulleys, atol=1e-12)
    np.testing.assert_allclose(robot.parameters["attachments"], record.attachments, atol=1e-12)
    assert robot.parameters["platform_body"]["mass"] == record.platform_body.mass
    assert not any("floats" in text for text in found.warnings)


@pytest.mark.parametrize(("freedoms", "plane", "count"), PATTERNS)
def test_pinocchio_moves_the_platform_as_its_motion_pattern_says(pin, freedoms, plane, count):
    record = robot_of_pattern(freedoms, plane)
    model = pin.buildModelFromXML(design_file(load(ROBOT), record, "urdf").content.decode())
    data = model.createData()
    assert model.nv == count
    pin.computeJointJacobians(model, data, pin.neutral(model))
    frame = model.getFrameId("platform")
    J = pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    np.testing.assert_allclose(np.abs(J).sum(axis=1), wrench_rows(freedoms, plane), atol=1e-12)
    np.testing.assert_allclose(np.abs(J).sum(axis=0), 1.0, atol=1e-12)
    ways = np.flatnonzero(wrench_rows(freedoms, plane)[:3])
    center = np.mean(record.space, axis=0)
    pin.updateFramePlacements(model, data)
    at = data.oMf[frame].translation
    np.testing.assert_allclose(
        model.lowerPositionLimit[: len(ways)] + at[ways], center[ways] - 0.5, atol=1e-9
    )


def test_what_a_robot_description_and_a_table_do_not_say_is_warned_of():
    model = load(ROBOT)
    warnings = design_file(model, robot_of_pattern("2R3T"), "urdf").warnings
    told = "the platform floats freely in the file, also about its bar: its motion pattern is 2R3T"
    assert told in warnings
    record = robot_of_pattern("1R2T", f_max=[20.0, 20.0, 10.0, 10.0])
    table = design_file(model, record, "csv")
    assert "the table has no freedoms: write them in the study file" in table.warnings
    rows = table.content.decode().splitlines()
    place = rows[0].split(",").index("f_max [N]")
    assert [float(row.split(",")[place]) for row in rows[1:]] == [20.0, 20.0, 10.0, 10.0]


@pytest.mark.parametrize("kind", ["gltf", "dxf"])
def test_drawings_have_the_wheels(kind):
    model = load(ROBOT)
    with_wheels, without = (
        design_file(model, model.resolve("constrained", settings), kind).content
        for settings in (WHEELS, {"cells": 4, "orientations": "nominal"})
    )
    assert len(with_wheels) > len(without)
    assert b"pulley 8" in with_wheels or kind == "dxf"
