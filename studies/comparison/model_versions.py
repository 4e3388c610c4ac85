"""Versions of its back-end that evaluated a study, and their meaning for a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from errors import TautlineError
from models import load
from studies.records import StudyRecord
from studies.store import Store


class ModelVersion(NamedTuple):
    """A version of a back-end; of a model of the user's own, also the digest of its source."""

    number: int
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.number} of source {self.digest[:12]}" if self.digest else str(self.number)


def versions_of(store: Store, study: StudyRecord) -> dict[str, tuple[ModelVersion, ...]]:
    """The versions of the back-end that evaluated each layout; none before a run has begun."""
    found: dict[str, set[ModelVersion]] = {run.layout: set() for run in study.runs}
    for run in study.runs:
        found[run.layout] |= {
            ModelVersion(record["model_version"], record.get("model_digest", ""))
            for record in store.provenance(run)
            if "model_version" in record
        }
    return {layout: tuple(sorted(versions)) for layout, versions in found.items()}


_AGAIN = "its front can be evaluated again under the installed version"


def version_remarks(store: Store, study: StudyRecord) -> list[str]:
    """Sentences on versions: designs of one study that differ in theirs, or from what is installed."""
    return _remarks(study, versions_of(store, study))


def _remarks(study: StudyRecord, by_layout: Mapping[str, tuple[ModelVersion, ...]]) -> list[str]:
    used = sorted({version for versions in by_layout.values() for version in versions})
    name = study.definition["model"]
    found: list[str] = []
    if len(used) > 1:
        listed = ", ".join(
            f"{layout} {' and '.join(map(str, versions))}"
            for layout, versions in by_layout.items()
            if versions
        )
        found.append(
            f"Study {study.name} was evaluated by several versions of {name} ({listed}), whose numbers "
            f"cannot be compared; {_AGAIN}."
        )
    try:
        model = load(name)
        installed = ModelVersion(model.version, model.digest)
    except TautlineError:  # not installed any more
        return found
    if used and used != [installed]:
        found.append(
            f"Study {study.name} was evaluated by version {' and '.join(map(str, used))} of {name}; version "
            f"{installed} is installed and computes other results; {_AGAIN}."
        )
    return found


def compared_remarks(store: Store, studies: list[StudyRecord]) -> list[str]:
    """The remarks of all studies, after one on studies of one back-end that differ in versions."""
    used: dict[str, dict[str, set[ModelVersion]]] = {}
    found_versions = {study.name: versions_of(store, study) for study in studies}
    for study in studies:
        versions = {version for found in found_versions[study.name].values() for version in found}
        if versions:
            used.setdefault(study.definition["model"], {})[study.name] = versions
    across = [
        _across(model, by_study)
        for model, by_study in used.items()
        if len({frozenset(own) for own in by_study.values()}) > 1
    ]
    return [*across, *(text for study in studies for text in _remarks(study, found_versions[study.name]))]


def _across(model: str, by_study: dict[str, set[ModelVersion]]) -> str:
    listed = ", ".join(f"{name}: {' and '.join(map(str, sorted(own)))}" for name, own in by_study.items())
    return (
        f"The studies were evaluated by different versions of {model} ({listed}): a difference may come from "
        "the model, not from the robot."
    )
