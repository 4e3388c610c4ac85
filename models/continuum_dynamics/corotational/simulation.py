"""Motion of the robot under its drives, in the co-rotational form of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.continuum_dynamics.corotational.elements import relative_angles
from models.continuum_dynamics.corotational.integration_kernels import (
    PlaceRecord,
    Places,
    integrate_nodes,
)
from models.continuum_dynamics.corotational.statics import static_solution
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
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import DONE, Record, State, state_at_rest

STEP = 0.002  # [s]


def simulate(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float = STEP,
    window: float | None = None, progress: Progress | None = None,
) -> Motion:  # fmt: skip
    """Motion from the state at rest under the drives' first lengths, by the generalised-alpha method.

    Parameters, errors and the result are those of
    :func:`models.continuum_dynamics.relative.simulation.simulate`; ``rates`` are velocities of the disks.
    Drives that shorten all cables compress the backbone.
    """
    planned = plan(robot, drives, duration, step, static_solution)
    places, state, found, record = _room(planned)
    scheme = scheme_of(step, RHO, step if window is None else window)

    def block(first: int, last: int) -> tuple[int, ...]:
        return integrate_nodes(robot, scheme, planned.motors, places, state, first, last, found, record)

    code, rows = integrate_in_blocks(block, len(planned.times), progress)
    return _motion(planned, found, record, code, rows)


def _room(planned: Plan) -> tuple[Places, State, PlaceRecord, Record]:
    """The first places and state, and room for what is found."""
    start, rows, cables = planned.start, len(planned.times), len(planned.motors.held)
    n = len(start.curvatures)
    found = PlaceRecord(np.empty((rows, n + 1, 3)), np.empty((rows, n + 1, 3, 3)))
    places = Places(start.positions.copy(), start.rotations.copy())
    return places, state_at_rest(np.zeros(6 * n), cables), found, new_record(rows, 6 * n, cables, n)


def _motion(planned: Plan, found: PlaceRecord, record: Record, code: int, rows: int) -> Motion:
    """The part of the records that was filled."""
    reason, times = reason_of(planned.times, code, rows), planned.times[:rows]
    record = Record(*(each[:rows] for each in record))
    positions, rotations = (each[:rows] for each in found)
    return Motion(
        times, relative_angles(rotations), record.rates.reshape(rows, -1, 6), positions, rotations,
        record.curvatures, record.tensions, record.loose, energy_balance_of(times, record), code == DONE,
        reason,
    )  # fmt: skip
