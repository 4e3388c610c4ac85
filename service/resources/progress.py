"""Progress of studies: what lists of studies and the page of a study show."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.resources.models import Moment, Resource
from service.resources.studies import StudySummary
from studies.records import RunState


class BestValue(Resource):
    """The best value of an objective on all fronts of a study, in SI, and the layout that has it."""

    objective: str
    label: str = Field(description="name of the objective in words")
    unit: str
    sense: Literal["minimize", "maximize"]
    value: float | None
    layout: str


class SmallFront(Resource):
    """Some points of a layout's front: its first two objectives, from 0 to 100 in the range of the study."""

    layout: str
    points: list[list[int]]


class StudyOverview(StudySummary):
    """A study in a list, with its progress and its best values.

    ``planned`` is null where only time or missing progress ends the search. ``growth`` is how
    the hypervolume grew over the designs at equal steps: each run against its latest, and their mean.
    """

    layouts: list[str]
    planned: int | None
    designs: int
    feasible: int
    failed: int
    share: float = Field(description="how much of its budget is spent, 0 to 1")
    seconds: float = Field(description="time that its runs have searched, together")
    seconds_left: float | None = Field(description="estimate, at the present rate")
    best: list[BestValue]
    growth: list[float]
    fronts: list[SmallFront] = Field(description="one per layout that has a front; none with one objective")
    tags: list[str] = Field(description="tags of the study itself, in the order of their letters")


class RunProgress(Resource):
    """Progress of one run. ``owner_gone``: the process that worked on it has ended.

    ``hypervolume`` is measured against the ``reference_point`` of the study.
    """

    id: int
    layout: str
    seed: int
    state: RunState
    message: str = Field(description="how it ended; while it runs, what it waits for")
    owner: str
    owner_gone: bool
    planned: int | None
    generations: int
    designs: int
    computed: int
    feasible: int
    failed: int
    front: int
    hypervolume: float | None
    share: float
    seconds: float
    rate: float | None
    finished: Moment | None


class SeedSpreadResource(Resource):
    """The hypervolumes of a layout's seeds against the point of the study."""

    layout: str
    seeds: int
    least: float
    median: float
    greatest: float


class QueueResource(Resource):
    """The queue before runs that wait: seconds so far, runs ahead of them, and runs at work."""

    seconds: float
    ahead: int
    at_work: int


class ProgressResource(Resource):
    """Progress of a study: ``rate`` in designs per second, ``waiting`` while a run waits for a runner.

    Hypervolumes of all runs are measured against ``reference_point`` (``point`` in words), null while no
    design is feasible; ``spread`` has a row per layout.
    """

    study: str
    state: str
    planned: int | None
    designs: int
    computed: int
    feasible: int
    failed: int
    share: float
    seconds: float
    rate: float | None
    seconds_left: float | None
    waiting: QueueResource | None
    reference_point: dict[str, float] | None
    point: str
    spread: list[SeedSpreadResource]
    runs: list[RunProgress]


class VerdictGroup(Resource):
    """Designs that ended for the same reason, apart from numbers in it; ``key`` is one of them."""

    verdict: Literal["infeasible", "constraint broken", "failed"]
    kind: str
    reason: str
    designs: int
    layouts: dict[str, int]
    key: str


class VerdictsResource(Resource):
    """Results of the designs of a study, and why some are on no front; the most frequent first.

    A design that breaks two constraints counts in both of their groups, and once in the sums. Sums are of
    designs that were evaluated in full, but for ``designs``, which has all.
    """

    study: str
    designs: int
    feasible: int
    infeasible: int
    constraint_broken: int
    failed: int
    on_rungs: int = Field(0, description="designs that were evaluated on a lower rung of the ladder only")
    groups: list[VerdictGroup]
    rarer: int = Field(description="designs with reasons that are not listed")
