"""Compiled motion in relative coordinates: blocks of instants by the generalised-alpha method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.generalized_alpha_kernels import (
    FACTORED,
    ITERATIONS,
    Scheme,
    finish,
    improve,
    predict,
)
from models.continuum_dynamics.relative.cable_kernels import CableScratch, add_curvature, bent, fill_cables
from models.continuum_dynamics.relative.motion_kernels import (
    MOST_BEND,
    Chain,
    fill_curvatures,
    fill_energies,
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
    Scratch,
    State,
    accelerate,
    keep,
    new_scratch,
    respond,
)
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

CONVERGED = 1e-11  # [rad]; largest change of an angle in the last iteration


class ArcScratch(NamedTuple):
    """Room for the geometry of n arcs and m cables.

    Attributes
    ----------
    chain : Chain
    curvatures : (m, n, 6) float, m/rad^2
        Second derivatives of the cables' lengths; see ``cable_kernels.py``.
    total : (10,), energies : (4,) float
    """

    chain: Chain
    curvatures: FloatArray
    total: FloatArray
    energies: FloatArray


@inner
def new_arc_scratch(n: int, m: int) -> ArcScratch:
    """Room for n arcs and m cables."""
    return ArcScratch(new_chain(n), np.empty((m, n, 6)), np.empty(10), np.empty(4))


@inner
def place_all(robot: Robot, state: State, arcs: ArcScratch, scratch: Scratch) -> float:
    """Put arcs and cables in their places; returns the largest theta^2 [rad^2]."""
    largest = place(robot, state.q, arcs.chain)
    fill_cables(
        robot, state.q, arcs.chain.shape, CableScratch(scratch.lengths, scratch.slopes, arcs.curvatures)
    )
    for cable in range(len(scratch.bends)):
        scratch.bends[cable] = bent(arcs.curvatures[cable], state.v)
    return largest


@inner
def solve_accelerations(
    robot: Robot, motors: Motors, k: int, window: float, arcs: ArcScratch, state: State, scratch: Scratch
) -> int:
    """Accelerations and tensions of the state's angles and rates at instant k; returns a code."""
    if not place_all(robot, state, arcs, scratch) < MOST_BEND:
        return BENT_TOO_FAR
    fill_inertia(robot, arcs.chain, 1.0, scratch.zero, arcs.total, scratch.tangent)
    uncabled_forces(robot, state.q, state.v, scratch.zero, arcs.chain, scratch.residual)
    return accelerate(robot, motors, k, window, len(state.q), state, scratch)


@inner
def factor_tangent(robot: Robot, scheme: Scheme, arcs: ArcScratch, state: State, scratch: Scratch) -> None:
    """Factor the derivative of the forces by the angles, and fill what the cables move."""
    size, tangent = len(state.q), scratch.tangent
    mass = scheme.mass + robot.mass_damping * scheme.damping
    fill_inertia(robot, arcs.chain, mass, robot.gravity, arcs.total, tangent)
    for i in range(size):
        stiffness = (robot.GJ if i % 3 == 2 else robot.EI) / robot.L
        tangent[i, i] += stiffness * (1.0 + robot.stiffness_damping * scheme.damping)
        scratch.scale[i] = abs(tangent[i, i])
    for cable in range(len(state.tensions)):
        add_curvature(arcs.curvatures[cable], state.tensions[cable], tangent)
    respond(scheme.looseness, size, scratch)


@inner
def advance(
    robot: Robot, scheme: Scheme, motors: Motors, k: int, arcs: ArcScratch, state: State, scratch: Scratch
) -> tuple[int, int]:
    """Step to instant k; returns a code and the iterations."""
    predict(scheme, state, scratch)
    for count in range(ITERATIONS):
        if not place_all(robot, state, arcs, scratch) < MOST_BEND:
            return (BENT_TOO_FAR if count == 0 else NOT_CONVERGED), count
        if count % FACTORED == 0:
            factor_tangent(robot, scheme, arcs, state, scratch)
        uncabled_forces(robot, state.q, state.v, state.a, arcs.chain, scratch.residual)
        size = improve(robot, scheme, motors, k, len(state.q), state, scratch)
        if size < 0.0:
            return NO_TENSIONS, count
        if size <= CONVERGED:
            finish(scheme, state, scratch)
            return DONE, count + 1
    return NOT_CONVERGED, ITERATIONS


@inner
def keep_row(
    robot: Robot, motors: Motors, k: int, at: int, arcs: ArcScratch, state: State, scratch: Scratch,
    states: FloatArray, record: Record,
) -> None:  # fmt: skip
    """Write instant k, row ``at`` of ``states`` (k, 3n) and of the record."""
    place_all(robot, state, arcs, scratch)
    fill_energies(robot, state.q, state.v, arcs.chain, arcs.energies)
    fill_curvatures(robot, state.q, state.v, state.a, state.tensions, arcs.chain, record.curvatures[at])
    copy(state.q, states[at])
    keep(robot, motors, k, at, state, scratch, arcs.energies, record)


@entry
def integrate(
    robot: Robot, scheme: Scheme, motors: Motors, state: State, first: int, last: int, states: FloatArray,
    record: Record,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill rows ``first`` to ``last - 1`` by the generalised-alpha method, one per instant of the motors.

    The state, at the instant before ``first``, moves on; at instant 0 it needs angles and rates alone.
    Returns a code, the rows that are filled and the iterations.
    """
    n, m = len(robot.masses), len(motors.held)
    arcs, scratch, iterations = new_arc_scratch(n, m), new_scratch(3 * n, m), 0
    for k in range(first, last):
        if k == 0:
            code, count = solve_accelerations(robot, motors, 0, scheme.window, arcs, state, scratch), 0
            copy(state.a, state.averaged)
        else:
            code, count = advance(robot, scheme, motors, k, arcs, state, scratch)
        iterations += count
        if code != DONE:
            return code, k, iterations
        keep_row(robot, motors, k, k, arcs, state, scratch, states, record)
    return DONE, last, iterations
