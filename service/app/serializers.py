"""Stored studies, runs and designs as the resources that faces show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from dashboards.content.criteria import point_text
from dashboards.content.not_optimised import not_optimised_sentences
from dashboards.content.verdict import shared_quantity_sentences
from dashboards.figures import History
from errors import TautlineError
from models import load
from service.app.cache import kept
from service.resources.studies import (
    AskedDesignResource,
    ComparisonResource,
    CriterionResource,
    DesignResource,
    EventResource,
    FrontDesignResource,
    GenerationResource,
    IndicatorsResource,
    NotOptimisedResource,
    ReproductionResource,
    RunIndicators,
    RunResource,
    SharedQuantityResource,
    SpreadResource,
    StudyResource,
    StudySummary,
)
from studies.comparison import Comparison
from studies.fronts import value_at
from studies.hypervolumes import Spread, run_volumes
from studies.not_optimised import NotOptimised
from studies.records import (
    EvaluationRecord,
    EventRecord,
    FrontDesign,
    GenerationRecord,
    RunRecord,
    StudyRecord,
)
from studies.reproduction import Reproduction
from studies.store import Store
from studies.store.asked_designs import AskedDesign


@dataclass(frozen=True, slots=True)
class Measured:
    """Hypervolumes by a run's number, the point in SI (None before a design is feasible), and spreads."""

    by_run: Mapping[int, float] = field(default_factory=dict[int, float])
    reference_point: dict[str, float] | None = None
    point: str = ""
    spread: tuple[Spread, ...] = ()


NOT_MEASURED = Measured()


def measured_volumes(store: Store, study: StudyRecord) -> Measured:
    """The hypervolumes of all runs as they are now; worked out once after each generation."""
    return kept(store, "volumes", study, study.runs, lambda: _measured(store, study))


def _measured(store: Store, study: StudyRecord) -> Measured:
    found = run_volumes(store, study)
    if found is None:
        return NOT_MEASURED
    try:
        units = {metric.name: metric.unit for metric in load(study.definition["model"]).metrics}
    except TautlineError:  # the back-end is not installed any more
        units = {}
    names, values = list(found.point), list(found.point.values())
    text = point_text(names, values, [units.get(name, "1") for name in names])
    return Measured(found.by_run, dict(found.point), text, tuple(found.spread(study.runs)))


def moment(seconds: float) -> datetime:
    """UTC seconds as a time of day."""
    return datetime.fromtimestamp(seconds, UTC)


def study_summary(study: StudyRecord) -> StudySummary:
    """A study in a list."""
    return StudySummary(
        name=study.name,
        model=study.definition["model"],
        description=study.description,
        state=study.state,
        runs=len(study.runs),
        done=sum(run.state == "done" for run in study.runs),
        created=moment(study.created),
        owner=study.owner,
        visibility=study.visibility,
        archived=study.archived,
    )


def study_resource(study: StudyRecord, remarks: Sequence[str] = ()) -> StudyResource:
    """A study with its definition."""
    return StudyResource(
        **dict(study_summary(study)),
        definition=dict(study.definition),
        branch_of=study.branch_of,
        revision=study.revision,
        remarks=list(remarks),
    )


def run_resource(
    run: RunRecord,
    last: GenerationRecord | None,
    reasons: Sequence[str],
    warnings: Sequence[str],
    measured: Measured = NOT_MEASURED,
) -> RunResource:
    """A run with the counts of its last generation."""
    return RunResource(
        id=run.id,
        layout=run.layout,
        seed=run.seed,
        state=run.state,
        generations=last.number if last else 0,
        designs=last.asked if last else 0,
        computed=last.computed if last else 0,
        feasible=last.feasible if last else 0,
        failed=last.failed if last else 0,
        front=last.front_size if last else 0,
        hypervolume=measured.by_run.get(run.id),
        reference_point=measured.reference_point,
        point=measured.point,
        owner=run.owner,
        message=run.message,
        reasons=list(reasons),
        warnings=list(warnings),
    )


