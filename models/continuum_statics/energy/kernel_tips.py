"""Compiled positions of the tip; :func:`models.continuum_statics.energy.positions.tip_of` is the twin."""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry
from models.floats import FloatArray

SMALL = 1e-8  # [rad]; the next term of both series is lost in rounding


@entry
def tips(L: float, states: FloatArray) -> FloatArray:
    """Positions (k, 3) [m] of the last arc's end in states (k, n, 3) [rad]; NaN stays NaN.

    ``L`` [m] is the length of an arc. Equations 6, 7, 13 and 14, from the tip inwards.
    """
    found = np.empty((len(states), 3))
    for place in range(len(states)):
        x, y, z = 0.0, 0.0, 0.0
        for k in range(states.shape[1] - 1, -1, -1):
            alpha, beta, gamma = states[place, k, 0], states[place, k, 1], states[place, k, 2]
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
        found[place, 0], found[place, 1], found[place, 2] = x, y, z
    return found
