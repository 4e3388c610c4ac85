"""The search for states at rest that both forms share: load stepping, and Newton's method at every load.

The state has the least potential energy among those whose cables are not too long: with the wound lengths
dS, ``dV/dq = sum_j lambda_j dPhi_j/dq``, ``lambda >= 0``, ``Phi >= 0``, ``lambda Phi = 0`` (equations 28
and 32 of the paper). Each step of Newton solves a linear complementarity problem.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, Numbers, finite_array
from models.continuum_dynamics.complementarity_kernels import solve_pull_only
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.robot import Robot, greatest_pull

FIRST_SHARE = 1 / 8  # of the pulls and of gravity, that is added at first
LEAST_SHARE = 1 / 1024  # below it the search gives up
ITERATIONS = 20
LONGEST = 0.7  # [rad]; an element that bends by more in one iteration is lost
CONVERGED = 1e-11  # [rad]; steps square, so the result is closer
TAUT = 1e-9  # [N]; a cable with less does not hold the robot

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
        Whether it exists, and every small motion that the taut cables allow needs energy.
    reached : float
        Share of the pulls and of gravity, rising together from the straight robot, up to which states were
        found: 1 when it exists.
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
    """A formulation of the robot, as the search sees it.

    Attributes
    ----------
    linearised : callable (robot, state, tensions) -> Linearised
    moved : callable (state, (s,)) -> state
        A state after a change of the coordinates.
    bend : callable (s,) -> float, rad
        By how much a change of the coordinates bends or twists any element.
    units : (s,) float
        What a unit of each coordinate is in radians: 1, or 1 / length for displacements.
    """

    linearised: Callable[[Robot, S, FloatArray], Linearised]
    moved: Callable[[S, FloatArray], S]
    bend: Callable[[FloatArray], float]
    units: FloatArray


class Rest(NamedTuple, Generic[S]):
    """What the search found; the entries are those of :class:`StaticSolution`."""

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
    """Raise pulls and gravity from the straight ``state``, by shares that shrink where steps are lost."""
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
    here = form.linearised(robot, state, tensions)
    loose = here.shortenings - share * pulls
    if share < 1.0:
        reason = f"no state at rest was found beyond {100 * share:.4g} % of the pulls and of gravity"
        return Rest(state, tensions, loose, False, False, share, reason)
    least = _least_stiffness(here, tensions, form.units)
    reason = "" if least > 0.0 else f"the state is not stable: its least stiffness is {least:.3g} N m"
    return Rest(state, tensions, loose, True, least > 0.0, share, reason)


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


def _least_stiffness(here: Linearised, tensions: FloatArray, units: FloatArray) -> float:
    """Smallest eigenvalue [N m/rad] of the Hessian over the motions that leave taut cables as long."""
    slopes, hessian = here.slopes[tensions > TAUT] / units, here.hessian / np.outer(units, units)
    _, singular, rows = np.linalg.svd(slopes, full_matrices=True)
    allowed = rows[int((singular > 1e-12).sum()) :]
    return float(np.linalg.eigvalsh(allowed @ hessian @ allowed.T)[0]) if len(allowed) else np.inf
