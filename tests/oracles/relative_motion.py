"""Equations of motion in relative coordinates, in plain numpy.

The coordinates are alpha, beta and gamma of every element (:mod:`models.continuum.arc`). The equations are
``M(q) q'' + h(q, q') + c M q' + K (q + d q') - g(q) = sum_j lambda_j dPhi_j/dq`` with the mass matrix M, the
velocity-dependent forces h, the mass damping c, the elastic stiffness K, the stiffness damping d, the weight
g and the tensions lambda (equations 27 and 32 of the paper). The kernels of
``models/continuum_dynamics/relative/motion_kernels.py`` use recursions instead of Jacobians. A cable runs straight
from hole to hole; its length is the sum of the chords across the elements (``cable_kernels.py``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import Arc, arc, arc_functions
from models.continuum.chain import Frames, chain_frames
from models.continuum_dynamics.relative.statics import CableForms
from models.continuum_dynamics.robot import Robot, stiffnesses
from tests.oracles.chord import chord


class Jacobians(NamedTuple):
    """Jacobians of n bodies by 3n angles, base frame.

    Attributes
    ----------
    frames : Frames
        Of the base and the bodies.
    linear : (n, 3, 3n) float, m/rad
        Velocity of a body's centre per rate.
    angular : (n, 3, 3n) float
        Angular velocity of a body per rate.
    """

    frames: Frames
    linear: FloatArray
    angular: FloatArray


def jacobians(robot: Robot, q: FloatArray) -> Jacobians:
    """Jacobians of all bodies in the state ``q`` (n, 3) [rad]: an arc's angles move all that lies beyond."""
    arcs = [arc(angles, robot.L) for angles in q]
    frames, count = chain_frames(arcs), len(arcs)
    linear, angular = np.zeros((count, 3, 3 * count)), np.zeros((count, 3, 3 * count))
    for a, each in enumerate(arcs):
        turns, shifts = each.turns @ frames.rotations[a].T, each.shifts @ frames.rotations[a].T
        for body in range(a, count):
            arm = frames.positions[body + 1] - frames.positions[a + 1]
            angular[body, :, 3 * a : 3 * a + 3] = turns.T
            linear[body, :, 3 * a : 3 * a + 3] = (shifts + np.cross(turns, arm)).T
    return Jacobians(frames, linear, angular)


def body_inertias(robot: Robot, frames: Frames) -> FloatArray:
    """Moments of inertia (n, 3, 3) [kg m^2] of the bodies about their centres, base frame."""
    own = robot.inertias[:, [0, 0, 1]]
    R = frames.rotations[1:]
    return np.asarray(np.einsum("kab,kb,kcb->kac", R, own, R))


def mass_matrix(robot: Robot, q: FloatArray) -> FloatArray:
    """M (3n, 3n) [kg m^2] in the state ``q`` (n, 3) [rad]: kinetic energy ``q' M q' / 2``."""
    J = jacobians(robot, q)
    translation = np.einsum("k,kai,kaj->ij", robot.masses, J.linear, J.linear)
    inertias = body_inertias(robot, J.frames)
    return np.asarray(translation + np.einsum("kai,kab,kbj->ij", J.angular, inertias, J.angular))


class ArcRates(NamedTuple):
    """Motion of an arc's end against its begin, in the frame where it begins, while its rates are constant.

    Attributes
    ----------
    w : (3,) float, rad/s
        Angular velocity.
    v : (3,) float, m/s
        Velocity of the end.
    w_dot : (3,) float, rad/s^2
        Rate of w, in that frame.
    v_dot : (3,) float, m/s^2
    """

    w: FloatArray
    v: FloatArray
    w_dot: FloatArray
    v_dot: FloatArray


def arc_rates(q: FloatArray, rates: FloatArray, here: Arc, L: float) -> ArcRates:
    """Motion of an arc with angles ``q`` (3,) [rad] and constant ``rates`` (3,) [rad/s].

    With ``e = beta alpha' - alpha beta'``, which is constant, the angular velocity is
    ``(alpha' - D beta e + A beta gamma', beta' + D alpha e - A alpha gamma', -B e + C gamma')``. The
    functions of u change with ``u' = 2 (alpha alpha' + beta beta')``; dD/du = 2 A'' + B' and dC/du = -A / 2.
    """
    (alpha, beta, _), (a, b, g) = q, rates
    f = arc_functions(float(alpha**2 + beta**2))
    u1, u2 = 2 * (alpha * a + beta * b), 2 * (a * a + b * b)
    A1, B1, C1, D1 = f.A1 * u1, f.B1 * u1, -f.A / 2 * u1, (2 * f.A2 + f.B1) * u1
    A2, B2 = f.A2 * u1**2 + f.A1 * u2, f.B2 * u1**2 + f.B1 * u2
    e = beta * a - alpha * b
    w_dot = np.array([
        -(D1 * beta + f.D * b) * e + g * (A1 * beta + f.A * b),
        (D1 * alpha + f.D * a) * e - g * (A1 * alpha + f.A * a),
        -B1 * e + g * C1,
    ])  # fmt: skip
    v_dot = L * np.array([2 * b * B1 + beta * B2, -2 * a * B1 - alpha * B2, A2])
    return ArcRates(here.turns.T @ rates, here.shifts.T @ rates, w_dot, v_dot)


