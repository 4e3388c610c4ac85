"""A figure with what it is called and what it shows in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dashboards.content.trade_off import region_sentence
from dashboards.figures.axes import Figure, natural_objectives, objective_quantities, objective_words
from dashboards.templating import script_json
from studies.comparison import Comparison


def front_caption(comparison: Comparison, columns: Sequence[int]) -> str:
    """How many designs each front holds, the ranges of the objectives in ``columns``, and who leads where."""
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


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure before it has a place in a page.

    ``kind`` is how it wants to be shown: ``flat`` beside others, ``tall``, ``full``, ``space`` (3D) or
    ``motion`` (3D with frames) over the page's width, ``wide`` scrolled sideways where it must be.
    """

    title: str
    caption: str
    figure: Figure
    kind: str = "flat"


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure in a page: element id, heading, what it shows in words.

    ``keys`` are names and colours for figures that draw no legend themselves.
    """

    id: str
    title: str
    caption: str
    figure: Figure
    kind: str = "flat"
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def json(self) -> Markup:
        """The figure as text that is safe in a script element."""
        return Markup(script_json(self.figure))  # noqa: S704  script_json escapes what could end the element


def plot_of(drawing: Drawing, identity: str) -> Plot:
    """A drawing with its place in a page."""
    return Plot(identity, drawing.title, drawing.caption, drawing.figure, drawing.kind)
