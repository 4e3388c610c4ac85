"""Compiled greatest curvature of an element, from the moments at its ends and its mean bend."""

from __future__ import annotations

import math

from models.jit import inner

Plane = tuple[float, float]


@inner
def greatest_bending(near: Plane, mean: Plane, far: Plane) -> float:
    """Greatest curvature [1/m] along an element whose bending moment is a parabola.

    ``near`` and ``far`` are curvatures at both ends by x and y across the backbone, in a frame that follows
    it without twist; ``mean`` is that over the element. The parabola with these three has
    ``3/2 mean - (near + far) / 4`` in the middle: a straight line under loads at the disks alone, more where
    a cable pulls along the chord of a bowed element.
    """
    largest = max(math.hypot(near[0], near[1]), math.hypot(far[0], far[1]))
    x, y = 1.5 * mean[0] - (near[0] + far[0]) / 4, 1.5 * mean[1] - (near[1] + far[1]) / 4
    return max(largest, math.hypot(x, y))
