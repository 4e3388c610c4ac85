"""A study under a grid of conditions: asked for, watched, read as a map."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from service.resources.figures import FigureResource
from service.resources.models import Page
from service.resources.sweeps import SweepRequest, SweepResource, VerdictMapResource
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}/sweeps", tags=["studies"], route_class=StrictRoute)
SweepId = Annotated[int, Path(ge=0, lt=2**63, description="`sweep` of a sweep")]
_LOCATION = {"Location": {"description": "where its progress is", "schema": {"type": "string"}}}


@router.post(
    "",
    status_code=202,
    responses={
        **problems(404, 409, 413, 415, 422, 507),
        202: {"description": "Stored, and begun", "headers": _LOCATION},
    },
)
def start_sweep(
    services: Services, response: Response, name: StudyName, wanted: SweepRequest
) -> SweepResource:
    """Evaluate the fronts again, or search anew, under every combination of parameters.

    Stored fronts are evaluated in the background; studies that search are queued for a runner. The same
    request again goes on with what is missing.
    """
    found = services.sweeps.start(name, wanted)
    response.headers["Location"] = f"/api/v1/studies/{found.study}/sweeps/{found.sweep}"
    return found


@router.get("", responses=problems(404, 422))
def list_sweeps(
    services: Services, name: StudyName, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Page[SweepResource]:
    """The sweeps of the study, oldest first, and how far they are."""
    return services.sweeps.list(name, cursor=cursor, limit=capped(limit))


@router.get("/{sweep_id}", responses=problems(404, 422))
def show_sweep(services: Services, name: StudyName, sweep_id: SweepId) -> SweepResource:
    """How far a sweep is."""
    return services.sweeps.get(name, sweep_id)


@router.get("/{sweep_id}/map", responses=problems(404, 422))
def show_verdict_map(services: Services, name: StudyName, sweep_id: SweepId) -> VerdictMapResource:
    """Which layout wins under which conditions, criterion by criterion."""
    return services.sweeps.map(name, sweep_id)


@router.get("/{sweep_id}/figure", responses=problems(404, 422))
def show_verdict_figure(
    services: Services,
    name: StudyName,
    sweep_id: SweepId,
    criterion: Annotated[
        str, Query(max_length=200, description="name of a criterion; the first one if not given")
    ] = "",
) -> FigureResource:
    """The map of one criterion as Plotly draws it."""
    return services.sweeps.figure(name, sweep_id, criterion)


@router.delete("/{sweep_id}", responses=problems(404, 409, 422, 507))
def delete_sweep(services: Services, name: StudyName, sweep_id: SweepId) -> SweepResource:
    """Delete the sweep; its evaluations and the studies that searched for it stay."""
    return services.sweeps.delete(name, sweep_id)
