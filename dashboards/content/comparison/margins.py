"""Leads of one layout over another, in words."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.formatting import MISSING, number, percent, scale_of
from models.parameter_names import words
from studies.comparison.comparison import HYPERVOLUME, Criterion
from studies.comparison.verdict_map import FEASIBLE_SHARE

NO_RATIO = "by how much depends on the reference point"
"""Words for a lead in hypervolume: its ratio is anything, from just above 1 to infinity."""
_DIFFERENCES = frozenset({"additive epsilon"})
"""Criteria whose difference says more than their ratio."""
_SHARES = frozenset({"coverage", FEASIBLE_SHARE})


def ranked(criterion: Criterion) -> list[tuple[str, float]]:
    """Layouts with a value, best first; in the given order where nothing is better."""
    known = [(layout, value) for layout, value in criterion.values.items() if value is not None]
    if criterion.better == "none":
        return known
    return sorted(known, key=lambda item: item[1], reverse=criterion.better == "maximize")


def lead(criterion: Criterion) -> str:
    """The winner's lead over the next as ``22 % more``, ``4.1 times as much`` or ``0.3 N less``."""
    order = ranked(criterion)
    if not criterion.winner or len(order) < 2:
        return ""
    return NO_RATIO if criterion.name == HYPERVOLUME else _by_how_much(criterion, order[0][1], order[1][1])


def _by_how_much(criterion: Criterion, best: float, second: float) -> str:
    more = "more" if best > second else "less"
    if criterion.name in _SHARES:
        return f"{number(100 * abs(best - second), 3)} percentage points {more}"
    if criterion.name in _DIFFERENCES or min(best, second) <= 0:
        scale = scale_of([best, second], criterion.unit or "1")
        return f"{scale.show(abs(best - second), 3)} {more}"
    if best / second > 100:
        return "more than 100 times as much"
    if best / second >= 2:
        return f"{number(best / second, 2)} times as much"
    return f"{percent(abs(best - second) / second)} {more}"


def even_text(criterion: Criterion) -> str:
    """Words for two values that differ by no more than their numerical error, else empty."""
    if not criterion.even:
        return ""
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    return f"even within the numerical error of {scale.show(criterion.error, 2)}"


def shown_values(criterion: Criterion) -> dict[str, str]:
    """Every layout's value, all in one unit."""
    if criterion.name in _SHARES:
        return {k: MISSING if v is None else percent(v) for k, v in criterion.values.items()}
    if criterion.name == "front size":
        return {k: str(int(v or 0)) for k, v in criterion.values.items()}
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    return {layout: scale.measured(value) for layout, value in criterion.values.items()}


def against(criterion: Criterion) -> str:
    """The winner's value against the next's, with the unit once."""
    order = ranked(criterion)
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    best, second = (scale.measured(value) for _, value in order[:2])
    bare = best.removesuffix(scale.unit).rstrip() if scale.unit else best
    return f"{bare} against {second}"


def title(name: str, labels: Mapping[str, str]) -> str:
    """Title of a criterion or an indicator, as in ``best stiffness F2``; ``labels`` are by objective."""
    kind, _, objective = name.partition(" ")
    return f"{kind} {labels[objective]}" if objective in labels else words(name)


def by_name(criteria: tuple[Criterion, ...]) -> Mapping[str, Criterion]:
    """Criteria by name."""
    return {criterion.name: criterion for criterion in criteria}
