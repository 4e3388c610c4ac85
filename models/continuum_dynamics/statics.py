"""The robot at rest with given cable lengths: its shape and the tensions.

The state has the least potential energy among those whose cables are not too long: with the wound lengths
dS, ``dV/dq = sum_j lambda_j dPhi_j/dq``, ``lambda >= 0``, ``Phi >= 0``, ``lambda Phi = 0`` (equations 28
and 32 of the paper). Each step of Newton solves a linear complementarity problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, Numbers, finite_array
from models.continuum.chain import chains_of_states, force_form
from models.continuum_dynamics.cable_kernels import evaluate_cables
from models.continuum_dynamics.cables import CableForms, shortenings
from models.continuum_dynamics.complementarity_kernels import solve_pull_only
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.motion import energies
from models.continuum_dynamics.robot import Robot, curvatures_of, greatest_pull, stiffnesses

FIRST_SHARE = 1 / 8  # of the pulls and of gravity, that is added at first
LEAST_SHARE = 1 / 1024  # below it the search gives up
ITERATIONS = 20
LONGEST = 0.7  # [rad]; an angle that moves by more in one iteration is lost
CONVERGED = 1e-11  # [rad]; steps square, so the result is closer
TAUT = 1e-9  # [N]; a cable with less does not hold the robot


class StaticSolution(NamedTuple):
    """A state at rest.

    Attributes
    ----------
    q : (n, 3) float, rad
        alpha, beta, gamma of each element. The last state that was found when there is none.
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


def static_solution(
    robot: Robot, pulls: Numbers, held: Sequence[bool] | BoolArray | None = None
) -> StaticSolution:
    """The state at rest, followed from the straight robot while pulls and gravity rise together.

    Parameters
    ----------
    pulls : (m,) float, m
        Wound length of each cable; 0 for a locked one, negative when paid out.
    held : (m,) bool, optional
        Which cables have a set length; the others are slack or absent. All by default.

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
    return _followed(robot, wound, kept)


def _followed(robot: Robot, pulls: FloatArray, held: IntArray) -> StaticSolution:
    """Raise pulls and gravity, in shares that shrink where Newton's steps are lost."""
    q, tensions = np.zeros((len(robot.masses), 3)), np.zeros(len(pulls))
    share, step = 0.0, FIRST_SHARE
    while share < 1.0 and step >= LEAST_SHARE:
        ahead = min(share + step, 1.0)
        found = _settle(robot._replace(gravity=ahead * robot.gravity), ahead * pulls, held, q, tensions)
        if found is None:
            step /= 2
        else:
            (q, tensions), share, step = found, ahead, 2 * step
    forms = compiled_forms(robot, q)
    loose = shortenings(robot, forms) - share * pulls
    positions, rotations = chains_of_states(robot.L, q[None])
    still = energies(robot, q, np.zeros_like(q))
    found = StaticSolution(
        q, positions[0], rotations[0], curvatures_of(robot, q), still.elastic + still.gravity,
        tensions, loose, share == 1.0, False, share, "",
    )  # fmt: skip
    if not found.exists:
        reason = f"no state at rest was found beyond {100 * share:.4g} % of the pulls and of gravity"
        return found._replace(reason=reason)
    least = _least_stiffness(robot, q, tensions, forms)
    reason = "" if least > 0.0 else f"the state is not stable: its least stiffness is {least:.3g} N m"
    return found._replace(stable=least > 0.0, reason=reason)


def _settle(
    robot: Robot, pulls: FloatArray, held: IntArray, q: FloatArray, tensions: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """State and tensions from Newton's steps that begin at a state nearby; None when they are lost."""
    taut, pulling = (tensions > 0.0).astype(np.int64), tensions
    for _ in range(ITERATIONS):
        forms = compiled_forms(robot, q)
        gradient, hessian = energy_forms(robot, q, pulling, forms)
        try:
            solved = np.linalg.solve(hessian, np.column_stack([-gradient, forms.slopes.T]))
        except np.linalg.LinAlgError:
            return None
        free, moved = solved[:, 0], solved[:, 1:]
        A = forms.slopes @ moved
        b = shortenings(robot, forms) - pulls - forms.slopes @ free - A @ pulling
        after = np.zeros(len(pulls))
        if not solve_pull_only(A, b, held, taut, after):
            return None
        change = free - moved @ (after - pulling)
        size = float(np.abs(change).max())
        if not size <= LONGEST:
            return None
        q, pulling = q + change.reshape(q.shape), after
        if size <= CONVERGED:
            return q, pulling
    return None


def compiled_forms(robot: Robot, q: FloatArray) -> CableForms:
    """As :func:`models.continuum_dynamics.cables.cable_forms`, compiled."""
    cables, count = len(robot.holes), len(q)
    lengths, slopes, packed = np.empty(cables), np.empty((cables, 3 * count)), np.empty((cables, count, 6))
    evaluate_cables(robot, np.ascontiguousarray(q).ravel(), lengths, slopes, packed)
    return CableForms(lengths, slopes, packed[:, :, [[0, 1, 3], [1, 2, 4], [3, 4, 5]]])


def energy_forms(
    robot: Robot, q: FloatArray, tensions: FloatArray, forms: CableForms
) -> tuple[FloatArray, FloatArray]:
    """Gradient (3n,) and Hessian (3n, 3n) of the energy with the tensions times the cables' lengths."""
    stiffness = stiffnesses(robot)
    gradient, hessian = stiffness * q.ravel() + tensions @ forms.slopes, np.diag(stiffness)
    if robot.gravity.any():
        weight = force_form(q, robot.L, robot.masses, np.zeros(3), robot.gravity)
        gradient, hessian = gradient - weight.slopes @ robot.gravity, hessian - weight.curvature
    for k, block in enumerate(np.einsum("m,mkab->kab", tensions, forms.curvatures)):
        hessian[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] += block
    return gradient, hessian


def _least_stiffness(robot: Robot, q: FloatArray, tensions: FloatArray, forms: CableForms) -> float:
    """Smallest eigenvalue [N m/rad] of the Hessian over the motions that leave taut cables as long."""
    hessian = energy_forms(robot, q, tensions, forms)[1]
    slopes = forms.slopes[tensions > TAUT]
    _, singular, rows = np.linalg.svd(slopes, full_matrices=True)
    allowed = rows[int((singular > 1e-12).sum()) :]
    return float(np.linalg.eigvalsh(allowed @ hessian @ allowed.T)[0]) if len(allowed) else np.inf
