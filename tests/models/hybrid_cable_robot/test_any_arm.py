"""Arms of none to eight revolute and prismatic joints beside pinocchio, plain numpy and closed forms."""

import math

import numpy as np
import pytest

from errors import InputError
from models import Evaluation
from models.hybrid_cable_robot import (
    ARM_JOINTS,
    MODEL,
    ArmMotion,
    PlatformMotion,
    arm_jacobian,
    evaluate_pose,
    follow_trajectory,
    forward_kinematics,
    inverse_kinematics,
    platform_wrench,
)
from models.hybrid_cable_robot.arm.kinematics import bias_acceleration
from models.hybrid_cable_robot.arm.weight_moments import moment_extremes, moments_at, rest_posture
from models.hybrid_cable_robot.motion.carried_mass import carried_mass
from models.hybrid_cable_robot.natural_frequencies import mass_matrix
from models.hybrid_cable_robot.obstacles.arrays import arm_capsules
from models.numerics.rotations import angular_motion, rotation_matrices, rotation_matrix
from tests.models.hybrid_cable_robot.arms import (
    arm_of,
    dh_transform,
    homogeneous,
    pinocchio_model,
    pinocchio_states,
)
from tests.oracles.arm_dynamics import platform_wrench_by_numpy

KINDS = ["R", "P", "RP", "PR", "PPP", "RRR", "RPRP", "RRPRR", "RRRRRR", "PRRRPRR", "RRRRRRRR", "PRPRPRPR"]
NOTHING = {"mass": 0.0, "inertia": [0.0] * 6}


def random_motion(rng, n, joints):
    r, rate, second = rng.uniform(-2, 2, (3, n, 3))
    w, alpha = angular_motion(r, rate, second)
    p, v, a = rng.normal(size=(3, n, 3))
    return PlatformMotion(p, rotation_matrices(r), v, a, w, alpha), ArmMotion(
        *rng.uniform(-3, 3, (3, n, joints))
    )


@pytest.mark.parametrize("kinds", KINDS)
def test_positions_are_those_of_separate_code(kinds):
    parameters = arm_of(kinds)
    pin, model = pinocchio_model(parameters)
    data, rng = model.createData(), np.random.default_rng(3)
    base = homogeneous(rotation_matrix(np.array(parameters.arm_base_rotation)), parameters.arm_base_position)
    for coordinates in rng.uniform(-3, 3, (20, len(kinds))):
        pin.forwardKinematics(model, data, np.concatenate([[0, 0, 0, 0, 0, 0, 1], coordinates]))
        positions, rotations = forward_kinematics(coordinates, parameters.arm_joints)
        for joint in range(len(kinds)):
            ours = base @ homogeneous(rotations[joint], positions[joint])
            np.testing.assert_allclose(ours, data.oMi[joint + 2].homogeneous, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kinds", KINDS)
def test_wrench_and_joint_torques_are_those_of_separate_code(kinds):
    parameters = arm_of(kinds)
    pin, model = pinocchio_model(parameters)
    data = model.createData()
    platform, arm = random_motion(np.random.default_rng(11), 40, len(kinds))
    ours = platform_wrench(parameters, platform, arm)
    for i, state in enumerate(pinocchio_states(pin, platform, arm)):
        tau, R = pin.rnea(model, data, *state), platform.rotation[i]
        theirs = np.concatenate([R @ tau[:3], R @ tau[3:6], tau[6:]])
        found = np.concatenate([ours.wrench[i], ours.torques[i]])
        np.testing.assert_allclose(found, theirs, rtol=0, atol=1e-12 * np.abs(tau).max())


@pytest.mark.parametrize("kinds", ["P", "RPRP", "PRPRPRPR"])
def test_compiled_recursion_is_the_plain_one(kinds):
    parameters = arm_of(kinds)
    motion = random_motion(np.random.default_rng(5), 30, len(kinds))
    ours, plain = platform_wrench(parameters, *motion), platform_wrench_by_numpy(parameters, *motion)
    np.testing.assert_allclose(ours.wrench, plain.wrench, rtol=1e-12, atol=1e-11)
    np.testing.assert_allclose(ours.torques, plain.torques, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("kinds", ["P", "RPRP", "PRPRPRPR"])
def test_power_of_cables_and_joints_is_the_change_of_pinocchios_energy(kinds):
    parameters = arm_of(kinds)
    pin, model = pinocchio_model(parameters)
    data, h = model.createData(), 1e-3
    t = h * np.arange(-2, 3)[:, None]
    a, b, c = np.random.default_rng(9).uniform(-1, 1, (3, 6 + len(kinds)))
    x, rate, second = a + b * t + c * t * t / 2 + t**3, b + c * t + 3 * t * t, c + 6 * t
    w, alpha = angular_motion(x[:, 3:6], rate[:, 3:6], second[:, 3:6])
    platform = PlatformMotion(x[:, :3], rotation_matrices(x[:, 3:6]), rate[:, :3], second[:, :3], w, alpha)
    arm = ArmMotion(x[:, 6:], rate[:, 6:], second[:, 6:])
    needed = platform_wrench(parameters, platform, arm)
    power = needed.wrench[2] @ np.concatenate([rate[2, :3], w[2]]) + needed.torques[2] @ arm.velocities[2]
    E = []
    for q, v, _ in pinocchio_states(pin, platform, arm):
        E.append(pin.computeKineticEnergy(model, data, q, v) + pin.computePotentialEnergy(model, data, q))
    assert power == pytest.approx((E[0] - 8 * E[1] + 8 * E[3] - E[4]) / (12 * h), rel=1e-8)


@pytest.mark.parametrize("kinds", KINDS)
def test_jacobian_and_its_change_are_differences_of_the_kinematics(kinds):
    joints, h = arm_of(kinds).arm_joints, 1e-6
    rng = np.random.default_rng(2)
    for angles, rates in rng.uniform(-3, 3, (10, 2, len(kinds))):
        (before, R0), (after, R1) = (forward_kinematics(angles + k * h * rates, joints) for k in (-1, 1))
        twist = arm_jacobian(angles, joints) @ rates
        np.testing.assert_allclose((after - before)[-1] / (2 * h), twist[:3], atol=1e-7)
        spin = (R1[-1] - R0[-1]) / (2 * h) @ forward_kinematics(angles, joints)[1][-1].T
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], twist[3:], atol=1e-7)
        ahead, behind = (arm_jacobian(angles + k * h * rates, joints) for k in (1, -1))
        change = (ahead - behind) @ rates / (2 * h)
        np.testing.assert_allclose(bias_acceleration(angles, rates, joints), change, atol=1e-6)


