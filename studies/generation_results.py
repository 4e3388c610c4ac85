"""The results of one generation: found in the store or computed, and written beside the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from studies.records import EvaluationRecord, Task
from studies.store import Claim, Store


class WriteBehind:
    """Carries out one write at a time in a thread of its own.

    A write that fails raises where the next one begins, at :meth:`settle`, or at the end of the
    ``with`` block, whichever comes first; nothing is forgotten.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="tautline-save")
        self._going: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._pool:
            self.settle()

    @property
    def failed(self) -> bool:
        """Whether the write under way has ended with an error, which :meth:`settle` raises."""
        going = self._going
        return going is not None and going.done() and going.exception() is not None

    def start(self, write: Callable[[], None]) -> None:
        """Begin a write when the one before it has ended; raises what that one raised."""
        self.settle()
        self._going = self._pool.submit(write)

    def settle(self) -> None:
        """Wait until nothing is left to write; raises what the write raised."""
        going, self._going = self._going, None
        if going is not None:
            going.result()


class GenerationResults:
    """Collects what becomes of ``tasks``.

    Results that complete the generation at once follow each other with its log, so that they wait for
    that transaction: a second one would cost as much as the first. Whoever stops in between calls
    :meth:`save`.

    Parameters
    ----------
    recent : mapping of str to EvaluationRecord
        Results by key that may still be on their way into the store.
    last_waits : bool
        Whether the last results may wait; not where something slow happens before the log is written.
    """

    def __init__(
        self,
        store: Store,
        claim: Claim,
        tasks: Sequence[Task],
        recent: Mapping[str, EvaluationRecord],
        *,
        last_waits: bool,
    ) -> None:
        self._store = store
        self._claim = claim
        self._tasks = tasks
        self._last_waits = last_waits
        found = store.known(tasks)
        found.update((task.key, recent[task.key]) for task in tasks if task.key in recent)
        self.results = {key: record for key, record in found.items() if record.final}
        """Final results by key."""
        self._known = frozenset(self.results)
        self.unsaved: list[EvaluationRecord] = []
        """Results that are not stored yet."""

    @property
    def missing(self) -> list[Task]:
        """Tasks without a result, each once."""
        return list({task.key: task for task in self._tasks if task.key not in self.results}.values())

    @property
    def done(self) -> int:
        """How many of the designs, in the order of asking, are done before the first that is not."""
        rows = enumerate(self._tasks)
        return next((row for row, task in rows if task.key not in self.results), len(self._tasks))

    def computed(self, tasks: Sequence[Task]) -> int:
        """How many designs of ``tasks`` the store did not have."""
        return len({task.key for task in tasks} - self._known)

    @property
    def saved(self) -> int:
        """How many of the designs asked for have a result that is stored."""
        unsaved = {record.key for record in self.unsaved}
        return sum(task.key in self.results and task.key not in unsaved for task in self._tasks)

    def take(self, records: Sequence[EvaluationRecord]) -> None:
        """Take results, and store them unless they are the last ones."""
        self.unsaved += records
        self.results.update((record.key, record) for record in records)
        if not self._last_waits or self.missing:
            self.save()

    def save(self) -> None:
        """Store what is not stored yet."""
        if self.unsaved:
            self._store.save_results(self._claim, self.unsaved)
            self.unsaved = []
