"""Continuity of metrics along lines through a space of designs.

A metric jumps where halving a step does not shrink its change: the largest change of a line is bisected until
it has fallen to a share of what it was, or the step is next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from errors import InputError
from models import ensemble
from models.arrays import FloatArray
from models.contract import Evaluation, Infeasible, Model, Outcome

INTERVALS = 6
"""Steps of a line, before the ones with the largest changes are halved."""
HALVINGS = 24
FALL = 1 / 16
"""Share of its first value to which a change must fall."""
ROUNDING = 1e-6
"""Share of a metric's greatest value that counts as rounding."""


class DesignSpace(NamedTuple):
    """Designs between bounds of parameters that vary continuously.

    Attributes
    ----------
    bounds : mapping
        Paths of parameters, such as ``attachments.0.2``, to least and greatest values in SI units.
    settings : mapping
        What all designs have in common.
    preset : str, optional
        Design below the settings; None for the record's defaults.
    """

    bounds: Mapping[str, tuple[float, float]]
    settings: Mapping[str, Any] = {}
    preset: str | None = None

    def at(self, place: FloatArray) -> dict[str, Any]:
        """Settings of the design at a place (n,) of the unit cube."""
        values = (
            low + share * (high - low) for share, (low, high) in zip(place, self.bounds.values(), strict=True)
        )
        return {**self.settings, **dict(zip(self.bounds, map(float, values), strict=True))}


class Jump(NamedTuple):
    """Change of a metric within a step that is next to nothing."""

    metric: str
    before: float
    after: float
    settings: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.metric} jumps from {self.before:g} to {self.after:g} at {dict(self.settings)}"


def jumps(model: Model, space: DesignSpace, ends: FloatArray) -> list[Jump]:
    """Jumps along a line of all metrics that do not state where they jump.

    Numerical errors and statistics of an ensemble are left out: they are estimates.

    Parameters
    ----------
    model : Model
    space : DesignSpace
    ends : (2, n) array
        Both ends of the line, as shares of the bounds.
    """
    line = Line(model, space, *ends)
    errors = {metric.error for metric in model.metrics}
    tried = [
        metric.name
        for metric in model.metrics
        if not (metric.jumps or metric.name in errors or metric.cost_classes == (ensemble.COST_CLASS,))
    ]
    return [jump for name in tried for jump in line.jumps_of(name)]


@dataclass
class Line:
    """A straight line between two places (n,) of a space's unit cube; evaluates each design once."""

    model: Model
    space: DesignSpace
    start: FloatArray
    end: FloatArray
    _known: dict[tuple[str, float], Outcome] = field(default_factory=dict)

    def settings(self, share: float) -> dict[str, Any]:
        """Settings of the design at a share of the line."""
        return self.space.at(self.start + share * (self.end - self.start))

    def outcome(self, cost_class: str, share: float) -> Outcome:
        """Outcome there; infeasible where the record refuses the design."""
        if (cost_class, share) not in self._known:
            try:
                design = self.model.resolve(self.space.preset, self.settings(share))
            except InputError as error:
                found: Outcome = Infeasible(str(error), 0.0)
            else:
                found = self.model.evaluate(design, cost_class, 0)
            self._known[cost_class, share] = found
        return self._known[cost_class, share]

    def value(self, metric: str, share: float) -> float | None:
        """Value there; None where the design is infeasible or has no such metric."""
        found = self.outcome(self.model.cost_class_for([metric]), share)
        return found.metrics[metric] if isinstance(found, Evaluation) else None

    def jumps_of(self, metric: str) -> list[Jump]:
        """Jumps of a metric in the steps where it changes most, and where it bends most."""
        shares = np.linspace(0.0, 1.0, INTERVALS + 1).tolist()
        values = [self.value(metric, share) for share in shares]
        known = np.array([np.nan if value is None else value for value in values])
        changes = np.abs(np.diff(known))
        if np.isnan(changes).all():
            return []
        steps = {int(np.nanargmax(changes))}
        bends = np.abs(np.diff(known, 2))
        if not np.isnan(bends).all():
            middle = int(np.nanargmax(bends))
            steps.add(middle if changes[middle] > changes[middle + 1] else middle + 1)
        least = ROUNDING * float(np.nanmax(np.abs(known)))
        found = (self._jump(metric, shares[step], shares[step + 1], least) for step in sorted(steps))
        return [jump for jump in found if jump]

    def _jump(self, metric: str, low: float, high: float, least: float) -> Jump | None:
        enough: float | None = None
        for _ in range(HALVINGS):
            before, after = self.value(metric, low), self.value(metric, high)
            between = self.value(metric, (low + high) / 2)
            if before is None or after is None or between is None:
                return None
            enough = max(least, FALL * abs(after - before)) if enough is None else enough
            if abs(after - before) <= max(enough, self._error(metric, low), self._error(metric, high)):
                return None
            is_first = abs(between - before) > abs(after - between)
            low, high = (low, (low + high) / 2) if is_first else ((low + high) / 2, high)
        before, after = self.value(metric, low), self.value(metric, high)
        if before is None or after is None:
            return None
        return Jump(metric, before, after, self.settings(low))

    def _error(self, metric: str, share: float) -> float:
        error = self.model.metric(metric).error
        return (self.value(error, share) or 0.0) if error else 0.0
