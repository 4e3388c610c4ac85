"""Snap-through of a robot that has lost its equilibrium: overdamped flow downhill, finished by Newton.

``K q' = -grad Pi`` with the rod's own stiffness K (time has no meaning, only the way has). Each step
is implicit, ``K (q_new - q) / h + grad Pi(q_new) = 0``, and counts only if the energy does not rise.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import Loading, relative_eigenvalues, relative_mode
from models.continuum_statics.equilibrium_kernels import NEUTRAL
from models.continuum_statics.records import Snap
from models.continuum_statics.tip import tip_of
from models.numerics.newton import longer_than, newton

PUSHES = (0.1, 3e-2, 1e-2, 3e-3, 1e-3)  # [rad] along v; the first that lowers the energy counts
AT_REST = 1e-9  # gradient over stiffness [rad] from which Newton's method finishes
RESIDUAL = 1e-12
ROUNDING = 1e-10  # [rad] last correction of a balance that only has to be near
FIRST_TIME, SHORTEST_TIME = 1.0, 1e-6
GROWTH = 2.0
LONGEST_MOVE = 0.15  # [rad] norm of a step, so that the flow can be drawn
MOST_STEPS = 3000
MOST_CORRECTIONS = 15
LONGEST_STEP = 0.1  # [rad] of Newton's method; a longer one leads to some other state
FLOW_STEP = 1e-9  # [rad] last correction of a step of the flow


def snap(loading: Loading, x: FloatArray, load: float, v: FloatArray) -> Snap | None:
    """The jump from the equilibrium ``x`` (k,), lost along ``v`` (k,), at one load.

    None when no stable equilibrium is reached in which disks do not cut each other, or v leads
    nowhere downhill.
    """
    start = _pushed(loading, x, load, v)
    if start is None:
        return None
    history = [x, start]
    for _ in range(len(x)):  # a flow may keep a symmetry and end on a saddle: leave it, and flow on
        history += _flow(loading, history[-1], load)
        rest = _at_rest(loading, history[-1], load)
        if rest is None:
            return None
        if relative_eigenvalues(loading, rest)[0] > NEUTRAL:
            return _record(loading, [*history, rest[:-1]], load) if loading.clear(rest[:-1], load) else None
        away = _pushed(loading, rest[:-1], load, relative_mode(loading, rest, 0))
        if away is None:
            return None
        history += [rest[:-1], away]
    return None


def _pushed(loading: Loading, x: FloatArray, load: float, v: FloatArray) -> FloatArray | None:
    """A state of less energy a little way along +v or, if need be, -v, all else in balance.

    Without that balance the energy may rise along v although a valley leads down there.
    """
    energy = loading.energy(x, load)
    for push in PUSHES:
        ends = [_balanced(loading, x + sign * push * v, load, v) for sign in (1.0, -1.0)]
        energies = [np.inf if end is None else loading.energy(end, load) for end in ends]
        lower = 0 if energies[0] <= energies[1] else 1
        if energies[lower] < energy:
            return ends[0] if energies[0] < energy and _alike(energies, energy) else ends[lower]
    return None


def _balanced(loading: Loading, x: FloatArray, load: float, v: FloatArray) -> FloatArray | None:
    """The state near x whose moments are balanced but for one along v, as far along v as x."""
    A = np.zeros((len(x) + 1, len(x) + 1))
    A[-1, :-1] = v
    A[:-1, -1] = v / loading.stiffness * loading.stiffness[0]

    def step(x: FloatArray) -> FloatArray:
        gradient, hessian = loading.forces(x, load)
        A[:-1, :-1] = hessian / loading.stiffness[:, None]
        right = np.append(-gradient / loading.stiffness, 0.0)
        return np.asarray(np.linalg.lstsq(A, right, rcond=None)[0][:-1], np.float64)

    return newton(step, x, iterations=MOST_CORRECTIONS, tolerance=ROUNDING, lost=longer_than(LONGEST_STEP))


def _alike(energies: list[float], energy: float) -> bool:
    """True if both sides fall equally, as at a symmetric bifurcation."""
    falls = [energy - side for side in energies]
    return abs(falls[0] - falls[1]) <= 1e-3 * max(abs(fall) for fall in falls)


def _flow(loading: Loading, x: FloatArray, load: float) -> list[FloatArray]:
    """States along the flow from x, without x, until it is nearly at rest."""
    history: list[FloatArray] = []
    energy, time = loading.energy(x, load), FIRST_TIME
    for _ in range(MOST_STEPS):
        gradient, _ = loading.forces(x, load)
        if np.linalg.norm(gradient / loading.stiffness) < AT_REST or time < SHORTEST_TIME:
            break
        after = _implicit(loading, x, load, time)
        if after is None or np.linalg.norm(after - x) > LONGEST_MOVE:
            time /= 2
            continue
        fallen = loading.energy(after, load)
        if fallen > energy:
            time /= 2
            continue
        x, energy, time = after, fallen, time * GROWTH
        history.append(x)
    return history


def _implicit(loading: Loading, x: FloatArray, load: float, time: float) -> FloatArray | None:
    """One step of the flow; None when Newton's method does not find it."""

    def step(y: FloatArray) -> FloatArray:
        gradient, hessian = loading.forces(y, load)
        A = hessian + np.diag(loading.stiffness / time)
        right = -gradient - loading.stiffness * (y - x) / time
        return np.asarray(np.linalg.solve(A, right), np.float64)

    return newton(step, x, iterations=MOST_CORRECTIONS, tolerance=FLOW_STEP, lost=longer_than(1.0))


def _at_rest(loading: Loading, x: FloatArray, load: float) -> FloatArray | None:
    """The equilibrium at x, with the relative load as last entry; None when there is none near."""

    def step(x: FloatArray) -> FloatArray:
        gradient, hessian = loading.forces(x, load)
        return np.asarray(np.linalg.lstsq(hessian, -gradient, rcond=None)[0], np.float64)

    lost = longer_than(LONGEST_STEP)
    found = newton(step, x, iterations=MOST_CORRECTIONS, tolerance=RESIDUAL, lost=lost)
    return None if found is None else np.append(found, load / loading.limit)


def _record(loading: Loading, history: list[FloatArray], load: float) -> Snap:
    energies = np.array([loading.energy(x, load) for x in history])
    flow = np.array([loading.whole(x) for x in history])
    _, hessian = loading.forces(history[-1], load)
    end = np.append(history[-1], load / loading.limit)
    body, _ = loading.at(load)
    return Snap(
        flow[0],
        flow[-1],
        load,
        float(energies[0] - energies[-1]),
        tip_of(body, flow[0]),
        tip_of(body, flow[-1]),
        flow,
        energies,
        float(np.linalg.eigvalsh(hessian)[0]),
        float(relative_eigenvalues(loading, end)[0]),
    )
