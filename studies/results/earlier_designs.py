"""Designs of stored studies with which a new one begins: ``[search] from``.

Every design that a named study has evaluated is looked at. It fits where each variable of the new study has
a value: the one that the design was varied by, or else the one in its parameters, within the new bounds or
among the new options. Those that fit are ranked by the goals of the new study, feasible ones first, then by
fronts, then by crowding distance (Deb, Pratap, Agarwal, Meyarivan 2002); the best fill the first
generation, or a quarter of it where the new ranges go beyond the old ones. They are evaluated like all
others: one whose parameters, model and version are the same is found in the store.

The chosen designs are written into the definition, so that the study is the same whatever becomes of those
that it began with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errors import AbsentError, InputError, Place, UnknownNameError
from models.parameter_names import parameter_words
from studies.definition.documents import differences
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable, Variable
from studies.definition.stored_model import definition_of
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.problem.layout import stated_layouts
from studies.problem.problem import Problem, stored_definition
from studies.records import EvaluationRecord, FloatArray, StudyRecord
from studies.results.design_values import value_at
from studies.search import first_generation
from studies.search.dominance import nondominated
from studies.store import Store

SHARE_BEYOND = 0.25
"""Share of the first generation where the new ranges go beyond those of the studies: all of one there held a
search of CoGiRo back that had to find a better part, by up to a fifth of its hypervolume."""
BATCH = 2000
"""Designs whose metrics are read at once."""

_MAY_DIFFER = frozenset({
    "description", "seeds", "search.generations", "search.evaluations", "search.wall_time",
    "evaluation.max_failure_share",
})  # fmt: skip
"""Places at which the file of a stored study may differ from it."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A definition with its designs to start from, and sentences on what was taken and what was not."""

    definition: StudyDefinition
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """Designs that fit a layout, by their points in its unit cube, and why others do not."""

    points: dict[bytes, FloatArray] = field(default_factory=dict)
    records: dict[bytes, EvaluationRecord] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    covered: bool = False
    """True if one of the studies searched all that the new ranges hold."""


def earlier_remarks(
    store: Store,
    definition: StudyDefinition,
    problems: Mapping[str, Problem],
    study_of: Callable[[str], StudyRecord],
) -> list[str]:
    """Remarks as of :func:`with_earlier_designs` on a study in writing: quick, as no metrics are read."""
    remarks: list[str] = []
    sources = _sources(study_of, definition)
    if sources and _kept(store, definition) is None:
        for layout, problem in problems.items():
            found = _found(store, sources, problem, ranked=False)
            taken = min(_room(definition, problem, found), len(found.points))
            remarks.append(_told(layout, problem, found, taken, definition.search.from_ or []))
    return remarks


def with_earlier_designs(
    store: Store,
    definition: StudyDefinition,
    problems: Mapping[str, Problem],
    study_of: Callable[[str], StudyRecord] | None = None,
) -> Beginning:
    """Fill the first generation of a study with the best designs of the studies that it names.

    A study that is stored already keeps the designs that it began with. ``study_of`` finds a study by its
    name, for those who may not see all. Raises ``InputError`` for a study that is not there, or has another
    model, or where no generation can be filled.
    """
    sources = _sources(study_of or store.study, definition)
    if not sources:
        return Beginning(definition)
    kept = _kept(store, definition)
    if kept is not None:
        return Beginning(kept)
    remarks: list[str] = []
    chosen: dict[str, list[dict[str, Any]]] = {}
    for layout, problem in problems.items():
        found = _found(store, sources, problem, ranked=True)
        best = _best(problem, found, _room(definition, problem, found))
        chosen[layout] = [problem.space.named_values(found.points[each]) for each in best]
        remarks.append(_told(layout, problem, found, len(best), definition.search.from_ or []))
    return Beginning(_written(definition, chosen), tuple(remarks))


def _sources(find: Callable[[str], StudyRecord], definition: StudyDefinition) -> list[StudyRecord]:
    names = definition.search.from_ or []
    return [_source(find, definition, name, number) for number, name in enumerate(names)]


