"""Folder in which numba keeps the machine code of kernels.

numba notices an edited kernel, but not an edited callee in another file. So the folder's name is a digest of
all sources and of the place where they are installed: any edit gets a fresh folder. It must be set before
numba is first imported; :mod:`models` does so, in workers too.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from getpass import getuser
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

_seen: set[Path] = set()  # stamps of second processes that this process need not look for again


def set_kernel_cache() -> None:
    """Set ``NUMBA_CACHE_DIR`` to a folder of this version, below the one that the user has set."""
    chosen, digest = os.environ.get("NUMBA_CACHE_DIR"), _sources_digest()
    folder = Path(chosen) if chosen else _writable_cache()
    if folder.name != digest:  # else a process of the same version has set it for this one
        folder /= digest
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)


def once(what: str, compile_all: Callable[[], None]) -> None:
    """Compile, unless that was done on this machine for this version of the sources."""
    stamp = _stamp(what)
    if not stamp.exists():
        compile_all()
        _touch(stamp)


@contextmanager
def second_process(compile_some: Callable[[], None]) -> Generator[None]:
    """Let a second process call a function of a module meanwhile, once per version of the sources.

    numba compiles one kernel at a time in a process. Whatever the second one fails to compile, the first one
    compiles when it needs it.
    """
    module, name = compile_some.__module__, compile_some.__name__
    stamp = _stamp(f"{module}.{name}")
    if stamp in _seen or stamp.exists() or (os.cpu_count() or 1) < 2:
        _seen.add(stamp)
        yield
        return
    worker: subprocess.Popen[bytes] | None = None
    with suppress(OSError):
        worker = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-P", "-c", f"from {module} import {name}; {name}()"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    try:
        yield
    finally:
        if worker is not None:
            worker.wait()
        _seen.add(stamp)
        _touch(stamp)


def _stamp(what: str) -> Path:
    return Path(os.environ["NUMBA_CACHE_DIR"]) / f"{what}.compiled"


def _touch(stamp: Path) -> None:
    with suppress(OSError):
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


def _sources_digest() -> str:
    """A name for this version of the sources, their place, and the versions of numba and Python."""
    root = Path(__file__).parent
    digest = hashlib.sha256(f"{version('numba')} {sys.implementation.cache_tag} {root}".encode())
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


def _writable_cache() -> Path:
    """The user's cache folder, or a private one in the folder for temporary files if that is read-only."""
    home = user_cache_path("tautline")
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    temporary = Path(tempfile.gettempdir()) / f"tautline-{getuser()}"
    return temporary if _is_private(temporary) else Path(tempfile.mkdtemp(prefix="tautline-"))


def _is_private(folder: Path) -> bool:
    """True if the folder exists and nobody else can write to it: machine code is run from there."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        owned = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        return owned and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022
    return False
