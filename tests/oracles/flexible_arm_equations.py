"""Equations of motion of ``flexible-arm``, in plain numpy.

The equations are ``M(z) z'' + h(z, z') = J^T f`` with the mass matrix M, the bias h of inertia, gravity,
elasticity and damping, and the forces f at the link ends, whose velocities are ``J z'``. Each link has a
local mass matrix of the velocity of its first end O, its angle phi and its modal coordinates delta; the
Jacobians of the joints put them together. ``chain_kernels.py`` eliminates link after link instead, and
``motion_kernels.py`` computes the rates of a whole state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain import (
    _angles,
    _forms,
    _from_first,
    _modes,
    _weighted,
    axes,
    end_velocities,
    link_ends,
)
from models.flexible_arm.contact import Contact
from models.flexible_arm.ground import gap_of
from models.flexible_arm.motion import Touch
from tests.oracles.contact_forces import contact_forces


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


def state_rates(arm: Arm, contact: Contact, touch: Touch, y: FloatArray) -> FloatArray:
    """Rates of the state y."""
    N = int(arm.offsets[-1])
    z, v = y[:N], y[N : 2 * N]
    found = contact_forces(contact, link_ends(arm, z), end_velocities(arm, z, v), touch.speeds)
    active = touch.active == 1
    air, structure = dissipation(arm, v)
    normal, friction = (-power[active].sum() for power in (found.power_normal, found.power_friction))
    return np.concatenate([
        v,
        accelerations(arm, z, v, np.where(active[:, None], found.force, 0.0)),
        [normal, friction, air, structure],
        np.where(active, found.normal, 0.0),
        np.where(active, found.tangential, 0.0),
    ])  # fmt: skip


def gaps(arm: Arm, contact: Contact, y: FloatArray) -> FloatArray:
    """Distance (P,) [m] of each link end above the ground."""
    points = link_ends(arm, y[: int(arm.offsets[-1])])
    return gap_of(contact.ground, points[:, 0], points[:, 1])
