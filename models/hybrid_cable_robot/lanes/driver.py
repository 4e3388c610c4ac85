"""Runs the generated kernels over cells, behind the same seam as the scalar kernel.

First a few directions exclude most of the cells that fail; then comes one pass per orientation over
the cells that are left, the orientation that excludes most first. These two work in single precision
and drop a cell only if it fails by far more than their error. Of the orientations at which a cell is
left, double precision looks only at those whose margin may be the least, or negative.
Cells in which rounding might decide are done anew by the scalar kernel, from the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot import kernel
from models.hybrid_cable_robot.arrays import CellResults, Checks, Load, Shape, empty_results
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.kernel_wrench import Scratch
from models.hybrid_cable_robot.lanes import constants, sift
from models.hybrid_cable_robot.lanes.exclusion import choose_directions, exclusion_constants
from models.hybrid_cable_robot.lanes.loader import Kernel, kernels
from models.hybrid_cable_robot.lanes.wrench import SIEVE_BAND
from models.hybrid_cable_robot.lanes.writer import LANES
from models.hybrid_cable_robot.verdicts import PASSED, TOLERANCE

WINDOW = 64 * LANES  # cells in the workspace at a time, so that it stays in the cache
SAMPLE = 2 * LANES  # cells that tell which orientation excludes most
SAMPLED_FROM = 16 * SAMPLE  # fewer cells are not worth it

Sift = Callable[[FloatArray, IntArray, int, int, int], int]


def test_cells(
    shape: Shape, load: Load, checks: Checks, centers: FloatArray, scratch: Scratch, out: CellResults
) -> NDArray[np.bool_]:
    """Test the cells with centres (n, 3) m of a robot with eight cables and fill ``out``.

    Returns
    -------
    (n,) bool
        The cells that were too close to call and were left to the scalar kernel.
    """
    cells = _Cells(centers, out)
    cells.hold(shape, load, scratch)
    if checks.platform:
        cells.clear_platform(shape, checks)
    cells.clear_cables(shape, checks)
    cells.condition(shape, checks)
    doubtful = np.flatnonzero(cells.doubtful)
    if len(doubtful):
        again = empty_results(len(doubtful))
        kernel.test_cells(shape, load, checks, centers[doubtful], scratch, again)
        for field, values in zip(out, again, strict=True):
            field[doubtful] = values
    return cells.doubtful


class _Cells:
    """Cells with what is known of them; ``active[:count]`` have passed and are not doubtful."""

    def __init__(self, centers: FloatArray, out: CellResults) -> None:
        self.centers = centers
        self.out = out
        self.active = np.arange(len(centers))
        self.count = len(centers)
        self.doubtful = np.zeros(len(centers), np.bool_)
        self.out.verdicts[:] = PASSED

    def _sweep(self, generated: Kernel, numbers: FloatArray, sifted: Sift) -> None:
        """Run a kernel over the active cells and keep those that ``sifted`` keeps."""
        io = np.empty(generated.rows * min(WINDOW, -(-self.count // LANES) * LANES), generated.real)
        numbers = numbers.astype(generated.real)
        kept = 0
        for start in range(0, self.count, WINDOW):
            stop = min(start + WINDOW, self.count)
            blocks = sift.gather(self.centers, self.active, start, stop, generated.rows, io)
            generated.run(io, numbers, blocks)
            kept = sifted(io, self.active, start, stop, kept)
        self.count = kept

    def hold(self, shape: Shape, load: Load, scratch: Scratch) -> None:
        """Keep the cells that hold the load at all orientations, and note the margins."""
        self.out.margins[:] = math.inf
        order = list(range(len(shape.rotations)))
        if self.count >= SAMPLED_FROM:
            sample = self.centers[:: self.count // SAMPLE][:SAMPLE]
            known = sample_margins(shape, load, sample)
            order = worst_first(known < 0.0)
            self._exclude(shape, load, sample, known[order[0]], order[0], scratch)
        numbers = {index: constants.wrench_constants(shape, load, shape.rotations[index]) for index in order}
        needed = self._sieve(numbers, _band(load))
        self._weigh(numbers, needed, load.tolerance)
        np.maximum(self.out.margins, 0.0, out=self.out.margins)

    def _sieve(self, numbers: dict[int, FloatArray], band: float) -> NDArray[np.bool_]:
        """Drop the cells that clearly fail at an orientation.

        Returns
        -------
        (o, n) bool
            Where a margin may be the least of a cell's or negative, for the n active cells: no margin
            is farther than ``band`` [N] from the one found, unless that cannot be trusted.
        """
        coarse = np.empty((len(numbers), len(self.centers)), np.float32)
        for index, values in numbers.items():

            def sifted(
                io: FloatArray, active: IntArray, start: int, stop: int, kept: int, index: int = index
            ) -> int:
                margins, verdicts = self.out.margins, self.out.verdicts
                return sift.sift_sieve(
                    io, active, start, stop, kept, band, margins, verdicts, coarse[index]
                )

            self._sweep(kernels().sieve, values, sifted)
        found = coarse[:, self.active[: self.count]]
        least = np.min(found, axis=0, initial=math.inf, where=found > -math.inf)
        return found <= least + np.float32(2.0 * band)

    def _weigh(self, numbers: dict[int, FloatArray], needed: NDArray[np.bool_], tolerance: float) -> None:
        """Note the least of the ``needed`` (o, n) margins of the n active cells; drop those that fail."""
        margins, verdicts = self.out.margins, self.out.verdicts

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift.sift_wrench(
                io, active, start, stop, kept, tolerance, margins, verdicts, self.doubtful
            )

        cells = self.active[: self.count].copy()
        for index, values in numbers.items():
            self._choose(cells[needed[index]])
            self._sweep(kernels().wrench, values, sifted)
        self._choose(cells)

    def _choose(self, cells: IntArray) -> None:
        """Make those of the cells active that have passed and are not doubtful."""
        self.active = cells[(self.out.verdicts[cells] == PASSED) & ~self.doubtful[cells]]
        self.count = len(self.active)

    def _exclude(
        self, shape: Shape, load: Load, sample: FloatArray, known: FloatArray, index: int, scratch: Scratch
    ) -> None:
        """Drop cells that fail at an orientation in a direction in which cells of the sample do."""
        failed = known < -load.tolerance
        if not failed.any():
            return
        rotation = shape.rotations[index]
        normals = choose_directions(shape, load, rotation, sample[failed], known[failed], scratch)
        if len(normals) == 0:
            return

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            margins, verdicts = self.out.margins, self.out.verdicts
            return sift.sift_exclusion(io, active, start, stop, kept, _band(load), margins, verdicts)

        self._sweep(kernels().exclusion, exclusion_constants(shape, load, rotation, normals), sifted)

    def clear_platform(self, shape: Shape, checks: Checks) -> None:
        """Keep the cells in which no cable cuts the platform."""

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift.sift_platform(io, active, start, stop, kept, self.out.verdicts, self.doubtful)

        for rotation in shape.rotations:
            self._sweep(kernels().platform, constants.platform_constants(shape, checks, rotation), sifted)

    def clear_cables(self, shape: Shape, checks: Checks) -> None:
        """Note the least distance of two cables, and keep the cells in which none touch."""
        distances = self.out.distances
        distances[self.active[: self.count]] = math.inf if len(checks.pairs) else checks.no_pair

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift.sift_collision(io, active, start, stop, kept, distances, self.doubtful)

        for rotation in shape.rotations if len(checks.pairs) else ():
            self._sweep(kernels().collision, constants.collision_constants(shape, checks, rotation), sifted)
        if checks.interference:
            self.count = sift.sift_distances(
                self.active, self.count, checks.distance, distances, self.out.verdicts, self.doubtful
            )

    def condition(self, shape: Shape, checks: Checks) -> None:
        """Note the condition numbers at the nominal orientation."""
        if checks.every_index:
            self.active = np.flatnonzero(~self.doubtful)
            self.count = len(self.active)

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            out = self.out
            return sift.sift_index(
                io, active, start, stop, kept, out.conditions_j, out.conditions_k, out.verdicts, self.doubtful
            )

        self._sweep(kernels().conditioning, constants.index_constants(shape, checks), sifted)


def _band(load: Load) -> float:
    """What margins [N] in single precision may be wrong by."""
    return SIEVE_BAND * load.tolerance / TOLERANCE


def sample_margins(shape: Shape, load: Load, sample: FloatArray) -> FloatArray:
    """Margins (o, n) N of poses at n positions (n, 3) m, or 0 where they are not certain."""
    generated, count = kernels().wrench, len(sample)
    io = np.empty(generated.rows * -(-count // LANES) * LANES)
    found = np.empty((len(shape.rotations), count))
    for index, rotation in enumerate(shape.rotations):
        blocks = sift.gather(sample, np.arange(count), 0, count, generated.rows, io)
        generated.run(io, constants.wrench_constants(shape, load, rotation), blocks)
        lanes = io.reshape(-1, generated.rows, LANES)
        found[index] = np.where(lanes[:, 4] > 0.0, lanes[:, 3], 0.0).ravel()[:count]
    return found


def worst_first(failed: NDArray[np.bool_]) -> list[int]:
    """Orientations in an order that excludes early: each the one that excludes most of what is left.

    ``failed`` (o, n) says which of n cells fail at each of o orientations.
    """
    waiting, order = list(range(len(failed))), list[int]()
    failed = failed.copy()
    while waiting:
        order.append(max(waiting, key=lambda index: (int(failed[index].sum()), index)))
        waiting.remove(order[-1])
        failed &= ~failed[order[-1]]
    return order
