"""The front of a study under a grid of conditions: evaluated again, or searched for anew.

What is stored of a sweep is its grid. What it computes are evaluations, found by their keys, and for a search
one study per condition: a sweep that was interrupted goes on with what is missing, on any number of workers.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

import numpy as np

from errors import InputError, LeaseError
from studies.definition.study_definition import MAX_EVALUATIONS, StudyDefinition
from studies.definition.study_file import define
from studies.execution import Executor, Interrupted
from studies.execution.evaluation import one_blas_thread
from studies.problem.problem import Problem
from studies.records import (
    ENDED,
    EvaluationRecord,
    FloatArray,
    StudyRecord,
    SweepMode,
    SweepRecord,
    Task,
)
from studies.run.heartbeat import Heartbeat
from studies.run.launch import check, claim_patiently, resume_study, stored_definition
from studies.store import Store, this_process
from studies.uncertainty.sweep_grid import (
    PLACE,
    Grid,
    GridPoint,
    checked_grid,
    grid_digest,
    grid_points,
    under,
)

_BATCH = 2000
"""Evaluations that are handed to the workers at once, so that progress and memory stay in hand."""
_LETTERS = 40
"""Letters of a study's name in those of the studies that search for its sweep; a name has 64."""


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """Progress of a sweep: ``done`` of ``wanted`` evaluations or conditions; ``left`` seconds, if known.

    ``found`` were in the store already.
    """

    mode: SweepMode
    done: int
    wanted: int
    found: int
    left: float | None
    message: str = ""


Report = Callable[[SweepProgress], None]


