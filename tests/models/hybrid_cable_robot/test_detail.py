"""The cost class "detail": sensitivities, displacement under load, block indices, the inscribed box."""

import itertools
import math

import numpy as np
import pytest

from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, workspace
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid import performance_indices
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import block_conditions, responses
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.inscribed_box import largest_boxes
from tests.oracles import cable_robot_cells
from tests.repetition import crossed

LEVEL = (0.0, 0.0, 0.0)
NEW = {metric.name for metric in MODEL.metrics if metric.cost_classes == ("detail",)}


def detail(preset, **chosen):
    settings = {"weight_moment": "ignored", **chosen}
    outcome = MODEL.evaluate(MODEL.resolve(preset, settings), "detail", 0)
    assert isinstance(outcome, Evaluation)
    return outcome.metrics


def ring(count, **settings):
    """A robot with ``count`` cables, alternately from above and below."""
    angles = np.arange(count) * 2 * np.pi / count
    side = (-1.0) ** np.arange(count)
    turned = angles + 0.9 * side
    return HybridCableRobot(
        **{
            "pulleys": np.column_stack([np.cos(angles), np.sin(angles), 0.7 * side]).tolist(),
            "attachments": (0.1 * np.column_stack([np.cos(turned), np.sin(turned), -side])).tolist(),
            "cable_stiffness": 300.0,
            "wrench_set": {"center": [0, 0, -5, 0, 0, 0]},
            "orientations": "nominal",
            "check_platform": False,
            "check_interference": False,
            "f_max": 200.0,
            "cells": 5,
            **settings,
        },
    )


def test_classes_nest():
    cells, motion, close, *others, everything = (
        {metric.name for metric in MODEL.metrics_of(name)} for name in MODEL.cost_classes
    )
    assert MODEL.cost_classes == (
        "workspace",
        "motion",
        "detail",
        "vibration",
        "sag",
        "speed",
        "winch_motion",
        "clearance",
        "reach",
        "orientation",
        "all",
    )
    assert MODEL.cost_class_for(["mass", "workspace_volume"]) == "workspace"
    assert close == cells | NEW
    assert everything == close.union(motion, *others)
    assert MODEL.cost_class_for(["inscribed_box", "F1"]) == "detail"
    assert MODEL.cost_class_for(["inscribed_box", "power_mean"]) == "motion+detail"
    assert MODEL.cost_class_for(["F1", "sag_max.q95"]) == "workspace+sag"
    assert len(NEW) == 21 + 17


def test_detail_has_the_workspace_metrics_unchanged():
    parameters = MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 10})
    alone, close = (MODEL.evaluate(parameters, name, 0) for name in ("workspace", "detail"))
    assert {name: close.metrics[name] for name in alone.metrics} == alone.metrics
    assert close.counters == alone.counters


@pytest.mark.parametrize(
    ("preset", "domain", "settings"),
    [
        ("constrained", "feasible", {}),
        ("suspended", "feasible", {"axial_stiffness": 400.0}),
        ("suspended", "cube", {"geometric_stiffness": True}),
        ("constrained", "cube", {"axial_stiffness": 400.0}),
    ],
)
def test_metrics_are_what_their_definitions_say_of_the_poses(preset, domain, settings):
    settings = {"cells": 4, "index_domain": domain, "orientations": "nominal", **settings}
    parameters = MODEL.resolve(preset, {"test_load": [3, 1, -5, 0.1, 0, 0.2], **settings})
    found = MODEL.evaluate(parameters, "detail", 0).metrics
    cells = workspace(parameters)
    inside = [evaluate_pose(parameters, center, LEVEL) for center in cells.points]
    every = [evaluate_pose(parameters, center, LEVEL) for center in cells.grid.centers()]
    for name in ("displacement_under_load", "rotation_sensitivity", "point_sensitivity"):
        assert found[name] == pytest.approx(max(getattr(pose, name) for pose in inside), rel=1e-9)
    for index, matrix in (("stiffness", "stiffness"), ("dexterity", "jacobian")):
        for block in ("translation", "rotation"):
            domain_poses = inside if domain == "feasible" else every
            values = [getattr(pose, f"inv_cond_{matrix}_{block}") for pose in domain_poses]
            assert found[f"{index}_index_{block}"] == pytest.approx(math.sqrt(np.mean(np.square(values))))
    assert found["inscribed_box"] == pytest.approx(brute_box(cells.feasible) * cells.grid.cell_volume)


