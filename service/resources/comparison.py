"""The comparison of layouts and studies: its numbers, and the tables and figures that show them."""

from typing import Literal

from pydantic import Field

from service.resources.fields import (
    Better,
    Caption,
    CriterionName,
    Key,
    Layout,
    Meaning,
    Metric,
    Model,
    OnFront,
    Runs,
    RunsDone,
    Study,
    Title,
    Unit,
)
from service.resources.models import Resource
from studies.records import Confidence

ComparisonTable = Literal[
    "scoreboard", "criteria", "seeds", "seed_tests", "not_optimised", "differing", "same"
]


class CriterionResource(Resource):
    """A row of a comparison.

    Where the two best values differ by no more than ``error``, nobody wins.
    """

    name: CriterionName
    title: str = Field(default="", description="name in words, as in `best stiffness F2`")
    unit: Unit
    meaning: str = Field(description="what is measured of each front")
    better: str = Field(description="`minimize`, `maximize`, or `none` where neither is better")
    values: dict[str, float | None] = Field(
        description="value of each layout, in `unit`; null where it has no feasible design"
    )
    winner: str = Field(description="layout with the best value; empty where nobody wins")
    even: bool = Field(description="nobody wins: the two best values differ by no more than their error")
    margin: float | None = Field(
        description="lead of the winner relative to the next value; null for hypervolumes"
    )
    error: float | None = Field(
        default=None,
        description="numerical error of the two best values, in `unit`; null: the model states none",
    )


class SharedQuantityResource(Resource):
    """A metric that several objectives contain, so that they do not judge independently."""

    quantity: str = Field(description="metric that several objectives contain")
    objectives: list[str] = Field(description="objectives that contain it")


class SpreadResource(Resource):
    """A metric over a front."""

    least: float = Field(description="least value on the front [`unit` of the metric]")
    median: float = Field(description="median over the front [`unit` of the metric]")
    greatest: float = Field(description="greatest value on the front [`unit` of the metric]")
    designs: int = Field(description="designs that have the metric")
    missing: int = Field(description="designs of the front without the metric")
    unsafe: int = Field(description="designs beyond the safety limit")


class NotOptimisedResource(Resource):
    """A metric that was computed, and was neither objective nor constraint."""

    metric: Metric
    unit: Unit
    meaning: Meaning
    better: str = Field(description="sense in which it gets better")
    safety_limit: float | None = Field(
        description="value beyond which a design is not safe to build, in `unit`; null: none is judged"
    )
    spreads: dict[str, SpreadResource | None] = Field(
        description="values on the front of each layout; null where no design has the metric"
    )


class SeedTestResource(Resource):
    """Test of an indicator between the seeds of two layouts (:mod:`studies.comparison.seed_tests`)."""

    indicator: str = Field(description="what is measured of the front of each seed")
    unit: Unit
    better: Better
    first: str = Field(
        description="layout with the better median; where medians are equal, with the better ranks"
    )
    second: str = Field(description="the other layout")
    seeds: tuple[int, int] = Field(description="seeds of the first and of the second layout")
    medians: tuple[float | None, float | None] = Field(
        description="medians of both, in `unit`; null where half the seeds or more found nothing feasible"
    )
    interval: tuple[float, float] | None = Field(
        description=("95 % bootstrap interval of the difference of the medians, first less second, in `unit`")
    )
    effect: float = Field(description="chance that a seed of the first is better than one of the second")
    p_value: float = Field(
        description="two-sided p-value of the test of Mann and Whitney, corrected by Holm's method"
    )
    winner: str = Field(description="`first` if the seeds show a difference; else empty")
    seeds_needed: int | None = Field(
        description="seeds per layout that would show it, about; null: it is shown, or none would"
    )
    contradictory: bool = Field(
        description="no winner: one has the better median, the other is better more often"
    )


class ObjectiveScoreResource(Resource):
    """The leader in an objective, and its confidence (:mod:`studies.comparison.scoreboard`)."""

    objective: Metric
    unit: Unit
    better: Better
    best: dict[str, float | None] = Field(
        description="best value on the front of each layout, in `unit`; null without a front"
    )
    errors: dict[str, float] = Field(
        description="numerical error of each best value, in `unit`, where the model states one"
    )
    medians: dict[str, float | None] = Field(
        description="median over the front of each layout, in `unit`; null without a front"
    )
    leader: str = Field(description="layout with the best value; empty where the best values are even")
    second: str = Field(description="layout with the second best value")
    margin: float | None = Field(
        description="lead over the second, relative to its value; null: there is none"
    )
    confidence: Confidence = Field(
        description="confidence in the lead: `shown` by the seeds, or a reason for doubt"
    )
    seeds: list[int] = Field(description="seeds of the leader and of the second")
    test: SeedTestResource | None = Field(
        description="rank test between the two; null where one has a single seed"
    )
    seeds_needed: int | None = Field(
        description="seeds per layout that would settle it, about; null: it is settled, or none would"
    )


class SafetyScoreResource(Resource):
    """A margin of safety over the fronts."""

    metric: Metric
    unit: Unit
    better: Better
    limit: float | None = Field(
        description="bound that all studies state, else the safety limit of the model, in `unit`"
    )
    spreads: dict[str, SpreadResource | None] = Field(
        description="values on the front of each layout; null where no design has the metric"
    )
    leader: str = Field(
        description=("layout with the best median; empty where medians are equal or a front lacks the metric")
    )


