"""The jobs of a server that evaluate fronts again, or under conditions: one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from errors import LimitError, TautlineError
from service.logs import logger
from studies.execution import Interrupted
from studies.execution.base import ShouldStop
from studies.execution.model_calls import ModelCalls
from studies.records import EvaluationRecord, Task
from studies.store import Store

_RETRY_SECONDS = 10.0
_CLOSING = "the server is shutting down; ask again, and it goes on"
Work = Callable[[ShouldStop], None]
"""Stores each evaluation as soon as it is there, and raises ``Interrupted`` when it is told to stop."""


@dataclass(slots=True)
class _Job:
    account: str
    state: Literal["queued", "running", "failed"] = "queued"
    message: str = ""


class ReevaluationJobs:
    """The fronts that are evaluated again in this process. Several threads may use one.

    Every evaluation is stored as soon as it is there: what is interrupted goes on when it is asked for again.

    Parameters
    ----------
    store : Store
        Where the evaluations go.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "reevaluation")
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, str], _Job] = {}
        self._closing = threading.Event()

    def begin(self, study: str, account: str, work: Work, *, sweep: str = "") -> None:
        """Begin ``work`` for a study, unless it goes on already, and return at once.

        ``sweep`` is the digest of the sweep that it belongs to, empty for the front under a new version.

        Raises ``LimitError`` while another front waits or is evaluated for the account.
        """
        with self._lock:
            active = {name: job for name, job in self._jobs.items() if job.state != "failed"}
            if (study, sweep) in active:
                return
            other = next((name for (name, _), job in active.items() if job.account == account), None)
            if other is not None:
                raise LimitError(
                    f"the front of '{other}' is being evaluated again for you; wait until that is done",
                    _RETRY_SECONDS,
                )
            job = self._jobs[study, sweep] = _Job(account)
        self._thread.submit(self._carry_out, (study, sweep), job, work)

    def state(self, study: str, *, sweep: str = "") -> tuple[Literal["", "queued", "running", "failed"], str]:
        """State of a study's job, and the reason if it failed; two empty texts if there is none."""
        with self._lock:
            job = self._jobs.get((study, sweep))
            return ("", "") if job is None else (job.state, job.message)

    def close(self) -> None:
        """Begin no other evaluation; what goes on is told to stop."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _carry_out(self, place: tuple[str, str], job: _Job, work: Work) -> None:
        job.state = "running"
        try:
            work(self._closing.is_set)
        except Interrupted:
            job.message, job.state = _CLOSING, "failed"
        except TautlineError as error:
            job.message, job.state = str(error), "failed"
        except Exception:  # noqa: BLE001 - whoever asked is not there any more: the log and the state say it
            logger().exception("a front was not evaluated again", study=place[0])
            job.message, job.state = "something went wrong; the server's log says more", "failed"
        else:
            with self._lock:
                del self._jobs[place]


def one_by_one(store: Store, study: str, tasks: Iterable[Task], model_calls: ModelCalls) -> Work:
    """Work that evaluates ``tasks`` of a study by ``model_calls``, as long as the study is there."""

    def work(should_stop: ShouldStop) -> None:
        for task in tasks:
            store.study(study)
            store.add_results([_evaluated(task, model_calls, should_stop)])

    return work


def _evaluated(task: Task, model_calls: ModelCalls, should_stop: ShouldStop) -> EvaluationRecord:
    while not should_stop():
        with suppress(LimitError):  # others compute: it has waited for them, and waits once more
            return model_calls.evaluate(task)
    raise Interrupted
