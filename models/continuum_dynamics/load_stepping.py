"""The search for states at rest that both forms share: load stepping, and Newton's method at every load.

The state has the least potential energy among those whose cables are not too long: with the wound lengths
dS, ``dV/dq = sum_j lambda_j dPhi_j/dq``, ``lambda >= 0``, ``Phi >= 0``, ``lambda Phi = 0`` (equations 28
and 32 of the paper). Each step of Newton solves a linear complementarity problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, Numbers, finite_array
from models.continuum_dynamics.complementarity_kernels import solve_pull_only
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.energy_minimization import TAUT, Form, Linearised, least_energy
from models.continuum_dynamics.robot import Robot, greatest_pull

FIRST_SHARE = 1 / 8  # of the pulls and of gravity, that is added at first
LEAST_SHARE = 1 / 1024  # below it the search gives up
ITERATIONS = 20
NEUTRAL = 1e-7  # of EI / L; a motion with a stiffness below it is neutral, such as a free turn
KICK = 0.05  # [rad]; by which a search begins beside a state that is not stable
LONGEST = 0.7  # [rad]; an element that bends by more in one iteration is lost
CONVERGED = 1e-11  # [rad]; steps square, so the result is closer

S = TypeVar("S")


class StaticSolution(NamedTuple):
    """A state at rest.

    Attributes
    ----------
    q : (n, 3) float, rad
        alpha, beta, gamma of each element; in the co-rotational form those of the arc that turns like its end
        against its begin. The last state that was found when there is none.
    positions : (n + 1, 3) float, m, base frame
        Of the base and the disks; the last is the tip.
    rotations : (n + 1, 3, 3) float
        Of their frames.
    curvatures : (n,) float, 1/m
        Greatest curvature of the backbone in each element.
    energy : float, J
        Elastic energy and that of gravity, which counts from the base.
    tensions : (m,) float, N
    loose : (m,) float, m
        Phi of each cable, the length that it has too much; meaningless for cables that are not held.
    exists : bool
        Whether the state belongs to the full pulls and the full gravity.
    stable : bool
        Whether it exists, and every small motion that the taut cables allow needs energy or none: a robot may
        turn freely.
    reached : float
        Share of the pulls and of gravity, rising together from the straight robot, up to which states were
        found; below 1 for a state that was found by its least energy alone.
    reason : str
        Why it does not exist or is not stable; empty for a stable one.
    """

    q: FloatArray
    positions: FloatArray
    rotations: FloatArray
    curvatures: FloatArray
    energy: float
    tensions: FloatArray
    loose: FloatArray
    exists: bool
    stable: bool
    reached: float
    reason: str


class Rest(NamedTuple, Generic[S]):
    """Result of the search; the entries are those of :class:`StaticSolution`."""

    state: S
    tensions: FloatArray
    loose: FloatArray
    exists: bool
    stable: bool
    reached: float
    reason: str


def checked_loads(
    robot: Robot, pulls: Numbers, held: Sequence[bool] | BoolArray | None
) -> tuple[FloatArray, IntArray]:
    """Pulls [m] and held cables (m,) as arrays.

    Raises
    ------
    InputError
        When there is not one finite pull per cable, or a cable pulls more than the robot has.
    """
    wound = finite_array(pulls, (len(robot.holes),), "pulls", "one per cable")
    for cable, (pull, greatest) in enumerate(zip(wound, greatest_pull(robot), strict=True)):
        if pull >= greatest:
            message = f"a pull of {pull:g} m is more than the robot has ({greatest:.4g} m); pull less"
            raise InputError(message, ("pulls", cable))
    kept = np.ones(len(wound), np.int64) if held is None else np.array(held, np.int64)
    if kept.shape != wound.shape:
        message = f"expected one entry per cable ({len(wound)}); got {len(kept)}"
        raise InputError(message, ("held",))
    return wound, kept


def step_loads(robot: Robot, pulls: FloatArray, held: IntArray, state: S, form: Form[S]) -> Rest[S]:
    """Raise pulls and gravity from the straight ``state``; search for the least energy where that fails.

    The path's steps shrink where they are lost. It is a means alone: where it ends, or leads to a state that
    is not stable, searches downhill from there decide.
    """
    tensions = np.zeros(len(pulls))
    share, step = 0.0, FIRST_SHARE
    while share < 1.0 and step >= LEAST_SHARE:
        ahead = min(share + step, 1.0)
        found = _settle(
            robot._replace(gravity=ahead * robot.gravity), ahead * pulls, held, state, tensions, form
        )
        if found is None:
            step /= 2
        else:
            (state, tensions), share, step = found, ahead, 2 * step
    on_path = _judged(robot, pulls, state, tensions, share, form)
    return on_path if on_path.stable else _beside(robot, pulls, held, on_path, form)


def _judged(
    robot: Robot, pulls: FloatArray, state: S, tensions: FloatArray, share: float, form: Form[S]
) -> Rest[S]:
    """The path's end, with its stability."""
    here = form.linearised(robot, state, tensions)
    loose = here.shortenings - share * pulls
    if share < 1.0:
        reason = f"no state at rest was found beyond {100 * share:.4g} % of the pulls and of gravity"
        return Rest(state, tensions, loose, False, False, share, reason)
    return Rest(state, tensions, loose, True, *_stability(robot, here, tensions, form.units, 1.0))


