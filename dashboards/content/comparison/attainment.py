"""Titles and captions of the figures of attainment."""

from __future__ import annotations

from itertools import combinations

from dashboards.content.tables import listed
from dashboards.figures.attainment import LEAST_SEEDS, attainment_layouts
from dashboards.figures.axes import objective_words
from studies.comparison.comparison import Comparison

MOST_OBJECTIVES = 3
"""Most objectives for which there is a figure for every two."""


def attainment_pairs(comparison: Comparison) -> list[tuple[str, tuple[int, int]]]:
    """Title and objectives of each figure; none without a layout of enough seeds."""
    count = len(comparison.objectives)
    if not attainment_layouts(comparison) or not 2 <= count <= MOST_OBJECTIVES:
        return []
    names = [objective_words(comparison, column) for column in range(count)]
    return [
        (f"What seeds attain: {names[y]} against {names[x]}", (x, y))
        for x, y in combinations(range(count), 2)
    ]


def attainment_caption(comparison: Comparison) -> str:
    """Caption of a figure: its lines, and the layouts that it leaves out."""
    shown = attainment_layouts(comparison)
    left = [label for label in comparison.seed_fronts if label not in shown]
    rest = f" Fewer than {LEAST_SEEDS} seeds, so not drawn: {listed(left)}." if left else ""
    return (
        "Half of a layout's seeds found a design at least as good as each point of its thick line; a quarter "
        f"reached the dotted line, three quarters the dashed one (empirical attainment).{rest}"
    )
