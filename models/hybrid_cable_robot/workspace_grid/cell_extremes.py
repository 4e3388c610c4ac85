"""Metrics of quantities at the cells of a workspace: worst values, bad tails, and the worst of the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import PASSED
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import batches
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.inscribed_box import box_rows, largest_boxes
from models.hybrid_cable_robot.workspace_grid.statistics import bad_tail, with_errors
from models.hybrid_cable_robot.workspace_grid.task_positions import task_positions

Compute = Callable[[FloatArray], FloatArray]
"""From positions (n, 3) m to the quantities (n, k) there."""


class _Fields(NamedTuple):
    """Verdicts (nx, ny, nz) of the cells and quantities (nx, ny, nz, k) of the feasible ones."""

    verdicts: NDArray[np.int8]
    values: FloatArray


def extreme_names(names: Sequence[str], *, more_is_better: bool) -> list[str]:
    """Names of the metrics that :func:`extreme_metrics` gives for quantities called ``names``."""
    tail = "q05" if more_is_better else "q95"
    ends = ("", f".{tail}", ".box", "_error", f".{tail}_error", ".box_error", ".task")
    return [f"{name}{end}" for name in names for end in ends]


def extreme_metrics(
    parameters: HybridCableRobot,
    verdicts: NDArray[np.int8],
    names: Sequence[str],
    compute: Compute,
    *,
    more_is_better: bool,
) -> Mapping[str, float | None]:
    """Metrics of k quantities of a workspace that is not empty, with their numerical errors.

    Parameters
    ----------
    parameters : HybridCableRobot
    verdicts : (nx, ny, nz) int8
    names : sequence of str
        Of the quantities.
    compute : callable
    more_is_better : bool
        False where the greatest value is the worst.
    """
    worst, tail = (np.min, "q05") if more_is_better else (np.max, "q95")
    grid, feasible = grid_of(parameters), verdicts == PASSED
    values = np.full((*grid.shape, len(names)), np.nan)
    values[feasible] = _in_batches(compute, grid.centers()[feasible.ravel()])

    def measure(fields: _Fields, cell_volume: float) -> dict[str, float]:  # noqa: ARG001  what all measures take
        inside = fields.verdicts == PASSED
        given = fields.values[inside]
        boxes = [given[rows] for rows in box_rows(inside, largest_boxes(inside))]
        found = {
            "": worst(given, axis=0),
            f".{tail}": bad_tail(given, more_is_better=more_is_better),
            ".box": worst([bad_tail(box, more_is_better=more_is_better) for box in boxes], axis=0),
        }
        return {f"{name}{end}": float(each[k]) for end, each in found.items() for k, name in enumerate(names)}

    metrics = with_errors(measure, _Fields(verdicts, values), grid.cell_volume)
    positions = task_positions(parameters)
    task = worst(_in_batches(compute, positions), axis=0).tolist() if len(positions) else [None] * len(names)
    return {**metrics, **{f"{name}.task": value for name, value in zip(names, task, strict=True)}}


def _in_batches(compute: Compute, positions: FloatArray) -> FloatArray:
    return np.concatenate([compute(positions[some]) for some in batches(np.arange(len(positions)))])
