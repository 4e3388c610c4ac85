"""Motion of the robot under its drives, in relative coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import chains_of_states
from models.continuum_dynamics.drives import Drive
from models.continuum_dynamics.generalized_alpha_kernels import scheme_of
from models.continuum_dynamics.integration import (
    RHO,
    Motion,
    Plan,
    Progress,
    energy_balance_of,
    integrate_in_blocks,
    new_record,
    plan,
    reason_of,
)
from models.continuum_dynamics.relative.integration_kernels import integrate
from models.continuum_dynamics.relative.statics import static_solution
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import DONE, Record, State, state_at_rest

STEP = 0.005  # [s]


def simulate(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float = STEP,
    window: float | None = None, progress: Progress | None = None,
) -> Motion:  # fmt: skip
    """Motion from the state at rest under the drives' first lengths, by the generalised-alpha method.

    Drives that shorten all cables around the backbone end it: in this form the backbone cannot be compressed.
    The co-rotational form goes on.

    Parameters
    ----------
    drives : sequence of Drive
        One per cable.
    duration, step : float, s
        The last instant is the multiple of the step nearest to the duration.
    window : float, s, optional
        Over which the looseness of cables is averaged; the step by default.
    progress : callable (float) -> None, optional
        Is told the share of the duration that is done, some hundred instants at a time.

    Raises
    ------
    InputError
        When a drive or a time cannot be used, or the robot does not rest under the drives' first lengths.
    """
    planned = plan(robot, drives, duration, step, static_solution)
    state, states, record = _room(planned)
    scheme = scheme_of(step, RHO, step if window is None else window)

    def block(first: int, last: int) -> tuple[int, ...]:
        return integrate(robot, scheme, planned.motors, state, first, last, states, record)

    code, rows = integrate_in_blocks(block, len(states), progress)
    return _motion(robot, planned.times, states, record, code, rows)


def _room(planned: Plan) -> tuple[State, FloatArray, Record]:
    """The first state, and room for the angles (k, 3n) and the record."""
    rows, cables = len(planned.times), len(planned.motors.held)
    q = planned.start.q.ravel().copy()
    return state_at_rest(q, cables), np.empty((rows, len(q))), new_record(rows, len(q), cables, len(q) // 3)


def _motion(
    robot: Robot, times: FloatArray, states: FloatArray, record: Record, code: int, rows: int
) -> Motion:
    """The part of a record that was filled, with the places of the disks."""
    reason, times, found = (
        reason_of(times, code, rows),
        times[:rows],
        Record(*(each[:rows] for each in record)),
    )
    angles = states[:rows].reshape(rows, -1, 3)
    positions, rotations = chains_of_states(robot.L, angles)
    return Motion(
        times, angles, found.rates.reshape(rows, -1, 3), positions, rotations,
        found.curvatures, found.tensions, found.loose, energy_balance_of(times, found),
        code == DONE, reason,
    )  # fmt: skip
