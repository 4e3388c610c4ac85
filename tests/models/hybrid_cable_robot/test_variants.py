"""Metrics that do not measure the grid: tails over the workspace and its largest box, values over a task."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from errors import InputError
from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, evaluate_pose, workspace
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.cell_results import PASSED, WRENCH
from models.hybrid_cable_robot.robot import robot_of, wrench_centers
from models.hybrid_cable_robot.tensions.distribution import tension_distribution
from models.hybrid_cable_robot.workspace_grid.inscribed_box import largest_boxes
from models.hybrid_cable_robot.workspace_grid.statistics import disconnected_volume, with_errors
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
    assert "at 1 cables touch each other (cables " in outcome.reason


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


class Verdicts(NamedTuple):
    verdicts: np.ndarray


def volume_alone(cells, cell_volume):
    return {"volume": np.count_nonzero(cells.verdicts == PASSED) * cell_volume}


def test_volume_error_encloses_the_volumes_of_shapes_of_closed_form():
    """Balls, cones and slanted slabs in random places: the error is too small for one in fifteen at most."""
    rng, n = np.random.default_rng(1), 24
    axis = (np.arange(n) + 0.5) / n - 0.5
    points = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    enclosed = []
    for _ in range(60):
        x, y, z = np.moveaxis(
            points @ Rotation.random(rng=rng).as_matrix() - rng.uniform(-0.05, 0.05, 3), -1, 0
        )
        r, w = rng.uniform(0.1, 0.35), rng.uniform(0.04, 0.2)
        ball = x**2 + y**2 + z**2 < 0.35**2
        for feasible, exact in (
            (x**2 + y**2 + z**2 < r**2, 4 / 3 * math.pi * r**3),
            ((x**2 + y**2 < (r * (0.3 - z)) ** 2) & (np.abs(z) < 0.3), math.pi / 3 * (0.6 * r) ** 2 * 0.6),
            (ball & (np.abs(z) < w), 2 * math.pi * w * (0.35**2 - w**2 / 3)),
        ):
            found = with_errors(volume_alone, Verdicts(np.where(feasible, PASSED, WRENCH)), n**-3)
            enclosed.append(abs(found["volume"] - exact) <= found["volume_error"])
    assert np.mean(enclosed) > 14 / 15


def test_errors_of_the_grid_enclose_the_values_of_a_finer_one():
    """Six of seven values with three times as many cells per axis, and half of each metric at least."""
    rng, enclosed = np.random.default_rng(2), []
    while len(enclosed) < 12:
        settings = {
            "beta1": rng.uniform(0, 1.5), "frame_radius": rng.uniform(0.5, 0.9), "f_max": rng.uniform(25, 60),
            "cable_diameter": rng.uniform(1e-3, 6e-3), "rotation_limit": rng.uniform(0.02, 0.2),
            "weight_moment": "ignored",
        }  # fmt: skip
        preset = ("constrained", "suspended")[len(enclosed) % 2]
        coarse, fine = (
            MODEL.evaluate(MODEL.resolve(preset, {**settings, "cells": cells}), "detail", 0)
            for cells in (18, 54)
        )
        if isinstance(coarse, Evaluation) and coarse.counters["feasible_cells"] > 30:
            one, two = coarse.metrics, fine.metrics
            enclosed.append(
                [
                    abs(one[m.name] - two[m.name]) <= one[m.error]
                    for m in MODEL.metrics_of("detail")
                    if m.error
                ]
            )
    assert np.mean(enclosed) > 0.85
    assert np.mean(enclosed, axis=0).min() >= 0.5


def test_volume_outside_the_largest_part_is_told():
    feasible = np.zeros((10, 10, 10), bool)
    feasible[1:4, 1:4, 1:4] = feasible[6:8, 6:8, 6:8] = True
    feasible[4, 4, 4] = True  # touches the first part at a corner alone, through which no robot passes
    assert disconnected_volume(feasible, 0.5) == (8 + 1) * 0.5
    found = detail(**NOMINAL, cells=12)
    assert found["disconnected_volume"] == 0
    pieces = MODEL.evaluate(MODEL.resolve("constrained", {"cells": 12, "beta1": 0.6}), "workspace", 0)
    outside = pieces.metrics["disconnected_volume"]
    assert any("largest connected part" in told for told in pieces.warnings) == (outside > 0)


def test_volume_error_with_bounds_is_their_gap():
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
    names = [metric.name for metric in MODEL.metrics if not metric.name.endswith("_error")]
    for stem in ("capacity_margin", "interference_margin", "displacement_under_load"):
        variants = [names.index(name) for name in names if name.startswith(f"{stem}.")]
        assert len(variants) == 3
        assert max(variants) < names.index(stem)


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_no_load_of_the_task_asks_for_more_than_its_greatest_tension(preset):
    box = [[-0.025] * 3, [0.025] * 3]
    parameters = MODEL.resolve(preset, {"cells": 20, "task_box": box, "weight_moment": "ignored"})
    found = MODEL.evaluate(parameters, "detail", 0).metrics["max_tension.task"]
    robot, rng = robot_of(parameters), np.random.default_rng(3)
    positions = task_positions(parameters)
    greatest = 0.0
    for rotation in robot.rotations:
        (center,) = wrench_centers(robot, rotation)
        for position in positions:
            W = wrench_matrix(robot, position, rotation)
            share = rng.uniform(-1.2, 1.2, (40, 6)).clip(-1, 1)  # many on edges and corners
            for wrench in center + share * robot.wrench_range:
                chosen = tension_distribution(W, wrench, robot.f_min, robot.f_max)
                assert chosen.verdict == "held"
                greatest = max(greatest, chosen.tensions.max())
    assert greatest <= found + 1e-9
    assert greatest > 0.9 * found
