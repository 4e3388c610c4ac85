"""From a robot and cells' centres to verdicts and numbers: the one caller of the compiled kernels.

Eight cables have kernels of their own, in :mod:`models.hybrid_cable_robot.simd`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot import cell_test_kernels
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.kernel_records import (
    TOLERANCE,
    WORST_MARGIN,
    CellResults,
    CheckOptions,
    Load,
    Loads,
    empty_results,
    shape_of,
)
from models.hybrid_cable_robot.robot import Robot, wrench_centers
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.simd.code_generator import CABLES
from models.hybrid_cable_robot.simd.driver import better_cells
from models.hybrid_cable_robot.simd.plan import Plan, plan, sample_places
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import fill_stiffness_conditions
from models.hybrid_cable_robot.wrench_test_kernels import wrench_scratch


def loads_of(robot: Robot) -> Loads:
    """The wrench boxes with torques divided by the characteristic length, and the tension limits."""
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / robot.length_scale,) * 3])
    centers = np.concatenate([wrench_centers(robot, rotation) for rotation in robot.rotations]) * scale
    return Loads(centers, robot.wrench_range * scale, robot.f_min, robot.f_max, tolerance_of(robot))


def loads_at(robot: Robot, rotation: FloatArray) -> list[Load]:
    """The same at any orientation (3, 3), one for each posture of the arm."""
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / robot.length_scale,) * 3])
    half_range, tolerance = robot.wrench_range * scale, tolerance_of(robot)
    return [
        Load(center * scale, half_range, robot.f_min, robot.f_max, tolerance)
        for center in wrench_centers(robot, rotation)
    ]


def tolerance_of(robot: Robot) -> float:
    """Shortfall [N] that counts as none: ``TOLERANCE`` of the tensions and wrenches involved.

    Ties which symmetry makes common are so decided the same way everywhere, at every orientation.
    """
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / robot.length_scale,) * 3])
    moments = np.linalg.norm(robot.first_moments, axis=1) * np.linalg.norm(GRAVITY) / robot.length_scale
    center = float(np.linalg.norm(robot.wrench_center * scale)) + float(moments.max())
    return TOLERANCE * (robot.f_max + center + float(np.linalg.norm(robot.wrench_range * scale)))


def plan_of(
    robot: Robot, sample: FloatArray, *, every_index: bool, every_distance: bool = True
) -> Plan | None:
    """What blocks of cells share of which those with centres (n, 3) m are typical; n may be 0.

    ``every_index`` asks for the inverse condition numbers of cells that fail a test too,
    ``every_distance`` for the distance of cables in each cell. None without kernels of its own for the
    number of cables.
    """
    if len(robot.pulleys) != CABLES:
        return None
    shape, checks = shape_of(robot), checks_of(robot, every_index, every_distance)
    loads = loads_of(robot)
    return plan(shape, loads, checks, sample, wrench_scratch(shape, loads))


def evaluate_cells(robot: Robot, centers: FloatArray, *, every_index: bool) -> CellResults:
    """Test the cells with centres (n, 3) m; the rest as in :func:`plan_of`."""
    sample = centers[sample_places(len(centers))]
    planned = plan_of(robot, sample, every_index=every_index)
    return evaluate_planned_cells(robot, centers, planned, every_index=every_index)[0]


def evaluate_planned_cells(
    robot: Robot, centers: FloatArray, planned: Plan | None, *, every_index: bool
) -> tuple[CellResults, NDArray[np.bool_]]:
    """The same as planned, and which cells (n,) were too close to call for the vector kernels."""
    results, shape, loads = empty_results(len(centers)), shape_of(robot), loads_of(robot)
    doubtful = np.zeros(len(centers), np.bool_)
    if planned is not None:
        doubtful = driver.test_as_planned(planned, centers, wrench_scratch(shape, loads), results)
    else:
        checks = checks_of(robot, every_index)
        cell_test_kernels.test_cells(shape, loads, checks, centers, wrench_scratch(shape, loads), results)
    if robot.axial or robot.geometric:
        fill_stiffness_conditions(robot, centers, results.conditions_k)
    return results, doubtful


def best_margin(
    robot: Robot, sample: FloatArray, planned: Plan | None, blocks: Iterable[FloatArray]
) -> float:
    """Greatest capacity margin [N] over the cells of blocks, each with centres (n, 3) m.

    The cells with centres ``sample`` (k, 3) m come first: with a good margin to beat, most others end early.
    """
    shape, loads = shape_of(robot), loads_of(robot)
    scratch = wrench_scratch(shape, loads)
    best = cell_test_kernels.best_margin(shape, loads, sample, WORST_MARGIN, scratch)
    for centers in blocks:
        some = centers if planned is None else centers[better_cells(planned, centers, best)]
        best = cell_test_kernels.best_margin(shape, loads, np.ascontiguousarray(some), best, scratch)
    return best


def least_deficit(robot: Robot, centers: FloatArray, least: float) -> float:
    """Least over the cells of the worst deficit [m] of platform, cables and singularity, or ``least``."""
    shape, checks = shape_of(robot), checks_of(robot, every_index=False)
    return cell_test_kernels.least_deficit(
        shape, checks, centers, least, wrench_scratch(shape, loads_of(robot))
    )


def checks_of(robot: Robot, every_index: bool, every_distance: bool = True) -> CheckOptions:
    """What is tested besides the wrench set; the rest as in :func:`plan_of`."""
    return CheckOptions(
        half_size=robot.half_size,
        pairs=robot.pairs,
        reliefs=robot.reliefs,
        distance=robot.diameter + robot.clearance,
        stiffness=robot.stiffness,
        platform=robot.check_platform,
        interference=robot.check_interference,
        every_index=every_index,
        every_distance=every_distance,
    )
