"""Settings of Python's garbage collector for a process that runs a search: it collects less often."""

from __future__ import annotations

import gc

OBJECTS = 50_000


def collect_rarely() -> None:
    """Look for cycles after so many new objects, not after some hundred, for the life of this process.

    An evaluation makes hundreds of objects and no cycle among them; looking was an eighth of what a
    profile of thirty generations counted, imports included.
    """
    gc.set_threshold(max(gc.get_threshold()[0], OBJECTS))
