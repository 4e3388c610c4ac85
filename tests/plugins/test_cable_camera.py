"""The smallest back-end that is worth something: it keeps the contract and its physics."""

import math

import numpy as np
import pytest
from tautline_cable_camera import MODEL
from tautline_cable_camera.kernels import evaluate_grid
from tautline_cable_camera.tensions import GRAVITY, tensions

from models import Infeasible
from models.testing import ModelContract


class TestCableCamera(ModelContract):
    model = MODEL
    infeasible = ({"mass": 100.0},)


def test_both_cables_carry_the_weight_and_the_acceleration():
    rng = np.random.default_rng(3)
    for _ in range(50):
        position = np.array([rng.uniform(-9, 9), rng.uniform(-8, -0.5)])
        at_rest, change = tensions(position, 20.0, 8.0, 1.5)
        anchors = np.array([[-10.0, 0.0], [10.0, 0.0]])
        units = (anchors - position) / np.linalg.norm(anchors - position, axis=1, keepdims=True)
        assert at_rest @ units == pytest.approx([0.0, 8.0 * GRAVITY], abs=1e-10)
        angles = np.linspace(0, 2 * math.pi, 3601)
        forces = 8.0 * 1.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        changes = np.linalg.solve(units.T, forces.T)
        assert np.abs(changes).max() == pytest.approx(change, rel=1e-6)


def test_the_kernel_finds_what_the_definition_finds():
    span, depth, low, high, mass, acceleration, cells = 20.0, 8.0, 20.0, 200.0, 8.0, 1.0, 30
    worst, lacking = [], []
    for i in range(cells):
        for k in range(cells):
            at = np.array([((i + 0.5) / cells - 0.5) * span, -(k + 0.5) / cells * depth])
            at_rest, change = tensions(at, span, mass, acceleration)
            lacking.append(max(low - at_rest.min() + change, at_rest.max() + change - high) / high)
            if lacking[-1] <= 0:
                worst.append(at_rest.max() + change)
    feasible, greatest, least = evaluate_grid(span, depth, low, high, mass, acceleration, cells)
    assert 0 < len(worst) < cells**2
    assert feasible == len(worst)
    assert greatest == pytest.approx(max(worst), rel=1e-12)
    assert least == pytest.approx(min(lacking), rel=1e-12)


def test_the_violation_is_what_the_limit_lacks():
    robot = MODEL.resolve(None, {"mass": 100.0})
    outcome = MODEL.evaluate(robot, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    enough = MODEL.resolve(None, {"mass": 100.0, "tension_max": 400.0 * (1 + outcome.violation) + 1e-6})
    assert not isinstance(MODEL.evaluate(enough, "workspace", 0), Infeasible)
