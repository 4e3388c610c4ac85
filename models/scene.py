"""Scenes of a design in 3D: named shapes in the world frame, in metres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
MOST_MOMENTS = 500
MOST_MOVING_POINTS = 200_000
"""Most points of all moments of a scene together, so that a browser can hold and draw them."""
TENSION = "tension [N]"
"""The name of the value of a cable."""
AT_LIMIT = 1e-6
"""Share of the range between two limits within which a value stands at one of them."""
Up = Literal["x", "y", "z", "-x", "-y", "-z"]
"""The direction of the world frame that points upwards in a picture."""


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline. ``points`` : (n, 3) float, m. ``group`` joins lines of one kind in the legend.

    ``number`` is written at the last point; 0 for none. ``value`` gives the line a colour, and ``value_name``
    says what it is, with its unit in brackets, such as "tension [N]". ``value_range`` (2,) are the limits of
    the value, the least first; they are the ends of the colour scale. ``dashed`` lines carry nothing, or as
    little as they may.
    """

    name: str
    points: FloatArray
    group: str = ""
    number: int = 0
    value: float | None = None
    value_name: str = ""
    value_range: FloatArray | None = None
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A box. ``center`` (3,) m, ``rotation`` (3, 3) body to world, ``half_size`` (3,) m."""

    name: str
    center: FloatArray
    rotation: FloatArray
    half_size: FloatArray


@dataclass(frozen=True, slots=True)
class Surface:
    """A triangle mesh, ``solid`` if of a body. ``vertices`` (n, 3) m, ``triangles`` (k, 3) int."""

    name: str
    vertices: FloatArray
    triangles: NDArray[np.int64]
    solid: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """A set of points. ``points`` (n, 3) m.

    ``cell_size`` (3,) m is given where the points are the centres of filled grid cells. ``values`` (n,) give
    each point a colour, and cells with values are drawn as points; ``value_name`` says what the values are,
    with their unit in brackets unless they have none. ``value_range`` (2,) are the ends of the colour scale,
    the least first; without it, they are those of the values, and colours of two designs cannot be compared.
    Points that are not ``shown`` stand in the legend, where one can switch them on.
    """

    name: str
    points: FloatArray
    cell_size: FloatArray | None = None
    values: FloatArray | None = None
    value_name: str = ""
    value_range: FloatArray | None = None
    shown: bool = True


def value_fault(shape: Points | Line) -> str:
    """The fault of the values of points or a line, and of their scale; empty if there is none."""
    values = shape.values if isinstance(shape, Points) else shape.value
    if values is None:
        stray = bool(shape.value_name) or shape.value_range is not None
        return f"'{shape.name}' has no values, but a name or a range for them" if stray else ""
    if isinstance(shape, Points) and np.shape(values) != (len(shape.points),):
        return f"'{shape.name}' has {len(shape.points)} points and values of shape {np.shape(values)}"
    if not np.isfinite(values).all():
        return f"'{shape.name}' has a value that is not a finite number"
    if not shape.value_name:
        return f"'{shape.name}' does not name its values"
    ends = shape.value_range
    if ends is not None and not (ends.shape == (2,) and np.isfinite(ends).all() and ends[0] < ends[1]):
        return f"'{shape.name}' has the value range {ends.tolist()}; give two finite numbers, the less first"
    return ""


def pulled(cables: Iterable[Line], tensions: Iterable[float]) -> list[Line]:
    """Cables with their tensions [N], dashed where they are slack."""
    return [
        replace(cable, value=float(tension), value_name=TENSION, dashed=bool(tension <= 0.0))
        for cable, tension in zip(cables, tensions, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Moment:
    """Moving lines of a scene at one time. ``time`` : s, from the start of the motion."""

    time: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class PostureCoordinate:
    """Something that a picture may move although no parameter of the design says where it is: a joint, say.

    ``value`` is where it is drawn, between ``lower`` and ``upper``, all in ``unit`` (as Pint reads it, SI).
    """

    name: str
    unit: str
    lower: float
    upper: float
    value: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All shapes of one design, and sentences that say at which pose and under what conditions.

    ``up`` is the direction that pictures draw upwards: where gravity does not point along -z. ``posture`` is
    what a picture may move, as it is drawn; :func:`models.scene_view.scene_of_view` fills it in.

    ``moments`` show a motion, in the order of their times. They hold the lines that move: the same ones in
    each moment, by name and group, with as many points. These lines are among ``shapes`` too, as they are at
    the last moment; all other shapes stand still.
    """

    shapes: tuple[Line | Box | Surface | Points, ...]
    caption: str = ""
    up: Up = "z"
    moments: tuple[Moment, ...] = ()
    posture: tuple[PostureCoordinate, ...] = ()


def posture_fault(posture: Sequence[PostureCoordinate]) -> str:
    """The fault of the coordinates of a posture; empty if there is none."""
    names = [each.name for each in posture]
    if not all(names) or len(set(names)) < len(names):
        return "coordinates of a posture need different names"
    for each in posture:
        ends = (each.lower, each.value, each.upper)
        if not np.isfinite(ends).all() or not each.lower <= each.value <= each.upper:
            return f"'{each.name}' stands at {each.value:g} and goes from {each.lower:g} to {each.upper:g}"
    return ""


def motion_fault(scene: Scene) -> str:
    """The fault of the moments of a scene; empty if there is none."""
    moments = scene.moments
    if not moments:
        return ""
    if not 2 <= len(moments) <= MOST_MOMENTS:
        return f"a scene has no moments or 2 to {MOST_MOMENTS}; this one has {len(moments)}"
    times = np.array([moment.time for moment in moments], dtype=np.float64)
    if not np.isfinite(times).all() or (np.diff(times) <= 0.0).any():
        return "the times of moments must be finite, and each later than the one before"
    return _lines_fault(scene)


def _lines_fault(scene: Scene) -> str:
    """The fault of the lines of the moments, of which there are some."""
    first = [(*_key(line), line.points.shape) for line in scene.moments[0].lines]
    if not first or len(set(first)) < len(first):
        return "moments need lines with different names"
    for moment in scene.moments:
        if [(*_key(line), line.points.shape) for line in moment.lines] != first:
            return (
                f"the moment at {moment.time:g} s has other lines, or lines of other lengths, than the first"
            )
        if not all(line.points.shape[1:] == (3,) and np.isfinite(line.points).all() for line in moment.lines):
            return f"the moment at {moment.time:g} s has a point that is not three finite numbers"
    count = len(scene.moments) * sum(len(line.points) for line in scene.moments[0].lines)
    if count > MOST_MOVING_POINTS:
        return f"the moments have {count} points together; at most {MOST_MOVING_POINTS} can be shown"
    still = [shape for shape in scene.shapes if isinstance(shape, Line)]
    for line in scene.moments[-1].lines:
        same = [each for each in still if _key(each) == _key(line)]
        if len(same) != 1 or not np.array_equal(same[0].points, line.points):
            return f"'{line.name}' moves, but is not once among the shapes as it is at the last moment"
    return ""


def _key(line: Line) -> tuple[str, str]:
    return line.name, line.group
