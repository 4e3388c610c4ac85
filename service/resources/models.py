"""Records of what needs no store: back-ends, search algorithms, single evaluations, checks of studies.

Apart from :mod:`service.resources.studies`, so that ``tautline evaluate`` loads no more than these.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, StrictInt

from service.resources.fields import (
    Counters,
    EndState,
    EvaluationTime,
    Layout,
    Meaning,
    Metric,
    Metrics,
    Model,
    ModelVersion,
    ModelViolation,
    Parameters,
    Reason,
    Study,
    Unit,
    Version,
    Warnings,
)


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
Created = Annotated[Moment, Field(description="time when it was made, UTC")]


T = TypeVar("T")


class Page(Resource, Generic[T]):
    """A part of a list."""

    items: list[T] = Field(description="this part of the list")
    next: str | None = Field(default=None, description="`cursor` of the following part; null at the end")


def left_out() -> Any:
    """Value of a field of an :class:`Edit` while it is not given."""
    return None


class Edit(Resource):
    """A change of what is stored: what is left out stays, null is refused unless a field takes it.

    Each field has ``default_factory=left_out``. The fields that are given are ``model_fields_set``.
    """


class ModelSummary(Resource):
    """A back-end in a list; if it cannot be loaded, only its ``fault`` is known."""

    model: Model
    title: str = Field(description="plain name, such as Cable robot")
    version: Version
    presets: list[str] = Field(description="names of its presets")
    metrics: int = Field(description="number of its metrics")
    summary: str = Field(description="what it computes, in a sentence")
    test_problem: bool = Field(
        default=False, description="true for a test problem, which does not describe a robot"
    )
    built_in: bool = Field(default=False, description="true for one that comes with Tautline")
    fault: str = Field(default="", description="why it cannot be loaded; empty for one that can be used")


class PresetResource(Resource):
    """A named design from the literature."""

    preset: str = Field(description="name of the preset")
    settings: dict[str, Any] = Field(description="values by dotted path")
    description: str = Field(description="the design in words")
    source: str = Field(description="publication of the design")


class MetricResource(Resource):
    """A result of a back-end."""

    metric: Metric
    label: str = Field(description="name in headings")
    unit: Unit
    better: str = Field(description="sense in which it gets better")
    cost_class: list[str] = Field(description="cost classes whose evaluation has it")
    meaning: Meaning
    error: str = Field(default="", description="metric that holds its numerical error; empty: none")
    contains: list[str] = Field(default_factory=list, description="metrics from which it is computed")
    safety_limit: float | None = Field(
        default=None, description="value beyond which a design is not safe to build [`unit`]; null: none"
    )
    caution: str = Field(
        default="", description="why one number says little, and what to ask for instead; mostly empty"
    )
    jumps: str = Field(
        default="", description="where it changes at once though the design hardly does; mostly empty"
    )


class FileFormatResource(Resource):
    """A format in which designs of a back-end can be exported."""

    format: str = Field(description="name for `?format=`")
    ending: str = Field(description="ending of its files")
    holds: str = Field(description="what a file holds")


class FieldResource(Resource):
    """A quantity that exists at every cell of a design's workspace."""

    field: str = Field(description="name of the quantity")
    unit: Unit
    meaning: str = Field(description="what it is")


class ModelResource(Resource):
    """A back-end."""

    model: Model
    title: str = Field(description="plain name, such as Cable robot")
    version: Version
    summary: str = Field(description="what it computes, in a sentence")
    source: str = Field(description="publication of the model")
    parameters: dict[str, Any] = Field(
        description="JSON Schema; `unit` is SI; a study can fix what is `numerical`, but not vary it"
    )
    presets: list[PresetResource] = Field(description="designs from the literature")
    metrics: list[MetricResource] = Field(description="results of an evaluation")
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
    """A published number and ours."""

    model: Model
    case: str = Field(description="what was computed")
    unit: str = Field(description="unit of both numbers")
    published: float = Field(description="published number, in `unit`")
    obtained: float | None = Field(
        description="number of the back-end, in `unit`; null where it is not finite"
    )
    relative_error: float | None = Field(
        description="difference relative to the published number; the plain difference where that is 0"
    )
    tolerance: float | None = Field(
        description="relative error allowed; null: no agreement is expected, and `remark` says why"
    )
    agrees: bool | None = Field(description="true within the tolerance; null where no agreement is expected")
    source: str = Field(description="publication of the number")
    remark: str = Field(description="explanation; mostly empty")


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

    preset: str | None = Field(default=None, max_length=200, description="preset to begin with; null: none")
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
        description="seed of a model that draws random numbers; null: 0, or that of the stored design",
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

    model: Model
    version: ModelVersion
    status: EndState
    parameters: Parameters
    metrics: Metrics
    warnings: Warnings
    counters: Counters
    seconds: EvaluationTime
    reason: Reason = ""
    violation: ModelViolation = 0.0


class JudgedEvaluationResource(EvaluationResource):
    """A stored design evaluated with other values."""

    unsafe: list[str] = Field(
        default_factory=list[str],
        description="sentences on the margins of a study's design that are past their limit of safety",
    )


class LayoutCheck(Resource):
    """The size of a layout's search."""

    layout: Layout
    variables: int = Field(description="dimensions of the search: numbers and options that vary")
    varied: list[str] = Field(description="the variables in words; items of lists count from 1")
    designs: int = Field(description="designs of a run; an upper limit unless `stated`")
    stated: bool = Field(description="true where nothing ends a run before all designs")
    stages: list[str] = Field(description="stages of the model that are computed for each design")
    robots: int = Field(description="robots that are evaluated of each design: 1 without tolerances")
    middle: EvaluationRequest = Field(
        description="request that evaluates the design at mid-range, to see how long one takes"
    )


class StudyCheck(Resource):
    """A valid study file."""

    name: Study
    runs: int = Field(description="searches of the study: layouts times seeds")
    layouts: list[LayoutCheck] = Field(description="size of the search of each layout")
    remarks: list[str] = Field(description="remarks on the algorithm, the budget and the layouts")
    warnings: list[str] = Field(
        default_factory=list[str], description="what objectives and constraints leave unsaid, in sentences"
    )
    begins: list[str] = Field(
        default_factory=list[str],
        description="designs of stored studies with which each layout begins, and why others do not fit",
    )


class SettingResource(Resource):
    """A setting of an algorithm."""

    setting: str = Field(description="key in `[search.settings]`")
    meaning: str = Field(description="what it sets")
    default: str = Field(description="value if left out")
    allowed: str = Field(description="values that are allowed, in words")


class AlgorithmResource(Resource):
    """A search algorithm and its settings; if it cannot be loaded, only its ``fault`` is known."""

    algorithm: str = Field(description="name for `search.algorithm`")
    summary: str = Field(description="what it is, in a sentence")
    suits: str = Field(description="problems that it suits, in a sentence")
    objectives: list[int] = Field(
        min_length=2, max_length=2, description="least and greatest number of objectives"
    )
    constraints: bool = Field(description="true where it takes constraints")
    budget: list[Literal["generations", "evaluations", "wall_time"]] = Field(
        description="keys of which one is needed"
    )
    most_population: int = Field(description="greatest population")
    most_designs: int = Field(description="greatest number of designs of a run")
    most_variables: int = Field(description="greatest number of variables")
    fixed: str = Field(description="why a finished search of it cannot be extended; empty where it can")
    settings: list[SettingResource] = Field(description="keys of `[search.settings]`")
    package: str = Field(
        default="", description="the installed package that offers it, with its version; empty for ours"
    )
    fault: str = Field(default="", description="why it cannot be loaded; empty for one that can be used")
