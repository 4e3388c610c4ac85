"""Checks of several fields of the parameter record together, and of the work that they ask for.

Each check raises :func:`models.messages.excluded`, which names the fields at fault.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.contract import MOST_SECONDS
from models.hybrid_cable_robot.processor_time import (
    bound_seconds,
    cell_seconds,
    motion_seconds,
    sag_seconds,
    task_seconds,
    tension_seconds,
)
from models.messages import excluded

SMALLEST_EXTENT = 1e-6  # [m], keeps cell volumes away from underflow
FINEST_BLOCK = 512  # smallest blocks along the space's longest side

Place = tuple[float, float, float]
Corners = tuple[Place, Place]


def require_one_pulley_per_cable(arrangement: str, given: Sequence[Place] | None, cables: int) -> None:
    """The pulleys, eight of an arrangement if they are not ``given``, are as many as the cables."""
    pulleys = 8 if given is None else len(given)
    if pulleys != cables:
        origin = f"the {arrangement} arrangement has" if given is None else "'pulleys' lists"
        raise excluded(
            f"{origin} {pulleys} pulleys but 'attachments' lists {cables}; give one of each per cable",
            *([] if given is None else ["pulleys"]),
            "attachments",
        )


def require_one_value_per_cable(
    name: str, given: float | tuple[float, ...] | None, cables: int, instead: object = None
) -> None:
    """A list of values is as long as that of the cables, unless another field is used ``instead``."""
    if instead is None and isinstance(given, tuple) and len(given) != cables:
        raise excluded(f"'{name}' lists {len(given)} values for {cables} cables; give one or {cables}", name)


def require_permutation(order: Sequence[int] | None, cables: int) -> None:
    """``cable_order`` names the pulley of each cable, every pulley once."""
    if order is None:
        return
    counts = {number: order.count(number) for number in range(1, max(order, default=0) + 1)}
    faults = {
        "missing": [number for number in range(1, cables + 1) if not counts.get(number)],
        "more than once": [number for number, count in counts.items() if count > 1],
        "no such pulley": [number for number in counts if counts[number] and number > cables],
    }
    text = "; ".join(f"{fault}: {', '.join(map(str, which))}" for fault, which in faults.items() if which)
    if text:
        raise excluded(f"'cable_order' must name each pulley from 1 to {cables} once; {text}", "cable_order")


def require_ordered_limits(
    f_min: float, f_max: float, space: Corners, joint_limits: tuple[Sequence[float], Sequence[float]]
) -> None:
    """Least values come before greatest ones: of tensions, of the space and of the arm's joints."""
    if not f_min < f_max:
        raise excluded(f"'f_min' ({f_min:g} N) must be less than 'f_max' ({f_max:g} N)", "f_min", "f_max")
    for axis, lower, upper in zip("xyz", *space, strict=True):
        if not upper - lower >= SMALLEST_EXTENT:
            raise excluded(
                f"'space' must reach from a lower to an upper corner; along {axis} it goes from "
                f"{lower:g} m to {upper:g} m",
                "space",
            )
    for joint, (least, greatest) in enumerate(zip(*joint_limits, strict=True), 1):
        if not least <= greatest:
            raise excluded(
                f"'arm_joint_limits' must list the least angles first, then the greatest; those of joint "
                f"{joint} are {math.degrees(least):g} deg and {math.degrees(greatest):g} deg",
                "arm_joint_limits",
            )


def require_task_in_space(box: Corners | None, path: Sequence[Place] | None, space: Corners) -> None:
    """The task's box has a lower and an upper corner, and box and path lie in the space."""
    for axis, lower, upper in zip("xyz", *(box or ((), ())), strict=False):
        if not lower <= upper:
            raise excluded(
                f"'task_box' must reach from a lower to an upper corner; along {axis} it goes from "
                f"{lower:g} m to {upper:g} m",
                "task_box",
            )
    for name, points in (("task_box", box), ("task_path", path)):
        for point in points or ():
            for axis, value, lower, upper in zip("xyz", point, *space, strict=True):
                if not lower <= value <= upper:
                    raise excluded(
                        f"'{name}' must lie within 'space', which reaches from {lower:g} m to {upper:g} "
                        f"m along {axis}; it has {axis} = {value:g} m",
                        name,
                        "space",
                    )


