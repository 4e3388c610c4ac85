"""A study under a grid of conditions: begun, watched, read as a map."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from errors import AbsentError, TautlineError, UnknownNameError
from models.parameter_names import parameter_words, words
from service.app.cache import study_stamp
from service.app.context import Context
from service.app.machines import Machines
from service.app.paging import part
from service.app.reevaluation_jobs import ReevaluationJobs
from service.app.sweep_computation import ComputeSweep, compute_while_wanted
from service.app.sweep_view import map_resource, reevaluation_resource, search_resource
from service.resources.figures import FigureResource
from service.resources.models import Page
from service.resources.parameters import CriterionName, StudyName, SweepId
from service.resources.sweeps import SweepRequest, SweepResource, VerdictMapResource
from studies.comparison.verdict_map import verdict_map
from studies.definition.derived import study_model
from studies.records import SweepRecord
from studies.run.launch import stored_definition
from studies.uncertainty.sweep import (
    carry_out,
    make_studies,
    queue_studies,
    read_plan,
    store_sweep,
    wanted_keys,
)

if TYPE_CHECKING:
    from studies.comparison.verdict_map import VerdictMap

T = TypeVar("T")


class SweepService:
    """The front of a study, or its search, under a grid of conditions.

    Parameters
    ----------
    context : Context
        See there.
    jobs : ReevaluationJobs
        The fronts that are evaluated again for this process.
    compute : ComputeSweep
        Computes a sweep of stored fronts.
    """

    def __init__(self, context: Context, jobs: ReevaluationJobs, compute: ComputeSweep) -> None:
        self._context = context
        self._store = context.store
        self._jobs = jobs
        self._compute = compute

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
        elif not record.claimed and (found := self._resource(record)).done < found.wanted:
            work = partial(compute_while_wanted, self._store, record, self._compute)
            self._jobs.begin(study.name, account, work, sweep=record.digest)
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
            return search_resource(record, [self._store.study(name) for name in record.studies.values()])
        job = self._jobs.state(record.study, sweep=record.digest)  # before the store is read
        keys = self._cached("sweep keys", record, None, lambda: wanted_keys(read_plan(self._store, record)))
        return reevaluation_resource(record, job, self._store.count_evaluations(keys), len(keys))
