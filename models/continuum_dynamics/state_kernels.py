"""Compiled states of motion: accelerations and tensions that belong to places and velocities, and records.

Cables do not stretch, and pull without an index-3 problem: the tensions of an instant are those for which
the cable's looseness, averaged over a window dt, vanishes or grows (equations 37 to 40 of the paper):
``0 <= lambda, 0 <= Phi + dt/2 Phi' + dt^2/6 Phi''``, one of the two being 0. Phi is the length that a cable
has too much. Here is what both forms share; coordinates are angles of elements in the relative form, and
displacements and rotations of disks since the step's start in the co-rotational form.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_dynamics.complementarity_kernels import pull_only
from models.continuum_dynamics.robot import Robot
from models.jit import inner
from models.numerics.copy_kernels import copy
from models.numerics.small_matrices import factorise_band, solve_band

DONE, NOT_CONVERGED, BENT_TOO_FAR, NO_TENSIONS = 0, 1, 2, 3
"""Ends of an integration."""


class Motors(NamedTuple):
    """Drives of m cables at k instants.

    Attributes
    ----------
    held : (m,) int
        1 where the length of a cable is set.
    pulls, speeds, accelerations : (m, k) float, m, m/s, m/s^2
    """

    held: IntArray
    pulls: FloatArray
    speeds: FloatArray
    accelerations: FloatArray


class State(NamedTuple):
    """Motion at one instant.

    Attributes
    ----------
    q, v, a : (s,) float
        Coordinates, velocities and accelerations.
    averaged : (s,) float
        The accelerations of the generalised-alpha method, from which it makes coordinates and velocities.
    tensions : (m,) float, N
    taut : (m,) int
        1 where a cable pulls.
    """

    q: FloatArray
    v: FloatArray
    a: FloatArray
    averaged: FloatArray
    tensions: FloatArray
    taut: IntArray


def state_at_rest(q: FloatArray, cables: int) -> State:
    """A state with the coordinates ``q`` (s,), which may change."""
    v, a, averaged = np.zeros((3, len(q)))
    return State(q, v, a, averaged, np.zeros(cables), np.zeros(cables, np.int64))


class Scratch(NamedTuple):
    """Room for a step with s coordinates and m cables.

    Attributes
    ----------
    tangent : (s, s) float
        Lower triangle, then its factor.
    scale, residual, change, zero, before : (s,) float
    lengths, bends : (m,) float, m and m/s^2
        Of the cables; ``bends`` are second rates of the lengths while all velocities are constant.
    slopes : (m, s) float
        Derivatives of the lengths.
    fixed, responses : (m, s) float
        Slopes when the tangent was factored, and what the cables then move.
    A : (m, m), b, loose, tensions : (m,), pivots : (m, m + 1) float
        Of the complementarity problem.
    """

    tangent: FloatArray
    scale: FloatArray
    residual: FloatArray
    change: FloatArray
    zero: FloatArray
    before: FloatArray
    lengths: FloatArray
    bends: FloatArray
    slopes: FloatArray
    fixed: FloatArray
    responses: FloatArray
    A: FloatArray
    b: FloatArray
    loose: FloatArray
    tensions: FloatArray
    pivots: FloatArray


@inner
def new_scratch(size: int, m: int) -> Scratch:
    """Room for ``size`` coordinates and m cables."""
    return Scratch(
        np.zeros((size, size)),
        np.empty(size), np.empty(size), np.empty(size), np.zeros(size), np.empty(size),
        np.empty(m), np.empty(m), np.empty((m, size)), np.empty((m, size)), np.empty((m, size)),
        np.empty((m, m)), np.empty(m), np.empty(m), np.empty(m), np.empty((m, m + 1)),
    )  # fmt: skip


@inner
def looseness(robot: Robot, motors: Motors, k: int, lengths: FloatArray, cable: int) -> float:
    """Phi [m] of a cable at instant k: the length that it has too much."""
    return len(robot.masses) * robot.L - lengths[cable] - motors.pulls[cable, k]


@inner
def averaged_looseness(
    robot: Robot, motors: Motors, k: int, state: State, window: float, scratch: Scratch, out: FloatArray
) -> None:
    """Phi + dt/2 Phi' + dt^2/6 Phi'' [m] of all cables at instant k, into (m,)."""
    for cable in range(len(out)):
        rate = -motors.speeds[cable, k] - product(scratch.slopes[cable], state.v)
        change = (
            -motors.accelerations[cable, k] - scratch.bends[cable] - product(scratch.slopes[cable], state.a)
        )
        loose = looseness(robot, motors, k, scratch.lengths, cable)
        out[cable] = loose + window / 2 * rate + window**2 / 6 * change


