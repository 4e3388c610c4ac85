"""Probes of the server: it runs, its store, schema and runner can work; for supervisors without account."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from anyio.to_thread import run_sync
from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request

from errors import NotReadyError, StoreError
from studies.store import Store
from studies.store.schema import head_revision

ANSWER_SECONDS = 3.0
"""A store that has not answered within this time counts as not answering."""
FRESH_SECONDS = 1.0


class Readiness:
    """Asks the store when needed, but never twice at once and at most once a second.

    Parameters
    ----------
    store : Store
        The store that the server works on.
    runner : callable () -> bool, optional
        Whether the server's runner is running; None when the server has none.
    """

    def __init__(self, store: Store, runner: Callable[[], bool] | None = None) -> None:
        self._store = store
        self._runner = runner
        self._expected = head_revision()
        self._lock = threading.Lock()
        self._check: _StoreCheck | None = None

    def problems(self) -> list[str]:
        """Reasons why the server is not ready, without names of databases or machines."""
        with self._lock:
            if self._check is None or self._check.is_stale:
                self._check = _StoreCheck(self._store, self._expected)
            check = self._check
        found = check.problems()
        if self._runner is not None and not self._runner():
            found.append("no runner is running; queued studies wait until one is started")
        return found


class _StoreCheck:
    """One query of the store, by a thread of its own that nobody has to wait for."""

    def __init__(self, store: Store, expected: str) -> None:
        self._store = store
        self._expected = expected
        self._began = time.monotonic()
        self._found: list[str] | None = None
        self._thread = threading.Thread(target=self._ask, name="tautline-ready", daemon=True)
        self._thread.start()

    @property
    def is_stale(self) -> bool:
        """True if it has been answered and another answer is possible."""
        return self._found is not None and time.monotonic() - self._began > FRESH_SECONDS

    def problems(self) -> list[str]:
        """The answer, waited for no longer than a store may take."""
        self._thread.join(max(0.0, self._began + ANSWER_SECONDS - time.monotonic()))
        return ["the store does not answer"] if self._found is None else list(self._found)

    def _ask(self) -> None:
        try:
            revision = self._store.revision
        except StoreError:
            self._found = ["the store cannot be read"]
        else:
            wrong = f"the store has schema {revision}, this server needs {self._expected}"
            self._found = [] if revision == self._expected else [wrong]


router = APIRouter(include_in_schema=False)


class HealthResource(BaseModel):
    """Everything works; anything else is a problem."""

    status: str


@router.get("/health")
async def health() -> HealthResource:
    """The web process is running; nothing else is checked."""
    return HealthResource(status="alive")


@router.get("/ready")
async def ready(request: Request) -> HealthResource:
    """The store answers and has the right schema, and the server's runner, if it has one, is running.

    It has threads of its own, so it answers also while all others are busy.
    """
    readiness: Readiness = request.app.state.readiness
    problems = await run_sync(readiness.problems, limiter=request.app.state.ready_threads)
    if problems:
        raise NotReadyError("; ".join(problems))
    return HealthResource(status="ready")
