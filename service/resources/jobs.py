"""Records of a job, and of a front that is evaluated again under the installed version of its model."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.resources.models import Resource
from studies.records import RunKind, RunState
from studies.results.reevaluation import Outcome


class JobResource(Resource):
    """A question about a study that a runner answers by evaluations; its states are those of runs."""

    job: int
    study: str
    kind: RunKind
    request: dict[str, Any] = Field(description="the question, as it is stored")
    account: str = Field(description="the account that asked")
    state: RunState
    wanted: int = Field(description="evaluations that answer it; 0 before they are counted")
    evaluated: int = Field(description="those of them that are there, as far as the job has looked")
    message: str


class ReevaluationResource(Resource):
    """Progress of a front that is evaluated again under the installed ``version`` of ``model``.

    ``none``: nobody has asked for it yet; ``done``: every design of the front has been evaluated.
    """

    study: str
    model: str
    version: int
    state: Literal["none", "queued", "running", "failed", "done"]
    designs: int
    evaluated: int
    message: str = Field(description="why it failed, or what it waits for: a runner, or workers")
    outcomes: dict[Outcome, int] = Field(description="designs by what became of them, once it is done")


class EvaluatedResource(Resource):
    """An evaluation of a design by one version of its model."""

    key: str
    model_version: int
    state: Literal["done", "infeasible", "failed"]
    reason: str
    metrics: dict[str, float | None]


class ReevaluatedResource(Resource):
    """A design of a layout's front as stored and as evaluated now; ``outcome`` is its place among the others.

    ``stays``: no other design of the front, all evaluated now, is better; ``dominated``: one is.
    """

    layout: str
    outcome: Outcome
    stored: EvaluatedResource
    now: EvaluatedResource
