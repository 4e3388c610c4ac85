"""The compiled tests of cells, SIMD kernels for eight cables, against the definition, cell by cell."""

import numpy as np
import pytest

from models import Infeasible
from models.hybrid_cable_robot import MODEL, workspace
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.stiffness import inv_cond_jacobian, inv_cond_stiffness
from models.hybrid_cable_robot.stiffness_kernels import fill_gram
from models.hybrid_cable_robot.workspace_grid import cell_evaluation
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.statistics import cell_metrics, is_any_feasible
from models.numerics.symmetric_matrices import symmetric_inverse_condition
from tests.oracles import cable_robot_cells
from tests.repetition import crossed

CUSTOM = {"center": [1.0, -2.0, -15.0, 0.1, 0.0, 0.05], "half_range": [3.0, 0.0, 5.0, 0.0, 0.2, 0.1]}
NINE_PULLEYS = [
    [np.cos(a) * 0.7, np.sin(a) * 0.7, 0.5 * (-1) ** i] for i, a in enumerate(np.arange(9) * 0.69)
]
NINE_ATTACHMENTS = [
    [0.06 * np.cos(a), 0.06 * np.sin(a), -0.05 * (-1) ** i] for i, a in enumerate(np.arange(9) * 0.76)
]


def assert_equal_cells(parameters):
    robot, grid = robot_of(parameters), grid_of(parameters)
    every = parameters.index_domain == "cube"
    fast = cell_evaluation.evaluate_cells(robot, grid.centers(), every_index=every)
    plain = cable_robot_cells.evaluate_cells(robot, grid.centers(), every_index=every)
    np.testing.assert_array_equal(fast.verdicts, plain.verdicts)
    np.testing.assert_allclose(fast.margins, plain.margins, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(fast.distances, plain.distances, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(fast.conditions_j**2, plain.conditions_j**2, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(fast.conditions_k, plain.conditions_k, rtol=1e-9, atol=1e-14)
    sums = []
    for cells in (fast, plain):
        if not is_any_feasible(cells):
            return plain
        sums.append(cell_metrics(cells, grid.cell_volume, robot.diameter, whole_space=every))
    for name in ("workspace_volume", "F1", "F2", "F3", "stiffness_index", "dexterity_index"):
        assert sums[0][name] == pytest.approx(sums[1][name], rel=1e-12)
    return plain


@pytest.mark.parametrize(
    ("preset", "orientations", "wrench_set"),
    crossed(
        ["constrained", "suspended", "robocab"], ["nominal", "corners", "grid27"], ["gravity", "box", CUSTOM]
    ),
    ids=str,
)
def test_kernels_give_the_verdicts_of_the_definition_at_every_cell(preset, orientations, wrench_set):
    cells = {"nominal": 6, "corners": 4, "grid27": 3}[orientations]
    assert_equal_cells(
        MODEL.resolve(preset, {"cells": cells, "orientations": orientations, "wrench_set": wrench_set})
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"index_domain": "cube", "beta1": 0.0, "beta2": 0.0},
        {"f_min": 2.0, "f_max": 60.0, "cable_diameter": 0.09},
        pytest.param({"check_platform": False, "check_interference": False}, marks=pytest.mark.soak),
        {"clearance": 0.06, "wrench_set": "gravity"},
        pytest.param({"characteristic_length": 1.0, "cable_stiffness": 500.0}, marks=pytest.mark.soak),
        {"space": [[-0.7, -0.7, 0.1], [0.7, 0.7, 0.9]], "f_max": 1000.0, "index_domain": "cube"},
        {
            "pulleys": NINE_PULLEYS,
            "attachments": NINE_ATTACHMENTS,
            "cable_stiffness": 100.0,
            "platform_half_size": [0.07, 0.07, 0.05],
        },
        {"attachments": [[0.05, 0.0, 0.0]] * 8, "index_domain": "cube"},
    ],
)
def test_kernels_give_the_verdicts_of_the_definition_in_special_cases(settings):
    cells = 4 if "pulleys" in settings else 6
    settings = {"cells": cells, "orientations": "corners" if "pulleys" in settings else "nominal", **settings}
    assert_equal_cells(MODEL.resolve("constrained", settings))


def test_every_verdict_occurs_in_the_comparison():
    seen = set()
    for settings in (
        {"cable_diameter": 0.09},
        {"wrench_set": "gravity", "f_max": 1e4, "beta1": 0.785, "beta2": 0.785},
    ):
        seen |= set(
            assert_equal_cells(
                MODEL.resolve(
                    "suspended",
                    {"weight_moment": "ignored", "cells": 6, "orientations": "nominal", **settings},
                )
            ).verdicts
        )
    seen |= set(
        assert_equal_cells(MODEL.resolve("constrained", {"cells": 5, "wrench_set": "gravity"})).verdicts
    )
    assert {0, 1, 2, 3} <= seen


def test_nearly_singular_cells_are_excluded_last():
    flat = [[np.cos(a), np.sin(a), 0.0] for a in np.arange(8) * np.pi / 4]
    crossed = [
        [0.1 * np.cos(a + s), 0.1 * np.sin(a + s), 0.0]
        for a, s in zip(np.arange(8) * np.pi / 4, [2, -2] * 4, strict=True)
    ]
    parameters = MODEL.resolve(
        None,
        {
            "pulleys": flat,
            "attachments": crossed,
            "orientations": "nominal",
            "cells": 3,
            "space": [[-0.1, -0.1, -1e-6], [0.1, 0.1, 1e-6]],
            "wrench_set": {"center": [0.0] * 6},
            "cable_stiffness": 1.0,
            "check_platform": False,
            "check_interference": False,
            "f_max": 10.0,
        },
    )
    cells = assert_equal_cells(parameters)
    assert set(cells.verdicts) == {4}
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert "singular" in outcome.reason
    assert outcome.counters["failed_singularity"] == 27
    assert 0 < outcome.violation <= 1e-3


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_best_margin_of_an_empty_workspace_is_that_of_the_definition(preset):
    parameters = MODEL.resolve(preset, {"cells": 4, "wrench_set": "paper-extreme"})
    robot, centers = robot_of(parameters), grid_of(parameters).centers()
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert outcome.violation == pytest.approx(-cable_robot_cells.greatest_margin(robot, centers), rel=1e-9)


def test_order_of_cells_does_not_change_any_verdict():
    parameters = MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 10})
    robot, centers = robot_of(parameters), grid_of(parameters).centers()
    order = np.random.default_rng(5).permutation(len(centers))
    straight = cell_evaluation.evaluate_cells(robot, centers, every_index=False)
    mixed = cell_evaluation.evaluate_cells(robot, centers[order], every_index=False)
    for one, other in zip(straight, mixed, strict=True):
        np.testing.assert_array_equal(one[order], other)


