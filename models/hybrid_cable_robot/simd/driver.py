"""Runs the generated kernels over cells, with the interface of the scalar kernels.

A load is an orientation with a posture of the arm. First comes one pass per load over the cells that are
left. It works in single precision and drops a cell only if it fails by far more than its error. Of the loads
under which a cell is left, double precision looks only at those whose margin may be the least, or negative.
Cells in which rounding might decide are computed again by the scalar kernel, from the beginning.

The search for the best margin of an empty workspace looks at every cell. Single precision drops a cell
whose margin under one load is less than the best by more than its error, so that few cells are left to the
scalar kernel; the margin found is that of all cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot import cell_test_kernels
from models.hybrid_cable_robot.cell_results import PASSED, CellResults, empty_results
from models.hybrid_cable_robot.robot import TOLERANCE, Robot
from models.hybrid_cable_robot.simd import compaction
from models.hybrid_cable_robot.simd.code_generator import BLOCK_POSES
from models.hybrid_cable_robot.simd.collision_source import DISTANCE_BAND
from models.hybrid_cable_robot.simd.execution_plan import (
    Constants,
    ExecutionPlan,
    plan_execution,
)
from models.hybrid_cable_robot.simd.kernels import Kernel, kernels
from models.hybrid_cable_robot.simd.wrench_source import MARGIN_BAND
from models.hybrid_cable_robot.wrench_test_kernels import Scratch

WINDOW = 64 * BLOCK_POSES  # cells in the workspace at a time, so that it stays in the cache
CASES_WINDOW = 16 * BLOCK_POSES  # the same where all orientations of a cell are kept

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


class _Cells:
    """Cells with what is known of them; ``active[:count]`` have passed and are not doubtful."""

    def __init__(self, planned: ExecutionPlan, centers: FloatArray, out: CellResults) -> None:
        self.plan = planned
        self.centers = centers
        self.out = out
        self.active = np.arange(len(centers))
        self.count = len(centers)
        self.doubtful = np.zeros(len(centers), np.bool_)
        self.loads = len(planned.robot.load_centers)
        self.orientations = len(planned.robot.rotations)
        self.out.verdicts[:] = PASSED

    def _run_pass(self, kernel: Kernel, constants: FloatArray, compact: Compact) -> None:
        """Run a kernel over the active cells and keep those that ``compact`` keeps."""
        self.count = run_pass(kernel, constants, self.centers, self.active, self.count, compact)

    def _run_cases(self, kernel: Kernel, constants: Constants, cases: int, compact: Compact) -> None:
        """Run a kernel on the constants of each case, then keep the cells that ``compact`` keeps.

        A case is an orientation or a load. ``compact`` is given the kernel's outputs
        (``cases``, ``CASES_WINDOW``), a column for each cell.
        """
        io = kernel.workspace(CASES_WINDOW)
        views = kernel.views(io)
        found = {name: np.zeros((cases, *view.shape), kernel.real) for name, view in views.items()}
        columns = {name: each.reshape(cases, CASES_WINDOW) for name, each in found.items()}
        kept = 0
        for start in range(0, self.count, CASES_WINDOW):
            stop = min(start + CASES_WINDOW, self.count)
            blocks = compaction.pack_positions(self.centers, self.active, start, stop, io)
            for case, values in constants.items():
                kernel.run(io, values, blocks)
                for name, view in views.items():
                    found[name][case, :blocks] = view[:blocks]
            kept = compact(columns, start, stop, kept)
        self.count = kept

    def test_wrenches(self) -> None:
        """Keep the cells that hold all loads, and note the margins."""
        self.out.margins[:] = math.inf
        constants = dict(self.plan.wrench_prefilter)
        first = next(iter(constants))
        known = {first: self._prefilter_first(constants.pop(first))}
        needed = self._prefilter(
            kernels().wrench_prefilter, "margin", constants, MARGIN_BAND, known, self.loads, drop=True
        )
        margins, verdicts, tolerance = self.out.margins, self.out.verdicts, self.plan.robot.tolerance

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_wrench(
                found["margin"], found["trusted"], self.active, start, stop, kept,
                tolerance, margins, verdicts, self.doubtful,
            )  # fmt: skip

        self._run_needed(kernels().wrench, self.plan.wrench, needed, compact)
        np.maximum(margins, 0.0, out=margins)

    def _prefilter_first(self, constants: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Drop the cells that surely fail under one load.

        Returns
        -------
        (n,) float, (n,) float
            The margins of the others there, and how far each is to be trusted.
        """
        kernel = kernels().wrench_prefilter
        margin, trust = np.empty((2, len(self.centers)), kernel.real)
        margins, verdicts = self.out.margins, self.out.verdicts

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_prefilter(
                found["margin"], found["trusted"], self.active, start, stop, kept,
                MARGIN_BAND, margins, verdicts, margin, trust,
            )  # fmt: skip

        self._run_pass(kernel, constants, compact)
        return margin, trust

    def _prefilter(
        self,
        kernel: Kernel,
        output: str,
        constants: Constants,
        band: float,
        known: Mapping[int, tuple[FloatArray, FloatArray]],
        cases: int,
        *,
        drop: bool,
    ) -> NDArray[np.bool_]:
        """Find margins in single precision; ``drop`` cells that are negative for sure.

        The margin is the kernel's ``output``. Margins and trust (n,) of the cases ``known`` are there
        already; in cases that are in neither table nothing can be trusted. A margin is off by at most its
        trust times ``band``.

        Returns
        -------
        (cases, n) bool
            Where the margin of one of the n active cells in a case may be the cell's least, or cannot be
            trusted.
        """
        needed = np.empty((cases, self.count), np.bool_)

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            margin, trust = found[output], found["trusted"]
            for case, (margins, trusts) in known.items():
                cells = self.active[start:stop]
                margin[case, : stop - start], trust[case, : stop - start] = margins[cells], trusts[cells]
            return compaction.compact_margins(
                margin, trust, self.active, start, stop, kept,
                band, drop, self.out.margins, self.out.verdicts, needed,
            )  # fmt: skip

        self._run_cases(kernel, constants, cases, compact)
        return needed[:, : self.count]

    def _run_needed(
        self, kernel: Kernel, constants: Constants, needed: NDArray[np.bool_], compact: Compact
    ) -> None:
        """Do the ``needed`` (cases, n) cases of the n active cells; drop cells that fail."""
        cells = self.active[: self.count].copy()
        for case, values in constants.items():
            self._select(cells, needed[case])
            self._run_pass(kernel, values, compact)
        self._select(cells, np.ones(len(cells), np.bool_))

    def _select(self, cells: IntArray, wanted: NDArray[np.bool_]) -> None:
        self.count = compaction.select(cells, wanted, self.out.verdicts, self.doubtful, self.active)

    def test_platform(self) -> None:
        """Keep the cells in which no cable cuts the platform."""

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_gaps(
                found["gap"], self.active, start, stop, kept, self.out.verdicts, self.doubtful
            )

        self._run_cases(
            kernels().platform_clearance, self.plan.platform_clearance, self.orientations, compact
        )

    def test_interference(self) -> None:
        """Note the least distance of two cables, and keep the cells in which none touch."""
        distances, robot = self.out.distances, self.plan.robot
        distances[self.active[: self.count]] = math.inf
        self._find_distances()
        if robot.check_interference:
            self.count = compaction.compact_interference(
                self.active, self.count, robot.touching, distances, self.out.verdicts, self.doubtful
            )

    def _find_distances(self) -> None:
        """Note the distances of the active cells."""
        kernel = kernels().distance_prefilter
        places = (self.centers, self.plan.robot.pulleys, self.plan.robot.attachments)
        band = DISTANCE_BAND * max(_farthest(part) for part in places)
        constants = self.plan.distance_prefilter
        needed = self._prefilter(kernel, "distance", constants, band, {}, self.orientations, drop=False)

        def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
            return compaction.compact_distances(
                found["distance"], found["trusted"], self.active, start, stop, kept,
                self.out.distances, self.doubtful,
            )  # fmt: skip

        self._run_needed(kernels().distance, self.plan.distance, needed, compact)

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

        self._run_pass(kernels().condition_numbers, self.plan.condition_numbers, compact)


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


def _farthest(places: FloatArray) -> float:
    """The largest coordinate, whatever its sign [m]."""
    return max(float(places.max(initial=0.0)), -float(places.min(initial=0.0)))


def better_cells(planned: ExecutionPlan, centers: FloatArray, best: float) -> IntArray:
    """Numbers (k,) of the cells with centres (n, 3) m whose margin may exceed ``best`` [N] under all loads.

    No cell whose margin does is left out.
    """
    relative = best * TOLERANCE / planned.robot.tolerance  # the kernel works in shares of the forces involved
    active, count = np.arange(len(centers)), len(centers)

    def compact(found: Outputs, start: int, stop: int, kept: int) -> int:
        return compaction.compact_better(
            found["margin"], found["trusted"], active, start, stop, kept, MARGIN_BAND, relative
        )

    for constants in planned.wrench_prefilter.values():
        count = run_pass(kernels().wrench_prefilter, constants, centers, active, count, compact)
    return active[:count]
