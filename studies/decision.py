"""Choosing a design: the designs of a study's fronts in the order of a rule, and the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from errors import InputError, StateError
from studies.comparison_entries import Goal
from studies.decision_rules import RULES, scores
from studies.indicators import FloatArray, nondominated
from studies.records import Candidate, FrontDesign, Interval, Preferences

MOST_CANDIDATES = 1000
"""Candidates that are kept with a decision, the best ones."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The designs among which a rule chooses, best first.

    Attributes
    ----------
    candidates : tuple of Candidate
        Those that pass the filters, and that no other of these is better than in everything.
    designs : tuple of FrontDesign
        The same with their variables and metrics.
    filtered : int
        Designs of the fronts that do not pass the filters.
    dominated : int
        Designs that pass, and that a design of another layout dominates.
    """

    candidates: tuple[Candidate, ...]
    designs: tuple[FrontDesign, ...]
    filtered: int
    dominated: int


def rank(fronts: Mapping[str, Sequence[FrontDesign]], goals: Sequence[Goal], wanted: Preferences) -> Ranking:
    """Order the designs of all layouts, or of the one that is wanted, together.

    Equal scores are ordered by key. The rule ``judgement`` orders nothing: its candidates have no rank and
    no score, and dominated ones are among them. Raises ``StateError`` where the fronts are empty, and
    ``InputError`` where no design passes the filters.
    """
    found = [d for name, front in fronts.items() if wanted.layout in (None, name) for d in front]
    if not found:
        raise StateError("there is no feasible design on a front yet; there is nothing to choose from")
    passing = [design for design in found if passes(design, wanted.filters)]
    if not passing:
        raise InputError(_nothing_left(found, wanted.filters), ("filters",))
    passing.sort(key=lambda design: (design.key, design.layout))
    if wanted.rule == "judgement":
        candidates = tuple(_candidate(design, goals, None, None) for design in passing)
        return Ranking(candidates, tuple(passing), len(found) - len(passing), 0)
    values = np.array([design.objectives for design in passing])
    best = nondominated(values)
    left = [design for design, keep in zip(passing, best, strict=True) if keep]
    order, score = _ordered(values[best], goals, wanted)
    return Ranking(
        tuple(_candidate(left[row], goals, n, float(score[row])) for n, row in enumerate(order, 1)),
        tuple(left[row] for row in order),
        len(found) - len(passing),
        len(passing) - len(left),
    )


def _ordered(front: FloatArray, goals: Sequence[Goal], wanted: Preferences) -> tuple[list[int], FloatArray]:
    """Rows from the best on, and the score of every row."""
    weights = np.array([wanted.weights.get(goal.name, 0.0 if wanted.weights else 1.0) for goal in goals])
    levels = np.array([goal.sign * wanted.aspirations.get(goal.name, np.nan) for goal in goals])
    found = scores(wanted.rule, front, weights, levels)
    sign = -1.0 if RULES[wanted.rule].better == "maximize" else 1.0
    return np.argsort(sign * found, kind="stable").tolist(), found


def _candidate(
    design: FrontDesign, goals: Sequence[Goal], place: int | None, score: float | None
) -> Candidate:
    own = {goal.name: goal.sign * value for goal, value in zip(goals, design.objectives, strict=True)}
    return Candidate(design.key, design.layout, place, score, own)


def passes(design: FrontDesign, filters: Mapping[str, Interval]) -> bool:
    """Whether a design has a value of everything that is filtered by, inside its interval."""
    return all(_is_inside(value_of(design, name), interval) for name, interval in filters.items())


def value_of(design: FrontDesign, name: str) -> float | None:
    """A metric, variable or linked parameter of a design as a number; None where it has none."""
    for values in (design.metrics, design.variables, design.linked):
        if name in values:
            value = values[name]
            return float(value) if isinstance(value, int | float) else None
    return None


def _is_inside(value: float | None, interval: Interval) -> bool:
    return (
        value is not None
        and (interval.lower is None or value >= interval.lower)
        and (interval.upper is None or value <= interval.upper)
    )


def _nothing_left(designs: Sequence[FrontDesign], filters: Mapping[str, Interval]) -> str:
    """How many designs pass each filter alone."""
    each = ", ".join(
        f"{name}: {sum(passes(design, {name: interval}) for design in designs)}"
        for name, interval in filters.items()
    )
    return f"leave none of the {len(designs)} designs on the fronts (each alone leaves {each}); widen them"


def kept_candidates(ranking: Ranking, chosen: Candidate) -> list[Candidate]:
    """What a decision keeps of a ranking: the best candidates, and the chosen one wherever it stands."""
    best = list(ranking.candidates[:MOST_CANDIDATES])
    return best if chosen in best else [*best[: MOST_CANDIDATES - 1], chosen]


def choose(
    ranking: Ranking,
    key: str,
    layout: str | None,
    wanted: Preferences,
    elsewhere: Callable[[], Candidate | None],
) -> Candidate:
    """The candidate with ``key``. By judgement also a design that is on no front, which ``elsewhere`` finds.

    Raises ``InputError`` where the design is no candidate.
    """
    found = [one for one in ranking.candidates if one.key == key and layout in (None, one.layout)]
    if len({one.layout for one in found}) > 1:
        names = ", ".join(one.layout for one in found)
        raise InputError(f"the design is on the fronts of {names}; name one of these layouts", ("layout",))
    if found:
        return found[0]
    if wanted.rule == "judgement" and (other := elsewhere()) is not None:
        return other
    raise InputError(
        f"design {key[:12]} is none of the {len(ranking.candidates)} candidates of the rule '{wanted.rule}': "
        "it is filtered out, dominated by another design, on no front, or not feasible; change the filters, "
        "or decide by 'judgement'",
        ("key",),
    )
