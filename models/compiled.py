"""How kernels are compiled: no fastmath, so that no verdict depends on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])
_njit: Any = numba.njit


def entry(function: F) -> F:
    """A kernel that Python calls; kept on disk."""
    return _njit(cache=True, nogil=True, no_cfunc_wrapper=True)(function)


def inner(function: F) -> F:
    """A kernel that only other kernels call: without the wrappers that Python would need."""
    return _njit(nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)(function)
