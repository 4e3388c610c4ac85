"""Equilibrium at given tensions, on a branch that is named, with what decides its stability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.continuum_statics.balance.kernel_follow import REACHED, Ramp, follow_ramp
from models.continuum_statics.balance.kernel_newton import NEUTRAL, judge, settle
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, robot, whole_tensions
from models.floats import FloatArray

STEPS = 16  # loads on the way to the given ones, at least; more are put between where needed
NARROW = 1e-3  # clearance below which disks are said to touch
GIVEN = "from the given start"
STRAIGHT = "from the straight robot"


class Equilibrium(NamedTuple):
    """A state of the robot, and what is known of it.

    Attributes
    ----------
    q : (n, 3) float, rad
        alpha, beta, gamma of each arc. When there is no equilibrium, the last state that was found, and
        all below is told of it under the loads that it holds.
    tip : (3,) float, m
    energy : float, J
    lambda_min : float, N m
        Smallest eigenvalue of the Hessian, in planar mode of its block for bending about x.
    mu_min : float
        The same in units of the rod's own stiffness; it does not depend on the number of arcs.
    residual : float, rad
        Largest moment that is not balanced, over the rod's own stiffness.
    exists : bool
        Whether ``q`` is an equilibrium under the given loads.
    stable : bool
        Whether it exists and every eigenvalue is positive, by more than rounding.
    reached : float
        Share of the tensions at which the branch ends, 1 when it exists under all of them.
    branch : str
        From where the state was followed.
    reason : str
        Why there is no equilibrium, or why it is not stable; empty for a stable state.
    """

    q: FloatArray
    tip: FloatArray
    energy: float
    lambda_min: float
    mu_min: float
    residual: float
    exists: bool
    stable: bool
    reached: float
    branch: str
    reason: str


def equilibrium(
    parameters: ContinuumStatics, tensions: FloatArray, start: FloatArray | None = None
) -> Equilibrium:
    """The equilibrium under tensions, with its eigenvalues.

    Parameters
    ----------
    tensions : (m,) float, N
        Of the cables; the pretension acts besides.
    start : (n, 3) float, rad, optional
        A state from which the energy is descended. Without it the branch of the straight robot is
        followed, also where it is not stable: first gravity and pretension rise together, then the
        tensions together.

    Returns
    -------
    Equilibrium
        ``exists`` is false, and ``reason`` says why, when the branch ends before the given loads.
    """
    body, whole = robot(parameters), whole_tensions(parameters, tensions)
    if start is not None:
        found, q, _ = settle(body, whole, np.ascontiguousarray(start, dtype=float))
        return _judged(body, whole, q, 1.0 if found else 0.0, GIVEN)
    state = rest(parameters)
    if not state.exists:
        return state
    before = np.full(len(whole), parameters.pretension)
    q, share, reached = _follow(body, Ramp(before, whole - before, 1.0, 0.0), state.q)
    there = before + share * (whole - before)
    return _judged(body, there, q, reached, STRAIGHT)


def rest(parameters: ContinuumStatics) -> Equilibrium:
    """The robot's state under gravity and pretension alone, on the branch of the straight robot.

    Gravity and pretension rise together; ``reached`` is the share of the tensions that were to follow, so
    1 when the state exists and 0 when its branch ends before.
    """
    body = robot(parameters)
    pull = np.full(parameters.cables, parameters.pretension)
    straight = np.zeros((len(body.masses), 3))
    q, share, reached = _follow(body, Ramp(np.zeros(len(pull)), pull, 0.0, 1.0), straight)
    lighter = body._replace(gravity=share * body.gravity)
    return _judged(lighter, share * pull, q, float(reached == 1.0), STRAIGHT)


def _follow(body: Robot, ramp: Ramp, start: FloatArray) -> tuple[FloatArray, float, float]:
    """The last state found on a ramp from 0 to 1, where that is, and where the branch ends."""
    loads = np.linspace(0.0, 1.0, STEPS + 1)
    found = follow_ramp(body, ramp, loads, start, stable_only=False)
    ended = 1.0 if found.reason == REACHED else float(found.last) if found.reached > 0 else 0.0
    return found.end, float(found.end_load), ended


def _judged(body: Robot, whole: FloatArray, q: FloatArray, reached: float, branch: str) -> Equilibrium:
    """What is known of a state under loads that hold it, or held it last before its branch ended."""
    found = judge(body, whole, q)
    exists = reached == 1.0
    stable = exists and found.lambda_min > 0.0 and found.mu_min > NEUTRAL
    reason = "" if stable else _reason(exists, found.clearance, reached, found.mu_min, branch)
    return Equilibrium(
        q, np.array(found.tip), found.energy, found.lambda_min, found.mu_min, found.residual,
        exists, stable, reached, branch, reason,
    )  # fmt: skip


def _reason(exists: bool, clearance: float, reached: float, mu_min: float, branch: str) -> str:
    if exists:
        return f"the equilibrium is not stable: mu_min is {mu_min:.3g}"
    if branch == GIVEN and clearance <= 0.0:
        return "disks cut each other in the given start, or an arc bends by more than half a turn"
    if branch == GIVEN:
        return "no equilibrium was found by descending from the given start"
    if clearance < NARROW:
        return "disks would cut each other before the loads are reached"
    if reached == 0.0:
        return "the branch of the straight robot ends at a fold before gravity and pretension act in full"
    return f"the branch of the straight robot ends at a fold at {100 * reached:.4g} % of the tensions"
