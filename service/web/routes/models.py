"""Back-ends: what can be evaluated, how it was checked, and one evaluation."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from service.resources.models import (
    EvaluationRequest,
    EvaluationResource,
    FigureRequest,
    ModelResource,
    ModelSummary,
    Page,
    ReferenceCaseResource,
    SettingsRequest,
)
from service.resources.review import SceneFigureResource
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.responses import DESIGN_FILE, FileKind, design_file_response

router = APIRouter(prefix="/models", tags=["models"], route_class=StrictRoute)
ModelName = Annotated[str, Path(max_length=200, description="a name as `GET /models` lists it")]


@router.get("", responses=problems(422))
def list_models(services: Services, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = "") -> Page[ModelSummary]:
    """The installed back-ends, Tautline's own first."""
    return services.models.list(cursor=cursor, limit=capped(limit))


@router.get("/{model}", responses=problems(404, 422))
def show_model(services: Services, model: ModelName) -> ModelResource:
    """A back-end: a JSON Schema of its parameters with units, presets, metrics."""
    return services.models.get(model)


@router.post("/{model}/check", responses=problems(404, 415, 422, 503))
def check_model(services: Services, model: ModelName) -> Page[ReferenceCaseResource]:
    """Compute the published reference cases; the answer holds all of them."""
    return services.models.check(model)


@router.post("/{model}/evaluate", responses=problems(404, 413, 415, 422, 503))
def evaluate(services: Services, model: ModelName, wanted: EvaluationRequest) -> EvaluationResource:
    """Evaluate one design within limits of time and memory; nothing is stored."""
    return services.models.evaluate(model, wanted)


@router.post("/{model}/figure", responses=problems(404, 413, 415, 422, 503))
def show_model_figure(services: Services, model: ModelName, wanted: FigureRequest) -> SceneFigureResource:
    """The 3D view of one design as Plotly draws it, within limits of time and memory; nothing is stored."""
    return services.models.figure(model, wanted)


@router.post(
    "/{model}/export",
    response_class=Response,
    responses={**problems(404, 413, 415, 422, 503), 200: DESIGN_FILE},
)
def export_robot(
    services: Services, model: ModelName, wanted: SettingsRequest, kind: FileKind = "json"
) -> Response:
    """One design as a file for other programs, within limits of time and memory; nothing is stored.

    JSON has the numbers of a robot: its parameters, and ends, length and stiffness of each cable.
    """
    name = f"{re.sub('[^A-Za-z0-9-]', '', model)[:64]}-design"
    return design_file_response(services.models.export(model, wanted, kind), kind, name)
