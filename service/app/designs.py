"""Single designs: what is stored of one, its 3D view, and evaluating it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dashboards.content.comparison.margins import SafetyJudge
from errors import AbsentError, InputError, TautlineError
from models import Model
from models.scene import Scene
from models.scene_view import AS_DESIGNED, OUTLINE, SceneView
from service.app.context import Context
from service.app.models import asked_seed, evaluation_resource, load_code
from service.app.scenes import kept_scene, scene_figure_resource, scene_resource, shape_table
from service.resources.figures import SceneResource
from service.resources.files import FloatTable
from service.resources.models import (
    DesignEvaluationRequest,
    EvaluationRequest,
    FieldName,
    JudgedEvaluationResource,
    PostureValues,
    moment,
)
from service.resources.parameters import DesignKey, FileKind, ShapeNumber, ShapePart, StudyName
from service.resources.results import DesignResource, ReproductionResource
from service.resources.review import SceneFigureResource
from studies.definition.derived_quantities import Derived, study_model
from studies.definition.robust_metrics import is_robust
from studies.definition.stored_model import definition_of
from studies.exchange.design import DesignFile
from studies.execution.evaluation import is_source_of, task_of
from studies.execution.evaluation_key import short_key
from studies.records import EvaluationRecord, StudyRecord, Task
from studies.results.design_values import DesignReader
from studies.results.reevaluation import Reproduction, evaluate_again, vary
from studies.search.indicators import FloatArray
from studies.store.trials import TrialFilter

_WAIT_SECONDS = 10.0
"""A design of which robots were made in this time may have them made while somebody waits."""
_LEFT_OUT = "statistics over robots are left out, which take long; name one among the metrics to have it"


class DesignService:
    """Single stored designs, by key or by the first characters of it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._authorization = context.authorization

    def get(self, key: DesignKey, study: StudyName | None = None) -> DesignResource:
        """A stored design; with ``study``, only one that this study evaluated."""
        stored = self._authorization.design(key, study)
        found = _design_resource(stored).model_copy(update={"remark": _remark(stored)})
        return found if study is None else self._in_study(found, self._context.store.study(study))

    def _in_study(self, found: DesignResource, study: StudyRecord) -> DesignResource:
        """A design with its values in a study, as the first run has them that asked for it."""
        layouts = {run.id: run.layout for run in study.runs}
        trials = self._context.store.trials(TrialFilter(list(layouts), limit=1, key=found.key))
        if not trials:  # deleted meanwhile
            return found
        reader = DesignReader(study, layouts[trials[0].run_id])
        values = reader.read(found.parameters, found.metrics, trials[0].point)
        return found.model_copy(
            update={
                "variables": dict(values.variables),
                "linked": dict(values.linked),
                "metrics": dict(values.metrics),
                "state": trials[0].state,
                "kind": trials[0].kind,
                "reason": found.reason or reader.undefined(trials[0].state, values.metrics),
                "unsafe": SafetyJudge(study)(values.metrics),
            }
        )

    def reproduce(self, key: DesignKey, study: StudyName | None = None) -> ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        stored = self._authorization.design(key, study)
        with self._context.computing():
            return _reproduction_resource(evaluate_again(stored, self._context.sandbox.evaluate))

    def evaluate(
        self, key: DesignKey, study: StudyName, request: DesignEvaluationRequest | EvaluationRequest
    ) -> JudgedEvaluationResource:
        """Evaluate a stored design with other settings or variables; nothing is stored.

        Derived quantities of the study are among the metrics. Statistics over robots are, if the study has
        them, where one is named; and where none is, if the stored design took seconds and its settings stay.
        """
        stored = self._authorization.design(key, study)
        if request.preset is not None:
            raise InputError("a stored design already has its parameters; give only settings", ("preset",))
        whole = self._context.store.study(study)
        layout, point = self._place(stored, whole)
        task, point = _task_with(request, stored, whole, layout, point)
        with self._context.computing():
            found = self._context.sandbox.evaluate(task)
        metrics = DesignReader(whole, layout).read(task.parameters, found.metrics, point).metrics
        if stored.task.uncertainty != task.uncertainty:
            metrics = _without_statistics(whole, metrics)
            warnings = found.warnings if request.metrics else (*found.warnings, _LEFT_OUT)
            found = replace(found, warnings=warnings)
        shown = evaluation_resource(replace(found, metrics=metrics), request.metrics)
        return JudgedEvaluationResource(**shown.model_dump(), unsafe=list(SafetyJudge(whole)(metrics)))

    def _place(self, stored: EvaluationRecord, study: StudyRecord) -> tuple[str, FloatArray]:
        """The layout of a design, and its point of the unit cube, as the first run asked for it."""
        layouts = {run.id: run.layout for run in study.runs}
        trials = self._context.store.trials(TrialFilter(list(layouts), limit=1, key=stored.key))
        if not trials:
            raise AbsentError(f"study '{study.name}' has no design {short_key(stored.key)} any more")
        return layouts[trials[0].run_id], trials[0].point

    def scene(self, key: DesignKey, study: StudyName) -> SceneResource:
        """The scene of a design in 3D: lines and boxes; points and surfaces are fetched one by one."""
        stored = self._authorization.design(key, study)
        scene, remark = self._drawn(stored.task, stored.task)
        return scene_resource(stored.key, replace(scene, caption=f"{scene.caption} {remark}".rstrip()))

    def shape(
        self, key: DesignKey, study: StudyName, shape: ShapeNumber, part: ShapePart = "points"
    ) -> FloatTable:
        """The points of one shape (n, 3) in m, its triangles as rows of points, or its values.

        ``moments`` are the points of a line that moves, (k n, 3) in m: those of all k moments in turn.
        """
        stored = self._authorization.design(key, study)
        scene, _ = self._drawn(stored.task, stored.task)
        if not 0 <= shape < len(scene.shapes):
            raise AbsentError(f"the scene has no shape {shape}; it has {len(scene.shapes)}, from 0")
        return shape_table(scene, shape, part)

    def figure(
        self, key: DesignKey, study: StudyName, field: FieldName = "", posture: PostureValues | None = None
    ) -> SceneFigureResource:
        """The 3D view of the design as Plotly draws it, with what it shows in words."""
        stored = self._authorization.design(key, study)
        view = SceneView(field, None if posture is None else tuple(posture))
        scene, remark = self._drawn(stored.task, stored.task, view)
        told = {"unsafe": self.get(stored.key, study).unsafe, "remark": remark}
        return scene_figure_resource(stored.key, scene).model_copy(update=told)

    def draw(self, key: DesignKey, study: StudyName, request: DesignEvaluationRequest) -> SceneFigureResource:
        """The 3D view of a stored design with other settings or variables, as :meth:`evaluate` takes them."""
        stored = self._authorization.design(key, study)
        self._context.identity.require_writes()
        whole = self._context.store.study(study)
        task, _ = _task_with(request, stored, whole, *self._place(stored, whole))
        scene, remark = self._drawn(task, stored.task)
        return scene_figure_resource(stored.key, scene).model_copy(update={"remark": remark})

    def export(self, key: DesignKey, kind: FileKind = "json", study: StudyName | None = None) -> DesignFile:
        """A stored design as a file for other programs, such as ``"urdf"`` or ``"step"``."""
        task = self._authorization.design(key, study).task
        require_same_model(task, "file")
        context = self._context
        with context.limits.scene(context.identity.account):
            return context.sandbox.export(task.model, task.parameters, kind)

    def _drawn(self, task: Task, stored: Task, view: SceneView = AS_DESIGNED) -> tuple[Scene, str]:
        """The scene of a task; its geometry alone, and a remark, where other code evaluated the design."""
        model = load_code(stored.model)
        other = _other_code(model, stored)
        if not other:
            return kept_scene(self._context, model, task, view), ""
        if model.outline is None or view != AS_DESIGNED:
            raise _refused("view", other)
        remark = f"The geometry alone is drawn, nothing that is computed: the design {other}."
        return kept_scene(self._context, model, task, OUTLINE), remark


