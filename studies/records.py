"""Frozen records: what travels between evaluation, search, store and pages. No live handles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.html_table import html_table, without_value
from studies.deferred import Undeferred

FloatArray = NDArray[np.float64]

EvaluationState = Literal["done", "infeasible", "failed"]
FailureKind = Literal[
    "", "model_error", "non_finite", "timeout", "out_of_memory", "worker_lost", "cancelled"
]  # fmt: skip
RunState = Literal[
    "draft", "queued", "running", "pausing", "paused", "cancelling", "cancelled", "failed", "diverged", "done"
]  # fmt: skip
EventKind = Literal[
    "draft", "queued", "running", "pausing", "paused",
    "cancelling", "cancelled", "failed", "diverged", "done", "generation",
]  # fmt: skip

Confidence = Literal["shown", "no difference shown", "too few seeds", "contradicted", "even", "alone"]
"""Confidence in a lead: the seeds show it; they show none; they are too few; they show another layout
ahead; the values differ by no more than their numerical error, or not at all; nobody else has a front."""
Visibility = Literal["private", "shared"]
Role = Literal["viewer", "editor", "admin"]
Scope = Literal["read", "run", "admin"]
TokenKind = Literal["token", "session", "login"]
SweepMode = Literal["reevaluate", "search"]
RunKind = Literal["search", "reevaluation", "sweep", "robust", "sensitivity"]
"""A search, or the question that a job answers by evaluations alone."""
AnnotationKind = Literal["note", "tag", "favourite"]

UNFINISHED: frozenset[RunState] = frozenset({"queued", "running", "pausing", "paused"})
ENDED: frozenset[RunState] = frozenset({"cancelled", "failed", "diverged", "done"})
MOVING: frozenset[RunState] = frozenset({"queued", "running", "pausing", "cancelling"})
"""States that a run leaves without anybody's doing; events of a study end when no run is in one."""
FINAL_KINDS: frozenset[FailureKind] = frozenset({"", "model_error", "non_finite"})

IMPORTED = "imported from "
"""Stands before the source of results from elsewhere, in the place of their worker."""
INFEASIBLE = 1e6
"""The violation of an infeasible design is this plus its own: behind every design with metrics."""
FAILED = 1e9
"""The violation of a failed design: behind every infeasible one."""


@dataclass(frozen=True, slots=True)
class Task:
    """One evaluation to do: a key and the plain values that a worker needs."""

    key: str
    model: str
    model_version: int
    parameters: Mapping[str, Any]
    cost_class: str
    seed: int
    uncertainty: Mapping[str, Any] | None = None
    """Tolerances of the design and the statistics wanted (:mod:`studies.definition.tolerance_sampling`)."""


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """Record of an evaluated task. ``metrics`` are empty unless ``state`` is done."""

    task: Task
    state: EvaluationState
    kind: FailureKind
    reason: str
    violation: float
    metrics: Mapping[str, float | None]
    counters: Mapping[str, int]
    warnings: tuple[str, ...]
    seconds: float
    worker: str
    finished: float

    @property
    def key(self) -> str:
        """The evaluation key."""
        return self.task.key

    @property
    def imported(self) -> bool:
        """True if it was not evaluated here."""
        return self.worker.startswith(IMPORTED)

    @property
    def final(self) -> bool:
        """True if computing it again could not change it; lost workers may be tried again."""
        return self.kind in FINAL_KINDS


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One search, a layout of a study under one seed; or one job, whose layout is its kind and digest."""

    id: int
    study: str
    layout: str
    seed: int
    state: RunState
    message: str
    reference_point: FloatArray | None = field(compare=False)
    owner: str = ""
    deadline: float | None = None
    """Time (UTC seconds) from which anyone may settle a pausing or cancelling run."""
    owner_gone: bool = False
    """True if the process that held or should hold the run's lease is known to be gone, or too late."""
    kind: RunKind = "search"
    request: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
    """Request of a job; empty for a search."""
    account: str = ""
    """The account that asked for a job, if there are accounts."""
    wanted: int = 0
    """Evaluations that answer the request of a job."""
    evaluated: int = 0
    """Evaluations among them that the job found or made, as far as it has looked."""


