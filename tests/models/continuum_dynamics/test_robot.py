"""The robot's numbers, and what is refused."""

import math

import numpy as np
import pytest

from errors import InputError
from models.continuum_dynamics import MODEL, ContinuumDynamics, robot_of


def test_the_default_robot_has_the_sizes_and_masses_of_the_paper():
    robot = robot_of(ContinuumDynamics())
    assert pytest.approx(0.0636) == robot.L
    assert pytest.approx(65e9 * math.pi * 1e-12 / 64) == robot.EI
    assert pytest.approx(robot.EI / 1.33) == robot.GJ
    rod = 6450 * math.pi / 4 * 1e-6 * 0.636
    assert robot.masses.sum() == pytest.approx(0.03 + rod * 0.95)  # half of the first element stands still
    assert robot.masses[0] == pytest.approx(3e-3 + rod / 10)
    assert robot.inertias[-1] == pytest.approx(
        [
            3e-3 * (0.015**2 / 4 + 0.003**2 / 12) + rod / 20 * 1e-6 / 16,
            3e-3 * 0.015**2 / 2 + rod / 20 * 1e-6 / 8,
        ]
    )
    assert np.degrees(np.arctan2(robot.holes[:, 1], robot.holes[:, 0])) == pytest.approx([0, 120, -120])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"hole_radius": 0.02}, "'hole_radius': holes at 0.02 m lie outside disks of 0.015 m"),
        ({"hole_azimuths": [], "drives": []}, "'hole_azimuths': expected finite numbers of the shape"),
    ],
)
def test_robots_that_cannot_be_built_are_refused(given, text):
    with pytest.raises(InputError, match=text):
        MODEL.resolve(None, given)
