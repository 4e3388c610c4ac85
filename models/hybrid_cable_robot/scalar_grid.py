"""The cells of the workspace with what was found at each of them, for programs that draw fields."""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.scene import conditions
from models.hybrid_cable_robot.workspace_grid.workspace import Workspace, workspace
from models.scalar_grid import GridField, ScalarGrid

VERDICTS = ("feasible", "wrench", "platform", "interference", "singularity")
"""The tests of a cell in their order, after the word for one that passes all."""


def grid(parameters: HybridCableRobot) -> ScalarGrid:
    """Every cell of the space; raises ``InputError`` where the arm cannot follow the trajectory."""
    cells = workspace(parameters)
    return ScalarGrid(cells.grid.axes, cells.grid.cell_size, _fields(cells), conditions(parameters, cells))


def _fields(cells: Workspace) -> tuple[GridField, ...]:
    return (
        GridField(
            "feasible", "1", "whether the cell passes every test at every orientation of the set",
            cells.feasible.astype(np.float64), ("no", "yes"),
        ),
        GridField(
            "verdict", "1", "the first test that the cell fails",
            cells.verdicts.astype(np.float64), VERDICTS,
        ),
        GridField(
            "capacity_margin", "N",
            "force, in any direction, that the cables could hold in addition to every wrench of the set, "
            "least over the orientations",
            cells.capacity_margins,
        ),
        GridField(
            "interference_margin", "m", "gap between the two closest cables, least over the orientations",
            cells.interference_margins,
        ),
        GridField(
            "inverse_condition_jacobian", "1",
            "inverse condition number of the scaled Jacobian at the nominal orientation",
            cells.inv_cond_jacobian,
        ),
        GridField(
            "inverse_condition_stiffness", "1",
            "inverse condition number of the scaled stiffness matrix at the nominal orientation",
            cells.inv_cond_stiffness,
        ),
    )  # fmt: skip
