"""Wrenches and torques that cables and joints must provide when platform and arm move.

Source: equations (4)-(7), (9) and (11)-(12) of the paper, with two misprints set right: the wrench
on the first link is given in frame 1, so (9) turns it by the rotation of frame 1; and weight enters
(11) with the sign of a force, ``m (a - g)``. A platform whose centre of mass c is not at its origin
adds the moment of its force about the origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.dynamics_kernels import Inertias, fill_wrenches
from models.hybrid_cable_robot.arm.kinematics import chain_of, joint_rotations
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import ArmMotion, PlatformMotion
from models.numerics.rotations import rotation_matrix


@dataclass(frozen=True, slots=True)
class PlatformWrench:
    """Demand of a motion on cables and joints.

    Attributes
    ----------
    wrench : (..., 6) float, N and N m
        The cables' wrench ``W t`` on the platform about its origin, world axes, force first. The
        external wrench of the wrench sets is its negative.
    torques : (..., n) float, N m
        Of the arm's joints; the force along a prismatic one [N].
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
        When the leading dimensions do not agree, or an array has the wrong size: that of the arm's is the
        number of its joints.
    """
    chain = chain_of(parameters.arm_joints)
    arrays = _broadcast(motion, arm_motion, len(chain.origins))
    shape = arrays["angles"].shape[:-1]
    # Copies: for arrays that cannot be written, as broadcast ones, the kernel would be compiled anew (.5 s).
    count = math.prod(shape)
    flat = {name: np.array(a, order="C").reshape(count, *a.shape[len(shape) :]) for name, a in arrays.items()}
    wrench, torques = np.empty((count, 6)), np.empty((count, len(chain.origins)))
    fill_wrenches(
        inertias_of(parameters),
        np.array(parameters.arm_base_position),
        rotation_matrix(np.array(parameters.arm_base_rotation)),
        chain.origins,
        chain.sliding,
        flat["rotation"],
        flat["acceleration"] - GRAVITY,
        flat["angular_velocity"],
        flat["angular_acceleration"],
        flat["angles"],
        joint_rotations(flat["angles"], chain),
        flat["velocities"],
        flat["accelerations"],
        wrench,
        torques,
    )
    return PlatformWrench(wrench.reshape(*shape, 6), torques.reshape(*shape, len(chain.origins)))


def inertias_of(parameters: HybridCableRobot) -> Inertias:
    """Masses, centres and tensors of the platform and the links of the arm, for the kernel."""
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
}


def _broadcast(motion: PlatformMotion, arm_motion: ArmMotion, joints: int) -> dict[str, FloatArray]:
    """The arrays that the dynamics needs, with common leading dimensions."""
    rows = {**_ROWS, **{field.name: (joints,) for field in fields(arm_motion)}}
    arrays = {
        field.name: np.asarray(getattr(record, field.name), dtype=float)
        for record in (motion, arm_motion)
        for field in fields(record)
        if field.name in rows
    }
    for name, array in arrays.items():
        size = rows[name]
        if array.shape[-len(size) :] != size:
            raise InputError(
                f"expected (..., {', '.join(map(str, size))}) numbers, got {array.shape}", (name,)
            )
    leading = {name: array.shape[: array.ndim - len(rows[name])] for name, array in arrays.items()}
    try:
        common = np.broadcast_shapes(*leading.values())
    except ValueError:
        shown = ", ".join(f"{name} {shape}" for name, shape in leading.items())
        raise InputError(f"leading dimensions do not agree: {shown}", ("motion",)) from None
    return {name: np.broadcast_to(array, (*common, *rows[name])) for name, array in arrays.items()}
