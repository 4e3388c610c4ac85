"""What figures show, in words, for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.figures.axes import natural_objectives, objective_quantities
from dashboards.formatting import words
from studies.comparison import Comparison


def front_caption(comparison: Comparison, columns: Sequence[int]) -> str:
    """How many designs each front holds, and the ranges of the objectives in ``columns``."""
    quantities = objective_quantities(comparison)
    parts: list[str] = []
    for layout, designs in comparison.fronts.items():
        ranges: list[str] = []
        for column in columns:
            values = natural_objectives(comparison, designs, column)
            if values:
                scale = quantities[column].scale
                low, high = scale.bare(min(values)), scale.show(max(values))
                ranges.append(f"{words(comparison.objectives[column])} {low} to {high}")
        count = f"{len(designs)} design{'' if len(designs) == 1 else 's'}"
        parts.append(f"{layout}: {count}" + (f", {', '.join(ranges)}" if ranges else ""))
    return "; ".join(parts) + "."
