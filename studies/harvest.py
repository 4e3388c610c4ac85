"""The results of one generation: found in the store or computed, and stored at the latest with its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.records import EvaluationRecord, Task
from studies.store import Claim, Store


class Harvest:
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
