"""A runner that works on a store's queue in this process, for tests that ask for jobs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

import studies.run.runner
from studies.execution import Executor
from studies.run.runner import Runner
from studies.store import Store
from tests.conftest import InlineExecutor


@contextmanager
def runner_at_work(store: Store, executor: Executor | None = None) -> Iterator[None]:
    """Evaluate inline in a thread what is queued in ``store``."""
    stop = threading.Event()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studies.run.runner, "IDLE_SECONDS", 0.05)
        patch.setattr(studies.run.runner, "LOOK_SECONDS", 0.05)
        work = Runner(store, lambda: nullcontext(executor or InlineExecutor()), stop.is_set, complain=print)
        thread = threading.Thread(target=work.run)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join(30)
