"""Provenance of results: versions, machine and the state of the source tree."""

from __future__ import annotations

import os
import platform
import socket
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from errors import VersionError
from models import Model
from models.registry import ENTRY_POINT_GROUP, own_source
from studies.records import RunRecord
from studies.search import package_of
from studies.store import Store

_PACKAGES = (
    "tautline",
    "numpy",
    "scipy",
    "numba",
    "pymoo",
    "cma",
    "optuna",
    "moocore",
    "scikit-learn",
    "torch",
    "dask",
    "distributed",
    "sqlalchemy",
    "pydantic",
)
STREAM_PACKAGES = ("numpy", "scipy", "pymoo", "moocore", "cma", "optuna")
"""A search may ask for other designs under another version of these; optuna-gp under another torch, too."""


def provenance(model: Model, seed: int, algorithm: str) -> dict[str, Any]:
    """A record of plain values."""
    package = package_of(algorithm)
    return {
        "model": model.name,
        "model_version": model.version,
        "model_package": _package_of(model.name) if (own := own_source(model.name)) is None else own.name,
        "seed": seed,
        **({"model_digest": model.digest} if model.digest else {}),
        **({"algorithm_package": package} if package else {}),
        **_process(),
    }


@cache
def _process() -> dict[str, Any]:
    """Facts that all runs of this process share: it goes on with the code that it has loaded."""
    return {
        "git": _git(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "host": socket.gethostname(),
    }


def require_same_stream(store: Store, run: RunRecord, model: Model, algorithm: str) -> None:
    """Raise ``VersionError`` when the run was searched with versions that may ask for other designs.

    Another version of the model computes other results, which would change the search.
    """
    records = store.provenance(run)
    if not records:
        return
    before = records[-1]["packages"]
    changed = [
        f"{name} {before[name]} (here {_version(name) or 'none'})"
        for name in (*STREAM_PACKAGES, *(("torch",) if algorithm == "optuna-gp" else ()))
        if before.get(name) not in (None, _version(name))
    ]
    searched, here = records[-1].get("algorithm_package", ""), package_of(algorithm)
    if searched != here:
        changed.append(f"{algorithm} of {searched or 'Tautline'} (here {here or 'of Tautline'})")
    if records[-1]["model_version"] != model.version:
        changed.append(f"version {records[-1]['model_version']} of {model.name} (here {model.version})")
    if (digest := records[-1].get("model_digest", "")) != model.digest:
        changed.append(f"{model.name} {_source(digest)} (here {_source(model.digest)})")
    if changed:
        error = VersionError(
            f"{run.layout}, seed {run.seed}, of study '{run.study}' was searched with {', '.join(changed)}; "
            "the search may choose other designs under other versions. Install those versions, or search "
            "again as a branch under a new name, where designs that were already evaluated cost nothing"
        )
        raise error.mended_by("studies", "branch", run.study, **({"model": "FILE"} if model.digest else {}))


def require_same_source(store: Store, runs: Sequence[RunRecord], model: Model) -> None:
    """Raise ``VersionError`` when runs that have ended were computed by another source of an own model.

    To go on with the study would show their results as if they were those of the new source.
    """
    for run in runs:
        digests = {record.get("model_digest", "") for record in store.provenance(run)} - {model.digest}
        if model.digest and digests:
            error = VersionError(
                f"{run.layout}, seed {run.seed}, of study '{run.study}' was computed by {model.name} "
                f"{_source(min(digests))}; the model has changed since (here {_source(model.digest)}). The "
                "stored results are kept. Search again as a branch under a new name"
            )
            raise error.mended_by("studies", "branch", run.study, model="FILE")


def _source(digest: str) -> str:
    return f"of source {digest[:12]}" if digest else "as an installed package"


def _version(package: str) -> str:
    """The version of a package; empty where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@cache
def _package_of(model: str) -> str:
    """The distribution that holds the back-end, with its version."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == model and entry.dist is not None:
            return f"{entry.dist.name} {entry.dist.version}"
    return f"tautline {version('tautline')}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def _git() -> dict[str, Any] | None:
    """Commit and dirty flag of the tree that holds this file; None for an installed package."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return None
    try:
        commit = _run_git(root, "rev-parse", "HEAD")
        return {
            "commit": commit,
            "dirty": bool(_run_git(root, "status", "--porcelain", "--untracked-files=no")),
        }
    except (OSError, subprocess.SubprocessError):
        return None


def _run_git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603 - fixed words
    return result.stdout.strip()
