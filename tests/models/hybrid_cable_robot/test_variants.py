"""Metrics that do not measure the grid: tails over the workspace and its largest box, values over a task."""

import math

import numpy as np
import pytest

from errors import InputError
from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, evaluate_pose, workspace
from models.hybrid_cable_robot.workspace_grid.inscribed_box import largest_boxes
from models.hybrid_cable_robot.workspace_grid.task_positions import task_positions

NOMINAL = {"orientations": "nominal", "wrench_set": "gravity"}
BOX = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]


def detail(preset="constrained", **settings):
    if preset == "suspended":  # has no workspace with the moment of its arm
        settings["weight_moment"] = "ignored"
    outcome = MODEL.evaluate(MODEL.resolve(preset, settings), "detail", 0)
    assert isinstance(outcome, Evaluation), outcome
    return outcome.metrics


def test_tails_and_task_settle_where_the_least_tends_to_zero():
    coarse, fine, finer = (detail("suspended", cells=n, task_box=BOX) for n in (10, 40, 60))
    assert finer["capacity_margin"] < 0.01 * finer["capacity_margin.q05"]
    assert finer["interference_margin"] == pytest.approx(-0.002, abs=1e-4)  # minus the diameter
    for stem, tail in (
        ("capacity_margin", "q05"),
        ("interference_margin", "q05"),
        ("displacement_under_load", "q95"),
        ("rotation_sensitivity", "q95"),
        ("point_sensitivity", "q95"),
    ):
        assert finer[f"{stem}.{tail}"] == pytest.approx(fine[f"{stem}.{tail}"], rel=0.06), stem
        assert finer[f"{stem}.task"] == pytest.approx(coarse[f"{stem}.task"], rel=0.02), stem
    # of the largest box too: its shape jumps a little with the grid, and its margins with its shape
    assert finer["capacity_margin.box"] == pytest.approx(fine["capacity_margin.box"], rel=0.4)
    assert finer["capacity_margin.box"] > 100 * finer["capacity_margin"]


def test_tails_are_the_quantiles_of_the_cells():
    settings = {"cells": 8, "weight_moment": "ignored"}
    found, cells = detail("suspended", **settings), workspace(MODEL.resolve("suspended", settings))
    margins, gaps = cells.capacity_margins[cells.feasible], cells.interference_margins[cells.feasible]
    assert found["capacity_margin.q05"] == pytest.approx(np.quantile(margins, 0.05), rel=1e-9)
    assert found["interference_margin.q05"] == pytest.approx(np.quantile(gaps, 0.05), rel=1e-9)
    parameters = MODEL.resolve("suspended", settings)
    moved = [evaluate_pose(parameters, p, (0, 0, 0)).displacement_under_load for p in cells.points]
    assert found["displacement_under_load.q95"] == pytest.approx(np.quantile(moved, 0.95), rel=1e-9)
    inside = [slice(*ends) for ends in largest_boxes(cells.feasible)[0].reshape(3, 2)]
    assert found["capacity_margin.box"] == pytest.approx(
        min(
            np.quantile(cells.capacity_margins[tuple(slice(*e) for e in box.reshape(3, 2))], 0.05)
            for box in largest_boxes(cells.feasible)
        ),
        rel=1e-9,
    )
    assert cells.feasible[tuple(inside)].all()


def test_task_metrics_are_the_worst_of_its_poses():
    settings = {**NOMINAL, "cells": 10, "task_path": [[0, 0, 0], [0.05, 0.1, 0.0]]}
    parameters = MODEL.resolve("constrained", settings)
    found = MODEL.evaluate(parameters, "detail", 0)
    positions = task_positions(parameters)
    poses = [evaluate_pose(parameters, position, (0, 0, 0)) for position in positions]
    assert found.counters["task_positions"] == len(positions) == 2
    assert found.metrics["capacity_margin.task"] == pytest.approx(min(p.capacity_margin for p in poses))
    gap = min(p.interference_margin for p in poses)
    assert found.metrics["interference_margin.task"] == pytest.approx(gap)
    moved = max(p.displacement_under_load for p in poses)
    assert found.metrics["displacement_under_load.task"] == pytest.approx(moved)
    assert found.metrics["max_tension.task"] == pytest.approx(max(p.tensions.max() for p in poses))
    stiff = math.sqrt(np.mean([p.inv_cond_stiffness**2 for p in poses]))
    assert found.metrics["stiffness_index.task"] == pytest.approx(stiff)


