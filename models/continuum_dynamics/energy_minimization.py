"""Search for a state at rest from any state: least energy among those whose cables are not too long.

An augmented Lagrangian: a cable that is too long pulls like a spring, about the tension of the round before;
each round descends by Newton's method with the absolute values of the curvatures, which leaves saddles. Last,
the taut cables become exact. Nocedal and Wright, Numerical Optimization, 2006, chapters 3, 17 and 18.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_dynamics.robot import Robot

TAUT = 1e-9  # [N]; a cable with less does not hold the robot
ROUNDS = 30
DESCENTS = 80  # steps of a round
STIFFNESS = 20.0  # of a cable's spring, by that of an element which a cable at its holes bends
LONGEST = 0.3  # [rad] by which a step may bend an element
STILL = 1e-7  # [rad]; a round ends with steps below it
CLOSE = 1e-7  # of the length; cables that are too long by less are made exact
STUCK = 4  # rounds without progress, after which the cables jam
EXACT = 1e-11  # [rad]
DEPENDENT = 1e-13  # of the largest singular value

S = TypeVar("S")


class Linearised(NamedTuple):
    """Energy and cables about a state of s coordinates.

    Attributes
    ----------
    gradient : (s,) float
        Of the energy with the tensions times the cables' lengths.
    hessian : (s, s) float
        Of the same.
    slopes : (m, s) float
        Of the cables' lengths.
    shortenings : (m,) float, m
        By how much each cable is shorter than along the straight robot.
    """

    gradient: FloatArray
    hessian: FloatArray
    slopes: FloatArray
    shortenings: FloatArray


class Form(NamedTuple, Generic[S]):
    """A formulation of the robot, as searches see it.

    Attributes
    ----------
    linearised : callable (robot, state, tensions) -> Linearised
    measured : callable (robot, state) -> float, (m,) float
        Energy [J], and shortenings of the cables [m].
    moved : callable (state, (s,)) -> state
        A state after a change of the coordinates.
    bend : callable (s,) -> float, rad
        By how much a change of the coordinates bends or twists any element.
    units : (s,) float
        What a unit of each coordinate is in radians: 1, or 1 / length for displacements.
    """

    linearised: Callable[[Robot, S, FloatArray], Linearised]
    measured: Callable[[Robot, S], tuple[float, FloatArray]]
    moved: Callable[[S, FloatArray], S]
    bend: Callable[[FloatArray], float]
    units: FloatArray


class Cables(NamedTuple):
    """Cables under load: wound lengths (m,) [m], held cables (m,), tensions (m,) [N], springs [N/m]."""

    pulls: FloatArray
    held: IntArray
    tensions: FloatArray
    stiffness: float

    def pulling(self, shortenings: FloatArray) -> FloatArray:
        """Tensions (m,) [N] of the springs."""
        springs = self.tensions - self.stiffness * (shortenings - self.pulls)
        return np.where(self.held == 1, np.maximum(springs, 0.0), 0.0)


def least_energy(
    robot: Robot, pulls: FloatArray, held: IntArray, state: S, form: Form[S]
) -> tuple[S, FloatArray] | None:
    """State and tensions (m,) [N] at rest, downhill from ``state``; None where the cables jam."""
    reach, length = float((robot.holes**2).sum(axis=1).max(initial=0.0)), len(robot.masses) * robot.L
    stiffness = STIFFNESS * robot.EI / robot.L / max(reach, 1e-12)
    cables, before, stuck = Cables(pulls, held, np.zeros(len(pulls)), stiffness), np.inf, 0
    for _ in range(ROUNDS):
        state = _descend(robot, cables, state, form)
        shortenings = form.measured(robot, state)[1]
        missing = float(np.where(held == 1, pulls - shortenings, 0.0).max(initial=0.0))
        cables = cables._replace(tensions=cables.pulling(shortenings))
        if missing <= CLOSE * length:
            return _exact(robot, cables, state, form)
        if missing > before / 2:
            stuck, cables = stuck + 1, cables._replace(stiffness=4 * cables.stiffness)
        if stuck == STUCK:
            return None
        before = missing
    return None


def _descend(robot: Robot, cables: Cables, state: S, form: Form[S]) -> S:
    """The state of least energy with springs, downhill from ``state``."""

    def merit(at: S) -> float:
        energy, shortenings = form.measured(robot, at)
        return energy + float((cables.pulling(shortenings) ** 2).sum()) / (2 * cables.stiffness)

    here = merit(state)
    for _ in range(DESCENTS):
        change = _downhill(robot, cables, state, form)
        change *= min(1.0, LONGEST / max(form.bend(change), 1e-300))
        for _ in range(20):
            ahead = form.moved(state, change)
            there = merit(ahead)
            if there < here:
                break
            change /= 2
        else:
            return state
        state, here = ahead, there
        if float(np.abs(form.units * change).max()) < STILL:
            return state
    return state


def _downhill(robot: Robot, cables: Cables, state: S, form: Form[S]) -> FloatArray:
    """Newton's step (s,) with the absolute values of the curvatures."""
    pulling = cables.pulling(form.measured(robot, state)[1])
    near = form.linearised(robot, state, pulling)
    taut = near.slopes[pulling > 0.0]
    hessian = (near.hessian + cables.stiffness * taut.T @ taut) / np.outer(form.units, form.units)
    values, columns = np.linalg.eigh(hessian)
    values = np.maximum(np.abs(values), 1e-6 * robot.EI / robot.L)
    return np.asarray(-columns @ (columns.T @ (near.gradient / form.units) / values) / form.units)


def _exact(robot: Robot, cables: Cables, state: S, form: Form[S]) -> tuple[S, FloatArray] | None:
    """State and tensions with exactly tight cables; a neutral turn, which nothing determines, stays."""
    tensions = cables.tensions.copy()
    taut = tensions > TAUT
    for _ in range(40):
        near = form.linearised(robot, state, tensions)
        loose, slopes, size = near.shortenings - cables.pulls, near.slopes[taut], len(near.gradient)
        matrix = np.zeros((size + len(slopes), size + len(slopes)))
        matrix[:size, :size] = near.hessian / np.outer(form.units, form.units)
        matrix[size:, :size] = slopes / form.units
        matrix[:size, size:] = matrix[size:, :size].T
        given = np.concatenate([(tensions[taut] @ slopes - near.gradient) / form.units, loose[taut]])
        solved = np.linalg.lstsq(matrix, given, rcond=DEPENDENT)[0]
        change, tensions = solved[:size] / form.units, np.zeros(len(taut))
        tensions[taut] = solved[size:]
        if not form.bend(change) <= LONGEST:
            return None
        state = form.moved(state, change)
        if float(np.abs(solved[:size]).max()) <= EXACT:
            loose = form.measured(robot, state)[1] - cables.pulls
            wrong = np.where(taut, tensions < 0.0, (cables.held == 1) & (loose < -1e-12))
            if not wrong.any():
                return state, tensions
            taut = taut ^ wrong
            tensions = np.where(taut, tensions, 0.0)
    return None
