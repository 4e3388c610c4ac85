"""Results that are kept for the next caller who needs the same, up to a number of bytes.

Access is checked before, for each caller; the values are the same for all of them.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np
from cachetools import LRUCache

from studies.records import RunRecord, StudyRecord

MOST_BYTES = 128 * 1024**2
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Counts = Mapping[int, int]
"""How many designs each run asked for, by the number of the run."""


@dataclass(frozen=True, slots=True)
class _Entry:
    stamp: Hashable
    value: Any
    size: int


class Cache:
    """Values with stamps; what was not needed for the longest time goes first.

    A value is good as long as its stamp is the one that the caller gives. It is shared and must not be
    changed. Several threads may use one cache.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._entries: LRUCache[Hashable, _Entry] = LRUCache(most_bytes, getsizeof=lambda entry: entry.size)
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
            self._keep({key: _Entry(stamp, value, approximate_size(value))})
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
        self._keep(
            {key: _Entry(stamps[key], value, approximate_size(value)) for key, value in computed.items()}
        )
        return {**found, **computed}

    def _keep(self, entries: Mapping[Any, _Entry]) -> None:
        with self._changed:
            for key, entry in entries.items():
                self._entries.pop(key, None)
                if entry.size <= self._entries.maxsize:
                    self._entries[key] = entry


def study_stamp(study: StudyRecord, counts: Counts) -> Hashable:
    """What changes whenever results of a study do: which study it is, and how much its runs asked for.

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


# ---------------------------------------------------------------- memory

_MEASURED = 32
"""Members of a long list that are measured; the others count as alike."""
_PLAIN = (str, bytes, int, float, bool, type(None))


def approximate_size(value: object) -> int:
    """Approximate size in bytes; good for lists of similar records, which is what the cache holds."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    size = sys.getsizeof(value)
    if isinstance(value, _PLAIN) or callable(value):  # classes and functions are the program's
        return size
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return size + _size_of_members(table.keys()) + _size_of_members(table.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return size + _size_of_members(cast("Collection[Any]", value))
    slots = getattr(type(value), "__slots__", ())  # pydantic lists __dict__ among them
    return size + sum(
        approximate_size(getattr(value, name, None)) for name in dict.fromkeys((*slots, "__dict__"))
    )


def _size_of_members(items: Collection[Any]) -> int:
    """The size of all members; of a long list, only some members are measured."""
    step = max(1, len(items) // _MEASURED)
    sizes = [approximate_size(item) for item in islice(items, 0, None, step)]
    return sum(sizes) * len(items) // len(sizes) if sizes else 0
