"""Pseudo-arclength continuation of equilibria: loading, points, predictor, corrector, step control.

A path lives in ``y = (x, s / limit)``: the free angles x [rad] and the load s. ``G(x, s)`` is the
gradient of the potential energy; the path is ``G = 0``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.energy_kernels import evaluate
from models.continuum_statics.equilibrium_kernels import judge
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.records import Ending
from models.continuum_statics.robot import Robot, free, robot_of, stiffnesses, whole_tensions
from models.numerics.newton import longer_than, newton


class Loading(NamedTuple):
    """A robot under a load s from 0 to ``limit``; its energy is linear in s.

    ``tensions`` (m,) [N] and ``robot.masses`` hold at s = 0; they change by ``tension_rate`` (m,) and
    ``mass_rate`` (n,) per unit of s. ``places`` are the angles that can change, ``stiffness`` [N m/rad]
    the rod's stiffness of each of these.
    """

    robot: Robot
    tensions: FloatArray
    tension_rate: FloatArray
    mass_rate: FloatArray
    limit: float
    places: IntArray
    stiffness: FloatArray

    def at(self, load: float) -> tuple[Robot, FloatArray]:
        """Robot and tensions under a load."""
        masses = self.robot.masses + load * self.mass_rate
        return self.robot._replace(masses=masses), self.tensions + load * self.tension_rate

    def whole(self, x: FloatArray) -> FloatArray:
        """All angles (n, 3) from the free ones (k,)."""
        q = np.zeros(3 * len(self.robot.masses))
        q[self.places] = x
        return q.reshape(-1, 3)

    def energy(self, x: FloatArray, load: float) -> float:
        """Total potential energy [J]."""
        return evaluate(*self.at(load), self.whole(x))[0]

    def forces(self, x: FloatArray, load: float) -> tuple[FloatArray, FloatArray]:
        """Gradient (k,) [N m] and Hessian (k, k) [N m] over the free angles."""
        _, gradient, hessian = evaluate(*self.at(load), self.whole(x))
        return gradient[self.places], hessian[np.ix_(self.places, self.places)]

    def clear(self, x: FloatArray, load: float) -> bool:
        """True if no disk cuts another."""
        return self.clearance(x, load) > 0

    def clearance(self, x: FloatArray, load: float) -> float:
        """Least distance of a hole ahead of the disk before, in gaps, or what an arc lacks to half a turn."""
        return float(judge(*self.at(load), self.whole(x)).clearance)

    def rate(self, x: FloatArray) -> FloatArray:
        """Change (k,) of the gradient per unit of load: that of the load alone."""
        without_stiffness = self.robot._replace(EI=0.0, GJ=0.0, masses=self.mass_rate)
        return evaluate(without_stiffness, self.tension_rate, self.whole(x))[1][self.places]


def sweep_loading(parameters: ContinuumStatics, cable: int, max_tension: float) -> Loading:
    """One cable pulled from 0 to ``max_tension``; the others keep the tensions of the record."""
    tensions = np.array(parameters.tensions)
    tensions[cable - 1] = 0.0
    rate = np.zeros_like(tensions)
    rate[cable - 1] = 1.0
    body = robot_of(parameters)
    return _loading(body, whole_tensions(parameters, tensions), rate, np.zeros_like(body.masses), max_tension)


def tension_loading(parameters: ContinuumStatics, tensions: FloatArray) -> Loading:
    """All tensions (m,) [N] rise together, besides the pretension; the load is the share of them, 0 to 1."""
    body = robot_of(parameters)
    slack = whole_tensions(parameters, np.zeros(parameters.cables))
    return _loading(body, slack, np.asarray(tensions, float), np.zeros_like(body.masses), 1.0)


def payload_loading(parameters: ContinuumStatics, tensions: FloatArray, limit: float) -> Loading:
    """A tip mass from 0 to ``limit`` [kg], instead of the record's, under constant tensions (m,)."""
    body = robot_of(parameters.model_copy(update={"tip_mass": 0.0}))
    rate = np.zeros_like(body.masses)
    rate[-1] = 1.0
    constant = np.zeros(parameters.cables)
    return _loading(body, whole_tensions(parameters, tensions), constant, rate, limit)


def _loading(
    body: Robot, tensions: FloatArray, tension_rate: FloatArray, mass_rate: FloatArray, limit: float
) -> Loading:
    places = free(body)
    return Loading(body, tensions, tension_rate, mass_rate, limit, places, stiffnesses(body)[places])


MOST_CORRECTIONS = 12
ROUNDING = 1e-14  # norm of what is not balanced, in units of the rod's stiffness
CLOSE_ENOUGH = 1e-11  # last correction of y: those before it square
AMPLIFIED = 1e4  # solutions that much greater than the right-hand side tell that an equation is lost
SINGULAR = 1e-10  # singular values below that share of the greatest count as none
TOO_FAR = 1.0  # [rad] corrections that lead to some other path