class BodyMotion(NamedTuple):
    """Motion of n bodies while all rates are constant, base frame.

    Attributes
    ----------
    w : (n, 3) float, rad/s
    w_dot : (n, 3) float, rad/s^2
    acceleration : (n, 3) float, m/s^2
        Of a body's centre.
    """

    w: FloatArray
    w_dot: FloatArray
    acceleration: FloatArray


def body_motion(robot: Robot, q: FloatArray, rates: FloatArray) -> BodyMotion:
    """Motion of the bodies with angles ``q`` (n, 3) [rad] and constant ``rates`` (n, 3) [rad/s]."""
    arcs = [arc(angles, robot.L) for angles in q]
    frames = chain_frames(arcs)
    w, w_dot, acceleration = (np.zeros((len(q) + 1, 3)) for _ in range(3))
    for k, here in enumerate(arcs):
        own, R = arc_rates(q[k], rates[k], here, robot.L), frames.rotations[k]
        across, moved = R @ here.p, R @ own.v
        w[k + 1] = w[k] + R @ own.w
        w_dot[k + 1] = w_dot[k] + R @ own.w_dot + np.cross(w[k], R @ own.w)
        acceleration[k + 1] = (
            acceleration[k] + R @ own.v_dot + 2 * np.cross(w[k], moved)
            + np.cross(w_dot[k], across) + np.cross(w[k], np.cross(w[k], across))
        )  # fmt: skip
    return BodyMotion(w[1:], w_dot[1:], acceleration[1:])


def inertial_forces(robot: Robot, q: FloatArray, rates: FloatArray) -> FloatArray:
    """H (3n,) [N m]: what constant ``rates`` (n, 3) [rad/s] need of forces, centrifugal and gyroscopic."""
    J, moving = jacobians(robot, q), body_motion(robot, q, rates)
    inertias = body_inertias(robot, J.frames)
    momentum = np.einsum("kab,kb->ka", inertias, moving.w)
    moment = np.einsum("kab,kb->ka", inertias, moving.w_dot) + np.cross(moving.w, momentum)
    force = robot.masses[:, None] * moving.acceleration
    return np.asarray(np.einsum("kai,ka->i", J.linear, force) + np.einsum("kai,ka->i", J.angular, moment))


def weight_forces(robot: Robot, q: FloatArray) -> FloatArray:
    """G (3n,) [N m]: generalised forces of gravity."""
    return np.asarray(np.einsum("k,kai,a->i", robot.masses, jacobians(robot, q).linear, robot.gravity))


def uncabled_forces(robot: Robot, q: FloatArray, rates: FloatArray, accelerations: FloatArray) -> FloatArray:
    """Moments (3n,) [N m] that the cables must give: ``M q'' + h + c M q' + K (q + d q') - g``."""
    M, v = mass_matrix(robot, q), rates.ravel()
    elastic = stiffnesses(robot) * (q.ravel() + robot.stiffness_damping * v)
    inertia = M @ (accelerations.ravel() + robot.mass_damping * v) + inertial_forces(robot, q, rates)
    return inertia + elastic - weight_forces(robot, q)


class Energies(NamedTuple):
    """Energies [J] of a state of motion, and the power [W] that damping takes."""

    kinetic: float
    elastic: float
    gravity: float
    dissipation: float


def energies(robot: Robot, q: FloatArray, rates: FloatArray) -> Energies:
    """Energies with angles ``q`` (n, 3) [rad] and ``rates`` (n, 3) [rad/s]; weight counts from the base."""
    K, v = stiffnesses(robot), rates.ravel()
    kinetic = 0.5 * float(v @ mass_matrix(robot, q) @ v)
    centres = jacobians(robot, q).frames.positions[1:]
    return Energies(
        kinetic,
        0.5 * float(K @ q.ravel() ** 2),
        -float(robot.masses @ centres @ robot.gravity),
        2 * robot.mass_damping * kinetic + robot.stiffness_damping * float(K @ v**2),
    )


def cable_forms(robot: Robot, q: FloatArray) -> CableForms:
    """Lengths and derivatives in the state ``q`` (n, 3) [rad]."""
    cables, count = len(robot.holes), len(q)
    lengths, slopes = np.zeros(cables), np.zeros((cables, count, 3))
    curvatures = np.zeros((cables, count, 3, 3))
    for cable, hole in enumerate(robot.holes):
        for k in range(count):
            length, slopes[cable, k], curvatures[cable, k] = chord(q[k : k + 1], robot.L, hole)
            lengths[cable] += length
    return CableForms(lengths, slopes.reshape(cables, -1), curvatures)
