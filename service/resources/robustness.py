"""Requests and results of designs under tolerances, and of the sensitivity of a study."""

from typing import Any, Literal

from pydantic import Field, StrictBool, StrictInt

from service.resources.fields import (
    Done,
    Evaluated,
    Job,
    JobMessage,
    Key,
    Layout,
    Metric,
    PathLabel,
    Study,
    Unit,
    Wanted,
)
from service.resources.figures import FigureResource
from service.resources.models import Resource


class RobustRequest(Resource):
    """A request for a design under tolerances; what is null is as the study states it."""

    tolerances: dict[str, Any] | None = Field(
        default=None, description="as the table `tolerances` of a study file"
    )
    samples: StrictInt | None = Field(
        default=None, ge=16, le=65_536, description="robots that are made of the design; a power of two"
    )
    method: Literal["sobol", "monte-carlo"] | None = Field(
        default=None, description="scrambled Sobol points, or independent random numbers"
    )
    seed: StrictInt | None = Field(default=None, ge=0, lt=2**32, description="seed of the samples")
    metrics: list[str] = Field(
        default_factory=list, max_length=100, description="empty: objectives and constraints"
    )
    tornado: StrictBool = Field(default=True, description="true: each number is moved by itself, too")
    index_rows: StrictInt = Field(
        default=0, ge=0, le=65_536, description="rows for Sobol indices, a power of two; 0: no indices"
    )


class StatisticResource(Resource):
    """A statistic over robots."""

    statistic: str = Field(description="name of the statistic, such as `mean` or `q05`")
    value: float | None = Field(description="value in the unit of the metric; null: too few robots work")
    error: float | None = Field(description="its standard error, in the same unit; null where there is none")


class BarResource(Resource):
    """A metric with one number of the design a standard deviation lower, and higher."""

    path: str = Field(description="number that is moved, by dotted path")
    label: PathLabel
    unit: str = Field(description="SI unit of the number that is moved")
    deviation: float = Field(description="its standard deviation [`unit`]")
    lower: float | None = Field(
        description="metric with the number a standard deviation lower [SI]; null: it does not work"
    )
    upper: float | None = Field(
        description="metric with the number a standard deviation higher [SI]; null: it does not work"
    )


class IndexResource(Resource):
    """The first-order and total Sobol index of a factor."""

    factor: str = Field(description="number with a tolerance, or variable, by dotted path")
    label: PathLabel
    first: float = Field(description="first-order index: share of the variance that it causes alone")
    first_error: float = Field(description="standard error of `first`")
    total: float = Field(description="total index: share of the variance that it takes part in")
    total_error: float = Field(description="standard error of `total`")


class IndicesResource(Resource):
    """The Sobol indices of a metric; none where it has no value in too many rows, or never varies."""

    metric: Metric
    rows: int = Field(description="rows that were complete")
    factors: list[IndexResource] = Field(description="indices of each factor; empty where there are none")
    caution: str = Field(
        default="", description="reason why they say little; empty where they can be relied on"
    )
    reason: str = Field(
        default="", description="reason why there are none, and a remedy; empty where there are some"
    )
    figure: FigureResource | None = Field(
        description="bars of the indices, as Plotly draws them; null where there are none"
    )


class RobustMetricResource(Resource):
    """A metric over the robots made of a design."""

    metric: Metric
    unit: Unit
    nominal: float | None = Field(
        description="value of the design without deviations [`unit`]; null: it has none"
    )
    statistics: list[StatisticResource] = Field(description="statistics over the robots")
    robots: list[float | None] = Field(
        description="value of each robot [`unit`]; null for one that does not work"
    )
    tornado: list[BarResource] = Field(
        description="metric with each number moved by itself; empty where none was asked for"
    )
    resolution: float | None = Field(
        default=None,
        description="numerical error of the metric at the design [`unit`]; null: none is stated",
    )
    caution: str = Field(
        default="", description="remark on bars below the resolution of the grid; empty where none is"
    )
    histogram_figure: FigureResource = Field(description="histogram of the robots, as Plotly draws it")
    tornado_figure: FigureResource | None = Field(
        description="bars of `tornado`, as Plotly draws them; null where there are none"
    )


class ReasonResource(Resource):
    """A reason why robots do not work."""

    reason: str = Field(description="reason why robots do not work")
    robots: int = Field(description="robots with this reason")


class RobustResource(Resource):
    """A design under tolerances; results are there once it is ``done``.

    A request waits a few seconds for its job. The same request waits on.
    """

    study: Study
    key: Key
    layout: Layout
    method: Literal["sobol", "monte-carlo"] = Field(
        description="`sobol`: scrambled Sobol points; `monte-carlo`: independent random numbers"
    )
    samples: int = Field(description="robots that are made of the design")
    seed: int = Field(description="seed of the samples")
    toleranced: list[str] = Field(description="dotted paths of the numbers that have a tolerance")
    wanted: Wanted
    evaluated: Evaluated
    done: Done
    job: Job
    message: JobMessage = ""
    works: int = Field(description="robots that work")
    feasible: int = Field(description="robots that work and meet the constraints")
    probability_feasible: float | None = Field(
        description="share of the robots that work and meet the constraints; null until `done`"
    )
    probability_error: float | None = Field(description="standard error of that share")
    metrics: list[RobustMetricResource] = Field(description="each metric over the robots; empty until `done`")
    indices: list[IndicesResource] = Field(
        description="Sobol indices of the tolerances; empty until `done`, and where none were asked for"
    )
    reasons: list[ReasonResource] = Field(description="reasons why robots do not work; empty where all do")


class SensitivityRequest(Resource):
    """A request for the Sobol indices of a layout, from so many rows."""

    layout: str | None = Field(default=None, max_length=64, description="null: the only one")
    rows: StrictInt = Field(default=64, ge=4, le=65_536, description="a power of two")
    seed: StrictInt = Field(default=0, ge=0, lt=2**32, description="seed of the rows")


class SensitivityResource(Resource):
    """Sobol indices of a study's objectives and constraints; they are there once it is ``done``.

    A request waits a few seconds for its job. The same request waits on.
    """

    study: Study
    layout: Layout
    rows: int = Field(description="rows of the sampling, a power of two")
    wanted: Wanted
    evaluated: Evaluated
    done: Done
    job: Job
    message: JobMessage = ""
    indices: list[IndicesResource] = Field(
        description="Sobol indices of each objective and constraint; empty until `done`"
    )
