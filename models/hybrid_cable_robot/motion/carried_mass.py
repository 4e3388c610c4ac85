"""Mass of platform and moving arm over time, in the platform's frame: all that the platform's motion needs.

The arm moves on the platform as its trajectory says, so that mass m, first moment s, inertia I about the
platform's origin and the arm's angular momentum h relative to the platform are functions of time alone. With
A the acceleration of the origin less gravity's, w and alpha the angular velocity and acceleration, all in the
platform's frame, force and torque about the origin are::

    F = m A + alpha x s + w x (w x s) + 2 w x s' + s''
    T = s x A + I alpha + w x (I w + h) + I' w + h'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.dynamics import platform_wrench
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import ArmMotion, PlatformMotion, quintics

UPPER = (np.array([0, 1, 2, 0, 0, 1]), np.array([0, 1, 2, 1, 2, 2]))
"""Rows and columns of the entries of a symmetric matrix that are stored: xx, yy, zz, xy, xz, yz."""


class Pieces(NamedTuple):
    """Polynomials of fifth degree of d quantities, piece by piece; before and after them nothing changes.

    Attributes
    ----------
    times : (w,) float, s
        Ends of the pieces.
    coefficients : (6, w - 1, d) float
        In powers of the share of a piece.
    """

    times: FloatArray
    coefficients: FloatArray


class CarriedMass(NamedTuple):
    """Mass [kg] of platform and arm, and ``s`` [kg m], ``I`` [kg m^2] (``UPPER``) and ``h`` [kg m^2/s]."""

    mass: float
    moments: Pieces


def carried_mass(parameters: HybridCableRobot, times: FloatArray, arm: ArmMotion) -> CarriedMass:
    """Mass of platform and arm over ``times`` (n,) s of a motion of the arm, at least two.

    The coefficients follow from the Newton-Euler recursion: it is linear in acceleration and in angular
    acceleration, and what changes sign with the angular velocity is linear in it.
    """
    unit, none = np.eye(3)[:, None], np.zeros((3, 1, 3))
    F, T = _demand(parameters, arm, np.zeros((1, 1, 3)), np.zeros((1, 1, 3)), np.zeros((1, 1, 3)))
    lifted = _demand(parameters, arm, unit, none, none)
    spun_up = _demand(parameters, arm, none, none, unit)
    ahead, back = (_demand(parameters, arm, none, sign * unit, none) for sign in (1.0, -1.0))
    s, inertia = _axis(lifted[1] - T), np.moveaxis(spun_up[1] - T, 0, -1)
    s_rate = -_axis(ahead[0] - back[0]) / 4
    gyration = np.moveaxis(ahead[1] - back[1], 0, -1) / 2  # I' less the cross product with h
    change, h = (gyration + np.swapaxes(gyration, 1, 2)) / 2, -_axis(ahead[1] - back[1]) / 2
    rows, rates = (
        np.concatenate([first, tensor[:, *UPPER], momentum], axis=1)
        for first, tensor, momentum in ((s, inertia, h), (s_rate, change, T[0]))
    )
    mass = sum(body.mass for body in (parameters.platform_body, *parameters.arm_links))
    return CarriedMass(mass, Pieces(times, _hermite_pieces(times, rows, rates, F[0])))


def _demand(
    parameters: HybridCableRobot, arm: ArmMotion, lift: FloatArray, w: FloatArray, alpha: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Force and torque (k, n, 3) of k motions (k, 1, 3) of a platform that is not turned."""
    still = np.zeros(lift.shape)
    turns = np.broadcast_to(np.eye(3), (*lift.shape[:2], 3, 3))
    motion = PlatformMotion(still, turns, still, lift + GRAVITY, w, alpha)
    wrench = platform_wrench(parameters, motion, arm).wrench
    return wrench[..., :3], wrench[..., 3:]


def _axis(columns: FloatArray) -> FloatArray:
    """Vectors (n, 3) whose cross products with the unit vectors are the odd part of columns (3, n, 3)."""
    x, y, z = columns
    return np.stack([y[:, 2] - z[:, 1], z[:, 0] - x[:, 2], x[:, 1] - y[:, 0]], axis=1) / 2


def _hermite_pieces(
    times: FloatArray, rows: FloatArray, rates: FloatArray, s_seconds: FloatArray
) -> FloatArray:
    """Coefficients (6, n - 1, 12): quintics of ``s``, whose second rates are known, cubics of the others."""
    h = np.diff(times)[:, None]
    gap, first, last = np.diff(rows, axis=0), h * rates[:-1], h * rates[1:]
    none = np.zeros(gap.shape)
    cubics = np.stack([rows[:-1], first, 3 * gap - 2 * first - last, first + last - 2 * gap, none, none])
    cubics[:, :, :3] = quintics(h, rows[:, :3], rates[:, :3], s_seconds)
    return cubics
