"""Results that are kept for the next caller who needs the same, up to a number of results.

Access is checked before, for each caller; the values are the same for all of them.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from cachetools import LRUCache

from studies.records import RunRecord, StudyRecord

MOST = 512
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Counts = Mapping[int, int]
"""Number of designs that each run asked for, by the number of the run."""


@dataclass(frozen=True, slots=True)
class _Entry:
    stamp: Hashable
    value: Any


class Cache:
    """Values with stamps; what was not needed for the longest time goes first.

    A value is good as long as its stamp is the one that the caller gives. It is shared and must not be
    changed. Several threads may use one cache.
    """

    def __init__(self, most: int = MOST) -> None:
        self._entries: LRUCache[Hashable, _Entry] = LRUCache(most)
        self._changed = threading.Condition()
        self._computing: set[Hashable] = set()

    def get(self, key: Hashable, stamp: Hashable, compute: Callable[[], T]) -> T:
        """The value of ``compute``, computed once for all callers who need it with this stamp."""
        with self._changed:
            self._changed.wait_for(lambda: (key, stamp) not in self._computing)
            entry = self._entries.get(key)
            if entry is not None and entry.stamp == stamp:
                return entry.value
            self._computing.add((key, stamp))
        try:
            value = compute()
            self._keep({key: _Entry(stamp, value)})
        finally:
            with self._changed:
                self._computing.discard((key, stamp))
                self._changed.notify_all()
        return value

    def get_all(
        self, stamps: Mapping[K, Hashable], compute: Callable[[list[K]], Mapping[K, T]]
    ) -> dict[K, T]:
        """The values of several keys; those that are missing are computed together."""
        with self._changed:
            entries = {key: self._entries.get(key) for key in stamps}
        found: dict[K, T] = {
            key: entry.value
            for key, entry in entries.items()
            if entry is not None and entry.stamp == stamps[key]
        }
        missing = [key for key in stamps if key not in found]
        if not missing:
            return found
        computed = compute(missing)
        self._keep({key: _Entry(stamps[key], value) for key, value in computed.items()})
        return {**found, **computed}

    def _keep(self, entries: Mapping[Any, _Entry]) -> None:
        with self._changed:
            self._entries.update(entries)


def study_stamp(study: StudyRecord, counts: Counts) -> Hashable:
    """A stamp that changes whenever results of a study do: its identity, and the counts of its runs.

    Numbers of runs are given out again when a study was deleted, and so is its name: the time when it was
    created tells two of them apart.
    """
    return study.name, study.created, study.digest, tuple(sorted(counts.items()))


def run_key(what: str, study: StudyRecord, runs: Sequence[RunRecord]) -> Hashable:
    """The key of a result of some runs of a study."""
    return what, study.name, tuple(run.id for run in runs)


def etag_of(stamp: Hashable, *more: Any) -> str:
    """A stamp, and what else decides on an answer, as an ETag. It is weak: the answer may be compressed."""
    text = json.dumps([stamp, *more])
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
