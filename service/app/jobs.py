"""Jobs: questions about studies that a runner, or machines of the caller's own, answer by evaluations."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol, TypeVar

from errors import AbsentError, LimitError, StateError, UnknownNameError
from service.app.context import Context
from service.app.paging import part
from service.resources.jobs import JobResource
from service.resources.models import Page
from service.resources.parameters import JobId, StudyName
from studies.execution import Executor
from studies.execution.evaluation_call import ShouldStop
from studies.records import MOVING, Report, RunRecord
from studies.run.questions import Question, ReportCount

T = TypeVar("T")
OpenExecutor = Callable[[], AbstractContextManager[Executor]]


class Machines(Protocol):
    """Workers, and whoever waits for them."""

    def work(self, evaluate: Callable[[OpenExecutor, ShouldStop, ReportCount], T]) -> T:
        """Call ``evaluate`` with an opener of the workers, a sign to stop, and a place to report progress."""
        ...

    def search(self, run: Callable[[OpenExecutor, ShouldStop, Report], T]) -> T:
        """Call ``run`` with an opener of the workers, a sign to stop, and a place to report runs."""
        ...

    def say(self, text: str) -> None:
        """Tell whoever waits."""
        ...


_LOOK_SECONDS = 0.25
_SOON_SECONDS = 6.0
"""A runner that lives takes a job within this time, unless it has other work."""
State = Literal["", "queued", "running", "failed"]


class JobService:
    """Questions about studies that a runner answers by evaluations: re-evaluations, sweeps, tolerances."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._jobs = context.store.jobs

    def list(self, name: StudyName, *, cursor: str = "", limit: int | None = None) -> Page[JobResource]:
        """The jobs of a study, oldest first."""
        study = self._context.authorization.study(name)
        found = part(self._jobs.of(study.name), lambda one: f"{one.id:020}", limit, cursor)
        return Page(items=[_resource(one) for one in found.items], next=found.next)

    def get(self, name: StudyName, job_id: JobId) -> JobResource:
        """A job and its state."""
        return _resource(self._found(self._context.authorization.study(name).name, job_id))

    def pause(self, name: StudyName, job_id: JobId) -> JobResource:
        """Pause a job; what it has evaluated is kept."""
        self._changeable(name, job_id)
        return _resource(self._jobs.pause(name, job_id))

    def resume(self, name: StudyName, job_id: JobId) -> JobResource:
        """Queue a paused job again."""
        self._changeable(name, job_id)
        most = self._context.limits.running_studies
        return _resource(self._jobs.resume(name, job_id, most_running=most))

    def stop(self, name: StudyName, job_id: JobId) -> JobResource:
        """Cancel a job; what it has evaluated is kept, and the same question asked again goes on."""
        self._changeable(name, job_id)
        return _resource(self._jobs.stop(name, job_id))

    def _changeable(self, name: str, job_id: int) -> None:
        """Raise unless the caller asked for the job, or may change its study."""
        authorization = self._context.authorization
        study = authorization.study(name)
        self._context.identity.require_writes()
        if self._found(study.name, job_id).account != self._context.identity.account:
            authorization.changeable(name)

    def _found(self, name: str, job_id: int) -> RunRecord:
        try:
            return self._jobs.find(name, job_id)
        except UnknownNameError as error:
            raise AbsentError(error.message) from None


def _resource(job: RunRecord) -> JobResource:
    return JobResource(
        job=job.id, study=job.study, kind=job.kind, request=dict(job.request), account=job.account,
        state=job.state, wanted=job.wanted, evaluated=job.evaluated, message=job.message,
    )  # fmt: skip


def queue(context: Context, question: Question, wanted: int) -> RunRecord:
    """Queue a question, which so many evaluations answer, for a runner.

    Raises ``StateError`` where the account has too much at work.
    """
    context.identity.require_writes()
    try:
        return context.store.jobs.ask(
            question.study, question.kind, question.request, wanted=wanted,
            account=context.identity.account, most_running=context.limits.running_studies,
        )  # fmt: skip
    except LimitError as error:  # it may last for hours: nobody is told to try again in a moment
        raise StateError(str(error)) from None


def wait_for(context: Context, job: RunRecord, seconds: float) -> RunRecord:
    """The job when it has ended, or after so many seconds; raises ``StateError`` where it was left undone.

    Raises ``LimitError`` where the account waits for another one already.
    """
    until = time.monotonic() + seconds
    with context.limits.computation(context.identity.account):
        while job.state in MOVING and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
            job = context.store.jobs.find(job.study, job.id)
    if job.state != "done" and job.state not in MOVING:
        raise StateError(f"job {job.id} is {job.state}: {job.message or 'ask again, and it goes on'}")
    return job


class JobProgress(NamedTuple):
    """Progress of a question's job: two empty texts and zeros without one, and of one that is done.

    ``message`` says why it failed, or what it waits for: a runner, or workers.
    """

    state: State = ""
    message: str = ""
    evaluated: int = 0
    wanted: int = 0

    @property
    def moves(self) -> bool:
        """True if a runner works on it, or shall."""
        return self.state in ("queued", "running")


def progress_of(context: Context, question: Question) -> JobProgress:
    """The progress of the job of a question: one row, whatever the question takes."""
    job = context.store.jobs.asked(question.study, question.kind, question.request)
    if job is None or job.state == "done":
        return JobProgress()
    if job.state in MOVING:
        state = "queued" if job.state == "queued" else "running"
        return JobProgress(state, why_it_waits(context, job), min(job.evaluated, job.wanted), job.wanted)
    text = f"job {job.id} is {job.state}: {job.message or 'by request'}; ask again, and it goes on"
    return JobProgress("failed", text)


def why_it_waits(context: Context, run: RunRecord) -> str:
    """A remark that no runner takes a run or job, or that it has no workers; empty for one that goes on."""
    if run.state == "running":
        return run.message
    seconds = context.store.statistics.unattended(run.id) if run.state == "queued" else None
    if seconds is None or seconds < _SOON_SECONDS:
        return ""
    return f"no runner has been at work for {seconds:.0f} s; this waits until one is started"
