"""Records that a review shows besides the front: variables, objectives and designs to begin with."""

from typing import Any, Literal

from pydantic import Field

from service.resources.fields import Better, Key, Layout, Metric, Model, PathLabel, Study, Unit, Unsafe
from service.resources.figures import FigureResource
from service.resources.models import MetricResource, Resource
from studies.results.front_picks import PickKind


class VariableResource(Resource):
    """A variable of a layout: a range, or options."""

    path: str = Field(description="dotted path")
    label: PathLabel
    unit: Unit
    lower: float | None = Field(default=None, description="least value [`unit`]; null for options")
    upper: float | None = Field(default=None, description="greatest value [`unit`]; null for options")
    step: float | None = Field(
        default=None, description="step of a range in steps [`unit`]; 1 for whole numbers; null: none"
    )
    scale: Literal["linear", "log"] = Field(
        default="linear", description="scale on which a search samples the range"
    )
    options: list[Any] | None = Field(
        default=None, description="values of which a design has one [`unit`]; null for a range"
    )
    when: dict[str, list[Any]] = Field(
        default={},
        description="values of other variables, in SI, at which alone it acts",
    )
    option_names: dict[str, str] = Field(default={}, description="options that are texts, in words")
    meaning: str = Field(default="", description="meaning of the parameter")


class LayoutVariables(Resource):
    """The variables of a layout."""

    layout: Layout
    variables: list[VariableResource] = Field(description="variables in the order of the study file")


class ObjectiveResource(Resource):
    """A metric that the search minimised or maximised."""

    metric: Metric
    sense: Better
    counts_as: dict[str, float] = Field(
        default_factory=dict, description="by layout, what a design without the metric counts as, in SI"
    )


class ConstraintResource(Resource):
    """Bounds that a feasible design keeps."""

    metric: Metric
    lower: float | None = Field(description="least value allowed [SI]; null: no bound")
    upper: float | None = Field(description="greatest value allowed [SI]; null: no bound")


class QuantitiesResource(Resource):
    """The variables and objectives of a study, and all metrics of its back-end."""

    study: Study
    model: Model
    layouts: list[LayoutVariables] = Field(description="variables of each layout")
    objectives: list[ObjectiveResource] = Field(description="objectives in the order of the study file")
    constraints: list[ConstraintResource] = Field(description="bounds of feasible designs")
    metrics: list[MetricResource] = Field(
        description="metrics of the back-end, and derived quantities of the study"
    )
    labels: dict[str, str] = Field(
        description="in words, by path: what varies, what follows from it, and what has a tolerance; "
        "items of lists count from 1"
    )


class PickResource(Resource):
    """A design of a layout's front to begin with.

    Distances are on objectives scaled to the front's range.
    """

    layout: Layout
    kind: PickKind = Field(
        description="`best`: of an objective; `knee`: bulges most; `ideal`: nearest to the ideal point"
    )
    objective: str = Field(description="objective of which it is the best; else empty")
    key: Key


class PostureResource(Resource):
    """A posture that a picture may move, such as a joint."""

    name: str = Field(description="what moves, such as a joint")
    unit: Unit
    lower: float = Field(description="least value [`unit`]")
    upper: float = Field(description="greatest value [`unit`]")
    value: float = Field(description="value as drawn [`unit`]")


class NumberedLineResource(Resource):
    """A numbered line of a picture, such as a cable."""

    number: int = Field(description="number in the picture")
    name: str = Field(description="name of the line")
    length: float = Field(description="length [m]")
    value: float | None = Field(description="value of the line [`unit`]; null: it has none")
    value_name: str = Field(description="meaning of the value, such as tension")
    unit: Unit
    limit: Literal["", "least", "greatest"] = Field(
        description="end of its range at which the value stands; empty: between them"
    )


class SceneFigureResource(FigureResource):
    """A design's 3D view as Plotly draws it; ``data`` is empty where there is nothing to draw."""

    key: Key
    caption: str = Field(description="pose and conditions of the picture")
    summary: str = Field(description="what the picture shows, in sentences")
    frames: list[dict[str, Any]] = Field(
        default_factory=list,
        description="moments of a motion as frames of Plotly: coordinates of the `traces` that move",
    )
    posture: list[PostureResource] = Field(
        default_factory=list,
        description="what a picture may move, as it is drawn; a figure can be asked for with other values",
    )
    lines: list[NumberedLineResource] = Field(
        default_factory=list, description="numbered lines, such as cables with their tensions"
    )
    unsafe: Unsafe = Field(default_factory=list[str])
    remark: str = Field(
        default="", description="a sentence on what is left out of a design that another version evaluated"
    )
