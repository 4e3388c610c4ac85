"""Sweeps: the front of a study, or its search, under a grid of conditions, and who wins where."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.resources.comparison import TableResource
from service.resources.models import Moment, Resource
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
    """A stored sweep and how far it is: ``done`` of ``wanted`` evaluations, or of conditions for a search.

    ``incomplete``: something is missing and nobody works on it. ``studies`` are those that search, by the
    number of their condition.
    """

    sweep: int
    study: str
    mode: SweepMode
    over: dict[str, list[Any]]
    labels: dict[str, str] = Field(
        default_factory=dict, description="parameters of the grid in words, by path"
    )
    conditions: int
    state: Literal["incomplete", "queued", "running", "failed", "done"]
    done: int
    wanted: int
    message: str = Field(default="", description="why it failed, or that no runner takes it")
    created: Moment
    studies: dict[int, str]


class SweptParameterResource(Resource):
    """A parameter of the grid; ``unit`` is empty for an option, ``values`` are in SI."""

    path: str
    label: str = Field(description="the path in words; items of lists count from 1")
    unit: str
    values: list[Any]


class MapCriterionResource(Resource):
    """A criterion of the map; ``sentences`` name the winner under each condition."""

    name: str
    unit: str
    better: Literal["minimize", "maximize"]
    meaning: str
    title: str
    sentences: list[str]


class ConditionVerdictResource(Resource):
    """One criterion under one condition; ``winner`` is empty where there is none."""

    criterion: str
    values: dict[str, float | None]
    winner: str
    margin: float | None
    outcome: Outcome
    p_value: float | None


class MapConditionResource(Resource):
    """A condition with its verdicts, none before it is complete.

    ``failed`` designs could not be evaluated; ``study`` is the one that searched under it.
    """

    number: int
    values: dict[str, Any]
    complete: bool
    verdicts: list[ConditionVerdictResource]
    failed: int
    study: str


class VerdictMapResource(Resource):
    """Winning layout under each condition; ``note`` says what a winner rests on."""

    sweep: int
    study: str
    mode: SweepMode
    complete: bool
    parameters: list[SweptParameterResource]
    layouts: list[str]
    seeds: int
    criteria: list[MapCriterionResource]
    conditions: list[MapConditionResource]
    note: str
    table: TableResource
