"""Pictures stand upright: gravity points down in them, whatever axis it follows in the world."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures.axes import axis_3d
from dashboards.templating import rounded
from models.scene import Up

FloatArray = NDArray[np.float64]
CAMERA = {
    "eye": {"x": 1.15, "y": -1.5, "z": 0.55},
    "center": {"x": 0, "y": 0, "z": -0.05},
    "up": {"x": 0, "y": 0, "z": 1},
}
_NAMES = "xyz"
_OBLIQUE = math.radians(65)  # between the line of sight and a way that is looked across
_LONGEST = 1.15  # side of a box in units of the picture


@dataclass(frozen=True, slots=True)
class Upright:
    """World axis along each axis of a picture, and the direction of each.

    The third axis of a picture points up. Axes are exchanged in a circle and turned in pairs, so
    that a right-handed frame stays right-handed.
    """

    order: tuple[int, int, int]
    turned: bool

    @property
    def names(self) -> tuple[str, str, str]:
        """World axes along the picture's axes: across, away and up."""
        first, second, third = self.order
        return _NAMES[first], _NAMES[second], _NAMES[third]

    def backwards(self, place: int) -> bool:
        """True if the picture's axis number ``place`` runs against the world's."""
        return self.turned and place > 0

    def placed(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        """A trace in world coordinates, its coordinates handed to the picture's axes."""
        return {**trace, **{axis: trace[name] for axis, name in zip(_NAMES, self.names, strict=True)}}


def upright(up: Up) -> Upright:
    """The axes of a picture in which the world's direction ``up`` points upwards."""
    third = _NAMES.index(up[-1])
    return Upright(((third + 1) % 3, (third + 2) % 3, third), up.startswith("-"))


def camera_across(view: Upright, way: FloatArray, camera: Mapping[str, Any] = CAMERA) -> Mapping[str, Any]:
    """A camera, turned about the vertical until it looks across a ``way`` (3,) of the world.

    A robot that bends along the way would otherwise bend towards whoever looks.
    """
    signs = [-1.0 if view.backwards(place) else 1.0 for place in range(2)]
    x, y = (sign * float(way[view.order[place]]) for place, sign in enumerate(signs))
    if math.hypot(x, y) == 0.0:
        return camera
    eye = camera["eye"]
    distance, azimuth = math.hypot(eye["x"], eye["y"]), math.atan2(y, x) - _OBLIQUE
    turned = {"x": distance * math.cos(azimuth), "y": distance * math.sin(azimuth), "z": eye["z"]}
    return {**camera, "eye": {name: rounded([value], 4)[0] for name, value in turned.items()}}


def scene_axes(view: Upright, lower: FloatArray, upper: FloatArray) -> dict[str, Any]:
    """Axes of a 3D scene of equal scale between two corners (3,) m of the world.

    Plotly's own way to equal scales would fit each axis to what is drawn, not to its range. Cubes and
    long boxes alike fit into the picture.
    """
    axes: dict[str, Any] = {}
    ratio: dict[str, float | None] = {}
    span = upper - lower
    size = max(float(np.cbrt(span.prod())), float(span.max()) / _LONGEST)
    for place, (axis, world) in enumerate(zip(_NAMES, view.order, strict=True)):
        ends = rounded([lower[world], upper[world]])
        if view.backwards(place):
            ends.reverse()
        ticks = 6 if span[world] > 0.5 * span.max() else 4
        axes[f"{axis}axis"] = axis_3d(f"{_NAMES[world]} [m]", range=ends, nticks=ticks)
        ratio[axis] = rounded([span[world] / size])[0]
    return {**axes, "aspectmode": "manual", "aspectratio": ratio}
