"""Progress of studies: what lists of studies and the page of a study show."""

from typing import Literal

from pydantic import Field

from service.resources.fields import (
    Better,
    Computed,
    Designs,
    Failed,
    Feasible,
    Generations,
    Hypervolume,
    KindOfFailure,
    Layout,
    Metric,
    OnFront,
    Planned,
    PointText,
    Rate,
    ReferencePoint,
    RunNumber,
    RunOwner,
    SearchTime,
    Seed,
    Share,
    Study,
    StudyState,
    Unit,
)
from service.resources.models import Moment, Resource
from service.resources.studies import StateOfRun, StudySummary


class BestValue(Resource):
    """The best value of an objective on all fronts of a study."""

    objective: Metric
    label: str = Field(description="name of the objective in words")
    unit: Unit
    sense: Better
    value: float | None = Field(description="best value [`unit`]; null while no design is feasible")
    layout: str = Field(description="layout that has it; empty while no design is feasible")


class SmallFront(Resource):
    """Some points of a layout's front, for a small picture."""

    layout: Layout
    points: list[list[int]] = Field(
        description="first two objectives of points of the front, 0 to 100 in the range of the study"
    )


class StudyOverview(StudySummary):
    """A study in a list, with its progress and its best values."""

    layouts: list[str] = Field(description="names of the layouts")
    planned: Planned
    designs: Designs
    feasible: Feasible
    failed: Failed
    share: float = Field(description="share of the budget that is spent, 0 to 1")
    seconds: float = Field(description="time that its runs have searched, together [s]")
    seconds_left: float | None = Field(
        description="time until the runs are done, estimated at the present rate [s]; null: unknown"
    )
    best: list[BestValue] = Field(description="best value of each objective on all fronts")
    growth: list[float] = Field(
        description="mean hypervolume of the runs at 25 equal steps of designs, each relative to its latest"
    )
    fronts: list[SmallFront] = Field(
        description="a small front of each layout that has one; empty for a single objective"
    )
    tags: list[str] = Field(description="tags of the study itself, in the order of their letters")


class RunProgress(Resource):
    """Progress of one run."""

    id: RunNumber
    layout: Layout
    seed: Seed
    state: StateOfRun
    message: str = Field(description="how it ended; while it runs, what it waits for")
    owner: RunOwner
    owner_gone: bool = Field(description="true where that process has ended")
    planned: Planned
    generations: Generations
    designs: Designs
    computed: Computed
    feasible: Feasible
    failed: Failed
    front: OnFront
    hypervolume: Hypervolume
    share: Share
    seconds: SearchTime
    rate: Rate
    finished: Moment | None = Field(description="end of the last generation, UTC; null before there is one")


class SeedSpreadResource(Resource):
    """The hypervolumes of a layout's seeds against the point of the study."""

    layout: Layout
    seeds: int = Field(description="seeds that have a hypervolume")
    least: float = Field(description="least over the seeds [product of the objectives' units]")
    median: float = Field(description="median over the seeds [product of the objectives' units]")
    greatest: float = Field(description="greatest over the seeds [product of the objectives' units]")


class QueueResource(Resource):
    """The queue before runs that wait."""

    seconds: float = Field(description="time waited so far [s]")
    ahead: int = Field(description="runs of other studies ahead")
    at_work: int = Field(description="runs at work now")


class ProgressResource(Resource):
    """Progress of a study."""

    study: Study
    state: StudyState
    planned: Planned
    designs: Designs
    computed: Computed
    feasible: Feasible
    failed: Failed
    share: Share
    seconds: SearchTime
    rate: Rate
    seconds_left: float | None = Field(
        description="time until the runs are done, estimated at the present rate [s]; null: unknown"
    )
    waiting: QueueResource | None = Field(
        description="queue before runs that wait for a runner; null where none waits"
    )
    reference_point: ReferencePoint
    point: PointText
    spread: list[SeedSpreadResource] = Field(description="hypervolumes over the seeds, a row per layout")
    runs: list[RunProgress] = Field(description="progress of each run")


class VerdictGroup(Resource):
    """Designs that ended for the same reason, apart from numbers in it."""

    verdict: Literal["infeasible", "constraint broken", "failed"] = Field(description="result of the designs")
    kind: KindOfFailure
    reason: str = Field(description="reason in a sentence; of a broken constraint, its metric")
    designs: int = Field(description="designs of the group")
    layouts: dict[str, int] = Field(description="designs of the group by layout")
    key: str = Field(description="key of one of them; empty for a broken constraint")


class VerdictsResource(Resource):
    """Results of the designs of a study, and why some are on no front.

    Sums are of designs that were evaluated in full, but for ``designs``, which has all.
    """

    study: Study
    designs: int = Field(description="designs that the runs asked for")
    feasible: int = Field(description="designs that are feasible")
    infeasible: int = Field(description="designs that a check of the model ruled out")
    constraint_broken: int = Field(description="designs with metrics that break a constraint")
    failed: int = Field(description="designs without result")
    on_rungs: int = Field(0, description="designs that were evaluated on a lower rung of the ladder only")
    groups: list[VerdictGroup] = Field(
        description=("reasons, the most frequent first; a design that breaks two constraints counts in both")
    )
    rarer: int = Field(description="designs with reasons that are not listed")
