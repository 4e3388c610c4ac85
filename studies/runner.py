"""A runner: takes queued runs from the store for as long as it lives.

Any number of runners may share a store, on several machines with PostgreSQL. A run whose runner was
killed is taken up by another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from models.errors import StoreError, TautlineError
from studies.crew import POLL_SECONDS, Crew, Job
from studies.heartbeat import Heartbeat
from studies.launch import OpenExecutor, check, get_ready, stored_definition
from studies.progress import Report, silent
from studies.provenance import require_same_stream
from studies.store import Store, this_process

IDLE_SECONDS = 2.0
"""An idle runner looks for work this often."""


class Runner:
    """Takes runs from the queue of ``store`` until ``should_stop()`` becomes true.

    Parameters
    ----------
    once : bool
        End when the queue is empty instead of waiting for more.
    complain : callable (str)
        Told what went wrong with the store or a run; the runner goes on.
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
        self._told = ""

    def go(self) -> None:
        """Work, wait, and work again; workers are kept while there is work and given back when idle."""
        while not self._should_stop():
            try:
                worked = self._work_while_there_is_some()
            except TautlineError as error:
                self._tell(str(error))
                worked = False
            if self._once and not worked:
                return
            self._idle(0.0 if worked else IDLE_SECONDS)

    def _tell(self, complaint: str) -> None:
        """Complain, once about the same thing."""
        if complaint != self._told:
            self._complain(complaint)
        self._told = complaint

    def _work_while_there_is_some(self) -> bool:
        with Heartbeat(self._store) as heartbeat:
            first = self._next(heartbeat)
            if first is None:
                return False
            found: list[Job] = [first]
            try:
                get_ready(first, self._report)
                with self._open_executor() as executor:
                    crew = Crew(self._store, executor, heartbeat, self._should_stop, self._report, "queued")
                    crew.work(lambda: found.pop() if found else self._next(heartbeat))
            finally:
                self._store.give_up([job.claim for job in found])
        return True

    def _next(self, heartbeat: Heartbeat) -> Job | None:
        """The next run of the queue that can be worked on here; one that cannot is left with its reason."""
        while (taken := self._store.claim_next(this_process())) is not None:
            run, claim = taken
            try:
                definition = stored_definition(self._store.study(run.study))
                problem = check(definition)[run.layout]
                require_same_stream(self._store, run)
            except StoreError as error:
                self._store.leave_run(claim, "paused", str(error))
            except TautlineError as error:
                self._store.leave_run(claim, "failed", f"this machine cannot run it: {error}")
            else:
                heartbeat.watch(claim)
                return Job(run, claim, definition, problem)
        return None

    def _idle(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._should_stop():
            time.sleep(min(POLL_SECONDS, seconds))
