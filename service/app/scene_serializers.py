"""Scenes as the resources that faces show: small shapes whole, large ones as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures import Figure, has_extent, packed, scene_figure, scene_summary
from dashboards.formatting import prose
from errors import AbsentError
from models.scene import Box, Line, Points, Scene, Surface
from service.resources.review import SceneFigureResource
from service.resources.studies import SceneResource, ShapeResource

Shape = Line | Box | Surface | Points


@dataclass(frozen=True, slots=True)
class FloatTable:
    """Rows of numbers: ``values`` (n, m) float32, a name and a unit for each column."""

    values: NDArray[np.float32]
    columns: Sequence[str]
    units: Sequence[str]


def scene_resource(key: str, scene: Scene) -> SceneResource:
    """A scene with its large shapes left to be fetched."""
    shapes = [_shape(number, shape) for number, shape in enumerate(scene.shapes)]
    return SceneResource(key=key, caption=scene.caption, up=scene.up, shapes=shapes)


def scene_figure_resource(key: str, scene: Scene) -> SceneFigureResource:
    """A scene as Plotly draws it; a single point, as of a test function, is nothing to draw."""
    drawn: Figure = packed(scene_figure(scene)) if has_extent(scene) else {"data": [], "layout": {}}
    return SceneFigureResource(
        key=key,
        caption=prose(scene.caption),
        summary=scene_summary(scene) if scene.shapes else "",
        data=drawn["data"],
        layout=drawn["layout"],
    )


def _shape(number: int, shape: Shape) -> ShapeResource:
    if isinstance(shape, Line):
        return ShapeResource(
            shape=number,
            name=shape.name,
            kind="line",
            group=shape.group,
            count=len(shape.points),
            points=shape.points.tolist(),
        )
    if isinstance(shape, Box):
        return ShapeResource(
            shape=number,
            name=shape.name,
            kind="box",
            count=1,
            center=shape.center.tolist(),
            rotation=shape.rotation.tolist(),
            half_size=shape.half_size.tolist(),
        )
    if isinstance(shape, Surface):
        return ShapeResource(
            shape=number,
            name=shape.name,
            kind="surface",
            count=len(shape.vertices),
            triangles=len(shape.triangles),
        )
    cell = None if shape.cell_size is None else shape.cell_size.tolist()
    return ShapeResource(
        shape=number, name=shape.name, kind="points", count=len(shape.points), cell_size=cell
    )


def shape_table(shape: Shape, part: str) -> FloatTable:
    """The points or the triangles of a shape; raises ``AbsentError`` where it has none."""
    if part == "triangles" and isinstance(shape, Surface):
        return _table(shape.triangles, ("a", "b", "c"), "1")
    if part == "points" and not isinstance(shape, Box):
        points = shape.vertices if isinstance(shape, Surface) else shape.points
        return _table(points, ("x", "y", "z"), "m")
    raise AbsentError(f"'{shape.name}' has no {part}")


def _table(values: NDArray[Any], columns: Sequence[str], unit: str) -> FloatTable:
    return FloatTable(np.ascontiguousarray(values, dtype="<f4"), columns, [unit] * len(columns))
