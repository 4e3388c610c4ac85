"""How far one study is, run by run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from service.app.pace import RECENT, Budgets, budgets, rate
from service.app.serializers import Measured, measured_volumes, moment
from service.resources.progress import ProgressResource, QueueResource, RunProgress, SeedSpreadResource
from studies.records import GenerationRecord, RunRecord, StudyRecord
from studies.store import Store
from studies.store.run_statistics import Spent


def progress(store: Store, study: StudyRecord) -> ProgressResource:
    """Counts, rates and what is left; a rate only of runs that are worked on."""
    ids = [run.id for run in study.runs]
    spent = store.tally.spent(ids)
    going = [run.id for run in study.runs if run.state == "running"]
    recent = store.tally.recent(going, RECENT) if going else {}
    budget, measured = budgets(study), measured_volumes(store, study)
    quiet = store.tally.quiet(going) if going and budget.seconds is not None else {}
    runs = [
        _run(run, budget, spent.get(run.id), recent.get(run.id, ()), measured, quiet.get(run.id, 0.0))
        for run in study.runs
    ]
    rates = [run.rate for run in runs if run.rate is not None]
    total = sum(rates) if rates else None
    waiting = store.tally.waiting(ids) if any(run.state == "queued" for run in study.runs) else None
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
        waiting=QueueResource(seconds=waiting.seconds, ahead=waiting.ahead, at_work=waiting.at_work)
        if waiting
        else None,
        reference_point=measured.reference_point,
        point=measured.point,
        spread=[SeedSpreadResource.model_validate(asdict(row)) for row in measured.spread],
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
    measured: Measured,
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
        generations=last.number if last else 0,
        designs=last.asked if last else 0,
        computed=last.computed if last else 0,
        feasible=last.feasible if last else 0,
        failed=last.failed if last else 0,
        front=last.front_size if last else 0,
        hypervolume=measured.by_run.get(run.id),
        share=budget.share(run, spent, quiet),
        seconds=spent.seconds if spent else 0.0,
        rate=rate(recent),
        finished=moment(last.finished) if last else None,
    )
