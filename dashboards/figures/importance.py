"""Bars of importance and rank correlation of a metric's variables, the most important one first."""

from __future__ import annotations

from pydantic import BaseModel

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.palette import ACCENT, INK
from dashboards.templating import plotly_text, rounded
from models.parameter_names import parameter_words
from studies.results.variable_importance import MetricImportances, VariableImportance

MOST_BARS = 20
_ROW = 34
"""Pixels of height that the two bars of a variable take."""
_FRAME = 110


def importance_figure(found: MetricImportances, record: type[BaseModel]) -> Figure:
    """Two bars for each variable of a record, from -1 to 1; only the most important variables are drawn."""
    if not found.variables:
        return empty(found.remark)
    ordered = sorted(found.variables, key=_size, reverse=True)[:MOST_BARS]
    names = [plotly_text(parameter_words(record, one.variable)) for one in ordered]
    columns = [
        ("importance", [one.importance for one in ordered], ACCENT),
        ("rank correlation", [one.correlation for one in ordered], INK),
    ]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": names,
            "x": rounded(values),
            "hovertemplate": f"%{{y}}, {name}: %{{x:.2f}}<extra></extra>",
            "marker": {"color": colour},
        }
        for name, values, colour in columns
        if any(value is not None for value in values)
    ]
    layout = frame(
        xaxis=axis("importance (share) and rank correlation", range=[-1.02, 1.02], dtick=0.5),
        yaxis=axis("", type="category", categoryorder="array", categoryarray=names, autorange="reversed"),
        barmode="group",
        showlegend=True,
        height=_FRAME + _ROW * max(len(names), 2),
        shapes=[{
            "type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "x0": 0, "x1": 0,
            "line": {"width": 1, "color": INK},
        }],
    )  # fmt: skip
    return {"data": data, "layout": layout}


def _size(one: VariableImportance) -> tuple[float, float]:
    return one.importance or 0.0, abs(one.correlation or 0.0)
