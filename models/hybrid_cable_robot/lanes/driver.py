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

from models.hybrid_cable_robot.cells import kernel
from models.hybrid_cable_robot.cells.arrays import CellResults, Checks, Load, Shape, empty_results
from models.hybrid_cable_robot.cells.verdicts import PASSED
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.lanes import constants, sift
from models.hybrid_cable_robot.lanes.collision import NEARNESS_BAND
from models.hybrid_cable_robot.lanes.exclusion import choose_directions, exclusion_constants
from models.hybrid_cable_robot.lanes.loader import Kernel, kernels
from models.hybrid_cable_robot.lanes.wrench import SIEVE_BAND
from models.hybrid_cable_robot.lanes.writer import LANES
from models.hybrid_cable_robot.wrench.kernel_wrench import Scratch

WINDOW = 64 * LANES  # cells in the workspace at a time, so that it stays in the cache
FEW = 16 * LANES  # the same where all orientations of a cell are kept
SAMPLE = 2 * LANES  # cells that tell which orientation excludes most
WORTHWHILE = 0.5  # share of the sample that single precision must be sure of at an orientation
SAMPLED_FROM = 16 * SAMPLE  # fewer cells are not worth it

Numbers = dict[int, FloatArray]  # constants of a kernel at every orientation
Judged = Callable[[FloatArray, int, int, int], int]
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
    cells = _Cells(centers, len(shape.rotations), out)
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

    def __init__(self, centers: FloatArray, orientations: int, out: CellResults) -> None:
        self.centers = centers
        self.out = out
        self.active = np.arange(len(centers))
        self.count = len(centers)
        self.doubtful = np.zeros(len(centers), np.bool_)
        self.orientations = orientations
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
        order, light = list(range(len(shape.rotations))), constants.relative(load)
        sieved = set(order)
        if self.count >= SAMPLED_FROM:
            sample = self.centers[:: self.count // SAMPLE][:SAMPLE]
            known, trusted = sample_margins(shape, light, sample)
            order = worst_first(known < -SIEVE_BAND)
            sieved = set(np.flatnonzero(trusted.mean(axis=1) >= WORTHWHILE).tolist())
            self._exclude(shape, light, sample, known[order[0]], order[0], scratch)
        numbers = _wrench_numbers(shape, light, [index for index in order if index in sieved])
        known = {index: self._screen(numbers.pop(index)) for index in order[:1] if index in sieved}
        needed = self._sieve(kernels().sieve, numbers, SIEVE_BAND, known, drop=True)
        margins, verdicts = self.out.margins, self.out.verdicts

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift.sift_wrench(
                io, active, start, stop, kept, load.tolerance, margins, verdicts, self.doubtful
            )

        self._weigh(kernels().wrench, _wrench_numbers(shape, load, order), needed, sifted)
        np.maximum(margins, 0.0, out=margins)

    def _sweep_all(self, generated: Kernel, numbers: Numbers, judged: Judged) -> None:
        """Run a kernel at several orientations over the active cells and keep those that ``judged`` keeps.

        It is given the kernel's outputs (k, o, ``FEW``), a column for each cell.
        """
        io = np.empty(generated.rows * FEW, generated.real)
        found = np.zeros((generated.rows - 3, self.orientations, FEW), generated.real)
        typed = {index: values.astype(generated.real) for index, values in numbers.items()}
        kept = 0
        for start in range(0, self.count, FEW):
            stop = min(start + FEW, self.count)
            blocks = sift.gather(self.centers, self.active, start, stop, generated.rows, io)
            for index, values in typed.items():
                generated.run(io, values, blocks)
                sift.collect(io, generated.rows, stop - start, found[:, index])
            kept = judged(found, start, stop, kept)
        self.count = kept

    def _screen(self, numbers: FloatArray) -> FloatArray:
        """Drop the cells that surely fail at one orientation.

        Returns
        -------
        (2, n) float
            The margins of the others there, and how far each is to be trusted.
        """
        found = np.empty((2, len(self.centers)), kernels().sieve.real)

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            margins, verdicts = self.out.margins, self.out.verdicts
            return sift.sift_sieve(io, active, start, stop, kept, SIEVE_BAND, margins, verdicts, found)

        self._sweep(kernels().sieve, numbers, sifted)
        return found

    def _sieve(
        self, generated: Kernel, numbers: Numbers, band: float, known: Numbers, *, drop: bool
    ) -> NDArray[np.bool_]:
        """Find margins in single precision; ``drop`` cells that are negative for sure.

        Margins at the orientations ``known`` are there already, (2, n) of all cells; at orientations
        that are in neither table nothing can be trusted. The others are off by at most their trust
        times ``band``.

        Returns
        -------
        (o, n) bool
            Where the margin of one of the n active cells at an orientation may be the cell's least, or
            cannot be trusted.
        """
        needed = np.empty((self.orientations, self.count), np.bool_)

        def judged(found: FloatArray, start: int, stop: int, kept: int) -> int:
            for index, margins in known.items():
                sift.pick(margins, self.active, start, stop, found[:, index])
            return sift.judge_margins(
                found, self.active, start, stop, kept, band, drop, self.out.margins, self.out.verdicts, needed
            )

        self._sweep_all(generated, numbers, judged)
        return needed[:, : self.count]

    def _weigh(self, generated: Kernel, numbers: Numbers, needed: NDArray[np.bool_], sifted: Sift) -> None:
        """Do the ``needed`` (o, n) orientations of the n active cells; drop cells that fail."""
        cells = self.active[: self.count].copy()
        for index, values in numbers.items():
            self._choose(cells[needed[index]])
            self._sweep(generated, values, sifted)
        self._choose(cells)

    def _choose(self, cells: IntArray) -> None:
        """Make those of the cells active that have passed and are not doubtful."""
        self.active = cells[(self.out.verdicts[cells] == PASSED) & ~self.doubtful[cells]]
        self.count = len(self.active)

    def _exclude(
        self, shape: Shape, load: Load, sample: FloatArray, known: FloatArray, index: int, scratch: Scratch
    ) -> None:
        """Drop cells that fail at an orientation in a direction in which cells of the sample do."""
        failed = known < -SIEVE_BAND
        if not failed.any():
            return
        rotation = shape.rotations[index]
        normals = choose_directions(shape, load, rotation, sample[failed], known[failed], scratch)
        if len(normals) == 0:
            return

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            margins, verdicts = self.out.margins, self.out.verdicts
            return sift.sift_exclusion(io, active, start, stop, kept, SIEVE_BAND, margins, verdicts)

        self._sweep(kernels().exclusion, exclusion_constants(shape, load, rotation, normals), sifted)

    def clear_platform(self, shape: Shape, checks: Checks) -> None:
        """Keep the cells in which no cable cuts the platform."""
        numbers = dict(
            enumerate(constants.platform_constants(shape, checks, each) for each in shape.rotations)
        )

        def judged(found: FloatArray, start: int, stop: int, kept: int) -> int:
            return sift.judge_gaps(found, self.active, start, stop, kept, self.out.verdicts, self.doubtful)

        self._sweep_all(kernels().platform, numbers, judged)

    def clear_cables(self, shape: Shape, checks: Checks) -> None:
        """Note the least distance of two cables, and keep the cells in which none touch."""
        distances = self.out.distances
        distances[self.active[: self.count]] = math.inf if len(checks.pairs) else checks.no_pair

        def sifted(io: FloatArray, active: IntArray, start: int, stop: int, kept: int) -> int:
            return sift.sift_collision(io, active, start, stop, kept, distances, self.doubtful)

        if len(checks.pairs):
            places = (self.centers[self.active[: self.count]], *shape[:2])
            scale = max(float(np.abs(part).max(initial=0.0)) for part in places)
            numbers = dict(
                enumerate(constants.collision_constants(shape, checks, each) for each in shape.rotations)
            )
            needed = self._sieve(kernels().nearness, numbers, NEARNESS_BAND * scale, {}, drop=False)
            self._weigh(kernels().collision, numbers, needed, sifted)
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


def _wrench_numbers(shape: Shape, load: Load, order: list[int]) -> Numbers:
    return {index: constants.wrench_constants(shape, load, shape.rotations[index]) for index in order}


def sample_margins(shape: Shape, load: Load, sample: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Margins (o, n) in single precision at n positions (n, 3) m, 0 where they cannot be trusted.

    Also where they can, (o, n).
    """
    generated, count = kernels().sieve, len(sample)
    io = np.empty(generated.rows * -(-count // LANES) * LANES, generated.real)
    found = np.empty((2, len(shape.rotations), count))
    for index, rotation in enumerate(shape.rotations):
        blocks = sift.gather(sample, np.arange(count), 0, count, generated.rows, io)
        numbers = constants.wrench_constants(shape, load, rotation)
        generated.run(io, numbers.astype(generated.real), blocks)
        lanes = io.reshape(-1, generated.rows, LANES)
        found[:, index] = lanes[:, 3:].swapaxes(0, 1).reshape(2, -1)[:, :count]
    trusted = found[1] > 0.0
    return found[0] * trusted, trusted


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
