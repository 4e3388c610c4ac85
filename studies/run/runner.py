"""A runner: takes queued runs from the store for as long as it lives.

Any number of runners may share a store, on several machines with PostgreSQL. A run whose runner was
killed is taken up by another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from errors import InputError, StoreError, TautlineError, VersionError
from studies.records import Report, silent
from studies.run.heartbeat import Heartbeat
from studies.run.launch import OpenExecutor, check, get_ready, stored_definition
from studies.run.pool import POLL_SECONDS, Job, RunPool
from studies.run.provenance import require_same_stream
from studies.store import Claim, Store, this_process

IDLE_SECONDS = 2.0
"""An idle runner looks for work this often."""

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
        self._looked = 0.0
        self._in_vain: dict[int, int] = {}
        self._tidied = -TIDY_SECONDS

    def run(self) -> bool:
        """Work, wait, and work again; workers are kept while there is work and given back when idle.

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
                    pool = RunPool(
                        self._store, executor, heartbeat, self._should_stop, self._report, "queued",
                        self._in_vain,
                    )  # fmt: skip
                    pool.work(lambda: found.pop() if found else self._next_in_a_while(heartbeat))
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

    def _leave(self, claim: Claim, why: str) -> None:
        """A run that cannot continue here does not block the others."""
        self._store.leave_run(claim, "paused", why)

    def _next_in_a_while(self, heartbeat: Heartbeat[Claim]) -> Job | None:
        """The next run; the queue is looked at no more often than by an idle runner."""
        if time.monotonic() - self._looked < IDLE_SECONDS:
            return None
        return self._next(heartbeat)

    def _next(self, heartbeat: Heartbeat[Claim]) -> Job | None:
        """The next run of the queue that can be worked on here; one that cannot is left with its reason."""
        while (taken := self._store.claim_next(this_process())) is not None:
            run, claim = taken
            try:
                definition = stored_definition(self._store.study(run.study))
                problem = check(definition)[run.layout]
                require_same_stream(self._store, run, problem.model, definition.search.algorithm)
            except VersionError as error:
                self._leave(claim, str(error))
            except StoreError:
                self._store.give_up([claim])
                raise
            except Exception as error:  # noqa: BLE001 - a plug-in may raise anything when it is checked
                self._leave(claim, f"this machine cannot run it: {error}; resume it on another machine")
            else:
                heartbeat.watch(claim)
                return Job(run, claim, definition, problem)
        self._looked = time.monotonic()
        return None

    def _idle(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._should_stop():
            time.sleep(min(POLL_SECONDS, seconds))
