"""What a 3D view of a design shows: named shapes in the world frame, in metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Up = Literal["x", "y", "z", "-x", "-y", "-z"]
"""The direction of the world frame that points upwards in a picture."""


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline. ``points`` : (n, 3) float, m. ``group`` joins lines of one kind in the legend."""

    name: str
    points: FloatArray
    group: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A box. ``center`` (3,) m, ``rotation`` (3, 3) body to world, ``half_size`` (3,) m."""

    name: str
    center: FloatArray
    rotation: FloatArray
    half_size: FloatArray


@dataclass(frozen=True, slots=True)
class Surface:
    """A triangle mesh. ``vertices`` (n, 3) m, ``triangles`` (k, 3) int."""

    name: str
    vertices: FloatArray
    triangles: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Points:
    """A set of points. ``points`` (n, 3) m.

    ``cell_size`` (3,) m is given where the points are the centres of filled grid cells.
    """

    name: str
    points: FloatArray
    cell_size: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All shapes of one design, and sentences that say at which pose and under what conditions.

    ``up`` is the direction that pictures draw upwards: where gravity does not point along -z.
    """

    shapes: tuple[Line | Box | Surface | Points, ...]
    caption: str = ""
    up: Up = "z"
