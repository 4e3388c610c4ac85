"""SVG pictures that are light on light pages and dark on dark ones: lines, arrows, labels, plots, scenes."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull

from dashboards.palette import LIFTED, PARTS
from models.scene import Box, Line, Points, Scene, Surface

FloatArray = NDArray[np.float64]
COLOURS = {
    "ink": "#1F2733", "faint": "#8A929C", "page": "#FFFFFF", "load": "#4B3FA0", "cables": PARTS["cables"],
    "platform": PARTS["platform"], "workspace": PARTS["workspace"], "backbone": PARTS["backbone"],
    "other": "#CC79A7",
}  # fmt: skip
DARK = {"ink": "#E6E9EE", "page": "#1E2129"}
"""Colours on dark pages; all others are those of figures, lifted as there."""
SIZE = 17.0
"""Height of letters, in units of the picture."""
_SYMBOL = re.compile(r"\{([^}]*)\}")
_INDEX = re.compile(r"_(\w+)")


@dataclass(slots=True)
class Picture:
    """Marks in a frame of ``width`` by ``height``, x right and y down, with a title."""

    width: float
    height: float
    title: str
    marks: list[str] = field(default_factory=list)

    def line(
        self, points: ArrayLike, colour: str, width: float = 1.5, *,
        dashed: bool = False, closed: bool = False, fill: str = "", opacity: float = 1.0, crisp: bool = False,
    ) -> None:  # fmt: skip
        """Draw a polyline through ``points`` (n, 2), filled with ``fill``; ``crisp`` ones leave no seams."""
        places = [f"{x:.1f} {y:.1f}" for x, y in np.asarray(points, dtype=np.float64).tolist()]
        path = f"M{places[0]}L{' '.join(places[1:])}{'Z' if closed else ''}"
        style = f' stroke-width="{width:g}"' if width else ' style="stroke:none"'
        style += ' stroke-dasharray="5 4"' if dashed else ""
        style += f' fill="var(--{fill})" fill-opacity="{opacity:g}"' if fill else ""
        style += ' shape-rendering="crispEdges"' if crisp else ""
        faint = f' stroke-opacity="{opacity:g}"' if opacity < 1.0 and not fill else ""
        self.marks.append(f'<path class="{colour}"{style}{faint} d="{path}"/>')

    def arrow(
        self, start: Sequence[float] | FloatArray, end: Sequence[float] | FloatArray, colour: str,
        width: float = 2.0,
    ) -> None:  # fmt: skip
        """Draw an arrow from ``start`` to ``end``."""
        first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
        way = (last - first) / np.linalg.norm(last - first)
        across = np.array([-way[1], way[0]])
        neck = last - 9.0 * way
        self.line([first, neck], colour, width)
        self.line([last, neck + 3.5 * across, neck - 3.5 * across], colour, 0, closed=True, fill=colour)

    def turn(self, points: FloatArray, colour: str, width: float = 2.0) -> None:
        """Draw a bent arrow along ``points`` (n, 2)."""
        self.line(points[:-1], colour, width)
        self.arrow(points[-2], points[-1] + 0.01 * (points[-1] - points[-2]), colour, width)

    def dot(
        self, at: Sequence[float] | FloatArray, colour: str, radius: float = 3.0, *, hollow: bool = False
    ) -> None:
        """Draw a dot; a hollow one has the colour of the page inside."""
        fill = "page" if hollow else colour
        self.marks.append(
            f'<circle class="{colour}" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" '
            f'stroke-width="1.5" fill="var(--{fill})"/>'
        )

    def text(
        self, at: Sequence[float] | FloatArray, words: str, colour: str = "ink", *, anchor: str = "start",
        size: float = SIZE,
    ) -> None:  # fmt: skip
        """Write ``words``; what stands in braces is a symbol, and what follows ``_`` in it is an index."""
        self.marks.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" font-size="{size:g}" '
            f'fill="var(--{colour})">{_markup(words)}</text>'
        )

    def label(
        self, at: Sequence[float] | FloatArray, place: Sequence[float] | FloatArray, words: str,
        colour: str = "ink", *, anchor: str = "",
    ) -> None:  # fmt: skip
        """Write ``words`` at ``place`` (left end, or right end left of ``at``) and lead a line to ``at``."""
        target, begin = np.asarray(at, dtype=np.float64), np.asarray(place, dtype=np.float64)
        side = anchor or ("start" if begin[0] >= target[0] else "end")
        shift = {"start": -4.0, "end": 4.0, "middle": 0.0}[side]
        self.line([begin + [shift, 0.0], target], "faint", 1)
        down = 5.0 if side != "middle" else (SIZE - 2 if begin[1] > target[1] else -4.0)
        self.text(begin + [0.0, down], words, colour, anchor=side)

    def svg(self) -> str:
        """The picture as SVG."""
        used = [name for name in COLOURS if any(f"--{name})" in m or f'"{name}"' in m for m in self.marks)]
        light = ";".join(f"--{name}:{COLOURS[name]}" for name in used)
        dark = ";".join(f"--{name}:{_dark(name)}" for name in used)
        strokes = "".join(f".{name}{{stroke:var(--{name})}}" for name in used)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" fill="none" stroke-linejoin="round" '
            f'stroke-linecap="round" font-family="sans-serif">'
        )
        style = (
            f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{strokes}"
            "i,.m{font-family:Cambria,'Latin Modern Math','STIX Two Math',serif;font-style:italic}</style>"
        )
        return "\n".join(
            [head, f"<title>{html.escape(self.title)}</title>", style, *self.marks, "</svg>", ""]
        )


def _dark(name: str) -> str:
    return DARK.get(name) or LIFTED.get(COLOURS[name], COLOURS[name])


def _markup(words: str) -> str:
    return _SYMBOL.sub(lambda found: f'<tspan class="m">{_indices(found[1])}</tspan>', html.escape(words))


def _indices(symbol: str) -> str:
    return _INDEX.sub(r'<tspan dy="4" font-size="75%">\1</tspan><tspan dy="-4">&#8203;</tspan>', symbol)


@dataclass(frozen=True, slots=True)
class View:
    """Parallel projection of points in space: ``columns`` (3, 2) right and down, then a scale and a place."""

    columns: FloatArray
    scale: float
    shift: FloatArray

    def __call__(self, points: ArrayLike) -> FloatArray:
        """Places (..., 2) in the picture of points (..., 3) m."""
        return np.asarray(points, dtype=np.float64) @ self.columns * self.scale + self.shift


def seen_from(azimuth: float, elevation: float, up: str = "z") -> FloatArray:
    """Columns (3, 2) of a view from a direction in degrees; ``up`` is the axis that points upwards."""
    a, e = np.radians([azimuth, elevation])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    above = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
    order = {"x": [1, 2, 0], "y": [2, 0, 1], "z": [0, 1, 2]}[up.removeprefix("-")]
    columns = np.empty((3, 2))
    columns[order] = np.column_stack([right, -above])
    return -columns if up.startswith("-") else columns


def fitted(columns: FloatArray, points: FloatArray, box: Sequence[float]) -> View:
    """View that puts ``points`` (n, 3) into ``box``: left, top, right, bottom."""
    flat = np.asarray(points, dtype=np.float64) @ columns
    low, high = flat.min(axis=0), flat.max(axis=0)
    corner, end = np.array(box[:2]), np.array(box[2:])
    scale = float(((end - corner) / np.maximum(high - low, 1e-9)).min())
    return View(columns, scale, (corner + end) / 2 - scale * (low + high) / 2)


def scene_points(scene: Scene) -> FloatArray:
    """All points (n, 3) m of a scene."""
    return np.concatenate([_points(shape) for shape in scene.shapes])


def _points(shape: Line | Box | Surface | Points) -> FloatArray:
    if isinstance(shape, Box):
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
        return shape.center + signs * shape.half_size @ shape.rotation.T
    return shape.vertices if isinstance(shape, Surface) else shape.points


def draw_scene(
    picture: Picture, view: View, scene: Scene, colours: dict[str, str], width: float = 1.5
) -> None:
    """Draw the shapes of a scene whose group or name has a colour; all others are left out."""
    for shape in scene.shapes:
        group = (shape.group if isinstance(shape, Line) else "") or shape.name
        colour = colours.get(group) or colours.get(group.rstrip(" 0123456789"))
        if colour is None:
            continue
        places = view(_points(shape))
        if isinstance(shape, Line):
            picture.line(places, colour, width * (2 if colour == "backbone" else 1), dashed=shape.dashed)
        elif isinstance(shape, Points):
            for place in places:
                picture.dot(place, colour, 2.5)
        else:
            hull = places[ConvexHull(places).vertices]
            picture.line(hull, colour, width, closed=True, fill=colour, opacity=0.3)


def draw_frame(
    picture: Picture, view: View, origin: Sequence[float] | FloatArray, size: float, *,
    rotation: FloatArray | None = None, names: Sequence[str] = ("x", "y", "z"), colour: str = "ink",
) -> None:  # fmt: skip
    """Draw the axes of a frame, each ``size`` m long, with its letters; an axis without one is left out."""
    start, turned = np.asarray(origin, dtype=np.float64), np.eye(3) if rotation is None else rotation
    for axis, name in zip(turned.T, names, strict=True):
        if name:
            first, last = view(start), view(start + size * axis)
            picture.arrow(first, last, colour, 1.8)
            way = (last - first) / np.linalg.norm(last - first)
            picture.text(last + 11 * way + [0, 5], f"{{{name}}}", colour, anchor="middle")


@dataclass(frozen=True, slots=True)
class Plot:
    """Axes of a plot: the frame ``box`` (left, top, right, bottom) with the limits of both axes."""

    picture: Picture
    box: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]

    def __call__(self, points: ArrayLike) -> FloatArray:
        """Places (..., 2) in the picture of values (..., 2)."""
        left, top, right, bottom = self.box
        values = np.asarray(points, dtype=np.float64)
        low, high = np.array([self.x[0], self.y[0]]), np.array([self.x[1], self.y[1]])
        return np.array([left, bottom]) + (values - low) / (high - low) * [right - left, top - bottom]

    def axes(self, x_name: str, y_name: str, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> None:
        """Draw the frame, ticks with numbers, and names; that of y stands above the axis."""
        left, top, right, bottom = self.box
        small = SIZE - 2
        self.picture.line([[left, top], [left, bottom], [right, bottom]], "faint", 1)
        for tick in x_ticks:
            at = self([tick, self.y[0]])
            self.picture.line([at, at + [0, 4]], "faint", 1)
            self.picture.text(at + [0, 19], f"{tick:g}", anchor="middle", size=small)
        for tick in y_ticks:
            at = self([self.x[0], tick])
            self.picture.line([at, at - [4, 0]], "faint", 1)
            self.picture.text(at + [-7, 5], f"{tick:g}", anchor="end", size=small)
        self.picture.text([(left + right) / 2, bottom + 38], x_name, anchor="middle", size=small)
        self.picture.text([left - 36, top - 15], y_name, size=small)

    def curve(
        self, x: FloatArray, y: FloatArray, colour: str, width: float = 2.0, *, dashed: bool = False
    ) -> None:
        """Draw values (n,) over values (n,)."""
        self.picture.line(self(np.column_stack([x, y])), colour, width, dashed=dashed)


def resampled(points: FloatArray, count: int) -> FloatArray:
    """``count`` points evenly spread along a polyline (n, d), as many on any machine."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(wanted, along, column) for column in points.T])