class PathPoint(NamedTuple):
    """An equilibrium with the direction of its path.

    ``y`` (k + 1,) angles and relative load, ``tangent`` (k + 1,) of unit length along the path,
    ``mu`` (k,) eigenvalues of the Hessian relative to the rod's stiffness, ascending.
    """

    y: FloatArray
    tangent: FloatArray
    mu: FloatArray

    @property
    def unstable_count(self) -> int:
        """Number of negative eigenvalues."""
        return int(np.count_nonzero(self.mu < 0))


def correct(loading: Loading, guess: FloatArray, normal: FloatArray) -> FloatArray | None:
    """Newton's method onto the path, within the plane through ``guess`` across ``normal``.

    None when it does not converge. Near a bifurcation the equations lose one rank: the least
    correction that satisfies the others is taken, so that the symmetry of the guess is kept.
    """

    def step(y: FloatArray) -> FloatArray | None:
        A, gradient = _equations(loading, y, normal)
        right = np.append(-gradient, -normal @ (y - guess))
        return None if np.linalg.norm(right) < ROUNDING else _solved(A, right)

    return newton(
        step, guess.copy(), iterations=MOST_CORRECTIONS, tolerance=CLOSE_ENOUGH, lost=longer_than(TOO_FAR)
    )


def tangent_at(loading: Loading, y: FloatArray, near: FloatArray) -> FloatArray:
    """Unit tangent of the path at y, on the side of ``near``."""
    A, _ = _equations(loading, y, near)
    right = np.zeros(len(y))
    right[-1] = 1.0
    tangent = _solved(A, right)
    return tangent / float(np.linalg.norm(tangent))


def point_at(loading: Loading, y: FloatArray, near: FloatArray) -> PathPoint:
    """The point of the path at y, its tangent on the side of ``near``."""
    return PathPoint(y, tangent_at(loading, y, near), relative_eigenvalues(loading, y))


def relative_eigenvalues(loading: Loading, y: FloatArray) -> FloatArray:
    """All eigenvalues mu of ``H v = mu K v``, ascending; K is the rod's own stiffness."""
    return np.asarray(np.linalg.eigvalsh(_relative_hessian(loading, y)), np.float64)


def relative_mode(loading: Loading, y: FloatArray, which: int) -> FloatArray:
    """Unit vector v of the eigenvalue number ``which``; its greatest entry is positive."""
    modes = np.linalg.eigh(_relative_hessian(loading, y))[1]
    v = modes[:, which] / np.sqrt(loading.stiffness)
    v /= float(np.linalg.norm(v))
    return v * np.sign(v[np.argmax(np.abs(v))])


def _relative_hessian(loading: Loading, y: FloatArray) -> FloatArray:
    _, hessian = loading.forces(y[:-1], y[-1] * loading.limit)
    root = np.sqrt(loading.stiffness)
    return hessian / np.outer(root, root)


def _solved(A: FloatArray, right: FloatArray) -> FloatArray:
    """Solution of ``A x = right``; the least one where A is all but singular."""
    with suppress(np.linalg.LinAlgError):
        x = np.asarray(np.linalg.solve(A, right), np.float64)
        if np.linalg.norm(x) < AMPLIFIED * np.linalg.norm(right):
            return x
    return np.asarray(np.linalg.lstsq(A, right, rcond=SINGULAR)[0], np.float64)


