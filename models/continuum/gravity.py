"""Directions of gravity by name, in the base frame of a robot whose straight backbone lies along z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.scene import Up

STANDARD_GRAVITY = 9.81  # [m/s^2], that of the papers
GRAVITIES: Mapping[str, tuple[float, float, float]] = {
    "horizontal": (0.0, -STANDARD_GRAVITY, 0.0),
    "down": (0.0, 0.0, STANDARD_GRAVITY),
    "up": (0.0, 0.0, -STANDARD_GRAVITY),
}
"""The robot lies with y upwards (horizontal), hangs (down) or stands (up)."""


def upwards(gravity: Sequence[float]) -> Up:
    """The axis of the base frame that points most nearly against ``gravity`` (3,); z where there is none."""
    against = [-part for part in gravity]
    axis = max(range(3), key=lambda each: abs(against[each]))
    names: tuple[tuple[Up, Up], ...] = (("x", "-x"), ("y", "-y"), ("z", "-z"))
    return names[axis][against[axis] < 0.0] if against[axis] else "z"
