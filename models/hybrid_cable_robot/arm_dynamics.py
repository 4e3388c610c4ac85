"""Forces of the arm on the platform that carries it, and what the cables must then provide.

Source: equations (4)-(7), (9) and (11)-(12) of the paper, with two misprints set right: the wrench
on the first link is given in frame 1, so (9) turns it by the rotation of frame 1; and weight enters
(11) with the sign of a force, ``m (a - g)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.hybrid_cable_robot.arm_data import ARM_LINKS, GRAVITY, JOINTS, PLATFORM_BODY
from models.hybrid_cable_robot.arm_kinematics import JOINT_ORIGINS, joint_rotations
from models.hybrid_cable_robot.floats import FloatArray
from models.hybrid_cable_robot.motions import ArmMotion, PlatformMotion
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.rotations import cross, rotation_matrix, turn, turn_back


@dataclass(frozen=True, slots=True)
class PlatformWrench:
    """What a motion asks of cables and joints.

    Attributes
    ----------
    wrench : (..., 6) float, N and N m
        The cables' wrench ``W t`` on the platform about its origin, world axes, force first. The
        external wrench of the wrench sets is its negative.
    torques : (..., 6) float, N m
        Of the arm's joints.
    """

    wrench: FloatArray
    torques: FloatArray


def platform_wrench(
    parameters: HybridCableRobot, motion: PlatformMotion, arm_motion: ArmMotion
) -> PlatformWrench:
    """Wrench of the cables, and torques of the joints, that a motion needs.

    ``W t = [m (a - g) - f0; I alpha + w x I w - tau0 - (R P0) x f0]`` with the arm's force ``f0``
    and torque ``tau0`` on the platform at the arm's base.

    Parameters
    ----------
    parameters : HybridCableRobot
        Gives the pose of the arm's base on the platform.
    motion : PlatformMotion
    arm_motion : ArmMotion
        With the same leading dimensions as ``motion``, or with ones that broadcast to them.
    """
    R = motion.rotation
    base = turn(R, np.array(parameters.arm_base_position))
    w, alpha = motion.angular_velocity, motion.angular_acceleration
    lift = motion.acceleration - GRAVITY
    base_lift = lift + cross(alpha, base) + cross(w, cross(w, base))
    to_base = R @ rotation_matrix(np.array(parameters.arm_base_rotation))
    force, torque, torques = arm_reaction(
        turn_back(to_base, w), turn_back(to_base, alpha), turn_back(to_base, base_lift), arm_motion
    )
    f0, tau0 = turn(to_base, force), turn(to_base, torque)
    spin = turn_back(R, w)
    own = turn(PLATFORM_BODY.inertia, turn_back(R, alpha)) + cross(spin, turn(PLATFORM_BODY.inertia, spin))
    return PlatformWrench(
        np.concatenate(
            [PLATFORM_BODY.mass * lift - f0, turn(R, own) - tau0 - cross(base, f0)],
            axis=-1,
        ),
        torques,
    )


def arm_reaction(
    w: FloatArray, alpha: FloatArray, lift: FloatArray, arm: ArmMotion
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Recursive Newton-Euler over the arm; everything in the axes of its base frame.

    Parameters
    ----------
    w, alpha : (..., 3) float, rad/s, rad/s^2
        Angular velocity and acceleration of the base.
    lift : (..., 3) float, m/s^2
        Acceleration of the base's origin less that of gravity.
    arm : ArmMotion

    Returns
    -------
    force, torque : (..., 3) float, N, N m
        Of the arm on its base, about the base's origin.
    torques : (..., 6) float, N m
        Of the joints.
    """
    steps = joint_rotations(arm.angles)
    inertial = _link_wrenches(w, alpha, lift, arm, steps)
    shape = inertial[0][0].shape
    f, n, torques = np.zeros(shape), np.zeros(shape), np.empty((*shape[:-1], JOINTS))
    for joint in reversed(range(JOINTS)):
        own_force, own_torque = inertial[joint]
        f = f + own_force
        n = n + own_torque + cross(ARM_LINKS[joint].center, own_force)
        torques[..., joint] = n[..., 2]
        f = turn(steps[..., joint, :, :], f)
        n = turn(steps[..., joint, :, :], n) + cross(JOINT_ORIGINS[joint], f)
    return -f, -n, torques


def _link_wrenches(
    w: FloatArray, alpha: FloatArray, lift: FloatArray, arm: ArmMotion, steps: FloatArray
) -> list[tuple[FloatArray, FloatArray]]:
    """Inertial force and torque of each link about its centre of mass, link axes; (4) and (6)."""
    axis = np.array([0.0, 0.0, 1.0])
    wrenches: list[tuple[FloatArray, FloatArray]] = []
    for joint, link in enumerate(ARM_LINKS):
        step, origin = steps[..., joint, :, :], JOINT_ORIGINS[joint]
        rate = arm.velocities[..., joint, None] * axis
        lift = turn_back(step, lift + cross(alpha, origin) + cross(w, cross(w, origin)))
        carried = turn_back(step, w)
        alpha = turn_back(step, alpha) + cross(carried, rate) + arm.accelerations[..., joint, None] * axis
        w = carried + rate
        center = link.center
        force = link.mass * (lift + cross(alpha, center) + cross(w, cross(w, center)))
        torque = turn(link.inertia, alpha) + cross(w, turn(link.inertia, w))
        wrenches.append((force, torque))
    return wrenches
