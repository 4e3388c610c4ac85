"""The comparison of layouts and studies: its numbers, and the tables and figures that show them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.resources.models import Resource
from studies.records import Confidence

ComparisonTable = Literal[
    "scoreboard", "criteria", "seeds", "seed_tests", "not_optimised", "differing", "same"
]


class CriterionResource(Resource):
    """A row of a comparison; ``margin`` is the winner's relative lead, null for hypervolumes.

    Where the two best values differ by no more than ``error``, nobody wins.
    """

    name: str
    title: str = Field(default="", description="how people call it, as in `best stiffness F2`")
    unit: str
    meaning: str
    better: str
    values: dict[str, float | None]
    winner: str
    even: bool = Field(description="nobody wins: the two best values differ by no more than their error")
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
    """Test of an indicator between the seeds of two layouts (:mod:`studies.comparison.seed_tests`).

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
    contradictory: bool = Field(
        description="no winner: one has the better median, the other is better more often"
    )


class ObjectiveScoreResource(Resource):
    """The leader in an objective, and its confidence (:mod:`studies.comparison.scoreboard`)."""

    objective: str
    unit: str
    better: Literal["minimize", "maximize"]
    best: dict[str, float | None]
    errors: dict[str, float] = Field(description="numerical error of each best value, where one is stated")
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
    """Layout, confidence and price in safety, as phrases; the last two may be empty."""

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


class CellResource(Resource):
    """A cell of a table; ``mark`` says why it is marked, ``tooltip`` explains it in a tooltip."""

    text: str
    note: str = ""
    mark: Literal["", "best", "differs", "good", "bad", "unsure"] = ""
    tooltip: str = ""


class TableResource(Resource):
    """A table as people read it; the first column heads the rows, ``numeric`` are aligned to the right.

    ``tooltips`` explains headings in tooltips.
    """

    caption: str
    head: list[str]
    rows: list[list[CellResource]]
    numeric: list[int]
    tooltips: dict[str, str] = Field(default_factory=dict[str, str])


class ContenderResource(Resource):
    """A layout of a study that is compared; ``label`` names it in all else."""

    label: str
    study: str
    layout: str
    model: str
    model_title: str = Field(description="plain name of the model, such as Cable robot")
    state: str
    runs: int
    done: int
    asked: int
    front: int
    seed_fronts: int = Field(description="designs on the fronts of its seeds, which a sweep evaluates again")


class ComparedFigure(Resource):
    """A figure of a comparison: its name in addresses, its title, and in words what it shows.

    ``kind`` says how to show it: ``space`` is 3D, ``flat`` has room for others next to it, ``full`` and
    ``wide`` take the width of the page.
    """

    figure: str
    title: str
    caption: str
    kind: Literal["space", "flat", "full", "wide"]


class KneeResource(Resource):
    """The design of a front that is its knee, or the best one of a single objective."""

    label: str
    study: str
    layout: str
    key: str


class DifferenceResource(Resource):
    """A condition that two of the studies do not share, with what it is for each contender."""

    topic: str
    condition: str
    values: dict[str, str]


class ContestResource(ComparisonResource):
    """A comparison of studies in the objectives that all of them have.

    ``study`` holds their names, ``others`` the objectives that not all of them have; ``stated`` is true
    when all study files give the same reference point. ``verdict`` and ``conditions`` are sentences.
    """

    contenders: list[ContenderResource]
    others: dict[str, list[str]] = Field(description="objectives of a study that are not compared")
    stated: bool
    point: str = Field(description="the reference point in words")
    least_seeds: int = Field(description="seeds per layout, fewer of which can never show a difference")
    verdict: list[str]
    conditions: list[str]
    across: str = Field(
        default="", description="decisive conditions that differ, as every figure is marked; empty if none do"
    )
    knees: list[KneeResource] = Field(
        default=[],
        description="the knee of each front, the front of the greatest hypervolume first",
    )
    same_conditions: bool
    differences: list[DifferenceResource]
    tables: dict[ComparisonTable, TableResource]
    figures: list[ComparedFigure]
    seed_tests_note: str = Field(default="", description="how to read the table seed_tests")
    not_optimised_note: str = Field(default="", description="what the table not_optimised holds, in words")
