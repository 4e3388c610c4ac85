"""Results of the kernels for cells, and the status of a cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray

PASSED = 0
WRENCH = 1  # some wrench of the set cannot be held, or a cable has no length
PLATFORM = 2  # a cable cuts the platform
INTERFERENCE = 3  # two cables touch
SINGULAR = 4  # the scaled Jacobian is nearly singular at the nominal orientation
LENGTH = 5  # a cable is shorter or longer than its drum lets out
SPEED = 6  # a cable would have to be faster than its winch where the platform has the task's speed
CABLE_OBSTACLE = 7  # a cable comes too close to an obstacle or the floor
PLATFORM_OBSTACLE = 8  # the platform does
ARM_CABLE = 9  # the arm comes too close to a cable
ARM_OBSTACLE = 10  # the arm comes too close to an obstacle or the floor
UNPROVED = 11  # no proof for every orientation within the limit, and no orientation found that fails
WHEELS = 12  # the wheels of two pulleys overlap
SURROUNDINGS = {
    CABLE_OBSTACLE: "cable_obstacle",
    PLATFORM_OBSTACLE: "platform_obstacle",
    ARM_CABLE: "arm_cable",
    ARM_OBSTACLE: "arm_obstacle",
    WHEELS: "wheels",
}
"""Tests of the surroundings, which only cells take that pass all others."""
UNPROVED_CAUSE = "there is no proof for every orientation within rotation_limit"
OCCASIONAL = {LENGTH: "length", SPEED: "speed", **SURROUNDINGS, UNPROVED: "proof"}
"""Tests that most robots do not have."""

RATE_ROUNDING = 1e-12
SINGULAR_BELOW = 1e-3  # inverse condition number of the scaled Jacobian
WORST_MARGIN = -1e12  # [N]; floor of the capacity margin, also that of a cable without length
GREATEST_RESPONSE = (
    1e12  # [m], [rad/m] or [1]; ceiling of displacements and sensitivities, so that they stay finite
)


class CellResults(NamedTuple):
    """Results of the tests for n cells.

    Attributes
    ----------
    verdicts : (n,) int8
        See :mod:`models.hybrid_cable_robot.cell_results`.
    margins : (n,) float, N
        Capacity margin, least over the orientations; NaN where the wrench test fails.
    distances : (n,) float, m
        Least distance of two cables' axes over the orientations; NaN where the wrench or the
        platform test fails.
    conditions_j, conditions_k : (n,) float
        Inverse condition numbers of the scaled Jacobian and of the scaled stiffness matrix at the
        nominal orientation; NaN where an earlier test fails and they are not wanted everywhere.
    """

    verdicts: NDArray[np.int8]
    margins: FloatArray
    distances: FloatArray
    conditions_j: FloatArray
    conditions_k: FloatArray


def empty_results(cells: int) -> CellResults:
    """Results that a kernel can fill."""
    return CellResults(np.empty(cells, np.int8), *(np.full(cells, np.nan) for _ in range(4)))
