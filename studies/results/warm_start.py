"""Designs of stored studies with which a new one begins: ``[search] from``.

Every design that a named study has evaluated in full is looked at. It fits where each variable of the new
study has a value: the one that the design was varied by, or else the one in its parameters, within the new
bounds or among the new options. Those that fit are ranked by the goals of the new study, feasible ones first,
then by fronts, then by crowding distance (Deb, Pratap, Agarwal, Meyarivan 2002); the best fill the first
generation, or a quarter of it where the new ranges go beyond the old ones. They are evaluated like all
others: one whose parameters, model and version are the same is found in the store.

The chosen designs are written into the definition as ``earlier``, so that the study is the same whatever
becomes of those that it began with. A definition that has them is left as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errors import AbsentError, InputError, Place, UnknownNameError
from models.parameter_names import parameter_words
from studies.definition.documents import differences
from studies.definition.space import DesignSpace, RealVariable, Variable, middle_of, miss, place_of
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
MOST_IN_DRAFTS = 5000
"""Designs that are looked at while somebody writes a study."""
_MAY_DIFFER = frozenset({
    "description", "seeds", "search.generations", "search.evaluations", "search.wall_time",
    "evaluation.max_failure_share",
})  # fmt: skip
"""Places at which the file of a stored study may differ from it."""

FindStudy = Callable[[str], StudyRecord]


@dataclass(frozen=True, slots=True)
class Beginning:
    """A definition with its designs to start from, and sentences on what was taken and what was not."""

    definition: StudyDefinition
    remarks: tuple[str, ...] = ()


class _Fitting:
    """Designs that fit a layout, by their points in its unit cube, and reasons against the others."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.points: dict[bytes, FloatArray] = {}
        self.judged: dict[bytes, tuple[float, list[float]]] = {}
        """Violation and minimised objectives of those that have all metrics of the goals."""
        self.lacking: set[str] = set()
        self.imported: dict[str, None] = {}
        """Sources of imported metrics by which designs are ranked."""
        self.dropped: Counter[str] = Counter()
        self.seen = 0
        self.covered = False
        """True if one of the studies searched all that the new ranges hold."""
        known = {metric.name for metric in problem.model.metrics}
        goals = [goal.metric for goal in (*problem.objectives, *problem.constraints)]
        plain = [goal for goal in goals if goal not in problem.derived_goals]
        inside = [name for goal in problem.derived_goals for name in problem.derived.names_of(goal)]
        self._wanted = [*plain, *(name for name in inside if name in known)]

    def drop(self, reason: str) -> None:
        """Count a design that is not taken."""
        self.seen += 1
        self.dropped[reason] += 1

    def add(self, named: Mapping[str, Any], record: EvaluationRecord) -> None:
        """Take a design at its point, or count why it has none."""
        space, misses = self.problem.space, dict[int, str]()
        point = np.array([middle_of(variable) for variable in space.variables])
        for column, variable in enumerate(space.variables):
            value = named.get(variable.path)
            if value is None:
                value = value_at(record.task.parameters, variable.path)
            coded = place_of(variable, value)
            if coded is None:
                name = parameter_words(self.problem.model.parameters, variable.path)
                misses[column] = f"{miss(variable, value)} {name}"
            else:
                point[column] = coded
        idle = space.idle(point)
        missed = [text for column, text in misses.items() if space.variables[column].path not in idle]
        point = space.settle(point[None])[0]
        broken = space.region.broken(point) if space.region is not None else None
        if broken is not None:
            missed.append(f"beyond the limit of {broken.metric}")
        if missed:
            self.drop(missed[0])
            return
        code = point.tobytes()
        if code in self.points:
            self.drop("found twice")
            return
        self.seen += 1
        self.points[code] = point
        missing = [name for name in self._wanted if name not in record.metrics]
        self.lacking.update(missing)
        if not missing:
            verdict = self.problem.judge(record, point)
            if verdict.objectives is not None:
                self.judged[code] = verdict.violation, verdict.objectives