def test_the_table_of_the_paper_is_the_default():
    assert MODEL.resolve("constrained", {"arm_joints": [row.model_dump() for row in ARM_JOINTS]}) == (
        MODEL.resolve("constrained", {})
    )


# ------------------------------------------------------------ what uses the arm


@pytest.mark.parametrize("kinds", ["P", "RPR", "RRPRRPRR"])
def test_mass_matrix_is_the_platforms_block_of_separate_code(kinds):
    parameters = arm_of(kinds, arm_posture=np.linspace(-0.7, 0.6, len(kinds)).tolist())
    pin, model = pinocchio_model(parameters)
    q = np.concatenate([[0, 0, 0, 0, 0, 0, 1], rest_posture(parameters)])
    theirs = pin.crba(model, model.createData(), q)[:6, :6]
    upper = np.triu(theirs)
    np.testing.assert_allclose(
        mass_matrix(parameters), upper + np.triu(theirs, 1).T, atol=1e-12 * np.abs(theirs).max()
    )


@pytest.mark.parametrize("kinds", ["P", "RP", "RPR", "PRRRPRR", "RRRRRRRR"])
def test_extremes_of_the_moment_enclose_a_dense_sample_and_are_reached(kinds):
    parameters = arm_of(kinds)
    low, high = moment_extremes(parameters)
    postures = np.random.default_rng(4).uniform(*parameters.arm_joint_limits, (100_000, len(kinds)))
    found = moments_at(parameters, postures)
    scale = np.abs(found).max()
    assert (low <= found.min(axis=0) + 1e-9 * scale).all()
    assert (high >= found.max(axis=0) - 1e-9 * scale).all()
    if len(kinds) < 4:  # a dense sample comes close
        np.testing.assert_allclose([low, high], [found.min(axis=0), found.max(axis=0)], atol=2e-2 * scale)


def test_moment_of_a_prismatic_joint_is_greatest_at_an_end():
    lifted = {"mass": 2.0, "inertia": [0.0] * 6}
    arm = {
        "arm_joints": [{"kind": "prismatic"}],
        "arm_links": [lifted],
        "arm_base_position": [0, 0, 0],
        "arm_base_rotation": [0, math.pi / 2, 0],
        "arm_joint_limits": [[-0.1], [0.3]],
        "platform_body": NOTHING,
    }
    low, high = moment_extremes(MODEL.resolve(None, arm))
    np.testing.assert_allclose([low[0], high[0]], [-0.2, 0.6], atol=1e-14)


