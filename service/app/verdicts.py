"""Counts of a study's feasible designs, and of the reasons why the others are not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from errors import TautlineError
from service.resources.progress import VerdictGroup, VerdictsResource
from studies.definition.objectives import Constraint
from studies.problem.layout import Layout, stated_layouts
from studies.problem.problem import stored_definition
from studies.records import StudyRecord
from studies.store import Store
from studies.store.run_statistics import Bounds, OutcomeCount, of_rung
from studies.store.trials import TrialFilter

MOST_GROUPS = 30
_PIECE = 2000
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@dataclass
class _Group:
    """Designs with one reason; the first of them stands for all."""

    reason: str
    key: str
    layouts: Counter[str] = field(default_factory=Counter[str])


def verdicts_resource(store: Store, study: StudyRecord) -> VerdictsResource:
    """The sums of all runs, and groups by verdict, kind and reason."""
    counted = store.statistics.outcome_counts([run.id for run in study.runs])
    sums: Counter[str] = Counter()
    for verdict in counted:
        sums[_name(verdict)] += verdict.count
    groups = [*_by_reason(study, counted), *_broken(store, study)]
    groups.sort(key=lambda group: -group.designs)
    return VerdictsResource(
        study=study.name,
        designs=sums.total(),
        feasible=sums["feasible"],
        infeasible=sums["infeasible"],
        constraint_broken=sums["constraint broken"],
        failed=sums["failed"],
        on_rungs=sums["on a rung"],
        groups=groups[:MOST_GROUPS],
        rarer=sum(group.designs for group in groups[MOST_GROUPS:]),
    )


def _name(verdict: OutcomeCount) -> str:
    if verdict.on_rung:
        return "on a rung"
    if verdict.state != "done":
        return verdict.state
    return "constraint broken" if verdict.broken else "feasible"


def _by_reason(study: StudyRecord, counted: Sequence[OutcomeCount]) -> list[VerdictGroup]:
    layouts = {run.id: run.layout for run in study.runs}
    groups: dict[tuple[str, str, str], _Group] = {}
    for verdict in counted:
        if verdict.state == "done":
            continue
        reason = of_rung(verdict.reason, verdict.on_rung)
        place = (verdict.state, verdict.kind, _NUMBER.sub("#", reason))
        group = groups.setdefault(place, _Group(reason, verdict.key))
        group.layouts[layouts[verdict.run_id]] += verdict.count
    return [
        VerdictGroup.model_validate(
            {
                "verdict": verdict, "kind": kind, "reason": group.reason, "designs": group.layouts.total(),
                "layouts": dict(group.layouts), "key": group.key,
            }
        )
        for (verdict, kind, _), group in groups.items()
    ]  # fmt: skip


def _broken(store: Store, study: StudyRecord) -> list[VerdictGroup]:
    """One group for each constraint that designs with metrics break; none without the back-end."""
    definition = stored_definition(study)
    if not definition.constraints:
        return []
    try:
        layouts = stated_layouts(definition)
    except TautlineError:
        return []
    counts: dict[str, Counter[str]] = {name: Counter() for name in definition.constraints}
    for layout, stated in layouts.items():
        ids = [run.id for run in study.runs if run.layout == layout]
        derived = set(stated.derived_goals)
        bounds = [_bounds(each) for each in stated.constraints if each.metric not in derived]
        found = store.statistics.broken(ids, bounds) if bounds else []
        for bound, number in zip(bounds, found, strict=True):
            counts[bound.metric][layout] += number
        judged = [each for each in stated.constraints if each.metric in derived]
        for name, number in _broken_derived(store, stated, ids, judged).items():
            counts[name][layout] += number
    return [_group(name, by_layout) for name, by_layout in counts.items() if by_layout.total()]


def _broken_derived(
    store: Store, stated: Layout, run_ids: Sequence[int], constraints: Sequence[Constraint]
) -> Counter[str]:
    """Count designs that break each constraint on a derived quantity, which the store does not know."""
    found: Counter[str] = Counter()
    after: tuple[int, int] | None = None
    while constraints:
        trials = store.trials(TrialFilter(run_ids, after, _PIECE, state="done", in_full=True))
        for trial in trials:
            metrics = stated.goal_metrics(trial.metrics, trial.parameters, trial.point)
            found.update(each.metric for each in constraints if each.violation(metrics) > 0)
        if len(trials) < _PIECE:
            break
        after = (trials[-1].run_id, trials[-1].ask_no)
    return found


def _bounds(constraint: Constraint) -> Bounds:
    return Bounds(constraint.metric, constraint.lower, constraint.upper, constraint.absent)


def _group(name: str, by_layout: Mapping[str, int]) -> VerdictGroup:
    layouts = {layout: number for layout, number in by_layout.items() if number}
    return VerdictGroup(
        verdict="constraint broken",
        kind="",
        reason=name,
        designs=sum(layouts.values()),
        layouts=layouts,
        key="",
    )
