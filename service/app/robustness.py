"""Designs under tolerances, and what a study is sensitive to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
from pydantic import ValidationError

from dashboards.figures.robots import robots_figure
from dashboards.figures.sobol_indices import sobol_figure
from dashboards.figures.tornado import resolution_caution, tornado_figure
from errors import AbsentError
from models.fields import unit_at
from models.messages import explain
from models.parameter_names import factor_words, parameter_words
from models.parameters import Parameters
from service.app.context import Context
from service.app.jobs import Machines, queue, wait_for, why_it_waits
from service.resources.figures import FigureResource
from service.resources.parameters import DesignKey, StudyName
from service.resources.robustness import (
    BarResource,
    IndexResource,
    IndicesResource,
    ReasonResource,
    RobustMetricResource,
    RobustRequest,
    RobustResource,
    SensitivityRequest,
    SensitivityResource,
    StatisticResource,
)
from studies.definition.documents import flat_tolerances
from studies.definition.robust_metrics import ERROR, PREFIX, PROBABILITY, STATISTICS
from studies.definition.tolerance_tables import RobustTable, TolerancesTable
from studies.execution.evaluation_key import short_key
from studies.problem.problem import stored_definition
from studies.records import MOVING, StudyRecord
from studies.results.evaluation_plan import LazyPlan
from studies.run.questions import Question, answer, robust, sensitivity
from studies.store import Store
from studies.uncertainty.global_sensitivity import GlobalSensitivity, SobolIndices, SpaceIndices
from studies.uncertainty.robust_design import DesignSamples, RobustDesign, RobustOptions

_SECONDS = 5.0
"""A request is answered after so long, with how far its job came."""
_AS_STATED = RobustRequest()
_ALL_DEFAULTS = SensitivityRequest()
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Evaluated(Generic[R]):
    """Number of evaluations that are there, and their answer, or the job that makes the others."""

    count: int
    result: R | None
    job: int = 0
    message: str = ""


class RobustnessService:
    """Designs under tolerances, and what a study is sensitive to.

    A call queues a job for a runner and waits for a few seconds. The same call goes on, until ``done``.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def design(
        self,
        key: DesignKey,
        study: StudyName | None = None,
        request: RobustRequest = _AS_STATED,
        *,
        machines: Machines | None = None,
    ) -> RobustResource:
        """A design under tolerances: statistics with standard errors, robots, tornado, Sobol indices.

        A job evaluates what is not stored; send the same request until ``done``.
        """
        stored = self._context.authorization.design(key, study)
        sees = self._context.authorization.sees
        name = study_of(self._store, stored.key, sees) if study is None else study
        robots = design_robots(self._store, name, stored.key, request)
        found = self._evaluated(robust(name, stored.key, robots.options), robots, machines)
        return robust_resource(name, stored.key, robots, found)

    def variables(
        self,
        name: StudyName,
        request: SensitivityRequest = _ALL_DEFAULTS,
        *,
        machines: Machines | None = None,
    ) -> SensitivityResource:
        """Sobol indices of objectives and constraints to the variables of a layout.

        A job evaluates what is not stored; send the same request until ``done``.
        """
        study = self._context.authorization.study(name)
        plan = GlobalSensitivity(study, request.layout, request.rows, request.seed)
        question = sensitivity(study.name, request.layout, request.rows, request.seed)
        return sensitivity_resource(study.name, plan, self._evaluated(question, plan, machines))

    def _evaluated(self, question: Question, plan: LazyPlan[R], machines: Machines | None) -> Evaluated[R]:
        """Have the plan evaluated by these machines, or by a runner for as long as one waits."""
        if machines is not None:
            machines.say(f"{plan.wanted} evaluations, those that are stored included")
            evaluate = partial(answer, self._store, question)
            return Evaluated(plan.wanted, machines.work(evaluate))
        job = self._store.jobs.asked(question.study, question.kind, question.request)
        if job is None or job.state not in MOVING:
            if (found := plan.answer_if_stored(self._store)) is not None:
                return Evaluated(plan.wanted, found)
            job = queue(self._context, question, plan.wanted)
        self._context.identity.require_writes()
        job = wait_for(self._context, job, _SECONDS)
        if job.state == "done" and (found := plan.answer_if_stored(self._store)) is not None:
            return Evaluated(plan.wanted, found)
        return Evaluated(min(job.evaluated, plan.wanted), None, job.id, why_it_waits(self._context, job))


def study_of(store: Store, key: str, sees: Callable[[StudyRecord], bool] = lambda _: True) -> str:
    """The first study in sight, by name, that evaluated a design; raises ``AbsentError``."""
    names = sorted({name for found, name in store.studies_by_key(key) if found == key})
    name = next((name for name in names if sees(store.study(name))), None)
    if name is None:
        raise AbsentError(f"no study evaluated the design '{short_key(key)}' itself", ("key",))
    return name


