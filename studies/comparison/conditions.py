"""Conditions under which studies were searched, with versions, and their differences; equal ones compare.

A lead means something if both sides met the same loads, limits, resolution and version of the model, and the
same tolerances where a goal is a statistic over robots. So these must agree, or somebody asks for the
comparison all the same. What makes the layouts (geometry, variables) and how long each was searched
(algorithm, budget, seeds) may differ: the comparison names it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from errors import ConditionsDifferError, TautlineError
from models import load
from models.contract import Model
from models.fields import unit_at
from models.units import unit_text
from studies.comparison.entries import ComparisonEntry
from studies.definition.space import RealVariable
from studies.problem.problem import Setup, setup_of, without_varied
from studies.records import StudyRecord
from studies.store import Store


class ModelVersion(NamedTuple):
    """A version of a back-end; of a model of the user's own, also the digest of its source."""

    number: int
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.number} of source {self.digest[:12]}" if self.digest else str(self.number)


def versions_of(store: Store, study: StudyRecord) -> dict[str, tuple[ModelVersion, ...]]:
    """The versions of the back-end that evaluated each layout; none before a run has begun."""
    found: dict[str, set[ModelVersion]] = {run.layout: set() for run in study.runs}
    for run in study.runs:
        found[run.layout] |= {
            ModelVersion(record["model_version"], record.get("model_digest", ""))
            for record in store.provenance(run)
            if "model_version" in record
        }
    return {layout: tuple(sorted(versions)) for layout, versions in found.items()}


_AGAIN = "its front can be evaluated again under the installed version"


def version_remarks(store: Store, study: StudyRecord) -> list[str]:
    """Sentences on versions: designs of one study that differ in theirs, or from what is installed."""
    return _remarks(study, versions_of(store, study))


def _remarks(study: StudyRecord, by_layout: Mapping[str, tuple[ModelVersion, ...]]) -> list[str]:
    used = sorted({version for versions in by_layout.values() for version in versions})
    name = study.definition["model"]
    found: list[str] = []
    if study.source:
        return [
            f"The results of study {study.name} are imported from {study.source}, and not evaluated here."
        ]
    if len(used) > 1:
        listed = ", ".join(
            f"{layout} {' and '.join(map(str, versions))}"
            for layout, versions in by_layout.items()
            if versions
        )
        found.append(
            f"Study {study.name} was evaluated by several versions of {name} ({listed}), whose numbers "
            f"cannot be compared; {_AGAIN}."
        )
    try:
        model = load(name)
        installed = ModelVersion(model.version, model.digest)
    except TautlineError:  # not installed any more
        return found
    if used and used != [installed]:
        found.append(
            f"Study {study.name} was evaluated by version {' and '.join(map(str, used))} of {name}; version "
            f"{installed} is installed and computes other results; {_AGAIN}."
        )
    return found


def compared_remarks(store: Store, studies: list[StudyRecord]) -> list[str]:
    """The remarks of all studies, after one on studies of one back-end that differ in versions."""
    used: dict[str, dict[str, set[ModelVersion]]] = {}
    found_versions = {study.name: versions_of(store, study) for study in studies}
    for study in studies:
        versions = {version for found in found_versions[study.name].values() for version in found}
        if versions:
            used.setdefault(study.definition["model"], {})[study.name] = versions
    across = [
        _across(model, by_study)
        for model, by_study in used.items()
        if len({frozenset(own) for own in by_study.values()}) > 1
    ]
    return [*across, *(text for study in studies for text in _remarks(study, found_versions[study.name]))]


def _across(model: str, by_study: dict[str, set[ModelVersion]]) -> str:
    listed = ", ".join(f"{name}: {' and '.join(map(str, sorted(own)))}" for name, own in by_study.items())
    return (
        f"The studies were evaluated by different versions of {model} ({listed}): a difference may come from "
        "the model, not from the robot."
    )


Topic = Literal[
    "back-end", "search", "evaluation", "objective", "constraint", "expression", "tolerance", "variable",
    "parameter",
]  # fmt: skip
ABSENT = None
"""The value of a condition that an entry does not state."""
_OWN = frozenset({"parameter", "variable"})
"""Topics in which each back-end has conditions of its own."""
MOST_NAMED = 8


