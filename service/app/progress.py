"""Progress of studies, in a list and run by run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.app.budgets import RECENT, Budgets, budgets, rate
from service.app.context import Context
from service.app.overview import study_overviews
from service.app.paging import first_part
from service.app.runs import Hypervolumes, counts, hypervolumes, settled_study
from service.app.studies import listed_studies, study_place
from service.app.verdicts import verdicts_resource
from service.resources.models import Page, moment
from service.resources.parameters import SearchText, StudyName, StudyNames
from service.resources.progress import (
    ProgressResource,
    QueueResource,
    RunProgress,
    SeedSpreadResource,
    StudyOverview,
    VerdictsResource,
)
from studies.records import GenerationRecord, RunRecord, StudyRecord
from studies.store.run_statistics import Spent


class ProgressService:
    """Progress of studies."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def list(
        self,
        search: SearchText = "",
        *,
        archived: bool = False,
        names: StudyNames = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[StudyOverview]:
        """Studies as ``studies.list`` lists them, each with its progress and its best values."""
        found = listed_studies(self._context.authorization, search, archived, cursor, limit, names)
        part = first_part(found, limit, study_place)
        return Page(items=study_overviews(self._context, part.items), next=part.next)

    def get(self, name: StudyName) -> ProgressResource:
        """Progress of the study, run by run: counts, rate, time left, and what it waits for."""
        return _progress(self._context, settled_study(self._context, name))

    def verdicts(self, name: StudyName) -> VerdictsResource:
        """Results of the designs: how many are feasible, and why the others are not."""
        study = self._context.authorization.study(name)
        return self._context.cached(
            "verdicts", study, study.runs, lambda: verdicts_resource(self._context.store, study)
        )


def _progress(context: Context, study: StudyRecord) -> ProgressResource:
    """Counts, rates and what is left; a rate only of runs that are worked on."""
    statistics = context.store.statistics
    ids = [run.id for run in study.runs]
    spent = statistics.spent(ids)
    going = [run.id for run in study.runs if run.state == "running"]
    recent = statistics.recent(going, RECENT) if going else {}
    budget, volumes = budgets(context.cache, study), hypervolumes(context, study)
    quiet = statistics.quiet(going) if going and budget.seconds is not None else {}
    runs = [
        _run(run, budget, spent.get(run.id), recent.get(run.id, ()), volumes, quiet.get(run.id, 0.0))
        for run in study.runs
    ]
    rates = [run.rate for run in runs if run.rate is not None]
    total = sum(rates) if rates else None
    waiting = statistics.waiting(ids) if any(run.state == "queued" for run in study.runs) else None
    return ProgressResource(
        study=study.name,
        state=study.state,
        planned=budget.planned(study.runs),
        designs=sum(run.designs for run in runs),
        computed=sum(run.computed for run in runs),
        feasible=sum(run.feasible for run in runs),
        failed=sum(run.failed for run in runs),
        share=sum(run.share for run in runs) / max(len(runs), 1),
        seconds=sum(run.seconds for run in runs),
        rate=total,
        seconds_left=_left(study, budget, spent, total, quiet),
        waiting=QueueResource.model_validate(waiting) if waiting else None,
        reference_point=volumes.reference_point,
        point=volumes.point,
        spread=[SeedSpreadResource.model_validate(row) for row in volumes.spread],
        runs=runs,
    )


def _left(
    study: StudyRecord,
    budget: Budgets,
    spent: Mapping[int, Spent],
    total: float | None,
    quiet: Mapping[int, float],
) -> float | None:
    return budget.seconds_left(study.runs, spent, total, quiet) if total or quiet else None


def _run(
    run: RunRecord,
    budget: Budgets,
    spent: Spent | None,
    recent: Sequence[GenerationRecord],
    volumes: Hypervolumes,
    quiet: float,
) -> RunProgress:
    last = spent.last if spent else None
    return RunProgress(
        id=run.id,
        layout=run.layout,
        seed=run.seed,
        state=run.state,
        message=run.message,
        owner=run.owner,
        owner_gone=run.owner_gone,
        planned=budget.designs.get(run.layout),
        **counts(last),
        hypervolume=volumes.by_run.get(run.id),
        share=budget.share(run, spent, quiet),
        seconds=spent.seconds if spent else 0.0,
        rate=rate(recent),
        finished=moment(last.finished) if last else None,
    )