@pytest.mark.parametrize(
    ("count", "settings"),
    crossed([6, 7, 8, 9, 10, 12], [{}, {"axial_stiffness": 100.0, "geometric_stiffness": True}]),
)
def test_compiled_details_are_those_of_the_definition(count, settings):
    robot = robot_of(ring(count, **settings))
    centers = np.random.default_rng(count).uniform(-0.4, 0.4, (25, 3))
    np.testing.assert_allclose(
        block_conditions(robot, centers),
        cable_robot_cells.block_conditions(robot, centers),
        rtol=1e-9,
        atol=1e-13,
    )
    np.testing.assert_allclose(
        responses(robot, centers), cable_robot_cells.responses(robot, centers), rtol=1e-7
    )


@pytest.mark.parametrize("count", [7, 9, 12])
def test_any_number_of_cables_has_every_metric(count):
    outcome = MODEL.evaluate(ring(count), "detail", 0)
    assert isinstance(outcome, Evaluation)
    assert all(math.isfinite(value) for value in outcome.metrics.values() if value is not None)
    assert 0 < outcome.metrics["inscribed_box"] <= outcome.metrics["workspace_volume"]


def test_six_cables_have_every_metric():
    """Six cables balance only along one ray of wrenches, so they hang from above."""
    angles = np.repeat(np.arange(3) * 2 * np.pi / 3, 2) + np.tile([-0.2, 0.2], 3)
    arms = np.repeat(np.arange(3) * 2 * np.pi / 3, 2) + np.tile([-0.9, 0.9], 3)
    parameters = ring(
        6,
        pulleys=np.column_stack([np.cos(angles), np.sin(angles), np.full(6, 0.7)]).tolist(),
        attachments=(0.1 * np.column_stack([np.cos(arms), np.sin(arms), np.zeros(6)])).tolist(),
        space=((-0.1, -0.1, -0.2), (0.1, 0.1, 0.0)),
    )
    outcome = MODEL.evaluate(parameters, "detail", 0)
    assert isinstance(outcome, Evaluation)
    assert all(math.isfinite(value) for value in outcome.metrics.values() if value is not None)


@pytest.mark.parametrize("count", [6, 8, 11])
def test_sensitivities_bound_what_unit_length_errors_do(count):
    pose = evaluate_pose(ring(count), (0.1, -0.05, 0.1), (0.1, 0.2, 0.0))
    J = -pose.wrench_matrix.T
    ranges = np.linalg.qr(J)[0]
    y = np.random.default_rng(1).normal(size=(200_000, 6))
    errors = (y / np.linalg.norm(y, axis=1, keepdims=True)) @ ranges.T
    twists = errors @ np.linalg.pinv(J).T
    for part, greatest in ((slice(0, 3), pose.point_sensitivity), (slice(3, 6), pose.rotation_sensitivity)):
        reached = np.linalg.norm(twists[:, part], axis=1).max()
        assert 0.9 * greatest < reached <= greatest * (1 + 1e-12)


def test_scaling_laws():
    base = {"cells": 8, "wrench_set": {"center": [0, 0, -20, 0, 0, 0]}, "cable_stiffness": 500.0}
    one = MODEL.resolve("suspended", base)
    twice_as_large = {
        "frame_radius": 2 * one.frame_radius,
        "upper_height": 1.0,
        "attachments": (2 * np.array(one.attachments)).tolist(),
        "platform_half_size": [0.1 - 1e-6] * 3,
        "cable_diameter": 0.004,
        "space": [[-1, -1, -1], [1, 1, 1]],
    }
    powers = {
        "inscribed_box": 3,
        "point_sensitivity": 0,
        "rotation_sensitivity": -1,
        "displacement_under_load": 0,
        "dexterity_index_rotation": 0,
    }
    small, large = detail("suspended", **base), detail("suspended", **base, **twice_as_large)
    for name, power in powers.items():
        assert large[name] == pytest.approx(small[name] * 2.0**power, rel=1e-6)
    stiff = detail("suspended", **{**base, "cable_stiffness": 1000.0})
    assert stiff["displacement_under_load"] == pytest.approx(small["displacement_under_load"] / 2)
    heavy = detail("suspended", **base, test_load=[0, 0, -19.62, 0, 0, 0])
    assert heavy["displacement_under_load"] == pytest.approx(small["displacement_under_load"] * 2)
    for name in ("stiffness_index_translation", "rotation_sensitivity", "inscribed_box"):
        assert stiff[name] == pytest.approx(small[name])


