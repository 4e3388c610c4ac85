"""Compiled Newton-Euler recursion over platform and arm; see ``arm_dynamics``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.jit import entry, inner
from models.numerics.vector_kernels import Vector, acceleration_at, add, cross, row, scale, turn, turn_back


class Inertias(NamedTuple):
    """The platform first, then the links.

    Attributes
    ----------
    masses : (7,) float, kg
    centres : (7, 3) float, m
        Centres of mass in the bodies' frames.
    tensors : (7, 3, 3) float, kg m^2
        About the centres of mass, in the bodies' axes.
    """

    masses: FloatArray
    centres: FloatArray
    tensors: FloatArray


@inner
def _inertial(inertias: Inertias, body: int, lift: Vector, w: Vector, alpha: Vector) -> tuple[Vector, Vector]:
    """Force [N] and torque [N m] about the frame's origin that move a body, in its axes."""
    centre = row(inertias.centres[body])
    force = scale(inertias.masses[body], acceleration_at(lift, w, alpha, centre))
    tensor = inertias.tensors[body]
    spin = add(turn(tensor, alpha), cross(w, turn(tensor, w)))
    return force, add(spin, cross(centre, force))


@inner
def _arm_load(
    inertias: Inertias,
    origins: FloatArray,
    steps: FloatArray,
    rates: FloatArray,
    seconds: FloatArray,
    lift: Vector,
    w: Vector,
    alpha: Vector,
    loads: FloatArray,
    torques: FloatArray,
) -> tuple[Vector, Vector]:
    """Force and torque of the base on the arm about the base's origin, base axes; fills ``torques``.

    ``steps`` (6, 3, 3) are the rotations of each frame in the one before, ``loads`` is memory (6, 6).
    """
    for joint in range(steps.shape[0]):
        step, origin = steps[joint], row(origins[joint])
        lift = turn_back(step, acceleration_at(lift, w, alpha, origin))
        carried = turn_back(step, w)
        rate = (0.0, 0.0, rates[joint])
        alpha = add(add(turn_back(step, alpha), cross(carried, rate)), (0.0, 0.0, seconds[joint]))
        w = add(carried, rate)
        force, torque = _inertial(inertias, joint + 1, lift, w, alpha)
        for axis in range(3):
            loads[joint, axis], loads[joint, 3 + axis] = force[axis], torque[axis]
    f, n = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for back in range(steps.shape[0]):
        joint = steps.shape[0] - 1 - back
        f, n = add(f, row(loads[joint, :3])), add(n, row(loads[joint, 3:]))
        torques[joint] = n[2]
        f, n = turn(steps[joint], f), turn(steps[joint], n)
        n = add(n, cross(row(origins[joint]), f))
    return f, n


@entry
def fill_wrenches(
    inertias: Inertias,
    base: FloatArray,
    base_turn: FloatArray,
    origins: FloatArray,
    rotations: FloatArray,
    lifts: FloatArray,
    w: FloatArray,
    alpha: FloatArray,
    steps: FloatArray,
    rates: FloatArray,
    seconds: FloatArray,
    wrench: FloatArray,
    torques: FloatArray,
) -> None:
    """Fill ``wrench`` (n, 6) N, N m of the cables and ``torques`` (n, 6) N m of the joints.

    Platform at n instants: ``rotations`` (n, 3, 3) to the world; ``lifts`` (n, 3) m/s^2, its
    acceleration less gravity's, ``w`` and ``alpha`` (n, 3) in world axes. Arm: ``base`` (3,) m and
    ``base_turn`` (3, 3) on the platform, ``origins`` (6, 3) m and ``steps`` (n, 6, 3, 3) of each
    frame in the one before, ``rates`` and ``seconds`` (n, 6) of the joints' angles.
    """
    loads = np.empty((6, 6))
    for i in range(rotations.shape[0]):
        R = rotations[i]
        lift, own_w = turn_back(R, row(lifts[i])), turn_back(R, row(w[i]))
        own_alpha = turn_back(R, row(alpha[i]))
        on_base = turn_back(base_turn, acceleration_at(lift, own_w, own_alpha, row(base)))
        base_w, base_alpha = turn_back(base_turn, own_w), turn_back(base_turn, own_alpha)
        f, n = _arm_load(
            inertias, origins, steps[i], rates[i], seconds[i], on_base, base_w, base_alpha, loads, torques[i]
        )
        force, torque = _inertial(inertias, 0, lift, own_w, own_alpha)
        carried = turn(base_turn, f)
        torque = add(add(torque, turn(base_turn, n)), cross(row(base), carried))
        force, torque = turn(R, add(force, carried)), turn(R, torque)
        for axis in range(3):
            wrench[i, axis], wrench[i, 3 + axis] = force[axis], torque[axis]
