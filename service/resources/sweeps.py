"""Sweeps: the front of a study, or its search, under a grid of conditions, and who wins where."""

from typing import Any, Literal

from pydantic import Field

from service.resources.comparison import TableResource
from service.resources.fields import Better, CriterionName, PathLabel, Study, Unit
from service.resources.models import Created, Resource
from studies.comparison.verdict_map import Outcome
from studies.records import SweepMode


class SweepRequest(Resource):
    """A grid of conditions: parameters by dotted path, each with its values."""

    over: dict[str, list[Any]] = Field(
        max_length=100, description='values in SI, or as text with a unit: {"f_min": [0, "2 N"]}'
    )
    mode: SweepMode = Field(
        default="reevaluate",
        description="evaluate the stored fronts under each condition, or search anew under each",
    )


class SweepResource(Resource):
    """A stored sweep and how far it is."""

    sweep: int = Field(description="number of the sweep in addresses")
    study: Study
    mode: SweepMode = Field(
        description="stored fronts evaluated under each condition, or a search under each"
    )
    over: dict[str, list[Any]] = Field(
        description="values of each parameter of the grid, by dotted path [SI]"
    )
    labels: dict[str, str] = Field(
        default_factory=dict, description="parameters of the grid in words, by path"
    )
    conditions: int = Field(description="number of conditions: combinations of all values")
    state: Literal["incomplete", "queued", "running", "failed", "done"] = Field(
        description="`incomplete`: something is missing, and nobody works on it"
    )
    done: int = Field(description="evaluations that are there; of a search, conditions")
    wanted: int = Field(description="evaluations in all; of a search, conditions")
    message: str = Field(
        default="", description="reason of a failure, or that no runner takes it; else empty"
    )
    created: Created
    studies: dict[int, str] = Field(
        description="studies that search, by the number of their condition; empty for stored fronts"
    )


class SweptParameterResource(Resource):
    """A parameter of the grid."""

    path: str = Field(description="dotted path")
    label: PathLabel
    unit: str = Field(description="SI unit; empty for an option")
    values: list[Any] = Field(description="values of the grid [`unit`]")


class MapCriterionResource(Resource):
    """A criterion of the map."""

    name: CriterionName
    unit: Unit
    better: Better
    meaning: str = Field(description="what is measured of each front")
    title: str = Field(description="name in words")
    sentences: list[str] = Field(description="the winner under each condition, in sentences")


class ConditionVerdictResource(Resource):
    """One criterion under one condition."""

    criterion: CriterionName
    values: dict[str, float | None] = Field(
        description="value of each layout, in the criterion's unit; null: it has no feasible design"
    )
    winner: str = Field(description="layout with the best value; empty where there is none")
    margin: float | None = Field(
        description="lead of the winner relative to the next value; null for hypervolumes"
    )
    outcome: Outcome = Field(
        description="`shown`: the seeds show that the winner is better; else why nothing is shown"
    )
    p_value: float | None = Field(
        description="greatest p-value of the winner against the others, by Holm's method; null: no test"
    )


class MapConditionResource(Resource):
    """A condition with its verdicts."""

    number: int = Field(description="number of the condition, from 1")
    values: dict[str, Any] = Field(description="value of each parameter of the grid, by dotted path [SI]")
    complete: bool = Field(description="true once everything under it is evaluated")
    verdicts: list[ConditionVerdictResource] = Field(
        description="verdict on each criterion; empty before it is complete"
    )
    failed: int = Field(description="designs that could not be evaluated")
    study: str = Field(description="study that searched under it; empty for stored fronts")


class VerdictMapResource(Resource):
    """Winning layout under each condition."""

    sweep: int = Field(description="number of the sweep")
    study: Study
    mode: SweepMode = Field(
        description="stored fronts evaluated under each condition, or a search under each"
    )
    complete: bool = Field(description="true once all conditions are")
    parameters: list[SweptParameterResource] = Field(description="parameters of the grid")
    layouts: list[str] = Field(description="names of the layouts")
    seeds: int = Field(description="number of seeds of each layout")
    criteria: list[MapCriterionResource] = Field(description="criteria of the map")
    conditions: list[MapConditionResource] = Field(description="verdicts under each condition")
    note: str = Field(description="what a winner rests on, in a sentence")
    table: TableResource = Field(description="the map as a table")
