"""Differences between the conditions under which studies were searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.content.backends.plugins import plugin_of
from dashboards.content.comparison.conditions import MOST_TEXT, shown_parameter, shown_range
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, quantity
from models import Model
from models.parameter_names import words
from studies.comparison.comparison import Comparison
from studies.comparison.conditions import ABSENT, ComparedSetups, conditions_of, read_setups, studies_differ
from studies.comparison.conditions import Condition as StudyCondition
from studies.comparison.entries import ComparisonEntry
from studies.problem.problem import Setup
from studies.results.design_values import meaning_of_path
from studies.store import Store


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """Compared studies with their setups, and the versions of the back-end that evaluated each."""

    comparison: Comparison
    compared: ComparedSetups
    asked: Mapping[str, int]
    """Number of designs that each entry's runs asked for so far."""

    @property
    def entries(self) -> tuple[ComparisonEntry, ...]:
        """The entries that are compared, in order."""
        return self.comparison.entries

    @property
    def setups(self) -> Mapping[str, Setup]:
        """The setup of each study."""
        return self.compared.setups

    def setup(self, entry: ComparisonEntry) -> Setup:
        """The setup of the entry's study."""
        return self.setups[entry.study.name]

    @property
    def models(self) -> dict[str, Model]:
        """The back-end of each entry, by label."""
        return {entry.label: self.setup(entry).model for entry in self.entries}

    @property
    def several(self) -> bool:
        """True if more than one study is compared."""
        return len(self.setups) > 1


def read_comparison_data(store: Store, comparison: Comparison) -> ComparisonData:
    """The context of a comparison: setups, versions, counts."""
    studies = list({entry.study.name: entry.study for entry in comparison.entries}.values())
    counts = store.trial_counts([run for study in studies for run in study.runs])
    return ComparisonData(
        comparison,
        read_setups(store, comparison.entries),
        {entry.label: sum(counts.get(run.id, 0) for run in entry.runs) for entry in comparison.entries},
    )


NUMBERS = "computed value"
"""The topic of what a back-end computes from parameters, such as a characteristic length."""
_ABSENT = {
    "constraint": "none", "objective": "not an objective", "variable": "fixed", "search": "no limit",
    "evaluation": "no limit", "expression": "not defined", "tolerance": "none",
}  # fmt: skip
"""Text of a condition that nothing states, by topic."""
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the search as people read it; ``texts`` says what it is for each entry.

    ``differs`` and ``decisive`` are those of :class:`studies.comparison.conditions.Condition`.
    """

    topic: str
    name: str
    texts: Mapping[str, str]
    differs: bool
    decisive: bool

    @property
    def varied(self) -> bool:
        """True if it is not the same for all entries."""
        return len(set(self.texts.values())) > 1


def conditions(comparison_data: ComparisonData) -> list[Condition]:
    """Every condition of the compared studies by topic, then what back-ends say of theirs in numbers."""
    fixed = {
        entry.label: comparison_data.setup(entry).fixed(entry.layout) for entry in comparison_data.entries
    }
    found = [
        Condition(
            each.topic,
            words(each.name) if each.topic == "search" else each.name,
            {
                entry.label: _text(comparison_data, entry, each, fixed[entry.label])
                for entry in comparison_data.entries
            },
            each.differs,
            each.decisive,
        )
        for each in conditions_of(comparison_data.compared)
    ]
    return [*found, *_numbers(comparison_data)]


# ---------------------------------------------------------------- what is stated, as text


def _text(
    comparison_data: ComparisonData,
    entry: ComparisonEntry,
    condition: StudyCondition,
    fixed: Mapping[str, Any],
) -> str:
    """Text of a condition for an entry with these fixed parameters."""
    setup, layout, value = comparison_data.setup(entry), entry.layout, condition.values[entry.label]
    match condition.topic:
        case "parameter":
            return shown_parameter(setup, layout, condition.name, fixed.get(condition.name))
        case "variable":
            own = (v for v in setup.problems[layout].space.variables if v.path == condition.name)
            return shown_range(next(own, None))
        case _ if value is ABSENT:
            return _ABSENT.get(condition.topic, MISSING)
        case "constraint":
            return _bounds(value, condition.unit)
        case _:
            return _plain(condition.name, value)


def _bounds(bounds: Sequence[float | None], unit: str) -> str:
    low, high = bounds
    return listed([
        *([] if low is None else [f"at least {quantity(low, unit)}"]),
        *([] if high is None else [f"at most {quantity(high, unit)}"]),
    ])  # fmt: skip


def _plain(name: str, value: Any) -> str:
    return _TEXTS.get(name, str)(value)


_TEXTS: Mapping[str, Callable[[Any], str]] = {
    "version": lambda versions: listed(versions) or "not run yet",
    "seeds": lambda seeds: listed([str(seed) for seed in seeds]),
    "wall time": lambda seconds: quantity(seconds, "s"),
    "stagnation": lambda count: f"{count} generations",
    "designs to start from": lambda designs: str(len(designs)) if designs else "none",
    "time of a design, at most": lambda seconds: quantity(seconds, "s"),
    "memory of a design, at most": lambda size: f"{size / 2**20:.0f} MiB",
}
"""Texts of conditions of search and evaluation that are no plain number or name."""


def _numbers(comparison_data: ComparisonData) -> list[Condition]:
    """Computed values that the back-ends state of every entry."""
    sides = {
        entry.label: plugin_of(setup.model.name).numbers(setup, entry.layout)
        for entry in comparison_data.entries
        if (setup := comparison_data.setup(entry))
    }
    names = dict.fromkeys(name for numbers in sides.values() for name in numbers)
    found: list[Condition] = []
    for name in names:
        if not comparison_data.compared.one_model and any(name not in numbers for numbers in sides.values()):
            continue
        texts = {label: numbers.get(name, MISSING) for label, numbers in sides.items()}
        pairs = [(entry, texts[entry.label]) for entry in comparison_data.entries]
        found.append(Condition(NUMBERS, name, texts, studies_differ(pairs), decisive=False))
    return found


# ---------------------------------------------------------------- in sentences


def difference_sentences(comparison_data: ComparisonData, found: list[Condition]) -> list[str]:
    """Sentences on the conditions under which the studies were searched; none for one study."""
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
    if not comparison_data.compared.one_model:
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


def _meaning(comparison_data: ComparisonData, condition: Condition) -> str:
    """Meaning of a parameter or a metric; empty for other conditions."""
    for setup in comparison_data.setups.values():
        metric = next((one.meaning for one in setup.model.metrics if one.name == condition.name), "")
        if text := metric or meaning_of_path(setup.model, condition.name):
            return f"{condition.name}: {text}"
    return ""


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
        tip = _meaning(comparison_data, condition)
        rows.append([Cell(words(condition.name), note, mark, tip), condition.topic, *cells])
    caption = "Conditions that differ" if differing else "Conditions that are the same for all"
    return table(caption, ["condition", "kind", *labels], rows)