def test_blocks_of_layers_change_nothing(monkeypatch):
    parameters = MODEL.resolve("constrained", {"cells": 12, "orientations": "nominal"})
    whole = workspace(parameters)
    monkeypatch.setattr("models.hybrid_cable_robot.workspace_grid.grid.BLOCK", 300)
    assert sum(1 for _ in grid_of(parameters).blocks()) == 6
    parts = workspace(parameters)
    np.testing.assert_array_equal(whole.verdicts, parts.verdicts)
    np.testing.assert_array_equal(whole.grid.centers(), np.vstack(list(grid_of(parameters).blocks())))
    for name, value in whole.indices.items():
        assert parts.indices[name] == pytest.approx(value, rel=1e-14)


def test_compiled_condition_numbers_are_those_of_singular_values():
    rng = np.random.default_rng(1)
    for i in range(140):
        W = rng.normal(size=(6, 6 + i % 7))
        W[5] = W[5] * 10.0 ** -(i % 5) if i % 2 else W[4] + 1e-3 * W[5]
        stiffness = 10.0 ** rng.uniform(0, 2, W.shape[1])
        work = np.empty((10, 6))
        fill_gram(W, np.ones_like(stiffness), work)
        assert symmetric_inverse_condition(work) == pytest.approx(inv_cond_jacobian(W, 1.0) ** 2, abs=1e-14)
        fill_gram(W, stiffness, work)
        assert symmetric_inverse_condition(work) == pytest.approx(
            inv_cond_stiffness(W, 1.0, stiffness), abs=1e-14
        )