def generation_resource(record: GenerationRecord) -> GenerationResource:
    """A run's indicators after one generation."""
    return GenerationResource(
        number=record.number,
        asked=record.asked,
        computed=record.computed,
        feasible=record.feasible,
        failed=record.failed,
        front_size=record.front_size,
        hypervolume=record.hypervolume,
        least_violation=record.least_violation,
        seconds=record.seconds,
        finished=moment(record.finished),
    )


def event_resource(record: EventRecord) -> EventResource:
    """Something that happened to a run."""
    return EventResource(
        id=record.id,
        study=record.study,
        layout=record.layout,
        seed=record.seed,
        time=moment(record.time),
        kind=record.kind,
        message=record.message,
    )


def front_resource(design: FrontDesign) -> FrontDesignResource:
    """A design on a front."""
    return FrontDesignResource(
        key=design.key,
        layout=design.layout,
        seeds=list(design.seeds),
        variables=dict(design.variables),
        metrics=dict(design.metrics),
        violation=design.violation,
    )


def design_resource(record: EvaluationRecord) -> DesignResource:
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


def asked_resource(run: RunRecord, paths: Sequence[str], found: AskedDesign) -> AskedDesignResource:
    """A design as a run asked for it."""
    return AskedDesignResource(
        layout=run.layout,
        seed=run.seed,
        generation=found.generation,
        ask_no=found.ask_no,
        key=found.key,
        state=found.state,
        kind=found.kind,
        reason=found.reason,
        variables={path: value_at(found.parameters, path) for path in paths},
        metrics=dict(found.metrics),
        violation=found.violation,
    )


def comparison_resource(comparison: Comparison, unequal: Sequence[str]) -> ComparisonResource:
    """Layouts against each other, without the designs of their fronts."""
    point = dict(zip(comparison.objectives, comparison.reference_point, strict=True))
    return ComparisonResource(
        study=comparison.study,
        objectives=list(comparison.objectives),
        units=list(comparison.units),
        senses=list(comparison.senses),
        reference_point=point,
        seed_hypervolumes=_plain(comparison.seed_hypervolumes),
        criteria=[
            CriterionResource(
                name=criterion.name,
                unit=criterion.unit,
                meaning=criterion.meaning,
                better=criterion.better,
                values=dict(criterion.values),
                winner=criterion.winner,
                margin=criterion.margin,
                error=criterion.error,
            )
            for criterion in comparison.criteria
        ],
        unequal=list(unequal),
        shared=[
            SharedQuantityResource(quantity=each.quantity, objectives=list(each.objectives))
            for each in comparison.shared
        ],
        not_optimised=[_not_optimised(each) for each in comparison.not_optimised],
        remarks=[*shared_quantity_sentences(comparison), *not_optimised_sentences(comparison)],
    )


def _not_optimised(metric: NotOptimised) -> NotOptimisedResource:
    return NotOptimisedResource(
        metric=metric.name,
        unit=metric.unit,
        meaning=metric.meaning,
        better=metric.better,
        safety_limit=metric.safety_limit,
        spreads={
            label: None if spread is None else SpreadResource(**asdict(spread))
            for label, spread in metric.spreads.items()
        },
    )


def indicators_resource(comparison: Comparison, histories: Iterable[History]) -> IndicatorsResource:
    """How the hypervolume of each run grew."""
    return IndicatorsResource(
        study=comparison.study,
        reference_point=dict(zip(comparison.objectives, comparison.reference_point, strict=True)),
        runs=[
            RunIndicators(
                layout=history.layout,
                seed=history.seed,
                designs=list(history.evaluations),
                hypervolume=list(history.hypervolumes),
            )
            for history in histories
        ],
    )


def _plain(volumes: Mapping[str, Mapping[int, float]]) -> dict[str, dict[int, float]]:
    return {layout: dict(by_seed) for layout, by_seed in volumes.items()}


def reproduction_resource(found: Reproduction) -> ReproductionResource:
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