def _found(store: Store, sources: Sequence[StudyRecord], problem: Problem, *, ranked: bool) -> _Found:
    """The designs of all sources that fit a layout, with their evaluations if they are to be ranked."""
    found = _Found()
    for source in sources:
        _look_through(store, source, problem, found, ranked=ranked)
    return found


def _room(definition: StudyDefinition, problem: Problem, found: _Found) -> int:
    """Designs of the first generation that may be old ones."""
    room = first_generation(definition.search, len(problem.objectives)) - len(problem.initial)
    return max(0, room if found.covered else min(room, math.ceil(room * SHARE_BEYOND)))


def _source(
    find: Callable[[str], StudyRecord], definition: StudyDefinition, name: str, number: int
) -> StudyRecord:
    """The study that is named, if its designs can mean something in the new one."""
    place: Place = ("search", "from", number)
    if name == definition.name:
        raise InputError("names the study itself; extend the study, or choose another name for it", place)
    try:
        study = find(name)
    except (AbsentError, UnknownNameError) as error:
        raise error.at(place) from None
    if study.definition["model"] != definition.model:
        raise InputError(
            f"'{name}' is a study of {study.definition['model']}, and this one is of {definition.model}; "
            "name studies of the same back-end",
            place,
        )
    return study


def _kept(store: Store, definition: StudyDefinition) -> StudyDefinition | None:
    """The definition with the designs of the stored study of its name, if that is the same or may go on."""
    try:
        study = store.study(definition.name)
    except UnknownNameError:
        return None
    stored = stored_definition(study)
    if stored.search.from_ != definition.search.from_ or set(stored.layouts) != set(definition.layouts):
        return None
    tree = definition.model_dump(mode="json", exclude_unset=True)
    for own, held in _holders(tree, stored.model_dump(mode="json", exclude_unset=True)):
        if "initial" in held:
            own["initial"] = held["initial"]
    kept = define(tree).with_model(definition.stored_model or {})
    differ = {place for place, _, _ in differences(study.definition, kept.model_dump(mode="json"))}
    return kept if differ <= _MAY_DIFFER else None


def _holders(*trees: dict[str, Any]) -> Iterator[tuple[dict[str, Any], ...]]:
    """The tables of several trees that may hold initial designs, side by side."""
    yield tuple(tree["search"] for tree in trees)
    for layout in trees[0].get("layouts", {}):
        yield tuple(tree["layouts"][layout] for tree in trees)


def _look_through(store: Store, study: StudyRecord, problem: Problem, found: _Found, *, ranked: bool) -> None:
    """Add the designs of a study that fit a layout: those of the layout of its name, if there is one."""
    layouts = stated_layouts(definition_of(study))
    wanted = {problem.layout} if problem.layout in layouts else set(layouts)
    found.covered |= any(_covers(layouts[name].space, problem.space) for name in wanted)
    states: dict[str, dict[str, Any]] = {}
    for run in study.runs:
        if run.layout in wanted:
            space = layouts[run.layout].space
            for outcome in store.outcomes(run):
                if len(outcome.point) != len(space):
                    found.dropped["of another version of the back-end"] += 1
                elif outcome.state == "done":
                    states.setdefault(outcome.key, space.named_values(outcome.point))
                else:
                    found.dropped[outcome.state] += 1
    varied = {path for each in states.values() for path in each}
    needed = ranked or not varied.issuperset(variable.path for variable in problem.space.variables)
    keys = list(states)
    for start in range(0, len(keys), BATCH):
        some = keys[start : start + BATCH]
        records = store.evaluations(some) if needed else {}
        for key in some:
            _take(problem, states[key], records.get(key), found)


def _covers(old: DesignSpace, new: DesignSpace) -> bool:
    """True if every value of the new ranges lies in the old ones."""
    known = {variable.path: variable for variable in old.variables}
    return all(_within(variable, known.get(variable.path)) for variable in new.variables)


def _within(new: Variable, old: Variable | None) -> bool:
    if isinstance(new, RealVariable):
        return isinstance(old, RealVariable) and old.lower <= new.lower and new.upper <= old.upper
    return old is not None and all(_encoded(old, value) is not None for value in new.values)


