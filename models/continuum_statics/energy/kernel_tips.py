"""Compiled positions of the tip; :func:`models.continuum_statics.energy.chain.frames` is the twin."""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry, inner
from models.floats import FloatArray

SMALL = 1e-8  # [rad]; the next term of both series is lost in rounding


@inner
def tip(L: float, q: FloatArray) -> tuple[float, float, float]:
    """Position [m] of the last arc's end in a state (n, 3) [rad]; NaN stays NaN.

    ``L`` [m] is the length of an arc. Equations 6, 7, 13 and 14, from the tip inwards.
    """
    x, y, z = 0.0, 0.0, 0.0
    for k in range(len(q) - 1, -1, -1):
        alpha, beta, gamma = q[k, 0], q[k, 1], q[k, 2]
        theta = math.sqrt(alpha * alpha + beta * beta)
        sinc, half = 1.0, 1.0
        if theta > SMALL:
            sinc, half = math.sin(theta) / theta, 2 * math.sin(0.5 * theta) / theta
        B, C = 0.5 * half * half, math.cos(theta)
        c, s = math.cos(gamma), math.sin(gamma)
        x, y = c * x - s * y, s * x + c * y
        along = B * (alpha * x + beta * y)
        x, y, z = (
            C * x + along * alpha + sinc * beta * z + L * beta * B,
            C * y + along * beta - sinc * alpha * z - L * alpha * B,
            C * z + sinc * (alpha * y - beta * x) + L * sinc,
        )
    return x, y, z


@entry
def tips(L: float, states: FloatArray) -> FloatArray:
    """:func:`tip`, (k, 3) of states (k, n, 3)."""
    found = np.empty((len(states), 3))
    for place in range(len(states)):
        found[place, 0], found[place, 1], found[place, 2] = tip(L, states[place])
    return found
