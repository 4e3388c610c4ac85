"""The hypervolume of every run of a study, measured against one point.

A run in progress measures its own front against a point of its own, which is fixed once and never moved. Such
numbers say how one run grows; they do not say which of two runs is better. The point here is that of
:func:`studies.comparison.compare_studies`, so that lists of runs and comparisons agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from studies.fronts import joint_fronts
from studies.indicators import FloatArray, beyond_worst, hypervolume, median
from studies.records import RunRecord, StudyRecord
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Spread:
    """The hypervolumes of a layout's seeds: how many there are, the least, the median and the greatest."""

    layout: str
    seeds: int
    least: float
    median: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Volumes:
    """Hypervolumes of a study's runs by their number, and the point against which all are measured.

    ``point`` maps objectives to values in SI and in the metrics' own senses. ``stated`` says whether the
    study file gives it; else it lies a tenth of the range beyond the worst design of the joint fronts.
    """

    point: Mapping[str, float]
    stated: bool
    by_run: Mapping[int, float]

    def spread(self, runs: Sequence[RunRecord]) -> list[Spread]:
        """One per layout among ``runs`` that has a hypervolume, in their order."""
        found: list[Spread] = []
        for layout in dict.fromkeys(run.layout for run in runs):
            own = [self.by_run[run.id] for run in runs if run.layout == layout and run.id in self.by_run]
            if own:
                found.append(Spread(layout, len(own), min(own), median(np.array(own)), max(own)))
        return found


def run_volumes(store: Store, study: StudyRecord) -> Volumes | None:
    """The hypervolumes of all runs that have logged a generation; None while no run has a feasible design."""
    reference = _stated_point(study)
    stated = reference is not None
    if reference is None:
        found = [front.objectives for front in joint_fronts(store, study) if front.keys]
        if not found:
            return None
        reference = beyond_worst(np.concatenate(found))
    begun = store.last_generations(study.runs)
    volumes = {
        run.id: hypervolume(store.front_places(run).objectives, reference)
        for run in study.runs
        if run.id in begun
    }
    senses: Mapping[str, str] = study.definition["objectives"]
    signs = np.array([1.0 if sense == "minimize" else -1.0 for sense in senses.values()])
    point = dict(zip(senses, (reference * signs + 0.0).tolist(), strict=True))
    return Volumes(point, stated, volumes)


def _stated_point(study: StudyRecord) -> FloatArray | None:
    """The point of the study file, minimised, which every run keeps from its first feasible design on."""
    if not study.definition.get("indicators", {}).get("reference_point"):
        return None
    return next((run.reference_point for run in study.runs if run.reference_point is not None), None)
