"""Records of a front that is evaluated again under the installed version of its model."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.resources.models import Resource
from studies.results.reevaluation import Outcome


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
    message: str = Field(description="why it failed, or that no runner takes it")
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
