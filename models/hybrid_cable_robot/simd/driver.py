"""Runs the generated kernels over cells, with the interface of the scalar kernels.

A load is an orientation with a posture of the arm. First a few directions exclude most of the cells
that fail; then comes one pass per load over the cells that are left, the load that excludes most first.
These two work in single precision and drop a cell only if it fails by far more than their error. Of the
loads under which a cell is left, double precision looks only at those whose margin may be the least, or
negative.
Cells in which rounding might decide are computed again by the scalar kernel, from the beginning.

The search for the best margin of an empty workspace looks at every cell. Single precision drops a cell
whose margin under one load is less than the best by more than its error, so that few cells are left to the
scalar kernel; the margin found is that of all cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot import cell_test_kernels
from models.hybrid_cable_robot.cell_results import PASSED, CellResults, empty_results
from models.hybrid_cable_robot.robot import TOLERANCE, Robot
from models.hybrid_cable_robot.simd import compaction
from models.hybrid_cable_robot.simd.code_generator import LANES
from models.hybrid_cable_robot.simd.collision_source import NEARNESS_BAND
from models.hybrid_cable_robot.simd.compaction import bound_distances, sift_collision, sift_distances
from models.hybrid_cable_robot.simd.loader import Kernel, kernels
from models.hybrid_cable_robot.simd.plan import Numbers, Plan, plan, sample_places
from models.hybrid_cable_robot.simd.wrench_source import SIEVE_BAND
from models.hybrid_cable_robot.wrench_test_kernels import Scratch

WINDOW = 64 * LANES  # cells in the workspace at a time, so that it stays in the cache
FEW = 16 * LANES  # the same where all orientations of a cell are kept

Judged = Callable[[FloatArray, int, int, int], int]
Sift = Callable[[FloatArray, IntArray, int, int, int], int]


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
    sample = centers[sample_places(len(centers))]
    return test_as_planned(plan(robot, sample, scratch, every_index=every_index), centers, scratch, out)


def test_as_planned(
    planned: Plan, centers: FloatArray, scratch: Scratch, out: CellResults
) -> NDArray[np.bool_]:
    """The same for one of many blocks of cells."""
    cells = _Cells(planned, centers, out)
    cells.hold()
    if planned.robot.check_platform:
        cells.clear_platform()
    cells.clear_cables()
    cells.condition()
    doubtful = np.flatnonzero(cells.doubtful)
    if len(doubtful):
        again = empty_results(len(doubtful))
        cell_test_kernels.test_cells(planned.robot, planned.every_index, centers[doubtful], scratch, again)
        for field, values in zip(out, again, strict=True):
            field[doubtful] = values
    return cells.doubtful


class _Cells:
    """Cells with what is known of them; ``active[:count]`` have passed and are not doubtful."""

    def __init__(self, planned: Plan, centers: FloatArray, out: CellResults) -> None:
        self.plan = planned
        self.centers = centers
        self.out = out
        self.active = np.arange(len(centers))
        self.count = len(centers)
        self.doubtful = np.zeros(len(centers), np.bool_)
        self.loads = len(planned.robot.load_centers)
        self.orientations = len(planned.robot.rotations)
        self.out.verdicts[:] = PASSED

    def _sweep(self, generated: Kernel, numbers: FloatArray, sifted: Sift) -> None:
        """Run a kernel over the active cells and keep those that ``sifted`` keeps."""
        io = np.empty(generated.rows * min(WINDOW, -(-self.count // LANES) * LANES), generated.real)
        kept = 0
        for start in range(0, self.count, WINDOW):
            stop = min(start + WINDOW, self.count)
            blocks = compaction.gather(self.centers, self.active, start, stop, generated.rows, io)
            generated.run(io, numbers, blocks)
            kept = sifted(io, self.active, start, stop, kept)
        self.count = kept

    def hold(self) -> None:
        """Keep the cells that hold all loads, and note the margins."""
        self.out.margins[:] = math.inf
        self._exclude()
        numbers, first = dict(self.plan.sieve), self.plan.screen
        known = {} if first is None else {first: self._screen(numbers.pop(first))}
        needed = self._sieve(kernels().sieve, numbers, SIEVE_BAND, known, self.loads, drop=True)
        margins, verdicts, tolerance = self.out.margins, self.out.verdicts, self.plan.robot.tolerance

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return compaction.sift_wrench(
                io, active, start, stop, kept, tolerance, margins, verdicts, self.doubtful
            )

        self._weigh(kernels().wrench, self.plan.wrench, needed, sifted)
        np.maximum(margins, 0.0, out=margins)

    def _sweep_all(self, generated: Kernel, numbers: Numbers, cases: int, judged: Judged) -> None:
        """Run a kernel on ``numbers`` of the cases, over the active cells; keep those that ``judged`` keeps.

        A case is an orientation or a load. ``judged`` is given the kernel's outputs (k, ``cases``, ``FEW``),
        a column for each cell.
        """
        io = np.empty(generated.rows * FEW, generated.real)
        found = np.zeros((generated.rows - 3, cases, FEW), generated.real)
        kept = 0
        for start in range(0, self.count, FEW):
            stop = min(start + FEW, self.count)
            blocks = compaction.gather(self.centers, self.active, start, stop, generated.rows, io)
            for index, values in numbers.items():
                generated.run(io, values, blocks)
                compaction.collect(io, generated.rows, stop - start, found[:, index])
            kept = judged(found, start, stop, kept)
        self.count = kept

    def _screen(self, numbers: FloatArray) -> FloatArray:
        """Drop the cells that surely fail under one load.

        Returns
        -------
        (2, n) float
            The margins of the others there, and how far each is to be trusted.
        """
        found = np.empty((2, len(self.centers)), kernels().sieve.real)

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            margins, verdicts = self.out.margins, self.out.verdicts
            return compaction.sift_sieve(io, active, start, stop, kept, SIEVE_BAND, margins, verdicts, found)

        self._sweep(kernels().sieve, numbers, sifted)
        return found

    def _sieve(
        self, generated: Kernel, numbers: Numbers, band: float, known: Numbers, cases: int, *, drop: bool
    ) -> NDArray[np.bool_]:
        """Find margins in single precision; ``drop`` cells that are negative for sure.

        Margins of the cases ``known`` are there already, (2, n) of all cells; in cases that are in neither
        table nothing can be trusted. The others are off by at most their trust
        times ``band``.

        Returns
        -------
        (cases, n) bool
            Where the margin of one of the n active cells in a case may be the cell's least, or cannot be
            trusted.
        """
        needed = np.empty((cases, self.count), np.bool_)

        def judged(found: FloatArray, start: int, stop: int, kept: int) -> int:
            for index, margins in known.items():
                compaction.pick(margins, self.active, start, stop, found[:, index])
            return compaction.judge_margins(
                found, self.active, start, stop, kept, band, drop, self.out.margins, self.out.verdicts, needed
            )

        self._sweep_all(generated, numbers, cases, judged)
        return needed[:, : self.count]

    def _weigh(self, generated: Kernel, numbers: Numbers, needed: NDArray[np.bool_], sifted: Sift) -> None:
        """Do the ``needed`` (cases, n) cases of the n active cells; drop cells that fail."""
        cells = self.active[: self.count].copy()
        for index, values in numbers.items():
            self._choose(cells, needed[index])
            self._sweep(generated, values, sifted)
        self._choose(cells, np.ones(len(cells), np.bool_))

    def _choose(self, cells: IntArray, wanted: NDArray[np.bool_]) -> None:
        self.count = compaction.choose(cells, wanted, self.out.verdicts, self.doubtful, self.active)

    def _exclude(self) -> None:
        """Drop cells that fail under a load in a direction in which cells of the sample do."""
        if self.plan.exclusion is None:
            return

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            margins, verdicts = self.out.margins, self.out.verdicts
            return compaction.sift_exclusion(io, active, start, stop, kept, SIEVE_BAND, margins, verdicts)

        self._sweep(kernels().exclusion, self.plan.exclusion, sifted)

    def clear_platform(self) -> None:
        """Keep the cells in which no cable cuts the platform."""

        def judged(found: FloatArray, start: int, stop: int, kept: int) -> int:
            return compaction.judge_gaps(
                found, self.active, start, stop, kept, self.out.verdicts, self.doubtful
            )

        self._sweep_all(kernels().platform, self.plan.platform, self.orientations, judged)

    def clear_cables(self) -> None:
        """Note the least distance of two cables, and keep the cells in which none touch."""
        distances, robot = self.out.distances, self.plan.robot
        distances[self.active[: self.count]] = math.inf
        if self.plan.every_distance:
            self._measure()
        else:
            self._measure_the_close()
        if robot.check_interference:
            self.count = sift_distances(
                self.active, self.count, robot.touching, distances, self.out.verdicts, self.doubtful
            )

    def _measure(self) -> None:
        """Note the distances of the active cells."""

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift_collision(io, active, start, stop, kept, self.out.distances, self.doubtful)

        places = (self.centers, *self.plan.robot[:2])
        band = NEARNESS_BAND * max(_farthest(part) for part in places)
        needed = self._sieve(kernels().nearness, self.plan.nearness, band, {}, self.orientations, drop=False)
        self._weigh(kernels().collision, self.plan.collision, needed, sifted)

    def _measure_the_close(self) -> None:
        """Note the distances of each third cell, and of those near them that may touch or be the least.

        No distance of two cables changes by more than the platform is shifted: one end of each stays.
        """
        distances, robot = self.out.distances, self.plan.robot
        cells = self.active[: self.count].copy()
        first = cells % 3 == 1
        self._choose(cells, first)
        self._measure()
        least = float(np.min(distances[cells[first]], initial=math.inf))
        far = max(least, robot.touching if robot.check_interference else 0.0)
        others = bound_distances(cells, self.centers, far, distances, self.doubtful)
        self._choose(cells, others)
        self._measure()
        self._choose(cells, np.ones(len(cells), np.bool_))

    def condition(self) -> None:
        """Note the condition numbers at the nominal orientation."""
        if self.plan.every_index:
            self.active = np.flatnonzero(~self.doubtful)
            self.count = len(self.active)

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            out = self.out
            return compaction.sift_index(
                io, active, start, stop, kept, out.conditions_j, out.conditions_k, out.verdicts, self.doubtful
            )

        self._sweep(kernels().conditioning, self.plan.conditioning, sifted)


def _farthest(places: FloatArray) -> float:
    """The largest coordinate, whatever its sign [m]."""
    return max(float(places.max(initial=0.0)), -float(places.min(initial=0.0)))


BEST_MARGIN_WINDOW = 64 * LANES  # cells in the workspace at a time, so that it stays in the cache


def better_cells(planned: Plan, centers: FloatArray, best: float) -> IntArray:
    """Numbers (k,) of the cells with centres (n, 3) m whose margin may exceed ``best`` [N] under all loads.

    No cell whose margin does is left out.
    """
    generated = kernels().sieve
    relative = best * TOLERANCE / planned.robot.tolerance  # the kernel works in shares of the forces involved
    active, count = np.arange(len(centers)), len(centers)
    io = np.empty(generated.rows * BEST_MARGIN_WINDOW, generated.real)
    for numbers in planned.sieve.values():
        kept = 0
        for start in range(0, count, BEST_MARGIN_WINDOW):
            stop = min(start + BEST_MARGIN_WINDOW, count)
            blocks = compaction.gather(centers, active, start, stop, generated.rows, io)
            generated.run(io, numbers, blocks)
            kept = compaction.sift_better(io, active, start, stop, kept, SIEVE_BAND, relative)
        count = kept
    return active[:count]