@pytest.mark.parametrize(
    ("preset", "domain", "load"),
    [
        ("constrained", "feasible", [0, 0, -9.81, 0, 0, 0]),
        ("suspended", "cube", [0, 0, -9.81, 0, 0, 0]),
        ("suspended", "feasible", [5, 0, 0, 0, 0, 0]),
        ("constrained", "cube", [1, 2, 3, 0.1, 0.2, 0.3]),
    ],
)
def test_one_cell_for_all_that_are_alike_gives_the_same(monkeypatch, preset, domain, load):
    chosen = {"cells": 9, "index_domain": domain, "test_load": load, "axial_stiffness": 500.0}
    folded = detail(preset, **chosen)
    columns = performance_indices._alike
    assert (
        len(columns(robot_of(MODEL.resolve(preset, chosen)), grid_of(MODEL.resolve(preset, chosen))).chosen)
        <= 81
    )
    monkeypatch.setattr(performance_indices, "symmetries", lambda *_: [np.eye(3)])
    plain = detail(preset, **chosen)
    for name in NEW:
        assert folded[name] == (None if plain[name] is None else pytest.approx(plain[name], rel=1e-11)), name


def test_sideways_load_is_not_folded():
    for load, expected in (([0, 0, -1, 0, 0, 0], 25), ([0, 1, 0, 0, 0, 0], 45), ([1, 1, 0, 0, 0, 1], 81)):
        parameters = MODEL.resolve("constrained", {"cells": 9, "test_load": load, "weight_moment": "ignored"})
        assert len(performance_indices._alike(robot_of(parameters), grid_of(parameters)).chosen) == expected


def test_empty_workspaces_say_why_in_every_class():
    parameters = MODEL.resolve("constrained", {"cells": 4, "f_max": 1.0})
    assert MODEL.evaluate(parameters, "detail", 0) == MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(MODEL.evaluate(parameters, "detail", 0), Infeasible)


def largest_box(flags):
    """Cells of the largest box; all of the largest boxes hold as many, and true ones alone."""
    boxes = largest_boxes(flags)
    sizes = {int(np.prod(np.diff(box.reshape(3, 2)))) for box in boxes}
    assert all(flags[a:b, c:d, e:f].all() for a, b, c, d, e, f in boxes)
    assert len({tuple(box) for box in boxes.tolist()}) == len(boxes)
    assert len(sizes) <= 1
    return max(sizes, default=0)


def brute_count(flags, size):
    """Number of boxes of ``size`` true cells, by trying every box."""
    spans = [list(itertools.combinations(range(n + 1), 2)) for n in flags.shape]
    return sum(
        (b - a) * (d - c) * (f - e) == size and bool(flags[a:b, c:d, e:f].all())
        for (a, b), (c, d), (e, f) in itertools.product(*spans)
    )


@pytest.mark.parametrize("share", [0.5, 0.9, 1.0])
def test_every_largest_box_is_found(share):
    rng = np.random.default_rng(int(10 * share))
    for _ in range(15):
        flags = rng.random(rng.integers(1, 6, 3)) < share
        assert len(largest_boxes(flags)) == (brute_count(flags, brute_box(flags)) if flags.any() else 0)


def brute_box(flags):
    """Cells of the largest box of true cells, every box tried."""
    sums = np.zeros(np.array(flags.shape) + 1, int)
    sums[1:, 1:, 1:] = flags.cumsum(0).cumsum(1).cumsum(2)
    spans = [list(itertools.combinations(range(n + 1), 2)) for n in flags.shape]
    best = 0
    for (a, b), (c, d), (e, f) in itertools.product(*spans):
        size = (b - a) * (d - c) * (f - e)
        if size > best:
            upper = sums[b, d, f] - sums[a, d, f] - sums[b, c, f] + sums[a, c, f]
            lower = sums[b, d, e] - sums[a, d, e] - sums[b, c, e] + sums[a, c, e]
            best = size if upper - lower == size else best
    return best


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.98])
def test_inscribed_box_is_the_largest_of_all_boxes(share):
    rng = np.random.default_rng(int(100 * share))
    for _ in range(30):
        flags = rng.random(rng.integers(1, 7, 3)) < share
        assert largest_box(flags) == brute_box(flags)


def test_inscribed_box_of_known_shapes():
    x, y, z = np.indices((20, 20, 20)) - 9.5
    assert largest_box(np.zeros((5, 6, 7), bool)) == 0
    assert largest_box(np.ones((5, 6, 7), bool)) == 210
    ball = x**2 + y**2 + z**2 < 10**2
    assert largest_box(ball) == 12**3
    assert largest_box(np.abs(x) + np.abs(y) + 0 * z < 10) == 10 * 10 * 20
    turned = {
        largest_box(np.moveaxis(ball & (x > -3) & (y < 5), (0, 1, 2), to))
        for to in itertools.permutations(range(3))
    }
    assert len(turned) == 1
