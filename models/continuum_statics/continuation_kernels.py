"""Compiled following of one branch of equilibria while loads rise: whole rays in one loop."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.chain_kernels import Scratch, new_scratch
from models.continuum_statics.equilibrium_kernels import NEUTRAL, correct, least_stiffness
from models.continuum_statics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

FARTHEST = 0.15  # [rad] between foretold and true state; farther away lies perhaps another branch
TINY = 5e-3  # [rad]; what lies so near is on the same branch
BRANCH_JUMP = 0.5  # share of a step's movement that may not be foretold
SUDDEN = 3.0  # times the movement that the step before makes expected
LEAST_STEP = 2.0**-30  # of the distance between two loads; what cannot be crossed by that is a fold
# Between two loads: near a fold, steps may be as small as rounding errors. A thousand random designs give the
# same to the last digit with a tenth of it.
MOST_ATTEMPTS = 10_000
FINE, FINEST = 2.0**-6, 2.0**-12  # steps to which a change of stiffness alone leads
CHANGE = 0.5  # share of mu_min that may change in a step
SOFT = 0.05  # mu_min below which steps may become FINEST
EASY = 3  # corrections after which the step may grow
NODES = 4  # states from which the next is foretold

HALVINGS = 24  # of the step in which stability is lost

REACHED, UNSTABLE, LOST = 0, 1, 2


class Ramp(NamedTuple):
    """Loads that rise with s: tensions ``tensions + s rate`` and ``weight + s weight_rate`` times gravity.

    Attributes
    ----------
    tensions, rate : (m,) float, N
    weight, weight_rate : float
    """

    tensions: FloatArray
    rate: FloatArray
    weight: float
    weight_rate: float


class History(NamedTuple):
    """The newest states of a branch, first the last, and the loads that act.

    Attributes
    ----------
    loads : (NODES,) float
    states : (NODES, n, 3) float, rad
    tensions : (m,) float, N
    gravity : (3,) float, m/s^2
    q : (n, 3) float, rad
    """

    loads: FloatArray
    states: FloatArray
    tensions: FloatArray
    gravity: FloatArray
    q: FloatArray


@inner
def new_history(robot: Robot, start: FloatArray) -> History:
    """A history of one state that begins at ``start`` (n, 3)."""
    n, m = len(robot.masses), len(robot.ties)
    return History(np.empty(NODES), np.empty((NODES, n, 3)), np.empty(m), np.empty(3), start.copy())


@inner
def _predict(s: float, known: int, history: History) -> None:
    """Put into ``history.q`` the polynomial through the ``known`` newest states, at s."""
    if known == 0:
        return
    history.q[:] = 0.0
    for a in range(known):
        weight = 1.0
        for b in range(known):
            if b != a:
                weight *= (s - history.loads[b]) / (history.loads[a] - history.loads[b])
        for k in range(len(history.q)):
            for i in range(3):
                history.q[k, i] += weight * history.states[a, k, i]


@inner
def _remember(s: float, known: int, history: History) -> int:
    """Put ``history.q`` first among the past states; returns how many are known now."""
    for a in range(NODES - 1, 0, -1):
        history.loads[a] = history.loads[a - 1]
        copy(history.states[a - 1], history.states[a])
    history.loads[0] = s
    copy(history.q, history.states[0])
    return min(known + 1, NODES)


@inner
def _attempt(
    robot: Robot, ramp: Ramp, s: float, known: int, history: History, scratch: Scratch
) -> tuple[bool, int, int, float]:
    """Put the equilibrium at s into ``history.q``: whether found, its signs, corrections and mu_min."""
    _predict(s, known, history)
    copy(history.q, scratch.trial)
    for j in range(len(ramp.rate)):
        history.tensions[j] = ramp.tensions[j] + s * ramp.rate[j]
    for i in range(3):
        history.gravity[i] = (ramp.weight + s * ramp.weight_rate) * robot.gravity[i]
    found, negative, count = correct(robot, history.gravity, history.tensions, history.q, FARTHEST, scratch)
    if not found or _is_branch_jump(s, known, history, scratch.trial):
        return False, negative, count, math.nan
    return True, negative, count, least_stiffness(robot, scratch)


@inner
def _farthest(p: FloatArray, q: FloatArray) -> float:
    """Largest difference [rad] of an angle between two states (n, 3)."""
    most = 0.0
    for k in range(len(q)):
        for i in range(3):
            most = max(most, abs(p[k, i] - q[k, i]))
    return most


@inner
def _is_branch_jump(s: float, known: int, history: History, predicted: FloatArray) -> bool:
    """True if ``history.q``, corrected from ``predicted`` (n, 3) at s, may lie on another branch.

    Near a fold another stable branch can be close. On the same branch the correction becomes small beside
    the step's movement when steps are halved, and movements grow little by little; across a gap they do
    neither, so that no step is small enough there.
    """
    if known < 2:
        return False
    moved = _farthest(history.q, history.states[0])
    if moved > TINY:
        share = (s - history.loads[0]) / (history.loads[0] - history.loads[1])
        if moved > TINY + SUDDEN * share * _farthest(history.states[0], history.states[1]):
            return True
    correction = _farthest(history.q, predicted)
    return correction > TINY and correction > BRANCH_JUMP * moved


@inner
def _too_coarse(before: float, now: float, step: float) -> bool:
    """True if mu_min changed so much that something may hide inside the step (a share of two loads')."""
    least = FINEST if min(before, now) < SOFT else FINE
    return abs(now - before) > CHANGE * max(abs(before), abs(now)) and step > least


@inner
def follow_loads(
    robot: Robot, ramp: Ramp, loads: FloatArray, stable_only: bool, history: History, scratch: Scratch,
    states: FloatArray, mus: FloatArray,
) -> tuple[int, float, int]:  # fmt: skip
    """Follow the branch of ``history.q`` through the loads (k,), which rise.

    States (k, n, 3) and mu_min (k,) are filled as far as the branch is followed.

    Returns how many loads were reached, the last s, and why it ended: ``REACHED`` the last load,
    ``UNSTABLE`` (only if ``stable_only``) at a state that is not stable, ``LOST`` where the branch
    cannot be followed: at a fold, where the clearance of ``fill`` is used up, or where steps come down to
    rounding errors or to more than ``MOST_ATTEMPTS`` without reaching the next load.
    """
    found, negative, count, mu = _attempt(robot, ramp, loads[0], 0, history, scratch)
    if not found or (stable_only and (negative > 0 or mu <= NEUTRAL)):
        return 0, loads[0], UNSTABLE if found else LOST
    known, s, step = _remember(loads[0], 0, history), loads[0], math.inf
    copy(history.q, states[0])
    mus[0] = mu
    for target in range(1, len(loads)):
        span, attempts = loads[target] - loads[target - 1], 0
        while s < loads[target]:
            attempts += 1
            goal = s + step if s + (1 + 1e-9) * step < loads[target] else loads[target]
            found, negative, count, now = _attempt(robot, ramp, goal, known, history, scratch)
            if not found or _too_coarse(mu, now, (goal - s) / span):
                step = 0.5 * (goal - s)
                if step < LEAST_STEP * span or s + step == s or attempts >= MOST_ATTEMPTS:
                    return target, s, LOST
                continue
            if stable_only and (negative > 0 or now <= NEUTRAL):
                return target, goal, UNSTABLE
            known, s, mu = _remember(goal, known, history), goal, now
            if count <= EASY:
                step *= 2.0
        copy(history.q, states[target])
        mus[target] = mu
    return len(loads), s, REACHED


class Followed(NamedTuple):
    """Path along a ramp of k loads.

    Attributes
    ----------
    states : (k, n, 3) float, rad
    mus : (k,) float
        mu_min of the states.
    reached : int
        How many loads were reached; beyond them all is NaN.
    last : float
        s where the following ended.
    reason : int
        ``REACHED``, ``UNSTABLE`` or ``LOST``; see :func:`follow_loads`.
    end : (n, 3) float, rad
        The last equilibrium that was found, at ``end_load``; it may lie between two loads.
    end_load : float
    """

    states: FloatArray
    mus: FloatArray
    reached: int
    last: float
    reason: int
    end: FloatArray
    end_load: float


def follow_ramp(
    robot: Robot, ramp: Ramp, loads: FloatArray, start: FloatArray, stable_only: bool
) -> Followed:
    """Follow the branch of ``start`` (n, 3) along a ramp."""
    states, mus, end = np.full((len(loads), *start.shape), np.nan), np.full(len(loads), np.nan), start.copy()
    reached, last, reason, end_load = _follow_ramp(robot, ramp, loads, stable_only, states, mus, end)
    return Followed(states, mus, reached, last, reason, end, end_load)


@entry
def _follow_ramp(
    robot: Robot, ramp: Ramp, loads: FloatArray, stable_only: bool,
    states: FloatArray, mus: FloatArray, end: FloatArray,
) -> tuple[int, float, int, float]:  # fmt: skip
    """Follow the branch of ``end`` (n, 3), which becomes the last equilibrium that was found."""
    history = new_history(robot, end)
    copy(end, history.states[0])
    history.loads[0] = loads[0]
    reached, last, reason = follow_loads(
        robot, ramp, loads, stable_only, history, new_scratch(robot), states, mus
    )
    copy(history.states[0], end)
    return reached, last, reason, history.loads[0]


@entry
def bisect_loss(robot: Robot, ramp: Ramp, low: float, high: float, q: FloatArray) -> tuple[float, float]:
    """Narrow the loss of stability between the load ``low`` of a stable state ``q`` (n, 3) and ``high``.

    ``q`` becomes the last stable state. Returns its load and mu_min.
    """
    scratch, history = new_scratch(robot), new_history(robot, q)
    known = _remember(low, 0, history)
    _, _, _, mu = _attempt(robot, ramp, low, known, history, scratch)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        found, negative, _, now = _attempt(robot, ramp, middle, known, history, scratch)
        if found and negative == 0 and now > NEUTRAL:
            low, mu = middle, now
            known = _remember(low, known, history)
        else:
            high = middle
    copy(history.states[0], q)
    return low, mu


@entry
def follow_rays(
    robot: Robot, tensions: FloatArray, rates: FloatArray, loads: FloatArray, start: FloatArray,
    states: FloatArray, mus: FloatArray, reached: IntArray, ends: FloatArray, reasons: IntArray,
) -> None:  # fmt: skip
    """Follow stable states along r rays, each from ``start`` (n, 3) until the first loss of stability.

    The tensions of ray i are ``tensions + s rates[i]`` [N]. ``states`` (r, k, n, 3), ``mus`` (r, k),
    ``reached`` (r,), ``ends`` (r,) and ``reasons`` (r,) are filled as :func:`follow_loads` says.
    """
    scratch, history = new_scratch(robot), new_history(robot, start)
    for i in range(len(rates)):
        copy(start, history.q)
        ramp = Ramp(tensions, rates[i], 1.0, 0.0)
        reached[i], ends[i], reasons[i] = follow_loads(
            robot, ramp, loads, True, history, scratch, states[i], mus[i]
        )
