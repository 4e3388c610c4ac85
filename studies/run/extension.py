"""A study goes on: the same log and promise of replay, with a larger budget or more seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from errors import InputError, StateError
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.problem.problem import Problem, check, reference_point, stored_definition
from studies.records import GenerationRecord, RunRecord, StudyRecord
from studies.run.budget import Budget
from studies.run.growth import RunFront
from studies.run.provenance import require_same_stream
from studies.search import load as load_algorithm
from studies.store import Store

BUDGETS = ("generations", "evaluations", "wall_time")
_AT_WORK = frozenset({"running", "pausing", "cancelling"})


@dataclass(frozen=True, slots=True)
class Extension:
    """A study with a larger budget: which runs go on, and which of them repeat their last generation.

    A generation that was cut where the old budget ended is taken back: the search asks for it again, whole,
    as it would have with the larger budget from the start. Its designs are found in the store.
    """

    definition: StudyDefinition
    queued: tuple[int, ...] = ()
    taken_back: frozenset[int] = frozenset()


def extend_study(
    store: Store,
    name: str,
    budget: Mapping[str, int | float | str | None],
    *,
    most_running: int | None = None,
    checked: Callable[[StudyDefinition], Mapping[str, Problem]] = check,
) -> StudyRecord:
    """Give a stored study a larger budget and queue what goes on by it.

    ``budget`` maps ``generations``, ``evaluations`` or ``wall_time`` to new totals per run, and ``seeds`` to
    the number of seeds, not to what is added; None leaves one as it is. The same again changes nothing. Every
    run ends as one that had the larger budget from the start, bit for bit. Raises ``InputError`` where a
    search cannot go on so.
    """
    study = store.study(name)
    before = stored_definition(study)
    given = {key: value for key, value in budget.items() if value is not None}
    present = {"seeds": len(before.seeds), **before.search.model_dump(mode="json")}
    if given and all(present.get(key) == value for key, value in given.items()):
        return study
    seeds = given.pop("seeds", None)
    definition = before if seeds is None else _with_seeds(before, int(seeds))
    if given or seeds is None:
        definition = _with_budget(definition, given)
    problems = checked(definition)
    wanted = _extension(store, study, definition, problems) if given else Extension(definition)
    return store.extend_study(study, definition, wanted.queued, wanted.taken_back, most_running=most_running)


def _with_seeds(before: StudyDefinition, total: int) -> StudyDefinition:
    """The definition with so many seeds: the old ones, then the smallest other whole numbers from 1."""
    if total <= len(before.seeds):
        raise InputError(f"is {total}, but must be more than the present {len(before.seeds)}", ("seeds",))
    more = islice((seed for seed in count(1) if seed not in before.seeds), total - len(before.seeds))
    tree = before.model_dump(mode="json", exclude_unset=True)
    return define({**tree, "seeds": [*before.seeds, *more]})


def _with_budget(before: StudyDefinition, given: Mapping[str, Any]) -> StudyDefinition:
    """The definition with a larger budget; raises ``InputError`` for what is none."""
    algorithm = load_algorithm(before.search.algorithm)
    if algorithm.fixed:
        raise InputError(
            f"{algorithm.name} {algorithm.fixed}; choose a new name: designs that were already evaluated "
            "cost nothing under it", ("search", "algorithm"),
        )  # fmt: skip
    if not given:
        raise InputError(f"give a larger budget: one of {', '.join(BUDGETS)}, or seeds", ("search",))
    for key in given:
        if key not in BUDGETS or getattr(before.search, key) is None:
            stated = [name for name in BUDGETS if getattr(before.search, name) is not None]
            raise InputError(
                f"is not a budget of this study; its budget is given by {' and '.join(stated)}",
                ("search", key),
            )
    tree = before.model_dump(mode="json", exclude_unset=True)
    after = define({**tree, "search": {**tree.get("search", {}), **given}})
    for key in given:
        old, new = (_amount(one, key) for one in (before, after))
        if new <= old:
            raise InputError(f"is {new:g}, but must be more than the present {old:g}", ("search", key))
    return after


def _amount(definition: StudyDefinition, key: str) -> float:
    search = definition.search
    return float((search.wall_seconds if key == "wall_time" else getattr(search, key)) or 0)


def _extension(
    store: Store, study: StudyRecord, definition: StudyDefinition, problems: Mapping[str, Problem]
) -> Extension:
    """Extension of the runs that go on; raises ``StateError`` or ``InputError`` if there is none."""
    if any(run.state in _AT_WORK for run in study.runs):
        error = StateError(f"study '{study.name}' is {study.state}; pause it first")
        raise error.mended_by("studies", "pause", study.name)
    queued: list[int] = []
    taken_back: set[int] = set()
    reasons: list[str] = []
    for run in study.runs:
        if run.state not in {"done", "paused", "queued"}:
            continue
        problem = problems[run.layout]
        require_same_stream(store, run, problem.model, definition.search.algorithm)
        log = store.generations(run)
        size = load_algorithm(definition.search.algorithm).population(
            definition.search, len(problem.objectives)
        )
        generational = not definition.search.asynchronous
        cut = generational and bool(log) and log[-1].asked - (log[-2].asked if len(log) > 1 else 0) < size
        spent = _spent(store, run, definition, problem, log[:-1] if cut else log)
        if run.state == "done" and spent:
            reasons.append(f"{run.layout}, seed {run.seed}: {spent}")
            continue
        if cut:
            taken_back.add(run.id)
        if run.state == "done":
            queued.append(run.id)
    if not queued and not _waits(study):
        raise InputError(
            f"nothing can be extended: {'; '.join(reasons) or f'study {study.name} is {study.state}'}"
        )
    return Extension(definition, tuple(queued), frozenset(taken_back))


def _waits(study: StudyRecord) -> bool:
    return any(run.state in {"draft", "paused", "queued"} for run in study.runs)


def _spent(
    store: Store, run: RunRecord, definition: StudyDefinition, problem: Problem, log: list[GenerationRecord]
) -> str:
    """Reason why a run with this log would end at once under a budget; empty where it goes on."""
    budget = Budget.of(definition.search, problem.planned_designs(definition.search))
    still = _stands_still(store, run, definition, problem) if definition.search.stagnation else {}
    for record in log:
        stands_still = still.get(record.number, False)
        budget.spend(record.asked - budget.asked, record.seconds, stands_still=stands_still)
        if budget.spent:
            return budget.spent
    return ""


def _stands_still(
    store: Store, run: RunRecord, definition: StudyDefinition, problem: Problem
) -> dict[int, bool]:
    """True for each generation in the log, by its number, after which the front stood still."""
    stated = reference_point(definition, problem)
    front = RunFront(len(problem.objectives), stated, definition.search.stagnation)
    found, asked = dict[int, bool](), 0
    for batch, record in zip(store.log(run), store.generations(run), strict=True):
        front.take(batch, asked)
        front.measure(batch, asked, record.hypervolume)
        found[record.number], asked = front.growth.stands_still, record.asked
    return found
