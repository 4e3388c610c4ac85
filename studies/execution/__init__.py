"""Evaluating designs: one by one in child processes, in chunks on Dask, within limits.

``open_executor`` gives the executor that runs evaluate with. Dask is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studies.execution.base import NO_LIMITS, Executor, Interrupted, Limits, ShouldStop, Sink

if TYPE_CHECKING:
    from studies.execution.executor import DaskExecutor, open_executor
    from studies.execution.security import tls_security

__all__ = [
    "NO_LIMITS",
    "DaskExecutor",
    "Executor",
    "Interrupted",
    "Limits",
    "ShouldStop",
    "Sink",
    "open_executor",
    "tls_security",
]

_WITH_DASK = {"DaskExecutor": "executor", "open_executor": "executor", "tls_security": "security"}


def __getattr__(name: str) -> Any:
    """Import what needs Dask when it is first used: children and short commands do without."""
    if name in _WITH_DASK:
        from importlib import import_module

        return getattr(import_module(f"studies.execution.{_WITH_DASK[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
