"""What cables and joints must provide when platform and arm move.

Source: equations (4)-(7), (9) and (11)-(12) of the paper, with two misprints set right: the wrench
on the first link is given in frame 1, so (9) turns it by the rotation of frame 1; and weight enters
(11) with the sign of a force, ``m (a - g)``. A platform whose centre of mass c is not at its origin
adds the moment of its force about the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm_dynamics_kernels import Inertias, fill_wrenches
from models.hybrid_cable_robot.arm_kinematics import JOINT_ORIGINS, joint_rotations
from models.hybrid_cable_robot.bodies import GRAVITY, JOINTS, Body
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import ArmMotion, PlatformMotion
from models.numerics.rotations import cross, rotation_matrix, turn, turn_back


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

    ``W t = [m (a_c - g) - f0; (R c) x m (a_c - g) + I alpha + w x I w - tau0 - (R P0) x f0]`` with the
    arm's force ``f0`` and torque ``tau0`` on the platform at the arm's base ``P0``, and the
    acceleration ``a_c`` of the platform's centre of mass ``c``.

    Parameters
    ----------
    parameters : HybridCableRobot
        Gives masses and inertias of platform and arm, and the pose of the arm's base on the platform.
    motion : PlatformMotion
    arm_motion : ArmMotion
        With the same leading dimensions as ``motion``, or with ones that broadcast to them.

    Raises
    ------
    InputError
        When the leading dimensions do not agree, or an array has the wrong size.
    """
    arrays = _broadcast(motion, arm_motion)
    shape = arrays["angles"].shape[:-1]
    # Copies: for arrays that cannot be written, as broadcast ones, the kernel would be compiled anew (.5 s).
    flat = {name: np.array(a, order="C").reshape(-1, *_ROWS[name]) for name, a in arrays.items()}
    wrench, torques = np.empty((len(flat["angles"]), 6)), np.empty((len(flat["angles"]), 6))
    fill_wrenches(
        inertias_of(parameters),
        np.array(parameters.arm_base_position),
        rotation_matrix(np.array(parameters.arm_base_rotation)),
        JOINT_ORIGINS,
        flat["rotation"],
        flat["acceleration"] - GRAVITY,
        flat["angular_velocity"],
        flat["angular_acceleration"],
        joint_rotations(flat["angles"]),
        flat["velocities"],
        flat["accelerations"],
        wrench,
        torques,
    )
    return PlatformWrench(wrench.reshape(*shape, 6), torques.reshape(*shape, 6))


def inertias_of(parameters: HybridCableRobot) -> Inertias:
    """Masses, centres and tensors of the platform and the six links, for the kernel."""
    bodies = (parameters.platform_body, *parameters.arm_links)
    return Inertias(
        np.array([body.mass for body in bodies]),
        np.array([body.centre_of_mass for body in bodies]),
        np.array([body.tensor for body in bodies]),
    )


_ROWS: dict[str, tuple[int, ...]] = {
    "rotation": (3, 3),
    "acceleration": (3,),
    "angular_velocity": (3,),
    "angular_acceleration": (3,),
    "angles": (6,),
    "velocities": (6,),
    "accelerations": (6,),
}


def _broadcast(motion: PlatformMotion, arm_motion: ArmMotion) -> dict[str, FloatArray]:
    """The arrays that the dynamics needs, with common leading dimensions."""
    arrays = {
        field.name: np.asarray(getattr(record, field.name), dtype=float)
        for record in (motion, arm_motion)
        for field in fields(record)
        if field.name in _ROWS
    }
    for name, array in arrays.items():
        size = _ROWS[name]
        if array.shape[-len(size) :] != size:
            raise InputError(
                f"expected (..., {', '.join(map(str, size))}) numbers, got {array.shape}", (name,)
            )
    leading = {name: array.shape[: array.ndim - len(_ROWS[name])] for name, array in arrays.items()}
    try:
        common = np.broadcast_shapes(*leading.values())
    except ValueError:
        shown = ", ".join(f"{name} {shape}" for name, shape in leading.items())
        raise InputError(f"leading dimensions do not agree: {shown}", ("motion",)) from None
    return {name: np.broadcast_to(array, (*common, *_ROWS[name])) for name, array in arrays.items()}