def _equations(loading: Loading, y: FloatArray, last_row: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Jacobian of G over y with a last row, and G; both over the rod's stiffness."""
    gradient, hessian = loading.forces(y[:-1], y[-1] * loading.limit)
    A = np.empty((len(y), len(y)))
    A[:-1, :-1] = hessian / loading.stiffness[:, None]
    A[:-1, -1] = loading.rate(y[:-1]) * loading.limit / loading.stiffness
    A[-1] = last_row
    return A, gradient / loading.stiffness


def start_from(loading: Loading, x: FloatArray, load: float) -> PathPoint | None:
    """The path's point at a load near the equilibrium ``x`` (k,), its tangent towards more load.

    None where there is no equilibrium near.
    """
    direction = np.zeros(len(x) + 1)
    direction[-1] = 1.0
    y = correct(loading, np.append(x, load / loading.limit), direction)
    if y is None:
        return None
    point = point_at(loading, y, direction)
    return point if point.tangent[-1] >= 0 else point._replace(tangent=-point.tangent)


FIRST_STEP = 0.02  # arclength, in rad and shares of the load's range
LONGEST_STEP = 0.05
SHORTEST_STEP = 1e-7
GROWTH = 1.5
TURN = 0.95  # least cosine between the tangents of neighbouring points
BEND = 0.3  # greatest correction, as share of the step
MU_CHANGE = 0.25  # greatest change of the smallest eigenvalue, as share of it ...
LEAST_MU_CHANGE = 0.01  # ... or this, if that is more
MOST_POINTS = 4000
BISECTED = 1e-10  # arclength to which the last point at which something holds is found
TOUCHING = 1e-4  # clearance at which steps shrink since a taut cable's chord, and its stiffness, is lost

Stop = Callable[[PathPoint, PathPoint], bool]


class Trace(NamedTuple):
    """Points of a path, and why it ended: of the :data:`Ending` s, limit, contact or steps."""

    points: list[PathPoint]
    ending: Ending

    @property
    def complete(self) -> bool:
        """True if the path ended at a limit."""
        return self.ending == "limit"


def never(before: PathPoint, after: PathPoint) -> bool:  # noqa: ARG001 - a Stop has both points
    """Stop nowhere but at the ends of the range."""
    return False


def trace(loading: Loading, start: PathPoint, stop: Stop = never) -> Trace:
    """Follow the path from ``start`` along its tangent until the load leaves 0 to ``loading.limit``.

    The last point lies exactly on the end of the range, or where disks touch that would cut each
    other beyond. ``stop(before, after)`` may end it earlier.
    """
    points, step = [start], FIRST_STEP
    while len(points) < MOST_POINTS:
        here = points[-1]
        found = _advance(loading, here, step)
        if found is None:
            return Trace(points, "contact" if _clearance(loading, here) < TOUCHING else "steps")
        after, taken = found
        ended = not 0.0 <= after.y[-1] <= 1.0
        end = _point_on_end(loading, here, after) if ended else after
        if end is None:
            step = taken / 2
            continue
        if not _clearance(loading, end) > 0:
            clear = last_point(loading, here, end, lambda point: _clearance(loading, point) > 0)
            return Trace(points if clear is None else [*points, clear], "contact")
        points.append(end)
        if ended or stop(here, end):
            return Trace(points, "limit")
        step = min(taken * GROWTH, LONGEST_STEP)
    return Trace(points, "steps")


def point_along(loading: Loading, here: PathPoint, step: float) -> PathPoint | None:
    """The path's point in the plane ``step`` ahead of ``here``; None if Newton's method fails."""
    y = correct(loading, here.y + step * here.tangent, here.tangent)
    return None if y is None else point_at(loading, y, here.tangent)


def _advance(loading: Loading, here: PathPoint, step: float) -> tuple[PathPoint, float] | None:
    """The next point and the step that was short enough for it."""
    while step >= SHORTEST_STEP:
        after = point_along(loading, here, step)
        if after is not None and _close(here, after, step):
            return after, step
        step /= 2
    return None


def _close(here: PathPoint, after: PathPoint, step: float) -> bool:
    corrected = np.linalg.norm(after.y - here.y - step * here.tangent)
    change = abs(after.mu[0] - here.mu[0])
    return bool(
        corrected <= BEND * step
        and after.tangent @ here.tangent >= TURN
        and change <= max(LEAST_MU_CHANGE, MU_CHANGE * abs(here.mu[0]))
    )


def _point_on_end(loading: Loading, here: PathPoint, after: PathPoint) -> PathPoint | None:
    """The path's point at the end of the range that lies between two points, if it is close enough."""
    end = 0.0 if after.y[-1] < 0.0 else 1.0
    share = (end - here.y[-1]) / (after.y[-1] - here.y[-1])
    guess: FloatArray = here.y + share * (after.y - here.y)
    guess[-1] = end
    along_load = np.zeros_like(guess)
    along_load[-1] = 1.0
    y = correct(loading, guess, along_load)
    if y is None:
        return None
    point = point_at(loading, y, here.tangent)
    return point if _close(here, point, float(here.tangent @ (y - here.y))) else None


def last_point(
    loading: Loading, here: PathPoint, beyond: PathPoint, holds: Callable[[PathPoint], bool]
) -> PathPoint | None:
    """The last point after ``here`` and before ``beyond`` at which something holds, by bisection.

    None where it holds at none of the points that are tried.
    """
    good, bad, last = 0.0, float(here.tangent @ (beyond.y - here.y)), None
    while bad - good > BISECTED:
        middle = (good + bad) / 2
        point = point_along(loading, here, middle)
        if point is not None and holds(point):
            good, last = middle, point
        else:
            bad = middle
    return last


def _clearance(loading: Loading, point: PathPoint) -> float:
    return loading.clearance(point.y[:-1], float(point.y[-1]) * loading.limit)
