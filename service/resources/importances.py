"""Importances and correlations of the variables of a study, from its stored evaluations."""

from __future__ import annotations

from pydantic import Field

from service.resources.figures import FigureResource
from service.resources.models import Resource


class ImportanceResource(Resource):
    """Importance of one variable for a metric over the stored designs."""

    variable: str
    label: str = Field(description="the variable in words; items of lists count from 1")
    correlation: float | None = Field(description="Spearman's rank correlation; null without an order")
    importance: float | None = Field(
        description="share in what tells the best tenth of the designs from all of them (PED-ANOVA)"
    )


class MetricImportancesResource(Resource):
    """One metric; ``remark`` says why some numbers are missing."""

    metric: str
    unit: str
    better: str = Field(description="minimize, maximize, or empty where neither end is better")
    designs: int = Field(description="different designs that have the metric")
    variables: list[ImportanceResource]
    remark: str
    figure: FigureResource


class ImportancesResource(Resource):
    """The importances of a layout's variables, from its stored evaluations; nothing was evaluated."""

    study: str
    layout: str
    designs: int = Field(description="different designs that have metrics")
    metrics: list[MetricImportancesResource]


class SliceResource(Resource):
    """A metric over one or two variables of the stored designs, as Plotly draws it, and what it shows."""

    study: str
    layout: str
    metric: str
    variable: str
    other: str | None
    figure: FigureResource
    caption: str
