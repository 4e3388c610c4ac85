"""Works on claimed runs, searches and plans, several at once where one alone would leave workers idle."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from errors import (
    DivergedError,
    LeaseError,
    StateError,
    StoreError,
    StoreFullError,
    TautlineError,
    WorkerError,
)
from studies.definition.study_definition import StudyDefinition
from studies.execution import Executor, Interrupted
from studies.problem.problem import Problem
from studies.records import EvaluationRecord, Progress, Report, RunRecord, RunState
from studies.results.evaluation_plan import BATCH, EvaluationPlan
from studies.run.asynchronous import AsynchronousRun
from studies.run.fidelity import RunFailedError
from studies.run.heartbeat import Heartbeat
from studies.run.provenance import provenance
from studies.run.run import Run, TaskResults, Workplace
from studies.store import Claim, Store


class PlanRun:
    """A claimed job at work; see :class:`~studies.run.run.Run`.

    Every evaluation is stored as soon as it is there, so that a job that was killed goes on with the rest.
    """

    def __init__(
        self,
        plan: EvaluationPlan[Any],
        record: RunRecord,
        claim: Claim,
        place: Workplace,
    ) -> None:
        self._plan, self._record, self._claim = plan, record, claim
        self._store, self._executor, self._report = place.store, place.executor, place.report
        self._leash = place.leash(claim)
        self._say = place.remark(claim)
        self.has_results = False
        """True if any result was computed since this process took the job up."""

    def execute(self) -> None:
        """Evaluate what is not stored; raises ``Interrupted`` on request."""
        before = 0
        for tasks in self._plan.batches():
            if self._leash() and not self._leash.may_go_on():
                raise Interrupted
            self._evaluate(TaskResults(self._store, self._claim, tasks), before)
            before += len(tasks)

    @property
    def outcome(self) -> str:
        """A sentence on how the job ended."""
        return f"{self._plan.wanted} evaluations are stored"

    def _evaluate(self, results: TaskResults, before: int) -> None:
        wanted = self._plan.wanted

        def sink(records: list[EvaluationRecord]) -> None:
            done = results.take_of_job(records, before)
            self.has_results |= bool(records)
            run = self._record
            self._report(
                Progress(
                    run.layout, run.seed, "evaluating", done, wanted, done / wanted, study=run.study,
                    job=run.id,
                )
            )  # fmt: skip

        sink([])
        while missing := results.missing:
            if self._leash() and not self._leash.may_go_on():
                raise Interrupted
            try:
                self._executor.evaluate(missing, sink, self._leash, self._plan.limits, say=self._say)
            except Interrupted:
                if not self._leash.may_go_on():
                    raise


@dataclass(frozen=True, slots=True)
class SearchJob:
    """A claimed run with what it searches."""

    run: RunRecord
    claim: Claim
    definition: StudyDefinition
    problem: Problem

    @property
    def population(self) -> int:
        """Designs that it asks for at once."""
        return self.definition.search.population

    @property
    def has_kernels(self) -> bool:
        """True if its model compiles kernels."""
        return self.problem.model.has_kernels

    def prepare(self) -> None:
        """Load the kernels."""
        self.problem.model.prepare(self.problem.cost_class)

    def provenance(self) -> Mapping[str, Any]:
        """Versions and machine."""
        return provenance(self.problem.model, self.run.seed, self.definition.search.algorithm)

    def work(self, run: RunRecord, place: Workplace) -> Run:
        """The search of ``run``, the record as it began."""
        kind = AsynchronousRun if self.definition.search.asynchronous else Run
        return kind(self.definition, self.problem, run, self.claim, place)


@dataclass(frozen=True, slots=True)
class PlanJob:
    """A claimed job with what it evaluates."""

    run: RunRecord
    claim: Claim
    plan: EvaluationPlan[Any]
    has_kernels: bool = True

    @property
    def population(self) -> int:
        """Designs that it asks for at once."""
        return BATCH

    def prepare(self) -> None:
        """Load the kernels."""
        self.plan.prepare()

    def provenance(self) -> Mapping[str, Any]:
        """Nothing: each evaluation says which version of its model made it."""
        return {}

    def work(self, run: RunRecord, place: Workplace) -> PlanRun:
        """The evaluations of ``run``, the record as it began."""
        return PlanRun(self.plan, run, self.claim, place)


Job = SearchJob | PlanJob


def is_plan(job: Job) -> bool:
    """True for a job that evaluates a plan, false for a search."""
    return isinstance(job, PlanJob)


POLL_SECONDS = 0.2
MOST_AT_ONCE = 16
MOST_PLANS = 4
TRIES = 3
"""A run that workers cannot evaluate is left paused after so many tries in a row without any result."""


class Source(Protocol):
    """Source of a pool's runs."""

    def __call__(self, plans: bool, /) -> Job | None:
        """The next search, or plan, claimed and watched; None when there is none now."""
        ...


