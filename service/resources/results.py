"""Designs, and what is computed from the designs of a study."""

from typing import Any

from pydantic import Field

from service.resources.fields import (
    Caption,
    Counters,
    EndState,
    EvaluationTime,
    Key,
    KindOfFailure,
    Layout,
    Linked,
    Metric,
    Metrics,
    Model,
    ModelVersion,
    ModelViolation,
    Parameters,
    PathLabel,
    Reason,
    Seed,
    Study,
    Unit,
    Unsafe,
    Variables,
    Violation,
    Warnings,
)
from service.resources.figures import FigureResource
from service.resources.models import Moment, Resource


class FrontDesignResource(Resource):
    """A design on the joint front of a layout."""

    key: Key
    layout: Layout
    seeds: list[int] = Field(description="seeds whose runs found it")
    variables: Variables
    linked: Linked = Field(default_factory=dict)
    metrics: Metrics
    violation: Violation
    unsafe: Unsafe = Field(default_factory=list[str])


class DesignResource(Resource):
    """A stored evaluation: all its inputs and its results.

    Asked for as a design of a study, it has the study's variables, the parameters that follow from them,
    and its derived quantities among the metrics; state and reason are those that it has in the study, and
    ``unsafe`` judges it by the study's constraints.
    """

    key: Key
    model: Model
    model_version: ModelVersion
    parameters: Parameters
    variables: dict[str, Any] = Field(
        default_factory=dict,
        description="values of the study's variables by dotted path [SI]; empty without a study",
    )
    linked: Linked = Field(default_factory=dict)
    cost_class: str = Field(description="cost class that was computed")
    seed: int = Field(description="seed of a model that draws random numbers; else 0")
    state: EndState
    kind: KindOfFailure
    reason: Reason
    violation: ModelViolation
    metrics: Metrics
    counters: Counters
    warnings: Warnings
    seconds: EvaluationTime
    worker: str = Field(description="process that evaluated it, or the source of imported results")
    finished: Moment = Field(description="end of the evaluation, UTC")
    unsafe: Unsafe = Field(default_factory=list[str])
    remark: str = Field(
        default="", description="a sentence on the version that evaluated it, if not the installed one"
    )


MOST_FAILED = 20
"""Failed designs that are listed at once."""


class AskedDesignResource(Resource):
    """A design that a run asked for, in the order of asking."""

    layout: Layout
    seed: Seed
    generation: int = Field(description="generation of the search, from 1")
    ask_no: int = Field(description="number of the design in its run, from 0, in the order of asking")
    key: Key
    state: EndState
    kind: KindOfFailure
    reason: Reason
    variables: Variables
    linked: Linked = Field(default_factory=dict)
    metrics: Metrics
    violation: Violation
    rung: int | None = Field(
        None,
        description="rung of the ladder, from 1, whose parameters and metrics these are; null in full",
    )


class ReproductionResource(Resource):
    """A stored design evaluated again."""

    key: Key
    model: Model
    identical: bool = Field(description="true where no bit differs")
    differences: list[str] = Field(description="names of what differs")
    states: list[str] = Field(min_length=2, max_length=2, description="states: as stored, and again")
    stored: dict[str, float | None] = Field(description="metrics as stored, by name [SI]")
    again: dict[str, float | None] = Field(description="metrics of the new evaluation, by name [SI]")


class RunIndicators(Resource):
    """Growth of a run's hypervolume."""

    layout: Layout
    seed: Seed
    designs: list[int] = Field(description="designs asked for until the end of each generation")
    hypervolume: list[float] = Field(
        description="hypervolume after each generation [product of the objectives' units]"
    )


class IndicatorsResource(Resource):
    """Every run's hypervolume against one point, so that runs can be compared."""

    study: Study
    reference_point: dict[str, float] = Field(
        description="point against which all are measured, by objective [SI]"
    )
    runs: list[RunIndicators] = Field(description="growth of each run")


class ImportanceResource(Resource):
    """Importance of one variable for a metric over the stored designs."""

    variable: str = Field(description="the variable by dotted path")
    label: PathLabel
    correlation: float | None = Field(description="Spearman's rank correlation; null without an order")
    importance: float | None = Field(
        description="share in what tells the best tenth of the designs from all of them (PED-ANOVA)"
    )


class MetricImportancesResource(Resource):
    """Importances of the variables for one metric."""

    metric: Metric
    unit: Unit
    better: str = Field(description="minimize, maximize, or empty where neither end is better")
    designs: int = Field(description="different designs that have the metric")
    variables: list[ImportanceResource] = Field(description="importance of each variable")
    remark: str = Field(description="reason why some numbers are missing; else empty")
    figure: FigureResource = Field(description="bars of the importances, as Plotly draws them")


class ImportancesResource(Resource):
    """The importances of a layout's variables, from its stored evaluations; nothing was evaluated."""

    study: Study
    layout: Layout
    designs: int = Field(description="different designs that have metrics")
    metrics: list[MetricImportancesResource] = Field(description="importances for each metric")


class SliceResource(Resource):
    """A metric over one or two variables of the stored designs."""

    study: Study
    layout: Layout
    metric: Metric
    variable: str = Field(description="variable of the first axis, by dotted path")
    other: str | None = Field(description="variable of the second axis, by dotted path; null: none")
    figure: FigureResource = Field(description="points and medians of bins, as Plotly draws them")
    caption: Caption
