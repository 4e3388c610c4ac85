"""The law of tensions over a box of rotations in plain numpy: what the compiled one must reproduce.

Derivatives are differences of the wrench matrix, so that they check those of the kernels, too.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry import cable_lengths, scaled_wrench_matrix
from models.hybrid_cable_robot.robot import Robot, load_scale, rotation_matrix, tension_limits, wrench_centers
from models.numerics.rotations import velocity_matrix

STEP = 2e-4  # of the differences
FALL = 9.81


@dataclass(frozen=True)
class TensionLaw:
    """The law at one position, for one corner of the wrenches, with its bounds."""

    tensions: FloatArray
    rates: FloatArray
    bends: FloatArray
    gains: FloatArray
    lack: float
    change: float
    ranges: FloatArray
    limits: FloatArray

    def tensions_at(self, shares: FloatArray) -> FloatArray:
        """Tensions (m,) N by the law at shares (3,) of the half sides."""
        return self.tensions + self.rates @ shares + 0.5 * self.bends @ shares @ shares

    @property
    def holds(self) -> bool:
        """True if tensions within the limits hold the wrench throughout."""
        if self.change >= 1.0:
            return False
        off = np.linalg.norm(self.gains, axis=1) * self.lack / (1.0 - self.change)
        low, high = self.tensions + self.ranges[0] - off, self.tensions + self.ranges[1] + off
        return bool((low >= self.limits[0]).all() and (high <= self.limits[1]).all())


def wrench_at(robot: Robot, rotation: FloatArray, corner: FloatArray) -> FloatArray:
    """Scaled wrench (6,) of a corner, for the first posture."""
    return wrench_centers(robot, rotation)[0] * load_scale(robot) + corner


def tension_law(
    robot: Robot,
    position: FloatArray,
    center: FloatArray,
    steps: FloatArray,
    corner: FloatArray,
    *,
    together: bool = False,
) -> TensionLaw:
    """The law over the box with the rotation vector ``center`` (3,) and half sides ``steps`` (3, 3) in rows.

    From the analytic centre of the corner, or ``together`` from that of the centre of the wrenches.
    """
    R0, turns = rotation_matrix(center), steps @ velocity_matrix(center).T

    def at(shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        rotation = rotation_matrix(shares @ turns) @ R0
        return scaled_wrench_matrix(robot, position, rotation), wrench_at(robot, rotation, corner)

    W, w = at(np.zeros(3))
    first, second = zip(*(_differences(lambda shares, k=k: at(shares)[k]) for k in (0, 1)), strict=True)
    lower, upper = tension_limits(robot)
    t, gains = analytic_center(W, w - corner * together, lower, upper)
    t = t - gains @ corner * together
    rates = -gains @ np.column_stack([first[0][k] @ t + first[1][k] for k in range(3)])
    residual = np.empty((len(w), 3, 3))
    for k, j in itertools.product(range(3), repeat=2):
        residual[:, k, j] = second[0][k][j] @ t + second[1][k][j]
        residual[:, k, j] += first[0][k] @ rates[:, j] + first[0][j] @ rates[:, k]
    bends = -np.einsum("mi,ikj->mkj", gains, residual)
    lack, change = _bounds(robot, position, center, steps, (t, rates, bends, gains), first[0])
    slopes, square = np.abs(rates).sum(axis=1), np.einsum("mkk->mk", bends) / 2
    across = (np.abs(bends).sum(axis=(1, 2)) - 2 * np.abs(square).sum(axis=1)) / 2
    ranges = np.array(
        [
            np.minimum(square, 0).sum(axis=1) - slopes - across,
            np.maximum(square, 0).sum(axis=1) + slopes + across,
        ]
    )
    return TensionLaw(t, rates, bends, gains, lack, change, ranges, np.array([lower, upper]))


def _differences(function):
    """First (3, ...) and second (3, 3, ...) derivatives of a function of three shares at zero."""
    h, e = STEP, np.eye(3) * STEP
    first = [(function(x) - function(-x)) / (2 * h) for x in e]
    second = [
        [(function(x + y) - function(x - y) - function(y - x) + function(-x - y)) / (4 * h * h) for y in e]
        for x in e
    ]
    return first, second


def analytic_center(
    W: FloatArray, w: FloatArray, lower: FloatArray, upper: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The analytic centre (m,) of the tensions that hold w, and the weighted right inverse (m, 6) of W."""
    t = (lower + upper) / 2
    for _ in range(60):
        low, high = 1 / (t - lower), 1 / (upper - t)
        weights = 1 / (low**2 + high**2)
        free = (low - high) * weights
        gains = weights[:, None] * W.T @ np.linalg.inv(W * weights @ W.T)
        step = free + gains @ (-w - W @ t - W @ free)
        room = np.where(step > 0, upper - t, t - lower)
        t = t + min(1.0, 0.95 * float(np.min(room / np.maximum(np.abs(step), 1e-300)))) * step
    return t, gains


def _bounds(robot, position, center, steps, law, first):
    """Bounds of the residual and of ``W(e) G - I``, see :mod:`..bounds.tension_law_kernels`."""
    t, rates, bends, gains = law
    rho = math.sqrt(float((steps**2).sum()))
    reach = float(np.linalg.norm(center)) + rho
    stray = reach * math.exp(reach) / 12 * rho**2 * math.exp(rho) if center.any() else 0.0
    radius = rho + stray
    B = np.linalg.norm(robot.attachments, axis=1)
    lengths = cable_lengths(robot, position, rotation_matrix(center))
    q, lever = B / (lengths - B * radius), B / robot.length_scale
    one, two = q, q + 2 / math.sqrt(3) * q**2
    three = q + 2 * math.sqrt(3) * q**2 + 3 * q**3
    a = np.hypot(one, lever * (1 + one))
    b = np.hypot(two, lever * (1 + 2 * one + two))
    c = np.hypot(three, lever * (1 + 3 * one + 3 * two + three))
    heft = float(np.linalg.norm(robot.first_moments[0])) * FALL / robot.length_scale
    T = np.abs(rates).sum(axis=1)
    S = (np.abs(bends).sum(axis=(1, 2)) + np.abs(np.einsum("mkk->mk", bends)).sum(axis=1)) / 2
    lack = radius**3 / 6 * (heft + np.abs(t) @ c) + radius**2 / 2 * (T @ b) + radius * (S @ a)
    lack += stray * (heft + (np.abs(t) + T + S) @ a)
    sizes = np.linalg.norm(gains, axis=1)
    change = 0.0
    for each in first:
        product = np.abs(each @ gains)
        norms = float(product.sum(axis=0).max()), float(product.sum(axis=1).max())
        change += min(float(np.linalg.norm(product)), math.sqrt(norms[0] * norms[1]))
    return lack, change + radius**2 / 2 * (sizes @ b) + stray * (sizes @ a)
