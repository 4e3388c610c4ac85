"""Hypervolumes of all seeds' fronts side by side: whether a lead is larger than the scatter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, conditions_mark, frame
from dashboards.formatting import number
from dashboards.palette import Style, styles
from dashboards.templating import plotly_text, rounded
from studies.comparison.comparison import Comparison
from studies.search.indicators import median

_ROW = 44
"""Pixels of height that each line of the figure takes."""
_FRAME = 110


def spread_figure(comparison: Comparison) -> Figure:
    """One line per layout: a mark per seed, a bar from the least to the greatest, a stroke at the median."""
    looks = styles(comparison.fronts)
    data: list[dict[str, Any]] = []
    for label, volumes in comparison.seed_hypervolumes.items():
        data += _line(plotly_text(label), volumes, looks[label])
    rows = [plotly_text(label) for label in comparison.seed_hypervolumes]
    layout = frame(
        xaxis=axis("hypervolume of a seed's front, more is better", rangemode="tozero"),
        yaxis=axis("", type="category", categoryorder="array", categoryarray=rows[::-1]),
        showlegend=False,
        height=_FRAME + _ROW * len(rows),
        margin={"l": 16, "r": 16, "t": 8, "b": 48},
        annotations=conditions_mark(comparison),
    )
    return {"data": data, "layout": layout}


def _line(label: str, volumes: Mapping[int, float], look: Style) -> list[dict[str, Any]]:
    values = list(volumes.values())
    ends = rounded([min(values), max(values)])
    common = {"type": "scatter", "legendgroup": label, "name": label}
    bar = {
        **common,
        "mode": "lines",
        "x": ends,
        "y": [label, label],
        "line": {"color": look.colour, "width": 6},
        "opacity": 0.35,
        "hoverinfo": "skip",
    }
    middle = {
        **common,
        "mode": "markers",
        "x": rounded([median(np.array(values))]),
        "y": [label],
        "cliponaxis": False,
        "marker": {"symbol": "line-ns-open", "size": 26, "color": look.colour, "line": {"width": 2}},
        "text": [f"<b>{label}</b><br>median {number(median(np.array(values)))}"],
        "hoverinfo": "text",
    }
    seeds = {
        **common,
        "mode": "markers",
        "x": rounded(values),
        "y": [label] * len(values),
        "cliponaxis": False,
        "marker": {"symbol": look.symbol, "size": 9, "color": look.colour},
        "text": [f"<b>{label}</b>, seed {seed}<br>hypervolume {number(v)}" for seed, v in volumes.items()],
        "hoverinfo": "text",
    }
    return [bar, middle, seeds]
