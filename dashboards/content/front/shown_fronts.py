"""Fronts as notebooks show them: variables in words, and what the nearest designs of an empty front lack."""

from __future__ import annotations

from dashboards.content.front.nearest_designs import nearest_designs
from errors import TautlineError
from models.parameter_names import parameter_words
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import StudyRecord
from studies.results.fronts import Fronts, choose_runs
from studies.results.fronts import fronts as stored_fronts
from studies.store import Store

MOST_NEAREST = 3
"""Designs of a layout without a front of which it is said what they lack."""


def fronts(store: Store, study: StudyRecord, layout: str | None = None, seed: int | None = None) -> Fronts:
    """The front of each layout, joint over its seeds, each sorted by key."""
    found = stored_fronts(store, study, layout, seed)
    found.labels = _labels(study, found)
    found.notes = [
        f"{name}: {line}"
        for name, designs in found.items()
        if not designs
        for line in _nearest(store, study, name, seed)
    ]
    return found


def _labels(study: StudyRecord, found: Fronts) -> dict[str, str]:
    """Words for the paths of all variables; none where the back-end is not installed any more."""
    try:
        record = study_model(stored_definition(study)).parameters
    except TautlineError:
        return {}
    paths = {path for designs in found.values() for one in designs for path in one.variables}
    return {path: parameter_words(record, path) for path in paths}


def _nearest(store: Store, study: StudyRecord, layout: str, seed: int | None) -> list[str]:
    """Lines on the nearest designs: those of all seeds in turn, the nearest of each first."""
    runs = choose_runs(study, layout, seed)
    lines = [nearest_designs(store, study, run, MOST_NEAREST) for run in runs]
    ordered = [one[place] for place in range(MOST_NEAREST) for one in lines if place < len(one)]
    return list(dict.fromkeys(ordered))[:MOST_NEAREST]
