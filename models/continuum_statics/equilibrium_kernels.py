"""Compiled solution of the equilibrium: Newton's steps near a branch, and descent from anywhere."""

from __future__ import annotations

import math
from typing import NamedTuple

from models.arrays import FloatArray
from models.continuum_statics.chain_kernels import Scratch, new_scratch, tip
from models.continuum_statics.energy_kernels import fill
from models.continuum_statics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.small_matrices import factorise, load_factor, smallest, solve_factored
from models.numerics.vector_kernels import Vector

CONVERGED = 1e-9  # [rad]; largest change of an angle that the next step would make
CORRECTIONS = 8
LONGEST = 0.5  # [rad] that an angle changes in one step of the descent
DESCENTS = 500
SHORTENINGS = 40
QUADRATIC = 1e-4  # [rad]; energies of states nearer than that differ by no more than their rounding
SUFFICIENT = 1e-4  # share of the foretold decrease of energy
NEUTRAL = (
    1e-10  # mu_min up to which a state counts as not stable: less is rounding, as of a free turn about z
)
MARGIN = 1e-2  # least eigenvalue that a shift leaves, in the rod's own stiffness


@inner
def _newton_step(robot: Robot, scratch: Scratch, shift: float) -> tuple[int, float]:
    """Put the Newton step of the filled state into ``scratch.step``.

    Returns how many eigenvalues are not positive and the largest change of an angle [rad]. ``shift``
    times the rod's own stiffness is added to the Hessian.
    """
    stride = 3 if robot.planar else 1
    count = load_factor(scratch.hessian, stride, shift, scratch.stiffness, scratch.factor)
    negative = factorise(scratch.factor, count, stride, scratch.stiffness)
    for i in range(count):
        scratch.step[i] = -scratch.gradient[i * stride]
    solve_factored(scratch.factor, count, scratch.step)
    size, total = 0.0, 0.0
    for i in range(count):
        size = max(size, abs(scratch.step[i]))
        total += abs(scratch.step[i])  # a maximum may pass over NaN, a sum does not
    return negative, size if math.isfinite(total) else math.inf


