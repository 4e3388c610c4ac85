"""Places and velocities of the link ends, and the energies of the arm, in plain numpy.

With ``e1 = (cos phi, sin phi)`` and ``e2 = (-sin phi, cos phi)``, a link's far end has
``v_O + [l e2 - (W.delta) e1] phi' + e2 W.delta'``, W taken at the end. A state is ``z`` (N,) with its rates
``v`` (N,); see :mod:`models.flexible_arm.arm` for the coordinates. ``chain_kernels.py`` solves the equations
of motion, whose definition is ``tests/oracles/flexible_arm_equations.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm, padded


class Energies(NamedTuple):
    """Energies of one state or of many [J].

    Attributes
    ----------
    kinetic : (...) float
    gravity : (...) float
        Zero at x2 = 0.
    elastic : (...) float
    """

    kinetic: FloatArray
    gravity: FloatArray
    elastic: FloatArray


def axes(angles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit vectors (..., n, 2) along links with these angles (..., n) [rad] and across them."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)


def _angles(arm: Arm, z: FloatArray) -> FloatArray:
    return z[..., 2 : 2 + len(arm.lengths)]


def _modes(arm: Arm, z: FloatArray) -> FloatArray:
    return padded(arm, z[..., 2 + len(arm.lengths) :])


def _weighted(arm: Arm, weights: FloatArray, z: FloatArray) -> FloatArray:
    """Sum over each link's modes (..., n) of weights (M,) times modal coordinates or rates."""
    return np.asarray((padded(arm, weights) * _modes(arm, z)).sum(axis=-1))


def _forms(matrices: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...ij,ijk,...ik->...i", x, matrices, y))


def _from_first(first: FloatArray, steps: FloatArray) -> FloatArray:
    """``first`` (..., 2) and what it becomes by one of the ``steps`` (..., n, 2) after the other."""
    return np.cumsum(np.concatenate([first[..., None, :], steps], axis=-2), axis=-2)


def link_ends(arm: Arm, z: FloatArray) -> FloatArray:
    """Places (..., n + 1, 2) [m] of the first end and of all links' far ends, in states (..., N)."""
    e1, e2 = axes(_angles(arm, z))
    sag = _weighted(arm, arm.end_shape, z)
    return _from_first(z[..., :2], arm.lengths[:, None] * e1 + sag[..., None] * e2)


def end_velocities(arm: Arm, z: FloatArray, v: FloatArray) -> FloatArray:
    """Velocities (..., n + 1, 2) [m/s] of :func:`link_ends`, with rates ``v`` (..., N)."""
    (e1, e2), w = axes(_angles(arm, z)), _angles(arm, v)
    sag, rate = (_weighted(arm, arm.end_shape, x) for x in (z, v))
    steps = (w * arm.lengths + rate)[..., None] * e2 - (w * sag)[..., None] * e1
    return _from_first(v[..., :2], steps)


def energies(arm: Arm, z: FloatArray, v: FloatArray) -> Energies:
    """Energies [J] of states (..., N) with rates ``v`` (..., N)."""
    (e1, e2), w, ends = axes(_angles(arm, z)), _angles(arm, v), end_velocities(arm, z, v)[..., :-1, :]
    bend, rate = _modes(arm, z), _modes(arm, v)
    along, across = (ends * e1).sum(axis=-1), (ends * e2).sum(axis=-1)
    shift, shift_rate, spin = (_weighted(arm, *pair) for pair in ((arm.a, z), (arm.a, v), (arm.b, v)))
    kinetic = (
        0.5 * arm.m0 * (along**2 + across**2) + across * (arm.m1 * w + shift_rate) - along * shift * w
        + 0.5 * (arm.m2 + _forms(arm.c, bend, bend)) * w**2 + w * spin + 0.5 * _forms(arm.ce, rate, rate)
    )  # fmt: skip
    heights = arm.m0 * link_ends(arm, z)[..., :-1, 1] + arm.m1 * e1[..., 1] + shift * e2[..., 1]
    return Energies(
        np.asarray(kinetic.sum(axis=-1)),
        np.asarray(arm.gravity * heights.sum(axis=-1)),
        np.asarray(0.5 * _forms(arm.stiffness, bend, bend).sum(axis=-1)),
    )
