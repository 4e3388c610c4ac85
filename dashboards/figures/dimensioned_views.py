"""A scene from three sides as plain SVG, with its dimensions: for paper, where no script runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from dashboards.figures.scene import line_group
from dashboards.figures.three_views import thinned
from dashboards.formatting import scale_of
from dashboards.palette import part_colours
from models.arrays import FloatArray
from models.scene import Box, Line, Points, Scene, Surface

_VIEWS = (("from the front", 0, 2), ("from the side", 1, 2), ("from above", 0, 1))
_WIDTH, _HEIGHT = 46.0, 40.0  # mm, the most that a view takes
_LEFT, _BELOW, _ABOVE = 11.0, 9.0, 5.0  # mm, for dimensions and the heading
_MOST_CELLS = 4000
_MOST_POINTS = 400


@dataclass(frozen=True, slots=True)
class Stroke:
    """A path of an SVG in mm, as its attribute ``d`` says it."""

    d: str
    colour: str
    width: float
    filled: bool = False


@dataclass(frozen=True, slots=True)
class DimensionedView:
    """One side of a scene: strokes, and the lengths of the two sides of the robot, in words. All in mm.

    ``left``, ``right``, ``top``, ``bottom`` are the ends of the dimensions, whose lines run at ``wall`` and
    ``floor``, beside everything that is drawn.
    """

    title: str
    across: str
    above: str
    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    wall: float
    floor: float
    strokes: tuple[Stroke, ...]
    lengths: tuple[str, str]


@dataclass(frozen=True, slots=True)
class DimensionedViews:
    """The three sides on one scale, the colours of the parts, and how large the drawing is on paper."""

    views: tuple[DimensionedView, ...]
    keys: tuple[tuple[str, str], ...]
    scale: str


def dimensioned_views(scene: Scene) -> DimensionedViews | None:
    """The scene from the front, from the side and from above; None where there is nothing to draw.

    Dimensions are those of everything but the cells of the workspace. Lines at several moments are drawn as
    they are at the last.
    """
    outlines = [points for shape in scene.shapes if not _is_cells(shape) for points in _outline(shape)]
    every = [points for shape in scene.shapes for points in _outline(shape)]
    if not every:
        return None
    robot, whole = np.concatenate(outlines or every), np.concatenate(every)
    low, high = whole.min(axis=0), whole.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    per_metre = min(_WIDTH / float(span[:2].max()), _HEIGHT / float(span.max()))
    colours = part_colours([_part(shape) for shape in scene.shapes])
    place = _Placement(low, high, per_metre, flipped=scene.up == "-z")
    return DimensionedViews(
        tuple(_view(scene, robot, place, colours, *view) for view in _VIEWS),
        tuple(colours.items()),
        _scale_text(1000.0 / per_metre),
    )


@dataclass(frozen=True, slots=True)
class _Placement:
    """Map from metres in the world to millimetres on paper."""

    low: FloatArray
    high: FloatArray
    per_metre: float
    flipped: bool

    def on_paper(self, points: FloatArray, across: int, above: int) -> FloatArray:
        """Points (n, 3) m as (n, 2) mm; on paper, y points down."""
        x = _LEFT + (points[:, across] - self.low[across]) * self.per_metre
        down = points[:, above] - self.low[above]
        if not (self.flipped and above == 2):
            down = self.high[above] - points[:, above]
        return np.stack([x, _ABOVE + down * self.per_metre], axis=1)


def _view(
    scene: Scene,
    robot: FloatArray,
    place: _Placement,
    colours: dict[str, str],
    title: str,
    across: int,
    above: int,
) -> DimensionedView:
    ends = place.on_paper(robot, across, above)
    (left, top), (right, bottom) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
    size = (place.high - place.low) * place.per_metre
    span = np.ptp(robot, axis=0)
    ordered = sorted(scene.shapes, key=lambda shape: not _is_cells(shape))
    return DimensionedView(
        title, "xyz"[across], "xyz"[above],
        round(_LEFT + float(size[across]) + 3.0, 2), round(_ABOVE + float(size[above]) + _BELOW, 2),
        round(left, 2), round(right, 2), round(top, 2), round(bottom, 2), _LEFT,
        round(_ABOVE + float(size[above]), 2),
        tuple(s for shape in ordered for s in _strokes(shape, place, colours[_part(shape)], across, above)),
        (_length(float(span[across])), _length(float(span[above]))),
    )  # fmt: skip


def _length(metres: float) -> str:
    return scale_of([metres], "m").show(metres)


def _scale_text(ratio: float) -> str:
    return f"1 : {ratio:.3g}"


def _strokes(
    shape: Line | Box | Surface | Points, place: _Placement, colour: str, across: int, above: int
) -> list[Stroke]:
    if isinstance(shape, Points) and shape.cell_size is not None:
        return [_cells(shape, shape.cell_size, place, colour, across, above)]
    if isinstance(shape, Points | Surface):
        points = shape.points if isinstance(shape, Points) else shape.vertices
        few = points[thinned(points, _MOST_POINTS)] if len(points) else points
        dots = "".join(f"M{x:.2f} {y:.2f}h0" for x, y in place.on_paper(few, across, above).tolist())
        return [Stroke(dots, colour, 1.3 if len(few) < 60 else 0.5)]
    width = 0.7 if isinstance(shape, Box) else 0.35
    return [Stroke(_path(place.on_paper(p, across, above)), colour, width) for p in _outline(shape)]


def _cells(
    shape: Points, cell_size: FloatArray, place: _Placement, colour: str, across: int, above: int
) -> Stroke:
    """The silhouette of filled cells: one square for all cells behind each other."""
    centres = np.unique(np.round(place.on_paper(shape.points, across, above), 2), axis=0)
    width, height = (float(cell_size[i]) * place.per_metre for i in (across, above))
    few = centres[thinned(centres, _MOST_CELLS)]
    squares = "".join(
        f"M{x - width / 2:.2f} {y - height / 2:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}z"
        for x, y in few.tolist()
    )
    return Stroke(squares, colour, 0.0, filled=True)


def _path(points: FloatArray) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points.tolist())


_CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
_EDGES = [
    (a, b) for a in range(8) for b in range(a + 1, 8) if np.count_nonzero(_CORNERS[a] != _CORNERS[b]) == 1
]


def _outline(shape: Line | Box | Surface | Points) -> Sequence[FloatArray]:
    """Polylines (n, 3) m of a shape."""
    if isinstance(shape, Box):
        corners = shape.center + (_CORNERS * shape.half_size) @ shape.rotation.T
        return [corners[list(edge)] for edge in _EDGES]
    if isinstance(shape, Surface):
        return [shape.vertices] if len(shape.vertices) else []
    if isinstance(shape, Points) and shape.cell_size is not None and len(shape.points):
        half = shape.cell_size / 2
        return [np.stack([shape.points.min(axis=0) - half, shape.points.max(axis=0) + half])]
    return [shape.points] if len(shape.points) else []


def _is_cells(shape: Line | Box | Surface | Points) -> bool:
    return isinstance(shape, Points) and shape.cell_size is not None


def _part(shape: Line | Box | Surface | Points) -> str:
    return line_group(shape) if isinstance(shape, Line) else shape.name
