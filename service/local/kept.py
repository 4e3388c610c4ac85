"""A cache of results that change only when a run does.

Access is checked before, for each caller; the values are the same for all of them.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from service.local.amounts import held
from studies.records import RunRecord, StudyRecord
from studies.store import Store

MOST = 1000
MOST_BYTES = 64 * 1024**2
"""Results of one store are kept up to about this much memory."""
T = TypeVar("T")


@dataclass
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    stamp: object = None
    began: float = -math.inf
    value: Any = None
    size: int = 0


class _Shelf:
    """The results of one store that were asked for last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def entry(self, key: Hashable) -> _Entry:
        with self._lock:
            found = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            if len(self._entries) > MOST:
                self._entries.popitem(last=False)
        return found

    def weigh(self, entry: _Entry) -> None:
        """Note how much an entry holds now, and let go of what was not asked for in the longest time."""
        size = held(entry.value)
        with self._lock:
            entry.size = size
            left = sum(kept.size for kept in self._entries.values())
            while left > MOST_BYTES:
                left -= self._entries.popitem(last=False)[1].size


_shelves: WeakKeyDictionary[Store, _Shelf] = WeakKeyDictionary()
_making = threading.Lock()


def kept(
    store: Store,
    what: str,
    study: StudyRecord,
    runs: Sequence[RunRecord],
    compute: Callable[[], T],
    *,
    stamp: object = None,
) -> T:
    """The value of ``compute`` for the present state of these runs, computed once for all callers.

    ``stamp`` identifies the progress of the runs, where the caller has read it already.

    A caller that waited for a computation takes its value if it began after the call: of an active study,
    each would otherwise compute a newer one. The value is shared and must not be changed.
    """
    asked = time.monotonic()
    with _making:
        shelf = _shelves.setdefault(store, _Shelf())
    # Numbers of runs are given out again when a study was deleted, and so is its name.
    entry = shelf.entry((what, study.name, study.created, tuple(run.id for run in runs)))
    with entry.lock:
        if entry.began >= asked:
            return entry.value
        began = time.monotonic()
        # Read before computing: a generation that comes during it makes the next caller compute again.
        now = tuple(sorted(store.asked_counts(runs).items())) if stamp is None else stamp
        if entry.stamp == now:
            return entry.value
        entry.value = value = compute()
        entry.stamp, entry.began = now, began
    shelf.weigh(entry)
    return value