@pytest.mark.parametrize("kinds", ["P", "RP", "PRRRPRR"])
def test_carried_mass_over_time_gives_the_wrench_of_the_recursion(kinds):
    """Its polynomials are exact at their instants: forces of a moving arm on a still platform."""
    times = np.linspace(0.0, 1.0, 9)[:, None]
    a, b, c = np.random.default_rng(1).uniform(-1, 1, (3, len(kinds)))
    arm = ArmMotion(a + b * times + c * times**2, b + 2 * c * times, np.broadcast_to(2 * c, (9, len(kinds))))
    parameters = arm_of(kinds)
    carried = carried_mass(parameters, times[:, 0], arm)
    still = PlatformMotion.at_rest(np.zeros((9, 3)), np.zeros((9, 3)))
    force = platform_wrench(parameters, still, arm).wrench[:, :3] - [0, 0, 9.81 * carried.mass]
    h = np.diff(times[:, 0])[:, None]
    second = 2 * carried.moments.coefficients[2][:, :3] / h**2
    np.testing.assert_allclose(second, force[:-1], rtol=1e-9, atol=1e-9)
    first = moments_at(parameters, arm.angles)
    np.testing.assert_allclose(carried.moments.coefficients[0][:, :3], first[:-1], atol=1e-12)


@pytest.mark.parametrize("kinds", ["P", "RPR", "RRPRRPRR"])
def test_every_cost_class_works_and_what_hangs_straight_down_changes_nothing(kinds):
    settings = {"cells": 4, "trajectory_samples": 5, "check_arm": True, "arm_postures": None, "f_max": 200.0}
    parameters = arm_of(kinds, **settings)
    for cost_class in ("workspace", "motion", "vibration", "clearance"):
        outcome = MODEL.evaluate(parameters, cost_class, 0)
        if isinstance(outcome, Evaluation):
            assert outcome.metrics["mass"] == pytest.approx(
                parameters.platform_body.mass + sum(link.mass for link in parameters.arm_links)
            )
    assert MODEL.scene(parameters) is not None
    assert len(MODEL.posture(parameters)) == len(kinds)


def test_capsules_follow_a_sliding_joint():
    arm = {
        "arm_joints": [{"d": 0.1}, {"kind": "prismatic", "a": 0.2, "d": 0.05}],
        "arm_links": [NOTHING] * 2,
        "arm_joint_limits": [[-1, 0], [1, 0.4]],
        "arm_posture": [0.0, 0.3],
        "arm_tool": [0.0, 0.0, 0.1],
        "arm_base_position": [0, 0, 0],
        "arm_base_rotation": [0, 0, 0],
        "arm_radii": [0.03, 0.02],
    }
    ends, radii = arm_capsules(MODEL.resolve(None, arm))
    base, shoulder, hand, tool = [0, 0, 0], [0, 0, 0.1], [0.2, 0, 0.45], [0.2, 0, 0.55]
    np.testing.assert_allclose(ends[0], [[base, shoulder], [shoulder, hand], [hand, tool]], atol=1e-15)
    assert radii.tolist() == [0.03, 0.03, 0.02]


def test_platform_without_an_arm_is_one_whose_arm_weighs_nothing():
    bare = {"arm_joints": [], "arm_links": [], "cells": 6, "trajectory_samples": 5}
    weightless = {"arm_links": [NOTHING] * 6, "cells": 6, "trajectory_samples": 5}
    for cost_class in ("workspace", "detail", "motion", "vibration"):
        without, light = (
            MODEL.evaluate(MODEL.resolve("suspended", settings), cost_class, 0)
            for settings in (bare, weightless)
        )
        for name, value in light.metrics.items():
            found = without.metrics[name]
            assert found == value if value is None else found == pytest.approx(value, rel=1e-12), name
    assert not MODEL.resolve("suspended", bare).has_arm
    assert MODEL.posture(MODEL.resolve("suspended", bare)) == ()


def test_wrist_arms_of_other_lengths_have_closed_forms():
    table = [row.model_dump() for row in ARM_JOINTS]
    table[2]["a"], table[3]["d"] = 0.33, 0.27
    joints = MODEL.resolve(None, {"arm_joints": table}).arm_joints
    for angles in np.random.default_rng(3).uniform(-3, 3, (50, 6)):
        positions, rotations = forward_kinematics(angles, joints)
        found = inverse_kinematics(positions[-1], rotations[-1], joints)
        ends, turns = forward_kinematics(found.angles, joints)
        np.testing.assert_allclose(ends[:, -1], np.broadcast_to(positions[-1], (8, 3)), atol=1e-9)
        np.testing.assert_allclose(turns[:, -1], np.broadcast_to(rotations[-1], (8, 3, 3)), atol=1e-8)


