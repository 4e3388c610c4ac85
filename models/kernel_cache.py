"""Where numba keeps the machine code of kernels.

numba notices an edited kernel, but not an edited callee in another file, so the folder's name
holds a digest of all sources: any edit gets a fresh folder. It must be set before numba is first
imported; :mod:`models` does so, in workers too.

Below that folder, machine code is found by the kernel's place in this package. numba itself goes by the path
of the source file: the same version installed a second time would compile everything again, in each of its
workers, while the stamp of :func:`once` says that all is done.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from getpass import getuser
from importlib.metadata import version
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path


def kernel_cache() -> Path:
    """The folder for this version of the sources and of numba."""
    return _writable_cache() / sources_digest()


@cache
def sources_digest() -> str:
    """A name for this version of the sources and of numba."""
    digest = hashlib.sha256(version("numba").encode())
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


def generated_cache() -> Path:
    """The folder for kernels whose source is generated, named by that source: edits elsewhere keep it."""
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    home = _writable_cache()
    return (home if folder.parent == home else folder) / "generated"


def _writable_cache() -> Path:
    home = user_cache_path("tautline")
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    passing = Path(tempfile.gettempdir()) / f"tautline-{getuser()}"
    return passing if _is_private(passing) else Path(tempfile.mkdtemp(prefix="tautline-"))


def _is_private(folder: Path) -> bool:
    """Whether the folder can be had and nobody else can write to it: machine code is run from there."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        owned = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        return owned and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022
    return False


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


def share_kernels() -> None:
    """Have numba ask for a kernel's place in this package before it goes by the path of the source file."""
    from numba.core.caching import CacheImpl, UserProvidedCacheLocator

    root = Path(__file__).parent

    class PackageLocator(UserProvidedCacheLocator):
        """Where machine code of this package's kernels is kept; other files are left to numba."""

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            """A locator of the function's machine code, None for a function from elsewhere."""
            return super().from_function(py_func, py_file) if Path(py_file).is_relative_to(root) else None

        @classmethod
        def get_suitable_cache_subpath(cls, py_file: str) -> str:
            """The folder below numba's cache folder; the digest keeps versions apart."""
            return "_".join([*Path(py_file).parent.relative_to(root.parent).parts, sources_digest()])

    numba_cache: Any = CacheImpl
    locators = numba_cache._locator_classes  # noqa: SLF001 - the public setting wants all others named
    locators.insert(0, PackageLocator)
