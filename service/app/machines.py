"""Machines of the caller's own, on which a store's services evaluate at once; a server has its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from studies.execution import Executor
from studies.execution.base import ShouldStop
from studies.records import Report
from studies.run.questions import ReportCount

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
