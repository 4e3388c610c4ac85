"""Back-ends: what can be evaluated, how it was checked, and one evaluation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from service.resources.studies import (
    EvaluationRequest,
    EvaluationResource,
    ModelResource,
    ModelSummary,
    Page,
    ReferenceCaseResource,
)
from service.web.dependencies import Desk
from service.web.documents import StrictRoute
from service.web.paging import DEFAULT_LIMIT, Cursor, Limit, part
from service.web.problems import problems

router = APIRouter(prefix="/models", tags=["models"], route_class=StrictRoute)
ModelName = Annotated[str, Path(max_length=200, description="a name as `GET /models` lists it")]


@router.get("", responses=problems(422))
def list_models(desk: Desk, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = "") -> Page[ModelSummary]:
    """The installed back-ends, Tautline's own first."""
    return part(desk.models(), lambda model: model.model, limit, cursor)


@router.get("/{model}", responses=problems(404, 422))
def show_model(desk: Desk, model: ModelName) -> ModelResource:
    """A back-end: a JSON Schema of its parameters with units, presets, metrics."""
    return desk.model(model)


@router.post("/{model}/check", responses=problems(404, 415, 422, 503))
def check_model(desk: Desk, model: ModelName) -> Page[ReferenceCaseResource]:
    """Compute the published reference cases; the answer holds all of them."""
    return Page(items=desk.check_model(model))


@router.post("/{model}/evaluate", responses=problems(404, 413, 415, 422, 503))
def evaluate(desk: Desk, model: ModelName, wanted: EvaluationRequest) -> EvaluationResource:
    """Evaluate one design within limits of time and memory; nothing is stored."""
    return desk.evaluate(model, wanted)