def test_a_trajectory_moves_the_joints_of_the_arm():
    path = {"times": [0, 2], "platform_positions": [[0, 0, 0]] * 2, "joints": [[0.1, 0.0], [0.4, 0.2]]}
    followed = follow_trajectory(arm_of("RP", trajectory=path, trajectory_samples=5, f_max=500.0))
    assert followed.samples.arm.angles.shape == (5, 2)
    assert followed.joint_torques.shape == (5, 2)
    np.testing.assert_allclose(followed.samples.arm.angles[[0, -1]], path["joints"], atol=1e-15)
    named = follow_trajectory(arm_of("RP", trajectory_samples=5, f_max=500.0))
    assert not named.samples.arm.angles.any()


def test_arm_rests_at_the_limits_that_exclude_zero():
    parameters = arm_of("RP", arm_joint_limits=[[0.2, -0.5], [1.0, -0.1]])
    assert rest_posture(parameters).tolist() == [0.2, -0.1]
    assert evaluate_pose(parameters, (0, 0, 0), (0, 0, 0)) is not None


@pytest.mark.parametrize("kinds", ["P", "RRRRRRR"])
def test_transform_of_a_row_is_that_of_its_convention(kinds):
    joints = arm_of(kinds).arm_joints
    T, values = np.eye(4), np.linspace(-1, 1, len(kinds))
    positions, rotations = forward_kinematics(values, joints)
    for i, joint in enumerate(joints):
        T = T @ dh_transform(joint, values[i])
        np.testing.assert_allclose(homogeneous(rotations[i], positions[i]), T, atol=1e-14)


def test_values_of_joints_have_the_units_of_their_kinds():
    arm = {
        "arm_joints": [{"d": "5 cm"}, {"kind": "prismatic", "a": 0.1}],
        "arm_links": [{"mass": 0.1, "inertia": [0.0] * 6}] * 2,
        "arm_posture": ["90 deg", "5 cm"],
        "arm_joint_limits": [["-90 deg", "0 mm"], [1.0, "80 mm"]],
        "trajectory": {**PATH, "joints": [[0.0, "1 cm"], ["180 deg", 0.02]]},
    }
    read = MODEL.resolve("constrained", arm)
    assert read.arm_posture == (math.pi / 2, 0.05)
    assert read.arm_joint_limits == ((-math.pi / 2, 0.0), (1.0, 0.08))
    assert read.trajectory.joints == ((0.0, 0.01), (math.pi, 0.02))
    for place, wrong in ((1, ["90 deg", "5 deg"]), (0, ["5 cm", 0.0])):
        with pytest.raises(InputError, match=rf"arm_posture\[{place}\].*cannot be used here"):
            MODEL.resolve("constrained", {**arm, "arm_posture": wrong})


# ------------------------------------------------------------ bad input

PATH = {"times": [0, 1], "platform_positions": [[0, 0, 0]] * 2}


@pytest.mark.parametrize(
    ("settings", "place", "words"),
    [
        ({"arm_joints": [{}] * 3}, "arm_links", "'arm_links' lists 6 values, but 'arm_joints' has 3 joints"),
        ({"arm_joints": [{}] * 9}, "arm_joints", "8"),
        ({"arm_joints": [{"kind": "spherical"}]}, "arm_joints[0].kind", "prismatic"),
        ({"arm_joints": [{"a": "5 kg"}]}, "arm_joints[0].a", "it is a mass"),
        ({"arm_joints": [{"theta": 1}]}, "arm_joints[0]", "theta"),
        ({"arm_posture": [0.0] * 5}, "arm_posture", "lists 5 values, but 'arm_joints' has 6 joints"),
        ({"arm_postures": [[0.0] * 6, [0.0]]}, "arm_postures", "1 value in row 2"),
        ({"arm_radii": [0.03] * 5}, "arm_radii", "5 values"),
        ({"arm_joint_limits": [[0.0] * 6, [1.0] * 4]}, "arm_joint_limits", "4 values in row 2"),
        (
            {"trajectory": {**PATH, "joints": [[0.0] * 4] * 2}},
            "trajectory",
            "'joints' of 'trajectory' lists 4 values in row 1, but 'arm_joints' has 6 joints",
        ),
        (
            {"arm_capsules": [{"link": 7, "start": [0, 0, 0], "end": [0, 0, 1], "radius": 0.1}]},
            "arm_capsules",
            "capsule 1 of 'arm_capsules' lies around link 7, but the arm has 6 joints",
        ),
        (
            {
                "arm_joints": [{}],
                "arm_links": [NOTHING],
                "trajectory": {**PATH, "tool_positions": [[0, 0, 0]] * 2, "tool_rotations": [[0, 0, 0]] * 2},
            },
            "trajectory",
            "no closed form",
        ),
    ],
)
def test_arms_that_do_not_fit_are_refused_with_their_place(settings, place, words):
    with pytest.raises(InputError) as caught:
        MODEL.resolve("constrained", settings)
    assert words in str(caught.value)
    assert place in str(caught.value)