def platform_wrench_by_numpy(
    parameters: HybridCableRobot, motion: PlatformMotion, arm_motion: ArmMotion
) -> PlatformWrench:
    """The definition of :func:`platform_wrench`, in plain numpy; arguments and result are the same.

    Derived from it: ``arm_dynamics_kernels.fill_wrenches``.
    """
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
    )
    f0, tau0 = turn(to_base, force), turn(to_base, torque)
    body = parameters.platform_body
    centre, spin = turn(R, np.array(body.centre_of_mass)), turn_back(R, w)
    pull = body.mass * (lift + cross(alpha, centre) + cross(w, cross(w, centre)))
    own = turn(body.tensor, turn_back(R, alpha)) + cross(spin, turn(body.tensor, spin))
    moment = turn(R, own) + cross(centre, pull)
    return PlatformWrench(np.concatenate([pull - f0, moment - tau0 - cross(base, f0)], axis=-1), torques)


def arm_reaction(
    w: FloatArray, alpha: FloatArray, lift: FloatArray, arm: ArmMotion, links: tuple[Body, ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Recursive Newton-Euler over the arm; everything in the axes of its base frame.

    Parameters
    ----------
    w, alpha : (..., 3) float, rad/s, rad/s^2
        Angular velocity and acceleration of the base.
    lift : (..., 3) float, m/s^2
        Acceleration of the base's origin less that of gravity.
    arm : ArmMotion
    links : six Body

    Returns
    -------
    force, torque : (..., 3) float, N, N m
        Of the arm on its base, about the base's origin.
    torques : (..., 6) float, N m
        Of the joints.
    """
    steps = joint_rotations(arm.angles)
    inertial = _link_wrenches(w, alpha, lift, arm, links, steps)
    shape = inertial[0][0].shape
    f, n, torques = np.zeros(shape), np.zeros(shape), np.empty((*shape[:-1], JOINTS))
    for joint in reversed(range(JOINTS)):
        own_force, own_torque = inertial[joint]
        f = f + own_force
        n = n + own_torque + cross(np.array(links[joint].centre_of_mass), own_force)
        torques[..., joint] = n[..., 2]
        f = turn(steps[..., joint, :, :], f)
        n = turn(steps[..., joint, :, :], n) + cross(JOINT_ORIGINS[joint], f)
    return -f, -n, torques


def _link_wrenches(
    w: FloatArray,
    alpha: FloatArray,
    lift: FloatArray,
    arm: ArmMotion,
    links: tuple[Body, ...],
    steps: FloatArray,
) -> list[tuple[FloatArray, FloatArray]]:
    """Inertial force and torque of each link about its centre of mass, link axes; (4) and (6)."""
    axis = np.array([0.0, 0.0, 1.0])
    wrenches: list[tuple[FloatArray, FloatArray]] = []
    for joint, link in enumerate(links):
        step, origin = steps[..., joint, :, :], JOINT_ORIGINS[joint]
        rate = arm.velocities[..., joint, None] * axis
        lift = turn_back(step, lift + cross(alpha, origin) + cross(w, cross(w, origin)))
        carried = turn_back(step, w)
        alpha = turn_back(step, alpha) + cross(carried, rate) + arm.accelerations[..., joint, None] * axis
        w = carried + rate
        center = np.array(link.centre_of_mass)
        force = link.mass * (lift + cross(alpha, center) + cross(w, cross(w, center)))
        torque = turn(link.tensor, alpha) + cross(w, turn(link.tensor, w))
        wrenches.append((force, torque))
    return wrenches