class Origin(NamedTuple):
    """Origin of a logged design; None throughout where a search was told it in the order of asking.

    ``asked`` is the number of the ask that it answers, counted from 0. ``asks`` is the number of asks that an
    asynchronous search had made before it was told; ``rung`` the fidelity below the full one, counted from
    0; ``proposal`` the proposal that it stands for.
    """

    asked: int | None = None
    asks: int | None = None
    rung: int | None = None
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedBatch:
    """One logged generation: points ``(n, d)``, objectives ``(n, m)``, violations ``(n,)``.

    ``origins`` has an entry for each design, or none at all where each was asked for and told in turn.
    """

    generation: int
    keys: tuple[str, ...]
    points: FloatArray
    objectives: FloatArray
    violations: FloatArray
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A design put into a study at work, by the paths of its variables; ``created`` in UTC seconds.

    ``taken``: a run has begun to evaluate it, so that it can no longer be withdrawn.
    """

    id: int
    layout: str
    design: Mapping[str, Any]
    author: str
    created: float
    taken: bool = False


@dataclass(frozen=True, slots=True)
class GenerationRecord:
    """Indicators of a run after one generation.

    Counts are totals of the run so far (``computed`` leaves out what a process found in the store,
    also from before it was killed); ``seconds`` is the wall time of this generation alone.
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
    finished: float
    notes: Mapping[str, float | str] | None = None
    """Remarks of a search on itself, such as the error of its surrogate."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something that happened to a run; ``id`` grows with time and is never given out twice.

    ``kind`` is the state that it came to, or ``generation``, whose number ``message`` is then. ``running``
    with a message says what a run at work waits for.
    """

    id: int
    study: str
    layout: str
    seed: int
    time: float
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """A stored study with its runs."""

    name: str
    definition: Mapping[str, Any]
    digest: str
    created: float
    runs: tuple[RunRecord, ...]
    branch_of: str | None = None
    """The study whose definition this one repeats under other versions."""
    owner: str = ""
    """The account whose study it is; empty when it was made without accounts."""
    visibility: Visibility = "private"
    archived: bool = False
    revision: int = 0
    """Number of changes of owner, visibility, archive or note."""
    note: str | None = None
    """The description as it was changed since."""
    model: Mapping[str, Any] | None = field(default=None, repr=False)
    """Tables of a model that is not built in: its results are read by them where its code is not."""

    def __repr__(self) -> str:
        runs = "".join(
            f"\n  {run.layout}, seed {run.seed}: {run.state}{': ' * bool(run.message)}{run.message}"
            for run in self.runs
        )
        return f"study '{self.name}' of {self.definition.get('model')}: {self.state}{runs}"

    def _repr_html_(self) -> str:
        """The table of a notebook: the runs."""
        rows = [(run.layout, run.seed, run.state, run.message) for run in self.runs]
        title = f"Study {self.name} of {self.definition.get('model')}: {self.state}"
        return html_table(title, ("layout", "seed", "state", "message"), rows)

    @property
    def source(self) -> str:
        """Source of results that were imported; empty for a study that was evaluated here."""
        return (self.definition.get("imported") or {}).get("source", "")

    @property
    def description(self) -> str:
        """Description of the study: as it was changed, else as its definition says."""
        return self.definition.get("description", "") if self.note is None else self.note

    @property
    def state(self) -> str:
        """The runs' state when they agree, else the one that most needs attention."""
        states = {run.state for run in self.runs}
        order = (
            "failed",
            "diverged",
            "cancelling",
            "pausing",
            "running",
            "paused",
            "queued",
            "cancelled",
            "done",
        )
        return next((state for state in order if state in states), "draft")


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """Somebody who may use a server. ``password`` is argon2's text, never the password."""

    name: str
    role: Role
    created: float
    disabled: bool = False
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token that lets a bearer in: of a program, of a browser's session, of a link to log in by.

    ``digest`` is an HMAC of what the bearer holds; ``account`` is empty for the one person of a
    laptop without accounts. Times are UTC seconds.
    """

    id: str
    account: str
    kind: TokenKind
    name: str
    digest: str = field(repr=False)
    scope: Scope
    created: float
    expires: float | None = None
    last_used: float | None = None
    revoked: float | None = None
    used: float | None = None


@dataclass(frozen=True, slots=True)
class FrontDesign:
    """A design on a front: its variables, metrics (SI, own senses) and which seeds found it.

    ``linked`` are parameters that follow from variables; derived quantities are among the metrics.
    """

    key: str
    layout: str
    seeds: tuple[int, ...]
    variables: Mapping[str, Any]
    linked: Mapping[str, Any]
    metrics: Mapping[str, float | None]
    violation: float
    objectives: tuple[float, ...] = field(default=())
    """Objectives with every sense turned to minimisation."""
    free_units: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """The units of variables that are no parameters."""

    def _repr_html_(self) -> str:
        """The table of a notebook: variables, then metrics that the design has."""
        values = {
            **self.variables,
            **{name: value for name, value in self.metrics.items() if value is not None},
        }
        empty = without_value([name for name, value in self.metrics.items() if value is None])
        title = f"Design {self.key[:10]} of layout {self.layout}, in SI units"
        return html_table(
            title, ("variable or metric", "value"), list(values.items()), [empty] if empty else []
        )


for _name in ("variables", "linked"):
    setattr(FrontDesign, _name, Undeferred(getattr(FrontDesign, _name)))


@dataclass(frozen=True, slots=True)
class AnnotationRecord:
    """A note, a tag or a favourite, of a design of a study or, with an empty ``key``, of the study itself.

    ``text`` is empty for a favourite. ``author`` is an account, or the operating system's user; it is empty
    for a favourite without account. Times are UTC seconds; ``changed`` is that of the last change.
    """

    id: int
    study: str
    key: str
    kind: AnnotationKind
    text: str
    author: str
    created: float
    changed: float


@dataclass(frozen=True, slots=True)
class SweepRecord:
    """A stored grid of conditions for the front of a study, or for its search.

    ``grid`` maps parameters to the values that they take, in SI; ``studies`` are the names of those that
    search, by the number of their condition, counted from 1.
    """

    id: int
    study: str
    mode: SweepMode
    grid: Mapping[str, tuple[Any, ...]]
    digest: str
    owner: str
    created: float
    studies: Mapping[int, str] = field(default_factory=dict[int, str])


Phase = Literal["waiting", "compiling", "starting", "replaying", "searching", "evaluating", "left"]


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of one run; of a job with its number ``job``.

    ``asked`` of ``planned`` designs are finished, ``share`` (0 to 1) of the budget is
    spent; ``hypervolume`` is None until a design is feasible. ``state`` and ``message`` are set in the
    phase ``left``, ``message`` also in ``waiting``.
    """

    layout: str
    seed: int
    phase: Phase
    asked: int = 0
    planned: int = 0
    share: float = 0.0
    generation: int = 0
    front_size: int = 0
    hypervolume: float | None = None
    failed: int = 0
    study: str = ""
    state: str = ""
    message: str = ""
    job: int = 0


Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one evaluation: ``timeout`` in s and ``memory`` in bytes, None for any amount.

    Memory is what the evaluation adds to the process that it runs in, its own processes included.
    """

    timeout: float | None = None
    memory: int | None = None

    def narrowed(self, other: Limits) -> Limits:
        """Combine two limits: the result keeps to both."""
        timeouts = [limit for limit in (self.timeout, other.timeout) if limit is not None]
        memories = [limit for limit in (self.memory, other.memory) if limit is not None]
        return Limits(min(timeouts, default=None), min(memories, default=None))


NO_LIMITS = Limits()
