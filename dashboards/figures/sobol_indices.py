"""Bars of first-order and total Sobol indices with their standard errors, the greatest total one first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dashboards.figures.axes import Figure, axis, frame
from dashboards.formatting import number
from dashboards.palette import ACCENT, INK, WARNING
from dashboards.templating import plotly_text, rounded
from studies.uncertainty.global_sensitivity import SobolIndices

MOST_BARS = 20
_ROW = 34
"""Pixels of height that the two bars of a factor take."""
_FRAME = 110
_LEAST_END = 1.02


def sobol_figure(factors: Sequence[str], found: SobolIndices) -> Figure:
    """Two bars for each factor; only the factors with the greatest total indices are drawn."""
    order = np.argsort(-found.total, kind="stable")[:MOST_BARS]
    names = [plotly_text(factors[int(row)]) for row in order]
    columns = [
        ("first order", found.first[order], found.first_error[order], INK),
        ("total", found.total[order], found.total_error[order], ACCENT),
    ]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": names,
            "x": rounded(values.tolist()),
            "error_x": {
                "type": "data", "array": rounded(errors.tolist()), "thickness": 1.5, "color": WARNING,
            },
            "text": [
                f"{factor}, {name}: {number(value, 3)} \N{PLUS-MINUS SIGN} {number(error, 2)}"
                for factor, value, error in zip(names, values.tolist(), errors.tolist(), strict=True)
            ],
            "textposition": "none",
            "hoverinfo": "text",
            "marker": {"color": colour},
        }
        for name, values, errors, colour in columns
    ]  # fmt: skip
    ends = np.concatenate([values - errors for _, values, errors, _ in columns])
    tops = np.concatenate([values + errors for _, values, errors, _ in columns])
    reach = rounded([min(0.0, 1.02 * float(ends.min())), max(_LEAST_END, 1.02 * float(tops.max()))])
    layout = frame(
        xaxis=axis("share of the variance", range=reach),
        yaxis=axis("", type="category", categoryorder="array", categoryarray=names, autorange="reversed"),
        barmode="group",
        showlegend=True,
        height=_FRAME + _ROW * max(len(names), 2),
    )
    return {"data": data, "layout": layout}
