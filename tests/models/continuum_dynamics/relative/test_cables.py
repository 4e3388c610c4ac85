"""Lengths of cables: the kernel against the definition that all continuum robots share."""

import numpy as np
import pytest

from models.continuum_dynamics.relative import statics
from tests.models.continuum_dynamics.robots import ROBOTS, random_state
from tests.oracles.relative_motion import cable_forms


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("size", [0.0, 1e-9, 0.3, 1.2])
def test_the_kernel_computes_what_the_definition_does(name, size):
    robot, q, _, _ = random_state(name, size)
    for found, expected in zip(statics.cable_forms(robot, q), cable_forms(robot, q), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-14)


def test_slopes_and_curvatures_are_those_of_central_differences():
    robot, q, _, _ = random_state("five cables", 0.5)
    found, h = statics.cable_forms(robot, q), 1e-4
    for i, way in enumerate(h * np.eye(q.size).reshape(-1, *q.shape)):
        ahead, behind = statics.cable_forms(robot, q + way), statics.cable_forms(robot, q - way)
        slope = (ahead.lengths - behind.lengths) / (2 * h)
        assert slope == pytest.approx(found.slopes[:, i], abs=1e-9)
        curvature = ((ahead.slopes - behind.slopes) / (2 * h)).reshape(len(slope), -1, 3)
        expected = np.zeros_like(curvature)
        expected[:, i // 3] = found.curvatures[:, i // 3, i % 3]
        assert curvature == pytest.approx(expected, abs=1e-9)


def test_cables_of_the_straight_robot_are_not_shortened():
    robot, q, _, _ = random_state("default", 0.0)
    assert statics.shortenings(robot, statics.cable_forms(robot, q)) == pytest.approx(0.0, abs=1e-15)
