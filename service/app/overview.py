"""Studies in a list, each with how far it is and what it found: a few statements for the whole list.

What a run found changes only with its generations: it is read once for each, and kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from errors import TautlineError
from models import load
from service.app.pace import RECENT, Budgets, budgets, rate
from service.app.serializers import study_summary
from service.resources.progress import BestValue, StudyOverview
from studies.records import FloatArray, GenerationRecord, RunRecord, StudyRecord
from studies.store import Store
from studies.store.run_statistics import Spent

POINTS = 24
"""Steps of a growth."""
_MOST_KEPT = 20_000
"""Runs whose findings are kept, each less than a kilobyte."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found: its best minimised objectives, and how its hypervolume grew."""

    best: FloatArray | None
    growth: tuple[tuple[int, float], ...]


class _Kept:
    """What runs of one store found until a generation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[int, float, int], Found] = OrderedDict()

    def get(self, keys: Iterable[tuple[int, float, int]]) -> dict[int, Found]:
        with self._lock:
            return {key[0]: self._found[key] for key in keys if key in self._found}

    def put(self, found: Mapping[tuple[int, float, int], Found]) -> None:
        with self._lock:
            self._found.update(found)
            while len(self._found) > _MOST_KEPT:
                self._found.popitem(last=False)


_shelves: WeakKeyDictionary[Store, _Kept] = WeakKeyDictionary()
_making = threading.Lock()


def overviews(store: Store, studies: Sequence[StudyRecord]) -> list[StudyOverview]:
    """One per study, in the order given."""
    runs = [run for study in studies for run in study.runs]
    spent = store.tally.spent([run.id for run in runs])
    going = [run.id for run in runs if run.state == "running" and run.id in spent]
    recent = store.tally.recent(going, RECENT) if going else {}
    found = _found(store, studies, spent)
    working = [run.id for run in runs if run.state == "running"]
    quiet = store.tally.quiet(working) if working else {}
    return [_overview(study, spent, recent, found, quiet) for study in studies]


def _found(store: Store, studies: Sequence[StudyRecord], spent: Mapping[int, Spent]) -> dict[int, Found]:
    """What each run found, by its number; read from the store where that is not known yet."""
    with _making:
        kept = _shelves.setdefault(store, _Kept())
    # Numbers of runs are given out again when a study was deleted.
    keys = {
        run.id: (run.id, study.created, spent[run.id].last.number)
        for study in studies
        for run in study.runs
        if run.id in spent
    }
    known = kept.get(keys.values())
    missing = [run_id for run_id in keys if run_id not in known]
    if not missing:
        return known
    best, growth = store.tally.best(missing), store.tally.growth(missing, POINTS)
    new = {run_id: Found(best.get(run_id), _points(growth.get(run_id, ()))) for run_id in missing}
    kept.put({keys[run_id]: found for run_id, found in new.items()})
    return known | new


def _points(generations: Iterable[GenerationRecord]) -> tuple[tuple[int, float], ...]:
    return tuple((g.asked, g.hypervolume) for g in generations if g.hypervolume is not None)


def _overview(
    study: StudyRecord,
    spent: Mapping[int, Spent],
    recent: Mapping[int, Sequence[GenerationRecord]],
    found: Mapping[int, Found],
    quiet: Mapping[int, float],
) -> StudyOverview:
    own = [spent[run.id].last for run in study.runs if run.id in spent]
    budget = budgets(study)
    rates = [rate(recent.get(run.id, ())) or 0.0 for run in study.runs]
    return StudyOverview(
        **dict(study_summary(study)),
        layouts=list(dict.fromkeys(run.layout for run in study.runs)),
        planned=budget.planned(study.runs),
        designs=sum(last.asked for last in own),
        feasible=sum(last.feasible for last in own),
        failed=sum(last.failed for last in own),
        share=_share(study.runs, budget, spent),
        seconds_left=budget.seconds_left(study.runs, spent, sum(rates), quiet),
        best=_best(study, found),
        growth=_growth([found[run.id].growth for run in study.runs if run.id in found]),
    )


def _share(runs: Sequence[RunRecord], budget: Budgets, spent: Mapping[int, Spent]) -> float:
    """The mean of the runs' shares."""
    return sum(budget.share(run, spent.get(run.id)) for run in runs) / max(len(runs), 1)


def _best(study: StudyRecord, found: Mapping[int, Found]) -> list[BestValue]:
    senses: Mapping[str, str] = study.definition["objectives"]
    try:
        units = {metric.name: metric.unit for metric in load(study.definition["model"]).metrics}
    except TautlineError:  # the back-end is not installed any more
        units = {}
    values: list[BestValue] = []
    for column, (name, sense) in enumerate(senses.items()):
        value, layout = _least(study.runs, found, column)
        sign = 1.0 if sense == "minimize" else -1.0
        shown = None if value is None else sign * value + 0.0
        values.append(
            BestValue.model_validate(
                {
                    "objective": name,
                    "unit": units.get(name, ""),
                    "sense": sense,
                    "value": shown,
                    "layout": layout,
                }
            )
        )
    return values


def _least(runs: Iterable[RunRecord], found: Mapping[int, Found], column: int) -> tuple[float | None, str]:
    """The least value of a minimised objective, and the first layout that has it."""
    least, layout = None, ""
    for run in runs:
        best = found[run.id].best if run.id in found else None
        if best is not None and (least is None or best[column] < least):
            least, layout = float(best[column]), run.layout
    return least, layout


def _growth(growths: Sequence[Sequence[tuple[int, float]]]) -> list[float]:
    """The mean of the runs' hypervolumes at equal steps of designs, each run against its latest."""
    grown = [points for points in growths if points and points[-1][1] > 0.0]
    if not grown:
        return []
    steps = np.linspace(0.0, max(points[-1][0] for points in grown), POINTS + 1)
    lines: list[FloatArray] = []
    for points in grown:
        asked, volumes = np.array(points).T
        place = np.searchsorted(asked, steps, side="right") - 1
        lines.append(np.where(place >= 0, volumes[place], 0.0) / volumes[-1])
    return [round(float(value), 4) for value in np.mean(lines, axis=0)]
