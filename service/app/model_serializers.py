"""Back-ends, single evaluations and scenes as the resources that faces show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures import Figure, has_extent, packed, scene_figure, scene_summary
from dashboards.formatting import prose
from errors import AbsentError
from models import Model
from models.contract import Metric, ReferenceCase
from models.scene import Box, Line, Points, Scene, Surface
from service.resources.base import (
    EvaluationResource,
    MetricResource,
    ModelResource,
    ModelSummary,
    PresetResource,
    ReferenceCaseResource,
)
from service.resources.review import SceneFigureResource
from service.resources.studies import SceneResource, ShapeResource
from studies.records import EvaluationRecord


def model_summary(model: Model) -> ModelSummary:
    """A back-end in a list."""
    return ModelSummary(
        model=model.name,
        version=model.version,
        presets=list(model.presets),
        metrics=len(model.metrics),
        summary=model.summary,
        test_problem=model.test_problem,
    )


def model_resource(model: Model) -> ModelResource:
    """A back-end with its parameters, presets and metrics."""
    return ModelResource(
        model=model.name,
        version=model.version,
        summary=model.summary,
        source=model.source,
        parameters=model.parameters.model_json_schema(),
        presets=[
            PresetResource(
                preset=name,
                settings=dict(preset.settings),
                description=preset.description,
                source=preset.source,
            )
            for name, preset in model.presets.items()
        ],
        metrics=[metric_resource(metric) for metric in model.metrics],
    )


def metric_resource(metric: Metric) -> MetricResource:
    """What a back-end reports about a design."""
    return MetricResource(
        metric=metric.name,
        unit=metric.unit,
        better=metric.sense,
        cost_class=list(metric.cost_classes),
        meaning=metric.meaning,
        error=metric.error,
        contains=list(metric.contains),
        safety_limit=metric.safety_limit,
    )


def case_resource(model: str, case: ReferenceCase) -> ReferenceCaseResource:
    """A published number and ours."""
    return ReferenceCaseResource(
        model=model,
        case=case.name,
        unit=case.unit,
        published=case.published,
        obtained=_finite(case.obtained),
        relative_error=_finite(case.relative_error),
        tolerance=case.tolerance,
        agrees=case.agrees,
        source=case.source,
        remark=case.remark,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def evaluation_resource(record: EvaluationRecord, wanted: Sequence[str]) -> EvaluationResource:
    """An evaluated design with the metrics that are wanted; with all that came out when none are named."""
    return EvaluationResource(
        model=record.task.model,
        version=record.task.model_version,
        status=record.state,
        parameters=dict(record.task.parameters),
        metrics={name: value for name, value in record.metrics.items() if not wanted or name in wanted},
        warnings=list(record.warnings),
        counters=dict(record.counters),
        seconds=record.seconds,
        reason=record.reason,
        violation=record.violation,
    )


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