def earlier_remarks(
    store: Store, definition: StudyDefinition, problems: Mapping[str, Problem], study_of: FindStudy
) -> list[str]:
    """Remarks as of :func:`with_earlier_designs` on a study in writing; of large studies only a promise."""
    if _has_chosen(definition):
        return []
    sources = _sources(study_of, definition)
    if sum(run.evaluated for study in sources for run in study.runs) > MOST_IN_DRAFTS:
        names = ", ".join(definition.search.from_ or [])
        return [f"begins with designs of {names}; those that fit are counted when it is launched"]
    return list(with_earlier_designs(store, definition, problems, study_of).remarks)


def with_earlier_designs(
    store: Store,
    definition: StudyDefinition,
    problems: Mapping[str, Problem],
    study_of: FindStudy | None = None,
) -> Beginning:
    """Fill the first generation of a study with the best designs of the studies that it names.

    A study that is stored already keeps the designs that it began with. ``study_of`` finds a study by its
    name, for those who may not see all. Raises ``InputError`` for a study that is not there, or has another
    model.
    """
    names = definition.search.from_
    if not names or _has_chosen(definition):
        return Beginning(definition)
    kept = _kept(store, definition)
    if kept is not None:
        return Beginning(kept)
    found = {layout: _Fitting(problem) for layout, problem in problems.items()}
    for source in _sources(study_of or store.study, definition):
        _look_through(store, source, found)
        for fitting in found.values():
            fitting.imported.update(dict.fromkeys([source.source] if source.source else []))
    chosen: dict[str, list[dict[str, Any]]] = {}
    remarks: list[str] = []
    for layout, fitting in found.items():
        room = _room(definition, fitting)
        best = _best(fitting, room)
        space = fitting.problem.space
        chosen[layout] = [space.design(fitting.points[code]) for code in best]
        remarks.append(_told(definition, layout, fitting, len(best)))
    return Beginning(_written(definition, chosen), tuple(remarks))


def _has_chosen(definition: StudyDefinition) -> bool:
    holders = (definition.search, *definition.layouts.values())
    return any(holder.earlier is not None for holder in holders)


def _sources(find: FindStudy, definition: StudyDefinition) -> list[StudyRecord]:
    names = definition.search.from_ or []
    return [_source(find, definition, name, number) for number, name in enumerate(names)]


def _source(find: FindStudy, definition: StudyDefinition, name: str, number: int) -> StudyRecord:
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
    for own, held in _tables_side_by_side(tree, stored.model_dump(mode="json", exclude_unset=True)):
        if "earlier" in held:
            own["earlier"] = held["earlier"]
    kept = define(tree).with_model(definition.stored_model or {})
    differ = {place for place, _, _ in differences(study.definition, kept.model_dump(mode="json"))}
    return kept if differ <= _MAY_DIFFER else None


def _tables_side_by_side(*trees: dict[str, Any]) -> Iterator[tuple[dict[str, Any], ...]]:
    """The tables of several trees that may hold designs to start from: the search, then each layout."""
    yield tuple(tree["search"] for tree in trees)
    for layout in trees[0].get("layouts", {}):
        yield tuple(tree["layouts"][layout] for tree in trees)


