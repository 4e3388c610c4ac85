"""How long a run searches, and what it has counted so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from studies.definition import SearchTable
from studies.records import FAILED, FloatArray

GROWTH = 1e-4
"""A hypervolume that grew by less than this share of itself has not improved."""


@dataclass(slots=True)
class Budget:
    """What a run may spend and what it has spent; updated after every generation.

    Wall time counts the generations' own times, summed over every process that worked on the run,
    so that waiting and replaying cost nothing.
    """

    planned: int
    wall_time: float | None
    stagnation: int | None
    asked: int = 0
    seconds: float = 0.0
    hypervolumes: list[float] = field(default_factory=list[float])
    """Those of the last generations, from the first feasible one on; no more than ``stagnation`` needs."""

    @classmethod
    def of(cls, search: SearchTable, planned: int) -> Budget:
        """The budget that a study file states."""
        return cls(planned, search.wall_seconds, search.stagnation)

    @property
    def left(self) -> int:
        """Designs that may still be asked for."""
        return self.planned - self.asked

    def share(self, in_flight: int = 0, seconds: float = 0.0) -> float:
        """How much of it is spent, 0 to 1, with designs and time of the generation at hand."""
        designs = (self.asked + in_flight) / self.planned
        time = (self.seconds + seconds) / self.wall_time if self.wall_time else 0.0
        return min(max(designs, time), 1.0)

    def is_over(self, seconds: float) -> bool:
        """Whether the wall time is over, ``seconds`` after the last generation was counted."""
        return self.wall_time is not None and self.seconds + seconds >= self.wall_time

    def spend(self, designs: int, seconds: float, hypervolume: float | None) -> None:
        """Count one generation."""
        self.asked += designs
        self.seconds += seconds
        if hypervolume and self.stagnation is not None:  # 0 while no design beats the reference point
            self.hypervolumes = [*self.hypervolumes[-self.stagnation :], hypervolume]

    @property
    def spent(self) -> str:
        """Why the run ends, in words; empty while it goes on."""
        if self.left <= 0:
            return "it has evaluated all designs of its budget"
        if self.wall_time is not None and self.is_over(0.0):
            return f"its wall time of {self.wall_time:g} s is used up"
        if self.stagnation is not None and self._stands_still(self.stagnation):
            return f"its front has not improved for {self.stagnation} generations"
        return ""

    def _stands_still(self, generations: int) -> bool:
        if len(self.hypervolumes) <= generations:
            return False
        first, last = self.hypervolumes[0], self.hypervolumes[-1]
        return last - first <= GROWTH * last


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
