"""Equations of motion of the arm, in plain numpy.

The equations are ``M(z) z'' + h(z, z') = J^T f`` with the mass matrix M, the bias h of inertia, gravity,
elasticity and damping, and the forces f at the link ends, whose velocities are ``J z'``. Each link has a
local mass matrix of the velocity of its first end O, its angle phi and its modal coordinates delta; the
Jacobians of the joints put them together. All functions here are the definitions of ``chain_kernels.py``,
which eliminates link after link instead; a test compares them
(``tests/models/flexible_arm/test_chain_kernels.py``).

With ``e1 = (cos phi, sin phi)`` and ``e2 = (-sin phi, cos phi)``, a link's far end has
``v_O + [l e2 - (W.delta) e1] phi' + e2 W.delta'``, W taken at the end. A state is ``z`` (N,) with its rates
``v`` (N,); see :mod:`models.flexible_arm.arm` for the coordinates.
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


class Momentum(NamedTuple):
    """Momentum of the whole arm.

    Attributes
    ----------
    linear : (2,) float, kg m/s
    angular : float, kg m^2/s
        About the origin.
    """

    linear: FloatArray
    angular: float


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


def end_jacobians(arm: Arm, z: FloatArray) -> FloatArray:
    """J (n + 1, 2, N): velocities of :func:`link_ends` per rate, in one state."""
    n = len(arm.lengths)
    (e1, e2), sag = axes(_angles(arm, z)), _weighted(arm, arm.end_shape, z)
    J = np.zeros((n + 1, 2, len(z)))
    J[:, :, :2] = np.eye(2)
    for i in range(n):
        own = slice(arm.offsets[i], arm.offsets[i + 1])
        J[i + 1 :, :, 2 + i] = arm.lengths[i] * e2[i] - sag[i] * e1[i]
        J[i + 1 :, :, own] = np.outer(e2[i], _own(arm, arm.end_shape, i))
    return J


def _own(arm: Arm, values: FloatArray, i: int) -> FloatArray:
    """Values of the modal coordinates of link i, out of ``values`` (M,)."""
    before = 2 + len(arm.lengths)
    return values[arm.offsets[i] - before : arm.offsets[i + 1] - before]


def local_equations(arm: Arm, i: int, z: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mass matrix (3 + k, 3 + k) and bias (3 + k,) of link i by itself, for (v_O, phi', delta').

    Without gravity, which the acceleration of the first joint stands for.
    """
    (e1, e2), w = axes(z[2 + i]), v[2 + i]
    own = slice(arm.offsets[i], arm.offsets[i + 1])
    bend, rate, k = z[own], v[own], len(z[own])
    a, b, c = _own(arm, arm.a, i), _own(arm, arm.b, i), arm.c[i, :k, :k]
    stiffness, damping = arm.stiffness[i, :k, :k], (arm.air + arm.structure)[i, :k, :k]
    mass, bias = np.zeros((3 + k, 3 + k)), np.zeros(3 + k)
    mass[:2, :2] = arm.m0[i] * np.eye(2)
    mass[:2, 2] = mass[2, :2] = arm.m1[i] * e2 - (a @ bend) * e1
    mass[:2, 3:] = np.outer(e2, a)
    mass[3:, :2] = mass[:2, 3:].T
    mass[2, 2] = arm.m2[i] + bend @ c @ bend
    mass[2, 3:] = mass[3:, 2] = b
    mass[3:, 3:] = arm.ce[i, :k, :k]
    bias[:2] = -(w**2) * (arm.m1[i] * e1 + (a @ bend) * e2) - 2 * w * (a @ rate) * e1
    bias[2] = 2 * w * (bend @ c @ rate)
    bias[3:] = -(w**2) * (c @ bend) + stiffness @ bend + damping @ rate
    return mass, bias


def end_biases(arm: Arm, z: FloatArray, v: FloatArray) -> FloatArray:
    """Accelerations (n + 1, 2) [m/s^2] of the link ends at constant rates, with gravity as one upwards."""
    (e1, e2), w = axes(_angles(arm, z)), _angles(arm, v)
    sag, rate = (_weighted(arm, arm.end_shape, x) for x in (z, v))
    along, across = -(w**2) * arm.lengths - 2 * w * rate, -(w**2) * sag
    steps = along[:, None] * e1 + across[:, None] * e2
    return _from_first(np.array([0.0, arm.gravity]), steps)


def equations(arm: Arm, z: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mass matrix (N, N) and bias (N,) in one state, those of the first end included where it is pinned."""
    J, biases = end_jacobians(arm, z), end_biases(arm, z, v)
    total, forces = np.zeros((len(z), len(z))), np.zeros(len(z))
    for i in range(len(arm.lengths)):
        own = [2 + i, *range(arm.offsets[i], arm.offsets[i + 1])]
        mass, bias = local_equations(arm, i, z, v)
        project = np.concatenate([J[i], np.eye(len(z))[own]])
        total += project.T @ mass @ project
        forces += project.T @ (bias + mass[:, :2] @ biases[i])
    return total, forces


def mass_matrix(arm: Arm, z: FloatArray) -> FloatArray:
    """M (N, N) in one state: kinetic energy ``v^T M v / 2``."""
    return equations(arm, z, np.zeros_like(z))[0]


def bias(arm: Arm, z: FloatArray, v: FloatArray) -> FloatArray:
    """H (N,) in one state: what constant rates need of forces."""
    return equations(arm, z, v)[1]


def accelerations(arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray) -> FloatArray:
    """Second derivatives z'' (N,) in one state under ``forces`` (n + 1, 2) [N] at the link ends."""
    M, h = equations(arm, z, v)
    loads = np.einsum("pai,pa->i", end_jacobians(arm, z), forces) - h
    free = slice(2 if arm.pinned else 0, len(z))
    factor = np.linalg.cholesky(M[free, free])
    result = np.zeros_like(z)
    result[free] = np.linalg.solve(factor.T, np.linalg.solve(factor, loads[free]))
    return result


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


def dissipation(arm: Arm, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Power (...) [W] that the air and the structure take at rates (..., N), each at least zero."""
    rate = _modes(arm, v)
    air, structure = (_forms(matrices, rate, rate).sum(axis=-1) for matrices in (arm.air, arm.structure))
    return np.asarray(air), np.asarray(structure)


def momentum(arm: Arm, z: FloatArray, v: FloatArray) -> Momentum:
    """Momentum of one state, and its moment about the origin."""
    places, velocities = link_ends(arm, z), end_velocities(arm, z, v)
    linear, angular = np.zeros(2), 0.0
    for i in range(len(arm.lengths)):
        mass, _ = local_equations(arm, i, z, v)
        own = [2 + i, *range(arm.offsets[i], arm.offsets[i + 1])]
        momenta = mass @ np.concatenate([velocities[i], v[own]])
        linear += momenta[:2]
        angular += places[i, 0] * momenta[1] - places[i, 1] * momenta[0] + momenta[2]
    return Momentum(linear, float(angular))
