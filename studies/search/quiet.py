"""Remarks of search libraries, which are for nobody here."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

_WARNINGS = Lock()


@contextmanager
def untouched_warnings() -> Generator[None]:
    """Put the process's warning filters back: pymoo's NSGA-III and cma change some for good.

    Their remarks on our settings, and scipy's, are for nobody. One search at a time, because the
    filters belong to the whole process.
    """
    with _WARNINGS, warnings.catch_warnings(action="ignore"):
        yield
