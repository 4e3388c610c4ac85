"""Searches under the conditions of a sweep: a study for each, run like any other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from studies.execution import Interrupted
from studies.execution.evaluation import one_blas_thread
from studies.problem.problem import check, stored_definition
from studies.records import StudyRecord, SweepRecord
from studies.run.launch import OpenExecutor, resume_study
from studies.store import Store
from studies.uncertainty.sweep import is_searched, study_under
from studies.uncertainty.sweep_grid import grid_points


def make_studies(store: Store, record: SweepRecord) -> SweepRecord:
    """Store the studies that search for a sweep, each once, as drafts: no runner begins them yet."""
    study = store.study(record.study)
    definition = stored_definition(study)
    for condition in grid_points(record.grid):
        if condition.number not in record.studies:
            own = study_under(definition, record, condition)
            made = store.create_study(own, check(own), owner=study.owner, launch=False)
            store.sweeps.add_study(record.id, condition.number, made.name)
    return store.sweeps.find(record.study, record.id)


def queue_studies(store: Store, record: SweepRecord, *, most_running: int | None = None) -> None:
    """Queue what is not finished of the studies that search for a sweep, for a runner.

    Raises ``LimitError`` when the owner would have more than ``most_running`` studies at work; those of one
    sweep count as one.
    """
    for name in record.studies.values():
        if not is_searched(store.study(name)):
            store.queue_study(name, most_running=most_running)


def search_sweep(
    store: Store,
    record: SweepRecord,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool],
    report: Callable[[int, int, StudyRecord | None], None],
) -> SweepRecord:
    """Make and run the studies of a sweep; ``report`` gets how many are searched, of how many, and the last.

    Raises ``Interrupted`` when ``should_stop()`` becomes true.
    """
    made = make_studies(store, record)
    names = [made.studies[condition.number] for condition in grid_points(record.grid)]
    left = [name for name in names if not is_searched(store.study(name))]
    done = len(names) - len(left)
    report(done, len(names), None)
    if not left:
        return made
    one_blas_thread()
    problem = next(iter(check(stored_definition(store.study(left[0]))).values()))
    problem.model.prepare(problem.cost_class)
    with open_executor() as executor:
        for name in left:
            ended = resume_study(store, name, lambda: nullcontext(executor), should_stop)
            if should_stop():
                raise Interrupted
            done += 1
            report(done, len(names), ended)
    return made
