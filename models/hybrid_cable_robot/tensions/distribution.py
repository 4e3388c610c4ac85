"""Tension distribution: the public face of the tension rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from errors import InputError, UnknownNameError
from models.arrays import FloatArray, IntArray, finite_array
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, CableMotion, cable_motion
from models.hybrid_cable_robot.parameter_types import TENSION_RULES
from models.hybrid_cable_robot.robot import (
    Robot,
    load_scale,
    middle_wrench,
    tension_limits,
    wrench_centers,
)
from models.hybrid_cable_robot.stiffness import basis_at
from models.hybrid_cable_robot.tensions.rules import RULES, limit_relaxations, tension_spaces
from models.hybrid_cable_robot.trajectory import PlatformMotion

Verdict = Literal["held", "infeasible", "rule-failed"]
HELD, INFEASIBLE, RULE_FAILED = 0, 1, 2
_WORDS: tuple[Verdict, Verdict, Verdict] = ("held", "infeasible", "rule-failed")


@dataclass(frozen=True, slots=True)
class TensionDistribution:
    """The tensions that a rule chooses for one wrench.

    Attributes
    ----------
    tensions : (m,) float, N
        Within the limits when held; else they balance what of the wrench can be balanced, beyond
        the limits.
    verdict : {"held", "infeasible", "rule-failed"}
        ``infeasible``: no tensions within the limits balance the wrench. ``rule-failed``: some do,
        but this rule does not find them (``closed-form`` and ``paper`` may fail so).
    shortfall : float, N
        Zero when held. Infeasible: the least widening of both limits with which some tensions
        balance the wrench. Rule failed: by how much the rule's tensions exceed the limits.
    """

    tensions: FloatArray
    verdict: Verdict
    shortfall: float


def tension_distribution(
    wrench_matrix: FloatArray,
    wrench: FloatArray,
    f_min: float | Sequence[float] | FloatArray,
    f_max: float | Sequence[float] | FloatArray,
    rule: str = "minimum-norm",
) -> TensionDistribution:
    """Tensions t with ``W t = -w`` and ``f_min <= t_i <= f_max``.

    Parameters
    ----------
    wrench_matrix : (6, m) float
        W, as :func:`~models.hybrid_cable_robot.pose.evaluate_pose` returns it.
    wrench : (6,) float, N and N m
        External wrench w on the platform, force first.
    f_min, f_max : float or (m,) float, N
        With ``0 <= f_min < f_max``.
    rule : {"minimum-norm", "centroid", "closed-form", "paper"}

    Raises
    ------
    InputError
        When an argument has the wrong shape, is not finite, or names no rule.
    """
    W = finite_array(wrench_matrix, (6, None), "wrench_matrix", "one column per cable")
    w = finite_array(wrench, (6,), "wrench")
    low, high = _limits("f_min", f_min, W.shape[1]), _limits("f_max", f_max, W.shape[1])
    wrong = np.flatnonzero(~((low >= 0.0) & (low < high) & np.isfinite(high)))
    if wrong.size:
        given = f"{low[wrong[0]]:g} N and {high[wrong[0]]:g} N"
        raise InputError(f"expected 0 <= f_min < f_max, got {given}", ("f_min",))
    if rule not in RULES:
        raise UnknownNameError("tension rule", rule, RULES, ("rule",))
    return _one(*distribute(W[None], w[None], low, high, rule))


def pose_tensions(
    robot: Robot, wrench_matrix: FloatArray, wrench: FloatArray, rotation: FloatArray
) -> TensionDistribution:
    """The same for a pose of a robot, with its limits, its rule and the wrenches of its motion pattern."""
    W, w = _existing(robot, wrench_matrix[None], wrench[None], rotation[None])
    return _one(*distribute(W, w, *tension_limits(robot), TENSION_RULES[robot.tension_rule]))


def _one(tensions: FloatArray, verdicts: IntArray, shortfalls: FloatArray) -> TensionDistribution:
    return TensionDistribution(tensions[0], _WORDS[verdicts[0]], float(shortfalls[0]))


def _limits(name: str, given: float | Sequence[float] | FloatArray, cables: int) -> FloatArray:
    """Limits (m,) N from one value or one per cable."""
    values = np.asarray(given, dtype=float)
    if values.shape not in ((), (cables,)):
        raise InputError(f"expected one '{name}' or {cables}, got {values.size}", (name,))
    return np.array(np.broadcast_to(values, cables))


def _existing(
    robot: Robot, matrices: FloatArray, wrenches: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Matrices (n, r, m) and wrenches (n, r) with the rows of the motion pattern, at rotations (n, 3, 3)."""
    if robot.rank == len(robot.rows):
        return matrices, wrenches
    scale = load_scale(robot)
    bases = np.array([basis_at(robot, rotation) for rotation in rotations]) * scale
    return bases @ matrices, (bases @ wrenches[..., None])[..., 0]