def _task_with(
    request: EvaluationRequest, stored: EvaluationRecord, study: StudyRecord, layout: str, point: FloatArray
) -> tuple[Task, FloatArray]:
    """The evaluation of a stored design that a request asks for, and its point of the unit cube."""
    model, before = load_code(stored.task.model), stored.task
    used = _used(study, request.metrics)
    settings, place = request.settings, ("settings",)
    if isinstance(request, DesignEvaluationRequest) and request.variables:
        varied = vary(study, layout, point, request.variables)
        point, settings = varied.point, {**varied.settings, **settings}
    parameters = model.resolve_over(before.parameters, settings, place if settings else ())
    if request.metrics:
        with_robots = any(map(is_robust, used))
    else:
        with_robots = stored.seconds <= _WAIT_SECONDS and not request.settings
    cost_class = before.cost_class if with_robots or not used else model.cost_class_for(used)
    robots = before.uncertainty if with_robots else None
    seed = asked_seed(model, request, before.seed)
    return task_of(model, parameters.model_dump(mode="json"), cost_class, seed, robots), point


def _without_statistics(study: StudyRecord, metrics: Mapping[str, float | None]) -> dict[str, float | None]:
    """Metrics without what follows from statistics over robots, of an evaluation that made none."""
    derived = Derived.of(definition_of(study))
    return {name: value for name, value in metrics.items() if not any(map(is_robust, derived.names_of(name)))}


