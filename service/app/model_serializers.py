"""Back-ends and single evaluations as the resources that faces show."""

from __future__ import annotations

import math
from collections.abc import Sequence

from models import Model
from models.contract import Metric, ReferenceCase
from service.resources.models import (
    EvaluationResource,
    MetricResource,
    ModelResource,
    ModelSummary,
    PresetResource,
    ReferenceCaseResource,
)
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
        metrics=[metric_resource(model, metric) for metric in model.metrics],
    )


def metric_resource(model: Model, metric: Metric) -> MetricResource:
    """What a back-end reports about a design."""
    return MetricResource(
        metric=metric.name,
        unit=metric.unit,
        better=metric.sense,
        cost_class=list(model.cost_classes_of(metric)),
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
