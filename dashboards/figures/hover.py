"""What a design says when somebody points at it."""

from __future__ import annotations

from dashboards.escaping import plotly_text
from dashboards.formatting import quantity, value_text, words
from models import Model
from models.fields import unit_at
from studies.records import FrontDesign

NO_HOVER_BEYOND = 3000
"""Fronts with more designs show no variables and metrics: the texts would outweigh the report."""


def design_text(design: FrontDesign, model: Model) -> str:
    """Layout, seeds, variables and metrics of a design, one per line, safe for Plotly."""
    seeds = ", ".join(map(str, design.seeds))
    head = f"<b>{plotly_text(design.layout)}</b>, seed{'s' if len(design.seeds) > 1 else ''} {seeds}"
    lines = [
        f"{path} = {value_text(value, unit_at(model.parameters, path))}" for path, value in _shown(design)
    ]
    metrics = [
        f"{words(metric.name)} = {quantity(design.metrics[metric.name], metric.unit)}"
        for metric in model.metrics
        if metric.name in design.metrics
    ]
    return "<br>".join([head, *map(plotly_text, lines), *map(plotly_text, metrics)])


def _shown(design: FrontDesign) -> list[tuple[str, object]]:
    """Variables that fit into a hover box."""
    items = list(design.variables.items())
    return items if len(items) <= 12 else items[:12]
