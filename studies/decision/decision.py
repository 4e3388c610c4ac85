"""Choosing a design: the designs of a study's fronts in the order of a rule, and the one that is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from errors import FaultList, InputError, Place, StateError, UnknownNameError
from models.fields import unit_at
from models.html_table import html_table
from models.parameters import to_si
from studies.comparison.entries import Goal, goals_of
from studies.decision.rules import RULES, scores
from studies.decision_records import Candidate, DecisionRecord, DecisionRule, Interval, Preferences
from studies.definition.derived_quantities import study_model, variables_of
from studies.definition.stored_model import definition_of
from studies.definition.study_definition import StudyDefinition
from studies.execution.evaluation_key import short_key
from studies.process_identity import user_name
from studies.records import FrontDesign, StudyRecord
from studies.results.design_values import DesignReader, unit_of_path
from studies.results.fronts import choose_runs, fronts
from studies.search.dominance import nondominated
from studies.search.indicators import FloatArray
from studies.store import Store
from studies.store.trials import TrialFilter

GivenInterval = tuple[Any, Any]
"""Lower and upper bound of a filter: numbers in SI, text with a unit, or None."""


@dataclass(frozen=True, slots=True)
class GivenPreferences:
    """Preferences as a person gives them: numbers are SI, texts carry a unit.

    See :class:`studies.decision_records.Preferences` for what they mean.
    """

    rule: DecisionRule
    weights: Mapping[str, float]
    aspirations: Mapping[str, Any]
    filters: Mapping[str, GivenInterval]
    layout: str | None = None


def read_preferences(study: StudyRecord, given: GivenPreferences) -> Preferences:
    """The preferences in SI; raises ``InputError`` with everything that is wrong with them."""
    definition = definition_of(study)
    faults = FaultList()
    with faults.collect():
        choose_runs(study, given.layout)
    _check_use(given, faults)
    objectives = list(definition.objectives)
    _check_weights(given.weights, objectives, faults)
    units = units_of(study, definition)
    aspirations: dict[str, float] = {}
    for name, level in given.aspirations.items():
        with faults.collect():
            _require_known("objective", name, objectives, ("aspirations", name))
            aspirations[name] = _finite(level, units[name], ("aspirations", name))
    filters: dict[str, Interval] = {}
    for name, bounds in given.filters.items():
        with faults.collect():
            _require_known("metric or variable", name, [*units], ("filters", name))
            filters[name] = _interval(bounds, units[name], ("filters", name))
    faults.raise_found()
    return Preferences(given.rule, dict(given.weights), aspirations, filters, given.layout)


def units_of(study: StudyRecord, definition: StudyDefinition) -> dict[str, str]:
    """The unit of every metric, derived quantity, variable and linked parameter of a study."""
    model = study_model(definition)
    units = {metric.name: metric.unit for metric in model.metrics}
    for layout in dict.fromkeys(run.layout for run in study.runs):
        for path in variables_of(definition, layout):
            units[path] = unit_of_path(model, definition, layout, path) or "1"
        for path in DesignReader(study, layout).linked:
            unit = unit_at(model.parameters, path)
            units[path] = unit if isinstance(unit, str) else "1"
    return units


def _check_use(given: GivenPreferences, faults: FaultList) -> None:
    """A rule that does not use what is given would ignore it without a word."""
    users = {
        "weights": [name for name, rule in RULES.items() if rule.weighs],
        "aspirations": [name for name, rule in RULES.items() if rule.aspires],
    }
    for name, values in (("weights", given.weights), ("aspirations", given.aspirations)):
        if values and given.rule not in users[name]:
            others = " or ".join(users[name])
            text = f"the rule '{given.rule}' uses no {name}; leave them out, or choose {others}"
            faults.add(InputError(text, (name,)))


def _check_weights(weights: Mapping[str, float], objectives: Sequence[str], faults: FaultList) -> None:
    for name, weight in weights.items():
        with faults.collect():
            _require_known("objective", name, objectives, ("weights", name))
            if not (math.isfinite(weight) and weight >= 0.0):
                raise InputError(f"is {weight}; a weight is a number of at least 0", ("weights", name))
    missing = [name for name in objectives if name not in weights]
    if weights and missing:
        faults.add(
            InputError(
                f"no weight is given for {', '.join(missing)}; give every objective a weight, 0 for none, "
                "or no weights for equal ones",
                ("weights",),
            )
        )
    elif weights and not any(weights.values()):
        faults.add(InputError("all weights are 0; at least one must be greater", ("weights",)))


def _interval(bounds: GivenInterval, unit: str, place: Place) -> Interval:
    lower, upper = (
        None if bound is None else _finite(bound, unit, (*place, side))
        for side, bound in zip(("lower", "upper"), bounds, strict=True)
    )
    if lower is None and upper is None:
        raise InputError("has no bound; give lower, upper or both", place)
    if lower is not None and upper is not None and lower > upper:
        raise InputError(f"lower ({lower:g}) is above upper ({upper:g}); were the two swapped?", place)
    return Interval(lower, upper)


def _finite(value: Any, unit: str, place: Place) -> float:
    number = to_si(value, unit, place)
    if not isinstance(number, int | float) or not math.isfinite(number):
        raise InputError(f"'{value}' is not a finite number", place)
    return float(number)


def _require_known(kind: str, name: str, known: Sequence[str], place: Place) -> None:
    if name not in known:
        raise UnknownNameError(kind, name, known, place)


MOST_CANDIDATES = 1000
"""Candidates that are kept with a decision, the best ones."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


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

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        names = list(self.candidates[0].objectives) if self.candidates else []
        rows = [
            (one.rank, one.score, one.layout, *(one.objectives[name] for name in names), short_key(one.key))
            for one in self.candidates
        ]
        left = f"{self.filtered} designs do not pass the filters; layouts dominate {self.dominated} others"
        title = f"Ranking of {len(self.candidates)} candidates, in SI units"
        return html_table(title, ("rank", "score", "layout", *names, "key"), rows, [left])


