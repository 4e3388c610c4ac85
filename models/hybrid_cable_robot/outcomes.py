"""What the evaluation of a cost class returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from models.contract import Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.cells.detail import detailed_tally
from models.hybrid_cable_robot.cells.grid import grid_of
from models.hybrid_cable_robot.cells.shortfall import empty_workspace
from models.hybrid_cable_robot.cells.tally import Tally
from models.hybrid_cable_robot.motion.motion_outcome import LEAST_VIOLATION, motion_outcome
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.workspace import tally_of
from models.hybrid_cable_robot.wrench_sets import path_fault


def workspace_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the workspace, or why it is empty or its wrenches unknown."""
    return _outcome_of_cells(parameters, lambda design: (tally_of(design), {}))


def detail_outcome(parameters: HybridCableRobot) -> Outcome:
    """The same and every metric of a closer look at its cells."""
    return _outcome_of_cells(parameters, detailed_tally)


def _outcome_of_cells(
    parameters: HybridCableRobot, look: Callable[[HybridCableRobot], tuple[Tally, Mapping[str, float]]]
) -> Outcome:
    fault = path_fault(parameters)
    if fault is not None:
        reason = f"{fault.fault}, so that there is no wrench set"
        return Infeasible(reason, max(fault.fault_size, LEAST_VIOLATION))
    tally, details = look(parameters)
    if not tally.feasible:
        return empty_workspace(parameters, tally)
    metrics = tally.metrics(grid_of(parameters).cell_volume, parameters.cable_diameter)
    bounds, blocks = bound_metrics(parameters)
    return Evaluation({**metrics, **details, **bounds}, {**tally.counters(), **blocks})


def all_outcomes(parameters: HybridCableRobot) -> Outcome:
    """Every metric; infeasible when the trajectory or, after it, the workspace is."""
    motion = motion_outcome(parameters)
    if isinstance(motion, Infeasible):
        return motion
    cells = detail_outcome(parameters)
    if isinstance(cells, Infeasible):
        return cells
    return Evaluation({**cells.metrics, **motion.metrics}, {**cells.counters, **motion.counters})


OUTCOMES: Mapping[str, Callable[[HybridCableRobot], Outcome]] = {
    "workspace": workspace_outcome,
    "motion": motion_outcome,
    "detail": detail_outcome,
    "all": all_outcomes,
}
