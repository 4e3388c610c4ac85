"""The largest boxes of cells that all work: what can be sold as the robot's working volume.

Exact over the cells. For every range of layers the cells that work in all of them are kept, and the
largest rectangle among these is found row by row from the lengths of the runs that end there
(the largest rectangle under a histogram, with a stack). A range is left when even all its cells,
over all layers that are left, would not make a larger box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.arrays import IntArray
from models.jit import entry, inner

Flags = NDArray[np.bool_]


def largest_boxes(feasible: Flags) -> IntArray:
    """All largest boxes, with faces along the grid, of true cells in (nx, ny, nz) bool.

    Returns
    -------
    (k, 6) int
        Of each the first cell and the one after the last, along x, along y and along z; k is 0 without
        a true cell. There are several where a robot is symmetric, or by chance on a coarse grid.
    """
    layers = np.ascontiguousarray(np.moveaxis(feasible, 2, 0))
    _, rows, columns = layers.shape
    both, work = np.empty((rows, columns), np.bool_), np.empty((3, columns + 1), np.int64)
    size = int(_largest_box(layers, both, work))
    if not size:
        return np.empty((0, 6), np.int64)
    count = int(_list_boxes(layers, both, work, size, np.empty((0, 6), np.int64)))
    found = np.empty((count, 6), np.int64)
    _list_boxes(layers, both, work, size, found)
    return found


@inner
def _common(both: Flags, layer: Flags) -> int:
    """Keep in ``both`` what is true in the layer too; how many cells that leaves."""
    count = 0
    for row in range(both.shape[0]):
        for column in range(both.shape[1]):
            both[row, column] &= layer[row, column]
            count += both[row, column]
    return count


@inner
def _under_histogram(heights: IntArray, starts: IntArray, levels: IntArray, columns: int) -> int:
    """Area of the largest rectangle under ``heights[:columns]``; ``heights[columns]`` must be 0."""
    best, depth = 0, 0
    for column in range(columns + 1):
        start = column
        while depth > 0 and levels[depth - 1] >= heights[column]:
            depth -= 1
            start = starts[depth]
            best = max(best, levels[depth] * (column - start))
        starts[depth], levels[depth] = start, heights[column]
        depth += 1
    return best


@inner
def _largest_rectangle(flags: Flags, work: IntArray, enough: int) -> int:
    """Area of the largest rectangle of true cells in (rows, columns), or less than ``enough``."""
    heights, columns, best = work[0], flags.shape[1], 0
    heights[:] = 0
    for row in range(flags.shape[0]):
        total = 0
        for column in range(columns):
            heights[column] = heights[column] + 1 if flags[row, column] else 0
            total += heights[column]
        if total > best and total >= enough:
            best = max(best, _under_histogram(heights, work[1], work[2], columns))
    return best


@entry
def _largest_box(layers: Flags, both: Flags, work: IntArray) -> int:
    """Cells in the largest box of true cells in layers (nz, rows, columns)."""
    best, height = 0, layers.shape[0]
    for first in range(height):
        both[:, :] = True
        for last in range(first, height):
            thickness, count = last - first + 1, _common(both, layers[last])
            if count * (height - first) <= best:
                break
            if count * thickness > best:
                best = max(best, thickness * _largest_rectangle(both, work, best // thickness + 1))
    return best


@inner
def _list_rectangles(
    flags: Flags, work: IntArray, area: int, first: int, last: int, found: IntArray, count: int
) -> int:
    """Note the rectangles of true cells of the largest ``area`` behind ``count`` others; how many there are.

    Each is a box of the layers ``first`` to ``last``; those for which ``found`` has no room are counted.
    """
    heights, starts, levels, columns = work[0], work[1], work[2], flags.shape[1]
    heights[:] = 0
    for row in range(flags.shape[0]):
        for column in range(columns):
            heights[column] = heights[column] + 1 if flags[row, column] else 0
        depth = 0
        for column in range(columns + 1):
            start = column
            while depth > 0 and levels[depth - 1] >= heights[column]:
                depth -= 1
                start = starts[depth]
                if levels[depth] * (column - start) == area:
                    if count < found.shape[0]:
                        found[count, 0], found[count, 1] = row + 1 - levels[depth], row + 1
                        found[count, 2], found[count, 3] = start, column
                        found[count, 4], found[count, 5] = first, last + 1
                    count += 1
            starts[depth], levels[depth] = start, heights[column]
            depth += 1
    return count


@entry
def _list_boxes(layers: Flags, both: Flags, work: IntArray, size: int, found: IntArray) -> int:
    """Note the boxes of ``size`` true cells, the largest there are; how many there are."""
    count, height = 0, layers.shape[0]
    for first in range(height):
        both[:, :] = True
        for last in range(first, height):
            thickness, cells = last - first + 1, _common(both, layers[last])
            if cells * (height - first) < size:
                break
            if size % thickness == 0 and cells * thickness >= size:
                count = _list_rectangles(both, work, size // thickness, first, last, found, count)
    return count


def box_rows(feasible: NDArray[np.bool_], boxes: IntArray) -> list[IntArray]:
    """Numbers of the feasible cells of (nx, ny, nz), with z fastest, that each box (6,) holds."""
    rank = (np.cumsum(feasible) - 1).reshape(feasible.shape)
    return [rank[a:b, c:d, e:f].ravel() for a, b, c, d, e, f in boxes.tolist()]
