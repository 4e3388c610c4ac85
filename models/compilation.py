"""Where numba keeps compiled kernels.

numba notices an edited kernel, but not an edited callee in another file, so the folder's name
holds a digest of all sources: any edit gets a fresh folder. It must be set before numba is first
imported; :mod:`models` does so, in workers too.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path


def kernel_cache() -> Path:
    """The folder for this version of the sources and of numba."""
    digest = hashlib.sha256(version("numba").encode())
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
        digest.update(source.read_bytes())
    return _writable_cache() / digest.hexdigest()[:32]


def generated_cache() -> Path:
    """The folder for kernels whose source is generated, named by that source: edits elsewhere keep it."""
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    home = _writable_cache()
    return (home if folder.parent == home else folder) / "generated"


def _writable_cache() -> Path:
    home = user_cache_path("tautline")
    try:
        home.mkdir(parents=True, exist_ok=True)
        writable = os.access(home, os.W_OK)
    except OSError:
        writable = False
    return home if writable else Path(tempfile.gettempdir()) / f"tautline-{os.getuid()}"


def point_numba_at_cache() -> None:
    """Set ``NUMBA_CACHE_DIR``, unless the user has set it."""
    if "NUMBA_CACHE_DIR" not in os.environ:
        os.environ["NUMBA_CACHE_DIR"] = str(kernel_cache())
        if "numba" in sys.modules:
            sys.modules["numba"].config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]


def once(what: str, compile_all: Callable[[], None]) -> None:
    """Compile, unless that was done on this machine for this version of the sources."""
    stamp = Path(os.environ["NUMBA_CACHE_DIR"]) / f"{what}.compiled"
    if not stamp.exists():
        compile_all()
        with suppress(OSError):
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.touch()


@contextmanager
def cached_in(folder: Path) -> Generator[None]:
    """Let numba keep what is decorated meanwhile in that folder."""
    config: Any = import_module("numba").config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
