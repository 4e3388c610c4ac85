"""How kernels are compiled: no fastmath, so that no verdict depends on it.

numba is imported when the first kernel is called: most programs that know a model never evaluate it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from models.kernel_cache import share_kernels

F = TypeVar("F", bound=Callable[..., Any])


class _Kernel:
    """A function that is handed to numba when it is first called, by Python or by another kernel."""

    def __init__(self, function: Callable[..., Any], options: dict[str, bool]) -> None:
        update_wrapper(self, function)
        self._options = options

    @cached_property
    def _dispatcher(self) -> Any:
        decorate = compiler().njit(nogil=True, no_cfunc_wrapper=True, **self._options)
        return load_without_compiler(decorate(self.__wrapped__))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._dispatcher(*arguments, **named)

    def __reduce__(self) -> str:
        """Pickled by name, as functions are."""
        return self.__wrapped__.__qualname__

    def __getattr__(self, name: str) -> Any:
        """What numba requires of a kernel that another one calls, and what it says about its own."""
        return getattr(self._dispatcher, name)


@cache
def compiler() -> Any:
    """The module ``numba``, without what it imports for others: for as long as it takes itself.

    When it gets ready, numba looks whether it could call BLAS, which imports ``scipy.linalg``. Here it is
    told so; kernels that do call BLAS import it then.
    """
    with _absent("coverage", "cffi"):
        numba = import_module("numba")
    linalg: Any = import_module("numba.np.linalg")
    try_blas, check_integers = linalg.ensure_blas, getattr(linalg, "_check_lapack_int_width", None)
    if check_integers is not None:
        linalg.ensure_blas = check_integers
        try:
            import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = try_blas
    share_kernels()
    _use_whole_registers(numba.config)
    return numba


def _use_whole_registers(config: Any) -> None:
    """Have kernels use all of AVX-512's width, unless the user has set what they may use.

    LLVM prefers half of it, for programs that use it now and then; a search computes for hours. Where another
    library had numba compile before, as pymoo's AGE-MOEA2 does, it is settled; children that evaluate load
    no such one.
    """
    if config.CPU_FEATURES is None:
        features = import_module("numba.core.codegen").get_host_cpu_features()
        if "+avx512f" in features:
            config.CPU_FEATURES = f"{features},-prefer-256-bit"


@contextmanager
def _absent(*names: str) -> Generator[None]:
    """Let modules that are not loaded yet seem not to be installed: numba supports them, no kernel does."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None stops an import
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


def load_without_compiler(kernel: F) -> F:
    """Let numba load a kernel from disk before it has learnt to compile, which takes a quarter of a second.

    Compiled code needs numba's runtime and nothing else. A kernel that is not on disk is compiled as
    ever, and numba gets ready for it then.
    """
    cache: Any = getattr(kernel, "_cache", None)
    runtime: Any = getattr(import_module("numba.core.runtime"), "rtsys", None)
    if not hasattr(cache, "_load_overload") or runtime is None:
        return kernel

    def load_overload(signature: Any, target: Any) -> Any:
        runtime.initialize(target)
        with cache._guard_against_spurious_io_errors():  # noqa: SLF001 - what numba does, less its refresh
            return cache._load_overload(signature, target)  # noqa: SLF001

    cache.load_overload = load_overload
    return kernel


def entry(function: F) -> F:
    """A kernel that Python calls; kept on disk."""
    kernel: Any = _Kernel(function, {"cache": True})
    return kernel


def inner(function: F) -> F:
    """A kernel that only other kernels call: without the wrappers that Python would need."""
    kernel: Any = _Kernel(function, {"no_cpython_wrapper": True})
    return kernel


@contextmanager
def cached_in(folder: Path) -> Generator[None]:
    """Let numba keep what is decorated meanwhile in that folder."""
    config: Any = compiler().config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