def require_block_size(smallest: float, longest_side: float) -> None:
    """The smallest block [m] is no smaller than a share of the space's longest side [m]."""
    least = longest_side / FINEST_BLOCK
    if smallest < least:
        raise excluded(
            f"'bounds_block' ({smallest:g} m) must be at least {least:g} m, "
            f"1/{FINEST_BLOCK} of the space's longest side",
            "bounds_block",
        )


class Work(NamedTuple):
    """Numbers that decide how long an evaluation takes.

    Attributes
    ----------
    cells : int
        Per axis.
    orientations, cables, postures : int
    smallest_block : float, m
    blocks : float
        The smallest ones along the space's longest side; 0 without bounds.
    samples : int
        Instants of the trajectory.
    rule : str
        The tension rule.
    stiffening : bool
        Whether tensions count for the stiffness.
    positions : float
        Of the task.
    sagging : bool
        Whether the sag of cables is computed.
    """

    cells: int
    orientations: int
    cables: int
    postures: int
    smallest_block: float
    blocks: float
    samples: int
    rule: str
    stiffening: bool
    positions: float
    sagging: bool


def require_affordable(work: Work) -> None:
    """No part of an evaluation takes more than ``MOST_SECONDS`` of processor time."""
    for seconds, part, names in _parts(work):
        if seconds > MOST_SECONDS:
            raise excluded(
                f"{part} would take about {seconds / 60:.3g} min of processor time for a design; at "
                f"most {MOST_SECONDS / 60:g} min are allowed: choose fewer or coarser ones",
                *names,
            )


def _parts(work: Work) -> Iterator[tuple[float, str, tuple[str, ...]]]:
    """Processor time [s] of each part of an evaluation, its name, and the fields that decide it."""
    cells, turns, cables, postures = work.cells, work.orientations, work.cables, work.postures
    grid = f"{turns} orientations, {cables} cables and {postures} arm posture{'s' * (postures > 1)}"
    rule = f"{cables} cables and tension_rule '{work.rule}'"
    seconds = cell_seconds(cells, turns, postures, cables)
    yield seconds, f"'cells' ({cells} per axis) with {grid}", ("cells",)
    seconds = bound_seconds(work.blocks, turns, postures, cables)
    yield seconds, f"'bounds_block' ({work.smallest_block:g} m) with {grid}", ("bounds_block",)
    seconds = motion_seconds(work.samples, work.rule, cables)
    yield seconds, f"'trajectory_samples' ({work.samples}) with {rule}", ("trajectory_samples",)
    seconds = work.stiffening * tension_seconds(float(cells) ** 3, work.rule, cables)
    part = f"'geometric_stiffness' in 'cells' ({cells} per axis) with {rule}"
    yield seconds, part, ("geometric_stiffness", "cells")
    seconds = work.sagging * sag_seconds(float(cells) ** 3, cables)
    part = f"'cable_density' in 'cells' ({cells} per axis) with {cables} cables"
    yield seconds, part, ("cable_density", "cells")
    seconds = task_seconds(work.positions, turns, postures, work.rule, cables)
    yield seconds, f"the task ({work.positions:.3g} positions at 'cells' {cells}) with {grid}", ("cells",)


def task_count(space: Corners, cells: int, box: Corners | None, path: Sequence[Place] | None) -> float:
    """Approximate number of positions of the task, no farther apart than the cells."""
    sides = [(upper - lower) / cells for lower, upper in zip(*space, strict=True)]
    count = 0.0
    if box is not None:
        lengths = [upper - lower for lower, upper in zip(*box, strict=True)]
        count += math.prod(length / side + 1.0 for length, side in zip(lengths, sides, strict=True))
    for start, end in itertools.pairwise(path or ()):
        count += 1.0 + max(abs(b - a) / side for a, b, side in zip(start, end, sides, strict=True))
    return count


def posture_count(weight_moment: str, wrench_set: object, postures: str | Sequence[object] | None) -> int:
    """Postures of the arm whose wrenches a cell must hold; a range or a path by its box's corners."""
    if weight_moment == "included" and wrench_set == "trajectory":
        return 8
    if weight_moment == "ignored" or wrench_set not in ("gravity", "box") or postures is None:
        return 1
    return 8 if postures == "range" else len(postures)
