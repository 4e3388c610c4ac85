"""Compiled motion in the co-rotational form: blocks of instants by the generalised-alpha method.

The coordinates (6n,) are displacements [m] and rotation vectors [rad] of the disks since the step's start;
the velocities are (v, w) in the base frame. The method moves a disk by ``exp([q]x)`` with q as if velocities
were its derivative (Bruels, Cardona, Arnold 2012).
"""

from __future__ import annotations

from typing import NamedTuple

from models.arrays import FloatArray
from models.continuum_dynamics.corotational.cable_kernels import add_cable_stiffness, fill_lengths
from models.continuum_dynamics.corotational.element_kernels import greatest_curvature
from models.continuum_dynamics.corotational.motion_kernels import (
    BAND,
    MOST_LOCAL,
    Body,
    add_damping,
    add_mass,
    add_stiffness,
    fill_energies,
    move_nodes,
    new_body,
    place_elements,
    uncabled_forces,
)
from models.continuum_dynamics.generalized_alpha_kernels import (
    FACTORED,
    ITERATIONS,
    Scheme,
    finish,
    improve,
    predict,
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

CONVERGED = 1e-11  # [m] and [rad]; largest change of a coordinate in the last iteration


class Places(NamedTuple):
    """Frames of the base and n disks at the step's start, in the base frame.

    Attributes
    ----------
    positions : (n + 1, 3) float, m
    rotations : (n + 1, 3, 3) float
    """

    positions: FloatArray
    rotations: FloatArray


class PlaceRecord(NamedTuple):
    """Positions (k, n + 1, 3) [m] and rotations (k, n + 1, 3, 3) of k instants."""

    positions: FloatArray
    rotations: FloatArray


@inner
def place_all(robot: Robot, places: Places, state: State, body: Body, scratch: Scratch) -> float:
    """Put disks, elements and cables in their places; returns the square of the largest local rotation."""
    move_nodes(places.positions, places.rotations, state.q, body)
    fill_lengths(robot, body, state.v, scratch.lengths, scratch.slopes, scratch.bends)
    return place_elements(body)


@inner
def start_step(places: Places, state: State, body: Body) -> None:
    """Count displacements and rotations from where the disks are now."""
    copy(body.positions, places.positions)
    copy(body.rotations, places.rotations)
    state.q[:] = 0.0


@inner
def clear_band(tangent: FloatArray) -> None:
    """Set the entries near the diagonal of the lower triangle to zero."""
    for i in range(len(tangent)):
        for j in range(max(0, i - BAND), i + 1):
            tangent[i, j] = 0.0


@inner
def solve_accelerations(
    robot: Robot,
    motors: Motors,
    k: int,
    window: float,
    places: Places,
    state: State,
    body: Body,
    scratch: Scratch,
) -> int:
    """Accelerations and tensions of the state's places and velocities at instant k; returns a code."""
    if not place_all(robot, places, state, body, scratch) < MOST_LOCAL:
        return BENT_TOO_FAR
    clear_band(scratch.tangent)
    add_mass(robot, 1.0, body, scratch.tangent)
    uncabled_forces(robot, state.v, scratch.zero, body, scratch.residual)
    return accelerate(robot, motors, k, window, BAND, state, scratch)


@inner
def factor_tangent(robot: Robot, scheme: Scheme, state: State, body: Body, scratch: Scratch) -> None:
    """Factor the derivative of the forces by the coordinates, and fill what the cables move."""
    clear_band(scratch.tangent)
    add_mass(robot, scheme.mass + robot.mass_damping * scheme.damping, body, scratch.tangent)
    add_stiffness(robot, body, scratch.tangent)
    if robot.stiffness_damping > 0.0:
        add_damping(robot, robot.stiffness_damping * scheme.damping, body, scratch.tangent)
    for i in range(len(state.q)):
        scratch.scale[i] = abs(scratch.tangent[i, i])
    for cable in range(len(state.tensions)):
        if state.tensions[cable] > 0.0:
            add_cable_stiffness(robot, body, cable, state.tensions[cable], scratch.tangent)
    respond(scheme.looseness, BAND, scratch)


@inner
def advance(
    robot: Robot,
    scheme: Scheme,
    motors: Motors,
    k: int,
    places: Places,
    state: State,
    body: Body,
    scratch: Scratch,
) -> tuple[int, int]:
    """Step to instant k; returns a code and the iterations."""
    start_step(places, state, body)
    predict(scheme, state, scratch)
    for count in range(ITERATIONS):
        if not place_all(robot, places, state, body, scratch) < MOST_LOCAL:
            return (BENT_TOO_FAR if count == 0 else NOT_CONVERGED), count
        if count % FACTORED == 0:
            factor_tangent(robot, scheme, state, body, scratch)
        uncabled_forces(robot, state.v, state.a, body, scratch.residual)
        size = improve(robot, scheme, motors, k, BAND, state, scratch)
        if size < 0.0:
            return NO_TENSIONS, count
        if size <= CONVERGED:
            finish(scheme, state, scratch)
            return DONE, count + 1
    return NOT_CONVERGED, ITERATIONS


@inner
def keep_row(
    robot: Robot, motors: Motors, k: int, at: int, places: Places, state: State, body: Body, scratch: Scratch,
    found: PlaceRecord, record: Record,
) -> None:  # fmt: skip
    """Write instant k, row ``at`` of both records."""
    place_all(robot, places, state, body, scratch)
    fill_energies(robot, state.v, body, body.energies)
    copy(body.positions, found.positions[at])
    copy(body.rotations, found.rotations[at])
    for element in range(len(robot.masses)):
        record.curvatures[at, element] = greatest_curvature(robot, element, body.elements)
    keep(robot, motors, k, at, state, scratch, body.energies, record)


@entry
def integrate_nodes(
    robot: Robot, scheme: Scheme, motors: Motors, places: Places, state: State, first: int, last: int,
    found: PlaceRecord, record: Record,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill rows ``first`` to ``last - 1`` by the generalised-alpha method, one per instant of the motors.

    Places and state, at the instant before ``first``, move on; at instant 0 they need places and velocities
    alone. Returns a code, the rows that are filled and the iterations.
    """
    body, scratch, iterations = (
        new_body(places.positions, places.rotations),
        new_scratch(len(state.q), len(motors.held)),
        0,
    )
    move_nodes(places.positions, places.rotations, state.q, body)
    for k in range(first, last):
        if k == 0:
            code, count = (
                solve_accelerations(robot, motors, 0, scheme.window, places, state, body, scratch),
                0,
            )
            copy(state.a, state.averaged)
        else:
            code, count = advance(robot, scheme, motors, k, places, state, body, scratch)
        iterations += count
        if code != DONE:
            return code, k, iterations
        keep_row(robot, motors, k, k, places, state, body, scratch, found, record)
    return DONE, last, iterations
