"""Checks of several fields of the parameter record together, and of the work that they ask for.

Each check raises :func:`models.messages.excluded`, which names the fields at fault.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.contract import MOST_SECONDS
from models.hybrid_cable_robot.bodies import NO_CLOSED_FORM, ArmJoint, wrist_arm_lengths
from models.hybrid_cable_robot.freedoms import FREEDOMS, ON_LINE, POINTS, Freedoms
from models.hybrid_cable_robot.processor_time import (
    bound_seconds,
    cell_seconds,
    motion_seconds,
    proof_seconds,
    sag_seconds,
    surrounding_seconds,
    task_seconds,
    tension_seconds,
)
from models.messages import excluded

SMALLEST_EXTENT = 1e-6  # [m], keeps cell volumes away from underflow
SHORTEST_AXIS = 1e-9
ALIKE = ("f_min", "f_max", "cable_diameter")  # fields that the proofs know with one value for all cables
PROOFLESS = {
    "freedoms": "the pattern 2R3T", "obstacles": "obstacles", "floor": "a floor", "check_arm": "the arm",
    "pulley_radius": "wheels", "bounds": "blocks of positions",
}  # fmt: skip
"""Options for which no test of all orientations is known."""
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


def require_pattern(freedoms: Freedoms, attachments: Sequence[Place]) -> None:
    """There are enough cables for the pattern, and their attachments lie as it says."""
    cables, needed = len(attachments), FREEDOMS[freedoms]
    if cables < needed:
        fewer = ", ".join(name for name, count in FREEDOMS.items() if count <= cables)
        raise excluded(
            f"'freedoms' {freedoms} needs at least {needed} cables, but 'attachments' lists {cables}; with "
            f"{cables} a platform can have {fewer}",
            "freedoms",
            "attachments",
        )
    points = np.array(attachments)
    middle, size = points - points.mean(axis=0), float(np.abs(points).max()) or 1.0
    if freedoms in POINTS and float(np.abs(middle).max()) > ON_LINE * size:
        raise excluded(
            f"'freedoms' {freedoms} is a point mass: all 'attachments' must be one point, and they are up to "
            f"{float(np.linalg.norm(middle, axis=1).max()):.3g} m from their middle; choose 3R3T for a body, "
            "or 1R2T in a plane",
            "freedoms",
            "attachments",
        )
    if freedoms == "2R3T":
        values = np.linalg.svd(middle, compute_uv=False)
        if values[0] <= ON_LINE * size or values[1] > ON_LINE * size:
            raise excluded(
                "'freedoms' 2R3T is a bar: all 'attachments' must lie on one line, and not in one point",
                "freedoms",
                "attachments",
            )


def require_axes(given: object, cables: int) -> None:
    """Swivel axes have a length, and are one or as many as the cables."""
    if given is None:
        return
    axes = np.atleast_2d(np.array(given, dtype=float))
    if len(axes) not in (1, cables):
        raise excluded(
            f"'pulley_axis' lists {len(axes)} axes for {cables} cables; give one or {cables}", "pulley_axis"
        )
    short = np.flatnonzero(np.linalg.norm(axes, axis=1) < SHORTEST_AXIS)
    if short.size:
        raise excluded(
            f"'pulley_axis' {short[0] + 1} has no length; give a direction such as [0, 0, 1]", "pulley_axis"
        )


def require_plain_cables(freedoms: Freedoms, given: Mapping[str, Any]) -> None:
    """The proofs of ``bounds`` know six freedoms, and cables that are alike and run from points."""
    own = [name for name, value in given.items() if value and (np.ndim(value) or name not in ALIKE)]
    if freedoms != "3R3T":
        own.insert(0, "freedoms")
    if own:
        raise excluded(
            "'bounds' proves volumes of platforms with six freedoms on cables that run from points, with one "
            f"tension range and one diameter; turn it off, or leave {', '.join(map(repr, own))} unset",
            "bounds",
            *own,
        )


def require_proofs(proofless: Sequence[str]) -> None:
    """Every test of a cell has a proof over the orientations within the rotation limit."""
    if proofless:
        raise excluded(
            f"'orientations' certified has no proof for {proofless_words(proofless)}: choose grid27, or "
            "leave these out",
            "orientations",
            *proofless,
        )


def proofless_words(names: Sequence[str]) -> str:
    """Names of options without a proof for every orientation, with the fields that ask for them."""
    return ", ".join(f"{PROOFLESS[name]} ({name!r})" for name in names)


def require_speed(task_speed: float | None) -> None:
    """A limit of power needs a speed at which it counts."""
    if task_speed is None:
        raise excluded(
            "'max_winch_power' limits tensions at the speed 'task_speed', which is not set", "task_speed"
        )


def require_tension_limits(lower: FloatArray, upper: FloatArray, winch: object = None) -> None:
    """The least tension of each cable is less than the greatest, which limits of the ``winch`` may lower."""
    by_winch = "" if winch is None else ", with what 'max_winch_torque' and 'max_winch_power' allow"
    wrong = np.flatnonzero(~(lower < upper))
    if wrong.size:
        least, greatest = float(lower[wrong[0]]), float(upper[wrong[0]])
        which = "" if len(wrong) == len(lower) else f" of cable {wrong[0] + 1}"
        raise excluded(
            f"'f_min'{which} ({least:g} N) must be less than 'f_max' ({greatest:g} N{by_winch})",
            "f_min",
            "f_max",
        )


def require_lengths(
    least: float | tuple[float, ...] | None, greatest: float | tuple[float, ...] | None, cables: int
) -> None:
    """The least length of each cable is less than the greatest."""
    if least is None or greatest is None:
        return
    lower, upper = (np.broadcast_to(each, cables) for each in (least, greatest))
    wrong = np.flatnonzero(~(lower < upper))
    if wrong.size:
        raise excluded(
            f"'length_min' of cable {wrong[0] + 1} ({lower[wrong[0]]:g} m) must be less than its "
            f"'length_max' ({upper[wrong[0]]:g} m)",
            "length_min",
            "length_max",
        )


def require_full_rows(rows: Sequence[Sequence[float]], cables: int) -> None:
    """Each row of the winches' lengths has one value per cable."""
    for number, row in enumerate(rows, 1):
        if len(row) != cables:
            raise excluded(
                f"row {number} of 'winch_lengths' has {len(row)} lengths for {cables} cables; give {cables}",
                "winch_lengths",
            )


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


