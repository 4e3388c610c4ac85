"""Records of what needs no store: back-ends, search algorithms, single evaluations, checks of studies.

Apart from :mod:`service.resources.studies`, so that ``tautline evaluate`` loads no more than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, StrictInt


class Resource(BaseModel):
    """A record as plain JSON; unknown keys are refused, so that client and server cannot drift apart.

    ``model_validate`` also takes a stored record whose fields have the same names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, from_attributes=True)


def moment(seconds: float) -> datetime:
    """UTC seconds, as they are stored, as a time of day."""
    return datetime.fromtimestamp(seconds, UTC)


def _time_of_day(value: Any) -> Any:
    return moment(value) if isinstance(value, int | float) else value


Moment = Annotated[datetime, BeforeValidator(_time_of_day)]
"""A time of day; stored records hold it as UTC seconds."""


T = TypeVar("T")


class Page(Resource, Generic[T]):
    """A part of a list; ``next`` is the ``cursor`` of the following part, null at the end."""

    items: list[T]
    next: str | None = None


def left_out() -> Any:
    """Value of a field of an :class:`Edit` while it is not given."""
    return None


class Edit(Resource):
    """A change of what is stored: what is left out stays, null is refused unless a field takes it.

    Each field has ``default_factory=left_out``. The fields that are given are ``model_fields_set``.
    """


class ModelSummary(Resource):
    """A back-end in a list; if it cannot be loaded, only its ``fault`` is known."""

    model: str
    title: str = Field(description="plain name, such as Cable robot")
    version: int
    presets: list[str]
    metrics: int
    summary: str
    test_problem: bool = Field(
        default=False, description="true for a test problem, which does not describe a robot"
    )
    built_in: bool = Field(default=False, description="true for one that comes with Tautline")
    fault: str = Field(default="", description="why it cannot be loaded; empty for one that can be used")


class PresetResource(Resource):
    """A named design from the literature."""

    preset: str
    settings: dict[str, Any]
    description: str
    source: str


class MetricResource(Resource):
    """A result of a back-end; ``label`` is how headings call it, ``better`` its natural sense.

    ``error`` names the metric that holds its numerical error, ``contains`` metrics that it is computed from.
    """

    metric: str
    label: str
    unit: str
    better: str
    cost_class: list[str]
    meaning: str
    error: str = ""
    contains: list[str] = Field(default_factory=list)
    safety_limit: float | None = Field(default=None, description="beyond it, a design is not safe to build")
    caution: str = Field(
        default="", description="why one number says little, and what to ask for instead; mostly empty"
    )
    jumps: str = Field(
        default="", description="where it changes at once though the design hardly does; mostly empty"
    )


class FileFormatResource(Resource):
    """A format in which designs of a back-end can be exported."""

    format: str
    ending: str
    holds: str


class FieldResource(Resource):
    """A quantity that exists at every cell of a design's workspace; ``unit`` is SI."""

    field: str
    unit: str
    meaning: str


class ModelResource(Resource):
    """A back-end: ``parameters`` is a JSON Schema whose fields carry ``unit``.

    A field with ``numerical`` is a setting of the computation, which a study can fix but not vary.
    """

    model: str
    title: str = Field(description="plain name, such as Cable robot")
    version: int
    summary: str
    source: str
    parameters: dict[str, Any]
    presets: list[PresetResource]
    metrics: list[MetricResource]
    stochastic: bool = Field(
        default=False, description="true where evaluations draw random numbers from a seed"
    )
    built_in: bool = Field(default=False, description="true for one that comes with Tautline")
    here: bool = Field(
        default=True, description="false where its code is not here, so that it computes and draws nothing"
    )
    geometry: list[str] = Field(
        default=[], description="parameters that make one robot another, so that no sweep has them"
    )
    fields: list[FieldResource] = Field(
        default=[], description="quantities that can colour the cells of a design's workspace in its figure"
    )
    formats: list[FileFormatResource] = Field(
        default=[], description="formats in which a design can be exported by this server"
    )