@dataclass
class RunPool:
    """Threads that work on runs over one executor and one store.

    A search asks for a population at a time and waits for its last design, so several go on at once when
    one population cannot keep the workers busy. A few plans go on beside them, so that a short one never
    waits for a long search. ``left_as`` is the state in which
    ``should_stop`` leaves runs. A run that ends in an error is left ``paused`` with its cause and
    does not disturb the others; one that workers cannot evaluate is left as ``left_as``, and ``in_vain``
    counts how often in a row that brought no result; so is one that the store failed. ``work`` raises the
    first such error when all have ended. A store that does not answer at all ends them all.
    """

    store: Store
    executor: Executor
    heartbeat: Heartbeat
    should_stop: Callable[[], bool]
    report: Report
    left_as: RunState
    in_vain: dict[int, int] = field(default_factory=dict[int, int])
    _broken: threading.Event = field(default_factory=threading.Event)
    _telling: threading.Lock = field(default_factory=threading.Lock)
    _errors: list[Exception] = field(default_factory=list[Exception])

    def work(self, source: Source) -> None:
        """Work until the source has no more runs, somebody asks to stop, or the store fails."""
        working: dict[Future[None], Job] = {}
        with ThreadPoolExecutor(MOST_AT_ONCE + MOST_PLANS, thread_name_prefix="tautline-run") as pool:
            try:
                at_once = 1
                while True:
                    for plans in (False, True):
                        most = MOST_PLANS if plans else at_once
                        while (
                            sum(is_plan(one) == plans for one in working.values()) < most
                            and not self._stop()
                            and (job := source(plans)) is not None
                        ):
                            at_once = at_once if plans else self._at_once(job)
                            working[pool.submit(self._one_run, job)] = job
                    if not working:
                        break
                    done, _ = wait(working, POLL_SECONDS, FIRST_COMPLETED)
                    for future in done:
                        del working[future]
                        future.result()
            except BaseException:
                self._broken.set()  # the pool's end waits for the others, which are left as they stand
                raise
        if self._errors:
            raise self._errors[0]

    def _stop(self) -> bool:
        return self._broken.is_set() or self.should_stop()

    def _at_once(self, job: Job) -> int:
        """Runs whose populations together give every worker two designs."""
        wanted = math.ceil(2 * self.executor.workers / job.population)
        return max(1, min(wanted, MOST_AT_ONCE))

    def _tell(self, progress: Progress) -> None:
        with self._telling:
            self.report(progress)

    def _one_run(self, job: Job) -> None:
        """Work on a run, and leave it in the state that says how it ended."""
        try:
            run = self._begin(job)
            if run is not None:
                self._leave(job, *self._outcome(job, run))
        except LeaseError as error:
            self._errors.append(error)  # the run is another one's now; the others go on
        finally:
            self.heartbeat.forget(job.claim)

    def _begin(self, job: Job) -> RunRecord | None:
        """The run as begun; None when somebody paused or stopped it before, which is granted now."""
        try:
            run = self.store.begin_run(job.claim, job.provenance())
        except LeaseError:
            pass  # somebody paused or stopped it, or took it over
        except StateError:
            with suppress(StateError, LeaseError):
                self.store.leave_run(job.claim, self.left_as, "left before it began")
            self.store.give_up([job.claim])
        except StoreFullError as error:
            self._leave(job, "paused", str(error))
        else:
            self.heartbeat.watch(job.claim)  # while kernels were compiled, it may have heard of the old state
            return run
        return None

    def _leave(self, job: Job, state: RunState, message: str) -> None:
        self.store.leave_run(job.claim, state, message)
        run = job.run
        job_id = run.id if is_plan(job) else 0
        self._tell(
            Progress(
                run.layout, run.seed, "left", study=run.study, state=state, message=message, job=job_id
            )
        )  # fmt: skip

    def _outcome(self, job: Job, run: RunRecord) -> tuple[RunState, str]:
        """State and message of a run after its work; raises errors by which no run ends."""
        place = Workplace(self.store, self.executor, self.heartbeat, self._stop, self._tell)
        work = job.work(run, place)
        try:
            work.execute()
        except Interrupted:
            return self._left(job.claim)
        except (RunFailedError, DivergedError) as error:
            return ("failed" if isinstance(error, RunFailedError) else "diverged"), str(error)
        except StoreFullError as error:
            return "paused", str(error)
        except LeaseError:
            raise  # the run belongs to another process
        except (StoreError, WorkerError) as error:
            return self._in_vain(run, error, work.has_results)
        except Exception as error:  # noqa: BLE001 - a search or a plug-in may raise anything; others go on
            self._errors.append(error)
            cause = str(error) if isinstance(error, TautlineError) else f"{type(error).__name__}: {error}"
            return "paused", f"stopped by an error: {cause}; remove the cause, then resume the run"
        return "done", work.outcome

    def _in_vain(
        self, run: RunRecord, error: StoreError | WorkerError, has_results: bool
    ) -> tuple[RunState, str]:
        """State and message of a run that workers or the store failed; an absent store takes neither."""
        self._errors.append(error)
        tries = self.in_vain[run.id] = 0 if has_results else self.in_vain.get(run.id, 0) + 1
        what = "could not be evaluated" if isinstance(error, WorkerError) else "the store failed"
        cause = f"{what}: {error}"
        if tries >= TRIES:
            del self.in_vain[run.id]  # resumed, it is tried again
            return "paused", f"{cause}; {TRIES} attempts failed: remove the cause, then resume the run"
        if self.left_as == "paused":
            return "paused", f"{cause}; remove the cause, then resume the run"
        counted = f" ({tries} of {TRIES} attempts gave no result)" if tries else ""
        return self.left_as, f"{cause}; the runner tries again in a few seconds{counted}"

    def _left(self, claim: Claim) -> tuple[RunState, str]:
        """The state in which a run is left that was interrupted."""
        instruction = self.heartbeat.instruction(claim)
        if instruction == "leave":
            raise LeaseError("another process has taken over the run; this one stops and writes nothing more")
        if instruction == "cancel":
            return "cancelled", "stopped for good"
        if instruction == "pause":
            return "paused", "by request; resume it to continue"
        return ENDINGS[self.left_as]


ENDINGS: Mapping[RunState, tuple[RunState, str]] = {
    "paused": ("paused", "interrupted; resume it to continue"),
    "queued": ("queued", "its runner was shut down; another runner continues the run"),
}
