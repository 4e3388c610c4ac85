"""Fronts in words: designs to begin with, the nearest to feasible, and tables of notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboards.formatting import quantity, statistic_words
from errors import TautlineError
from models.parameter_names import parameter_words, words
from studies.definition.derived_quantities import study_model
from studies.definition.objectives import Constraint
from studies.definition.robust_metrics import is_robust
from studies.execution.evaluation_key import short_key
from studies.problem.layout import Layout, stated_layouts
from studies.problem.problem import stored_definition
from studies.records import FrontDesign, RunRecord, StudyRecord
from studies.results.front_picks import FrontPick, front_picks
from studies.results.fronts import Fronts, choose_runs, objectives_of
from studies.results.fronts import fronts as stored_fronts
from studies.store import Store
from studies.store.trials import Trial


@dataclass(frozen=True, slots=True)
class Pick:
    """A design and what it stands for, as one label."""

    design: FrontDesign
    title: str


def picks(front: Sequence[FrontDesign], objectives: Sequence[str]) -> list[Pick]:
    """The best of each objective, the knee and the nearest to ideal; one design may stand for several."""
    texts: dict[int, list[str]] = {}
    for pick in front_picks(objectives_of(front, len(objectives)), objectives):
        texts.setdefault(pick.row, []).append(_reason(pick))
    titles = {row: ", ".join(reasons) for row, reasons in texts.items()}
    return [Pick(front[row], title[:1].upper() + title[1:]) for row, title in titles.items()]


def _reason(pick: FrontPick) -> str:
    if pick.kind == "best":
        name = pick.objective
        return f"best {statistic_words(name) if is_robust(name) else words(name)}"
    return {"knee": "knee", "ideal": "closest to ideal"}[pick.kind]


_DIGITS = 6
"""A bound that is nearly met must not look as if it were."""


def nearest_designs(store: Store, study: StudyRecord, run: RunRecord, most: int) -> list[str]:
    """A line for each of the ``most`` designs with the least violation, the nearest first."""
    found = store.nearest_trials(run, most)
    try:
        stated = stated_layouts(stored_definition(study))[run.layout]
    except TautlineError:  # the back-end is not installed any more
        return []
    return [
        f"nearest design {short_key(trial.key)}"
        f"{'' if trial.rung is None else f', on rung {trial.rung} only'}: {_lacks(stated, trial)}"
        for trial in found
    ]


def _lacks(stated: Layout, trial: Trial) -> str:
    if trial.state != "done":
        return trial.reason or "it has no metrics"
    metrics = stated.goal_metrics(trial.metrics, trial.parameters, trial.point)
    broken = [each for each in stated.constraints if each.violation(metrics) > 0]
    return "; ".join(_broken(each, metrics) for each in broken)


def _broken(constraint: Constraint, metrics: Mapping[str, float | None]) -> str:
    value = metrics[constraint.metric]
    judged = constraint.absent if value is None else value
    low = judged < constraint.lower
    bound = quantity(constraint.lower if low else constraint.upper, constraint.unit, _DIGITS)
    shown = "absent" if value is None else quantity(value, constraint.unit, _DIGITS)
    return f"{constraint.metric} is {shown}, must be at {'least' if low else 'most'} {bound}"


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