def rank(found: Mapping[str, Sequence[FrontDesign]], goals: Sequence[Goal], wanted: Preferences) -> Ranking:
    """Order the designs of all layouts, or of the one that is wanted, together.

    Equal scores are ordered by key. The rule ``judgement`` orders nothing: its candidates have no rank and
    no score, and dominated ones are among them. Raises ``StateError`` where the fronts are empty, and
    ``InputError`` where no design passes the filters, or more than the rule takes.
    """
    every = [d for name, front in found.items() if wanted.layout in (None, name) for d in front]
    if not every:
        raise StateError("there is no feasible design on a front yet; there is nothing to choose from")
    passing = [design for design in every if passes(design, wanted.filters)]
    if not passing:
        raise InputError(_nothing_left(every, wanted.filters), ("filters",))
    passing.sort(key=lambda design: (design.key, design.layout))
    if wanted.rule == "judgement":
        candidates = tuple(_candidate(design, goals, None, None) for design in passing)
        return Ranking(candidates, tuple(passing), len(every) - len(passing), 0)
    values = np.array([design.objectives for design in passing])
    best = nondominated(values)
    left = [design for design, keep in zip(passing, best, strict=True) if keep]
    order, score = _ordered(values[best], goals, wanted)
    return Ranking(
        tuple(_candidate(left[row], goals, n, float(score[row])) for n, row in enumerate(order, 1)),
        tuple(left[row] for row in order),
        len(every) - len(passing),
        len(passing) - len(left),
    )


def _ordered(front: FloatArray, goals: Sequence[Goal], wanted: Preferences) -> tuple[list[int], FloatArray]:
    """Rows from the best on, and the score of every row."""
    _require_few(len(front), wanted.rule)
    weights = np.array([wanted.weights.get(goal.name, 0.0 if wanted.weights else 1.0) for goal in goals])
    levels = np.array([goal.sign * wanted.aspirations.get(goal.name, np.nan) for goal in goals])
    found = scores(wanted.rule, front, weights, levels)
    sign = -1.0 if RULES[wanted.rule].better == "maximize" else 1.0
    return np.argsort(sign * found, kind="stable").tolist(), found


def _require_few(designs: int, rule: DecisionRule) -> None:
    """Raise ``InputError`` where a rule would take minutes."""
    most = RULES[rule].most
    if most is not None and designs > most:
        raise InputError(
            f"'{rule}' compares each design with its neighbours, which takes too long for {designs} designs: "
            f"at most {most} are allowed. Leave fewer by filters or a layout, or use another rule, for "
            "example 'knee'",
            ("rule",),
        )


def _candidate(
    design: FrontDesign, goals: Sequence[Goal], place: int | None, score: float | None
) -> Candidate:
    own = {goal.name: goal.sign * value for goal, value in zip(goals, design.objectives, strict=True)}
    return Candidate(design.key, design.layout, place, score, own)


def passes(design: FrontDesign, filters: Mapping[str, Interval]) -> bool:
    """True if a design has a value of everything that is filtered by, inside its interval."""
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
    """Count the designs that pass each filter alone."""
    each = ", ".join(
        f"{name}: {sum(passes(design, {name: interval}) for design in designs)}"
        for name, interval in filters.items()
    )
    return f"leave none of the {len(designs)} designs on the fronts (each alone leaves {each}); widen them"


def numerical_errors(study: StudyRecord, designs: Sequence[FrontDesign]) -> list[dict[str, float]]:
    """The numerical error of each design in each objective whose model states one, SI."""
    model = study_model(definition_of(study))
    named = {goal.name: model.metric(goal.name).error for goal in goals_of(study)}
    return [
        {
            name: abs(value)
            for name, error in named.items()
            if (value := design.metrics.get(error)) is not None
        }
        for design in designs
    ]


