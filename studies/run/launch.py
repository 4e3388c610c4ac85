"""Studies from file to finished runs: store first, then compile, then search."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import TypeVar

from errors import LeaseError, StateError
from studies.definition.study_definition import StudyDefinition
from studies.execution import Executor, Interrupted
from studies.execution.evaluation import one_blas_thread
from studies.problem.problem import branched, check, stored_definition
from studies.records import ENDED, UNFINISHED, Progress, Report, StudyRecord, silent
from studies.results.warm_start import with_earlier_designs
from studies.run.heartbeat import Heartbeat
from studies.run.pool import POLL_SECONDS, Job, RunPool, SearchJob, is_plan
from studies.run.provenance import require_same_source, require_same_stream
from studies.store import Store, this_process

T = TypeVar("T")
OpenExecutor = Callable[[], AbstractContextManager[Executor]]


def run_study(
    store: Store,
    definition: StudyDefinition,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = silent,
) -> StudyRecord:
    """Run a study, or go on with it where it was left; a finished one is returned at once.

    Raises ``InputError`` before anything is written, and ``VersionError`` where the study was begun with
    other versions or another source of the model; afterwards every way of ending is a state of the runs.
    ``should_stop`` leaves the unfinished runs ``paused``.
    """
    begun = with_earlier_designs(store, definition, check(definition))
    for remark in begun.remarks:
        report(Progress("", 0, "waiting", study=definition.name, message=remark))
    study = store.create_study(begun.definition, check(begun.definition))
    return resume_study(store, study.name, open_executor, should_stop, report)


def resume_study(
    store: Store,
    name: str,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = silent,
) -> StudyRecord:
    """Go on with the stored study ``name`` where it was left; arguments and errors: see ``run_study``."""
    store.settle()
    study = store.study(name)
    definition = stored_definition(study)
    problems = check(definition)
    if any(run.state == "draft" for run in study.runs):
        study = store.queue_study(name)
    waiting = [run for run in study.runs if run.state in UNFINISHED]
    for run in waiting:
        require_same_stream(store, run, problems[run.layout].model, definition.search.algorithm)
    ended = [run for run in study.runs if run.state in ENDED]
    require_same_source(store, ended, next(iter(problems.values())).model)
    if waiting:
        say = partial(Progress, waiting[0].layout, waiting[0].seed, "waiting")
        try:
            claimed = claim_patiently(
                lambda: store.claim_runs(waiting, this_process()),
                should_stop,
                lambda text: report(say(message=text)),
            )
        except Interrupted:  # nothing was begun here: the runs stay as their owner left them
            return store.study(name)
        jobs = [SearchJob(run, claim, definition, problems[run.layout]) for run, claim in claimed]
        work_on(store, jobs, open_executor, should_stop, report)
    return store.study(name)


def branch_study(store: Store, name: str, new: str, *, owner: str = "", launch: bool = True) -> StudyRecord:
    """Store the study ``name`` again as ``new``, marked as a branch; its runs start from the beginning.

    Its designs that were evaluated are found in the store again; the old study stays as it is.
    """
    definition = branched(store.study(name), new, ("branch",))
    return store.create_study(definition, check(definition), branch_of=name, owner=owner, launch=launch)


def claim_patiently(
    claim: Callable[[], T], should_stop: Callable[[], bool], say: Callable[[str], None] = lambda _: None
) -> T:
    """Return the result of ``claim()``; wait for a lease whose owner may be gone, and ``say`` the reason.

    That is one of a process on another machine, or of this very process, where the work that took it
    may have failed. Raises ``LeaseError`` when it is renewed, or another process here lives, and
    ``Interrupted`` when ``should_stop()`` becomes true while it waits.
    """
    left = math.inf
    while True:
        try:
            return claim()
        except LeaseError as error:
            if error.lapses_in is None or error.lapses_in > left:
                raise
            if should_stop():
                raise Interrupted from None
            if left == math.inf:
                say(str(error))
            left = error.lapses_in
            time.sleep(POLL_SECONDS)


def work_on(
    store: Store,
    claimed: Sequence[Job],
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool],
    report: Report,
) -> None:
    """Work on claimed runs; what is not begun when somebody asks to stop is left paused as well."""
    jobs = deque(claimed)
    with Heartbeat(store) as heartbeat:
        for job in jobs:
            heartbeat.watch(job.claim)
        try:
            if jobs:
                get_ready(jobs[0], report)
                with open_executor() as executor:
                    pool = RunPool(store, executor, heartbeat, should_stop, report, "paused")
                    pool.work(lambda plans: jobs.popleft() if jobs and is_plan(jobs[0]) == plans else None)
            for job in jobs:
                with suppress(StateError, LeaseError):  # what somebody paused or stopped is left already
                    store.leave_run(job.claim, "paused", "interrupted before it began; resume it to continue")
        finally:
            store.give_up([job.claim for job in jobs])


def get_ready(job: Job, report: Report) -> None:
    """Load the model's kernels before workers start, so that they are compiled once and not by each."""
    if job.has_kernels:
        report(Progress(job.run.layout, job.run.seed, "compiling", study=job.run.study))
    one_blas_thread()
    job.prepare()
    report(Progress(job.run.layout, job.run.seed, "starting", study=job.run.study))
