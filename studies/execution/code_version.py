"""Version of the code that evaluates: workers whose code differs from the driver's are refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path

from errors import WorkerError
from models.model_source import ModelSource
from models.registry import ENTRY_POINT_GROUP, own_source

_HOME = Path(__file__).resolve().parents[2]
_OURS = "tautline"


@dataclass(frozen=True, slots=True)
class CodeVersion:
    """A digest of the sources that evaluate, and the distribution that the model comes from.

    For a model of the user's own, which no other process has installed, ``own`` is its source.
    """

    digest: str
    distribution: str
    version: str
    own: ModelSource | None = None

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}, sources {self.digest[:12]}"


def code_version(model: str = "", wanted: CodeVersion | None = None) -> CodeVersion:
    """The code of this process, for one model; without a name, what all models share.

    With ``wanted``, which another process sends, a model of the user's own is the one that it brings.
    """
    own = own_source(model) if wanted is None else wanted.own
    if own is None:
        return _installed_code(model)
    return replace(_installed_code(), distribution=own.name, version=own.digest[:12], own=own)


@cache
def _installed_code(model: str = "") -> CodeVersion:
    """The code of this process without models of the user's own.

    Kept for the life of the process: it is the code that the process runs, also when the files
    change under it.
    """
    sources = [_HOME / "errors.py", _HOME / "models", _HOME / "studies" / "execution"]
    distribution, number = _OURS, _version(_OURS)
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == model and entry.dist is not None:
            distribution, number = entry.dist.name, entry.dist.version
            sources += _package(entry.module.split(".", 1)[0])
    return CodeVersion(_digest(sources), distribution, number)


def refuse_other(found: CodeVersion, wanted: CodeVersion, who: str) -> None:
    """Raise ``WorkerError`` when ``who`` has other code than the driver."""
    if found != wanted:
        raise WorkerError(
            f"{who} has {found}, but the run was started with {wanted}; install the same version on all "
            "machines, then start the workers and the run again"
        )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _package(name: str) -> list[Path]:
    """The folder of a package, or the file of a module."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return []
    origin = Path(spec.origin).resolve()
    return [origin.parent if origin.name == "__init__.py" else origin]


def _digest(sources: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for root in sources:
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(file.relative_to(root.parent).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
