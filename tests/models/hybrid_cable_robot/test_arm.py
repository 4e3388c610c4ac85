"""The arm: poses, inverse kinematics, and forces on the platform against separate code and balances."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import InputError
from models.hybrid_cable_robot import (
    ARM_JOINTS,
    ARM_LINKS,
    MODEL,
    PLATFORM_BODY,
    ArmMotion,
    PlatformMotion,
    arm_jacobian,
    forward_kinematics,
    inverse_kinematics,
    platform_wrench,
)
from models.hybrid_cable_robot.arm.kinematics import bias_acceleration, nearest_branch
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.robot import rotation_matrix
from models.numerics.rotations import angular_motion, rotation_matrices
from tests.left_out import package

ROBOT = MODEL.resolve("constrained", {})
angle = st.floats(-math.pi, math.pi)
UPPER_ARM, FOREARM = ARM_JOINTS[2].a, ARM_JOINTS[3].d


def dh_transform(joint, angle):
    """Rx(alpha) Tx(a) Rz(angle) Tz(d), written out once more."""

    def homogeneous(R, p):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R, p
        return T

    first = homogeneous(rotation_matrix(np.array([joint.alpha, 0, 0])), [joint.a, 0, 0])
    return first @ homogeneous(rotation_matrix(np.array([0, 0, angle + joint.offset])), [0, 0, joint.d])


def random_motion(rng, n):
    r, rate, second = rng.uniform(-2, 2, (3, n, 3))
    w, alpha = angular_motion(r, rate, second)
    p, v, a = rng.normal(size=(3, n, 3))
    platform = PlatformMotion(p, rotation_matrices(r), v, a, w, alpha)
    return platform, ArmMotion(*rng.uniform(-3, 3, (3, n, 6)))


# ------------------------------------------------------------ kinematics


def test_forward_kinematics_is_the_product_of_the_table():
    rng = np.random.default_rng(1)
    for angles in rng.uniform(-3, 3, (50, 6)):
        T = np.eye(4)
        positions, rotations = forward_kinematics(angles)
        for i, joint in enumerate(ARM_JOINTS):
            T = T @ dh_transform(joint, angles[i])
            np.testing.assert_allclose(positions[i], T[:3, 3], atol=1e-15)
            np.testing.assert_allclose(rotations[i], T[:3, :3], atol=1e-14)


def test_jacobian_and_its_change_are_differences_of_the_kinematics():
    rng = np.random.default_rng(2)
    h = 1e-6
    for angles, rates in rng.uniform(-3, 3, (20, 2, 6)):
        (before, R0), (after, R1) = (forward_kinematics(angles + k * h * rates) for k in (-1, 1))
        twist = arm_jacobian(angles) @ rates
        np.testing.assert_allclose((after - before)[-1] / (2 * h), twist[:3], atol=1e-7)
        spin = (R1[-1] - R0[-1]) / (2 * h) @ forward_kinematics(angles)[1][-1].T
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], twist[3:], atol=1e-7)
        change = (arm_jacobian(angles + h * rates) - arm_jacobian(angles - h * rates)) @ rates / (2 * h)
        np.testing.assert_allclose(bias_acceleration(angles, rates), change, atol=1e-6)


@given(st.lists(angle, min_size=6, max_size=6))
def test_all_branches_reach_the_pose_and_one_is_the_given(angles):
    angles = np.array(angles)
    positions, rotations = forward_kinematics(angles)
    found = inverse_kinematics(positions[-1], rotations[-1])
    assert found.reach == "reachable"
    assert found.shortfall == 0.0
    assert found.angles.shape == (8, 6)
    assert (np.abs(found.angles) <= math.pi).all()
    ends, turns = forward_kinematics(found.angles)
    # near the straight elbow the distance fixes the angle only to the root of the rounding
    np.testing.assert_allclose(ends[:, -1], np.broadcast_to(positions[-1], (8, 3)), atol=1e-12)
    np.testing.assert_allclose(turns[:, -1], np.broadcast_to(rotations[-1], (8, 3, 3)), atol=1e-8)


def test_generic_poses_have_eight_different_branches_and_return_the_given_one():
    rng = np.random.default_rng(3)
    for angles in rng.uniform(-3, 3, (200, 6)):
        positions, rotations = forward_kinematics(angles)
        found = inverse_kinematics(positions[-1], rotations[-1])
        same = np.linalg.norm(found.angles[:, None] - found.angles[None], axis=2) < 1e-6
        assert same.sum() == 8
        shifted = angles + 2 * math.pi * rng.integers(-2, 3, 6)
        np.testing.assert_allclose(nearest_branch(found, shifted), shifted, atol=1e-7)


@pytest.mark.parametrize(
    ("distance", "reach", "shortfall"),
    [(0.5, "too far", 0.5 - UPPER_ARM - FOREARM), (0.01, "too near", FOREARM - UPPER_ARM - 0.01)],
)
def test_poses_out_of_reach_say_by_how_much(distance, reach, shortfall):
    found = inverse_kinematics([0.0, 0.0, -distance], np.eye(3))
    assert (found.reach, len(found.angles)) == (reach, 0)
    assert found.shortfall == pytest.approx(shortfall)


@pytest.mark.parametrize(
    "angles", [(0, 0, math.pi, 0, 0, 0), (0.3, -0.4, 0.0, 0.2, 0, 0.5), (0, 0, 1, 0, 0, 0)]
)
def test_singular_poses_have_finite_branches(angles):
    positions, rotations = forward_kinematics(angles)
    found = inverse_kinematics(positions[-1], rotations[-1])
    ends, turns = forward_kinematics(found.angles)
    np.testing.assert_allclose(ends[:, -1], np.broadcast_to(positions[-1], (8, 3)), atol=1e-9)
    np.testing.assert_allclose(turns[:, -1], np.broadcast_to(rotations[-1], (8, 3, 3)), atol=1e-8)


# ------------------------------------------------------------ rotations


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.2, 0.999, 1.001, 3.0, 5.0])
def test_angular_motion_is_the_difference_of_rotations(size):
    rng = np.random.default_rng(5)
    direction, rate, second = rng.normal(size=(3, 3))
    r = size * direction / np.linalg.norm(direction)
    h = 1e-4

    def at(t):
        return r + rate * t + second * t * t / 2

    def spin(t):
        w, _ = angular_motion(at(t), rate + second * t, second)
        return w

    R = rotation_matrices(np.array([at(k * h) for k in (-2, -1, 0, 1, 2)]))
    np.testing.assert_allclose(R[2], rotation_matrix(r), atol=1e-15)
    change = (R[0] - 8 * R[1] + 8 * R[3] - R[4]) / (12 * h) @ R[2].T
    w, alpha = angular_motion(r, rate, second)
    np.testing.assert_allclose([change[2, 1], change[0, 2], change[1, 0]], w, atol=1e-10)
    slope = (spin(-2 * h) - 8 * spin(-h) + 8 * spin(h) - spin(2 * h)) / (12 * h)
    np.testing.assert_allclose(slope, alpha, atol=1e-10)


# ------------------------------------------------------------ dynamics


def separate_model():
    pin = package("pinocchio", "arms beside pinocchio")
    model = pin.Model()
    model.gravity.linear = GRAVITY
    parent = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")

    def inertia(body):
        return pin.Inertia(body.mass, np.array(body.centre_of_mass), body.tensor)

    model.appendBodyToJoint(parent, inertia(PLATFORM_BODY), pin.SE3.Identity())
    base = np.eye(4)
    base[:3, :3] = np.diag([1.0, -1.0, -1.0])
    base[:3, 3] = [0, 0, -0.05]
    for joint, link in zip(ARM_JOINTS, ARM_LINKS, strict=True):
        # the motor turns after the offset about the same axis, so both stand before the joint
        before = base @ dh_transform(joint, 0.0)
        parent = model.addJoint(parent, pin.JointModelRZ(), pin.SE3(before), "joint")
        model.appendBodyToJoint(parent, inertia(link), pin.SE3.Identity())
        base = np.eye(4)
    return pin, model


def test_wrench_and_torques_agree_with_separate_code():
    pin, model = separate_model()
    data = model.createData()
    rng = np.random.default_rng(11)
    platform, arm = random_motion(rng, 100)
    ours = platform_wrench(ROBOT, platform, arm)
    for i in range(100):
        R, w = platform.rotation[i], platform.angular_velocity[i]
        v, a = platform.velocity[i], platform.acceleration[i]
        q = np.concatenate([platform.position[i], pin.Quaternion(R).coeffs(), arm.angles[i]])
        rates = np.concatenate([R.T @ v, R.T @ w, arm.velocities[i]])
        classical = R.T @ (a - np.cross(w, v))
        second = np.concatenate([classical, R.T @ platform.angular_acceleration[i], arm.accelerations[i]])
        tau = pin.rnea(model, data, q, rates, second)
        scale = np.abs(tau).max()
        theirs = np.concatenate([R @ tau[:3], R @ tau[3:6]])
        np.testing.assert_allclose(ours.wrench[i], theirs, rtol=0, atol=1e-12 * scale)
        np.testing.assert_allclose(ours.torques[i], tau[6:], rtol=0, atol=1e-12 * scale)


def test_static_wrench_is_the_weight_at_the_centre_of_mass():
    rng = np.random.default_rng(6)
    R0 = np.diag([1.0, -1.0, -1.0])
    for turn, angles in zip(rng.uniform(-1, 1, (20, 3)), rng.uniform(-3, 3, (20, 6)), strict=True):
        needed = platform_wrench(ROBOT, PlatformMotion.at_rest((0, 0, 0), turn), ArmMotion.at_rest(angles))
        np.testing.assert_allclose(needed.wrench[:3], [0, 0, 21.93516], atol=1e-12)
        positions, rotations = forward_kinematics(angles)
        moment = np.zeros(3)
        for p, R, link in zip(positions, rotations, ARM_LINKS, strict=True):
            place = rotation_matrix(turn) @ ([0, 0, -0.05] + R0 @ (p + R @ np.array(link.centre_of_mass)))
            moment -= np.cross(place, link.mass * GRAVITY)
        np.testing.assert_allclose(needed.wrench[3:], moment, atol=1e-13)


def energy(platform, arm):
    """Kinetic and potential energy of platform and arm from bodies' velocities, one instant each."""
    R0, base = np.diag([1.0, -1.0, -1.0]), np.array([0, 0, -0.05])
    total = []
    for i in range(len(arm.angles)):
        R, p, v, w = (
            x[i] for x in (platform.rotation, platform.position, platform.velocity, platform.angular_velocity)
        )
        spin = R.T @ w
        value = PLATFORM_BODY.mass * (v @ v / 2 - GRAVITY @ p) + spin @ PLATFORM_BODY.tensor @ spin / 2
        positions, rotations = forward_kinematics(arm.angles[i])
        for k, link in enumerate(ARM_LINKS):
            to_world = R @ R0 @ rotations[k]
            center = R @ (base + R0 @ positions[k]) + to_world @ link.centre_of_mass
            axes = [R @ R0 @ rotations[j][:, 2] for j in range(k + 1)]
            hubs = [R @ (base + R0 @ positions[j]) for j in range(k + 1)]
            rates = arm.velocities[i]
            speed = (
                v
                + np.cross(w, center)
                + sum(rates[j] * np.cross(axes[j], center - hubs[j]) for j in range(k + 1))
            )
            turning = to_world.T @ (w + sum(rates[j] * axes[j] for j in range(k + 1)))
            place = p + center
            value += link.mass * (speed @ speed / 2 - GRAVITY @ place) + turning @ link.tensor @ turning / 2
        total.append(value)
    return np.array(total)


