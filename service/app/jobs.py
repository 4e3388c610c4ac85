"""Jobs: questions about studies that a runner answers by evaluations, and how those who ask wait."""

from __future__ import annotations

import time
from typing import Literal

from errors import AbsentError, LimitError, StateError, UnknownNameError
from service.app.context import Context
from service.app.machines import Machines
from service.app.paging import part
from service.resources.jobs import JobResource
from service.resources.models import Page
from service.resources.parameters import JobId, StudyName
from studies.records import MOVING, RunRecord
from studies.run.jobs import Question, answer

_LOOK_SECONDS = 0.25
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
        state=job.state, message=job.message,
    )  # fmt: skip


def ask(context: Context, question: Question, machines: Machines | None) -> None:
    """Queue a question for a runner, or have it answered at once on the caller's machines."""
    if machines is None:
        queue(context, question)
    else:
        machines.work(lambda workers, stop, show: answer(context.store, question, workers, stop, show))


def queue(context: Context, question: Question) -> RunRecord:
    """Queue a question for a runner; raises ``StateError`` where the account has too much at work."""
    context.identity.require_writes()
    try:
        return context.store.jobs.ask(
            question.study, question.kind, question.request, account=context.identity.account,
            most_running=context.limits.running_studies,
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


def state_of(context: Context, question: Question) -> tuple[State, str]:
    """State of a question's job, and the reason if it failed; two empty texts without a job, and if done."""
    job = context.store.jobs.asked(question.study, question.kind, question.request)
    if job is None or job.state == "done":
        return "", ""
    if job.state in MOVING:
        return ("queued" if job.state == "queued" else "running"), ""
    return "failed", f"job {job.id} is {job.state}: {job.message or 'by request'}; ask again, and it goes on"