def require_ordered_limits(space: Corners, joint_limits: tuple[Sequence[float], Sequence[float]]) -> None:
    """Least values come before greatest ones: of the space and of the arm's joints."""
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
                f"'arm_joint_limits' must list the least values first, then the greatest; those of joint "
                f"{joint} are {least:g} and {greatest:g}",
                "arm_joint_limits",
            )


def require_values_of_joints(joints: int, given: Mapping[str, Sequence[Sequence[object]] | None]) -> None:
    """Each row of some fields has one value for each joint of the arm."""
    for name, rows in given.items():
        for number, row in enumerate(rows or (), 1):
            if len(row) != joints:
                what = "'joints' of 'trajectory'" if name == "trajectory" else f"'{name}'"
                which = f" in row {number}" if len(rows or ()) > 1 else ""
                raise excluded(
                    f"{what} lists {len(row)} value{'s' * (len(row) != 1)}{which}, but 'arm_joints' has "
                    f"{joints} joint{'s' * (joints != 1)}; give one value per joint",
                    name,
                    "arm_joints",
                )


def require_links(links: Sequence[int], joints: int) -> None:
    """Capsules lie around links that the arm has."""
    for number, link in enumerate(links, 1):
        if link > joints:
            raise excluded(
                f"capsule {number} of 'arm_capsules' lies around link {link}, but the arm has {joints} "
                f"joint{'s' * (joints != 1)}; give a link from 0, the arm's base, to {joints}",
                "arm_capsules",
                "arm_joints",
            )


