"""Records that the REST interface sends, its client reads and the command line prints.

Every number is finite, every quantity SI with its unit named beside it; what does not exist is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from service.resources.models import (
    DesignEvaluationRequest,
    Edit,
    EvaluationRequest,
    EvaluationResource,
    LayoutCheck,
    MetricResource,
    ModelResource,
    ModelSummary,
    Moment,
    PresetResource,
    ReferenceCaseResource,
    Resource,
    StudyCheck,
    left_out,
)
from studies.definition import Name
from studies.records import Confidence, RunState

__all__ = [
    "AskedDesignResource",
    "BranchRequest",
    "ComparisonResource",
    "CriterionResource",
    "Deletion",
    "DesignEvaluationRequest",
    "DesignResource",
    "EvaluationRequest",
    "EvaluationResource",
    "EventResource",
    "ExtensionRequest",
    "FigureResource",
    "FigureSummary",
    "FrontDesignResource",
    "GenerationResource",
    "IndicatorsResource",
    "LayoutCheck",
    "MetricResource",
    "Metrics",
    "ModelResource",
    "ModelSummary",
    "PresetResource",
    "ReferenceCaseResource",
    "ReproductionResource",
    "Resource",
    "RunIndicators",
    "RunResource",
    "SceneResource",
    "ShapeResource",
    "StudyCheck",
    "StudyEdit",
    "StudyResource",
    "StudySummary",
    "Visibility",
]

Visibility = Literal["private", "shared"]
Metrics = Mapping[str, float | None]


# ---------------------------------------------------------------- studies


class RunResource(Resource):
    """One search of a study. ``id`` names it in addresses; counts are totals so far.

    ``hypervolume`` is measured against ``reference_point``, which all runs of the study share, so that runs
    can be compared; ``point`` is that point in words. The point changes while a run is active.
    """

    id: int
    layout: str
    seed: int
    state: RunState
    generations: int
    designs: int
    computed: int
    feasible: int
    failed: int
    front: int
    hypervolume: float | None
    reference_point: dict[str, float] | None = None
    point: str = ""
    owner: str
    message: str
    reasons: list[str]
    warnings: list[str]


class StudySummary(Resource):
    """A study in a list. ``owner`` is empty for one that was made without accounts."""

    name: str
    model: str
    description: str
    state: str
    runs: int
    done: int
    created: Moment
    owner: str
    visibility: Visibility
    archived: bool


class StudyResource(StudySummary):
    """A study with its definition, the study that it branches from, and its metadata's revision (ETag)."""

    definition: dict[str, Any]
    branch_of: str | None
    revision: int
    remarks: list[str] = Field(
        default_factory=list[str],
        description="sentences on the versions of the back-end that evaluated it, if not the installed one",
    )


class StudyEdit(Edit):
    """What may be changed of a stored study; what is left out stays."""

    description: str | None = Field(
        default_factory=left_out, max_length=4000, description="null leaves the study without a description"
    )
    visibility: Visibility = Field(default_factory=left_out)
    archived: bool = Field(default_factory=left_out)
    owner: str = Field(
        default_factory=left_out, max_length=64, description="another account's name; admins only"
    )


class BranchRequest(Resource):
    """The name under which a study is stored again, and whether it is queued or left as a draft."""

    name: Name
    launch: bool = True


class ExtensionRequest(Resource):
    """A larger budget per run, as totals; what is null does not change."""

    generations: int | None = Field(default=None, ge=1)
    evaluations: int | None = Field(default=None, ge=1)
    wall_time: float | str | None = Field(default=None, description="seconds, or text with a unit")


class Deletion(Resource):
    """What was deleted with a study."""

    name: str
    evaluations: int


class GenerationResource(Resource):
    """A run's indicators after one generation.

    ``hypervolume`` is measured against the run's own point, fixed at its first feasible design, and says
    how this run grew. To compare runs, take the study's indicators, where one point serves all.
    """

    number: int
    asked: int
    computed: int
    feasible: int
    failed: int
    front_size: int
    hypervolume: float | None
    least_violation: float
    seconds: float
    finished: Moment


class EventResource(Resource):
    """Something that happened to a run; ``id`` grows and is never given out twice."""

    id: int
    study: str
    layout: str
    seed: int
    time: Moment
    kind: str
    message: str


# ---------------------------------------------------------------- designs and results


class FrontDesignResource(Resource):
    """A design on the joint front of a layout, metrics in SI and their own senses."""

    key: str
    layout: str
    seeds: list[int]
    variables: dict[str, Any]
    linked: dict[str, Any] = Field(default_factory=dict, description="parameters that follow from variables")
    metrics: dict[str, float | None]
    violation: float