@inner
def _moved(robot: Robot, q: FloatArray, factor: float, scratch: Scratch, out: FloatArray) -> None:
    """``out = q + factor step`` on the angles that can change."""
    stride = 3 if robot.planar else 1
    for k in range(len(q)):
        for i in range(3):
            place = 3 * k + i
            free = place % stride == 0
            out[k, i] = q[k, i] + (factor * scratch.step[place // stride] if free else 0.0)


@inner
def _least(robot: Robot, scratch: Scratch, bend: float, twist: float) -> float:
    """Smallest eigenvalue of the filled state's Hessian, angles scaled by ``bend`` and ``twist``."""
    stride = 3 if robot.planar else 1
    count, full = len(scratch.gradient) // stride, scratch.factor
    for i in range(count):
        row = i * stride
        left = twist if row % 3 == 2 else bend
        for j in range(i, count):
            column = j * stride
            full[i, j] = left * (twist if column % 3 == 2 else bend) * scratch.hessian[row, column]
            full[j, i] = full[i, j]
    return smallest(full, count, scratch.diagonal, scratch.beside)


@inner
def least_stiffness(robot: Robot, scratch: Scratch) -> float:
    """mu_min of the filled state: least eigenvalue in units of the rod's own stiffness of each angle."""
    return _least(robot, scratch, 1 / math.sqrt(scratch.stiffness[0]), 1 / math.sqrt(scratch.stiffness[2]))


@inner
def least_eigenvalue(robot: Robot, scratch: Scratch) -> float:
    """lambda_min [N m] of the filled state."""
    return _least(robot, scratch, 1.0, 1.0)


@inner
def correct(
    robot: Robot, gravity: FloatArray, tensions: FloatArray, q: FloatArray, farthest: float, scratch: Scratch
) -> tuple[bool, int, int]:
    """Newton's steps from ``q`` (n, 3), which they replace, to the nearest equilibrium.

    Returns whether they converged, how many eigenvalues are not positive there, and the number of steps.
    They give up when an angle moves by more than ``farthest`` [rad], when they stop to contract, or when
    the clearance of :func:`fill` is used up. ``scratch`` keeps the Hessian at a distance below ``CONVERGED``.
    """
    moved, before = 0.0, math.inf
    for count in range(CORRECTIONS):
        _, clearance = fill(robot, gravity, tensions, q, scratch)
        if clearance <= 0.0:
            return False, 0, count
        negative, size = _newton_step(robot, scratch, 0.0)
        moved += size
        if moved > farthest or (count > 1 and size > 0.5 * before and size > CONVERGED):
            return False, negative, count
        _moved(robot, q, 1.0, scratch, q)
        if size <= CONVERGED:
            return True, negative, count + 1
        before = size
    return False, 0, CORRECTIONS


@inner
def _shifted_step(robot: Robot, scratch: Scratch) -> tuple[int, float]:
    """As ``_newton_step``; where eigenvalues are not positive, of the Hessian shifted until they are."""
    negative, size = _newton_step(robot, scratch, 0.0)
    if negative == 0:
        return negative, size
    shift = MARGIN - 1.1 * min(least_stiffness(robot, scratch), 0.0)
    left, size = _newton_step(robot, scratch, shift)
    while left > 0:
        shift *= 2.0
        left, size = _newton_step(robot, scratch, shift)
    return negative, size


@inner
def _shorten(
    robot: Robot, gravity: FloatArray, tensions: FloatArray, q: FloatArray, energy: float, size: float,
    scratch: Scratch,
) -> tuple[bool, float]:  # fmt: skip
    """Go along ``scratch.step`` as far as the energy falls; returns whether it does, and the new energy [J].

    The state is replaced and left filled; it stays where it is when no shortening helps.
    """
    stride = 3 if robot.planar else 1
    slope = 0.0
    for i in range(len(scratch.gradient) // stride):
        slope += scratch.step[i] * scratch.gradient[i * stride]
    factor = min(1.0, LONGEST / size)
    for _ in range(SHORTENINGS):
        _moved(robot, q, factor, scratch, scratch.trial)
        now, clearance = fill(robot, gravity, tensions, scratch.trial, scratch)
        lower = now <= energy + SUFFICIENT * factor * slope
        if clearance > 0.0 and (lower or size * factor < QUADRATIC):
            copy(scratch.trial, q)
            return True, now
        factor *= 0.5
    return False, energy


@inner
def descend(
    robot: Robot, gravity: FloatArray, tensions: FloatArray, q: FloatArray, scratch: Scratch
) -> tuple[bool, int, int]:
    """Go down the energy from ``q`` (n, 3), which is replaced, to an equilibrium.

    Returns as :func:`correct`. A saddle can be returned where the way leads into it, as from a symmetric
    start; its eigenvalues that are not positive show that.
    """
    energy, clearance = fill(robot, gravity, tensions, q, scratch)
    if clearance <= 0.0:
        return False, 0, 0
    for count in range(DESCENTS):
        negative, size = _shifted_step(robot, scratch)
        if size <= CONVERGED:
            _moved(robot, q, 1.0, scratch, q)
            return True, negative, count + 1
        going, energy = _shorten(robot, gravity, tensions, q, energy, size, scratch)
        if not going:
            return False, negative, count + 1
    return False, 0, DESCENTS


def settle(robot: Robot, tensions: FloatArray, start: FloatArray) -> tuple[bool, FloatArray, int]:
    """:func:`descend` from ``start`` (n, 3): whether it converged, the state, and the number of steps."""
    q = start.copy()
    converged, count = _settle(robot, tensions, q)
    return converged, q, count


@entry
def _settle(robot: Robot, tensions: FloatArray, q: FloatArray) -> tuple[bool, int]:
    if robot.planar:
        q[:, 1:] = 0.0
    converged, _, count = descend(robot, robot.gravity, tensions, q, new_scratch(robot))
    return converged, count


class Judgement(NamedTuple):
    """Judgement of a state.

    Attributes
    ----------
    energy : float, J
    residual : float, rad
        Largest moment on an angle that can change, over the rod's own stiffness; infinite when one is
        not a number.
    lambda_min : float, N m
    mu_min : float
    clearance : float
        As :func:`models.continuum_statics.energy_kernels.fill`.
    tip : 3 floats, m
    """

    energy: float
    residual: float
    lambda_min: float
    mu_min: float
    clearance: float
    tip: Vector


def judge(robot: Robot, tensions: FloatArray, q: FloatArray) -> Judgement:
    """Judge a state (n, 3) under whole tensions (m,)."""
    return Judgement(*_judge(robot, tensions, q))


@entry
def _judge(
    robot: Robot, tensions: FloatArray, q: FloatArray
) -> tuple[float, float, float, float, float, Vector]:
    """The fields of a :class:`Judgement`."""
    scratch = new_scratch(robot)
    energy, clearance = fill(robot, robot.gravity, tensions, q, scratch)
    residual = 0.0
    for i in range(0, len(scratch.gradient), 3 if robot.planar else 1):
        moment = abs(scratch.gradient[i]) / scratch.stiffness[i]
        residual = max(residual, moment) if math.isfinite(moment) else math.inf
    smallest_value, least = least_eigenvalue(robot, scratch), least_stiffness(robot, scratch)
    return energy, residual, smallest_value, least, clearance, tip(robot.L, q)
