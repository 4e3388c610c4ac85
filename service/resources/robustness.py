"""Requests and results of designs under tolerances, and of the sensitivity of a study."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, StrictBool, StrictInt

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
    tornado: StrictBool = Field(default=True, description="whether to move each number by itself, too")
    index_rows: StrictInt = Field(
        default=0, ge=0, le=65_536, description="rows for Sobol indices, a power of two; 0: no indices"
    )


class StatisticResource(Resource):
    """A statistic over robots and its standard error, null where there is none."""

    statistic: str
    value: float | None
    error: float | None


class BarResource(Resource):
    """A metric with one number of the design a standard deviation lower, and higher."""

    path: str
    label: str = Field(description="the path in words; items of lists count from 1")
    unit: str
    deviation: float
    lower: float | None
    upper: float | None


class IndexResource(Resource):
    """The first-order and total Sobol index of a factor, with their standard errors."""

    factor: str
    label: str = Field(description="the factor in words; items of lists count from 1")
    first: float
    first_error: float
    total: float
    total_error: float


class IndicesResource(Resource):
    """The Sobol indices of a metric; none where it has no value in too many rows, or never varies."""

    metric: str
    rows: int = Field(description="rows that were complete")
    factors: list[IndexResource]
    caution: str = Field(default="", description="why they say little; empty where they can be relied on")
    reason: str = Field(default="", description="why there are none, and what to do; empty where there are")
    figure: FigureResource | None


class RobustMetricResource(Resource):
    """A metric over the robots made of a design, in SI; ``robots`` has null for one that does not work."""

    metric: str
    unit: str
    nominal: float | None
    statistics: list[StatisticResource]
    robots: list[float | None]
    tornado: list[BarResource]
    resolution: float | None = Field(
        default=None, description="numerical error of the metric at the design, such as that of its grid"
    )
    caution: str = Field(
        default="", description="which bars are below the resolution of the grid; empty where none is"
    )
    histogram_figure: FigureResource
    tornado_figure: FigureResource | None


class ReasonResource(Resource):
    """A reason why robots do not work, and their number."""

    reason: str
    robots: int


class RobustResource(Resource):
    """A design under tolerances; the results are there once ``evaluated`` is ``wanted``.

    A request waits a few seconds for its job. The same request waits on.
    """

    study: str
    key: str
    layout: str
    method: Literal["sobol", "monte-carlo"]
    samples: int
    seed: int
    toleranced: list[str] = Field(description="dotted paths of the numbers that have a tolerance")
    wanted: int
    evaluated: int
    done: bool
    job: int = Field(description="the job that evaluates it; 0 when it is done")
    message: str = Field(default="", description="that no runner takes the job; empty while one does")
    works: int = Field(description="robots that work")
    feasible: int = Field(description="robots that work and meet the constraints")
    probability_feasible: float | None
    probability_error: float | None
    metrics: list[RobustMetricResource]
    indices: list[IndicesResource]
    reasons: list[ReasonResource]


class SensitivityRequest(Resource):
    """A request for the Sobol indices of a layout, from so many rows."""

    layout: str | None = Field(default=None, max_length=64, description="null: the only one")
    rows: StrictInt = Field(default=64, ge=4, le=65_536, description="a power of two")
    seed: StrictInt = Field(default=0, ge=0, lt=2**32)


class SensitivityResource(Resource):
    """Sobol indices of a study's objectives and constraints, once ``evaluated`` is ``wanted``.

    A request waits a few seconds for its job. The same request waits on.
    """

    study: str
    layout: str
    rows: int
    wanted: int
    evaluated: int
    done: bool
    job: int = Field(description="the job that evaluates it; 0 when it is done")
    message: str = Field(default="", description="that no runner takes the job; empty while one does")
    indices: list[IndicesResource]
