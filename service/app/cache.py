"""Results and scenes that are kept for the next who looks at the same.

Access is checked before, for each caller; the values are the same for all of them.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from models.scene import Box, Line, Points, Scene, Surface
from studies.records import RunRecord, StudyRecord
from studies.store import Store

_LOOKED_AT = 32
"""Members of a long list that are measured; the others count as alike."""
_PLAIN = (str, bytes, int, float, bool, type(None))


def held(value: object) -> int:
    """Approximate size in bytes; good for lists of similar records, which is what the cache holds."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    size = sys.getsizeof(value)
    if isinstance(value, _PLAIN):
        return size
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return size + _all(table.keys()) + _all(table.values())
    if isinstance(value, list | tuple | set | frozenset):
        return size + _all(cast("Collection[Any]", value))
    slots = getattr(type(value), "__slots__", ())
    return (
        size
        + sum(held(getattr(value, name, None)) for name in slots)
        + held(getattr(value, "__dict__", None))
    )


def _all(items: Collection[Any]) -> int:
    """What the members hold; of many, one out of each so many is looked at."""
    step = max(1, len(items) // _LOOKED_AT)
    looked = [held(item) for item in islice(items, 0, None, step)]
    return sum(looked) * len(items) // len(looked) if looked else 0


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


MOST_SCENE_BYTES = 64 * 1024**2


class KeptScenes:
    """The scenes that were last asked for, up to an amount of memory."""

    def __init__(self, most_bytes: int = MOST_SCENE_BYTES) -> None:
        self._most = most_bytes
        self._scenes: OrderedDict[str, Scene] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Scene | None:
        """The scene of a design, if it is still here."""
        with self._lock:
            if key in self._scenes:
                self._scenes.move_to_end(key)
            return self._scenes.get(key)

    def put(self, key: str, scene: Scene) -> None:
        """Keep a scene, and let go of those that nobody asked for in the longest time."""
        with self._lock:
            self._scenes[key] = scene
            self._scenes.move_to_end(key)
            while sum(map(_bytes, self._scenes.values())) > self._most:
                self._scenes.popitem(last=False)


def _bytes(scene: Scene) -> int:
    return sum(_shape_bytes(shape) for shape in scene.shapes)


def _shape_bytes(shape: Line | Box | Surface | Points) -> int:
    if isinstance(shape, Box):
        return shape.rotation.nbytes
    if isinstance(shape, Surface):
        return shape.vertices.nbytes + shape.triangles.nbytes
    return shape.points.nbytes
