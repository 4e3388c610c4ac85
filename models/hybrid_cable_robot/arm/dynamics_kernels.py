"""Compiled Newton-Euler recursion over platform and arm; see ``dynamics``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.jit import entry, inner
from models.numerics.vector_kernels import Vector, acceleration_at, add, cross, row, scale, turn, turn_back


class Inertias(NamedTuple):
    """The platform first, then the n links of the arm.

    Attributes
    ----------
    masses : (1 + n,) float, kg
    centres : (1 + n, 3) float, m
        Centres of mass in the bodies' frames.
    tensors : (1 + n, 3, 3) float, kg m^2
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
    sliding: NDArray[np.bool_],
    coordinates: FloatArray,
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

    ``steps`` (n, 3, 3) are the rotations of each frame in the one before, ``loads`` is memory (n, 9) for
    force and torque of each link, and the origin of its frame.
    """
    for joint in range(steps.shape[0]):
        step, origin = steps[joint], row(origins[joint])
        rate, second = (0.0, 0.0, rates[joint]), (0.0, 0.0, seconds[joint])
        if sliding[joint]:
            axis = (step[0, 2], step[1, 2], step[2, 2])
            origin = add(origin, scale(coordinates[joint], axis))
        lift = turn_back(step, acceleration_at(lift, w, alpha, origin))
        w, alpha = turn_back(step, w), turn_back(step, alpha)
        if sliding[joint]:
            lift = add(add(lift, scale(2.0, cross(w, rate))), second)
        else:
            alpha = add(add(alpha, cross(w, rate)), second)
            w = add(w, rate)
        force, torque = _inertial(inertias, joint + 1, lift, w, alpha)
        for axis in range(3):
            loads[joint, axis], loads[joint, 3 + axis] = force[axis], torque[axis]
            loads[joint, 6 + axis] = origin[axis]
    f, n = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for back in range(steps.shape[0]):
        joint = steps.shape[0] - 1 - back
        f, n = add(f, row(loads[joint, :3])), add(n, row(loads[joint, 3:6]))
        torques[joint] = f[2] if sliding[joint] else n[2]
        f, n = turn(steps[joint], f), turn(steps[joint], n)
        n = add(n, cross(row(loads[joint, 6:]), f))
    return f, n


@entry
def fill_wrenches(
    inertias: Inertias,
    base: FloatArray,
    base_turn: FloatArray,
    origins: FloatArray,
    sliding: NDArray[np.bool_],
    rotations: FloatArray,
    lifts: FloatArray,
    w: FloatArray,
    alpha: FloatArray,
    coordinates: FloatArray,
    steps: FloatArray,
    rates: FloatArray,
    seconds: FloatArray,
    wrench: FloatArray,
    torques: FloatArray,
) -> None:
    """Fill ``wrench`` (k, 6) N, N m of the cables and ``torques`` (k, n) of the joints, N m or N.

    Platform at k instants: ``rotations`` (k, 3, 3) to the world; ``lifts`` (k, 3) m/s^2, its
    acceleration less gravity's, ``w`` and ``alpha`` (k, 3) in world axes. Arm: ``base`` (3,) m and
    ``base_turn`` (3, 3) on the platform, ``origins`` (n, 3) m at zero and ``steps`` (k, n, 3, 3) of each
    frame in the one before, ``coordinates``, ``rates`` and ``seconds`` (k, n) of the joints, of which
    ``sliding`` (n,) are prismatic.
    """
    loads = np.empty((origins.shape[0], 9))
    for i in range(rotations.shape[0]):
        R = rotations[i]
        lift, own_w = turn_back(R, row(lifts[i])), turn_back(R, row(w[i]))
        own_alpha = turn_back(R, row(alpha[i]))
        on_base = turn_back(base_turn, acceleration_at(lift, own_w, own_alpha, row(base)))
        base_w, base_alpha = turn_back(base_turn, own_w), turn_back(base_turn, own_alpha)
        f, n = _arm_load(
            inertias, origins, sliding, coordinates[i], steps[i], rates[i], seconds[i], on_base, base_w,
            base_alpha, loads, torques[i],
        )  # fmt: skip
        force, torque = _inertial(inertias, 0, lift, own_w, own_alpha)
        carried = turn(base_turn, f)
        torque = add(add(torque, turn(base_turn, n)), cross(row(base), carried))
        force, torque = turn(R, add(force, carried)), turn(R, torque)
        for axis in range(3):
            wrench[i, axis], wrench[i, 3 + axis] = force[axis], torque[axis]