def _look_through(store: Store, study: StudyRecord, found: Mapping[str, _Fitting]) -> None:
    """Add a study's designs: to a layout those of the layout of its name, or all where there is none."""
    layouts = stated_layouts(definition_of(study))
    takers = {
        name: [fitting for layout, fitting in found.items() if layout == name or layout not in layouts]
        for name in layouts
    }
    for name, fittings in takers.items():
        for fitting in fittings:
            fitting.covered |= _covers(layouts[name].space, fitting.problem.space)
    seen: dict[str, tuple[str, dict[str, Any]]] = {}
    for run in study.runs:
        space = layouts[run.layout].space
        for outcome in store.outcomes(run):
            if outcome.key in seen:
                continue
            state = outcome.state if outcome.rung is None else "evaluated on a rung only"
            state = state if len(outcome.point) == len(space) else "of another version"
            seen[outcome.key] = run.layout, (space.named_values(outcome.point) if state == "done" else {})
            for fitting in takers[run.layout] if state != "done" else ():
                fitting.drop(state)
    keys = [key for key, (_, named) in seen.items() if named]
    for start in range(0, len(keys), BATCH):
        some = keys[start : start + BATCH]
        records = store.evaluations(some)
        for key in some:
            layout, named = seen[key]
            for fitting in takers[layout] if key in records else ():
                fitting.add(named, records[key])


def _covers(old: DesignSpace, new: DesignSpace) -> bool:
    """True if every value of the new ranges lies in the old ones."""
    known = {variable.path: variable for variable in old.variables}
    return all(_within(variable, known.get(variable.path)) for variable in new.variables)


def _within(new: Variable, old: Variable | None) -> bool:
    if isinstance(new, RealVariable):
        return isinstance(old, RealVariable) and old.lower <= new.lower and new.upper <= old.upper
    return old is not None and all(place_of(old, value) is not None for value in new.values)


def _room(definition: StudyDefinition, fitting: _Fitting) -> int:
    """Designs of the first generation that may be earlier ones."""
    problem = fitting.problem
    room = first_generation(definition.search, len(problem.objectives)) - len(problem.initial)
    return max(0, room if fitting.covered else min(room, math.ceil(room * SHARE_BEYOND)))


def _best(fitting: _Fitting, room: int) -> list[bytes]:
    """At most ``room`` designs as the new goals rank them; those without a goal's metric come last."""
    given = {point.tobytes() for point in fitting.problem.initial}
    judged = fitting.judged
    codes = sorted(code for code in fitting.points if code not in given)
    feasible = [code for code in codes if code in judged and judged[code][0] == 0.0]
    broken = [code for code in codes if code in judged and judged[code][0] > 0.0]
    ranked = _ranked(feasible, np.array([judged[code][1] for code in feasible]), room)
    rest = [code for code in codes if code not in judged]
    return [*ranked, *sorted(broken, key=lambda code: judged[code][0]), *rest][:room]


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


def _told(definition: StudyDefinition, layout: str, fitting: _Fitting, taken: int) -> str:
    """A sentence on what was taken for a layout, and why other designs were not."""
    of = f"layout {layout}: " if layout != "default" else ""
    names = ", ".join(definition.search.from_ or [])
    text = (
        f"{of}begins with {taken} designs of {names}; {len(fitting.points)} of {fitting.seen} that were "
        "evaluated there fit the ranges"
    )
    if fitting.dropped:
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(fitting.dropped.items()))
        text += f" (the others: {reasons})"
    if fitting.lacking:
        text += f"; some have no {', '.join(sorted(fitting.lacking))}, and come last"
    if not fitting.points:
        return text
    if fitting.imported:
        sources = " and ".join(fitting.imported)
        text += f"; some are ranked by metrics imported from {sources}, and all are evaluated here anew"
    if not fitting.covered:
        return f"{text}; the ranges go beyond theirs, so that most of the first generation is new"
    return f"{text}; all seeds begin with them, so that seeds differ less" if definition.seeds[1:] else text


def _written(definition: StudyDefinition, chosen: Mapping[str, list[dict[str, Any]]]) -> StudyDefinition:
    """The definition with the chosen designs."""
    tree = definition.model_dump(mode="json", exclude_unset=True)
    if not definition.layouts:
        tree["search"]["earlier"] = chosen["default"]
    for layout, table in tree.get("layouts", {}).items():
        table["earlier"] = chosen[layout]
    return define(tree).with_model(definition.stored_model or {})
