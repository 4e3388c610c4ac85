"""Wheels over which cables run, as the drawing of a design has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from models.mechanism import StraightCable
from models.scene import Line
from studies.exchange.design import Design, FloatArray

_GROUP = "pulleys"  # of the circles that a drawing has around its wheels
_SHARE = 0.2  # thickness of a wheel that is drawn, as a share of its radius
_ON_CIRCLE = 1e-9


class Wheel(NamedTuple):
    """A wheel, swivelled as drawn: middle (3,) m, unit vector (3,) along its axle, radius m."""

    name: str
    center: FloatArray
    axle: FloatArray
    radius: float

    @property
    def ends(self) -> FloatArray:
        """Middles (2, 3) m of its two faces."""
        half = _SHARE * self.radius / 2 * self.axle
        return np.array([self.center - half, self.center + half])


def wheels_of(design: Design) -> Iterator[Wheel]:
    """Yield the wheels of a design."""
    for group, name, points in design.lines():
        if group == _GROUP:
            center = points[:-1].mean(axis=0)
            spokes = points - center
            radius = float(np.linalg.norm(spokes[0]))
            normal = np.cross(spokes[0], spokes[len(points) // 4])
            yield Wheel(name, center, normal / np.linalg.norm(normal), radius)


def straight_part(design: Design, cable: StraightCable, ends: FloatArray) -> FloatArray:
    """Return the ends (2, 3) m of a cable without its part on a wheel, the wheel's end first."""
    number = int(cable.name.rpartition("_")[2])
    wheel = next((each for each in wheels_of(design) if each.name == f"pulley {number}"), None)
    drawn = next(
        (shape for shape in design.scene.shapes if isinstance(shape, Line) and shape.number == number), None
    )
    if wheel is None or drawn is None:
        return ends
    beside = np.abs(np.linalg.norm(drawn.points - wheel.center, axis=1) - wheel.radius)
    leaving = drawn.points[np.argmax(beside <= _ON_CIRCLE * max(1.0, wheel.radius))]
    return np.array([leaving, ends[1]])
