"""What the first visitors would wait for, loaded while nobody waits: scripts, comparisons, back-ends.

Back-ends bring numba and a library of searches, which take seconds to load. The server answers meanwhile;
a page that needs none of it waits for nothing, and one that does waits for what is still missing. A server
whose setting ``warm`` is false loads each of it when somebody first asks for it.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from importlib import import_module

from dashboards.pages import asset_version
from models import load, names
from service.logs import logger

_MODULES = ("service.local.contests", "studies.comparison", "studies.search.registry", "dashboards.report")


class Warming:
    """Loads it in a thread of its own, from entering to leaving."""

    def __init__(self) -> None:
        self._ends = threading.Event()
        # No daemon: it would be cut off in the middle of a library's own code when the server ends.
        self._thread = threading.Thread(target=self._load, name="tautline-warming")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        """What is being loaded is loaded to its end, and nothing after it."""
        self._ends.set()
        self._thread.join()

    def _load(self) -> None:
        for what, step in _steps():
            if self._ends.is_set():
                return
            try:
                step()
            except Exception as error:  # noqa: BLE001 - a back-end may fail in any way: the caller gets the error
                logger().warning("not loaded", what=what, exc_info=error)
        gc.freeze()  # as for what was there before: it stays for good


def _steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """In the order in which pages ask for them."""
    yield "scripts", asset_version
    for module in _MODULES:
        yield module, lambda module=module: import_module(module)
    for name in names():
        yield name, lambda name=name: load(name)
