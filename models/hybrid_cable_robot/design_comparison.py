"""Several designs under every combination of conditions: how far a verdict depends on them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import InputError, UnknownNameError
from models.contract import Evaluation, Outcome
from models.hybrid_cable_robot.model import MODEL
from models.hybrid_cable_robot.parameters import HybridCableRobot

EVEN = 0.01  # of the lesser number: two designs closer than that are even


@dataclass(frozen=True, slots=True)
class DesignComparison:
    """Designs under one combination of conditions.

    Attributes
    ----------
    conditions : mapping of str to value
        Parameters and the values that all designs share.
    outcomes : mapping of str to Outcome
        By the design's name.
    """

    conditions: Mapping[str, Any]
    outcomes: Mapping[str, Outcome]

    def numbers(self, metric: str) -> dict[str, float | None]:
        """The metric of every design; None where the design is infeasible or the class lacks the metric."""
        return {
            name: outcome.metrics.get(metric) if isinstance(outcome, Evaluation) else None
            for name, outcome in self.outcomes.items()
        }

    def winner(self, metric: str) -> str | None:
        """The best design by a metric; None when the two best are even.

        They are when they are within one per cent of each other, or no farther apart than the greater of
        their numerical errors (``Metric.error``).
        """
        table = {known.name: known for known in MODEL.metrics}
        if metric not in table:
            raise InputError(f"unknown metric '{metric}'; known: {', '.join(table)}", ("metric",))
        ranked = sorted(
            ((number, name) for name, number in self.numbers(metric).items() if number is not None),
            reverse=table[metric].sense == "maximize",
        )
        if len(ranked) < 2:
            return ranked[0][1] if ranked else None
        (best, winner), (second, other) = ranked[:2]
        errors = self.numbers(table[metric].error) if table[metric].error else {}
        error = max(errors.get(winner) or 0.0, errors.get(other) or 0.0)
        even = abs(best - second) <= max(EVEN * min(abs(best), abs(second)), error)
        return None if even else winner


def compare_under_conditions(
    designs: Mapping[str, HybridCableRobot],
    conditions: Mapping[str, Sequence[Any]],
    cost_class: str = "workspace",
) -> Iterator[DesignComparison]:
    """Evaluate designs under every combination of conditions.

    Parameters
    ----------
    designs : mapping of str to HybridCableRobot
    conditions : mapping of str to sequence of value
        Parameters, each with the values to try, in SI units; the last one varies fastest.
    cost_class : {"workspace", "motion", "detail", "all"}

    Yields
    ------
    DesignComparison

    Raises
    ------
    UnknownNameError
        When there is no such cost class.
    """
    if cost_class not in MODEL.cost_classes:
        raise UnknownNameError("cost class", cost_class, MODEL.cost_classes, ("cost_class",))
    for values in itertools.product(*conditions.values()):
        shared = dict(zip(conditions, values, strict=True))
        changed = {
            name: HybridCableRobot.model_validate({**design.model_dump(), **shared})
            for name, design in designs.items()
        }
        yield DesignComparison(
            shared, {name: MODEL.evaluate(record, cost_class, 0) for name, record in changed.items()}
        )
