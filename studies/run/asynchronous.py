"""A run in the steady state: each idle worker gets the next design, and each result is told on arrival.

The log keeps the order of arrival, and of each result the number of asks before it. To resume, asks and tells
are repeated in that order; what was asked for and had not arrived is evaluated again, or found in the store.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from errors import DivergedError
from studies.execution import Interrupted
from studies.problem.problem import Judgement
from studies.records import (
    EvaluationRecord,
    FloatArray,
    GenerationRecord,
    LoggedBatch,
    Origin,
    Task,
)
from studies.run.run import GREATEST_OBJECTIVE, OTHER_DESIGNS, Run
from studies.search import Search, SteadySearch, create_steady_search

STORED_EVERY = 0.5
"""Seconds between transactions that store results."""
PROPOSALS_EVERY = 1.0
"""Seconds between looks for proposals."""


@dataclass
class _Arrived:
    """Results that were told and are not logged."""

    records: list[EvaluationRecord] = field(default_factory=list[EvaluationRecord])
    points: list[FloatArray] = field(default_factory=list[FloatArray])
    judged: list[Judgement] = field(default_factory=list[Judgement])
    origins: list[Origin] = field(default_factory=list[Origin])


@dataclass
class _InHand:
    """A design that is being evaluated, and its judgements on the rungs below."""

    origin: Origin
    point: FloatArray
    judged: list[Judgement] = field(default_factory=list[Judgement])


class AsynchronousRun(Run):
    """See :class:`~studies.run.run.Run`; a logged generation is ``population`` results."""

    _steady: SteadySearch

    def _begin(self) -> None:
        self._steady = create_steady_search(*self._start)
        self._asks = 0
        self._asked: dict[int, FloatArray] = {}
        self._in_hand: dict[str, list[_InHand]] = defaultdict(list)
        self._promoted: list[Task] = []
        self._arrived = _Arrived()
        self._unsaved: dict[str, EvaluationRecord] = {}
        self._held_back = False
        self._saved = self._looked = 0.0
        self._computed = 0
        self._size = self._definition.search.population

    # ------------------------------------------------------------ replay

    def _replay(self, batch: LoggedBatch, record: GenerationRecord) -> None:
        rows = zip(batch.points, batch.objectives, batch.violations.tolist(), batch.origins, strict=True)
        for point, objectives, violation, origin in rows:
            while self._asks < (origin.asks or 0) and self._ask_steadily() is not None:
                pass
            if origin.proposal is None:
                asked = self._asked.pop(-1 if origin.asked is None else origin.asked, None)
                if asked is None or asked.tobytes() != point.tobytes():
                    raise DivergedError(f"generation {batch.generation}: {OTHER_DESIGNS}")
            self._learn(origin, point, objectives, violation)
        self._count_logged(batch, record)

    def _tell_search(self, batch: LoggedBatch) -> None:
        """Do nothing: each result was told when it arrived."""

    def _ask_steadily(self) -> int | None:
        """Ask for a design; its number, None where there is none left."""
        point = self._steady.ask()
        if len(point) == 0:
            return None
        self._asked[self._asks] = point[0]
        self._asks += 1
        return self._asks - 1

    def _learn(self, origin: Origin, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        told = np.clip(objectives, -GREATEST_OBJECTIVE, GREATEST_OBJECTIVE)
        if origin.asked is None:
            self._steady.learn(point, told, violation)
        else:
            self._steady.tell(origin.asked, told, violation)

    # ------------------------------------------------------------ search

    def _go_on(self) -> None:
        tasks = [task for number in sorted(self._asked) for task in self._take_in_hand(Origin(number))]
        try:
            while not self._budget.spent:
                self._stop_if_requested()
                held_back = self._work(tasks)
                if self._is_over() or not held_back:
                    break
                if not self._leash.may_go_on():
                    raise Interrupted
                tasks = self._tasks_in_hand()
        finally:
            self._close()
        if not self._budget.spent and self._is_over():
            self._budget.spend(0, self._lap())

    def _work(self, tasks: Sequence[Task]) -> bool:
        """Evaluate these tasks and what follows; true if somebody asked to stop before the end."""
        self._held_back = False
        try:
            self._executor.evaluate(
                tasks, self._sink, self._is_to_stop, self._limits, self._supply, say=self._say
            )
        except Interrupted:
            return True
        return self._held_back

    def _is_over(self) -> bool:
        """True if the budget is spent; a run has one design at least."""
        begun = self._budget.asked > 0 or bool(self._arrived.records)
        return bool(self._budget.spent) or (begun and self._budget.is_over(self._elapsed))

    def _is_to_stop(self) -> bool:
        return self._is_over() or self._leash()

    def _supply(self, room: int) -> Sequence[Task]:
        """Tasks of up to ``room`` further designs: proposals, then what the search asks for.

        A design that the store knows is told at once and takes no room.
        """
        tasks: list[Task] = []
        if time.monotonic() - self._looked > PROPOSALS_EVERY:
            self._looked = time.monotonic()
            for number, point in self._proposals()[: self._left]:
                tasks += self._take_in_hand(Origin(proposal=number), point)
        while len(tasks) + len(self._promoted) < room and self._left > 0:
            if self._is_to_stop():
                self._held_back = True
                break
            number = self._ask_steadily()
            if number is None:
                break
            tasks += self._take_in_hand(Origin(number))
        promoted, self._promoted = self._promoted, []
        return [*tasks, *promoted]

    @property
    def _left(self) -> int:
        """Designs that may still be asked for."""
        in_hand = sum(map(len, self._in_hand.values()))
        return self._budget.left - len(self._arrived.records) - in_hand

    def _take_in_hand(self, origin: Origin, point: FloatArray | None = None) -> list[Task]:
        """The task of a design, none where its result is known or on its way."""
        at = self._asked[origin.asked] if point is None and origin.asked is not None else point
        assert at is not None  # noqa: S101 - a proposal comes with its point
        return self._awaited(_InHand(origin, at))

    def _awaited(self, design: _InHand) -> list[Task]:
        """The task of a design on its next rung, none where its result is known or on its way."""
        task = self._ladder.task(design.point, len(design.judged))
        waiting = self._in_hand[task.key]
        waiting.append(design)
        if len(waiting) > 1:
            return []
        known = self._unsaved.get(task.key) or self._store.known([task]).get(task.key)
        if known is None or not known.final:
            return [task]
        self._arrive(known)
        return []

    def _tasks_in_hand(self) -> list[Task]:
        first = [waiting[0] for waiting in self._in_hand.values()]
        self._promoted.clear()
        return [self._ladder.task(design.point, len(design.judged)) for design in first]

    def _sink(self, records: list[EvaluationRecord]) -> None:
        """Tell results as they come; store them within a second."""
        self._unsaved |= {record.key: record for record in records}
        self.has_results |= bool(records)
        if time.monotonic() - self._saved > STORED_EVERY:
            self._save()
        for record in records:
            self._computed += 1
            self._arrive(record)
        self._tell("searching", len(self._arrived.records))

    def _save(self) -> None:
        self._saved = time.monotonic()
        unsaved, self._unsaved = self._unsaved, {}
        if unsaved:
            self._store.save_results(self._claim, unsaved.values())

    def _arrive(self, record: EvaluationRecord) -> None:
        """Judge each design in hand that has this key: promote it, or tell its result."""
        for design in self._in_hand.pop(record.key, ()):
            if self._budget.spent:
                return
            rung = len(design.judged)
            self._ladder.take_costs(rung, [record])
            judged = self._ladder.problems[rung].judge(record, design.point)
            number = design.origin.asked or 0
            design.judged.append(judged)
            if rung < self._ladder.top and self._may_matter(
                design.judged, record, design.point, number, design.origin
            ):
                self._promoted += self._awaited(design)
            else:
                self._finish(design, record)

    def _finish(self, design: _InHand, record: EvaluationRecord) -> None:
        """Tell the result of a design, and log it with others."""
        self._ladder.require_order()
        self._ladder.learn(design.judged)
        told, origin = self._ladder.told(design.judged), design.origin
        objectives = np.array(told.objectives or [0.0] * len(self._problem.objectives))
        self._asked.pop(-1 if origin.asked is None else origin.asked, None)
        self._learn(origin, design.point, objectives, told.violation)
        self._arrived.records.append(record)
        self._arrived.points.append(design.point)
        self._arrived.judged.append(told)
        rung = self._ladder.rung_of(design.judged)
        self._arrived.origins.append(origin._replace(asks=self._asks, rung=rung))
        if len(self._arrived.records) in (self._size, self._budget.left):
            self._close()

    @property
    def _searching(self) -> Search | SteadySearch:
        return self._steady

    def _close(self) -> None:
        """Log what has arrived as a generation."""
        self._save()
        arrived, self._arrived = self._arrived, _Arrived()
        if not arrived.records:
            return
        keys = [record.key for record in arrived.records]
        batch = self._batch(keys, arrived.points, arrived.judged, arrived.origins)
        computed, self._computed = self._computed, 0
        self._log(batch, arrived.judged, arrived.records, computed)
