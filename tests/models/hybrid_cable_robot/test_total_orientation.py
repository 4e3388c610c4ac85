"""The angle by which the platform may turn about every axis, at one position."""

import math

import numpy as np
import pytest

from errors import InputError
from models.contract import Evaluation
from models.hybrid_cable_robot import MODEL, total_orientation
from models.hybrid_cable_robot.cell_results import PASSED
from models.hybrid_cable_robot.robot import changed_robot, robot_of, rotation_matrix
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from tests.models.hybrid_cable_robot.robots import BAR, BODY, CRANE

PLACES = [[0.0, 0.0, 0.0], [0.1, 0.05, 0.1]]


def passes(parameters, position, vectors):
    """Say which rotation vectors (k, 3) rad pass at a position, by the tests of a cell."""
    robot = robot_of(parameters.model_copy(update={"orientations": "nominal"}))
    place = np.array([position], dtype=float)
    turned = (changed_robot(robot, rotations=rotation_matrix(vector)[None]) for vector in vectors)
    found = [evaluate_cells(each, place, every_index=False).verdicts[0] for each in turned]
    return np.array(found) == PASSED


@pytest.mark.parametrize("position", PLACES)
@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        ("constrained", {}),
        ("suspended", {"wrench_set": "gravity"}),
        ("suspended", {"wrench_set": "gravity", "weight_moment": "ignored"}),
    ],
)
def test_every_rotation_by_less_passes_and_one_by_little_more_fails(preset, settings, position):
    parameters = MODEL.resolve(preset, settings)
    angle = total_orientation(parameters, position)
    assert math.radians(5) < angle < math.radians(30)
    rng = np.random.default_rng(7)
    axes = rng.normal(size=(3000, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    shares = np.where(rng.random(1000) < 0.5, 1.0, rng.random(1000) ** (1 / 3))
    assert passes(parameters, position, angle * shares[:, None] * axes[:1000]).all()
    assert not passes(parameters, position, 1.08 * angle * axes).all()


def test_a_body_in_a_plane_turns_as_far_as_a_scan_says():
    parameters = MODEL.resolve(None, BODY)
    angle = total_orientation(parameters, [0.0, 0.0, 0.0])
    scan = np.radians(np.arange(0.1, 90.05, 0.1))
    normal = np.array([0.0, 1.0, 0.0])
    turned = np.array([passes(parameters, [0, 0, 0], [each * normal, -each * normal]).all() for each in scan])
    reached = scan[np.argmin(turned) - 1] if not turned.all() else scan[-1]
    assert reached - math.radians(0.15) <= angle <= reached + 1e-12


def test_it_is_zero_where_the_platform_cannot_be():
    assert total_orientation(MODEL.resolve("constrained", {}), [0.45, 0.45, 0.45]) == 0.0


@pytest.mark.parametrize(
    ("preset", "settings", "words"),
    [
        ("constrained", {"pulley_radius": 0.02}, "wheels"),
        ("constrained", {"floor": -1.0}, "a floor"),
        (None, BAR, "2R3T"),
        (None, CRANE, "does not turn"),
    ],
)
def test_robots_without_it_are_refused(preset, settings, words):
    with pytest.raises(InputError, match=words):
        total_orientation(MODEL.resolve(preset, settings), [0, 0, 0])


def test_metrics_are_those_of_the_middle_and_of_the_task():
    settings = {"wrench_set": "gravity", "orientations": "nominal", "cells": 8, "task_path": PLACES}
    parameters = MODEL.resolve("constrained", settings)
    found = MODEL.evaluate(parameters, "orientation", 0)
    assert isinstance(found, Evaluation)
    assert found.metrics["total_orientation"] == total_orientation(parameters, PLACES[0])
    ends = [total_orientation(parameters, point) for point in PLACES]
    assert 0.0 < found.metrics["total_orientation.task"] <= min(ends)
    wheels = MODEL.evaluate(MODEL.resolve("constrained", {"pulley_radius": 0.02}), "orientation", 0)
    assert isinstance(wheels, Evaluation)
    assert wheels.metrics["total_orientation"] is None
    assert "wheels" in wheels.warnings[-1]