class _Statement(NamedTuple):
    topic: Topic
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the search.

    Attributes
    ----------
    topic, name : str
        What it is, such as the parameter ``f_min``.
    unit : str
        Of a parameter that is a number; else empty.
    values : mapping of str to Any
        Plain values in SI by the label of each entry; ``ABSENT`` where an entry does not state it.
    differs : bool
        Whether two studies disagree. Entries of one study may well differ in what makes them layouts.
    decisive : bool
        Whether the studies differ in it so that a lead may come from it: see the module.
    """

    topic: Topic
    name: str
    unit: str
    values: Mapping[str, Any]
    differs: bool
    decisive: bool


@dataclass(frozen=True, slots=True)
class ComparedSetups:
    """Entries of a comparison, the setup of each study, and the versions of the model that evaluated it."""

    entries: Sequence[ComparisonEntry]
    setups: Mapping[str, Setup]
    versions: Mapping[str, tuple[ModelVersion, ...]]

    @property
    def one_model(self) -> bool:
        """True if all studies use the same back-end."""
        return len({setup.model.name for setup in self.setups.values()}) == 1


def read_setups(store: Store, entries: Sequence[ComparisonEntry]) -> ComparedSetups:
    """The setups and versions of all compared studies."""
    studies = {entry.study.name: entry.study for entry in entries}
    return ComparedSetups(
        entries,
        {name: setup_of(study) for name, study in studies.items()},
        {name: _versions(store, study) for name, study in studies.items()},
    )


def _versions(store: Store, study: StudyRecord) -> tuple[ModelVersion, ...]:
    return tuple(sorted({version for found in versions_of(store, study).values() for version in found}))


def conditions_of(compared: ComparedSetups) -> list[Condition]:
    """Every condition of the compared studies, by topic."""
    sides = [
        (entry, {each[:2]: each.value for each in _stated(compared, entry)}) for entry in compared.entries
    ]
    found: list[Condition] = []
    for topic, name in dict.fromkeys(key for _, stated in sides for key in stated):
        values = [(entry, stated.get((topic, name), ABSENT)) for entry, stated in sides]
        missing = any((topic, name) not in stated for _, stated in sides)
        if missing and topic in _OWN and not compared.one_model:
            continue
        differs = studies_differ(values)
        found.append(
            Condition(
                topic, name, _unit(compared, topic, name),
                {entry.label: value for entry, value in values},
                differs, differs and _is_decisive(compared, topic, name, values),
            )
        )  # fmt: skip
    return found


def check_comparable(conditions: Iterable[Condition]) -> None:
    """Refuse a comparison across decisive conditions; raises ``ConditionsDifferError``, which lists them."""
    found = [condition for condition in conditions if condition.decisive]
    if not found:
        return
    phrases = [_phrase(condition) for condition in found[:MOST_NAMED]]
    if (more := len(found) - MOST_NAMED) > 0:
        phrases.append(f"{more} more")
    raise ConditionsDifferError(
        f"the studies were searched under different conditions: {', '.join(phrases)}; a lead may come from "
        "these, not from the robots, so such studies are compared only if this is asked for",
        ("across_conditions",),
        names=tuple(condition.name for condition in found),
    )


# ---------------------------------------------------------------- what is stated


def _stated(compared: ComparedSetups, entry: ComparisonEntry) -> Iterator[_Statement]:
    setup = compared.setups[entry.study.name]
    yield _Statement("back-end", "name", setup.model.name)
    yield _Statement("back-end", "version", [str(each) for each in compared.versions[entry.study.name]])
    for part in (_search, _goals, _tolerances, _variables, _parameters):
        yield from part(setup, entry.layout)


def _search(setup: Setup, layout: str) -> Iterator[_Statement]:
    definition, problem = setup.definition, setup.problems[layout]
    search = definition.search
    yield _Statement("search", "algorithm", search.algorithm)
    yield _Statement("search", "population", search.population)
    yield _Statement("search", "designs per run", problem.planned_designs(search))
    yield _Statement("search", "seeds", sorted(definition.seeds))
    for name, value in search.settings.items():
        yield _Statement("search", name, value)
    if search.wall_seconds is not None:
        yield _Statement("search", "wall time", search.wall_seconds)
    if search.stagnation is not None:
        yield _Statement("search", "stagnation", search.stagnation)
    yield _Statement("search", "designs to start from", problem.initial.tolist())
    yield _Statement("evaluation", "cost class", problem.cost_class)
    if setup.model.stochastic:
        yield _Statement("evaluation", "seed", problem.evaluation_seed)
    limits = definition.evaluation.limits
    if limits.timeout is not None:
        yield _Statement("evaluation", "time of a design, at most", limits.timeout)
    if limits.memory is not None:
        yield _Statement("evaluation", "memory of a design, at most", limits.memory)


def _goals(setup: Setup, layout: str) -> Iterator[_Statement]:
    problem = setup.problems[layout]
    for objective in problem.objectives:
        yield _Statement("objective", objective.metric, objective.sense)
    for constraint in problem.constraints:
        bounds = [bound if math.isfinite(bound) else ABSENT for bound in (constraint.lower, constraint.upper)]
        yield _Statement("constraint", constraint.metric, bounds)
    for name, text in setup.definition.expressions.items():
        yield _Statement("expression", name, "".join(text.split()))


def _tolerances(setup: Setup, layout: str) -> Iterator[_Statement]:
    """Tolerances with which designs were evaluated; none where no goal is a statistic over robots."""
    plan = setup.problems[layout].uncertainty
    if plan is None:
        return
    for one in plan.tolerances:
        unit = "of the value" if one.relative else _path_unit(setup.model, one.path)
        cut = "" if one.truncate is None else f" cut at {one.truncate:.12g}"
        yield _Statement("tolerance", one.path, f"{one.distribution} {one.width:.12g}{cut} {unit}".rstrip())
    for group in plan.correlated:
        yield _Statement("tolerance", ", ".join(group.paths), f"covariance {json.dumps(group.covariance)}")
    yield _Statement("tolerance", "samples", f"{plan.samples} by {plan.method}, seed {plan.seed}")


def _variables(setup: Setup, layout: str) -> Iterator[_Statement]:
    for variable in setup.problems[layout].space.variables:
        ends = isinstance(variable, RealVariable)
        scale = ["log"] if ends and variable.logarithmic else []
        values = [variable.lower, variable.upper, *scale] if ends else list(variable.values)
        yield _Statement("variable", variable.path, values)


def _parameters(setup: Setup, layout: str) -> Iterator[_Statement]:
    varied = set(setup.varied(layout))
    for name, value in setup.fixed(layout).items():
        yield _Statement("parameter", name, without_varied(value, name, varied))


# ---------------------------------------------------------------- what differs


def studies_differ(values: Sequence[tuple[ComparisonEntry, Any]]) -> bool:
    """True if two studies disagree in a value.

    Layouts of one name are compared, others with all layouts of the other study.
    """
    studies: dict[str, dict[str, str]] = {}
    for entry, value in values:
        studies.setdefault(entry.study.name, {})[entry.layout] = _plain(value)
    tables = list(studies.values())
    return any(
        value != other[layout] if layout in other else value not in other.values()
        for one in tables
        for other in tables
        for layout, value in one.items()
    )


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _is_decisive(
    compared: ComparedSetups, topic: Topic, name: str, values: Sequence[tuple[ComparisonEntry, Any]]
) -> bool:
    """True if a condition that differs belongs to loads, limits, resolutions or versions."""
    if topic == "back-end":
        return studies_differ(
            [(entry, value) for entry, value in values if value]
        )  # without studies not run yet
    if topic == "expression":
        return studies_differ([(entry, value) for entry, value in values if value is not ABSENT])
    if topic != "parameter":
        return topic in ("constraint", "tolerance")
    return not _is_geometry(compared, name) and studies_differ(
        [(entry, _fixed_in_all(compared, entry, name)) for entry, _ in values]
    )


def _is_geometry(compared: ComparedSetups, name: str) -> bool:
    """True if a parameter makes the layout, or another one is used in its place."""
    for setup in compared.setups.values():
        record = setup.model.parameters
        if name in record.geometry:
            return True
        for layout in setup.layouts:
            fixed = setup.fixed(layout)
            if any(
                fixed[winner] is not None and name in losers for winner, losers in record.supersedes.items()
            ):
                return True
    return False


def _fixed_in_all(compared: ComparedSetups, entry: ComparisonEntry, name: str) -> Any:
    """A parameter without what any of the studies varies: that is part of its designs, no condition."""
    varied = {
        path for each in compared.entries for path in compared.setups[each.study.name].varied(each.layout)
    }
    return without_varied(compared.setups[entry.study.name].fixed(entry.layout)[name], name, varied)


# ---------------------------------------------------------------- in words


def _unit(compared: ComparedSetups, topic: Topic, name: str) -> str:
    setup = next(iter(compared.setups.values()))
    if topic == "constraint":
        return next((m.unit for m in setup.model.metrics if m.name == name), "")
    if topic != "parameter" or name not in setup.model.parameters.model_fields:
        return ""
    return _path_unit(setup.model, name)


def _path_unit(model: Model, path: str) -> str:
    unit = unit_at(model.parameters, path)
    return unit if isinstance(unit, str) else ""


def _phrase(condition: Condition) -> str:
    """``f_min (0 N in a; 4 N in b)``; values too long to be read are left out."""
    names = {"name": "the back-end", "version": "its version"} if condition.topic == "back-end" else {}
    kinds = {"constraint": "the constraint ", "expression": "the expression ", "tolerance": "the tolerance "}
    kind = kinds.get(condition.topic, "")
    name = names.get(condition.name, f"{kind}{condition.name}")
    texts = {label: _value_text(condition, value) for label, value in condition.values.items()}
    if "" in texts.values() or len(set(texts.values())) < 2:
        return name
    by_text: dict[str, dict[str, None]] = {}
    for label, text in texts.items():
        study = label.partition(":")[0]
        alike = len({own for each, own in texts.items() if each.partition(":")[0] == study}) == 1
        by_text.setdefault(text, {})[study if alike else label] = None
    values = "; ".join(f"{text} in {' and '.join(who)}" for text, who in by_text.items())
    return f"{name} ({values})"


def _value_text(condition: Condition, value: Any) -> str:
    if condition.topic == "constraint":
        return _bounds_text(condition, value)
    if condition.topic == "back-end":
        return value if isinstance(value, str) else " and ".join(value) or "not run yet"
    return _number_text(condition, value)


def _bounds_text(condition: Condition, bounds: Any) -> str:
    if bounds is ABSENT:
        return "none"
    sides = zip(("at least", "at most"), bounds, strict=True)
    return " and ".join(f"{side} {_number_text(condition, end)}" for side, end in sides if end is not ABSENT)


def _number_text(condition: Condition, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.9g} {unit_text(condition.unit)}".rstrip()
    return value if isinstance(value, str) and len(value) < 40 else ""
