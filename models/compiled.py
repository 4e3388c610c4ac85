"""How kernels are compiled: no fastmath, so that no verdict depends on it.

numba is imported when the first kernel is called: most programs that know a model never evaluate it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _Kernel:
    """A function that is handed to numba when it is first called, by Python or by another kernel."""

    def __init__(self, function: Callable[..., Any], options: dict[str, bool]) -> None:
        update_wrapper(self, function)
        self._options = options

    @cached_property
    def _dispatcher(self) -> Any:
        return compiler().njit(nogil=True, no_cfunc_wrapper=True, **self._options)(self.__wrapped__)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._dispatcher(*arguments, **named)

    def __reduce__(self) -> str:
        """Pickled by name, as functions are."""
        return self.__wrapped__.__qualname__

    def __getattr__(self, name: str) -> Any:
        """What numba asks of a kernel that another one calls, and what it tells of its own."""
        return getattr(self._dispatcher, name)


@cache
def compiler() -> Any:
    """The module ``numba``, without the quarter of a second in which it imports ``scipy.linalg``.

    When it gets ready, numba looks whether it could call BLAS. Here it is told so; kernels that do call
    BLAS import it then.
    """
    numba = import_module("numba")
    linalg: Any = import_module("numba.np.linalg")
    try_blas, check_integers = linalg.ensure_blas, getattr(linalg, "_check_lapack_int_width", None)
    if check_integers is not None:
        linalg.ensure_blas = check_integers
        try:
            import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = try_blas
    return numba


def entry(function: F) -> F:
    """A kernel that Python calls; kept on disk."""
    kernel: Any = _Kernel(function, {"cache": True})
    return kernel


def inner(function: F) -> F:
    """A kernel that only other kernels call: without the wrappers that Python would need."""
    kernel: Any = _Kernel(function, {"no_cpython_wrapper": True})
    return kernel