def _used(study: StudyRecord, wanted: Sequence[str]) -> tuple[str, ...]:
    """The metrics of the back-end and statistics over robots from which metrics of a study follow."""
    if not wanted:
        return ()
    definition = definition_of(study)
    model = study_model(definition)
    found = [model.metric(name, ("metrics",)) for name in wanted]
    return tuple(
        name
        for metric in found
        for name in (metric.contains if metric.name in definition.expressions else (metric.name,))
    )


def require_same_model(task: Task, what: str) -> Model:
    """The back-end that evaluated a design; raises ``InputError`` where another version or source is here."""
    model = load_code(task.model)
    if other := _other_code(model, task):
        raise _refused(what, other)
    return model


def _refused(what: str, other: str) -> InputError:
    return InputError(f"no {what} of this design: it {other}")


def _other_code(model: Model, task: Task) -> str:
    """The end of a sentence on the version or source that evaluated a design; empty if it is the model's."""
    if model.version != task.model_version:
        return (
            f"was evaluated by version {task.model_version} of {model.name}, "
            f"and version {model.version} is installed"
        )
    if not is_source_of(model, task):
        return f"was evaluated by another source of {model.name} than the one that is given"
    return ""


def _remark(stored: EvaluationRecord) -> str:
    """A sentence on a design of elsewhere or of other code; empty where its code is not here at all."""
    if stored.imported:
        return f"The metrics of this design are {stored.worker}, and not evaluated here."
    task = stored.task
    try:
        other = _other_code(load_code(task.model), task)
    except TautlineError:
        return ""
    return other and f"It {other} and computes other results."


def _design_resource(record: EvaluationRecord) -> DesignResource:
    """A stored evaluation."""
    task = record.task
    return DesignResource(
        key=task.key,
        model=task.model,
        model_version=task.model_version,
        parameters=dict(task.parameters),
        cost_class=task.cost_class,
        seed=task.seed,
        state=record.state,
        kind=record.kind,
        reason=record.reason,
        violation=record.violation,
        metrics=dict(record.metrics),
        counters=dict(record.counters),
        warnings=list(record.warnings),
        seconds=record.seconds,
        worker=record.worker,
        finished=moment(record.finished),
    )


def _reproduction_resource(found: Reproduction) -> ReproductionResource:
    """A stored design evaluated again."""
    return ReproductionResource(
        key=found.stored.key,
        model=found.stored.task.model,
        identical=found.identical,
        differences=list(found.differences),
        states=[found.stored.state, found.again.state],
        stored=dict(found.stored.metrics),
        again=dict(found.again.metrics),
    )
