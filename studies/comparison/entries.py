"""The entries of a comparison: layouts of one study, or of several studies with common objectives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from errors import InputError
from models.units import unit_text
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.records import FrontDesign, RunRecord, StudyRecord
from studies.results.fronts import designs_on, joint_fronts
from studies.search.dominance import nondominated
from studies.search.indicators import FloatArray
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective that all compared studies have: the same metric, unit and sense."""

    name: str
    unit: str
    sense: str

    @property
    def sign(self) -> float:
        """Factor that turns the metric into something to minimise."""
        return 1.0 if self.sense == "minimize" else -1.0


@dataclass(frozen=True, slots=True)
class ComparisonEntry:
    """One layout of a study. ``columns`` are the places of the common goals among the study's own."""

    label: str
    study: StudyRecord
    layout: str
    columns: tuple[int, ...]
    complete: bool
    """True if the common goals are all objectives of the study."""

    @property
    def runs(self) -> list[RunRecord]:
        """The searches of the layout, one per seed."""
        return [run for run in self.study.runs if run.layout == self.layout]


def goals_of(study: StudyRecord) -> list[Goal]:
    """The objectives of a study."""
    definition = definition_of(study)
    model = study_model(definition)
    return [Goal(name, model.metric(name).unit, sense) for name, sense in definition.objectives.items()]


def common_goals(studies: Sequence[StudyRecord]) -> list[Goal]:
    """The objectives that all studies have; raises ``InputError`` when there is none."""
    wanted = [goals_of(study) for study in studies]
    common = [goal for goal in wanted[0] if all(goal in others for others in wanted)]
    if common:
        return common
    stated = "; ".join(
        f"{study.name} has {', '.join(_in_words(goal) for goal in goals)}"
        for study, goals in zip(studies, wanted, strict=True)
    )
    raise InputError(
        f"the studies have no objective in common ({stated}); "
        "choose studies that share a metric and its sense",
        ("of",),
    )


def _in_words(goal: Goal) -> str:
    unit = unit_text(goal.unit)
    return f"{goal.sense} {goal.name}{f' [{unit}]' if unit else ''}"


def comparison_entries(studies: Sequence[StudyRecord], goals: Sequence[Goal]) -> list[ComparisonEntry]:
    """Every layout of every study; a layout has its own name where there is one study alone.

    Beside others, a study whose results come from elsewhere is called imported.
    """
    found: list[ComparisonEntry] = []
    for study in studies:
        own = goals_of(study)
        layouts = list(dict.fromkeys(run.layout for run in study.runs))
        columns = tuple(own.index(goal) for goal in goals)
        marked = f"{study.name} (imported)" if study.source else study.name
        for layout in layouts:
            label = f"{marked}: {layout}" if len(layouts) > 1 else marked
            entry_label = layout if len(studies) == 1 else label
            found.append(ComparisonEntry(entry_label, study, layout, columns, len(goals) == len(own)))
    return found


def front_of(store: Store, entry: ComparisonEntry) -> list[FrontDesign]:
    """The entry's front in the common goals, joint over its seeds.

    A front in some of the objectives is part of the front in all of them, up to designs that are equal
    in these; so nothing is lost by starting from the stored one.
    """
    (front,) = joint_fronts(store, entry.study, entry.layout)
    if not front.keys:
        return []
    front = replace(front, objectives=front.objectives[:, entry.columns])
    kept = np.ones(len(front.keys), dtype=bool) if entry.complete else nondominated(front.objectives)
    places = [(front, row) for row in np.flatnonzero(kept).tolist()]
    return designs_on(store, entry.study, places, entry.label)


def seed_fronts(store: Store, entry: ComparisonEntry) -> dict[int, FloatArray]:
    """The front of each of the entry's seeds, as minimised common goals ``(n, m)``."""
    width = len(entry.columns)
    found = {run.seed: store.front_places(run).objectives for run in entry.runs}
    return {
        seed: objectives[:, entry.columns] if len(objectives) else np.empty((0, width))
        for seed, objectives in found.items()
    }
