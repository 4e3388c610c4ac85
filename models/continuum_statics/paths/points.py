"""One point of an equilibrium path: corrector, tangent and eigenvalues.

A path lives in ``y = (x, s / limit)``: the free angles x [rad] and the load s. ``G(x, s)`` is the
gradient of the potential energy; the path is ``G = 0``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from models.continuum_statics.paths.loading import Loading
from models.floats import FloatArray

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
        """How many eigenvalues are negative."""
        return int(np.count_nonzero(self.mu < 0))


def correct(loading: Loading, guess: FloatArray, normal: FloatArray) -> FloatArray | None:
    """Newton's method onto the path, within the plane through ``guess`` across ``normal``.

    None when it does not converge. Near a bifurcation the equations lose one rank: the least
    correction that satisfies the others is taken, so that the symmetry of the guess is kept.
    """
    y = guess.copy()
    for _ in range(MOST_CORRECTIONS):
        A, gradient = _equations(loading, y, normal)
        right = np.append(-gradient, -normal @ (y - guess))
        if np.linalg.norm(right) < ROUNDING:
            return y
        step = _solved(A, right)
        y += step
        size = float(np.linalg.norm(step))
        if not size < TOO_FAR:
            return None
        if size < CLOSE_ENOUGH:
            return y
    return None


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
