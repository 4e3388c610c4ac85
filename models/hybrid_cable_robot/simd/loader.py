"""Keeps the generated kernels in a file for numba's cache, and compiles new ones apart.

numba stores compiled code by the file that a function comes from. The file's name holds a digest of
its text, so that no version meets the machine code of another. The folder is the user's alone, like
the machine code in it.

numba compiles one thing at a time in a process. On two cores the wait for the first evaluation halves.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.simd.code_generator import LANES
from models.hybrid_cable_robot.simd.collision_source import collision_loop, nearness_loop, platform_loop
from models.hybrid_cable_robot.simd.exclusion_source import exclusion_loop
from models.hybrid_cable_robot.simd.index_source import index_loop
from models.hybrid_cable_robot.simd.wrench_source import sieve_loop, wrench_loop
from models.jit import cached_in, load_without_compiler
from models.kernel_cache import generated_cache, sources_digest

# The header names the package, because machine code in the cache asks for its module by name.
HEADER = """\"\"\"Generated; see models.hybrid_cable_robot.simd.\"\"\"

import math

import numba
import numpy as np
from numba import float32
"""


class Kernel(NamedTuple):
    """A generated kernel.

    Attributes
    ----------
    run : callable
        ``run(io, p, blocks)`` with the flat workspace, the constants and the number of blocks.
    rows : int
        Rows of a block of the workspace.
    constants : int
        Length of ``p``.
    real : str
        Type of the numbers in ``io`` and ``p``.
    """

    run: Callable[[FloatArray, FloatArray, int], None]
    rows: int
    constants: int
    real: str


class Kernels(NamedTuple):
    """All of them, each from the module of the same name, ``conditioning`` from ``index``."""

    exclusion: Kernel
    sieve: Kernel
    wrench: Kernel
    platform: Kernel
    nearness: Kernel
    collision: Kernel
    conditioning: Kernel


_decorating = Lock()


class _Written(NamedTuple):
    """The file of a kernel, its function there, and what :class:`Kernel` says about it."""

    file: str
    function: str
    rows: int
    constants: int
    real: str


@cache
def kernels() -> Kernels:
    """The generated kernels; numba compiles each, or loads its machine code, when first called.

    They are written once for each version of the sources; a table tells later processes which they are.
    """
    folder, table = _private_folder(), f"kernels_{sources_digest()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError):
        told = [_Written(*row) for row in json.loads((folder / table).read_text())]
        if all((folder / row.file).is_file() for row in told):
            return Kernels(*(_load(folder, row) for row in told))
    try:
        written = _write(folder, table)
    except OSError:  # a full disk
        folder = _passing_folder()
        written = _write(folder, table)
    return Kernels(*(_load(folder, row) for row in written))


def _write(folder: Path, table: str) -> list[_Written]:
    """Write all kernels and, when they are there, the table."""
    wrench, collision = (sieve_loop, wrench_loop), (nearness_loop, collision_loop)
    written: list[_Written] = []
    for make_loop in (exclusion_loop, *wrench, platform_loop, *collision, index_loop):
        loop = make_loop()
        text = f"{HEADER}\n\n{loop.source()}"
        digest = hashlib.sha256(f"{version('numba')}{text}".encode()).hexdigest()[:32]
        file = f"{loop.name}_{digest}.py"
        _keep(folder / file, text)
        written.append(_Written(file, loop.name, loop.rows, len(loop.constants), loop.real))
    _keep(folder / table, json.dumps(written))
    return written


def _load(folder: Path, written: _Written) -> Kernel:
    path = folder / written.file
    module = ModuleType(f"{__package__}.{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # machine code from the cache asks for it by name
    with _decorating, cached_in(folder):
        SourceFileLoader(module.__name__, str(path)).exec_module(module)
    return Kernel(load_without_compiler(getattr(module, written.function)), *written[2:])


@cache
def _private_folder() -> Path:
    """A folder for generated files that nobody else can write to: numba's, or a passing one."""
    folder = generated_cache()
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        owned = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        if owned and (os.name == "nt" or not status.st_mode & 0o022) and os.access(folder, os.W_OK):
            return folder
    return _passing_folder()


@cache
def _passing_folder() -> Path:
    """A folder that goes with this process."""
    folder = tempfile.mkdtemp(prefix="tautline-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _keep(path: Path, text: str) -> None:
    """Write the file unless it is there; of several writers the first one wins.

    numba forgets the machine code of a file that is written again, so that it must not be.
    """
    if path.exists() and path.read_bytes() == text.encode():
        return
    handle, passing = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        try:
            Path(path).hardlink_to(passing)
        except OSError:  # there, with another text, or links are not possible
            if not path.exists() or path.read_bytes() != text.encode():
                Path(passing).replace(path)
    finally:
        Path(passing).unlink(missing_ok=True)


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
    """Compile kernels of :class:`~models.hybrid_cable_robot.simd.loader.Kernels`, or load them."""
    for name in names:
        kernel = getattr(kernels(), name)
        ones = [np.ones(size, kernel.real) for size in (kernel.rows * LANES, kernel.constants)]
        kernel.run(*ones, 1)


def _is_compiled(name: str) -> bool:
    """Whether numba keeps machine code of the kernel, for any processor."""
    source = Path(getattr(kernels(), name).run.py_func.__code__.co_filename)
    return any(source.parent.glob(f"*/{source.stem}.*.nbi"))
