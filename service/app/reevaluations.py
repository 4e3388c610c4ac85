"""Fronts that a server evaluates again in the background: one at a time, design by design."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from errors import LimitError, TautlineError
from service.app.model_calls import Work
from service.logs import logger
from service.resources.reevaluation import EvaluatedResource, ReevaluatedResource, ReevaluationResource
from studies.records import EvaluationRecord, Task
from studies.reevaluation import FrontTasks, Outcome, Reevaluated
from studies.store import Store

_RETRY_SECONDS = 10.0


@dataclass(slots=True)
class _Job:
    account: str
    state: Literal["queued", "running", "failed"] = "queued"
    message: str = ""


class Reevaluations:
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
        self._jobs: dict[str, _Job] = {}
        self._closing = threading.Event()

    def begin(self, study: str, account: str, tasks: Sequence[Task], work: Work) -> None:
        """Evaluate ``tasks`` of a study by ``work``, unless that goes on already, and return at once.

        Raises ``LimitError`` while another front waits or is evaluated for the account.
        """
        with self._lock:
            active = {name: job for name, job in self._jobs.items() if job.state != "failed"}
            if study in active:
                return
            other = next((name for name, job in active.items() if job.account == account), None)
            if other is not None:
                raise LimitError(
                    f"the front of '{other}' is being evaluated again for you; wait until that is done",
                    _RETRY_SECONDS,
                )
            job = self._jobs[study] = _Job(account)
        self._thread.submit(self._carry_out, study, job, tasks, work)

    def state(self, study: str) -> tuple[Literal["", "queued", "running", "failed"], str]:
        """Where a study's front stands, and why it failed; nothing when none was begun or it is done."""
        with self._lock:
            job = self._jobs.get(study)
            return ("", "") if job is None else (job.state, job.message)

    def close(self) -> None:
        """Begin no other evaluation; what goes on ends with ``work``."""
        self._closing.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _carry_out(self, study: str, job: _Job, tasks: Sequence[Task], work: Work) -> None:
        job.state = "running"
        try:
            for task in tasks:
                self._store.study(study)  # nothing more is evaluated once it is deleted
                self._store.add_results([self._evaluated(task, work)])
        except TautlineError as error:
            job.message, job.state = str(error), "failed"
        except Exception:  # noqa: BLE001 - whoever asked is not there any more: the log and the state say it
            logger().exception("a front was not evaluated again", study=study)
            job.message, job.state = "something went wrong; the server's log says more", "failed"
        else:
            with self._lock:
                del self._jobs[study]

    def _evaluated(self, task: Task, work: Work) -> EvaluationRecord:
        while not self._closing.is_set():
            with suppress(LimitError):  # others compute: it has waited for them, and waits once more
                return work.evaluate(task)
        raise LimitError("the server is shutting down; ask again, and it goes on", _RETRY_SECONDS)


def reevaluation_resource(
    study: str, front: FrontTasks, store: Store, jobs: Reevaluations
) -> ReevaluationResource:
    """How far the front of a study is evaluated again."""
    state, message = jobs.state(study)  # before the store is read: what ends meanwhile is stored by then
    found = store.known(front.wanted)
    done = len(found) == len(front.wanted) and state in ("", "failed")  # the shell may have done the rest
    outcomes: Counter[Outcome] = Counter(one.outcome for one in front.compared(found)) if done else Counter()
    return ReevaluationResource(
        study=study,
        model=front.model.name,
        version=front.model.version,
        state="done" if done else state or "none",
        designs=len(front.wanted),
        evaluated=len(found),
        message="" if done else message,
        outcomes=dict(outcomes),
    )


def reevaluated_resource(one: Reevaluated) -> ReevaluatedResource:
    """A design as stored and as evaluated now."""
    return ReevaluatedResource(
        layout=one.layout, outcome=one.outcome, stored=_evaluated(one.stored), now=_evaluated(one.again)
    )


def _evaluated(record: EvaluationRecord) -> EvaluatedResource:
    return EvaluatedResource(
        key=record.key,
        model_version=record.task.model_version,
        state=record.state,
        reason=record.reason,
        metrics=dict(record.metrics),
    )
