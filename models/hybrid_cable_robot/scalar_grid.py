"""The cells of the workspace with what was found at each of them, for pictures and for other programs."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import OCCASIONAL
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.scene import conditions
from models.hybrid_cable_robot.tensions.distribution import held_tensions
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import batches, responses
from models.hybrid_cable_robot.workspace_grid.workspace import Workspace, workspace
from models.scalar_grid import GridQuantity, ScalarGrid

VERDICTS = ("feasible", "wrench", "platform", "interference", "singularity", *OCCASIONAL.values())
"""The tests of a cell in their order, after the word for one that passes all."""

QUANTITIES = (
    GridQuantity(
        "feasible", "1", "whether the cell passes every test at every orientation of the set", ("no", "yes")
    ),
    GridQuantity("verdict", "1", "the first test that the cell fails", VERDICTS),
    GridQuantity(
        "capacity_margin", "N",
        "force, in any direction, that the cables could hold in addition to every wrench of the set, "
        "least over the orientations",
    ),
    GridQuantity(
        "interference_margin", "m", "gap between the two closest cables, least over the orientations"
    ),
    GridQuantity(
        "inverse_condition_jacobian", "1",
        "inverse condition number of the scaled Jacobian at the nominal orientation",
    ),
    GridQuantity(
        "inverse_condition_stiffness", "1",
        "inverse condition number of the scaled stiffness matrix at the nominal orientation",
    ),
    GridQuantity(
        "displacement_under_load", "m",
        "displacement of the platform's origin under the test load at the nominal orientation",
    ),
    GridQuantity(
        "max_tension", "N",
        "greatest cable tension, by tension_rule for the centre of the wrench set at the nominal orientation",
    ),
)  # fmt: skip
"""Quantities that :func:`grid` gives. The last two exist in feasible cells alone."""


def grid(parameters: HybridCableRobot) -> ScalarGrid:
    """Every cell of the space; raises ``InputError`` where the arm cannot follow the trajectory."""
    cells = workspace(parameters)
    found = (
        cells.feasible.astype(np.float64),
        cells.verdicts.astype(np.float64),
        cells.capacity_margins,
        cells.interference_margins,
        cells.inv_cond_jacobian,
        cells.inv_cond_stiffness,
        *_at_feasible_cells(parameters, cells),
    )
    fields = tuple(each.field(values) for each, values in zip(QUANTITIES, found, strict=True))
    return ScalarGrid(cells.grid.axes, cells.grid.cell_size, fields, conditions(parameters, cells))


def _at_feasible_cells(parameters: HybridCableRobot, cells: Workspace) -> tuple[FloatArray, FloatArray]:
    """Displacement under the test load [m] and greatest tension [N]; NaN where there is none."""
    robot, places = robot_of(parameters), cells.points
    displacements, greatest = (np.full(cells.grid.shape, np.nan) for _ in range(2))
    moved, pulled = np.empty(len(places)), np.empty(len(places))
    for some in batches(np.arange(len(places))):
        moved[some] = responses(robot, places[some])[:, 0]
        tensions, held = held_tensions(robot, places[some], robot.rotations[0])
        pulled[some] = np.where(held, tensions.max(axis=1), np.nan)
    displacements[cells.feasible], greatest[cells.feasible] = moved, pulled
    return displacements, greatest
