"""Parts of all figures: a quantity along an axis, the frame around a figure, the text of a point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.formatting import Scale, heading, quantity, scale_of, value_text
from dashboards.palette import FAINT, INK, WARNING
from dashboards.templating import plotly_text, rounded
from models import Model
from models.parameter_names import words
from studies.comparison.comparison import Comparison
from studies.records import FrontDesign
from studies.results.design_values import unit_of_variable

Figure = dict[str, Any]
"""A plain Plotly dictionary: ``{"data": [...], "layout": {...}}``."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
BETTER = {"minimize": "less is better", "maximize": "more is better"}
_ENDS = {"minimize": -1, "maximize": 1}
MOST_MARKED = 3
"""Conditions that the mark of a figure names."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A metric or variable along an axis, in the unit in which it is shown."""

    name: str
    sense: str
    scale: Scale

    @property
    def label(self) -> str:
        """Name and unit, safe for Plotly."""
        return plotly_text(heading(self.name, self.scale.unit))

    @property
    def title(self) -> str:
        """Name, unit and the direction in which it gets better, safe for Plotly."""
        better = BETTER.get(self.sense)
        return f"{self.label}<br>{better}" if better else self.label

    def values(self, raw: Iterable[float | None]) -> list[float | None]:
        """SI values as drawn."""
        return rounded(None if v is None else v * self.scale.factor for v in raw)


def natural_objectives(comparison: Comparison, designs: Sequence[FrontDesign], column: int) -> list[float]:
    """One objective of ``designs`` in SI and its own sense."""
    sign = 1.0 if comparison.senses[column] == "minimize" else -1.0
    return [sign * design.objectives[column] for design in designs]


def objective_quantities(comparison: Comparison) -> list[Quantity]:
    """The objectives, each scaled to the values on all fronts together."""
    everything = np.concatenate(list(comparison.front_objectives.values()))
    largest = np.abs(everything).max(axis=0, initial=0.0).tolist()
    return [
        Quantity(comparison.labels.get(name, name), sense, scale_of([value], unit))
        for name, unit, sense, value in zip(
            comparison.objectives, comparison.units, comparison.senses, largest, strict=True
        )
    ]


def objective_words(comparison: Comparison, column: int) -> str:
    """The words for an objective in titles and sentences."""
    name = comparison.objectives[column]
    return comparison.labels.get(name) or words(name)


def frame(**settings: Any) -> dict[str, Any]:
    """A figure's layout: transparent, system fonts, legend above, hover boxes that do not cover."""
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": INK},
        "margin": {"l": 64, "r": 16, "t": 16, "b": 56},
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "font": {"family": FONT, "size": 12}},
        **settings,
    }


def mark_text(comparison: Comparison) -> str:
    """The mark of a comparison across conditions, ``conditions differ: cells, f min``; else empty."""
    names = [words(condition.name) for condition in comparison.across]
    if not names:
        return ""
    more = [f"{len(names) - MOST_MARKED} more"] if len(names) > MOST_MARKED else []
    return f"conditions differ: {', '.join([*names[:MOST_MARKED], *more])}"


def conditions_mark(comparison: Comparison) -> list[dict[str, Any]]:
    """The annotations of a figure of a comparison: its mark, in the upper right corner; none without one."""
    text = mark_text(comparison)
    if not text:
        return []
    return [
        {
            "name": "conditions", "text": f"<b>{plotly_text(text)}</b>", "showarrow": False,
            "xref": "paper", "yref": "paper", "x": 1.0, "y": 1.0, "xanchor": "right", "yanchor": "top",
            "font": {"size": 12, "color": WARNING},
        }
    ]  # fmt: skip


def better_ends(quantities: Iterable[Quantity]) -> dict[str, list[int]]:
    """Better ends of the axes, for a layout's ``meta``: 1 for more, -1 for less, 0 for neither."""
    return {"better": [_ENDS.get(quantity.sense, 0) for quantity in quantities]}


def axis(title: str, **settings: Any) -> dict[str, Any]:
    """A cartesian axis with thin grid lines."""
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": 12}},
        "gridcolor": FAINT,
        "linecolor": FAINT,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": 12},
        "ticks": "outside",
        "tickcolor": FAINT,
        **settings,
    }


def axis_3d(title: str, **settings: Any) -> dict[str, Any]:
    """An axis of a 3D scene without coloured walls."""
    return {
        "title": {"text": title, "font": {"size": 12}},
        "gridcolor": FAINT,
        "linecolor": FAINT,
        "zeroline": False,
        "showbackground": False,
        "showspikes": False,
        "tickfont": {"size": 11},
        **settings,
    }


def empty(message: str) -> Figure:
    """A figure that says why there is nothing to draw."""
    note: Mapping[str, Any] = {
        "text": plotly_text(message),
        "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5, "showarrow": False,
    }  # fmt: skip
    hidden = {"visible": False}
    return {"data": [], "layout": frame(xaxis=hidden, yaxis=hidden, annotations=[dict(note)])}


NO_HOVER_BEYOND = 3000
"""Fronts with more designs show no variables and metrics: the texts would outweigh the report."""


def design_text(design: FrontDesign, model: Model) -> str:
    """Layout, seeds, variables and metrics of a design, one per line, safe for Plotly."""
    seeds = ", ".join(map(str, design.seeds))
    head = f"<b>{plotly_text(design.layout)}</b>, seed{'s' if len(design.seeds) > 1 else ''} {seeds}"
    lines = [
        f"{path} = {value_text(value, unit_of_variable(model, design, path))}"
        for path, value in _variables_of(design)
    ]
    metrics = [
        f"{words(metric.name)} = {quantity(design.metrics[metric.name], metric.unit)}"
        for metric in model.metrics
        if metric.name in design.metrics
    ]
    return "<br>".join([head, *map(plotly_text, lines), *map(plotly_text, metrics)])


def _variables_of(design: FrontDesign) -> list[tuple[str, object]]:
    """Variables that fit into a hover box."""
    items = list(design.variables.items())
    return items if len(items) <= 12 else items[:12]