class DesignResource(Resource):
    """A stored evaluation: all its inputs and its results.

    Asked for as a design of a study, it has the study's variables, the parameters that follow from them,
    and its derived quantities among the metrics; state and reason are those that it has in the study.
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


class CriterionResource(Resource):
    """A row of a comparison; ``margin`` is the winner's relative lead, null for hypervolumes.

    Where the two best values differ by no more than ``error``, nobody wins.
    """

    name: str
    unit: str
    meaning: str
    better: str
    values: dict[str, float | None]
    winner: str
    margin: float | None
    error: float | None = Field(default=None, description="numerical error of the two best values")


class SharedQuantityResource(Resource):
    """A metric that several objectives contain, so that they do not judge independently."""

    quantity: str
    objectives: list[str]


class SpreadResource(Resource):
    """A metric over a front; ``unsafe`` designs are beyond its safety limit, ``missing`` ones lack it."""

    least: float
    median: float
    greatest: float
    designs: int
    missing: int
    unsafe: int


class NotOptimisedResource(Resource):
    """A metric that was computed, and was neither objective nor constraint; spreads by layout."""

    metric: str
    unit: str
    meaning: str
    better: str
    safety_limit: float | None
    spreads: dict[str, SpreadResource | None]


class SeedTestResource(Resource):
    """Whether the seeds of two layouts differ in an indicator: see :class:`studies.seed_tests.SeedTest`.

    ``winner`` is empty where no difference is shown; about ``seeds_needed`` seeds per layout would show one.
    """

    indicator: str
    unit: str
    better: Literal["minimize", "maximize"]
    first: str
    second: str
    seeds: tuple[int, int]
    medians: tuple[float | None, float | None]
    interval: tuple[float, float] | None
    effect: float = Field(description="chance that a seed of the first is better than one of the second")
    p_value: float = Field(description="of the test of Mann and Whitney, corrected by Holm's method")
    winner: str
    seeds_needed: int | None


class ObjectiveScoreResource(Resource):
    """Who leads in an objective, and how sure that is: see :class:`studies.scoreboard.ObjectiveScore`."""

    objective: str
    unit: str
    better: Literal["minimize", "maximize"]
    best: dict[str, float | None]
    medians: dict[str, float | None]
    leader: str = Field(description="empty where the best values are even")
    second: str
    margin: float | None = Field(description="lead over the second, relative to its value")
    confidence: Confidence
    seeds: list[int] = Field(description="of the leader and the second")
    test: SeedTestResource | None
    seeds_needed: int | None = Field(description="about how many seeds per layout would settle it")


class SafetyScoreResource(Resource):
    """A margin of safety over the fronts; ``leader`` has the better median."""

    metric: str
    unit: str
    better: Literal["minimize", "maximize"]
    limit: float | None
    spreads: dict[str, SpreadResource | None]
    leader: str


class HeadlineResource(Resource):
    """Which layout, how sure, and at what price in safety, as phrases; the last two may be empty."""

    which: str
    sure: str
    price: str


class ComparisonResource(Resource):
    """A comparison of the layouts of a study, all hypervolumes measured against one point."""

    study: str
    objectives: list[str]
    units: list[str]
    senses: list[str]
    reference_point: dict[str, float]
    seed_hypervolumes: dict[str, dict[int, float]]
    seed_tests: list[SeedTestResource] = Field(
        default_factory=list[SeedTestResource], description="every indicator between every two layouts"
    )
    criteria: list[CriterionResource]
    headline: HeadlineResource
    scores: list[ObjectiveScoreResource] = Field(description="who leads in each objective")
    safety: list[SafetyScoreResource] = Field(
        description="margins of safety, those first that designs violate or that the study bounds"
    )
    unequal: list[str] = Field(
        default_factory=list[str],
        description="sentences that say how the layouts of a study differ besides their geometry",
    )
    shared: list[SharedQuantityResource] = Field(
        default_factory=list[SharedQuantityResource], description="what several objectives contain"
    )
    not_optimised: list[NotOptimisedResource] = Field(default_factory=list[NotOptimisedResource])
    remarks: list[str] = Field(
        default_factory=list[str],
        description="sentences on shared quantities, safety limits, and what was not optimised",
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
    """How a run's hypervolume grew: ``designs`` asked for until the end of each generation."""

    layout: str
    seed: int
    designs: list[int]
    hypervolume: list[float]


class IndicatorsResource(Resource):
    """Every run's hypervolume against one point, so that runs can be compared."""

    study: str
    reference_point: dict[str, float]
    runs: list[RunIndicators]


# ---------------------------------------------------------------- pictures


class FigureSummary(Resource):
    """A figure of a study; ``figure`` names it in addresses."""

    figure: str
    title: str


class FigureResource(Resource):
    """A figure as Plotly draws it."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class ShapeResource(Resource):
    """A part of a scene; ``shape`` names it in addresses, lengths in m.

    Lines bring their ``points`` along. Points and surfaces hold many: ``count`` of them are at the
    address of the shape, as an array, and ``triangles`` of a surface at its address with
    ``?part=triangles``. ``cell_size`` is set where points are the centres of filled cells. ``value_name`` is
    set where each point has a value, which colours it; the values are at ``?part=values``, and
    ``value_range`` are the ends of the colour scale, where the back-end states them. Where a line ``moves``,
    its points at all ``times`` of the scene are at ``?part=moments``, one time after the other.
    """

    shape: int
    name: str
    kind: Literal["line", "box", "surface", "points"]
    group: str = ""
    count: int
    points: list[list[float]] | None = None
    center: list[float] | None = None
    rotation: list[list[float]] | None = None
    half_size: list[float] | None = None
    triangles: int | None = None
    cell_size: list[float] | None = None
    value_name: str = ""
    value_range: list[float] | None = None
    moves: bool = False


class SceneResource(Resource):
    """What a 3D view of a design shows; ``up`` is the direction that pictures draw upwards.

    A scene that moves has ``times`` in s; its shapes are as they are at the last one.
    """

    key: str
    caption: str
    up: Literal["x", "y", "z", "-x", "-y", "-z"]
    shapes: list[ShapeResource]
    times: list[float] = Field(default_factory=list)
