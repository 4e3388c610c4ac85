"""Progress of studies, in a list with what each found, and run by run.

What a run found changes only with its generations: it is read once for each, and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dashboards.formatting import title_of
from errors import TautlineError
from service.app.cache import Cache
from service.app.context import Context
from service.app.paging import first_part
from service.app.runs import Hypervolumes, counts, hypervolumes, settled_study
from service.app.studies import listed_studies, study_place, summary_fields
from service.app.verdicts import verdicts_resource
from service.resources.models import Page, moment
from service.resources.parameters import SearchText, StudyName, StudyNames
from service.resources.progress import (
    BestValue,
    ProgressResource,
    QueueResource,
    RunProgress,
    SeedSpreadResource,
    SmallFront,
    StudyOverview,
    VerdictsResource,
)
from studies.definition.derived_quantities import study_model
from studies.definition.study_file import define
from studies.problem.layout import stated_layouts
from studies.problem.problem import stored_definition
from studies.records import AnnotationRecord, FloatArray, GenerationRecord, RunRecord, RunState, StudyRecord
from studies.search.checks import described, stated_budget, stated_designs
from studies.search.dominance import nondominated
from studies.store.run_statistics import Spent

RECENT = 5
"""Generations over which a rate is taken."""
_GOING_ON: frozenset[RunState] = frozenset({"queued", "running"})


@dataclass(frozen=True, slots=True)
class Budgets:
    """Budgets of a study's runs: designs by layout (None: not stated), and seconds."""

    designs: Mapping[str, int | None]
    seconds: float | None

    def planned(self, runs: Sequence[RunRecord]) -> int | None:
        """Designs of all runs together; None when that is not stated."""
        found = [self.designs.get(run.layout) for run in runs]
        return None if None in found else sum(number for number in found if number is not None)

    def share(self, run: RunRecord, spent: Spent | None, quiet: float = 0.0) -> float:
        """Share of its budget that a run has spent, 0 to 1; see :meth:`seconds_left` for ``quiet``."""
        if run.state == "done":
            return 1.0
        planned = self.designs.get(run.layout)
        designs = spent.last.asked / planned if planned and spent else 0.0
        seconds = (spent.seconds if spent else 0.0) + quiet
        return min(max(designs, seconds / self.seconds if self.seconds else 0.0), 1.0)

    def seconds_left(
        self,
        runs: Sequence[RunRecord],
        spent: Mapping[int, Spent],
        rate: float | None,
        quiet: Mapping[int, float],
    ) -> float | None:
        """Seconds until runs that go on are done, at ``rate`` designs per second in all; None if unknown.

        ``quiet`` says for how long nothing has happened to a run that is worked on: the time of the
        generation at hand. Runs that wait take their wall time one after the other, as many at once as now.
        """
        going = [run for run in runs if run.state in _GOING_ON]
        if not going:
            return None
        limits: list[float] = []
        planned = self.planned(going)
        if rate and planned is not None:
            asked = sum(spent[run.id].last.asked for run in going if run.id in spent)
            limits.append(max(planned - asked, 0) / rate)
        if self.seconds is not None:
            used = [
                (spent[run.id].seconds if run.id in spent else 0.0) + quiet.get(run.id, 0.0) for run in going
            ]
            at_once = max(sum(run.state == "running" for run in going), 1)
            limits.append(sum(max(self.seconds - time, 0.0) for time in used) / at_once)
        return min(limits, default=None)


def budgets(cache: Cache, study: StudyRecord) -> Budgets:
    """The budgets of a study; a grid's are unknown where its model is not there any more."""
    layouts = tuple(dict.fromkeys(run.layout for run in study.runs))
    stamp = study.created, study.digest, layouts
    return cache.get(("budgets", study.name), stamp, lambda: _budgets(study, layouts))


def _budgets(study: StudyRecord, layouts: Sequence[str]) -> Budgets:
    definition = define(dict(study.definition))
    search, number = definition.search, len(definition.objectives)
    designs = dict.fromkeys(layouts, stated_budget(search, number))
    if not described(search.algorithm).budget:
        try:
            found = stated_layouts(definition).items()
        except TautlineError:
            found = ()
        designs |= {layout: stated_designs(search, stated.space, number) for layout, stated in found}
    return Budgets(designs, search.wall_seconds)


def rate(recent: Sequence[GenerationRecord]) -> float | None:
    """Designs per second over a run's last generations; None before there is one."""
    if not recent:
        return None
    before = recent[0].asked if len(recent) > 1 else 0
    counted = recent[1:] or recent
    seconds = sum(generation.seconds for generation in counted)
    return (recent[-1].asked - before) / seconds if seconds > 0.0 else None