def _take(problem: Problem, named: Mapping[str, Any], record: EvaluationRecord | None, found: _Found) -> None:
    """Add a design at its point in the unit cube of a layout, or the reason why it has none."""
    found.seen += 1
    point = np.empty(len(problem.space))
    for column, variable in enumerate(problem.space.variables):
        value = named.get(variable.path)
        if value is None and record is not None:
            value = value_at(record.task.parameters, variable.path)
        coded = _encoded(variable, value)
        if coded is None:
            found.dropped[
                f"out of the range of {parameter_words(problem.model.parameters, variable.path)}"
            ] += 1
            return
        point[column] = coded
    code = point.tobytes()
    if code in found.points:
        found.dropped["found twice"] += 1
        return
    found.points[code] = point
    if record is not None:
        found.records[code] = record


def _encoded(variable: Variable, value: Any) -> float | None:
    """The place of a value in the range of a variable, 0 to 1; None where it has none."""
    if isinstance(variable, ChoiceVariable):
        try:
            return variable.encode(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return variable.encode(float(value)) if variable.lower <= value <= variable.upper else None


def _best(problem: Problem, found: _Found, room: int) -> list[bytes]:
    """At most ``room`` designs as the new goals rank them; those without a goal's metric come last."""
    given = {point.tobytes() for point in problem.initial}
    codes = sorted(code for code in found.points if code not in given)
    judged: dict[bytes, tuple[float, list[float]]] = {}
    for code in codes:
        try:
            verdict = problem.judge(found.records[code], found.points[code])
        except KeyError:  # a metric of the new goals was not asked for then
            continue
        if verdict.objectives is not None:
            judged[code] = verdict.violation, verdict.objectives
    feasible = [code for code in codes if code in judged and judged[code][0] == 0.0]
    broken = sorted((code for code in judged if judged[code][0] > 0.0), key=lambda code: judged[code][0])
    ranked = _ranked(feasible, np.array([judged[code][1] for code in feasible]), room)
    return [*ranked, *broken, *(code for code in codes if code not in judged)][:room]


def _ranked(codes: Sequence[bytes], objectives: FloatArray, room: int) -> list[bytes]:
    """At most ``room`` of the designs: whole fronts, then the least crowded of the next one."""
    from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function

    rest, ranked = np.arange(len(codes)), list[bytes]()
    while len(rest) and len(ranked) < room:
        first = nondominated(objectives[rest])
        front = rest[first]
        crowding = np.asarray(get_crowding_function("cd").do(objectives[front]))
        ranked += [codes[place] for place in front[np.argsort(-crowding, kind="stable")]]
        rest = rest[~first]
    return ranked[:room]


def _told(layout: str, problem: Problem, found: _Found, taken: int, names: Sequence[str]) -> str:
    """A sentence on what was taken for a layout, and why other designs were not."""
    goals = [each.metric for each in (*problem.objectives, *problem.constraints)]
    lacking = sorted({
        name for record in found.records.values() for name in goals
        if name not in record.metrics and name not in problem.derived_goals
    })  # fmt: skip
    of = f"layout {layout}: " if layout != "default" else ""
    text = (
        f"{of}begins with {taken} designs of {', '.join(names)}; {len(found.points)} of the {found.seen} "
        "that were evaluated there fit the ranges"
    )
    if found.dropped:
        text += f" ({', '.join(f'{count} {why}' for why, count in sorted(found.dropped.items()))})"
    if not found.covered and found.points:
        text += "; the ranges go beyond those searched there, so that most of the first generation is new"
    if lacking:
        text += f"; designs there have no {', '.join(lacking)}, so that they are not ranked by it"
    return text


def _written(definition: StudyDefinition, chosen: Mapping[str, list[dict[str, Any]]]) -> StudyDefinition:
    """The definition with the chosen designs behind those that it states."""
    tree = definition.model_dump(mode="json", exclude_unset=True)
    common = tree["search"].get("initial") or []
    if not definition.layouts:
        tree["search"]["initial"] = [*common, *chosen["default"]]
    for layout, table in tree.get("layouts", {}).items():
        table["initial"] = [*(table.get("initial") or common), *chosen[layout]]
    return define(tree).with_model(definition.stored_model or {})
