"""Compiled integration in time by the generalised-alpha method.

Source: Chung and Hulbert, "A time integration algorithm for structural dynamics with improved numerical
dissipation", 1993, with accelerations that satisfy the equations at the end of a step: Arnold and Bruels,
"Convergence of the generalized-alpha scheme for constrained mechanical systems", 2007. The tensions are
solved for together with the motion; :mod:`models.continuum_dynamics.state_kernels` says which.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.cable_kernels import CableRoom, add_curvature, fill_cables, new_cable_room
from models.continuum_dynamics.complementarity_kernels import pull_only
from models.continuum_dynamics.motion_kernels import (
    MOST_BEND,
    Chain,
    fill_inertia,
    new_chain,
    place,
    uncabled_forces,
)
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import (
    BENT_TOO_FAR,
    DONE,
    NO_TENSIONS,
    NOT_CONVERGED,
    Motors,
    Record,
    Room,
    State,
    averaged_looseness,
    keep,
    new_room,
    new_state,
    product,
    respond,
    solve_accelerations,
)
from models.jit import entry, inner
from models.numerics.small_matrices import factorise, solve_factored

ITERATIONS = 60  # of a step
FACTORED = 6  # iterations that share a factor of the tangent
CONVERGED = 1e-11  # [rad]; largest change of an angle in the last iteration


class Scheme(NamedTuple):
    """Numbers of the generalised-alpha method with the step ``h`` [s].

    Attributes
    ----------
    alpha_m, alpha_f, beta, gamma : float
    mass, damping : float, 1/s^2 and 1/s
        Changes of acceleration and rate per change of angle within a step.
    window : float, s
        Over which looseness is averaged.
    """

    h: float
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    mass: float
    damping: float
    window: float


def scheme_of(h: float, rho: float, window: float) -> Scheme:
    """The scheme whose spectral radius at infinite frequency is ``rho``: 1 keeps all, 0 damps all."""
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    mass = (1 - alpha_m) / (h * h * beta * (1 - alpha_f))
    return Scheme(h, alpha_m, alpha_f, beta, gamma, mass, gamma / (h * beta), window)


@inner
def factor_tangent(
    robot: Robot, scheme: Scheme, chain: Chain, cables: CableRoom, state: State, room: Room
) -> None:
    """Factor the derivative of the forces by the angles, and fill what the cables move."""
    size, tangent = len(state.q), room.tangent
    mass = scheme.mass + robot.mass_damping * scheme.damping
    fill_inertia(robot, chain, mass, robot.gravity, room.total, tangent)
    for i in range(size):
        stiffness = (robot.GJ if i % 3 == 2 else robot.EI) / robot.L
        tangent[i, i] += stiffness * (1.0 + robot.stiffness_damping * scheme.damping)
        room.scale[i] = abs(tangent[i, i])
    for cable in range(len(state.tensions)):
        add_curvature(cables.curvatures[cable], state.tensions[cable], tangent)
    factorise(tangent, size, 1, room.scale)
    respond(scheme.window / 2 * scheme.damping + scheme.window**2 / 6 * scheme.mass + 1.0, cables, room)


@inner
def improve(
    robot: Robot, scheme: Scheme, motors: Motors, k: int, chain: Chain, cables: CableRoom, state: State,
    room: Room,
) -> float:  # fmt: skip
    """One iteration of Newton for motion and tensions at instant k; the largest change [rad], -1 if none."""
    size, change = len(state.q), room.change
    uncabled_forces(robot, state.q, state.v, state.a, chain, room.residual)
    averaged_looseness(robot, motors, k, cables, state, scheme.window, room.loose)
    for i in range(size):
        change[i] = -room.residual[i]
        for cable in range(len(room.b)):
            change[i] -= state.tensions[cable] * cables.slopes[cable, i]
    solve_factored(room.tangent, size, change)
    factor = scheme.window / 2 * scheme.damping + scheme.window**2 / 6 * scheme.mass + 1.0
    for cable in range(len(room.b)):
        room.b[cable] = room.loose[cable] - factor * product(room.slopes[cable], change)
        for other in range(len(room.b)):
            room.b[cable] -= room.A[cable, other] * state.tensions[other]
    if not pull_only(room.A, room.b, motors.held, state.taut, room.pivots, room.tensions):
        return -1.0
    largest, total = 0.0, 0.0
    for i in range(size):
        for cable in range(len(room.b)):
            change[i] -= room.responses[cable, i] * (room.tensions[cable] - state.tensions[cable])
        largest = max(largest, abs(change[i]))
        total += abs(change[i])  # a maximum may pass over NaN, a sum does not
        state.q[i] += change[i]
        state.v[i] += scheme.damping * change[i]
        state.a[i] += scheme.mass * change[i]
    state.tensions[:] = room.tensions
    return largest if math.isfinite(total) else math.inf


@inner
def predict(scheme: Scheme, state: State) -> None:
    """Move on by one step with the accelerations of its start."""
    h = scheme.h
    for i in range(len(state.q)):
        a, before = state.a[i], state.averaged[i]
        after = (a - scheme.alpha_m * before) / (1 - scheme.alpha_m)
        state.q[i] += h * state.v[i] + h * h * ((0.5 - scheme.beta) * before + scheme.beta * after)
        state.v[i] += h * ((1 - scheme.gamma) * before + scheme.gamma * after)
        state.averaged[i] = after


@inner
def advance(
    robot: Robot, scheme: Scheme, motors: Motors, k: int, chain: Chain, cables: CableRoom, state: State,
    room: Room, before: FloatArray,
) -> tuple[int, int]:  # fmt: skip
    """Step to instant k; returns a code and the iterations. ``before`` (3n,) is room."""
    before[:] = state.a
    predict(scheme, state)
    for count in range(ITERATIONS):
        bend = place(robot, state.q, chain)
        if not bend < MOST_BEND:
            return (BENT_TOO_FAR if count == 0 else NOT_CONVERGED), count
        fill_cables(robot, state.q, chain.shape, cables)
        if count % FACTORED == 0:
            factor_tangent(robot, scheme, chain, cables, state, room)
        size = improve(robot, scheme, motors, k, chain, cables, state, room)
        if size < 0.0:
            return NO_TENSIONS, count
        if size <= CONVERGED:
            share = (1 - scheme.alpha_f) / (1 - scheme.alpha_m)
            for i in range(len(before)):
                state.averaged[i] += share * (state.a[i] - before[i])
            return DONE, count + 1
    return NOT_CONVERGED, ITERATIONS


@entry
def integrate(
    robot: Robot, scheme: Scheme, motors: Motors, q: FloatArray, v: FloatArray, record: Record
) -> tuple[int, int, int]:
    """Fill the record with the generalised-alpha method, one row per instant of the motors.

    ``q`` and ``v`` (3n,) are those of the first instant. Returns a code, the rows that were filled and the
    iterations.
    """
    n, m = len(robot.masses), len(motors.held)
    chain, cables, room, state = new_chain(n), new_cable_room(m, n), new_room(n, m), new_state(q, v, m)
    before, iterations = np.empty(3 * n), 0
    code = solve_accelerations(robot, motors, 0, scheme.window, chain, cables, state, room)
    if code != DONE:
        return code, 0, 0
    state.averaged[:] = state.a
    keep(robot, motors, 0, 0, chain, cables, state, record)
    for k in range(1, motors.pulls.shape[1]):
        code, count = advance(robot, scheme, motors, k, chain, cables, state, room, before)
        iterations += count
        if code != DONE:
            return code, k, iterations
        keep(robot, motors, k, k, chain, cables, state, record)
    return DONE, motors.pulls.shape[1], iterations
