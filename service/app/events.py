"""The events of a study as they are written, by whatever process writes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from studies.records import MOVING, EventRecord, StudyRecord
from studies.store import Store

POLL_SECONDS = 0.2
_AT_ONCE = 1000


def follow(store: Store, look: Callable[[], StudyRecord], after: int) -> Iterator[EventRecord]:
    """Events with a number above ``after``, then new ones, until no run of the study moves any more.

    ``look`` reads the study, and raises when it may no longer be seen.
    """
    while True:
        study = look()
        found = store.events(after, _AT_ONCE, study.name)
        yield from found
        if found:
            after = found[-1].id
        elif not any(run.state in MOVING for run in study.runs):
            return
        else:
            store.settle()
            time.sleep(POLL_SECONDS)