class ReferenceCaseResource(Resource):
    """A published number and ours; ``agrees`` is null where agreement is not expected."""

    model: str
    case: str
    unit: str
    published: float
    obtained: float | None
    relative_error: float | None
    tolerance: float | None
    agrees: bool | None
    source: str
    remark: str


FieldName = Annotated[
    str, Field(max_length=64, description="one of the model's `fields` that colours the cells; empty: none")
]
PostureValues = Annotated[
    Sequence[FiniteFloat],
    Field(
        max_length=64, description="values of the figure's `posture`, in its order; null: the design's own"
    ),
]


class SettingsRequest(Resource):
    """One design: a preset, and settings over it."""

    preset: str | None = Field(default=None, max_length=200)
    settings: dict[str, Any] = Field(default_factory=dict, description="values by dotted path")


class FigureRequest(SettingsRequest):
    """One design to draw: the field that colours its cells, and its posture if not its own."""

    field: FieldName = ""
    posture: PostureValues | None = None


class EvaluationRequest(SettingsRequest):
    """One design to evaluate: a preset, settings over it, and the metrics that are wanted."""

    metrics: list[str] = Field(
        default_factory=list, max_length=1000, description="null: those that are cheapest to compute"
    )
    seed: StrictInt | None = Field(
        default=None,
        ge=0,
        lt=2**32,
        description="of a model that draws random numbers; null: 0, or that of the stored design",
    )


class DesignEvaluationRequest(EvaluationRequest):
    """A stored design to evaluate otherwise: settings over its parameters, and other values of its variables.

    Parameters that follow from variables follow, and derived quantities are among the metrics.
    """

    variables: dict[str, Any] = Field(
        default_factory=dict, description="variables of the study by path, in SI, within their ranges"
    )


class EvaluationResource(Resource):
    """An evaluated design, as ``tautline evaluate --format json`` prints it."""

    model: str
    version: int
    status: Literal["done", "infeasible", "failed"]
    parameters: dict[str, Any]
    metrics: dict[str, float | None]
    warnings: list[str]
    counters: dict[str, int]
    seconds: float
    reason: str = ""
    violation: float = 0.0


class JudgedEvaluationResource(EvaluationResource):
    """A stored design evaluated with other values: ``unsafe`` says which margins are past their limit."""

    unsafe: list[str] = Field(
        default_factory=list[str],
        description="sentences on the margins of a study's design that are past their limit of safety",
    )


class LayoutCheck(Resource):
    """The size of a layout's search: the designs of a run, an upper limit unless ``stated``.

    ``stages`` are what the model computes of each design; ``middle`` is the request that evaluates the design
    at mid-range, which says how long one takes.
    """

    layout: str
    variables: int
    varied: list[str] = Field(description="the variables in words; items of lists count from 1")
    designs: int
    stated: bool
    stages: list[str]
    robots: int = Field(description="robots that are evaluated of each design: 1 without tolerances")
    middle: EvaluationRequest


class StudyCheck(Resource):
    """A valid study file."""

    name: str
    runs: int
    layouts: list[LayoutCheck]
    remarks: list[str]
    warnings: list[str] = Field(
        default_factory=list[str], description="what objectives and constraints do not say as one number"
    )
    begins: list[str] = Field(
        default_factory=list[str],
        description="designs of stored studies with which each layout begins, and why others do not fit",
    )


class SettingResource(Resource):
    """A setting of an algorithm, for ``[search.settings]``."""

    setting: str
    meaning: str
    default: str
    allowed: str


class AlgorithmResource(Resource):
    """A search algorithm and its settings; if it cannot be loaded, only its ``fault`` is known."""

    algorithm: str
    summary: str
    suits: str
    objectives: list[int] = Field(min_length=2, max_length=2, description="the fewest and the most")
    constraints: bool
    budget: list[Literal["generations", "evaluations", "wall_time"]] = Field(
        description="keys of which one is needed"
    )
    most_population: int
    most_designs: int
    most_variables: int
    fixed: str = Field(description="why a finished search of it cannot be extended; empty where it can")
    settings: list[SettingResource]
    package: str = Field(
        default="", description="the installed package that offers it, with its version; empty for ours"
    )
    fault: str = Field(default="", description="why it cannot be loaded; empty for one that can be used")