@dataclass(frozen=True, slots=True)
class SweptLayout:
    """The designs of a layout that a sweep evaluates: the fronts of all its seeds.

    ``points`` ``(n, d)`` lie in the unit cube of the layout's space, ``seeds`` maps each seed to the rows of
    its own front.
    """

    layout: str
    points: FloatArray
    seeds: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Everything that a sweep of stored fronts evaluates: each design of ``layouts`` under each condition."""

    sweep: SweepRecord
    definition: StudyDefinition
    conditions: tuple[GridPoint, ...]
    layouts: tuple[SweptLayout, ...]

    @property
    def wanted(self) -> int:
        """Number of evaluations of the sweep."""
        return len(self.conditions) * sum(len(own.points) for own in self.layouts)

    def problems(self, condition: GridPoint) -> dict[str, Problem]:
        """Problems of the layouts under a condition."""
        return check(under(self.definition, condition))

    def tasks(self, problems: Mapping[str, Problem]) -> dict[str, list[Task]]:
        """The evaluations of each layout under a condition, a task per row of its points."""
        return {own.layout: problems[own.layout].tasks(own.points) for own in self.layouts}


def store_sweep(
    store: Store, name: str, over: Grid, mode: SweepMode = "reevaluate", *, owner: str = ""
) -> SweepRecord:
    """Check a grid of conditions for a study and store it; the same one again is returned as it is.

    Parameters
    ----------
    store : Store
    name : str
        The study.
    over : mapping of str to sequence
        Parameters by dotted path with their values, in SI or as text with a unit.
    mode : {"reevaluate", "search"}
        Evaluate the stored fronts under each condition, or search anew under each.
    owner : str
        The account that it belongs to, if there are accounts.

    Raises
    ------
    InputError
        As :func:`~studies.uncertainty.sweep_grid.checked_grid`; for stored fronts also when there are
        none yet, or when that makes more evaluations than a run may have. Nothing is stored then.
    """
    study = store.study(name)
    definition = stored_definition(study)
    grid = checked_grid(definition, over)
    count = math.prod(len(values) for values in grid.values())
    if mode == "reevaluate":
        designs = sum(len(own.points) for own in swept_layouts(store, study))
        if not designs:
            raise InputError(
                f"study '{name}' has no design on a front yet; run it first, or search under each condition"
            )
        if count * designs > MAX_EVALUATIONS:
            raise InputError(
                f"makes {count} conditions x {designs} designs = {count * designs} evaluations; at most "
                f"{MAX_EVALUATIONS} are allowed. Give fewer values",
                PLACE,
            )
    return store.sweeps.add(name, mode, grid, grid_digest(name, mode, grid), owner)


def sweep(
    store: Store,
    name: str,
    over: Grid,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    mode: SweepMode = "reevaluate",
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = lambda _: None,
) -> SweepRecord:
    """Check, store and carry out a sweep; see :func:`store_sweep` and :func:`carry_out`."""
    return carry_out(store, store_sweep(store, name, over, mode), open_executor, should_stop, report)


def carry_out(
    store: Store,
    record: SweepRecord,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = lambda _: None,
) -> SweepRecord:
    """Compute what is missing of a stored sweep.

    Raises ``InputError`` when the installed version refuses the study, ``LeaseError`` when another process
    computes it or it is deleted meanwhile, and ``Interrupted`` when ``should_stop()`` becomes true; what was
    computed until then is stored.
    """
    if record.mode == "search":
        return _search(store, record, open_executor, should_stop, report)
    with claimed(store, record, should_stop) as to_be_left:
        _reevaluate(store, read_plan(store, record), open_executor, to_be_left, report)
    return record


@contextmanager
def claimed(
    store: Store, record: SweepRecord, should_stop: Callable[[], bool]
) -> Generator[Callable[[], bool]]:
    """Hold the lease of a sweep of stored fronts, so that no other process computes it as well.

    What is given becomes true when ``should_stop()`` does, and when the lease is lost; that raises
    ``LeaseError`` in the place of ``Interrupted``. A search needs none: its studies have runs with leases.
    """
    claim = claim_patiently(lambda: store.sweeps.claim(record, this_process()), should_stop)
    with Heartbeat(store.sweeps) as heartbeat:
        heartbeat.watch(claim)

        def lost() -> bool:
            # A store that does not answer is no reason: who computes twice then finds the same.
            return heartbeat.instruction(claim) == "leave"

        try:
            yield lambda: should_stop() or lost()
        except Interrupted:
            if lost() and not should_stop():
                raise LeaseError(
                    f"sweep {record.id} of '{record.study}' was deleted, or another process has taken it "
                    "over; this one stops"
                ) from None
            raise
        finally:
            store.sweeps.release(claim)


# ------------------------------------------------------------------ stored fronts


def swept_layouts(store: Store, study: StudyRecord) -> tuple[SweptLayout, ...]:
    """The fronts of a study, layout by layout, each design once."""
    found: list[SweptLayout] = []
    for layout in dict.fromkeys(run.layout for run in study.runs):
        places, points = dict[str, int](), list[FloatArray]()
        seeds: dict[int, tuple[int, ...]] = {}
        for run in (run for run in study.runs if run.layout == layout):
            front = store.front_places(run)
            for key, point in zip(front.keys, front.points, strict=True):
                if key not in places:
                    places[key] = len(points)
                    points.append(point)
            seeds[run.seed] = tuple(places[key] for key in front.keys)
        found.append(SweptLayout(layout, np.array(points) if points else np.empty((0, 0)), seeds))
    return tuple(found)


def read_plan(store: Store, record: SweepRecord) -> SweepPlan:
    """Plan of a stored sweep of fronts, as the fronts are now."""
    study = store.study(record.study)
    layouts = tuple(own for own in swept_layouts(store, study) if len(own.points))
    return SweepPlan(record, stored_definition(study), tuple(grid_points(record.grid)), layouts)


def wanted_keys(plan: SweepPlan) -> tuple[str, ...]:
    """The keys of all evaluations of a sweep, each once."""
    tasks = (plan.tasks(plan.problems(condition)) for condition in plan.conditions)
    return tuple(dict.fromkeys(task.key for found in tasks for own in found.values() for task in own))


def missing_tasks(store: Store, plan: SweepPlan) -> Iterator[tuple[int, list[Task]]]:
    """Condition by condition how many of its evaluations are stored, and those that are not."""
    for condition in plan.conditions:
        wanted = [task for own in plan.tasks(plan.problems(condition)).values() for task in own]
        known = store.known(wanted)
        missing = {t.key: t for t in wanted if t.key not in known or not known[t.key].final}
        yield len(wanted) - len(missing), list(missing.values())


def _reevaluate(
    store: Store,
    plan: SweepPlan,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    should_stop: Callable[[], bool],
    report: Report,
) -> None:
    counted = [(found, tasks) for found, tasks in missing_tasks(store, plan)]
    found, missing = sum(n for n, _ in counted), [task for _, tasks in counted for task in tasks]
    counter = _Counter("reevaluate", plan.wanted, found, report)
    counter.add(0)
    if not missing:
        return
    _prepare(next(iter(plan.problems(plan.conditions[0]).values())))

    def keep(records: list[EvaluationRecord]) -> None:
        store.add_results(records)
        counter.add(len(records))

    limits = plan.definition.evaluation.limits
    with open_executor() as executor:
        for start in range(0, len(missing), _BATCH):
            executor.evaluate(missing[start : start + _BATCH], keep, should_stop, limits)


def _prepare(problem: Problem) -> None:
    one_blas_thread()
    problem.model.prepare(problem.cost_class)


class _Counter:
    """Reports how far a sweep is, with the time that is left at the rate so far."""

    def __init__(self, mode: SweepMode, wanted: int, found: int, report: Report) -> None:
        self._mode: SweepMode = mode
        self._wanted, self._found, self._done = wanted, found, 0
        self._report, self._begin = report, time.monotonic()

    def add(self, count: int, message: str = "") -> None:
        """Count what was computed."""
        self._done += count
        done = self._found + self._done
        spent = time.monotonic() - self._begin
        left = spent / self._done * (self._wanted - done) if self._done else None
        self._report(SweepProgress(self._mode, done, self._wanted, self._found, left, message))


# ------------------------------------------------------------------ searches


def study_under(definition: StudyDefinition, record: SweepRecord, condition: GridPoint) -> StudyDefinition:
    """The study that searches under a condition of a sweep; its name says which one.

    A study that was deleted and made anew with other content has other ones, though its sweep is the same.
    """
    mark = hashlib.sha256(f"{record.digest} {definition.digest()}".encode()).hexdigest()[:8]
    name = f"{record.study[:_LETTERS]}-sweep-{mark}-{condition.number}"
    tree = under(definition, condition).model_dump(mode="json", exclude_unset=True)
    return define({**tree, "name": name, "description": f"{record.study} under {condition.text}"[:4000]})


def make_studies(store: Store, record: SweepRecord) -> SweepRecord:
    """Store the studies that search for a sweep, each once, as drafts: no runner begins them yet."""
    study = store.study(record.study)
    definition = stored_definition(study)
    for condition in grid_points(record.grid):
        if condition.number not in record.studies:
            own = study_under(definition, record, condition)
            made = store.create_study(own, check(own), owner=study.owner, launch=False)
            store.sweeps.add_study(record.id, condition.number, made.name)
    return store.sweeps.find(record.study, record.id)


def queue_studies(store: Store, record: SweepRecord, *, most_running: int | None = None) -> None:
    """Queue what is not finished of the studies that search for a sweep, for a runner.

    Raises ``LimitError`` when the owner would have more than ``most_running`` studies at work; those of one
    sweep count as one.
    """
    for name in record.studies.values():
        if not is_searched(store.study(name)):
            store.queue_study(name, most_running=most_running)


def is_searched(study: StudyRecord) -> bool:
    """True if a study that searches for a sweep has ended, for good or not."""
    return all(run.state in ENDED for run in study.runs)


def _search(
    store: Store,
    record: SweepRecord,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    should_stop: Callable[[], bool],
    report: Report,
) -> SweepRecord:
    made = make_studies(store, record)
    names = [made.studies[condition.number] for condition in grid_points(record.grid)]
    left = [name for name in names if not is_searched(store.study(name))]
    counter = _Counter("search", len(names), len(names) - len(left), report)
    counter.add(0)
    if not left:
        return made
    _prepare(next(iter(check(stored_definition(store.study(left[0]))).values())))
    with open_executor() as executor:
        for name in left:
            ended = resume_study(store, name, lambda: nullcontext(executor), should_stop)
            if should_stop():
                raise Interrupted
            counter.add(1, f"{ended.description}: {ended.state}")
    return made
