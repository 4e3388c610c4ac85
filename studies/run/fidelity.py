"""Fidelities: cheap rungs rank designs, and only what could still be on the front is evaluated in full.

From designs that were evaluated on a rung and in full, the differences between the two are known. A design is
promoted unless even the best of 19 in 20 such differences would leave it dominated by the front, or outside a
constraint, or, if it has no metrics, fewer than one in 20 such designs have some in full; never, if what the
back-end proves on the rung rules it out. The search is told the highest
evaluation, moved by the median of the differences; the front has evaluations in full alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from studies.problem.problem import Certain, Judgement, Problem
from studies.records import EvaluationRecord, FloatArray, Task

ENOUGH = 10
"""Differences below which designs are promoted to learn more of them."""
REMEMBERED = 400
NEIGHBOURS = 40
"""Differences that are kept, and those by which a design is judged: of designs of like objectives."""
DOUBT = 0.05
"""Share of differences on either side that are left out, and of designs below which they count as none."""
CONTROL = 50
"""One design in so many is promoted whatever a rung says, so that differences stay those of all designs."""


DEARER = 1.5
LEAST_SECONDS = 0.05
"""Ratio and difference [s] of median times from which a rung is dearer: machines vary by less."""


EVALUATED, ASKED, RULED_OUT = "evaluated in full", "of designs", "ruled out by proof"
TAKES, DIFFERS = " takes", " differs in "
"""Names in the notes: of counts, and after a rung of its time and of its differences."""


class RunFailedError(Exception):
    """A run ends as failed; the text is the cause."""


class Differences:
    """Differences between the full evaluations of designs and those on one rung."""

    def __init__(self) -> None:
        self._cheap: deque[FloatArray] = deque(maxlen=REMEMBERED)
        self._objectives: deque[FloatArray] = deque(maxlen=REMEMBERED)
        self._violations: deque[float] = deque(maxlen=REMEMBERED)
        self._lacking: deque[tuple[float, bool]] = deque(maxlen=REMEMBERED)

    def __len__(self) -> int:
        return len(self._objectives)

    def learn(self, cheap: Judgement, full: Judgement) -> None:
        """Take a design that was evaluated on both; one that failed on the rung tells nothing of it."""
        if cheap.cause:
            return
        if cheap.objectives is None:
            self._lacking.append((cheap.violation, full.objectives is not None))
        elif full.objectives is not None:
            self._cheap.append(np.array(cheap.objectives))
            self._objectives.append(np.subtract(full.objectives, cheap.objectives))
            self._violations.append(full.violation - cheap.violation)

    def near(self, objectives: Sequence[float]) -> FloatArray:
        """Differences ``(k, m)`` of the designs whose objectives on the rung are nearest, by their spread."""
        known = np.array(self._cheap)
        size = known.std(axis=0)
        apart = (known - objectives) / np.where(size > 0.0, size, 1.0)
        nearest = np.argsort((apart**2).sum(axis=1), kind="stable")[:NEIGHBOURS]
        return np.array(self._objectives)[nearest]

    def may_have_metrics(self, violation: float) -> bool:
        """False if of the designs that lacked metrics by as much too few have some in full."""
        nearest = sorted(self._lacking, key=lambda lacking: abs(lacking[0] - violation))[:NEIGHBOURS]
        return len(nearest) < ENOUGH or sum(has for _, has in nearest) >= DOUBT * len(nearest)

    @property
    def best_violation(self) -> float:
        """The difference of violations that one design in twenty goes below, at most 0."""
        return min(0.0, float(np.quantile(np.array(self._violations), DOUBT)))

    @property
    def spread(self) -> FloatArray:
        """Half the range of 18 in 20 differences, for each objective ``(m,)``."""
        low, high = np.quantile(np.array(self._objectives), (DOUBT, 1.0 - DOUBT), axis=0)
        return (high - low) / 2.0


def _dominates(front: FloatArray, objectives: FloatArray) -> bool:
    """True if a design of the front ``(n, m)`` dominates these objectives ``(m,)``, minimised."""
    return bool(((front <= objectives).all(axis=1) & (front < objectives).any(axis=1)).any())


class Ladder:
    """The rungs of a problem and what is known of their differences."""

    def __init__(self, problem: Problem) -> None:
        self.problems: tuple[Problem, ...] = (*problem.rungs, problem)
        self._differences = [Differences() for _ in problem.rungs]
        self._names = [objective.metric for objective in problem.objectives]
        self._seconds: list[deque[float]] = [deque(maxlen=REMEMBERED) for _ in self.problems]
        self.promoted = self.judged = self.ruled_out = 0

    @property
    def top(self) -> int:
        """The number of the full evaluation."""
        return len(self._differences)

    def task(self, point: FloatArray, rung: int) -> Task:
        """The evaluation of a point ``(d,)`` on a rung."""
        return self.problems[rung].tasks(point[None])[0]

    def is_promoted(
        self, rung: int, cheap: Judgement, asked: int, front: FloatArray, certain: Certain | None = None
    ) -> bool:
        """True if a design could still be on the front ``(n, m)`` of full evaluations, minimised."""
        if certain is not None and (certain.breaks or _dominates(front, certain.objectives)):
            self.ruled_out += 1
            return False
        if asked % CONTROL == 0 or not len(front):
            return True
        known = self._differences[rung]
        if cheap.objectives is None:
            return not cheap.cause and known.may_have_metrics(cheap.violation)
        if len(known) < ENOUGH:
            return True
        if cheap.violation + known.best_violation > 0.0:
            return False
        at_best = np.array(cheap.objectives) + np.quantile(known.near(cheap.objectives), DOUBT, axis=0)
        if certain is not None:
            at_best = np.maximum(at_best, certain.objectives)
        return not _dominates(front, at_best)

    def rung_of(self, judged: Sequence[Judgement]) -> int | None:
        """The rung on which a design was judged last; None for the full evaluation."""
        return len(judged) - 1 if len(judged) <= self.top else None

    def told(self, judged: Sequence[Judgement]) -> Judgement:
        """The judgement for a search of a design, given those of the rungs on which it was evaluated."""
        rung, last = self.rung_of(judged), judged[-1]
        if rung is None or last.objectives is None or not len(self._differences[rung]):
            return last
        moved = last.objectives + np.median(self._differences[rung].near(last.objectives), axis=0)
        return last._replace(objectives=moved.tolist())

    def learn(self, judged: Sequence[Judgement]) -> None:
        """Take what is known of a design that was judged on each rung up to its last."""
        self.judged += 1
        if self.rung_of(judged) is not None:
            return
        self.promoted += 1
        for known, cheap in zip(self._differences, judged[:-1], strict=True):
            known.learn(cheap, judged[-1])

    def take_costs(self, rung: int, records: Iterable[EvaluationRecord]) -> None:
        """Take the times of evaluations on a rung."""
        self._seconds[rung].extend(record.seconds for record in records if record.state == "done")

    def require_order(self) -> None:
        """Raise ``RunFailedError`` where a rung takes longer than the next one."""
        for rung, (lower, upper) in enumerate(pairwise(self._seconds), 1):
            if min(len(lower), len(upper)) < ENOUGH:
                continue
            took, next_one = median(lower), median(upper)
            if took > max(DEARER * next_one, next_one + LEAST_SECONDS):
                raise RunFailedError(
                    f"rung {rung} of the ladder takes {took:.3g} s, and {self._name(rung)} {next_one:.3g} s: "
                    "each rung is to be cheaper than the next. Reorder search.ladder or remove it, under a "
                    "new name"
                )

    @property
    def notes(self) -> dict[str, float | str]:
        """Numbers of designs, median times [s] on rungs, and spreads of differences by rung and objective."""
        spreads = {
            f"rung {number}{DIFFERS}{name} by": float(value)
            for number, known in enumerate(self._differences, 1)
            if len(known) >= ENOUGH
            for name, value in zip(self._names, known.spread, strict=True)
        }
        counts = {EVALUATED: self.promoted, ASKED: self.judged, RULED_OUT: self.ruled_out}
        costs = {
            f"{self._name(rung)}{TAKES}": median(seconds)
            for rung, seconds in enumerate(self._seconds)
            if len(seconds) >= ENOUGH
        }
        return {**{name: float(count) for name, count in counts.items()}, **costs, **spreads}

    def go_on_from(self, notes: Mapping[str, float | str]) -> None:
        """Count on from the notes of a logged generation."""
        self.promoted, self.judged, self.ruled_out = (
            int(notes.get(name, 0)) for name in (EVALUATED, ASKED, RULED_OUT)
        )

    def _name(self, rung: int) -> str:
        return "the full evaluation" if rung == self.top else f"rung {rung + 1}"
