"""Compiled integration in time by the classical Runge-Kutta method, for checking the other one.

The tensions are those of :mod:`models.continuum_dynamics.state_kernels` at every stage. Explicit, so that the
step has to be shorter than the stiffest motion of the disks takes.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.cable_kernels import CableRoom, new_cable_room
from models.continuum_dynamics.motion_kernels import Chain, new_chain
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import (
    DONE,
    Motors,
    Record,
    Room,
    State,
    keep,
    new_room,
    new_state,
    solve_accelerations,
)
from models.jit import entry, inner


@inner
def advance(
    robot: Robot, h: float, window: float, motors: Motors, k: int, chain: Chain, cables: CableRoom,
    state: State, room: Room, sums: FloatArray,
) -> int:  # fmt: skip
    """Step from instant k to k + 2 of motors that are given at every half step; returns a code.

    The state's accelerations are those of its start, and of its last stage afterwards. ``sums`` (4, 3n) is
    room.
    """
    sums[0], sums[1], sums[2], sums[3] = state.q, state.v, 0.0, 0.0
    for stage in range(4):
        weight, share = (1.0, 2.0, 2.0, 1.0)[stage] * h / 6, (0.5, 0.5, 1.0, 0.0)[stage] * h
        for i in range(len(state.q)):
            sums[2, i] += weight * state.v[i]
            sums[3, i] += weight * state.a[i]
            state.q[i], state.v[i] = sums[0, i] + share * state.v[i], sums[1, i] + share * state.a[i]
        at = k + (2 if stage == 2 else 1)
        if stage < 3:
            code = solve_accelerations(robot, motors, at, window, chain, cables, state, room)
            if code != DONE:
                return code
    for i in range(len(state.q)):
        state.q[i], state.v[i] = sums[0, i] + sums[2, i], sums[1, i] + sums[3, i]
    return DONE


@entry
def integrate_explicitly(
    robot: Robot, h: float, window: float, motors: Motors, q: FloatArray, v: FloatArray, record: Record
) -> tuple[int, int]:
    """Fill the record, one row per step; the motors are given at every half step.

    ``q`` and ``v`` (3n,) are those of the first instant. Returns a code and the rows that were filled.
    """
    n, m = len(robot.masses), len(motors.held)
    chain, cables, room, state = new_chain(n), new_cable_room(m, n), new_room(n, m), new_state(q, v, m)
    sums, rows = np.empty((4, 3 * n)), (motors.pulls.shape[1] + 1) // 2
    for row in range(rows):
        k = 2 * row
        code = solve_accelerations(robot, motors, k, window, chain, cables, state, room)
        if code != DONE:
            return code, row
        keep(robot, motors, k, row, chain, cables, state, record)
        if row < rows - 1:
            code = advance(robot, h, window, motors, k, chain, cables, state, room, sums)
            if code != DONE:
                return code, row + 1
    return DONE, rows
