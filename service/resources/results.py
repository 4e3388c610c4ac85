"""Designs, and what is computed from the designs of a study."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.resources.figures import FigureResource
from service.resources.models import Moment, Resource


class FrontDesignResource(Resource):
    """A design on the joint front of a layout, metrics in SI and their own senses."""

    key: str
    layout: str
    seeds: list[int]
    variables: dict[str, Any]
    linked: dict[str, Any] = Field(default_factory=dict, description="parameters that follow from variables")
    metrics: dict[str, float | None]
    violation: float
    unsafe: list[str] = Field(
        default_factory=list[str], description="sentences on the margins that are past their limit of safety"
    )


class DesignResource(Resource):
    """A stored evaluation: all its inputs and its results.

    Asked for as a design of a study, it has the study's variables, the parameters that follow from them,
    and its derived quantities among the metrics; state and reason are those that it has in the study, and
    ``unsafe`` judges it by the study's constraints.
    """

    key: str
    model: str
    model_version: int
    parameters: dict[str, Any]
    variables: dict[str, Any] = Field(default_factory=dict)
    linked: dict[str, Any] = Field(default_factory=dict, description="parameters that follow from variables")
    cost_class: str
    seed: int
    state: Literal["done", "infeasible", "failed"]
    kind: str
    reason: str
    violation: float
    metrics: dict[str, float | None]
    counters: dict[str, int]
    warnings: list[str]
    seconds: float
    worker: str
    finished: Moment
    unsafe: list[str] = Field(
        default_factory=list[str], description="sentences on the margins that are past their limit of safety"
    )
    remark: str = Field(
        default="", description="a sentence on the version that evaluated it, if not the installed one"
    )


MOST_FAILED = 20
"""Failed designs that are listed at once."""


class AskedDesignResource(Resource):
    """A design that a run asked for, in the order of asking."""

    layout: str
    seed: int
    generation: int
    ask_no: int
    key: str
    state: Literal["done", "infeasible", "failed"]
    kind: str
    reason: str
    variables: dict[str, Any]
    linked: dict[str, Any] = Field(default_factory=dict, description="parameters that follow from variables")
    metrics: dict[str, float | None]
    violation: float
    rung: int | None = Field(
        None,
        description="rung of the ladder, from 1, whose parameters and metrics these are; null in full",
    )


class ReproductionResource(Resource):
    """A stored design evaluated again."""

    key: str
    model: str
    identical: bool
    differences: list[str]
    states: list[str] = Field(min_length=2, max_length=2, description="as stored, and again")
    stored: dict[str, float | None]
    again: dict[str, float | None]


class RunIndicators(Resource):
    """Growth of a run's hypervolume: ``designs`` asked for until the end of each generation."""

    layout: str
    seed: int
    designs: list[int]
    hypervolume: list[float]


class IndicatorsResource(Resource):
    """Every run's hypervolume against one point, so that runs can be compared."""

    study: str
    reference_point: dict[str, float]
    runs: list[RunIndicators]


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
