"""Compiles the generated kernels that are new to this machine in a second process.

numba compiles one thing at a time in a process. On two cores the wait for the first evaluation halves.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from models.hybrid_cable_robot.lanes.loader import kernels
from models.hybrid_cable_robot.lanes.writer import LANES

APART = ("sieve", "nearness", "collision", "conditioning", "platform")  # about as long as all the rest


@contextmanager
def compiled_apart() -> Generator[None]:
    """Let a second process compile meanwhile; whatever it fails to do is done when first needed."""
    names = [name for name in APART if not _is_compiled(name)]
    worker = _started(names) if names else None
    try:
        yield
    finally:
        if worker is not None:
            worker.wait()


def _started(names: list[str]) -> subprocess.Popen[bytes] | None:
    """The second process, which finds modules where this one does and nowhere else; None if it fails."""
    command = f"from {__name__} import compile_kernels; compile_kernels({names!r})"
    path = os.pathsep.join(place for place in sys.path if place)
    with suppress(OSError):
        return subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-P", "-c", command],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return None


def compile_kernels(names: Iterable[str]) -> None:
    """Compile kernels of :class:`~models.hybrid_cable_robot.lanes.loader.Kernels`, or load them."""
    for name in names:
        kernel = getattr(kernels(), name)
        ones = [np.ones(size, kernel.real) for size in (kernel.rows * LANES, kernel.constants)]
        kernel.run(*ones, 1)


def _is_compiled(name: str) -> bool:
    """Whether numba keeps machine code of the kernel, for any processor."""
    source = Path(getattr(kernels(), name).run.py_func.__code__.co_filename)
    return any(source.parent.glob(f"*/{source.stem}.*.nbi"))
