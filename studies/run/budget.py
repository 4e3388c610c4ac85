"""The budget of a run and the part that is spent, and counts of its designs."""

from __future__ import annotations

from dataclasses import dataclass

from studies.definition.study_definition import SearchTable
from studies.records import FAILED, FloatArray
from studies.run.fidelity import RunFailedError


class TooManyFailuresError(RunFailedError):
    """A larger share of the designs failed than the study allows; the text is the cause."""


@dataclass(slots=True)
class Budget:
    """Budget of a run, and the part that is spent; updated after every generation.

    Wall time counts the generations' own times, summed over every process that worked on the run,
    so that waiting and replaying cost nothing.
    """

    planned: int
    wall_time: float | None
    stagnation: int | None
    asked: int = 0
    seconds: float = 0.0
    stands_still: bool = False
    """True where the front has not improved for ``stagnation`` generations."""

    @classmethod
    def of(cls, search: SearchTable, planned: int) -> Budget:
        """The budget that a study file states."""
        return cls(planned, search.wall_seconds, search.stagnation)

    @property
    def left(self) -> int:
        """Designs that may still be asked for."""
        return self.planned - self.asked

    def share(self, in_flight: int = 0, seconds: float = 0.0) -> float:
        """Share of the budget that is spent, 0 to 1, with designs and time of the generation at hand."""
        designs = (self.asked + in_flight) / self.planned
        time = (self.seconds + seconds) / self.wall_time if self.wall_time else 0.0
        return min(max(designs, time), 1.0)

    def is_over(self, seconds: float) -> bool:
        """True if the wall time is over, ``seconds`` after the last generation was counted."""
        return self.wall_time is not None and self.seconds + seconds >= self.wall_time

    def spend(self, designs: int, seconds: float, *, stands_still: bool = False) -> None:
        """Count one generation; ``stands_still`` as :class:`studies.run.growth.Growth` judges its front."""
        self.asked += designs
        self.seconds += seconds
        self.stands_still = stands_still

    @property
    def spent(self) -> str:
        """Reason why the run ends, in words; empty while it goes on."""
        if self.left <= 0:
            return "it has evaluated all designs of its budget"
        if self.wall_time is not None and self.is_over(0.0):
            return f"its wall time of {self.wall_time:g} s is used up"
        if self.stagnation is not None and self.stands_still:
            return f"its front has not improved for {self.stagnation} generations"
        return ""


@dataclass
class Counters:
    """Counts of the run so far."""

    computed: int = 0
    feasible: int = 0
    failed: int = 0
    generation: int = 0
    least_violation: float = float("inf")
    cause: str = "see the failed evaluations"

    def add(self, violations: FloatArray) -> None:
        """Count one generation."""
        self.feasible += int((violations == 0.0).sum())
        self.failed += int((violations >= FAILED).sum())
        self.least_violation = min(self.least_violation, float(violations.min()))
        self.generation += 1

    def require_few_failures(self, asked: int, allowed: float) -> None:
        """Raise ``TooManyFailuresError`` where more than the share ``allowed`` of the designs failed."""
        if self.failed / asked > allowed:
            raise TooManyFailuresError(
                f"{self.failed} of {asked} designs failed, more than the allowed share of {allowed:g}; the "
                f"last cause: {self.cause}. To go on, mend the cause, or raise evaluation.max_failure_share "
                "in the study file and run it again"
            )
