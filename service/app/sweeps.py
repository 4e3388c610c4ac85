"""A study under a grid of conditions: begun, watched, read as a map."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

from errors import AbsentError, TautlineError, UnknownNameError
from models.parameter_names import parameter_words, words
from service.app.cache import study_stamp
from service.app.context import Context
from service.app.jobs import Machines, progress_of, queue, why_it_waits
from service.app.paging import part
from service.resources.figures import FigureResource
from service.resources.models import Page, moment
from service.resources.parameters import CriterionName, StudyName, SweepId
from service.resources.sweeps import (
    ConditionVerdictResource,
    MapConditionResource,
    MapCriterionResource,
    SweepRequest,
    SweepResource,
    SweptParameterResource,
    VerdictMapResource,
)
from studies.comparison.verdict_map import verdict_map
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import StudyRecord, SweepRecord
from studies.run.questions import carry_out, make_studies, queue_studies, swept
from studies.uncertainty.sweep import is_searched, read_plan, store_sweep

if TYPE_CHECKING:
    from studies.comparison.verdict_map import ConditionVerdicts, VerdictMap


State = Literal["incomplete", "queued", "running", "failed", "done"]


def search_resource(record: SweepRecord, studies: Sequence[StudyRecord]) -> SweepResource:
    """A sweep of searches, by the ``studies`` that search; one has ended for each that is done."""
    states = {run.state for study in studies for run in study.runs}
    done = sum(is_searched(study) for study in studies)
    waiting: State = "running" if "running" in states else "queued" if "queued" in states else "incomplete"
    conditions = _count_conditions(record)
    return _resource(record, "done" if done == conditions else waiting, done, conditions)


def reevaluation_resource(
    record: SweepRecord,
    doing: Literal["", "queued", "running", "failed"],
    message: str,
    done: int,
    wanted: int,
) -> SweepResource:
    """A sweep of stored fronts, ``done`` of its ``wanted`` evaluations; ``doing`` is the state of its job."""
    if doing in ("", "failed") and done == wanted:
        return _resource(record, "done", done, wanted)  # another process may have done the rest
    return _resource(record, doing or "incomplete", done, wanted, message)


def _resource(record: SweepRecord, state: State, done: int, wanted: int, message: str = "") -> SweepResource:
    return SweepResource(
        sweep=record.id,
        study=record.study,
        mode=record.mode,
        over={path: list(values) for path, values in record.grid.items()},
        conditions=_count_conditions(record),
        state=state,
        done=done,
        wanted=wanted,
        message=message,
        created=moment(record.created),
        studies=dict(record.studies),
    )


def _count_conditions(record: SweepRecord) -> int:
    return math.prod(len(values) for values in record.grid.values())


def map_resource(sweep_id: int, found: VerdictMap) -> VerdictMapResource:
    """All verdicts, in numbers and in words."""
    from dashboards.content.comparison.verdict_map import criterion_title, map_note, map_sentences, map_table
    from service.app.comparisons import table_resource

    sentences = map_sentences(found)
    return VerdictMapResource(
        sweep=sweep_id,
        study=found.study,
        mode=found.mode,
        complete=found.complete,
        parameters=[
            SweptParameterResource(path=own.path, label=own.label, unit=own.unit, values=list(own.values))
            for own in found.parameters
        ],
        layouts=list(found.layouts),
        seeds=found.seeds,
        criteria=[
            MapCriterionResource(
                name=each.name,
                unit=each.unit,
                better="maximize" if each.better == "maximize" else "minimize",
                meaning=each.meaning,
                title=criterion_title(each),
                sentences=sentences[each.name],
            )
            for each in found.criteria
        ],
        conditions=[_condition(each) for each in found.conditions],
        note=map_note(found),
        table=table_resource(map_table(found)),
    )


def _condition(found: ConditionVerdicts) -> MapConditionResource:
    return MapConditionResource(
        number=found.condition.number,
        values=dict(found.condition.values),
        complete=found.complete,
        verdicts=[ConditionVerdictResource.model_validate(verdict) for verdict in found.verdicts],
        failed=found.failed,
        study=found.study,
    )


T = TypeVar("T")


class SweepService:
    """The front of a study, or its search, under a grid of conditions."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def start(
        self, name: StudyName, request: SweepRequest, *, machines: Machines | None = None
    ) -> SweepResource:
        """Evaluate the fronts again, or search anew, under every combination of parameters.

        Stored fronts are evaluated in the background; studies that search are queued for a runner. The same
        request again goes on with what is missing.
        """
        study = self._context.authorization.changeable(name)
        account = self._context.identity.account
        with self._context.computing():
            record = store_sweep(self._store, study.name, request.over, request.mode, owner=account)
        if machines is not None:
            machines.work(partial(carry_out, self._store, record))
        elif record.mode == "search":
            made = make_studies(self._store, record)
            queue_studies(self._store, made, most_running=self._context.limits.running_studies)
        elif (found := self._resource(record)).done < found.wanted:
            queue(self._context, swept(record), found.wanted)
        return self._resource(self._find(name, record.id))

    def list(self, name: StudyName, *, cursor: str = "", limit: int | None = None) -> Page[SweepResource]:
        """The sweeps of the study, oldest first, and how far they are."""
        study = self._context.authorization.study(name)
        found = part(self._store.sweeps.of(study.name), lambda one: f"{one.id:020}", limit, cursor)
        return Page(items=[self._resource(one) for one in found.items], next=found.next)

    def get(self, name: StudyName, sweep_id: SweepId) -> SweepResource:
        """The progress of a sweep."""
        return self._resource(self._find(name, sweep_id))

    def map(self, name: StudyName, sweep_id: SweepId) -> VerdictMapResource:
        """The map of the layouts that win under each condition, criterion by criterion."""
        record = self._find(name, sweep_id)
        return map_resource(record.id, self._map(record))

    def figure(self, name: StudyName, sweep_id: SweepId, criterion: CriterionName = "") -> FigureResource:
        """The map of one criterion as Plotly draws it."""
        from dashboards.figures.verdict_map import verdict_map_figure

        found = self._map(self._find(name, sweep_id))
        names = [each.name for each in found.criteria]
        wanted = criterion or names[0]
        if wanted not in names:
            raise UnknownNameError("criterion", criterion, names, ("criterion",))
        return FigureResource.model_validate(verdict_map_figure(found, wanted))

    def delete(self, name: StudyName, sweep_id: SweepId) -> SweepResource:
        """Delete the sweep; its evaluations and the studies that searched for it stay."""
        self._context.authorization.changeable(name)
        found = self._resource(self._find(name, sweep_id))
        self._store.sweeps.remove(name, sweep_id)
        return found

    def _find(self, name: str, sweep_id: int) -> SweepRecord:
        study = self._context.authorization.study(name)
        try:
            return self._store.sweeps.find(study.name, sweep_id)
        except UnknownNameError as error:
            raise AbsentError(error.message) from None

    def _map(self, record: SweepRecord) -> VerdictMap:
        stamp = (self._resource(record).done, tuple(record.studies.items()))
        return self._cached("verdict map", record, stamp, lambda: verdict_map(self._store, record))

    def _cached(self, what: str, record: SweepRecord, stamp: Hashable, compute: Callable[[], T]) -> T:
        """Kept as long as the fronts of the study are as they are."""
        study = self._store.study(record.study)
        counts = self._store.trial_counts(study.runs)
        key = (what, record.study, record.id)
        return self._context.cache.get(key, (study_stamp(study, counts), record.created, stamp), compute)

    def _resource(self, record: SweepRecord) -> SweepResource:
        labels = self._cached("sweep labels", record, None, lambda: self._labels(record))
        return self._progress(record).model_copy(update={"labels": labels})

    def _labels(self, record: SweepRecord) -> dict[str, str]:
        """The parameters of the grid in words; those of their steps without the back-end."""
        try:
            model = study_model(stored_definition(self._store.study(record.study)))
        except TautlineError:
            return {path: words(path) for path in record.grid}
        return {path: parameter_words(model.parameters, path) for path in record.grid}

    def _progress(self, record: SweepRecord) -> SweepResource:
        if record.mode == "search":
            studies = [self._store.study(name) for name in record.studies.values()]
            queued = [run for study in studies for run in study.runs if run.state == "queued"]
            remark = why_it_waits(self._context, queued[0]) if queued else ""
            return search_resource(record, studies).model_copy(update={"message": remark})
        job = progress_of(self._context, swept(record))  # before the store is read
        if job.moves:
            return reevaluation_resource(record, job.state, job.message, job.evaluated, job.wanted)
        keys = self._cached("sweep keys", record, None, lambda: self._keys(record))
        done = self._store.count_evaluations(keys)
        return reevaluation_resource(record, job.state, job.message, done, len(keys))

    def _keys(self, record: SweepRecord) -> tuple[str, ...]:
        batches = read_plan(self._store, record).batches()
        return tuple(dict.fromkeys(task.key for tasks in batches for task in tasks))