@inner
def respond(factor: float, band: int, scratch: Scratch) -> None:
    """Factor the tangent; fill what every cable moves, and A with ``factor`` times its effect on all cables.

    ``scale`` is set before.
    """
    size = len(scratch.scale)
    factorise_band(scratch.tangent, size, band, scratch.scale)
    copy(scratch.slopes, scratch.fixed)
    copy(scratch.slopes, scratch.responses)
    for cable in range(len(scratch.b)):
        solve_band(scratch.tangent, size, band, scratch.responses[cable])
    for i in range(len(scratch.b)):
        for j in range(len(scratch.b)):
            scratch.A[i, j] = factor * product(scratch.fixed[i], scratch.responses[j])


@inner
def product(a: FloatArray, b: FloatArray) -> float:
    """Scalar product of two arrays."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@inner
def accelerate(
    robot: Robot, motors: Motors, k: int, window: float, band: int, state: State, scratch: Scratch
) -> int:
    """Accelerations and tensions at instant k; returns a code.

    Before, ``tangent`` holds the mass matrix (lower triangle; no entries further than ``band`` from the
    diagonal), ``residual`` the forces that a motion without accelerations needs, and the lengths of the
    cables are filled.
    """
    size = len(state.q)
    for i in range(size):
        scratch.scale[i] = scratch.tangent[i, i]
    respond(window**2 / 6, band, scratch)
    for i in range(size):
        state.a[i] = -scratch.residual[i]
    solve_band(scratch.tangent, size, band, state.a)
    averaged_looseness(robot, motors, k, state, window, scratch, scratch.b)
    if not pull_only(scratch.A, scratch.b, motors.held, state.taut, scratch.pivots, state.tensions):
        return NO_TENSIONS
    for i in range(size):
        for cable in range(len(scratch.b)):
            state.a[i] -= scratch.responses[cable, i] * state.tensions[cable]
    return DONE


class Record(NamedTuple):
    """Record of k instants, beside the places of the robot.

    Attributes
    ----------
    rates : (k, s) float
        Velocities.
    tensions, loose : (k, m) float, N and m
        ``loose`` is Phi, the length that a cable has too much.
    curvatures : (k, n) float, 1/m
        Greatest curvature of the backbone in each element.
    energy_balance : (k, 5) float
        Kinetic, elastic and gravity energy [J], power of damping and power of the cables [W].
    """

    rates: FloatArray
    tensions: FloatArray
    loose: FloatArray
    curvatures: FloatArray
    energy_balance: FloatArray


@inner
def keep(
    robot: Robot, motors: Motors, k: int, at: int, state: State, scratch: Scratch, energies: FloatArray,
    record: Record,
) -> None:  # fmt: skip
    """Write instant k, row ``at`` of the record, but its curvatures; ``energies`` (4,) begin the balance."""
    copy(state.v, record.rates[at])
    copy(state.tensions, record.tensions[at])
    power = 0.0
    for cable in range(len(state.tensions)):
        record.loose[at, cable] = looseness(robot, motors, k, scratch.lengths, cable)
        power -= state.tensions[cable] * product(scratch.slopes[cable], state.v)
    copy(energies, record.energy_balance[at, :4])
    record.energy_balance[at, 4] = power
