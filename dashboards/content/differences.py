"""Whether studies were searched under the same conditions, and what differs between them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dashboards.content.comparison_data import ComparisonData
from dashboards.content.conditions import (
    MOST_TEXT,
    paths_of,
    shown_parameter,
    shown_range,
    without_varied,
)
from dashboards.content.plugins import plugin_of
from dashboards.content.setup import Setup
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, quantity, words
from studies.comparison_entries import ComparisonEntry
from studies.space import RealVariable, Variable

NUMBERS = "in numbers"
Stated = tuple[Any, str]
"""A condition's value as it is compared, and as text."""
_ABSENT = {
    "constraint": "none", "objective": "not an objective", "variable": "fixed", "search": "no limit",
    "evaluation": "no limit",
}  # fmt: skip
"""What a condition is where nothing states it, by topic."""
_OWN = frozenset({"parameter", "variable", NUMBERS})
"""Topics in which each back-end has conditions of its own."""
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the search; ``texts`` says what it is for each entry.

    ``differs`` is about studies: entries of one study may well differ in what makes them layouts.
    """

    topic: str
    name: str
    texts: Mapping[str, str]
    differs: bool

    @property
    def varied(self) -> bool:
        """Whether it is not the same for all entries."""
        return len(set(self.texts.values())) > 1


def conditions(comparison_data: ComparisonData) -> list[Condition]:
    """Every condition of the compared studies, by topic."""
    sides = [(entry, dict(_stated(comparison_data, entry))) for entry in comparison_data.entries]
    names = dict.fromkeys(name for _, stated in sides for name in stated)
    found: list[Condition] = []
    for topic, name in names:
        missing: Stated = (None, _ABSENT.get(topic, MISSING))
        values = [(entry, stated.get((topic, name), missing)) for entry, stated in sides]
        if not comparison_data.one_model and topic in _OWN and missing in (value for _, value in values):
            continue
        texts = {entry.label: text for entry, (_, text) in values}
        differs = _differs((entry, _plain(raw)) for entry, (raw, _) in values)
        found.append(Condition(topic, name, texts, differs))
    return found


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _differs(values: Iterable[tuple[ComparisonEntry, str]]) -> bool:
    """Whether two studies disagree: layouts of one name are compared, others with all of the other study."""
    studies: dict[str, dict[str, str]] = {}
    for entry, value in values:
        studies.setdefault(entry.study.name, {})[entry.layout] = value
    tables = list(studies.values())
    return any(
        value != other[layout] if layout in other else value not in other.values()
        for one in tables
        for other in tables
        for layout, value in one.items()
    )


# ---------------------------------------------------------------- what is stated


def _stated(
    comparison_data: ComparisonData, entry: ComparisonEntry
) -> Iterator[tuple[tuple[str, str], Stated]]:
    setup = comparison_data.setup(entry)
    yield ("back-end", "name"), _same(setup.model.name)
    versions = comparison_data.versions[entry.study.name]
    yield ("back-end", "version"), (versions, listed([str(v) for v in versions]) or "not run yet")
    for part in (_search, _goals, _variables, _parameters, _numbers):
        yield from part(setup, entry.layout)


def _same(text: str) -> Stated:
    return text, text


def _search(setup: Setup, layout: str) -> Iterator[tuple[tuple[str, str], Stated]]:
    definition, problem = setup.definition, setup.problems[layout]
    search = definition.search
    planned = problem.planned_designs(search)
    yield ("search", "algorithm"), _same(search.algorithm)
    yield ("search", "population"), _same(str(search.population))
    yield ("search", "designs per run"), _same(str(planned))
    yield ("search", "seeds"), _same(listed([str(seed) for seed in sorted(definition.seeds)]))
    for name, value in search.settings.items():
        yield ("search", words(name)), _same(str(value))
    if search.wall_seconds is not None:
        yield ("search", "wall time"), (search.wall_seconds, quantity(search.wall_seconds, "s"))
    if search.stagnation is not None:
        yield ("search", "stagnation"), _same(f"{search.stagnation} generations")
    started = problem.initial.tolist()
    yield ("search", "designs to start from"), (started, str(len(started)) if started else "none")
    yield ("evaluation", "cost class"), _same(problem.cost_class)
    if setup.model.stochastic:
        yield ("evaluation", "seed"), _same(str(problem.evaluation_seed))
    limits = definition.evaluation.limits
    if limits.timeout is not None:
        yield ("evaluation", "time of a design, at most"), (limits.timeout, quantity(limits.timeout, "s"))
    if limits.memory is not None:
        yield ("evaluation", "memory of a design, at most"), _same(f"{limits.memory / 2**20:.0f} MiB")


def _goals(setup: Setup, layout: str) -> Iterator[tuple[tuple[str, str], Stated]]:
    problem = setup.problems[layout]
    for objective in problem.objectives:
        yield ("objective", objective.metric), _same(objective.sense)
    for constraint in problem.constraints:
        low, high = quantity(constraint.lower, constraint.unit), quantity(constraint.upper, constraint.unit)
        stated = setup.definition.constraints[constraint.metric]
        sides = [
            *([f"at least {low}"] if stated.lower is not None else []),
            *([f"at most {high}"] if stated.upper is not None else []),
        ]
        yield ("constraint", constraint.metric), ((constraint.lower, constraint.upper), listed(sides))


def _variables(setup: Setup, layout: str) -> Iterator[tuple[tuple[str, str], Stated]]:
    for variable in setup.problems[layout].space.variables:
        yield ("variable", variable.path), (_range(variable), shown_range(variable))


def _range(variable: Variable) -> Any:
    return (variable.lower, variable.upper) if isinstance(variable, RealVariable) else list(variable.values)


def _parameters(setup: Setup, layout: str) -> Iterator[tuple[tuple[str, str], Stated]]:
    varied = set(paths_of(setup, layout))
    for name, value in setup.fixed(layout).items():
        parts = any(path.startswith(f"{name}.") for path in varied)
        unvaried = without_varied(value, name, varied) if parts else value
        if name in varied:
            unvaried = "varies"
        yield ("parameter", name), (unvaried, shown_parameter(setup, layout, name, value))


def _numbers(setup: Setup, layout: str) -> Iterator[tuple[tuple[str, str], Stated]]:
    for name, text in plugin_of(setup.model.name).numbers(setup, layout).items():
        yield (NUMBERS, name), _same(text)


# ---------------------------------------------------------------- what is phrases


def difference_sentences(comparison_data: ComparisonData, found: list[Condition]) -> list[str]:
    """In sentences, whether the studies were searched under the same conditions; nothing for one study."""
    if not comparison_data.several:
        return []
    studies = listed(list(comparison_data.setups))
    differing = [condition for condition in found if condition.differs and condition.topic != NUMBERS]
    if not differing:
        agree = "back-end, parameters, variables, constraints, search and budget agree"
        return [f"{studies} were searched under the same conditions: {agree}."]
    phrases = [_phrase(comparison_data, condition) for condition in differing[:MOST_NAMED]]
    if (more := len(differing) - MOST_NAMED) > 0:
        phrases.append(f"{more} more that the table marks")
    sentences = [
        f"The conditions are not the same: {listed(phrases)} {'differ' if len(phrases) > 1 else 'differs'}."
    ]
    if not comparison_data.one_model:
        sentences.append(
            "The studies use different back-ends: metrics of one name and unit may rest on other assumptions."
        )
    return sentences


def _phrase(comparison_data: ComparisonData, condition: Condition) -> str:
    """``cells (20 in a; 10 in b)``; values too long to be read are left to the table."""
    by_text: dict[str, list[str]] = {}
    for label, text in condition.texts.items():
        by_text.setdefault(text, []).append(label)
    name_text = _condition_name(condition)
    if len(by_text) < 2 or max(map(len, by_text)) > MOST_TEXT // 2:
        return name_text
    values = "; ".join(
        f"{text} in {listed(_shorter(comparison_data, labels))}" for text, labels in by_text.items()
    )
    return f"{name_text} ({values})"


def _condition_name(condition: Condition) -> str:
    name = words(condition.name)
    if condition.topic == "back-end":
        return "the back-end" if name == "name" else f"its {name}"
    return name if condition.topic in ("search", "parameter") else f"the {condition.topic} {name}"


def _shorter(comparison_data: ComparisonData, labels: list[str]) -> list[str]:
    """A study's name in place of its entries', where all of them are meant."""
    meant, names = dict.fromkeys(labels), dict[str, None]()
    for label in labels:
        study = next(c.study.name for c in comparison_data.entries if c.label == label)
        own = [c.label for c in comparison_data.entries if c.study.name == study]
        names[study if all(each in meant for each in own) else label] = None
    return list(names)


def conditions_table(comparison_data: ComparisonData, found: list[Condition], *, differing: bool) -> Table:
    """The conditions that differ, or those that are the same for all entries."""
    labels = [entry.label for entry in comparison_data.entries]
    rows: list[list[Cell | str]] = []
    for condition in found:
        if (condition.varied or condition.differs) != differing:
            continue
        mark = "differs" if condition.differs else ""
        note = "differs between studies" if condition.differs else ""
        cells = [Cell(condition.texts[label], mark=mark) for label in labels]
        rows.append([Cell(words(condition.name), note, mark), condition.topic, *cells])
    caption = "Conditions that differ" if differing else "Conditions that are the same for all"
    return table(caption, ["condition", "of", *labels], rows)
