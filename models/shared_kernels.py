"""Lets numba find a kernel's machine code by the kernel's place in this package.

numba itself goes by the path of the source file: the same version installed a second time would compile
everything again, in each of its workers, while the stamp of :func:`models.compilation.once` says that all
is done. The digest of all sources is part of the place, so no version meets the machine code of another.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numba.core.caching import CacheImpl, UserProvidedCacheLocator

from models.compilation import sources_digest

_ROOT = Path(__file__).parent


class SharedLocator(UserProvidedCacheLocator):
    """Where machine code of the kernels in files of this package is kept; other files are left to numba."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """A locator of the function's machine code, None for a function from elsewhere."""
        return super().from_function(py_func, py_file) if Path(py_file).is_relative_to(_ROOT) else None

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder below numba's cache folder."""
        return "_".join([*Path(py_file).parent.relative_to(_ROOT.parent).parts, sources_digest()])


def share_kernels() -> None:
    """Have numba ask the locator before its own ones."""
    numba_cache: Any = CacheImpl
    locators = numba_cache._locator_classes  # noqa: SLF001 - the public setting wants all others named
    if SharedLocator not in locators:
        locators.insert(0, SharedLocator)
