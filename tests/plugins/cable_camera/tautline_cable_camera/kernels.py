"""The grid of positions, compiled; :func:`tautline_cable_camera.tensions.tensions` is the definition."""

import math

from numba import njit

from tautline_cable_camera.tensions import GRAVITY


@njit(cache=True)
def evaluate_grid(span, depth, tension_min, tension_max, mass, acceleration, cells):
    """Cells whose tensions keep their limits, the greatest tension there, the least violation anywhere.

    Positions are the centres of ``cells`` by ``cells`` cells of the rectangle below the anchors. The
    violation of a cell is by how much its worse tension leaves the limits, over ``tension_max``.
    """
    feasible, greatest, least = 0, 0.0, math.inf
    for i in range(cells):
        x = ((i + 0.5) / cells - 0.5) * span
        for k in range(cells):
            z = -(k + 0.5) / cells * depth
            left_x, right_x = -0.5 * span - x, 0.5 * span - x
            left, right = math.hypot(left_x, z), math.hypot(right_x, z)
            determinant = (left_x * -z - right_x * -z) / (left * right)
            first = -mass * GRAVITY * right_x / right / determinant
            second = mass * GRAVITY * left_x / left / determinant
            change = mass * acceleration / abs(determinant)
            low, high = min(first, second) - change, max(first, second) + change
            violation = max(tension_min - low, high - tension_max) / tension_max
            least = min(least, violation)
            if violation <= 0.0:
                feasible += 1
                greatest = max(greatest, high)
    return feasible, greatest, least
