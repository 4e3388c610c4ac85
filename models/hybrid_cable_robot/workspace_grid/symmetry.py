"""Symmetries of a design about the vertical axis, found by testing, and what they save.

A quarter turn or a mirror plane that takes the robot, its loads and conditions and the grid to
themselves takes every cell to one with the same results. Then one column of cells in four or eight
needs to be tested. Nothing is assumed of a preset: the arrays are compared.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.workspace_grid.grid import Grid

SAME = 1e-13  # share of the greatest entry; closer to the limits than this, cells are tested one by one
NEAR = 1e-7  # share of a cell; neighbours are a whole cell apart
_IDENTITY = np.eye(3)

Turn = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of cells along z, gathered in orbits.

    Attributes
    ----------
    images : (g, n * n) int
        Where each element of the group takes each column; columns count with y fastest.
    chosen : (k,) int
        One column of each orbit.
    orbit : (n * n,) int
        Number of the orbit of every column.
    """

    images: IntArray
    chosen: IntArray
    orbit: IntArray


def symmetries(robot: Robot, grid: Grid) -> list[FloatArray]:
    """The matrices (3, 3) among the eight of the square that leave robot and grid as they are; a group."""
    return subgroup([T for T in _square_group() if keeps_robot(T, robot) and _keeps_grid(T, grid)])


def subgroup(found: list[FloatArray]) -> list[FloatArray]:
    """A group among the matrices found, as large as adding one after the other makes it.

    Each matrix is found to a tolerance, so that the product of two need not be among them.
    """
    known = {_turn_of(T): T for T in found}
    group = {_turn_of(np.eye(3))}
    for turn in known:
        wider = _generated({*group, turn})
        if wider <= known.keys():
            group = wider
    return [T for turn, T in known.items() if turn in group] or [np.eye(3)]


def _turn_of(T: FloatArray) -> Turn:
    """The matrix's part in the plane, by rows."""
    (a, b), (c, d) = np.rint(T[:2, :2]).astype(int).tolist()
    return a, b, c, d


def _generated(turns: set[Turn]) -> set[Turn]:
    """The matrices and all their products."""
    products = {
        (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
        for (a, b, c, d), (e, f, g, h) in itertools.product(turns, repeat=2)
    }
    return turns if products <= turns else _generated(turns | products)


def _square_group() -> list[FloatArray]:
    matrices: list[FloatArray] = []
    for swap, x, y in itertools.product((False, True), (1.0, -1.0), (1.0, -1.0)):
        T = np.diag([x, y, 1.0])
        matrices.append(T[[1, 0, 2]] if swap else T)
    return matrices


def keeps_robot(T: FloatArray, robot: Robot) -> bool:
    """True if the orthogonal T (3, 3) takes the robot, its loads and its orientations to themselves.

    An orientation R becomes ``T R T.T``. A weight at the point c of the platform is then one at ``T c``.
    """
    if np.array_equal(T, _IDENTITY):
        return True
    cables = np.column_stack([robot.pulleys, robot.attachments])
    moved = np.column_stack([robot.pulleys @ T.T, robot.attachments @ T.T])
    if robot.wheels.any():
        cables = np.column_stack([cables, robot.swivels, robot.wheels])
        moved = np.column_stack([moved, robot.swivels @ T.T, robot.wheels])
    match = _matching(moved, cables)
    if match is None:  # a robot with tolerances ends here: a fifth of its evaluation was spent below
        return False
    size = np.abs(T)
    half_range = robot.wrench_range
    turned = T @ robot.rotations @ T.T
    return (
        keeps_wrench(T, robot.wrench_center)
        and _same(size @ half_range[:3], half_range[:3])
        and _same(size @ half_range[3:], half_range[3:])
        and _same(size @ robot.half_size, robot.half_size)
        and _same(robot.stiffness[match], robot.stiffness)
        and _matching(robot.first_moments @ T.T, robot.first_moments) is not None
        and _matching(turned.reshape(-1, 9), robot.rotations.reshape(-1, 9)) is not None
    )


def keeps_wrench(T: FloatArray, wrench: FloatArray) -> bool:
    """True if the orthogonal T (3, 3) takes a wrench (6,) to itself; a reflection turns torques round."""
    hand = float(round(np.linalg.det(T)))
    return _same(T @ wrench[:3], wrench[:3]) and _same(hand * T @ wrench[3:], wrench[3:])


def _same(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.max(np.abs(one - other)) <= SAME * np.max(np.abs(other)))


def _matching(moved: FloatArray, rows: FloatArray) -> IntArray | None:
    """For each row of ``moved`` (k, c) another row of ``rows`` (k, c) that equals it, or None.

    Of several equal rows the first that is free is taken.
    """
    equal = np.max(np.abs(moved[:, None] - rows[None]), axis=2) <= SAME * np.max(np.abs(rows))
    match = np.zeros(len(rows), np.int64)
    for row, candidates in enumerate(equal):
        if not candidates.any():
            return None
        match[row] = int(np.argmax(candidates))
        equal[:, match[row]] = False
    return match


def _steps(T: FloatArray, grid: Grid) -> list[tuple[int, FloatArray]]:
    """Images of the columns under T, which takes axes to axes: indices along x and y, not rounded.

    Of each, the axis on whose index it depends, and its values (n,) there.
    """
    found: list[tuple[int, FloatArray]] = []
    for axis in range(2):
        source = int(np.argmax(np.abs(T[axis, :2])))
        image = T[axis, source] * grid.axes[source] - grid.axes[axis][0]
        found.append((source, image / grid.cell_size[axis]))
    return found


def _keeps_grid(T: FloatArray, grid: Grid) -> bool:
    return all(
        np.max(np.abs(image - np.rint(image))) <= NEAR
        and np.rint(image).min() >= 0
        and np.rint(image).max() < len(grid.axes[axis])
        for axis, (_, image) in enumerate(_steps(T, grid))
    )


def columns_of(group: list[FloatArray], grid: Grid) -> Columns:
    """The orbits of the columns under a group of matrices (3, 3), see :func:`subgroup`."""
    counts = len(grid.axes[0]), len(grid.axes[1])
    images = np.zeros((len(group), *counts), np.int64)
    for number, T in enumerate(group):
        for (source, image), stride in zip(_steps(T, grid), (counts[1], 1), strict=True):
            part = stride * np.rint(image).astype(np.int64)
            images[number] += part[:, None] if source == 0 else part
    images = images.reshape(len(group), -1)
    first = images.min(axis=0)
    chosen = np.flatnonzero(first == np.arange(len(first)))
    number_of = np.zeros(len(first), np.int64)
    number_of[chosen] = np.arange(len(chosen))
    return Columns(images, chosen, number_of[first])