POINTS = 24
"""Steps of a growth."""

FRONT_POINTS = 24
"""Points of each layout in a small front."""


@dataclass(frozen=True, slots=True)
class RunResults:
    """Results of a run: best minimised objectives, a part of the front, and the growth of the hypervolume."""

    best: FloatArray | None
    front: FloatArray
    """Minimised objectives ``(n, m)``."""
    growth: tuple[tuple[int, float], ...]


def study_overviews(context: Context, studies: Sequence[StudyRecord]) -> list[StudyOverview]:
    """One per study, in the order given."""
    store = context.store
    runs = [run for study in studies for run in study.runs]
    spent = store.statistics.spent([run.id for run in runs])
    going = [run.id for run in runs if run.state == "running" and run.id in spent]
    recent = store.statistics.recent(going, RECENT) if going else {}
    results = _run_results(context, studies, spent)
    fronts = _fronts_of(context, studies, spent, results)
    working = [run.id for run in runs if run.state == "running"]
    quiet = store.statistics.quiet(working) if working else {}
    noted = store.annotations.of_studies([study.name for study in studies])
    return [
        _overview(
            study,
            budgets(context.cache, study),
            spent,
            recent,
            results,
            quiet,
            fronts[study.name],
            _tags(noted[study.name]),
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
        fronts, growth = context.store.statistics.fronts(ids), context.store.statistics.growth(ids, POINTS)
        return {("results", run_id): _results(fronts.get(run_id), growth.get(run_id, ())) for run_id in ids}

    found = context.cache.get_all(stamps, compute)
    return {run_id: results for (_, run_id), results in found.items()}


def _results(front: FloatArray | None, generations: Iterable[GenerationRecord]) -> RunResults:
    points = _points(generations)
    if front is None:
        return RunResults(None, np.empty((0, 0)), points)
    finite = front[np.isfinite(front).all(axis=1)]
    return RunResults(np.min(front, axis=0), _even_part(finite), points)


def _even_part(front: FloatArray) -> FloatArray:
    """At most :data:`FRONT_POINTS` of the points ``(n, m)``, in order of the first objective."""
    ordered = front[np.argsort(front[:, 0], kind="stable")]
    most = min(FRONT_POINTS, len(ordered))
    return ordered[np.linspace(0, len(ordered) - 1, most).astype(int)]


def _points(generations: Iterable[GenerationRecord]) -> tuple[tuple[int, float], ...]:
    return tuple((g.asked, g.hypervolume) for g in generations if g.hypervolume is not None)


def _overview(
    study: StudyRecord,
    budget: Budgets,
    spent: Mapping[int, Spent],
    recent: Mapping[int, Sequence[GenerationRecord]],
    found: Mapping[int, RunResults],
    quiet: Mapping[int, float],
    fronts: list[SmallFront],
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
        fronts=fronts,
        tags=tags,
    )


def _share(runs: Sequence[RunRecord], budget: Budgets, spent: Mapping[int, Spent]) -> float:
    """The mean of the runs' shares."""
    return sum(budget.share(run, spent.get(run.id)) for run in runs) / max(len(runs), 1)


def _best(study: StudyRecord, found: Mapping[int, RunResults]) -> list[BestValue]:
    senses: Mapping[str, str] = study.definition["objectives"]
    try:
        metrics = {metric.name: metric for metric in study_model(stored_definition(study)).metrics}
    except TautlineError:  # the back-end is not installed any more
        metrics = {}
    values: list[BestValue] = []
    for column, (name, sense) in enumerate(senses.items()):
        value, layout = _least(study.runs, found, column)
        sign = 1.0 if sense == "minimize" else -1.0
        shown = None if value is None else sign * value + 0.0
        metric = metrics.get(name)
        values.append(
            BestValue.model_validate(
                {
                    "objective": name,
                    "label": title_of(name, metric.label if metric else ""),
                    "unit": metric.unit if metric else "",
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


def _fronts_of(
    context: Context,
    studies: Sequence[StudyRecord],
    spent: Mapping[int, Spent],
    found: Mapping[int, RunResults],
) -> dict[str, list[SmallFront]]:
    """Small fronts of each study, by its name; kept until a run has a new generation."""
    named = {("small fronts", study.name): study for study in studies}
    stamps = {
        key: (study.created, *((run.id, spent[run.id].last.number) for run in study.runs if run.id in spent))
        for key, study in named.items()
    }
    kept = context.cache.get_all(
        stamps, lambda missing: {key: _small_fronts(named[key], found) for key in missing}
    )
    return {name: fronts for (_, name), fronts in kept.items()}


def _small_fronts(study: StudyRecord, found: Mapping[int, RunResults]) -> list[SmallFront]:
    """The front of each layout over its seeds, in hundredths of the range of all."""
    signs = [1.0 if sense == "minimize" else -1.0 for sense in study.definition["objectives"].values()]
    parts: dict[str, list[FloatArray]] = {}
    for run in study.runs:
        if run.id in found and len(found[run.id].front):
            parts.setdefault(run.layout, []).append(found[run.id].front)
    if not parts or len(signs) < 2:
        return []
    shown = {layout: _joint(each) * signs[:2] for layout, each in parts.items()}
    every = np.concatenate(list(shown.values()))
    low, span = np.min(every, axis=0), np.ptp(every, axis=0)
    scale = np.divide(100.0, span, out=np.zeros(2), where=span > 0.0)
    return [
        SmallFront(layout=layout, points=np.rint((points - low) * scale).astype(int).tolist())
        for layout, points in shown.items()
    ]


def _joint(fronts: Sequence[FloatArray]) -> FloatArray:
    """The first two objectives ``(n, 2)`` of what none of the fronts dominates."""
    points = np.concatenate(fronts)
    return _even_part(points[nondominated(points)])[:, :2]


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


class ProgressService:
    """Progress of studies."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def list(
        self,
        search: SearchText = "",
        *,
        archived: bool = False,
        names: StudyNames = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[StudyOverview]:
        """Studies as ``studies.list`` lists them, each with its progress and its best values."""
        found = listed_studies(self._context.authorization, search, archived, cursor, limit, names)
        part = first_part(found, limit, study_place)
        return Page(items=study_overviews(self._context, part.items), next=part.next)

    def get(self, name: StudyName) -> ProgressResource:
        """Progress of the study, run by run: counts, rate, time left, and what it waits for."""
        return _progress(self._context, settled_study(self._context, name))

    def verdicts(self, name: StudyName) -> VerdictsResource:
        """Results of the designs: how many are feasible, and why the others are not."""
        study = self._context.authorization.study(name)
        return self._context.cached(
            "verdicts", study, study.runs, lambda: verdicts_resource(self._context.store, study)
        )


def _progress(context: Context, study: StudyRecord) -> ProgressResource:
    """Counts, rates and what is left; a rate only of runs that are worked on."""
    statistics = context.store.statistics
    ids = [run.id for run in study.runs]
    spent = statistics.spent(ids)
    going = [run.id for run in study.runs if run.state == "running"]
    recent = statistics.recent(going, RECENT) if going else {}
    budget, volumes = budgets(context.cache, study), hypervolumes(context, study)
    quiet = statistics.quiet(going) if going and budget.seconds is not None else {}
    runs = [
        _run(run, budget, spent.get(run.id), recent.get(run.id, ()), volumes, quiet.get(run.id, 0.0))
        for run in study.runs
    ]
    rates = [run.rate for run in runs if run.rate is not None]
    total = sum(rates) if rates else None
    waiting = statistics.waiting(ids) if any(run.state == "queued" for run in study.runs) else None
    return ProgressResource(
        study=study.name,
        state=study.state,
        planned=budget.planned(study.runs),
        designs=sum(run.designs for run in runs),
        computed=sum(run.computed for run in runs),
        feasible=sum(run.feasible for run in runs),
        failed=sum(run.failed for run in runs),
        share=sum(run.share for run in runs) / max(len(runs), 1),
        seconds=sum(run.seconds for run in runs),
        rate=total,
        seconds_left=_left(study, budget, spent, total, quiet),
        waiting=QueueResource.model_validate(waiting) if waiting else None,
        reference_point=volumes.reference_point,
        point=volumes.point,
        spread=[SeedSpreadResource.model_validate(row) for row in volumes.spread],
        runs=runs,
    )


def _left(
    study: StudyRecord,
    budget: Budgets,
    spent: Mapping[int, Spent],
    total: float | None,
    quiet: Mapping[int, float],
) -> float | None:
    return budget.seconds_left(study.runs, spent, total, quiet) if total or quiet else None


def _run(
    run: RunRecord,
    budget: Budgets,
    spent: Spent | None,
    recent: Sequence[GenerationRecord],
    volumes: Hypervolumes,
    quiet: float,
) -> RunProgress:
    last = spent.last if spent else None
    return RunProgress(
        id=run.id,
        layout=run.layout,
        seed=run.seed,
        state=run.state,
        message=run.message,
        owner=run.owner,
        owner_gone=run.owner_gone,
        planned=budget.designs.get(run.layout),
        **counts(last),
        hypervolume=volumes.by_run.get(run.id),
        share=budget.share(run, spent, quiet),
        seconds=spent.seconds if spent else 0.0,
        rate=rate(recent),
        finished=moment(last.finished) if last else None,
    )