def distribute_at(
    robot: Robot, matrices: FloatArray, wrenches: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, IntArray, FloatArray]:
    """As :func:`distribute`, for a robot's matrices (n, 6, m) and wrenches (n, 6) at rotations (n, 3, 3)."""
    W, w = _existing(robot, matrices, wrenches, rotations)
    return distribute(W, w, *tension_limits(robot), TENSION_RULES[robot.tension_rule])


def distribute(
    W: FloatArray, wrenches: FloatArray, f_min: FloatArray, f_max: FloatArray, rule: str
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Tensions (n, m) N, verdicts (n,) and shortfalls (n,) N for n wrenches at n poses.

    ``W`` is (n, r, m), ``wrenches`` (n, r), the limits (m,) N. Verdicts are ``HELD``,
    ``INFEASIBLE``, ``RULE_FAILED``.
    """
    tensions = np.empty((len(W), W.shape[2]))
    verdicts, shortfalls = np.zeros(len(W), dtype=np.int64), np.zeros(len(W))
    groups, missed = tension_spaces(W, wrenches, f_min, f_max)
    for rows, space in groups:
        chosen, held = RULES[rule](space)
        tensions[rows] = chosen
        lost = rows[~held]
        if not lost.size:
            continue
        short = space.narrowed(~held)
        _, holdable = RULES["minimum-norm"](short)
        verdicts[lost] = np.where(holdable, RULE_FAILED, INFEASIBLE)
        shortfalls[lost] = np.where(holdable, short.excess(chosen[~held]), limit_relaxations(short))
    shortfalls[missed > 0.0] += np.max(f_max) + missed[missed > 0.0]
    verdicts[missed > 0.0] = INFEASIBLE
    return tensions, verdicts, shortfalls


def stiffening_tensions(robot: Robot, positions: FloatArray, rotation: FloatArray) -> FloatArray:
    """Tensions (n, m) N that count for the stiffness at positions (n, 3) m and one rotation (3, 3).

    All zero when ``robot.geometric`` is off, and at poses where the tension rule finds no tensions
    within the limits: there K is its elastic part alone. With the rules ``minimum-norm`` and
    ``centroid`` no pose of the workspace is such, but with ``index_domain`` "cube" other cells are.
    """
    if not robot.geometric or not len(positions):
        return np.zeros((len(positions), len(robot.pulleys)))
    return held_tensions(robot, positions, rotation)[0]


def held_tensions(
    robot: Robot, positions: FloatArray, rotation: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Tensions (n, m) N by the tension rule for the centre of the wrench set, and where it finds some (n,).

    Zero where it finds none within the limits, at positions (n, 3) m and one rotation (3, 3).
    """
    tensions = np.zeros((len(positions), len(robot.pulleys)))
    found, held = _tensions_for(
        robot, _cables_at(robot, positions, rotation), middle_wrench(robot, rotation), rotation
    )
    tensions[held] = found[held]
    return tensions, held


def greatest_tension(robot: Robot, positions: FloatArray) -> float:
    """Greatest tension [N] by the tension rule at positions (n, 3) m; infinite where it finds none.

    Over the orientations of the set, the postures of the arm, and the corners of the box of wrenches: as
    long as the rule meets no limit, tensions are linear in the wrench, so that none between corners asks
    for more.
    """
    signs = np.array(
        list(itertools.product(*((-1.0, 1.0) if side else (0.0,) for side in robot.wrench_range)))
    )
    greatest = 0.0
    for rotation in robot.rotations:
        cables = _cables_at(robot, positions, rotation)
        for center in wrench_centers(robot, rotation):
            for wrench in center + signs * robot.wrench_range:
                tensions, held = _tensions_for(robot, cables, wrench, rotation)
                if not held.all():
                    return math.inf
                greatest = max(greatest, float(tensions.max()))
    return greatest


def _cables_at(robot: Robot, positions: FloatArray, rotation: FloatArray) -> CableMotion:
    still = np.zeros_like(positions)
    turns = np.broadcast_to(rotation, (len(positions), 3, 3))
    return cable_motion(robot, PlatformMotion(positions, turns, still, still, still, still))


def _tensions_for(
    robot: Robot, cables: CableMotion, wrench: FloatArray, rotation: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Tensions (n, m) N for one wrench (6,) N and N m at n poses, and where they are within the limits."""
    matrices = cables.wrench_matrices
    rotations = np.broadcast_to(rotation, (len(matrices), 3, 3))
    wrenches = np.broadcast_to(wrench, (len(matrices), 6))
    found, verdicts, _ = distribute_at(robot, matrices, wrenches, rotations)
    return found, (verdicts == HELD) & (cables.lengths >= SHORTEST_CABLE).all(axis=1)
