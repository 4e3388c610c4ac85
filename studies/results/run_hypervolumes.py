"""The hypervolume of every run of a study, measured against one point.

Each run measures its own front against a point of its own (see :mod:`studies.run.growth`). Such numbers say
how one run grows; they do not say which of two runs is better. While runs go on, the point here is the worst
of the points of all runs. As they do, it moves outwards only: no run's hypervolume falls. Once all runs have
ended, it is the point of the study's comparison, so that one number stands everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from studies.records import ENDED, FloatArray, RunRecord, StudyRecord
from studies.search.dominance import nondominated
from studies.search.indicators import beyond_worst, hypervolume, median
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
    study file gives it; else it is the worst of the runs' own points in each objective.
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
    points = [run.reference_point for run in study.runs if run.reference_point is not None]
    if not points:
        return None
    stated = bool(study.definition.get("indicators", {}).get("reference_point"))
    begun = store.last_generations(study.runs)
    fronts = {run.id: store.front_places(run).objectives for run in study.runs if run.id in begun}
    reference = np.max(points, axis=0)
    if not stated and all(run.state in ENDED for run in study.runs):
        reference = beyond_worst(_joint_fronts(study, fronts))
    volumes = {number: hypervolume(front, reference) for number, front in fronts.items()}
    senses: Mapping[str, str] = study.definition["objectives"]
    signs = np.array([1.0 if sense == "minimize" else -1.0 for sense in senses.values()])
    point = dict(zip(senses, (reference * signs + 0.0).tolist(), strict=True))
    return Volumes(point, stated, volumes)


def _joint_fronts(study: StudyRecord, fronts: Mapping[int, FloatArray]) -> FloatArray:
    """Designs ``(n, m)`` on the joint front of any layout."""
    joint: list[FloatArray] = []
    for layout in dict.fromkeys(run.layout for run in study.runs):
        own = [fronts[run.id] for run in study.runs if run.layout == layout and run.id in fronts]
        found = np.concatenate([front for front in own if len(front)] or [np.empty((0, 0))])
        if len(found):
            joint.append(found[nondominated(found)])
    return np.concatenate(joint)