def leaders_even(
    candidates: Sequence[Candidate], errors: Sequence[Mapping[str, float]], weights: Mapping[str, float]
) -> bool:
    """True if the first two differ in no objective with a weight by more than the greater of their errors.

    ``errors`` are those of the candidates (:func:`numerical_errors`); no ``weights`` are equal ones. An
    objective without an error is exact.
    """
    if len(candidates) < 2 or candidates[0].rank is None:
        return False
    (first, second), (one, other) = candidates[:2], errors[:2]
    apart = {
        name: abs(value - second.objectives[name])
        for name, value in first.objectives.items()
        if not weights or weights[name] > 0.0
    }
    return any(apart.values()) and all(
        distance <= max(one.get(name, 0.0), other.get(name, 0.0)) for name, distance in apart.items()
    )


def kept_candidates(ranking: Ranking, chosen: Candidate) -> list[Candidate]:
    """The candidates of a ranking that a decision keeps: the best, and the chosen one wherever it stands."""
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
    if wanted.rule == "judgement":
        where = f" for the layout '{asked}'" if (asked := layout or wanted.layout) else ""
        raise InputError(
            f"design {short_key(key)} is not feasible, or not one that this study evaluated{where}", ("key",)
        )
    raise InputError(
        f"design {short_key(key)} is none of the {len(ranking.candidates)} candidates of the rule "
        f"'{wanted.rule}': it is filtered out, dominated by another design, on no front, or not feasible; "
        "change the filters, or decide by 'judgement'",
        ("key",),
    )


# ---------------------------------------------------------------- on a store


def rank_designs(
    store: Store,
    name: str,
    rule: DecisionRule = "topsis",
    *,
    weights: Mapping[str, float] = NOTHING,
    aspirations: Mapping[str, Any] = NOTHING,
    filters: Mapping[str, GivenInterval] = NOTHING,
    layout: str | None = None,
) -> Ranking:
    """The designs on the fronts of the study ``name`` in the order of a rule; nothing is stored.

    Numbers are SI, and texts such as ``"2 mm"`` have a unit. ``filters`` give a lower and an upper bound for
    metrics and variables, None for no bound. Raises ``InputError`` for what cannot be meant.
    """
    study = store.study(name)
    wanted = read_preferences(study, GivenPreferences(rule, weights, aspirations, filters, layout))
    return rank(fronts(store, study), goals_of(study), wanted)


def record_decision(
    store: Store,
    name: str,
    key: str,
    reason: str,
    rule: DecisionRule = "judgement",
    *,
    weights: Mapping[str, float] = NOTHING,
    aspirations: Mapping[str, Any] = NOTHING,
    filters: Mapping[str, GivenInterval] = NOTHING,
    layout: str | None = None,
    replaces: int | None = None,
) -> DecisionRecord:
    """Record that the design with ``key`` is chosen for the study ``name``, and why.

    The operating system's user is kept as its author. For the rest see :func:`rank_designs`; for ``replaces``
    see :meth:`studies.store.decisions.Decisions.add`.
    """
    study = store.study(name)
    wanted = read_preferences(study, GivenPreferences(rule, weights, aspirations, filters, layout))
    ranking = rank(fronts(store, study), goals_of(study), wanted)
    whole = store.find_evaluation(key).key
    return decide(store, study, ranking, wanted, whole, reason, author=user_name(), replaces=replaces)


def decide(
    store: Store,
    study: StudyRecord,
    ranking: Ranking,
    wanted: Preferences,
    key: str,
    reason: str,
    *,
    layout: str | None = None,
    author: str = "",
    replaces: int | None = None,
) -> DecisionRecord:
    """Record a choice from a ranking; ``layout`` is needed where several layouts have the same design."""
    chosen = choose(
        ranking, key, layout, wanted, lambda: _off_front(store, study, key, layout or wanted.layout)
    )
    candidates = kept_candidates(ranking, chosen)
    return store.decisions.add(
        study.name, chosen.key, chosen.layout, wanted, reason, candidates, author=author, replaces=replaces
    )


def _off_front(store: Store, study: StudyRecord, key: str, wanted: str | None) -> Candidate | None:
    """A feasible design that a run of the study asked for, in any layout or in the one that is wanted."""
    layouts = {run.id: run.layout for run in study.runs if wanted in (None, run.layout)}
    trials = store.trials(TrialFilter(list(layouts), limit=1, key=key, in_full=True))
    if not trials or trials[0].state != "done" or trials[0].violation > 0.0:
        return None
    trial = trials[0]
    layout = layouts[trial.run_id]
    metrics = DesignReader(study, layout).read(trial.parameters, trial.metrics, trial.point).metrics
    own = {goal.name: metrics.get(goal.name) for goal in goals_of(study)}
    return Candidate(key, layout, None, None, {n: value for n, value in own.items() if value is not None})
