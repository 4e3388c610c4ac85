"""Motion by the classical Runge-Kutta method, in both formulations of ``continuum-dynamics``.

It is explicit: its step has to be shorter than the stiffest motion of the disks takes, and in the co-rotational
form than waves need to run along an element. There it integrates the rotation vectors q of a step with
``q' = V^-1 w`` (Munthe-Kaas).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.corotational import simulation as corotational
from models.continuum_dynamics.corotational.integration_kernels import PlaceRecord, Places, start_step
from models.continuum_dynamics.corotational.integration_kernels import keep_row as keep_corotational
from models.continuum_dynamics.corotational.integration_kernels import (
    solve_accelerations as solve_corotational,
)
from models.continuum_dynamics.corotational.motion_kernels import Body, new_body
from models.continuum_dynamics.drives import Drive
from models.continuum_dynamics.integration import Motion, Plan, integrate_in_blocks, plan
from models.continuum_dynamics.relative import simulation as relative
from models.continuum_dynamics.relative.integration_kernels import ArcScratch, new_arc_scratch
from models.continuum_dynamics.relative.integration_kernels import keep_row as keep_relative
from models.continuum_dynamics.relative.integration_kernels import solve_accelerations as solve_relative
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import DONE, Motors, Record, Scratch, State, new_scratch
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.rotation_kernels import inverse_coefficients, vector_rate
from models.numerics.vector_kernels import dot, row


def simulate_relative(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float, window: float | None = None
) -> Motion:
    """As ``simulate`` of ``relative/``; the duration is a multiple of the step."""
    planned = _plan(robot, drives, duration, step, relative.static_solution)
    state, states, record = relative._room(planned)
    width = step if window is None else window

    def block(first: int, last: int) -> tuple[int, ...]:
        return integrate_relative(robot, step, width, planned.motors, state, first, last, states, record)

    code, rows = integrate_in_blocks(block, len(states), None)
    return relative._motion(robot, planned.times, states, record, code, rows)


def simulate_corotational(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float, window: float | None = None
) -> Motion:
    """As ``simulate`` of ``corotational/``; the default robot needs steps of 0.05 ms."""
    planned = _plan(robot, drives, duration, step, corotational.static_solution)
    places, state, found, record = corotational._room(planned)
    width = step if window is None else window

    def block(first: int, last: int) -> tuple[int, ...]:
        return integrate_corotational(
            robot, step, width, planned.motors, places, state, first, last, found, record
        )

    code, rows = integrate_in_blocks(block, len(planned.times), None)
    return corotational._motion(planned, found, record, code, rows)


def _plan(robot, drives, duration, step, static_solution) -> Plan:
    """The plan of steps whose motors are given half way, too."""
    halves = plan(robot, drives, duration, step / 2, static_solution)
    return halves._replace(times=halves.times[::2])


@inner
def advance_relative(
    robot: Robot, h: float, window: float, motors: Motors, k: int, arcs: ArcScratch, state: State,
    scratch: Scratch, sums: FloatArray,
) -> int:  # fmt: skip
    """Step from instant k to k + 2 of motors that are given at every half step; returns a code.

    The state's accelerations are those of its start, and of its last stage afterwards. ``sums`` (4, 3n) is
    scratch.
    """
    copy(state.q, sums[0])
    copy(state.v, sums[1])
    sums[2:] = 0.0
    for stage in range(4):
        weight, share = (1.0, 2.0, 2.0, 1.0)[stage] * h / 6, (0.5, 0.5, 1.0, 0.0)[stage] * h
        for i in range(len(state.q)):
            sums[2, i] += weight * state.v[i]
            sums[3, i] += weight * state.a[i]
            state.q[i], state.v[i] = sums[0, i] + share * state.v[i], sums[1, i] + share * state.a[i]
        at = k + (2 if stage == 2 else 1)
        if stage < 3:
            code = solve_relative(robot, motors, at, window, arcs, state, scratch)
            if code != DONE:
                return code
    for i in range(len(state.q)):
        state.q[i], state.v[i] = sums[0, i] + sums[2, i], sums[1, i] + sums[3, i]
    return DONE


@entry
def integrate_relative(
    robot: Robot, h: float, window: float, motors: Motors, state: State, first: int, last: int,
    states: FloatArray, record: Record,
) -> tuple[int, int]:  # fmt: skip
    """Fill rows ``first`` to ``last - 1``, one per step; the motors are given at every half step.

    The state, at row ``first``, moves on to row ``last``, except at the end. Returns a code and the rows
    that are filled.
    """
    n, m = len(robot.masses), len(motors.held)
    arcs, scratch, sums = new_arc_scratch(n, m), new_scratch(3 * n, m), np.empty((4, 3 * n))
    for at in range(first, last):
        code = solve_relative(robot, motors, 2 * at, window, arcs, state, scratch)
        if code != DONE:
            return code, at
        keep_relative(robot, motors, 2 * at, at, arcs, state, scratch, states, record)
        if 2 * at + 2 < motors.pulls.shape[1]:
            code = advance_relative(robot, h, window, motors, 2 * at, arcs, state, scratch, sums)
            if code != DONE:
                return code, at + 1
    return DONE, last


@inner
def add_rates(state: State, factor: float, out: FloatArray) -> None:
    """Add ``factor`` times the rates of the coordinates to ``out`` (6n,)."""
    for i in range(0, len(out), 6):
        r, w = row(state.q[i + 3 : i + 6]), row(state.v[i + 3 : i + 6])
        turning = vector_rate(r, inverse_coefficients(dot(r, r))[0], w)
        for axis in range(3):
            out[i + axis] += factor * state.v[i + axis]
            out[i + 3 + axis] += factor * turning[axis]


@inner
def advance_corotational(
    robot: Robot, h: float, window: float, motors: Motors, k: int, places: Places, state: State, body: Body,
    scratch: Scratch, sums: FloatArray,
) -> int:  # fmt: skip
    """Step from instant k to k + 2 of motors that are given at every half step; returns a code.

    The state's accelerations are those of its start, and of its last stage afterwards. ``sums`` (4, 6n) is
    scratch.
    """
    start_step(places, state, body)
    copy(state.v, sums[0])
    sums[1:] = 0.0
    for stage in range(4):
        weight, share = (1.0, 2.0, 2.0, 1.0)[stage] * h / 6, (0.5, 0.5, 1.0, 0.0)[stage] * h
        add_rates(state, weight, sums[1])
        sums[3] = 0.0
        add_rates(state, share, sums[3])
        for i in range(len(state.q)):
            sums[2, i] += weight * state.a[i]
            state.q[i], state.v[i] = sums[3, i], sums[0, i] + share * state.a[i]
        at = k + (2 if stage == 2 else 1)
        if stage < 3:
            code = solve_corotational(robot, motors, at, window, places, state, body, scratch)
            if code != DONE:
                return code
    for i in range(len(state.q)):
        state.q[i], state.v[i] = sums[1, i], sums[0, i] + sums[2, i]
    return DONE


@entry
def integrate_corotational(
    robot: Robot, h: float, window: float, motors: Motors, places: Places, state: State, first: int,
    last: int, found: PlaceRecord, record: Record,
) -> tuple[int, int]:  # fmt: skip
    """Fill rows ``first`` to ``last - 1``, one per step; the motors are given at every half step.

    Places and state, at row ``first``, move on to row ``last``, except at the end. Returns a code and the
    rows that are filled.
    """
    body, scratch = (
        new_body(places.positions, places.rotations),
        new_scratch(len(state.q), len(motors.held)),
    )
    sums = np.empty((4, len(state.q)))
    for at in range(first, last):
        code = solve_corotational(robot, motors, 2 * at, window, places, state, body, scratch)
        if code != DONE:
            return code, at
        keep_corotational(robot, motors, 2 * at, at, places, state, body, scratch, found, record)
        if 2 * at + 2 < motors.pulls.shape[1]:
            code = advance_corotational(robot, h, window, motors, 2 * at, places, state, body, scratch, sums)
            if code != DONE:
                return code, at + 1
    return DONE, last
