"""Best layouts along the trade-off of two objectives, and what share of the seeds attains, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from dashboards.content.tables import listed
from dashboards.figures.attainment import LEAST_SEEDS, attainment_layouts
from dashboards.figures.axes import Quantity, natural_objectives, objective_quantities, objective_words
from dashboards.figures.trade_off import pair_regions
from studies.comparison.comparison import Comparison
from studies.comparison.scoreboard import Region

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


MOST_REGIONS = 6
_BETTER = {"minimize": "Least", "maximize": "Most"}


def front_caption(comparison: Comparison, columns: Sequence[int]) -> str:
    """Number of designs and ranges of the objectives in ``columns`` for each front, and the leaders."""
    quantities = objective_quantities(comparison)
    parts: list[str] = []
    for layout, designs in comparison.fronts.items():
        ranges: list[str] = []
        for column in columns:
            values = natural_objectives(comparison, designs, column)
            if values:
                scale = quantities[column].scale
                low, high = scale.bare(min(values)), scale.show(max(values))
                ranges.append(f"{objective_words(comparison, column)} {low} to {high}")
        count = f"{len(designs)} design{'' if len(designs) == 1 else 's'}"
        parts.append(f"{layout}: {count}" + (f", {', '.join(ranges)}" if ranges else ""))
    led = f" {region_sentence(comparison, *columns)}" if len(columns) == 2 else ""
    return ("; ".join(parts) + "." + led).rstrip()


def region_sentence(comparison: Comparison, x: int, y: int) -> str:
    """The best layout in objective ``y`` for each limit on objective ``x``; empty with one layout."""
    found = pair_regions(comparison, x, y)
    if sum(bool(front) for front in comparison.fronts.values()) < 2 or not found:
        return ""
    quantity, name = objective_quantities(comparison)[x], objective_words(comparison, x)
    head = f"{_BETTER[comparison.senses[y]]} {objective_words(comparison, y)}"
    if len(found) == 1:
        return f"{head}: {_winner(found[0])} for every limit on {name}."
    if len(found) > MOST_REGIONS:
        return f"{head}: the layouts take turns in {len(found)} ranges of a limit on {name}."
    parts = [_part(region, quantity) for region in found]
    return f"{head} for a limit on {name}: {', '.join(parts)}."


def _winner(region: Region) -> str:
    return region.winner or "several layouts alike"


def _part(region: Region, quantity: Quantity) -> str:
    sign = 1.0 if quantity.sense == "minimize" else -1.0
    lower, more = sign * region.lower, "more" if sign > 0 else "less"
    if region.upper == float("inf"):
        return f"{_winner(region)} at {quantity.scale.show(lower)} or {more}"
    return (
        f"{_winner(region)} from {quantity.scale.bare(lower)} to {quantity.scale.show(sign * region.upper)}"
    )
