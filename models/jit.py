"""Compilation of kernels: five decorators over ``numba.njit``. No verdict depends on fastmath.

numba is imported when the first kernel is called: most programs that know a model never evaluate it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


class Kernel:
    """A function that numba compiles, or loads, when Python or another kernel first calls it."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        self._function, self.options = function, options

    @cached_property
    def compiled(self) -> Any:
        """The function as ``numba.njit`` compiles it."""
        njit = compiler().njit
        from models.kernel_pipeline import options_of

        options = self.options | options_of(inner="no_cpython_wrapper" in self.options)
        return njit(nogil=True, no_cfunc_wrapper=True, **options)(self._function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        return self.compiled(*arguments, **named)


class _CollectorPause:
    """Stop Python's garbage collector while numba compiles.

    It would look through all that numba holds again and again: a seventh of the time.
    """

    def __init__(self) -> None:
        self._lock, self._running, self._collects = Lock(), 0, False

    def on_start(self, _event: object) -> None:
        """Stop it at the first of several compilations."""
        with self._lock:
            if not self._running:
                self._collects = gc.isenabled()
                gc.disable()
            self._running += 1

    def on_end(self, _event: object) -> None:
        """Let it go on after the last one, if it was on."""
        with self._lock:
            self._running -= 1
            if self._collects and not self._running:
                gc.enable()


@cache
def compiler() -> Any:
    """The module ``numba``, which knows from now on that a :class:`Kernel` can be called in a kernel."""
    numba, extending = import_module("numba"), import_module("numba.extending")
    event = import_module("numba.core.event")
    import_module("models.kernel_records")
    import_module("models.kernel_pipeline").remember_signatures()

    def type_of(kernel: Kernel, context: Any) -> Any:
        return extending.typeof_impl(kernel.compiled, context)

    extending.typeof_impl.register(Kernel, type_of)
    listener = type("CollectorPause", (_CollectorPause, event.Listener), {})
    event.register("numba:compile", listener())
    return numba


# To the type checker, a kernel is the function that it compiles: hence the casts.
def entry(function: F) -> F:
    """A kernel that Python calls; its machine code is kept on disk.

    It returns numbers, at most several in a plain tuple, and fills arrays that it gets. numba runs Python
    code to return an array or a named tuple, and may crash where Ctrl-C was pressed during the kernel.
    """
    return cast("F", Kernel(function, cache=True))


def inner(function: F) -> F:
    """A kernel that only other kernels call: without the wrapper that Python would need."""
    return cast("F", Kernel(function, no_cpython_wrapper=True))


def inlined(function: F) -> F:
    """An inner kernel that stands whole in each kernel that calls it, where LLVM would call it instead.

    A motion of ``flexible-arm`` takes .10 s instead of .07 s where the bending of its links is called.
    """
    return cast("F", Kernel(function, no_cpython_wrapper=True, forceinline=True))


_LIBERTIES: dict[str, Any] = {
    "error_model": "numpy",
    "fastmath": {"nnan", "ninf", "nsz", "arcp", "contract"},
}


def vectorized(function: F) -> F:
    """A generated kernel, as :func:`entry`, with the liberties that vector instructions need.

    Not "reassoc": the order of operations stays as written. What the kernels are not sure of is computed
    again without these liberties; lengths and pivots have floors, so that neither NaN nor infinity arises.
    """
    return cast("F", Kernel(function, cache=True, **_LIBERTIES))


def vectorized_part(function: F) -> F:
    """A part that stands whole in each generated kernel that calls it.

    numba takes several times as long as LLVM for a line; a part that is called twenty times is typed once.
    """
    return cast("F", Kernel(function, no_cpython_wrapper=True, forceinline=True, **_LIBERTIES))
