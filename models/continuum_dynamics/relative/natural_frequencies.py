"""Natural frequencies and modes of small motions about a state at rest.

Small motions ``q = q_rest + x`` obey ``M x'' + H x = 0`` with the mass matrix M and the Hessian H of the
energy plus the tensions times the lengths of the cables. A taut cable keeps its length, so ``S x = 0`` with
its slopes S; with the columns of N spanning these motions, ``x = N y`` and
``N^T H N y = omega^2 N^T M N y``. Damping is left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum_dynamics.energy_minimization import TAUT
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.relative.motion_kernels import evaluate_motion, evaluate_velocities
from models.continuum_dynamics.relative.statics import cable_forms, energy_forms
from models.continuum_dynamics.robot import Robot

DEPENDENT = 1e-9  # of the largest singular value; slopes of cables below it depend on the others
TWIST = 1e-6  # of the length times the greatest angle; a mode that moves the disks less turns them in place


class Modes(NamedTuple):
    """Small undamped vibrations of a robot with n elements, the slowest first.

    Attributes
    ----------
    frequencies : (k,) float, Hz
        0 for a motion that does not return: the state is not stable.
    shapes : (k, 3n) float, rad
        alpha, beta, gamma of each element.
    displacements : (k, n + 1, 3) float, m, base frame
        Of the base and the centres of the disks, scaled with the angles so that the greatest is 1 m; its
        largest component is positive. A mode that only twists does not move the centres: its greatest angle
        is then 1 rad.
    """

    frequencies: FloatArray
    shapes: FloatArray
    displacements: FloatArray


def natural_frequencies(robot: Robot, rest: StaticSolution, count: int = 5) -> Modes:
    """The ``count`` slowest vibrations about a state at rest; fewer when the taut cables allow fewer.

    Cables without tension do not count: they are loose on one side of the state at rest, and a straight
    robot's locked cables on both.

    Raises
    ------
    InputError
        When the state does not exist, or ``count`` is below 1.
    """
    if count < 1:
        raise InputError(f"{count} modes were asked for; ask for at least 1", ("count",))
    if not rest.exists:
        raise InputError(f"nothing vibrates about a state that does not exist: {rest.reason}", ("rest",))
    forms = cable_forms(robot, rest.q)
    hessian = energy_forms(robot, rest.q, rest.tensions, forms)[1]
    allowed = allowed_motions(forms.slopes[rest.tensions > TAUT])
    mass = mass_matrix(robot, rest.q)
    squares, motions = _reduced_modes(allowed @ hessian @ allowed.T, allowed @ mass @ allowed.T)
    shapes = motions.T[:count] @ allowed
    frequencies = np.sqrt(np.maximum(squares[:count], 0.0)) / (2 * math.pi)
    displacements = _displacements(robot, rest.q, shapes)
    scale = _scales(robot, shapes, displacements)
    return Modes(frequencies, shapes * scale[:, None], displacements * scale[:, None, None])


def allowed_motions(slopes: FloatArray) -> FloatArray:
    """Orthonormal rows (k, 3n) of the motions that keep cables with the slopes (m, 3n) [m/rad] as long."""
    _, singular, rows = np.linalg.svd(slopes, full_matrices=True)
    rank = int((singular > DEPENDENT * singular.max(initial=0.0)).sum())
    return np.asarray(rows[rank:])


def mass_matrix(robot: Robot, q: FloatArray) -> FloatArray:
    """Matrix M (3n, 3n) [kg m^2] in the state ``q`` (n, 3) [rad]: kinetic energy ``q' M q' / 2``."""
    angles, mass = np.ascontiguousarray(q).ravel(), np.zeros((q.size, q.size))
    still = np.zeros(q.size)
    evaluate_motion(robot, angles, still, still, mass, np.empty(q.size), np.empty(4))
    return mass + np.tril(mass, -1).T


def _reduced_modes(hessian: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Squares of the angular frequencies (k,) [rad^2/s^2], rising, and the modes as columns (k, k).

    The inverses of the squares are the eigenvalues of ``L^T H^-1 L`` with ``M = L L^T``: so the slowest are
    the most exact, also beside a twist of the thin backbone that is ten thousand times faster.
    """
    lower = np.linalg.cholesky(mass)
    softness = lower.T @ np.linalg.solve(hessian, lower)
    inverse_squares, columns = np.linalg.eigh((softness + softness.T) / 2)
    order = np.argsort(1.0 / inverse_squares)
    modes = np.linalg.solve(lower.T, columns[:, order])
    return np.asarray(1.0 / inverse_squares[order]), np.asarray(modes, float)


def _displacements(robot: Robot, q: FloatArray, shapes: FloatArray) -> FloatArray:
    """Displacements (k, n + 1, 3) [m] of the base and the disks by small changes (k, 3n) [rad]."""
    moved = np.empty((len(shapes), len(robot.masses) + 1, 3))
    evaluate_velocities(robot, np.ascontiguousarray(q).ravel(), np.ascontiguousarray(shapes), moved)
    return moved


def _scales(robot: Robot, shapes: FloatArray, displacements: FloatArray) -> FloatArray:
    """Factors of the modes (k,) that make the greatest displacement or angle of each 1."""
    flat, length = displacements.reshape(len(shapes), -1), len(robot.masses) * robot.L
    distance = np.linalg.norm(displacements, axis=2).max(axis=1)
    twists = distance <= TWIST * length * np.abs(shapes).max(axis=1)
    leading = np.where(twists[:, None], _largest(shapes)[:, None], _largest(flat)[:, None])[:, 0]
    return np.asarray(np.sign(leading) / np.where(twists, np.abs(leading), distance))


def _largest(rows: FloatArray) -> FloatArray:
    """Largest entry of each row (k, any) by its size, with its sign."""
    return np.asarray(rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)])
