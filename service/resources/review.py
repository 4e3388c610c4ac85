"""Records that a review shows besides the front: variables, objectives and designs to begin with."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from models.metrics import Sense
from service.resources.figures import FigureResource
from service.resources.models import MetricResource, Resource
from studies.results.front_picks import PickKind


class VariableResource(Resource):
    """A variable of a layout, in SI: a range, or ``options`` of which a design has one."""

    path: str
    label: str = Field(description="the path in words; items of lists count from 1")
    unit: str
    lower: float | None = None
    upper: float | None = None
    step: float | None = Field(default=None, description="of a range in steps; 1 for whole numbers")
    scale: Literal["linear", "log"] = "linear"
    options: list[Any] | None = None
    when: dict[str, list[Any]] = Field(
        default={},
        description="values of other variables, in SI, at which alone it acts",
    )
    option_names: dict[str, str] = Field(default={}, description="options that are texts, in words")
    meaning: str = ""


class LayoutVariables(Resource):
    """The variables of a layout, in the order of the study file."""

    layout: str
    variables: list[VariableResource]


class ObjectiveResource(Resource):
    """A metric that the search minimised or maximised."""

    metric: str
    sense: Sense
    counts_as: dict[str, float] = Field(
        default_factory=dict, description="by layout, what a design without the metric counts as, in SI"
    )


class ConstraintResource(Resource):
    """Bounds that a feasible design keeps, in SI; null is no bound."""

    metric: str
    lower: float | None
    upper: float | None


class QuantitiesResource(Resource):
    """The variables and objectives of a study, and all metrics of its back-end."""

    study: str
    model: str
    layouts: list[LayoutVariables]
    objectives: list[ObjectiveResource]
    constraints: list[ConstraintResource]
    metrics: list[MetricResource]
    labels: dict[str, str] = Field(
        description="in words, by path: what varies, what follows from it, and what has a tolerance; "
        "items of lists count from 1"
    )


class PickResource(Resource):
    """A design of a layout's front to begin with.

    ``best`` of an ``objective``; the ``knee``, where the front bulges most towards the ideal point; or
    the nearest to the ``ideal`` point. Distances are on objectives scaled to the front's range.
    """

    layout: str
    kind: PickKind
    objective: str
    key: str


class PostureResource(Resource):
    """A posture that a picture may move, such as a joint: value as drawn, least and greatest one, in SI."""

    name: str
    unit: str
    lower: float
    upper: float
    value: float


class NumberedLineResource(Resource):
    """A numbered line of a picture, such as a cable: length in m, value in its unit.

    ``limit`` is the end of its range at which the value stands; empty for one between them.
    """

    number: int
    name: str
    length: float
    value: float | None
    value_name: str
    unit: str
    limit: Literal["", "least", "greatest"]


class SceneFigureResource(FigureResource):
    """A design's 3D view as Plotly draws it; ``data`` is empty where there is nothing to draw.

    ``caption`` says at which pose and under what conditions, ``summary`` what the picture shows. A scene that
    moves has ``frames``, one for each moment: they hold the coordinates of the ``traces`` that move.
    ``posture`` lists what a picture may move, as it is drawn; a figure can be asked for with other values.
    ``lines`` lists the numbered lines, such as cables with their tensions.
    """

    key: str
    caption: str
    summary: str
    frames: list[dict[str, Any]] = Field(default_factory=list)
    posture: list[PostureResource] = Field(default_factory=list)
    lines: list[NumberedLineResource] = Field(default_factory=list)
    unsafe: list[str] = Field(
        default_factory=list[str], description="sentences on the margins that are past their limit of safety"
    )
    remark: str = Field(
        default="", description="a sentence on what is left out of a design that another version evaluated"
    )
