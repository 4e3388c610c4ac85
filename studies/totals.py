"""What a run has counted so far."""

from __future__ import annotations

from dataclasses import dataclass

from studies.problem import FAILED
from studies.records import FloatArray


@dataclass
class Totals:
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
