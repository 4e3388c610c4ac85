"""Back-ends: what can be evaluated, how it was checked, and one evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dashboards.formatting import title_of
from errors import AbsentError, InputError, ModelLoadError, UnknownNameError
from models import Model, Parameters, load, names
from models.contract import ReferenceCase
from models.metrics import Metric
from models.registry import is_built_in
from models.scene_view import SceneView, coloured_quantities
from service.app.context import StorelessContext
from service.app.paging import part
from service.resources.models import (
    EvaluationRequest,
    EvaluationResource,
    FieldResource,
    FigureRequest,
    FileFormatResource,
    MetricResource,
    ModelResource,
    ModelSummary,
    Page,
    PresetResource,
    ReferenceCaseResource,
    SettingsRequest,
)
from service.resources.parameters import FileKind, ModelName
from service.resources.review import SceneFigureResource
from studies.definition.stored_model import StoredModel
from studies.exchange.design import DesignFile
from studies.exchange.formats import FORMATS, can_be_written, formats_of
from studies.execution.evaluation import task_of
from studies.records import EvaluationRecord

TITLES: Mapping[str, str] = {
    "hybrid-cable-robot": "Cable robot",
    "continuum-statics": "Continuum robot at rest",
    "continuum-kinematics": "Continuum robot, shape only",
    "continuum-dynamics": "Continuum robot in motion",
    "flexible-arm": "Arm with elastic links",
}


def title_of_model(model: str, own: str = "") -> str:
    """Plain name of a back-end, such as "Cable robot"; of one that is not ours its ``own``, or its words."""
    return TITLES.get(model) or own or model.replace("-", " ").replace("_", " ").capitalize()


class ModelService:
    """Back-ends."""

    def __init__(self, context: StorelessContext) -> None:
        self._context = context

    def list(self, *, cursor: str = "", limit: int | None = None) -> Page[ModelSummary]:
        """The installed back-ends, Tautline's own first."""
        found = [_summary(name) for name in names()]
        return part(found, lambda model: model.model, limit, cursor)

    def get(self, name: ModelName) -> ModelResource:
        """A back-end: a JSON Schema of its parameters with units, presets, metrics."""
        return model_resource(_load(name))

    def check(self, name: ModelName) -> Page[ReferenceCaseResource]:
        """Compute the published reference cases; the answer holds all of them."""
        model = _load(name)
        context = self._context
        with context.computing():
            cases = context.cache.get(
                ("reference cases", model.name),
                model.version,
                lambda: context.sandbox.reference_cases(model.name),
            )
        return Page(items=[_case_resource(model.name, case) for case in cases])

    def evaluate(self, name: ModelName, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate one design within limits of time and memory; nothing is stored."""
        model = _load(name)
        for metric in request.metrics:
            model.metric(metric, ("metrics",))
        parameters = _resolved(model, request)
        wanted = request.metrics
        cost_class = model.cost_class_for(wanted) if wanted else model.cost_classes[0]
        seed = asked_seed(model, request, 0)
        task = task_of(model, parameters.model_dump(mode="json"), cost_class, seed)
        with self._context.computing():
            record = self._context.sandbox.evaluate(task)
        return evaluation_resource(record, wanted)

    def figure(self, name: ModelName, request: FigureRequest) -> SceneFigureResource:
        """The 3D view of one design as Plotly draws it; nothing is stored."""
        from service.app.scenes import kept_scene, scene_figure_resource

        model = _load(name)
        parameters = _resolved(model, request)
        self._context.identity.require_writes()
        task = task_of(model, parameters.model_dump(mode="json"), model.cost_classes[0], 0)
        view = SceneView(request.field, None if request.posture is None else tuple(request.posture))
        return scene_figure_resource(task.key, kept_scene(self._context, model, task, view))

    def export(self, name: ModelName, request: SettingsRequest, kind: FileKind = "json") -> DesignFile:
        """One design as a file for other programs; nothing is stored.

        ``"json"`` has its numbers: parameters, and ends, length and stiffness of each cable.
        """
        model = _load(name)
        parameters = _resolved(model, request)
        context = self._context
        context.identity.require_writes()
        with context.limits.scene(context.identity.account):
            return context.sandbox.export(model.name, parameters.model_dump(mode="json"), kind)


def _resolved(model: Model, request: SettingsRequest) -> Parameters:
    """The record of a request; an error names the field of the request."""
    if request.preset is not None:
        model.preset(request.preset)
    return model.resolve(request.preset, request.settings, ("settings",) if request.settings else ())


def _load(name: str) -> Model:
    try:
        return load(name)
    except UnknownNameError as error:
        absent = AbsentError(error.message, error.place)
        absent.remedy = error.remedy
        raise absent from None


def load_code(name: str) -> Model:
    """The back-end that evaluated a stored design; raises ``InputError`` where its code is not here."""
    try:
        return load(name)
    except UnknownNameError as error:
        raise InputError(
            f"the code of the model '{name}' is not here, and no robot is drawn or computed without it; "
            "start with `tautline serve --model FILE`",
            error.place,
        ) from None


def _summary(name: str) -> ModelSummary:
    """A back-end in a list; of one that cannot be loaded, why."""
    try:
        model = load(name)
    except ModelLoadError as error:
        return ModelSummary(
            model=name,
            title=title_of_model(name),
            version=0,
            presets=[],
            metrics=0,
            summary="",
            built_in=is_built_in(name),
            fault=error.message,
        )
    return ModelSummary(
        model=model.name,
        title=title_of_model(model.name, model.title),
        version=model.version,
        presets=list(model.presets),
        metrics=len(model.metrics),
        summary=model.summary,
        test_problem=model.test_problem,
        built_in=is_built_in(name),
    )


def model_resource(model: Model) -> ModelResource:
    """A back-end with its parameters, presets and metrics."""
    return ModelResource(
        model=model.name,
        title=title_of_model(model.name, model.title),
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
        stochastic=model.stochastic,
        built_in=is_built_in(model.name),
        here=not isinstance(model, StoredModel),
        geometry=sorted(model.parameters.geometry),
        fields=[
            FieldResource(field=each.name, unit=each.unit, meaning=each.meaning)
            for each in coloured_quantities(model)
        ],
        formats=[
            FileFormatResource(format=name, ending=FORMATS[name].ending, holds=FORMATS[name].holds)
            for name in formats_of(model)
            if can_be_written(name)
        ],
    )


def metric_resource(model: Model, metric: Metric) -> MetricResource:
    """A metric that a back-end reports about a design."""
    return MetricResource(
        metric=metric.name,
        label=title_of(metric.name, metric.label),
        unit=metric.unit,
        better=metric.sense,
        cost_class=list(model.cost_classes_of(metric)),
        meaning=metric.meaning,
        error=metric.error,
        contains=list(metric.contains),
        safety_limit=metric.safety_limit,
        caution=metric.caution,
        jumps=metric.jumps,
    )


def _case_resource(model: str, case: ReferenceCase) -> ReferenceCaseResource:
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


def asked_seed(model: Model, request: EvaluationRequest, otherwise: int) -> int:
    """The evaluation seed of a request; raises ``InputError`` where a model without chance is given one."""
    if request.seed is not None and not model.stochastic:
        raise InputError(f"the model {model.name} draws no random numbers; leave the seed out", ("seed",))
    return otherwise if request.seed is None else request.seed


def evaluation_resource(record: EvaluationRecord, wanted: Sequence[str]) -> EvaluationResource:
    """An evaluated design with the wanted metrics and their errors, or with all metrics when none are named.

    Warnings end with the cautions of these metrics.
    """
    model = load(record.task.model)
    errors = {metric.name: metric.error for metric in model.metrics}
    shown = {*wanted, *(errors.get(name, "") for name in wanted)} or record.metrics
    metrics = {name: value for name, value in record.metrics.items() if name in shown}
    return EvaluationResource(
        model=record.task.model,
        version=record.task.model_version,
        status=record.state,
        parameters=dict(record.task.parameters),
        metrics=metrics,
        warnings=[*record.warnings, *model.cautions(metrics)],
        counters=dict(record.counters),
        seconds=record.seconds,
        reason=record.reason,
        violation=record.violation,
    )
