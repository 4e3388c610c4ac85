"""Studies in a list, each with how far it is and what it found: a few statements for the whole list.

What a run found changes only with its generations: it is read once for each, and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from errors import TautlineError
from service.app.budgets import RECENT, Budgets, budgets, rate
from service.app.context import Context
from service.app.studies import summary_fields
from service.resources.progress import BestValue, StudyOverview
from studies.definition.derived_quantities import study_model
from studies.problem.setup import stored_definition
from studies.records import AnnotationRecord, FloatArray, GenerationRecord, RunRecord, StudyRecord
from studies.store.run_statistics import Spent

POINTS = 24
"""Steps of a growth."""


@dataclass(frozen=True, slots=True)
class RunResults:
    """Results of a run: its best minimised objectives, and the growth of its hypervolume."""

    best: FloatArray | None
    growth: tuple[tuple[int, float], ...]


def study_overviews(context: Context, studies: Sequence[StudyRecord]) -> list[StudyOverview]:
    """One per study, in the order given."""
    store = context.store
    runs = [run for study in studies for run in study.runs]
    spent = store.statistics.spent([run.id for run in runs])
    going = [run.id for run in runs if run.state == "running" and run.id in spent]
    recent = store.statistics.recent(going, RECENT) if going else {}
    results = _run_results(context, studies, spent)
    working = [run.id for run in runs if run.state == "running"]
    quiet = store.statistics.quiet(working) if working else {}
    noted = store.annotations.of_studies([study.name for study in studies])
    return [
        _overview(
            study, budgets(context.cache, study), spent, recent, results, quiet, _tags(noted[study.name])
        )
        for study in studies
    ]


def _tags(annotations: Iterable[AnnotationRecord]) -> list[str]:
    return sorted(each.text for each in annotations if each.kind == "tag")


def _run_results(
    context: Context, studies: Sequence[StudyRecord], spent: Mapping[int, Spent]
) -> dict[int, RunResults]:
    """Results of each run, by its number."""
    # Numbers of runs are given out again when a study was deleted.
    stamps = {
        ("results", run.id): (study.created, spent[run.id].last.number)
        for study in studies
        for run in study.runs
        if run.id in spent
    }

    def compute(missing: list[tuple[str, int]]) -> dict[tuple[str, int], RunResults]:
        ids = [run_id for _, run_id in missing]
        best, growth = context.store.statistics.best(ids), context.store.statistics.growth(ids, POINTS)
        return {
            ("results", run_id): RunResults(best.get(run_id), _points(growth.get(run_id, ())))
            for run_id in ids
        }

    found = context.cache.get_all(stamps, compute)
    return {run_id: results for (_, run_id), results in found.items()}


def _points(generations: Iterable[GenerationRecord]) -> tuple[tuple[int, float], ...]:
    return tuple((g.asked, g.hypervolume) for g in generations if g.hypervolume is not None)


def _overview(
    study: StudyRecord,
    budget: Budgets,
    spent: Mapping[int, Spent],
    recent: Mapping[int, Sequence[GenerationRecord]],
    found: Mapping[int, RunResults],
    quiet: Mapping[int, float],
    tags: list[str],
) -> StudyOverview:
    own = [spent[run.id].last for run in study.runs if run.id in spent]
    rates = [rate(recent.get(run.id, ())) or 0.0 for run in study.runs]
    return StudyOverview(
        **summary_fields(study),
        layouts=list(dict.fromkeys(run.layout for run in study.runs)),
        planned=budget.planned(study.runs),
        designs=sum(last.asked for last in own),
        feasible=sum(last.feasible for last in own),
        failed=sum(last.failed for last in own),
        share=_share(study.runs, budget, spent),
        seconds=sum(spent[run.id].seconds for run in study.runs if run.id in spent),
        seconds_left=budget.seconds_left(study.runs, spent, sum(rates), quiet),
        best=_best(study, found),
        growth=_growth([found[run.id].growth for run in study.runs if run.id in found]),
        tags=tags,
    )


def _share(runs: Sequence[RunRecord], budget: Budgets, spent: Mapping[int, Spent]) -> float:
    """The mean of the runs' shares."""
    return sum(budget.share(run, spent.get(run.id)) for run in runs) / max(len(runs), 1)


def _best(study: StudyRecord, found: Mapping[int, RunResults]) -> list[BestValue]:
    senses: Mapping[str, str] = study.definition["objectives"]
    try:
        units = {metric.name: metric.unit for metric in study_model(stored_definition(study)).metrics}
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


def _least(
    runs: Iterable[RunRecord], found: Mapping[int, RunResults], column: int
) -> tuple[float | None, str]:
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
