"""The recursive Newton-Euler equations of platform and arm in plain numpy.

Source: equations (4)-(7), (9) and (11)-(12) of the paper, as ``models/hybrid_cable_robot/arm/dynamics.py`` reads them.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.dynamics import PlatformWrench
from models.hybrid_cable_robot.arm.kinematics import Chain, chain_of, joint_rotations
from models.hybrid_cable_robot.bodies import GRAVITY, Body
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import ArmMotion, PlatformMotion
from models.numerics.rotations import cross, rotation_matrix, turn, turn_back


def platform_wrench_by_numpy(
    parameters: HybridCableRobot, motion: PlatformMotion, arm_motion: ArmMotion
) -> PlatformWrench:
    """Wrench of the platform as ``models.hybrid_cable_robot.platform_wrench`` gives it, by plain numpy."""
    R = motion.rotation
    base = turn(R, np.array(parameters.arm_base_position))
    w, alpha = motion.angular_velocity, motion.angular_acceleration
    lift = motion.acceleration - GRAVITY
    base_lift = lift + cross(alpha, base) + cross(w, cross(w, base))
    to_base = R @ rotation_matrix(np.array(parameters.arm_base_rotation))
    force, torque, torques = arm_reaction(
        turn_back(to_base, w),
        turn_back(to_base, alpha),
        turn_back(to_base, base_lift),
        arm_motion,
        parameters.arm_links,
        chain_of(parameters.arm_joints),
    )
    f0, tau0 = turn(to_base, force), turn(to_base, torque)
    body = parameters.platform_body
    centre, spin = turn(R, np.array(body.centre_of_mass)), turn_back(R, w)
    pull = body.mass * (lift + cross(alpha, centre) + cross(w, cross(w, centre)))
    own = turn(body.tensor, turn_back(R, alpha)) + cross(spin, turn(body.tensor, spin))
    moment = turn(R, own) + cross(centre, pull)
    return PlatformWrench(np.concatenate([pull - f0, moment - tau0 - cross(base, f0)], axis=-1), torques)


def arm_reaction(
    w: FloatArray,
    alpha: FloatArray,
    lift: FloatArray,
    arm: ArmMotion,
    links: tuple[Body, ...],
    chain: Chain,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Recursive Newton-Euler over the arm; everything in the axes of its base frame.

    Parameters
    ----------
    w, alpha : (..., 3) float, rad/s, rad/s^2
        Angular velocity and acceleration of the base.
    lift : (..., 3) float, m/s^2
        Acceleration of the base's origin less that of gravity.
    arm : ArmMotion
    links : tuple of n Body
    chain : Chain

    Returns
    -------
    force, torque : (..., 3) float, N, N m
        Of the arm on its base, about the base's origin.
    torques : (..., n) float, N m, N
        Of the joints.
    """
    steps = joint_rotations(arm.angles, chain)
    slid = np.where(chain.sliding, arm.angles, 0.0)[..., None] * steps[..., 2]
    origins = chain.origins + slid
    inertial = _link_wrenches(w, alpha, lift, arm, links, chain, steps, origins)
    shape = w.shape
    f, n, torques = np.zeros(shape), np.zeros(shape), np.empty((*shape[:-1], len(links)))
    for joint in reversed(range(len(links))):
        own_force, own_torque = inertial[joint]
        f = f + own_force
        n = n + own_torque + cross(np.array(links[joint].centre_of_mass), own_force)
        torques[..., joint] = f[..., 2] if chain.sliding[joint] else n[..., 2]
        f = turn(steps[..., joint, :, :], f)
        n = turn(steps[..., joint, :, :], n) + cross(origins[..., joint, :], f)
    return -f, -n, torques


def _link_wrenches(
    w: FloatArray,
    alpha: FloatArray,
    lift: FloatArray,
    arm: ArmMotion,
    links: tuple[Body, ...],
    chain: Chain,
    steps: FloatArray,
    origins: FloatArray,
) -> list[tuple[FloatArray, FloatArray]]:
    """Inertial force and torque of each link about its centre of mass, link axes; (4) and (6)."""
    axis = np.array([0.0, 0.0, 1.0])
    wrenches: list[tuple[FloatArray, FloatArray]] = []
    for joint, link in enumerate(links):
        step, origin = steps[..., joint, :, :], origins[..., joint, :]
        rate = arm.velocities[..., joint, None] * axis
        second = arm.accelerations[..., joint, None] * axis
        lift = turn_back(step, lift + cross(alpha, origin) + cross(w, cross(w, origin)))
        carried = turn_back(step, w)
        alpha = turn_back(step, alpha)
        if chain.sliding[joint]:
            w, lift = carried, lift + 2 * cross(carried, rate) + second
        else:
            w, alpha = carried + rate, alpha + cross(carried, rate) + second
        center = np.array(link.centre_of_mass)
        force = link.mass * (lift + cross(alpha, center) + cross(w, cross(w, center)))
        torque = turn(link.tensor, alpha) + cross(w, turn(link.tensor, w))
        wrenches.append((force, torque))
    return wrenches