def design_robots(store: Store, name: str, key: str, request: RobustRequest) -> DesignSamples:
    """The robots of a design that a request asks for; raises ``InputError`` for a faulty one."""
    study = store.study(name)
    stated = stored_definition(study).robust
    given = {"samples": request.samples, "method": request.method, "seed": request.seed}
    changes = {field: value for field, value in given.items() if value is not None}
    tolerances = robust = None
    try:
        if request.tolerances is not None:
            tolerances = TolerancesTable.model_validate(flat_tolerances(request.tolerances))
    except ValidationError as error:
        raise explain(error, ("tolerances",), TolerancesTable) from None
    try:
        robust = RobustTable.model_validate({**stated.model_dump(), **changes})
    except ValidationError as error:
        raise explain(error, ("samples",), RobustTable) from None
    options = RobustOptions(tolerances, robust, tuple(request.metrics), request.tornado, request.index_rows)
    return DesignSamples(store, study, key, options)


def robust_resource(
    study: str, key: str, robots: DesignSamples, evaluated: Evaluated[RobustDesign]
) -> RobustResource:
    """A design under tolerances, without results while they are not there."""
    plan, result = robots.plan, evaluated.result
    found = RobustResource(
        study=study,
        key=key,
        layout=robots.layout,
        method=plan.method,
        samples=plan.samples,
        seed=plan.seed,
        toleranced=list(plan.paths),
        wanted=robots.wanted,
        evaluated=evaluated.count,
        done=result is not None,
        job=evaluated.job,
        message=evaluated.message,
        works=0,
        feasible=0,
        probability_feasible=None,
        probability_error=None,
        metrics=[],
        indices=[],
        reasons=[],
    )
    if result is None:
        return found
    results = {
        "works": int(result.works.sum()),
        "feasible": int(result.feasible.sum()),
        "probability_feasible": result.statistics[PROBABILITY],
        "probability_error": result.statistics[PROBABILITY + ERROR],
        "metrics": [_metric(robots, result, name) for name in robots.metrics],
        "indices": [
            _indices(name, result.factors, one, result.missing.get(name, ""), robots.model.parameters)
            for name, one in result.indices.items()
        ],
        "reasons": [ReasonResource(reason=text, robots=n) for text, n in result.reasons.items()],
    }
    return found.model_copy(update=results)


def _metric(robots: DesignSamples, result: RobustDesign, name: str) -> RobustMetricResource:
    unit, column = robots.units[name], result.robots[name]
    bars = result.tornado[name]
    statistics = {ending: result.statistics[f"{PREFIX}{name}.{ending}"] for ending in STATISTICS}
    nominal, resolution = result.nominal[name], result.resolution.get(name)
    label = partial(parameter_words, robots.model.parameters)
    tornado = tornado_figure(name, unit, nominal, bars, label) if bars else None
    histogram = robots_figure(name, unit, nominal, column, statistics)
    return RobustMetricResource(
        metric=name,
        unit=unit,
        nominal=nominal,
        statistics=[
            StatisticResource(
                statistic=ending,
                value=value,
                error=result.statistics.get(f"{PREFIX}{name}.{ending}{ERROR}"),
            )
            for ending, value in statistics.items()
        ],
        robots=[None if np.isnan(value) else value for value in column.tolist()],
        tornado=[
            BarResource(path=bar.path, label=label(bar.path), unit=_unit(robots, bar.path),
                        deviation=bar.deviation, lower=bar.lower, upper=bar.upper)
            for bar in bars
        ],
        resolution=resolution,
        caution=resolution_caution(unit, nominal, bars, resolution, label),
        histogram_figure=FigureResource(**histogram),
        tornado_figure=None if tornado is None else FigureResource(**tornado),
    )  # fmt: skip


def _unit(robots: DesignSamples, path: str) -> str:
    unit = unit_at(robots.model.parameters, path)
    return unit if isinstance(unit, str) else "1"


def _indices(
    name: str, factors: Sequence[str], one: SobolIndices | None, reason: str, record: type[Parameters]
) -> IndicesResource:
    if one is None:
        return IndicesResource(metric=name, rows=0, factors=[], reason=reason, figure=None)
    labels = [factor_words(record, factor) for factor in factors]
    columns = (one.first, one.first_error, one.total, one.total_error)
    rows = zip(factors, labels, *(column.tolist() for column in columns), strict=True)
    listed = [
        IndexResource(factor=factor, label=label, first=first, first_error=e1, total=total, total_error=e2)
        for factor, label, first, e1, total, e2 in rows
    ]
    figure = FigureResource(**sobol_figure(labels, one))
    return IndicesResource(
        metric=name, rows=one.rows, factors=listed, caution=one.caution(labels), figure=figure
    )


def sensitivity_resource(
    study: str, plan: GlobalSensitivity, evaluated: Evaluated[SpaceIndices]
) -> SensitivityResource:
    """Sobol indices of a study, without results while they are not there."""
    result = evaluated.result
    indices: Mapping[str, SobolIndices | None] = {} if result is None else result.indices
    factors = [] if result is None else list(result.factors)
    missing: Mapping[str, str] = {} if result is None else result.missing
    return SensitivityResource(
        study=study,
        layout=plan.layout,
        rows=plan.rows,
        wanted=plan.wanted,
        evaluated=evaluated.count,
        done=result is not None,
        job=evaluated.job,
        message=evaluated.message,
        indices=[
            _indices(name, factors, one, missing.get(name, ""), plan.parameters)
            for name, one in indices.items()
        ],
    )
