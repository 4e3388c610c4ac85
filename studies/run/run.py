"""One run: a seeded search within its budget, fed from the log first and from evaluations then.

Resume is replay. The search is started again with its seed and gets the logged generations; as
long as it asks for the designs that the log holds, bit for bit, it ends up exactly where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from errors import DivergedError, InputError
from studies.definition.space import DesignSpace
from studies.definition.study_definition import SearchTable, StudyDefinition
from studies.execution import Executor, Interrupted
from studies.execution.cluster import Say
from studies.problem.problem import Judgement, Problem, reference_point
from studies.records import (
    FAILED,
    INFEASIBLE,
    EvaluationRecord,
    FloatArray,
    GenerationRecord,
    LoggedBatch,
    Origin,
    Phase,
    Progress,
    Report,
    RunRecord,
    Task,
)
from studies.run.budget import Budget, Counters
from studies.run.fidelity import Ladder
from studies.run.growth import RunFront
from studies.run.heartbeat import Heartbeat, Leash
from studies.search import Learner, Search, SteadySearch, create_search
from studies.store import Claim, Store

PLAIN = Origin()
OTHER_DESIGNS = (
    "the search chooses other designs than those in the log; the versions of pymoo, numpy or scipy, or the "
    "processor, differ from those that wrote the log"
)
GREATEST_OBJECTIVE = 1e60
"""Searches square and multiply differences of objectives; those of greater numbers would overflow."""


@dataclass
class _Climbed:
    """Designs of a generation, each with the key of its highest evaluation, and all evaluations made."""

    keys: list[str] = field(default_factory=list[str])
    told: list[Judgement] = field(default_factory=list[Judgement])
    origins: list[Origin] = field(default_factory=list[Origin])
    records: dict[str, EvaluationRecord] = field(default_factory=dict[str, EvaluationRecord])
    computed: int = 0


def logged_judgement(batch: LoggedBatch, row: int) -> Judgement:
    """The judgement that the log has of a design."""
    violation = float(batch.violations[row])
    return Judgement(None if violation >= INFEASIBLE else batch.objectives[row].tolist(), violation)


class TaskResults:
    """The final results of ``tasks``: found in the store, or computed and stored as they come."""

    def __init__(self, store: Store, claim: Claim, tasks: Sequence[Task]) -> None:
        self._store = store
        self._claim = claim
        self._tasks = tasks
        self.by_key = {key: record for key, record in store.known(tasks).items() if record.final}
        """Results by the key of their task."""
        self._known = frozenset(self.by_key)

    @property
    def missing(self) -> list[Task]:
        """Tasks without a result, each once."""
        return list({task.key: task for task in self._tasks if task.key not in self.by_key}.values())

    @property
    def done(self) -> int:
        """Number of designs, in the order of asking, that are done before the first that is not."""
        rows = enumerate(self._tasks)
        return next((row for row, task in rows if task.key not in self.by_key), len(self._tasks))

    @property
    def stored(self) -> int:
        """Number of asked designs that have a result."""
        return sum(task.key in self.by_key for task in self._tasks)

    def computed(self, tasks: Sequence[Task]) -> int:
        """Number of designs of ``tasks`` that the store did not have."""
        return len({task.key for task in tasks} - self._known)

    def take(self, records: Sequence[EvaluationRecord]) -> None:
        """Store results that were computed."""
        if records:
            self._store.save_results(self._claim, records)
            self.by_key.update((record.key, record) for record in records)

    def take_of_job(self, records: Sequence[EvaluationRecord], before: int) -> int:
        """Store results that a job computed, and how many it has: ``before`` these tasks, and of them."""
        known = self.by_key.keys() | {record.key for record in records}
        evaluated = before + sum(task.key in known for task in self._tasks)
        self._store.save_results(self._claim, records, evaluated)
        self.by_key.update((record.key, record) for record in records)
        return evaluated


@dataclass(frozen=True, slots=True)
class Workplace:
    """Store, executor and callbacks that the runs of a pool share.

    Attributes
    ----------
    store, executor : where results are kept and where they are computed
    heartbeat : what keeps claims alive
    should_stop : asked several times a second; true ends a run as ``Interrupted``, as does a request that
        the heartbeat has heard
    report : called after every generation, and while evaluations come in
    """

    store: Store
    executor: Executor
    heartbeat: Heartbeat
    should_stop: Callable[[], bool]
    report: Report

    def leash(self, claim: Claim) -> Leash:
        """The leash of a claimed run."""
        return Leash(claim, self.heartbeat, self.should_stop)

    def remark(self, claim: Claim) -> Say:
        """A function that keeps what a claimed run waits for with the run, whenever it is another text."""
        kept = ""

        def say(text: str) -> None:
            nonlocal kept
            if text != kept:
                self.store.remark(claim, text)
                kept = text

        return say


class Run:
    """A claimed run at work; ``claim`` is the right to write ``record``'s run."""

    def __init__(
        self,
        definition: StudyDefinition,
        problem: Problem,
        record: RunRecord,
        claim: Claim,
        place: Workplace,
    ) -> None:
        self._definition = definition
        self._problem = problem
        self._record = record
        self._claim = claim
        self._store, self._executor, self._report = place.store, place.executor, place.report
        self._leash = place.leash(claim)
        self._say = place.remark(claim)
        self._limits = definition.evaluation.limits
        self._totals = Counters()
        stated = reference_point(definition, problem)
        self._ladder = Ladder(problem)
        self._front = RunFront(len(problem.objectives), stated, definition.search.stagnation)
        self._last_proposal = 0
        self._taken: set[int] = set()
        self._begin()
        self._budget = Budget.of(definition.search, problem.planned_designs(definition.search))
        self._since = time.monotonic()
        self.has_results = False
        """True if any result was computed since this process took the run up."""

    def _begin(self) -> None:
        """Start the search anew."""
        self._search: Search = create_search(*self._start)

    @property
    def _start(self) -> tuple[SearchTable, DesignSpace, int, int, FloatArray]:
        """The settings of the search, its space, number of objectives, seed and initial points."""
        problem = self._problem
        return (
            self._definition.search, problem.space, len(problem.objectives), self._record.seed,
            problem.initial,
        )  # fmt: skip

    def execute(self) -> None:
        """Replay the log, then search until the budget is spent or no design is left."""
        past = self._store.generations(self._record)
        for batch, record in zip(self._store.log(self._record), past, strict=True):
            self._stop_if_requested()
            self._replay(batch, record)
            if record is not past[-1] or not self._budget.spent:
                self._tell_search(batch)
        self._front.growth.resume(self._record.reference_point)
        self._since = time.monotonic()
        self._go_on()

    def _go_on(self) -> None:
        """Search on where the log ends."""
        while not self._budget.spent:
            self._stop_if_requested()
            points = self._ask()
            proposals = self._proposals()[: self._budget.left - len(points)]
            if len(points) == 0 and not proposals:
                return
            origins = [*[PLAIN] * len(points), *(Origin(proposal=number) for number, _ in proposals)]
            self._advance(np.concatenate([points, *(point[None] for _, point in proposals)]), origins)

    def _proposals(self) -> list[tuple[int, FloatArray]]:
        """Proposals that are new since the last call, by number, each with its point ``(d,)``.

        One that the installed version refuses, though it took it before, is left out.
        """
        found: list[tuple[int, FloatArray]] = []
        for proposal in self._store.take_proposals(self._claim, self._last_proposal):
            self._last_proposal = proposal.id
            if proposal.id not in self._taken:
                with suppress(InputError):
                    found.append((proposal.id, self._problem.point(proposal.design)))
        return found

    @property
    def outcome(self) -> str:
        """A sentence on how the run ended."""
        early = f"; {self._budget.spent}" if self._budget.spent and self._budget.left > 0 else ""
        if self._totals.feasible:
            size = len(self._front)
            return f"{size} design{'' if size == 1 else 's'} on the front{early}"
        return f"no design was feasible; the nearest ones are listed with what they lack{early}"

    def _stop_if_requested(self) -> None:
        if self._leash() and not self._leash.may_go_on():
            raise Interrupted

    def _ask(self) -> FloatArray:
        """The next generation, cut where the budget ends."""
        return self._search.ask()[: self._budget.left]

    def _tell_search(self, batch: LoggedBatch) -> None:
        """Tell results; not when the budget is spent, because the last generation may be a cut one."""
        told = np.clip(batch.objectives, -GREATEST_OBJECTIVE, GREATEST_OBJECTIVE)
        asked = np.array([origin.proposal is None for origin in batch.origins] or [True] * len(told))
        if not asked.all() and isinstance(self._search, Learner):
            self._search.learn(batch.points[~asked], told[~asked], batch.violations[~asked])
        if asked.any():
            self._search.tell(told[asked], batch.violations[asked])

    # ------------------------------------------------------------ replay

    def _replay(self, batch: LoggedBatch, record: GenerationRecord) -> None:
        points = self._ask()
        own = [origin.proposal is None for origin in batch.origins] or [True] * len(batch.keys)
        if self._budget.is_over(record.seconds):  # it may have been cut when the time was over
            points = points[: sum(own)]
        points = np.concatenate([points, batch.points[~np.array(own)]])
        if points.shape != batch.points.shape or points.tobytes() != batch.points.tobytes():
            raise DivergedError(f"generation {batch.generation}: {OTHER_DESIGNS}")
        self._count_logged(batch, record)

    def _count_logged(self, batch: LoggedBatch, record: GenerationRecord) -> None:
        """Count and measure a logged generation as when it was logged."""
        self._compare_keys(batch)
        self._taken.update(each.proposal for each in batch.origins if each.proposal is not None)
        self._totals.add(batch.violations)
        self._totals.computed = record.computed
        self._learn_differences(batch)
        self._ladder.go_on_from(record.notes or {})
        self._front.take(batch, self._budget.asked)
        self._front.measure(batch, self._budget.asked, record.hypervolume)
        self._spend(batch, record.seconds)
        self._totals.require_few_failures(self._budget.asked, self._definition.evaluation.max_failure_share)
        self._tell("replaying", 0)

    def _compare_keys(self, batch: LoggedBatch) -> None:
        """Equal points have equal keys while model and defaults stay; one design in each generation tells."""
        rung = batch.origins[0].rung if batch.origins else None
        task = self._ladder.task(batch.points[0], self._ladder.top if rung is None else rung)
        if task.key != batch.keys[0]:
            raise DivergedError(
                f"generation {batch.generation}: the same designs have other keys now; the version or the "
                "defaults of the model differ from those that wrote the log"
            )

    # ------------------------------------------------------------ search

    def _advance(self, points: FloatArray, origins: Sequence[Origin]) -> None:
        """Evaluate and log one generation, and give it to the search.

        When the wall time ends meanwhile, the generation is cut before the first design that is not done.
        """
        found = self._climb(points, origins)
        if not found.keys:
            self._budget.spend(0, self._lap())
            return
        batch = self._batch(found.keys, points[: len(found.keys)], found.told, found.origins)
        self._log(batch, found.told, found.records.values(), found.computed)
        if not self._budget.spent:
            self._tell_search(batch)

    def _climb(self, points: FloatArray, origins: Sequence[Origin]) -> _Climbed:
        """Evaluate designs on the lowest rung, those that it promotes on the next, up to the full one."""
        ladder, found = self._ladder, _Climbed()
        rows = list(range(len(points)))
        judged: list[list[Judgement]] = [[] for _ in rows]
        for rung, problem in enumerate(ladder.problems):
            tasks = problem.tasks(points[rows])
            results = self._evaluate(tasks)
            found.records.update(results.by_key)
            ladder.take_costs(rung, results.by_key.values())
            cut = rows[results.done] if results.done < len(rows) else len(points)
            rows, tasks = rows[: results.done], tasks[: results.done]
            found.computed += results.computed(tasks)
            found.keys = [""] * cut if rung == 0 else found.keys[:cut]
            for row, task in zip(rows, tasks, strict=True):
                found.keys[row] = task.key
                judged[row].append(problem.judge(results.by_key[task.key], points[row]))
            if rung < ladder.top:
                first = self._budget.asked
                rows = [
                    row
                    for row, task in zip(rows, tasks, strict=True)
                    if self._may_matter(
                        judged[row], results.by_key[task.key], points[row], first + row, origins[row]
                    )
                ]
        ladder.require_order()
        for each in judged[: len(found.keys)]:
            ladder.learn(each)
        found.told = [ladder.told(each) for each in judged[: len(found.keys)]]
        found.origins = [
            origin._replace(rung=ladder.rung_of(each))
            for origin, each in zip(origins, judged[: len(found.keys)], strict=False)
        ]
        return found

    def _may_matter(
        self,
        judged: Sequence[Judgement],
        record: EvaluationRecord,
        point: FloatArray,
        asked: int,
        origin: Origin,
    ) -> bool:
        """True if a design is evaluated on the next rung; one that somebody proposed always is."""
        if origin.proposal is not None:
            return True
        ladder = self._ladder
        certain = ladder.problems[-1].certain(record, point)
        return ladder.is_promoted(len(judged) - 1, judged[-1], asked, self._front.objectives, certain)

    def _learn_differences(self, batch: LoggedBatch) -> None:
        """Know again, of logged designs, the differences between rungs; what the store lost is computed.

        An evaluation that ended without a final result, such as by timeout, is taken as it ended: a second
        one may end otherwise, and the search was led by the first.
        """
        ladder = self._ladder
        rungs = [origin.rung for origin in batch.origins] or [None] * len(batch.keys)
        rows = [row for row, rung in enumerate(rungs) if rung is None]
        if ladder.top == 0 or not rows:
            return
        judged: list[list[Judgement]] = [[] for _ in rows]
        for problem in ladder.problems[:-1]:
            tasks = problem.tasks(batch.points[rows])
            stored = self._store.known(tasks)
            lost = [task for task in tasks if task.key not in stored]
            known = {**stored, **self._evaluate(lost, timed=False).by_key}
            for row, task, each in zip(rows, tasks, judged, strict=True):
                each.append(problem.judge(known[task.key], batch.points[row]))
        for row, each in zip(rows, judged, strict=True):
            ladder.learn([*each, logged_judgement(batch, row)])

    def _batch(
        self,
        keys: Sequence[str],
        points: Sequence[FloatArray] | FloatArray,
        judged: Sequence[Judgement],
        origins: Sequence[Origin],
    ) -> LoggedBatch:
        """The next generation of the log."""
        return LoggedBatch(
            self._totals.generation + 1,
            tuple(keys),
            np.asarray(points),
            np.array([each.objectives or [0.0] * len(self._problem.objectives) for each in judged]),
            np.array([each.violation for each in judged]),
            tuple(origins) if any(origin != PLAIN for origin in origins) else (),
        )

    def _log(
        self,
        batch: LoggedBatch,
        judged: Sequence[Judgement],
        records: Iterable[EvaluationRecord],
        computed: int,
    ) -> None:
        """Count, measure and store one generation; raise where too many designs have failed."""
        self._totals.computed += computed
        self._totals.add(batch.violations)
        self._totals.cause = next(
            (each.cause for each in judged if each.violation >= FAILED), self._totals.cause
        )
        change = self._front.take(batch, self._budget.asked)
        reference = self._front.growth.point if self._front.growth.moved else None
        earlier = self._front.measure(batch, self._budget.asked)
        seconds = self._lap()
        self._spend(batch, seconds)
        self._store.save_generation(
            self._claim, batch, records, self._generation_record(seconds), change, reference, earlier
        )
        self._tell("searching", 0)
        self._totals.require_few_failures(self._budget.asked, self._definition.evaluation.max_failure_share)

    def _spend(self, batch: LoggedBatch, seconds: float) -> None:
        self._budget.spend(len(batch.keys), seconds, stands_still=self._front.growth.stands_still)

    @property
    def _elapsed(self) -> float:
        """Seconds since the last generation was logged, or since the search began or went on."""
        return time.monotonic() - self._since

    def _lap(self) -> float:
        """The seconds of :attr:`_elapsed`, which is set back to zero."""
        before, self._since = self._since, time.monotonic()
        return self._since - before

    def _evaluate(self, tasks: Sequence[Task], *, timed: bool = True) -> TaskResults:
        """Results of all tasks, from the store where it has them; of some when the wall time is over."""
        results = TaskResults(self._store, self._claim, tasks)

        def sink(records: list[EvaluationRecord]) -> None:
            results.take(records)
            self.has_results |= bool(records)
            self._tell("searching", results.stored)

        def is_over() -> bool:
            begun = self._totals.generation > 0 or results.done > 0  # a run has one design at least
            return timed and begun and self._budget.is_over(self._elapsed)

        while missing := results.missing:
            try:
                self._executor.evaluate(
                    missing, sink, lambda: is_over() or self._leash(), self._limits, say=self._say
                )
            except Interrupted:
                if is_over() and not self._leash():
                    break
                if not self._leash.may_go_on():
                    raise
        return results

    def _generation_record(self, seconds: float) -> GenerationRecord:
        totals = self._totals
        return GenerationRecord(
            totals.generation, self._budget.asked, totals.computed, totals.feasible, totals.failed,
            len(self._front), self._front.growth.volume, totals.least_violation, seconds, time.time(),
            self._notes or None,
        )  # fmt: skip

    @property
    def _notes(self) -> dict[str, float | str]:
        """Remarks of ladder and search on themselves."""
        of_ladder = self._ladder.notes if self._ladder.top else {}
        return {**of_ladder, **getattr(self._searching, "notes", {})}

    @property
    def _searching(self) -> Search | SteadySearch:
        return self._search

    def _tell(self, phase: Phase, in_flight: int) -> None:
        totals = self._totals
        report = Progress(
            layout=self._record.layout,
            seed=self._record.seed,
            phase=phase,
            asked=self._budget.asked + in_flight,
            planned=self._budget.planned,
            share=self._budget.share(in_flight, self._elapsed if phase == "searching" else 0.0),
            generation=totals.generation,
            front_size=len(self._front),
            hypervolume=self._front.growth.volume,
            failed=totals.failed,
            study=self._record.study,
        )
        self._report(report)
