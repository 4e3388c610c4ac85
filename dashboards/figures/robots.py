"""The robots made of one design: a histogram of a metric, with the nominal value, mean and quantiles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import heading, number, quantity, scale_of
from dashboards.palette import ACCENT, INK
from dashboards.templating import plotly_text, rounded
from studies.search.indicators import FloatArray

_LINES = {"q05": ("5 %", "dot"), "q95": ("95 %", "dot"), "mean": ("mean", "dash")}


def robots_figure(
    metric: str,
    unit: str,
    nominal: float | None,
    values: FloatArray,
    statistics: Mapping[str, float | None],
) -> Figure:
    """Bars that count robots (n,), NaN for those without a value; lines at nominal value and statistics."""
    known = values[~np.isnan(values)]
    if not len(known):
        return empty("no robot has this metric")
    if np.ptp(known) == 0:
        return empty(f"all {len(known)} robots that have it have {quantity(float(known[0]), unit)}")
    scale = scale_of(known.tolist(), unit)
    drawn = known * scale.factor
    bars = _bars(drawn)
    lines = [("nominal", nominal, "solid", ACCENT)]
    lines += [(words, statistics.get(name), dash, ACCENT) for name, (words, dash) in _LINES.items()]
    top = max(bars["y"])
    marks = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": words,
            "x": rounded([value * scale.factor] * 2),
            "y": [0, top],
            "line": {"color": colour, "dash": dash, "width": 2},
            "hoverinfo": "name+x",
        }
        for words, value, dash, colour in lines
        if value is not None
    ]
    layout = frame(
        xaxis=axis(plotly_text(heading(metric, scale.unit))),
        yaxis=axis("robots", rangemode="tozero"),
        showlegend=True,
        bargap=0,
        height=300,
    )
    return {"data": [bars, *marks], "layout": layout}


def _bars(drawn: FloatArray) -> Figure:
    """Bars that count values (n,), as many as Sturges' rule says."""
    counts, edges = np.histogram(drawn, bins=np.histogram_bin_edges(drawn, bins="sturges"))
    return {
        "type": "bar",
        "x": rounded((edges[:-1] + edges[1:]) / 2),
        "y": counts.tolist(),
        "width": rounded(np.diff(edges)),
        "marker": {"color": INK, "line": {"width": 0}},
        "opacity": 0.75,
        "text": [
            f"{number(low)} to {number(high)}: {count} robots"
            for low, high, count in zip(edges, edges[1:], counts, strict=False)
        ],
        "textposition": "none",
        "hoverinfo": "text",
        "name": "robots",
        "showlegend": False,
    }