def test_power_of_cables_and_joints_is_the_change_of_energy():
    rng = np.random.default_rng(9)
    a, b, c = rng.uniform(-1, 1, (3, 12))
    h = 1e-3
    t = h * np.arange(-2, 3)[:, None]
    x, rate, second = a + b * t + c * t * t / 2 + t**3, b + c * t + 3 * t * t, c + 6 * t
    w, alpha = angular_motion(x[:, 3:6], rate[:, 3:6], second[:, 3:6])
    platform = PlatformMotion(x[:, :3], rotation_matrices(x[:, 3:6]), rate[:, :3], second[:, :3], w, alpha)
    arm = ArmMotion(x[:, 6:], rate[:, 6:], second[:, 6:])
    needed = platform_wrench(ROBOT, platform, arm)
    power = needed.wrench[2] @ np.concatenate([rate[2, :3], w[2]]) + needed.torques[2] @ arm.velocities[2]
    E = energy(platform, arm)
    assert power == pytest.approx((E[0] - 8 * E[1] + 8 * E[3] - E[4]) / (12 * h), rel=1e-9)


def test_pose_of_the_arm_base_is_a_parameter():
    moved = MODEL.resolve("constrained", {"arm_base_position": [0.1, 0, 0], "arm_base_rotation": [0, 0, 0]})
    still = PlatformMotion.at_rest((0, 0, 0), (0, 0, 0)), ArmMotion.at_rest((0.0,) * 6)
    difference = platform_wrench(moved, *still).wrench - platform_wrench(ROBOT, *still).wrench
    np.testing.assert_allclose(difference[:3], 0, atol=1e-12)
    assert abs(difference[4]) > 0.5


def test_printed_tensors_of_platform_and_link_5_are_of_no_body():
    bodies = {"platform": PLATFORM_BODY, **{f"link {i + 1}": link for i, link in enumerate(ARM_LINKS)}}
    odd = []
    for name, body in bodies.items():
        moments = np.linalg.eigvalsh(body.tensor)
        assert moments[0] > 0
        if moments[0] + moments[1] < moments[2]:
            odd.append(name)
    assert odd == ["platform", "link 5"]


@pytest.mark.parametrize("bad", [(0, 0), 3.0, (0, 0, math.nan), "abc"])
def test_arguments_of_wrong_shape_are_refused_by_name(bad):
    with pytest.raises(InputError) as caught:
        PlatformMotion.at_rest(bad, (0, 0, 0))
    assert caught.value.place == ("position",)
