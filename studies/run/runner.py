"""A runner: takes queued runs from the store for as long as it lives.

Any number of runners may share a store, on several machines with PostgreSQL. A run whose runner was
killed is taken up by another one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from errors import (
    InputError,
    LeaseError,
    StateError,
    StoreBusyError,
    StoreError,
    TautlineError,
    VersionError,
)
from studies.problem.problem import check, stored_definition
from studies.records import Report, RunRecord, RunState, silent
from studies.run.heartbeat import Heartbeat
from studies.run.launch import OpenExecutor, get_ready
from studies.run.pool import POLL_SECONDS, Job, PlanJob, RunPool, SearchJob, is_plan
from studies.run.provenance import require_same_stream
from studies.run.questions import question_of
from studies.store import Claim, Store, this_process

IDLE_SECONDS = 2.0
"""An idle runner looks for work this often."""

LOOK_SECONDS = 1.0
"""A runner at work, or with workers kept warm, looks for more this often."""
WARM_SECONDS = 300.0
"""Workers are kept so long without work, so that the next job need not wait for new ones to start."""
TIDY_SECONDS = 3600.0
"""An idle runner deletes old events this often."""


class Runner:
    """Takes runs from the queue of ``store`` until ``should_stop()`` becomes true.

    Parameters
    ----------
    once : bool
        End when the queue is empty instead of waiting for more.
    complain : callable (str)
        Called with what went wrong with the store or a run; the runner goes on.
    """

    def __init__(
        self,
        store: Store,
        open_executor: OpenExecutor,
        should_stop: Callable[[], bool] = lambda: False,
        report: Report = silent,
        *,
        once: bool = False,
        complain: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._open_executor = open_executor
        self._should_stop = should_stop
        self._report = report
        self._once = once
        self._complain = complain
        self._looked = {False: -math.inf, True: -math.inf}
        self._in_vain: dict[int, int] = {}
        self._tidied = -TIDY_SECONDS

    def run(self) -> bool:
        """Work, wait, and work again; workers are given back after ``WARM_SECONDS`` without work.

        Returns whether nothing went wrong. A run that ends in an error is left paused with its cause,
        so that it does not block the others.
        """
        sound, reported = True, ""
        while not self._should_stop():
            try:
                worked = self._work_while_there_is_some()
                self._tidy()
            except Exception as error:  # noqa: BLE001 - whatever a run or a plug-in raises, the runner goes on
                text = str(error) if isinstance(error, TautlineError) else repr(error)
                if text != reported:  # a cluster that stays away is complained of once
                    self._complain(text)
                reported = text
                sound, worked = False, False
                if self._once and isinstance(error, StoreError | InputError):
                    break  # no store, or no cluster
            else:
                if self._once and not worked:
                    break
            self._idle(0.0 if worked else IDLE_SECONDS)
        return sound

    def _work_while_there_is_some(self) -> bool:
        with Heartbeat(self._store) as heartbeat:
            first = self._next(heartbeat)
            if first is None:
                return False
            found = [first]
            try:
                self._get_ready(first)
                with self._open_executor() as executor:
                    while found and not self._should_stop():
                        pool = RunPool(
                            self._store, executor, heartbeat, self._should_stop, self._report, "queued",
                            self._in_vain,
                        )  # fmt: skip
                        pool.work(partial(self._next_of, found, heartbeat))
                        found += self._next_while_warm(heartbeat)
            finally:
                self._store.give_up([job.claim for job in found])  # stays queued: there were no workers
        return True

    def _tidy(self) -> None:
        if time.monotonic() - self._tidied > TIDY_SECONDS:
            self._store.remove_old_events()
            self._tidied = time.monotonic()

    def _get_ready(self, job: Job) -> None:
        """Load the model; a run whose model cannot be loaded here is left paused with the cause."""
        try:
            get_ready(job, self._report)
        except Exception as error:
            self._leave(job.claim, f"this machine cannot run it: {error}; resume it on another machine")
            raise

    def _leave(self, claim: Claim, why: str, state: RunState = "paused") -> None:
        """A run that cannot continue here does not block the others."""
        with suppress(StateError, LeaseError):  # somebody stopped or deleted it meanwhile
            self._store.leave_run(claim, state, why)

    def _next_of(self, found: list[Job], heartbeat: Heartbeat, plans: bool) -> Job | None:
        """The next search, or plan: of ``found``, else of the queue, which is not looked at all the time."""
        if found and is_plan(found[0]) == plans:
            return found.pop()
        if time.monotonic() - self._looked[plans] < LOOK_SECONDS:
            return None
        self._looked[plans] = time.monotonic()
        return self._next(heartbeat, plans=plans)

    def _next_while_warm(self, heartbeat: Heartbeat) -> list[Job]:
        """The next run of the queue, as soon as there is one; none when it takes too long."""
        until = time.monotonic() + WARM_SECONDS
        while not (self._once or self._should_stop()) and time.monotonic() < until:
            if (job := self._next(heartbeat)) is not None:
                return [job]
            self._tidy()
            self._idle(LOOK_SECONDS)
        return []

    def _job(self, run: RunRecord, claim: Claim) -> Job:
        """Work of a claimed run; raises where this machine cannot do it."""
        if run.kind != "search":
            return PlanJob(run, claim, question_of(run).plan(self._store))
        definition = stored_definition(self._store.study(run.study))
        problem = check(definition)[run.layout]
        require_same_stream(self._store, run, problem.model, definition.search.algorithm)
        return SearchJob(run, claim, definition, problem)

    def _next(self, heartbeat: Heartbeat, *, plans: bool | None = None) -> Job | None:
        """The next run of the queue that can be worked on here; one that cannot is left with its reason."""
        while (taken := self._store.claim_next(this_process(), jobs=plans)) is not None:
            run, claim = taken
            try:
                job = self._job(run, claim)
            except VersionError as error:
                self._leave(claim, str(error))
            except StoreBusyError:
                self._store.give_up([claim])
                raise
            except StoreError as error:  # what is stored of it cannot be read: another try finds the same
                self._leave(claim, str(error), "paused" if run.kind == "search" else "failed")
            except Exception as error:  # noqa: BLE001 - a plug-in may raise anything when it is checked
                self._leave(claim, f"this machine cannot run it: {error}; resume it on another machine")
            else:
                heartbeat.watch(claim)
                return job
        return None

    def _idle(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._should_stop():
            time.sleep(min(POLL_SECONDS, seconds))
