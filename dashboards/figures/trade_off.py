"""Best layouts along the trade-off of two objectives: a strip along the axis of the first."""

from __future__ import annotations

from typing import Any

from dashboards.figures.axes import objective_quantities
from dashboards.palette import styles
from studies.comparison.comparison import Comparison
from studies.comparison.scoreboard import Region, regions

_HEIGHT = 0.02
"""Height of the strip, as a share of the figure's."""


def pair_regions(comparison: Comparison, x: int, y: int) -> list[Region]:
    """Levels of objective ``x``, and the layout with the best objective ``y`` between each two."""
    return regions({label: front[:, [x, y]] for label, front in comparison.front_objectives.items()})


def winner_strip(comparison: Comparison, x: int, y: int) -> list[dict[str, Any]]:
    """A rectangle in the colour of the best layout for each region; none where layouts are alike or alone."""
    filled = [front for front in comparison.front_objectives.values() if len(front)]
    if len(filled) < 2:
        return []
    quantity, looks = objective_quantities(comparison)[x], styles(comparison.fronts)
    sign = -1.0 if quantity.sense == "maximize" else 1.0
    end = max(float(front[:, x].max()) for front in filled)
    return [
        {
            "type": "rect", "xref": "x", "yref": "paper", "y0": 0.0, "y1": _HEIGHT, "layer": "below",
            "x0": quantity.values([sign * region.lower])[0],
            "x1": quantity.values([sign * min(region.upper, end)])[0],
            "fillcolor": looks[region.winner].colour, "line": {"width": 0},
        }
        for region in pair_regions(comparison, x, y)
        if region.winner
    ]  # fmt: skip
