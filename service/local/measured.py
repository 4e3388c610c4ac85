"""Hypervolumes of a study's runs against one point, with that point in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dashboards.content.criteria import point_text
from models import load
from models.errors import TautlineError
from service.local.kept import kept
from studies.records import StudyRecord
from studies.store import Store
from studies.volumes import Spread, run_volumes


@dataclass(frozen=True, slots=True)
class Measured:
    """Hypervolumes by a run's number, the point in SI (None before a design is feasible), and spreads."""

    by_run: Mapping[int, float] = field(default_factory=dict[int, float])
    reference_point: dict[str, float] | None = None
    point: str = ""
    spread: tuple[Spread, ...] = ()


NOT_MEASURED = Measured()


def measured_volumes(store: Store, study: StudyRecord) -> Measured:
    """The hypervolumes of all runs as they are now; worked out once after each generation."""
    return kept(store, "volumes", study, study.runs, lambda: _measured(store, study))


def _measured(store: Store, study: StudyRecord) -> Measured:
    found = run_volumes(store, study)
    if found is None:
        return NOT_MEASURED
    try:
        units = {metric.name: metric.unit for metric in load(study.definition["model"]).metrics}
    except TautlineError:  # the back-end is not installed any more
        units = {}
    names, values = list(found.point), list(found.point.values())
    text = point_text(names, values, [units.get(name, "1") for name in names])
    return Measured(found.by_run, dict(found.point), text, tuple(found.spread(study.runs)))
