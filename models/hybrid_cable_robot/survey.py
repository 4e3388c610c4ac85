"""From a robot and cells' centres to verdicts and numbers: the one caller of the compiled kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot import kernel
from models.hybrid_cable_robot.geometry import FloatArray, Robot
from models.hybrid_cable_robot.verdicts import TOLERANCE


@dataclass(frozen=True, slots=True)
class CellResults:
    """What the tests say of n cells.

    Attributes
    ----------
    verdicts : (n,) int8
        See :mod:`models.hybrid_cable_robot.verdicts`.
    margins : (n,) float, N
        Capacity margin, least over the orientations; NaN where the wrench test fails.
    distances : (n,) float, m
        Least distance of two cables' axes over the orientations; NaN where the wrench or the
        platform test fails.
    conditions_j, conditions_k : (n,) float
        Inverse condition numbers of the scaled Jacobian and of the scaled stiffness matrix at the
        nominal orientation; NaN where an earlier test fails and the whole space is not asked for.
    """

    verdicts: NDArray[np.int8]
    margins: FloatArray
    distances: FloatArray
    conditions_j: FloatArray
    conditions_k: FloatArray


def scaled_wrenches(robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Centre and half range of the wrench box (6,) N, torques divided by the characteristic length."""
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / robot.length_scale,) * 3])
    return robot.wrench_center * scale, robot.wrench_range * scale


def wrench_tolerance(robot: Robot) -> float:
    """Shortfall [N] that counts as none: ``TOLERANCE`` of the tensions and wrenches involved."""
    center, half_range = scaled_wrenches(robot)
    return TOLERANCE * (robot.f_max + float(np.linalg.norm(center)) + float(np.linalg.norm(half_range)))


def survey(robot: Robot, centers: FloatArray, no_pair: float, *, every_index: bool) -> CellResults:
    """Test the cells with centres (n, 3) m.

    ``no_pair`` is the distance [m] reported when all cables share one attachment; ``every_index``
    asks for the inverse condition numbers of cells that fail a test too.
    """
    count = len(centers)
    results = CellResults(np.empty(count, np.int8), *(np.empty(count) for _ in range(4)))
    kernel.test_cells(
        robot.pulleys,
        robot.attachments,
        robot.rotations,
        robot.length_scale,
        *scaled_wrenches(robot),
        robot.f_min,
        robot.f_max,
        wrench_tolerance(robot),
        robot.half_size,
        robot.diameter + robot.clearance,
        robot.pairs,
        no_pair,
        robot.stiffness,
        robot.check_platform,
        robot.check_interference,
        every_index,
        centers,
        results.verdicts,
        results.margins,
        results.distances,
        results.conditions_j,
        results.conditions_k,
    )
    return results


def best_margin(robot: Robot, centers: FloatArray, best: float = -math.inf) -> float:
    """Greatest capacity margin [N] of the cells, or ``best`` if that is greater."""
    return kernel.best_margin(
        robot.pulleys,
        robot.attachments,
        robot.rotations,
        robot.length_scale,
        *scaled_wrenches(robot),
        robot.f_min,
        robot.f_max,
        wrench_tolerance(robot),
        centers,
        best,
    )