class HeadlineResource(Resource):
    """Layout, confidence and price in safety, as phrases."""

    which: str = Field(description="the leading layout, and in how many objectives")
    sure: str = Field(description="confidence in the lead; may be empty")
    price: str = Field(description="margin of safety that the lead costs; may be empty")


class ComparisonResource(Resource):
    """A comparison of the layouts of a study, all hypervolumes measured against one point."""

    study: Study
    objectives: list[str] = Field(description="objectives compared")
    units: list[str] = Field(description="SI unit of each objective")
    senses: list[str] = Field(description="`minimize` or `maximize` for each objective")
    reference_point: dict[str, float] = Field(
        description="point against which all hypervolumes are measured, by objective [SI]"
    )
    seed_hypervolumes: dict[str, dict[int, float]] = Field(
        description="hypervolume by layout and seed [product of the objectives' units]"
    )
    seed_tests: list[SeedTestResource] = Field(
        default_factory=list[SeedTestResource], description="every indicator between every two layouts"
    )
    criteria: list[CriterionResource] = Field(
        description="hypervolume, and the best and median of each objective"
    )
    headline: HeadlineResource = Field(description="the result in three phrases")
    scores: list[ObjectiveScoreResource] = Field(description="the leader in each objective")
    safety: list[SafetyScoreResource] = Field(
        description="margins of safety, those first that designs violate or that the study bounds"
    )
    unequal: list[str] = Field(
        default_factory=list[str],
        description="sentences that say how the layouts of a study differ besides their geometry",
    )
    shared: list[SharedQuantityResource] = Field(
        default_factory=list[SharedQuantityResource], description="metrics that several objectives contain"
    )
    not_optimised: list[NotOptimisedResource] = Field(
        default_factory=list[NotOptimisedResource],
        description="metrics that were computed, but neither objective nor constraint",
    )
    remarks: list[str] = Field(
        default_factory=list[str],
        description="sentences on shared quantities, safety limits, and what was not optimised",
    )


class CellResource(Resource):
    """A cell of a table."""

    text: str = Field(description="text of the cell")
    note: str = Field(default="", description="smaller text below it; mostly empty")
    mark: Literal["", "best", "differs", "good", "bad", "unsure"] = Field(
        default="", description="reason to mark the cell; mostly empty"
    )
    tooltip: str = Field(default="", description="explanation for a tooltip; mostly empty")


class TableResource(Resource):
    """A table as people read it."""

    caption: str = Field(description="heading of the table")
    head: list[str] = Field(description="headings of the columns")
    rows: list[list[CellResource]] = Field(description="rows of cells; the first cell heads its row")
    numeric: list[int] = Field(description="columns to align to the right, counted from 0")
    tooltips: dict[str, str] = Field(
        default_factory=dict[str, str], description="explanations of headings, by heading"
    )


class ContenderResource(Resource):
    """A layout of a study that is compared."""

    label: str = Field(description="name of the contender in all else of the comparison")
    study: Study
    layout: Layout
    model: Model
    model_title: str = Field(description="plain name of the model, such as Cable robot")
    state: str = Field(description="state that its runs share, else that of the study")
    runs: Runs
    done: RunsDone
    asked: int = Field(description="designs that its runs asked for")
    front: OnFront
    seed_fronts: int = Field(description="designs on the fronts of its seeds, which a sweep evaluates again")


class ComparedFigure(Resource):
    """A figure of a comparison."""

    figure: str = Field(description="name of the figure in addresses")
    title: Title
    caption: Caption
    kind: Literal["space", "flat", "full", "wide"] = Field(
        description="`space`: 3D; `flat`: leaves room beside it; `full`, `wide`: takes the width of a page"
    )


class KneeResource(Resource):
    """The design of a front that is its knee, or the best one of a single objective."""

    label: str = Field(description="contender whose front it is")
    study: Study
    layout: Layout
    key: Key


class DifferenceResource(Resource):
    """A condition that two of the studies do not share."""

    topic: str = Field(description="group of the condition, such as loads or limits")
    condition: str = Field(description="the condition in words")
    values: dict[str, str] = Field(description="its value in words, by contender")


class ContestResource(ComparisonResource):
    """A comparison of studies in the objectives that all of them have. ``study`` holds their names."""

    contenders: list[ContenderResource] = Field(
        description="layouts of the studies, in the order of all tables"
    )
    others: dict[str, list[str]] = Field(description="objectives of a study that are not compared")
    stated: bool = Field(description="true where all study files give the same reference point")
    point: str = Field(description="the reference point in words")
    least_seeds: int = Field(description="seeds per layout, fewer of which can never show a difference")
    verdict: list[str] = Field(description="the result in sentences")
    conditions: list[str] = Field(description="conditions of the comparison in sentences")
    across: str = Field(
        default="", description="decisive conditions that differ, as every figure is marked; empty if none do"
    )
    knees: list[KneeResource] = Field(
        default=[],
        description="the knee of each front, the front of the greatest hypervolume first",
    )
    same_conditions: bool = Field(description="true where the studies share all conditions")
    differences: list[DifferenceResource] = Field(
        description="conditions that two of the studies do not share"
    )
    tables: dict[ComparisonTable, TableResource] = Field(
        description="tables of the comparison, by name; one with nothing to show is left out"
    )
    figures: list[ComparedFigure] = Field(description="figures that `GET /comparison/figures/{figure}` draws")
    seed_tests_note: str = Field(default="", description="how to read the table `seed_tests`")
    not_optimised_note: str = Field(default="", description="what the table `not_optimised` holds, in words")
