"""Compiled states of motion: accelerations and tensions that belong to angles and rates, and records of them.

Cables do not stretch, and pull without an index-3 problem: the tensions of an instant are those for which
the cable's looseness, averaged over a window dt, vanishes or grows (equations 37 to 40 of the paper):
``0 <= lambda, 0 <= Phi + dt/2 Phi' + dt^2/6 Phi''``, one of the two being 0. Phi is the length that a cable
has too much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_dynamics.cable_kernels import CableRoom, bent, fill_cables
from models.continuum_dynamics.complementarity_kernels import pull_only
from models.continuum_dynamics.motion_kernels import (
    MOST_BEND,
    Chain,
    fill_energies,
    fill_inertia,
    place,
    uncabled_forces,
)
from models.continuum_dynamics.robot import Robot
from models.jit import inner
from models.numerics.small_matrices import factorise, solve_factored

DONE, NOT_CONVERGED, BENT_TOO_FAR, NO_TENSIONS = 0, 1, 2, 3
"""How an integration ended."""


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
    q, v, a : (3n,) float, rad, rad/s and rad/s^2
        Angles, rates and accelerations.
    averaged : (3n,) float, rad/s^2
        The accelerations of the generalised-alpha method, from which it makes angles and rates.
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


class Room(NamedTuple):
    """Room for a step of a robot with n arcs and m cables.

    Attributes
    ----------
    tangent : (3n, 3n) float
        Lower triangle, then its factor.
    scale, residual, change, zero : (3n,) float
    total : (10,) float
    slopes, responses : (m, 3n) float
        Slopes of the cables when the tangent was factored, and what they move.
    A : (m, m), b, loose, tensions : (m,), pivots : (m, m + 1) float
        Of the complementarity problem.
    """

    tangent: FloatArray
    scale: FloatArray
    residual: FloatArray
    change: FloatArray
    zero: FloatArray
    total: FloatArray
    slopes: FloatArray
    responses: FloatArray
    A: FloatArray
    b: FloatArray
    loose: FloatArray
    tensions: FloatArray
    pivots: FloatArray


@inner
def new_room(n: int, m: int) -> Room:
    """Room for n arcs and m cables."""
    size = 3 * n
    return Room(
        np.zeros((size, size)), np.empty(size), np.empty(size), np.empty(size), np.zeros(size), np.empty(10),
        np.empty((m, size)), np.empty((m, size)), np.empty((m, m)), np.empty(m), np.empty(m), np.empty(m),
        np.empty((m, m + 1)),
    )  # fmt: skip


@inner
def looseness(robot: Robot, motors: Motors, k: int, cables: CableRoom, cable: int) -> float:
    """Phi [m] of a cable at instant k: the length that it has too much."""
    return len(robot.masses) * robot.L - cables.lengths[cable] - motors.pulls[cable, k]


@inner
def averaged_looseness(
    robot: Robot, motors: Motors, k: int, cables: CableRoom, state: State, window: float, out: FloatArray
) -> None:
    """Phi + dt/2 Phi' + dt^2/6 Phi'' [m] of all cables at instant k, into (m,)."""
    for cable in range(len(out)):
        rate = -motors.speeds[cable, k]
        change = -motors.accelerations[cable, k] - bent(cables.curvatures[cable], state.v)
        for i in range(len(state.q)):
            rate -= cables.slopes[cable, i] * state.v[i]
            change -= cables.slopes[cable, i] * state.a[i]
        out[cable] = looseness(robot, motors, k, cables, cable) + window / 2 * rate + window**2 / 6 * change


@inner
def new_state(q: FloatArray, v: FloatArray, m: int) -> State:
    """A state with these angles and rates (3n,)."""
    size = len(q)
    return State(
        q.copy(), v.copy(), np.zeros(size), np.zeros(size), np.zeros(m), np.zeros(m, np.int64)
    )  # fmt: skip


@inner
def respond(factor: float, cables: CableRoom, room: Room) -> None:
    """Solve for what every cable moves, and fill A with ``factor`` times what that does to all cables."""
    size = len(room.scale)
    room.slopes[:] = cables.slopes
    room.responses[:] = cables.slopes
    for cable in range(len(room.b)):
        solve_factored(room.tangent, size, room.responses[cable])
    for i in range(len(room.b)):
        for j in range(len(room.b)):
            room.A[i, j] = factor * product(room.slopes[i], room.responses[j])


@inner
def product(a: FloatArray, b: FloatArray) -> float:
    """Scalar product of two arrays."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@inner
def solve_accelerations(
    robot: Robot, motors: Motors, k: int, window: float, chain: Chain, cables: CableRoom, state: State,
    room: Room,
) -> int:  # fmt: skip
    """Accelerations and tensions of the state's angles and rates at instant k; returns a code."""
    size = len(state.q)
    if not place(robot, state.q, chain) < MOST_BEND:
        return BENT_TOO_FAR
    fill_cables(robot, state.q, chain.shape, cables)
    fill_inertia(robot, chain, 1.0, room.zero, room.total, room.tangent)
    for i in range(size):
        room.scale[i] = room.tangent[i, i]
    factorise(room.tangent, size, 1, room.scale)
    respond(window**2 / 6, cables, room)
    uncabled_forces(robot, state.q, state.v, room.zero, chain, state.a)
    for i in range(size):
        state.a[i] = -state.a[i]
    solve_factored(room.tangent, size, state.a)
    averaged_looseness(robot, motors, k, cables, state, window, room.b)
    if not pull_only(room.A, room.b, motors.held, state.taut, room.pivots, state.tensions):
        return NO_TENSIONS
    for i in range(size):
        for cable in range(len(room.b)):
            state.a[i] -= room.responses[cable, i] * state.tensions[cable]
    return DONE


class Record(NamedTuple):
    """What is kept of k instants.

    Attributes
    ----------
    states, rates : (k, 3n) float, rad and rad/s
    tensions, loose : (k, m) float, N and m
        ``loose`` is Phi, the length that a cable has too much.
    ledger : (k, 5) float
        Kinetic, elastic and gravity energy [J], power of damping and power of the cables [W].
    """

    states: FloatArray
    rates: FloatArray
    tensions: FloatArray
    loose: FloatArray
    ledger: FloatArray


@inner
def keep(
    robot: Robot, motors: Motors, k: int, at: int, chain: Chain, cables: CableRoom, state: State,
    record: Record,
) -> None:  # fmt: skip
    """Write instant k, row ``at`` of the record."""
    place(robot, state.q, chain)
    fill_cables(robot, state.q, chain.shape, cables)
    fill_energies(robot, state.q, state.v, chain, record.ledger[at])
    record.states[at], record.rates[at], record.tensions[at] = state.q, state.v, state.tensions
    power = 0.0
    for cable in range(len(state.tensions)):
        record.loose[at, cable] = looseness(robot, motors, k, cables, cable)
        power -= state.tensions[cable] * product(cables.slopes[cable], state.v)
    record.ledger[at, 4] = power
