"""Scenes of designs: as shapes, as tables of their points, and as Plotly draws them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.content.robot.robots import line_length, line_limit, line_quantity, line_value, numbered_lines
from dashboards.figures import Figure, has_extent, packed, scene_motion_figure, scene_summary
from dashboards.formatting import prose
from errors import AbsentError
from models.contract import Model
from models.scene import Box, Line, Points, Scene, Surface
from models.scene_view import SceneView, require_view
from service.app.context import StorelessContext
from service.resources.figures import SceneResource, ShapeResource
from service.resources.files import FloatTable
from service.resources.review import NumberedLineResource, PostureResource, SceneFigureResource
from studies.records import Task

Shape = Line | Box | Surface | Points


def kept_scene(context: StorelessContext, model: Model, task: Task, view: SceneView) -> Scene:
    """The scene of a design as a picture asks for it, kept for the next one who asks."""
    require_view(model, view)
    with context.limits.scene(context.identity.account):
        return context.cache.get(
            ("scene", task.key, view),
            model.version,
            lambda: context.sandbox.scene(model.name, task.parameters, view),
        )


def scene_resource(key: str, scene: Scene) -> SceneResource:
    """A scene with its large shapes left to be fetched."""
    moving = {(line.name, line.group) for moment in scene.moments[:1] for line in moment.lines}
    shapes = [_shape_resource(number, shape, moving) for number, shape in enumerate(scene.shapes)]
    times = [moment.time for moment in scene.moments]
    return SceneResource(key=key, caption=scene.caption, up=scene.up, shapes=shapes, times=times)


def scene_figure_resource(key: str, scene: Scene) -> SceneFigureResource:
    """A scene as Plotly draws it; a single point, as of a test function, is nothing to draw."""
    drawn: Figure = packed(scene_motion_figure(scene)) if has_extent(scene) else {"data": [], "layout": {}}
    return SceneFigureResource(
        key=key,
        caption=prose(scene.caption),
        summary=scene_summary(scene) if scene.shapes else "",
        data=drawn["data"],
        layout=drawn["layout"],
        frames=drawn.get("frames", []),
        posture=[
            PostureResource(
                name=each.name, unit=each.unit, lower=each.lower, upper=each.upper, value=each.value
            )
            for each in scene.posture
        ],
        lines=[_numbered_line(line) for line in numbered_lines(scene)],
    )


def _numbered_line(line: Line) -> NumberedLineResource:
    value_name, unit = line_quantity(line)
    return NumberedLineResource(
        number=line.number, name=line.name, length=line_length(line), value=line_value(line),
        value_name=value_name, unit=unit, limit=line_limit(line),
    )  # fmt: skip


def _shape_resource(number: int, shape: Shape, moving: Collection[tuple[str, str]]) -> ShapeResource:
    if isinstance(shape, Line):
        return _line_resource(number, shape, (shape.name, shape.group) in moving)
    if isinstance(shape, Box):
        return ShapeResource(
            shape=number, name=shape.name, kind="box", count=1, center=shape.center.tolist(),
            rotation=shape.rotation.tolist(), half_size=shape.half_size.tolist(),
        )  # fmt: skip
    if isinstance(shape, Surface):
        return ShapeResource(
            shape=number, name=shape.name, kind="surface", count=len(shape.vertices),
            triangles=len(shape.triangles),
        )  # fmt: skip
    return ShapeResource(
        shape=number, name=shape.name, kind="points", count=len(shape.points),
        cell_size=None if shape.cell_size is None else shape.cell_size.tolist(),
        value_name=shape.value_name,
        value_range=None if shape.value_range is None else shape.value_range.tolist(), shown=shape.shown,
    )  # fmt: skip


def _line_resource(number: int, line: Line, moves: bool) -> ShapeResource:
    return ShapeResource(
        shape=number, name=line.name, kind="line", group=line.group, count=len(line.points),
        points=line.points.tolist(), number=line.number, value=line.value, value_name=line.value_name,
        value_range=None if line.value_range is None else line.value_range.tolist(), dashed=line.dashed,
        moves=moves,
    )  # fmt: skip


def shape_table(scene: Scene, number: int, part: str) -> FloatTable:
    """The points, triangles, values or moments of a shape; raises ``AbsentError`` where it has none."""
    shape = scene.shapes[number]
    if part == "moments" and isinstance(shape, Line):
        lines = [line for moment in scene.moments for line in moment.lines]
        same = [line.points for line in lines if (line.name, line.group) == (shape.name, shape.group)]
        if same:
            return _table(np.concatenate(same), ("x", "y", "z"), "m")
    if part == "triangles" and isinstance(shape, Surface):
        return _table(shape.triangles, ("a", "b", "c"), "1")
    if part == "points" and not isinstance(shape, Box):
        points = shape.vertices if isinstance(shape, Surface) else shape.points
        return _table(points, ("x", "y", "z"), "m")
    if part == "values" and isinstance(shape, Points) and shape.values is not None:
        return _table(shape.values[:, None], (shape.value_name,), "")
    raise AbsentError(f"'{shape.name}' has no {part}")


def _table(values: NDArray[Any], columns: Sequence[str], unit: str) -> FloatTable:
    return FloatTable(np.ascontiguousarray(values, dtype="<f4"), columns, [unit] * len(columns))
