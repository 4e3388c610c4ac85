"""Runs the generated kernels over cells, with the interface of the scalar kernels.

A load is an orientation with a posture of the arm. Each test is one pass per load, or per orientation, over
the cells that are left. Cells in which rounding might decide are computed again by the scalar kernel, from
the beginning.

The search for the best margin of an empty workspace drops a cell whose margin under one load is less than the
best by more than rounding, so that few cells are left to the scalar kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot import cell_test_kernels
from models.hybrid_cable_robot.cell_results import PASSED, CellResults, empty_results
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.simd import compaction
from models.hybrid_cable_robot.simd.code_generator import BLOCK_POSES
from models.hybrid_cable_robot.simd.execution_plan import ExecutionPlan, plan_execution
from models.hybrid_cable_robot.simd.kernels import Kernel
from models.hybrid_cable_robot.wrench.capacity_kernels import Scratch, wrench_scratch
from models.kernel_cache import second_process

WINDOW = 64 * BLOCK_POSES  # cells in the workspace at a time, so that it stays in the cache

Outputs = Mapping[str, FloatArray]
# From outputs of the cells active[start:stop] and the number of cells kept so far to the number kept.
Compact = Callable[[Outputs, int, int, int], int]


def test_cells(
    robot: Robot,
    every_index: bool,
    centers: FloatArray,
    scratch: Scratch,
    out: CellResults,
) -> NDArray[np.bool_]:
    """Test the cells with centres (n, 3) m of a robot with eight cables and fill ``out``.

    Returns
    -------
    (n,) bool
        The cells that were too close to call and were left to the scalar kernel.
    """
    planned = plan_execution(robot, every_index=every_index)
    return test_as_planned(planned, centers, scratch, out)


def test_as_planned(
    planned: ExecutionPlan, centers: FloatArray, scratch: Scratch, out: CellResults
) -> NDArray[np.bool_]:
    """The same for one of many blocks of cells."""
    cells = _Cells(planned, centers, out)
    with second_process(compile_scalar_kernel):
        cells.test_wrenches()
        if planned.robot.check_platform:
            cells.test_platform()
        cells.test_interference()
        cells.find_conditions()
    doubtful = np.flatnonzero(cells.doubtful)
    if len(doubtful):
        again = empty_results(len(doubtful))
        cell_test_kernels.test_cells(planned.robot, planned.every_index, centers[doubtful], scratch, again)
        for field, values in zip(out, again, strict=True):
            field[doubtful] = values
    return cells.doubtful


def compile_scalar_kernel() -> None:
    """Compile the kernel that tests doubtful cells: it takes as long as all generated ones together."""
    robot = robot_of(HybridCableRobot())
    cell_test_kernels.test_cells(robot, False, np.zeros((1, 3)), wrench_scratch(robot), empty_results(1))


class _Cells:
    """Cells with what is known of them; ``active[:count]`` have passed and are not doubtful."""

    def __init__(self, planned: ExecutionPlan, centers: FloatArray, out: CellResults) -> None:
        self.plan = planned
        self.centers = centers
        self.out = out
        self.active = np.arange(len(centers))
        self.count = len(centers)
        self.doubtful = np.zeros(len(centers), np.bool_)
        self.out.verdicts[:] = PASSED

    def _run_pass(self, kernel: Kernel, constants: FloatArray, compact: Compact) -> None:
        """Run a kernel over the active cells and keep those that ``compact`` keeps."""
        self.count = run_pass(kernel, constants, self.centers, self.active, self.count, compact)

    def test_wrenches(self) -> None:
        """Keep the cells that hold all loads, and note the margins."""
        self.out.margins[:] = math.inf
        margins, verdicts, tolerance = self.out.margins, self.out.verdicts, self.plan.robot.tolerance

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_wrench(
                found["margin"], found["trusted"], self.active, start, stop, kept,
                tolerance, margins, verdicts, self.doubtful,
            )  # fmt: skip

        for constants in self.plan.wrench:
            self._run_pass(self.plan.kernels.wrench, constants, compact)
        np.maximum(margins, 0.0, out=margins)

    def test_platform(self) -> None:
        """Keep the cells in which no cable cuts the platform."""

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_gaps(
                found["gap"], self.active, start, stop, kept, self.out.verdicts, self.doubtful
            )

        for constants in self.plan.platform_clearance:
            self._run_pass(self.plan.kernels.platform_clearance, constants, compact)

    def test_interference(self) -> None:
        """Note the least distance of two cables, and keep the cells in which none touch."""
        distances, robot = self.out.distances, self.plan.robot
        distances[self.active[: self.count]] = math.inf

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_distances(
                found["distance"], found["trusted"], self.active, start, stop, kept,
                distances, self.doubtful,
            )  # fmt: skip

        for constants in self.plan.distance:
            self._run_pass(self.plan.kernels.distance, constants, compact)
        if robot.check_interference:
            self.count = compaction.compact_interference(
                self.active, self.count, robot.touching, distances, self.out.verdicts, self.doubtful
            )

    def find_conditions(self) -> None:
        """Note the condition numbers at the nominal orientation."""
        if self.plan.every_index:
            self.active = np.flatnonzero(~self.doubtful)
            self.count = len(self.active)
        out = self.out

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_conditions(
                found["condition_j"], found["condition_k"], found["trusted"], self.active, start, stop, kept,
                out.conditions_j, out.conditions_k, out.verdicts, self.doubtful,
            )  # fmt: skip

        self._run_pass(self.plan.kernels.condition_numbers, self.plan.condition_numbers, compact)


def run_pass(
    kernel: Kernel, constants: FloatArray, centers: FloatArray, active: IntArray, count: int, compact: Compact
) -> int:
    """Run a kernel over the cells ``active[:count]``; returns how many of them ``compact`` keeps."""
    io = kernel.workspace(min(WINDOW, count))
    found = kernel.views(io)
    kept = 0
    for start in range(0, count, WINDOW):
        stop = min(start + WINDOW, count)
        blocks = compaction.pack_positions(centers, active, start, stop, io)
        kernel.run(io, constants, blocks)
        kept = compact(found, start, stop, kept)
    return kept


def better_cells(planned: ExecutionPlan, centers: FloatArray, best: float) -> IntArray:
    """Numbers (k,) of the cells with centres (n, 3) m whose margin may exceed ``best`` [N] under all loads.

    No cell whose margin does is left out.
    """
    active, count = np.arange(len(centers)), len(centers)
    band = compaction.CLOSE_MARGIN * planned.robot.tolerance

    def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
        return compaction.compact_better(
            found["margin"], found["trusted"], active, start, stop, kept, band, best
        )

    for constants in planned.wrench:
        count = run_pass(planned.kernels.wrench, constants, centers, active, count, compact)
    return active[:count]
