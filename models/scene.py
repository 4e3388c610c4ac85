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

    ``cell_size`` (3,) m is given where the points are the centres of filled grid cells. ``values`` (n,) give
    each point a colour, and cells with values are drawn as points; ``value_name`` says what the values are,
    with their unit in brackets unless they have none. ``value_range`` (2,) are the ends of the colour scale,
    the least first; without it, they are those of the values, and colours of two designs cannot be compared.
    """

    name: str
    points: FloatArray
    cell_size: FloatArray | None = None
    values: FloatArray | None = None
    value_name: str = ""
    value_range: FloatArray | None = None


def value_fault(shape: Points) -> str:
    """What is wrong with the values of points and their scale; empty if nothing is."""
    if shape.values is None:
        stray = bool(shape.value_name) or shape.value_range is not None
        return f"'{shape.name}' has no values, but a name or a range for them" if stray else ""
    if shape.values.shape != (len(shape.points),):
        return f"'{shape.name}' has {len(shape.points)} points and values of shape {shape.values.shape}"
    if not np.isfinite(shape.values).all():
        return f"'{shape.name}' has a value that is not a finite number"
    if not shape.value_name:
        return f"'{shape.name}' does not name its values"
    ends = shape.value_range
    if ends is not None and not (ends.shape == (2,) and np.isfinite(ends).all() and ends[0] < ends[1]):
        return f"'{shape.name}' has the value range {ends.tolist()}; give two finite numbers, the less first"
    return ""


@dataclass(frozen=True, slots=True)
class Scene:
    """All shapes of one design, and sentences that say at which pose and under what conditions.

    ``up`` is the direction that pictures draw upwards: where gravity does not point along -z.
    """

    shapes: tuple[Line | Box | Surface | Points, ...]
    caption: str = ""
    up: Up = "z"
