"""Compiled search for the rings about the robot's axis that its tip can reach."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.continuum_kinematics.inverse_kernels import aim, descend
from models.continuum_kinematics.residual_kernels import (
    POSITION,
    Scratch,
    Target,
    new_scratch,
    place_sections,
)
from models.continuum_kinematics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

BoolArray = NDArray[np.bool_]
TOLERANCE = 1e-5  # of the position, by the edge of a ring


@entry
def keep_nearest(
    states: FloatArray, tips: FloatArray, edge: float, kept: FloatArray, gaps: FloatArray
) -> None:
    """Keep for each ring the state whose tip is nearest to the middle of the ring's section.

    Parameters
    ----------
    states : (n, k, 3) float
    tips : (n, 3) float, m
    edge : float, m
        Height and width of a ring; the first one begins on the axis.
    kept : (c, 2 c, k, 3) float
        States by the number of the ring outwards and upwards; replaced where a tip is nearer.
    gaps : (c, 2 c) float
        Squared distances in edges; infinite where no tip was.
    """
    cells = len(gaps)
    for n in range(len(states)):
        out, up = math.hypot(tips[n, 0], tips[n, 1]) / edge, tips[n, 2] / edge + cells
        i, j = min(int(out), cells - 1), min(max(int(up), 0), 2 * cells - 1)
        gap = (out - i - 0.5) ** 2 + (up - j - 0.5) ** 2
        if gap < gaps[i, j]:
            gaps[i, j] = gap
            copy(states[n], kept[i, j])


class Rings(NamedTuple):
    """Rings of c widths outwards and 2 c heights upwards.

    Attributes
    ----------
    edge : float, m
    kept : (c, 2 c, k, 3) float
        A state in each ring that was met, or that of its middle where it is reached.
    held : (c, 2 c) bool
        Rings the middle of whose section is reached.
    queue : (2 c c, 2) int
        Rings that are reached, in the order in which they were found.
    """

    edge: float
    kept: FloatArray
    held: BoolArray
    queue: IntArray


class Search(NamedTuple):
    """Rings, and the room in which one after the other is tried.

    Attributes
    ----------
    robot : Robot
    rings : Rings
    target : Target
        Position of the ring that is tried.
    state : (k, 3) float
        Sections from which it is tried; changed by the try.
    scratch : Scratch
    """

    robot: Robot
    rings: Rings
    target: Target
    state: FloatArray
    scratch: Scratch


@entry
def reach_rings(robot: Robot, scale: float, rings: Rings, gaps: FloatArray) -> int:
    """Fill ``held`` with the rings the middle of whose section the tip can reach.

    Each ring is tried from its own state in ``kept``, then from the states of its neighbours that are
    reached, until no neighbour is left to try from. Those that are left at the rim are tried from an aimed
    start. Returns the number of tries; ``gaps`` is that of :func:`keep_nearest`.
    """
    cells, k = len(gaps), rings.kept.shape[2]
    target = Target(np.zeros((3, 3)), np.zeros(3), POSITION, scale)
    search = Search(robot, rings, target, np.empty((k, 3)), new_scratch(k))
    count, first, tried = 0, 0, 0
    for i in range(cells):
        for j in range(2 * cells):
            if gaps[i, j] < math.inf:
                copy(rings.kept[i, j], search.state)
                tried += 1
                count += _reach(search, i, j, count)
    while first < count:
        i, j = rings.queue[first]
        first += 1
        count, more = _from_neighbour(search, i, j, count)
        tried += more
        if first == count:
            count, more = _aimed(search, count)
            tried += more
    return tried


@inner
def _from_neighbour(search: Search, i: int, j: int, count: int) -> tuple[int, int]:
    """Try the neighbours of a ring from its state; returns how many rings are reached, and the tries."""
    tried, rings = 0, search.rings
    cells = len(rings.held)
    for m in range(max(i - 1, 0), min(i + 2, cells)):
        for n in range(max(j - 1, 0), min(j + 2, 2 * cells)):
            if not rings.held[m, n]:
                copy(rings.kept[i, j], search.state)
                tried += 1
                count += _reach(search, m, n, count)
    return count, tried


@inner
def _aimed(search: Search, count: int) -> tuple[int, int]:
    """Try the rings at the rim from aimed starts; returns how many rings are reached, and the tries."""
    tried, held = 0, search.rings.held
    cells = len(held)
    for i in range(cells):
        for j in range(2 * cells):
            if not held[i, j] and _beside(held, i, j):
                _set_middle(search.target, search.rings, i, j, 1.0, 0.0)
                aim(search.target, search.robot, search.state, search.scratch)
                tried += 1
                count += _reach(search, i, j, count)
    return count, tried


@inner
def _set_middle(target: Target, rings: Rings, i: int, j: int, cosine: float, sine: float) -> None:
    """Set the target to the middle of a ring's section on one side of the axis."""
    far = (i + 0.5) * rings.edge
    target.position[0], target.position[1] = far * cosine, far * sine
    target.position[2] = (j - len(rings.held) + 0.5) * rings.edge


@inner
def _reach(search: Search, i: int, j: int, count: int) -> int:
    """Improve the state until its tip is in the middle of a ring's section, on its own side of the axis.

    Where it gets there, the ring is reached and becomes number ``count`` of the queue; returns 1, else 0.
    """
    state, scratch, rings = search.state, search.scratch, search.rings
    place_sections(state, scratch.R, scratch.p)
    x, y = scratch.p[-1, 0], scratch.p[-1, 1]
    far = math.hypot(x, y)
    cosine, sine = (x / far, y / far) if far > 0.0 else (1.0, 0.0)
    _set_middle(search.target, rings, i, j, cosine, sine)
    tolerance = TOLERANCE * rings.edge
    if descend(search.target, search.robot, tolerance, state, scratch) >= tolerance * tolerance:
        return 0
    copy(state, rings.kept[i, j])
    rings.held[i, j] = True
    rings.queue[count, 0], rings.queue[count, 1] = i, j
    return 1


@inner
def _beside(held: BoolArray, i: int, j: int) -> bool:
    """True when a neighbour of the ring is reached."""
    for m in range(max(i - 1, 0), min(i + 2, held.shape[0])):
        for n in range(max(j - 1, 0), min(j + 2, held.shape[1])):
            if held[m, n]:
                return True
    return False