def test_task_positions_hold_the_corners_and_are_no_farther_apart_than_cells():
    box = MODEL.resolve(None, {"cells": 10, "task_box": [[-0.2, 0, 0.1], [0.1, 0.15, 0.1]]})
    positions = task_positions(box)
    assert len(positions) == 4 * 3 * 1
    np.testing.assert_allclose(positions.min(axis=0), [-0.2, 0, 0.1])
    np.testing.assert_allclose(positions.max(axis=0), [0.1, 0.15, 0.1])
    path = [[0, 0, 0], [0.25, 0.1, 0], [0.25, 0.1, -0.1]]
    along = task_positions(MODEL.resolve(None, {"cells": 10, "task_path": path}))
    assert len(along) == 1 + 3 + 1
    assert np.abs(np.diff(along, axis=0)).max() <= 0.1 + 1e-12
    for point in path:
        assert np.abs(along - point).max(axis=1).min() < 1e-12


@pytest.mark.parametrize("cost_class", MODEL.cost_classes)
def test_design_that_fails_its_task_is_infeasible_by_the_shortfall(cost_class):
    violations = []
    for f_max in (14.0, 17.0, 20.0, 23.0):
        settings = {"cells": 8, "task_box": [[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]], "f_max": f_max}
        outcome = MODEL.evaluate(MODEL.resolve("constrained", settings), cost_class, 0)
        assert isinstance(outcome, Infeasible)
        assert "positions of the task fail" in outcome.reason
        assert outcome.counters["task_positions_failed"] > 0
        violations.append(outcome.violation)
    assert violations == sorted(violations, reverse=True)
    assert len(set(violations)) == 4


def test_shortfall_of_cables_that_touch_is_a_length():
    settings = {**NOMINAL, "cells": 8, "task_path": [[0, 0, 0]]}
    gap = detail("suspended", **settings)["interference_margin.task"]
    outcome = MODEL.evaluate(
        MODEL.resolve("suspended", {**settings, "clearance": gap + 0.01}), "workspace", 0
    )
    assert isinstance(outcome, Infeasible)
    assert outcome.violation == pytest.approx(0.01)
    assert "at 1 cables touch each other, short by up to 0.01 m" in outcome.reason


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"task_box": [[0.1, 0, 0], [0, 0.1, 0.1]]}, "along x it goes from 0.1 m to 0 m"),
        ({"task_path": [[0, 0, 0], [0, 0, "60 cm"]]}, "it has z = 0.6 m"),
        ({"task_path": []}, "at least 1"),
    ],
)
def test_tasks_outside_the_space_are_refused(settings, words):
    with pytest.raises(InputError, match="task_") as refusal:
        MODEL.resolve(None, settings)
    assert words in str(refusal.value)


def test_volume_error_is_the_difference_from_half_as_many_cells():
    for preset, cells in (("constrained", 12), ("suspended", 13)):
        whole = MODEL.evaluate(MODEL.resolve(preset, {**NOMINAL, "cells": cells}), "workspace", 0).metrics
        half = MODEL.evaluate(MODEL.resolve(preset, {**NOMINAL, "cells": cells // 2}), "workspace", 0).metrics
        expected = abs(whole["workspace_volume"] - half["workspace_volume"])
        assert whole["workspace_volume_error"] == pytest.approx(expected)
        assert expected > 0
    bounded = detail(**NOMINAL, cells=12, bounds=True, bounds_block=0.125)
    gap = bounded["workspace_volume_upper"] - bounded["workspace_volume_lower"]
    assert bounded["workspace_volume_error"] == pytest.approx(gap)


def test_sampled_orientations_are_called_so():
    for name in (
        "workspace_volume",
        "capacity_margin.q05",
        "capacity_margin_mean",
        "interference_margin.q05",
    ):
        assert "sampled orientations" in MODEL.metric(name).meaning
    assert "sample" in MODEL.parameters.model_fields["orientations"].description
    for orientations, words in (("corners", "9 sampled orientations"), ("grid27", "27 sampled orientations")):
        parameters = MODEL.resolve(None, {"cells": 4, "orientations": orientations})
        assert words in MODEL.scene(parameters).caption


def test_minima_come_after_the_variants_that_do_not_measure_the_grid():
    names = [metric.name for metric in MODEL.metrics]
    for stem in ("capacity_margin", "interference_margin", "displacement_under_load"):
        variants = [names.index(name) for name in names if name.startswith(f"{stem}.")]
        assert len(variants) == 3
        assert max(variants) < names.index(stem)