def require_closed_form(joints: tuple[ArmJoint, ...]) -> None:
    """A tool is moved by an arm whose inverse kinematics has closed forms."""
    if wrist_arm_lengths(joints) is None:
        raise excluded(
            f"'tool_positions' of 'trajectory' cannot be followed: {NO_CLOSED_FORM}. Give 'joints' instead",
            "trajectory",
            "arm_joints",
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


def require_postures_of_an_arm(postures: str | Sequence[object] | None, *, has_links: bool) -> None:
    """There is an arm whose capsules can be tested, in postures that are listed."""
    if not has_links:
        raise excluded(
            "'check_arm' needs an arm, and the robot of these 'pulleys' has none: list its 'arm_links' or "
            "'arm_capsules', or leave 'check_arm' out",
            "check_arm",
        )
    if postures == "range":
        raise excluded(
            "'check_arm' tests single postures of the arm, not a range of them: list the 'arm_postures' that "
            "it takes",
            "arm_postures",
            "check_arm",
        )


def require_no_bounds(bounds: bool, obstacles: bool, arm: bool) -> None:
    """Bounds of the volume are proved without obstacles and without the arm."""
    if bounds and (obstacles or arm):
        name = "check_obstacles" if obstacles else "check_arm"
        raise excluded(
            f"'bounds' are proved for cables and platform alone, without what '{name}' tests: set one of the "
            "two to false",
            "bounds",
            name,
        )


class Work(NamedTuple):
    """Numbers that decide how long an evaluation takes.

    Attributes
    ----------
    cells : int
        Per axis.
    orientations, cables, freedoms, postures : int
    layers : int
        Cells along the third axis: one for a platform in a plane.
    plain : bool
        Whether the vector kernels may test the cells.
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
    corners : int
        Corners of the box of wrenches that are proved to be held at every orientation; 0 without proofs.
    bodies, arms : int
        Obstacles, with the floor, and postures of the arm that are tested.
    """

    cells: int
    orientations: int
    cables: int
    freedoms: int
    layers: int
    plain: bool
    postures: int
    smallest_block: float
    blocks: float
    samples: int
    rule: str
    stiffening: bool
    positions: float
    sagging: bool
    corners: int
    bodies: int
    arms: int


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
    count = float(cells) ** 2 * work.layers
    grid = f"{turns} orientations, {cables} cables and {postures} arm posture{'s' * (postures > 1)}"
    rule = f"{cables} cables and tension_rule '{work.rule}'"
    seconds = cell_seconds(count, turns, postures, cables, work.freedoms, plain=work.plain)
    yield seconds, f"'cells' ({cells} per axis) with {grid}", ("cells",)
    seconds = proof_seconds(count, postures * work.corners, cables)
    yield (
        seconds,
        f"'orientations' certified in 'cells' ({cells} per axis) with {grid}",
        ("orientations", "cells"),
    )
    seconds = bound_seconds(work.blocks, turns, postures, cables)
    yield seconds, f"'bounds_block' ({work.smallest_block:g} m) with {grid}", ("bounds_block",)
    seconds = motion_seconds(work.samples, work.rule, cables, work.freedoms)
    yield seconds, f"'trajectory_samples' ({work.samples}) with {rule}", ("trajectory_samples",)
    seconds = work.stiffening * tension_seconds(count, work.rule, cables, work.freedoms)
    part = f"'geometric_stiffness' in 'cells' ({cells} per axis) with {rule}"
    yield seconds, part, ("geometric_stiffness", "cells")
    seconds = work.sagging * sag_seconds(count, cables)
    part = f"'cable_density' in 'cells' ({cells} per axis) with {cables} cables"
    yield seconds, part, ("cable_density", "cells")
    seconds = surrounding_seconds(count * turns, work.bodies, work.arms)
    around = f"{work.bodies} obstacles and {work.arms} arm posture{'s' * (work.arms != 1)}"
    yield seconds, f"'cells' ({cells} per axis) with {turns} orientations, {around}", ("cells",)
    seconds = task_seconds(work.positions, turns, postures, work.rule, cables, work.freedoms)
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
