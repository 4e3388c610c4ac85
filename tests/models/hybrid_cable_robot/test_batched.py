"""The batched numpy code of the benchmarks does the same work as the kernels that it stands beside."""

import numpy as np
import pytest

from benchmarks import batched
from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.workspace_grid.grid import grid_of


@pytest.mark.parametrize("preset", ["constrained", "suspended", "robocab"])
@pytest.mark.parametrize(
    "settings", [{"f_max": 60.0}, {"wrench_set": "gravity", "f_min": 1.0, "clearance": 0.01}]
)
def test_batched_numpy_agrees_with_the_kernels_in_every_cell(preset, settings):
    parameters = MODEL.resolve(preset, {"cells": 14, **settings})
    robot, grid = robot_of(parameters), grid_of(parameters)
    expected = evaluate_cells(robot, grid.centers(), every_index=False)
    found = batched.evaluate_cells(robot, grid.centers())
    assert np.count_nonzero(expected.verdicts == 0) > 0
    assert np.array_equal(expected.verdicts, found.verdicts)
    for name in ("margins", "distances", "conditions_j", "conditions_k"):
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-8, atol=1e-9, err_msg=name
        )