def _beside(robot: Robot, pulls: FloatArray, held: IntArray, end: Rest[S], form: Form[S]) -> Rest[S]:
    """The state of least energy downhill from both sides of the path's ``end``; that end where none is."""
    here = form.linearised(robot, end.state, end.tensions)
    softest, best = _softest(here, end.tensions, form.units)[1], end
    lowest = np.inf
    for kick in (KICK, -KICK):
        start = form.moved(end.state, kick * softest / max(form.bend(softest), 1e-12))
        found = least_energy(robot, pulls, held, start, form)
        if found is None:
            break  # the cables jam on either side
        energy, shortenings = form.measured(robot, found[0])
        near = form.linearised(robot, *found)
        judged = _stability(robot, near, found[1], form.units, end.reached)
        if judged[0] and energy < lowest - 1e-9 * abs(lowest if np.isfinite(lowest) else 0.0):
            best, lowest = Rest(*found, shortenings - pulls, True, *judged), energy
    return best


def _stability(
    robot: Robot, here: Linearised, tensions: FloatArray, units: FloatArray, reached: float
) -> tuple[bool, float, str]:
    """The last entries of :class:`Rest` for a state that exists."""
    least = _softest(here, tensions, units)[0]
    if least >= -NEUTRAL * robot.EI / robot.L:
        return True, reached, ""
    return False, reached, f"the state is not stable: its least stiffness is {least:.3g} N m"


def _settle(
    robot: Robot, pulls: FloatArray, held: IntArray, state: S, tensions: FloatArray, form: Form[S]
) -> tuple[S, FloatArray] | None:
    """State and tensions from Newton's steps that begin at a state nearby; None when they are lost."""
    taut, pulling = (tensions > 0.0).astype(np.int64), tensions
    for _ in range(ITERATIONS):
        here = form.linearised(robot, state, pulling)
        try:
            solved = np.linalg.solve(here.hessian, np.column_stack([-here.gradient, here.slopes.T]))
        except np.linalg.LinAlgError:
            return None
        free, moved = solved[:, 0], solved[:, 1:]
        A = here.slopes @ moved
        b = here.shortenings - pulls - here.slopes @ free - A @ pulling
        after = np.zeros(len(pulls))
        if not solve_pull_only(A, b, held, taut, after):
            return None
        change = free - moved @ (after - pulling)
        if not form.bend(change) <= LONGEST:
            return None
        state, pulling = form.moved(state, change), after
        if float(np.abs(form.units * change).max()) <= CONVERGED:
            return state, pulling
    return None


def _softest(here: Linearised, tensions: FloatArray, units: FloatArray) -> tuple[float, FloatArray]:
    """Least stiffness [N m/rad] of motions that leave taut cables as long, and that motion (s,)."""
    slopes, hessian = here.slopes[tensions > TAUT] / units, here.hessian / np.outer(units, units)
    _, singular, rows = np.linalg.svd(slopes, full_matrices=True)
    allowed = rows[int((singular > 1e-12).sum()) :]
    if not len(allowed):
        return np.inf, np.zeros(len(units))
    values, columns = np.linalg.eigh(allowed @ hessian @ allowed.T)
    return float(values[0]), np.asarray(columns[:, 0] @ allowed / units)
