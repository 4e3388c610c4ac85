"""Equilibrium at given tensions: its branch, its stability, and how far a robot is from a stable one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation_kernels import LOST, REACHED, Ramp, follow_ramp
from models.continuum_statics.equilibrium_kernels import NEUTRAL, Judgement, judge, settle
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, checked_state, checked_tensions, robot_of
from models.contract import LEAST_VIOLATION, Infeasible

STEPS = 16  # loads on the way to the given ones, at least; more are put between where needed
NARROW = 1e-3  # clearance below which disks are said to meet at a hole
BALANCED = 1e-5  # [rad]; residual up to which moments are said to be balanced
GIVEN = "from the given start"
STRAIGHT = "from the straight robot"


class Equilibrium(NamedTuple):
    """A state of the robot, and what is known of it.

    Attributes
    ----------
    q : (n, 3) float, rad
        alpha, beta, gamma of each arc. When there is no equilibrium, the last state that was found, and
        all below holds under the loads that it holds.
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
        Share of the tensions at which the branch ends: 1 when it exists under all of them, 0 when it ends
        before they act.
    borne : float
        Share of gravity and pretension, rising together from the straight robot, at which its branch ends:
        1 when they act in full. From a given start they always do.
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
    load_fraction: float
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

    Raises
    ------
    InputError
        When a shape is wrong, a number is not finite or a cable would push.
    """
    body, whole = robot_of(parameters), checked_tensions(parameters, tensions)
    if start is not None:
        found, q, _ = settle(body, whole, checked_state(parameters, start))
        return _judged(body, whole, q, Shares(float(found), 1.0), GIVEN)
    state = rest(parameters)
    if not state.exists:
        return state
    before = np.full(len(whole), parameters.pretension)
    q, share, reached = _follow(body, Ramp(before, whole - before, 1.0, 0.0), state.q)
    there = before + share * (whole - before)
    return _judged(body, there, q, Shares(reached, 1.0), STRAIGHT)


def rest(parameters: ContinuumStatics) -> Equilibrium:
    """The robot's state under gravity and pretension alone, on the branch of the straight robot.

    Gravity and pretension rise together; ``load_fraction`` is the share of them at which the branch ends. No
    tensions follow: ``reached`` is 1 when the state exists and 0 when its branch ends before.
    """
    body = robot_of(parameters)
    pull = np.full(parameters.cables, parameters.pretension)
    straight = np.zeros((len(body.masses), 3))
    q, share, load_fraction = _follow(body, rest_ramp(pull), straight)
    lighter = body._replace(gravity=share * body.gravity)
    return _judged(lighter, share * pull, q, Shares(float(load_fraction == 1.0), load_fraction), STRAIGHT)


def rest_ramp(pretension: FloatArray) -> Ramp:
    """Gravity and pretension (m,) [N] that rise together from nothing."""
    return Ramp(np.zeros_like(pretension), pretension, 0.0, 1.0)


def _follow(body: Robot, ramp: Ramp, start: FloatArray) -> tuple[FloatArray, float, float]:
    """The last state found on a ramp from 0 to 1, where that is, and where the branch ends."""
    loads = np.linspace(0.0, 1.0, STEPS + 1)
    found = follow_ramp(body, ramp, loads, start, stable_only=False)
    ended = 1.0 if found.reason == REACHED else float(found.last) if found.reached > 0 else 0.0
    return found.end, float(found.end_load), ended


def judged_at(parameters: ContinuumStatics, tensions: FloatArray, q: FloatArray, branch: str) -> Equilibrium:
    """Judge an equilibrium ``q`` (n, 3) [rad] under whole tensions (m,) [N]."""
    return _judged(robot_of(parameters), tensions, q, Shares(1.0, 1.0), branch)


class Shares(NamedTuple):
    """Shares of the tensions, and of gravity and pretension before them, at which a branch ends."""

    reached: float
    load_fraction: float


def _judged(body: Robot, whole: FloatArray, q: FloatArray, shares: Shares, branch: str) -> Equilibrium:
    """Judge a state under loads that hold it, or held it last before its branch ended."""
    found = judge(body, whole, q)
    exists = shares.reached == 1.0 and found.residual <= BALANCED
    stable = exists and found.lambda_min > 0.0 and found.mu_min > NEUTRAL
    reason = "" if stable else _reason(exists, found, shares, branch)
    return Equilibrium(
        q, np.array(found.tip), found.energy, found.lambda_min, found.mu_min, found.residual,
        exists, stable, shares.reached, shares.load_fraction, branch, reason,
    )  # fmt: skip


def _reason(exists: bool, found: Judgement, shares: Shares, branch: str) -> str:
    if exists:
        return f"the equilibrium is not stable: mu_min is {found.mu_min:.3g}"
    if shares.reached == 1.0:
        return (
            f"the search ended without an equilibrium: moments of {found.residual:.3g} times the rod's own "
            "stiffness remain"
        )
    return _end(found.clearance, shares, branch)


def _end(clearance: float, shares: Shares, branch: str) -> str:
    """Reason why the following or the descent ended."""
    if branch == GIVEN and clearance <= 0.0:
        return (
            "the given start is not possible: neighbouring disks cut each other at a cable's hole, or an arc "
            "bends by more than half a turn"
        )
    if branch == GIVEN:
        return "the search from the given start found no equilibrium"
    if clearance < NARROW:
        return (
            "before the full loads are reached, neighbouring disks would cut each other at a cable's hole, "
            "or an arc would bend by more than half a turn"
        )
    if shares.load_fraction < 1.0:
        share = f"{100 * shares.load_fraction:.4g} %"
        return f"the branch of the straight robot ends at a fold at {share} of gravity and pretension"
    return f"the branch of the straight robot ends at a fold at {100 * shares.reached:.4g} % of the tensions"


STABILITY_LOADS = (
    128  # loads at which stability is looked at; a loss that heals between two of them is passed over
)
PRECISE = 1e-9  # share of the loads to which the loss of stability is found


def stable_rest(parameters: ContinuumStatics) -> Equilibrium | Infeasible:
    """The robot without tensions but the pretension, or why it is not in stable equilibrium.

    Gravity and pretension rise together; the violation is 1 and the share of them beyond the first loss
    of stability, whether the branch goes on from there or ends: 1 to 2.
    """
    state = rest(parameters)
    if state.stable:
        return state
    body, pull = robot_of(parameters), np.full(parameters.cables, parameters.pretension)
    load_fraction = _stable_share(body, rest_ramp(pull), np.zeros_like(state.q))
    reason = (
        f"without tensions {state.reason}; stable up to {100 * load_fraction:.4g} % of gravity and pretension"
    )
    return Infeasible(reason, 1.0 + _beyond(load_fraction))


def _beyond(share: float) -> float:
    """The violation of a robot that is stable up to a share of its loads."""
    return max(1.0 - share, LEAST_VIOLATION)


def _stable_share(body: Robot, ramp: Ramp, start: FloatArray) -> float:
    """Greatest share of a ramp's loads up to which the states followed from ``start`` (n, 3) are stable."""
    found = follow_ramp(body, ramp, np.linspace(0.0, 1.0, STABILITY_LOADS + 1), start, stable_only=True)
    if found.reason == REACHED:
        return 1.0
    if found.reason == LOST or found.reached == 0:
        return float(found.last) if found.reached else 0.0
    state, low, high = found.end, float(found.end_load), float(found.last)
    while high - low > PRECISE:
        middle = 0.5 * (low + high)
        tried = follow_ramp(body, ramp, np.array([low, middle]), state, stable_only=True)
        if tried.reason == REACHED:
            state, low = tried.end, middle
        else:
            high = float(tried.last)
            state, low = tried.end, max(low, float(tried.end_load))
    return low
