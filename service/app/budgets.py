"""Budgets of runs: the share that is spent, the rate of designs, and the time until the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from errors import TautlineError
from service.app.cache import Cache
from studies.definition.study_file import define
from studies.problem.layout import stated_layouts
from studies.records import GenerationRecord, RunRecord, RunState, StudyRecord
from studies.search.checks import described, stated_budget, stated_designs
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
