"""The front of a study under the installed version of its model: asked for, watched, read."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from service.resources.reevaluation import ReevaluatedResource, ReevaluationResource
from service.resources.studies import Page
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}", tags=["studies"], route_class=StrictRoute)
_LOCATION = {"Location": {"description": "where its progress is", "schema": {"type": "string"}}}


@router.post(
    "/reevaluate",
    status_code=202,
    responses={**problems(404, 409, 415, 422), 202: {"description": "Asked for", "headers": _LOCATION}},
)
def reevaluate_study(services: Services, response: Response, name: StudyName) -> ReevaluationResource:
    """Evaluate the front again under the installed version of the model, in the background.

    The evaluations are stored beside the old ones; nothing of the study changes. What is evaluated already is
    not computed again, so that the same request goes on with what was interrupted.
    """
    found = services.reevaluations.start(name)
    response.headers["Location"] = f"/api/v1/studies/{found.study}/reevaluation"
    return found


@router.get("/reevaluation", responses=problems(404, 422))
def show_reevaluation(services: Services, name: StudyName) -> ReevaluationResource:
    """How far the front is evaluated again, and what became of its designs."""
    return services.reevaluations.get(name)


@router.get("/reevaluation/designs", responses=problems(404, 422))
def list_reevaluated(
    services: Services, name: StudyName, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Page[ReevaluatedResource]:
    """The designs of the front as stored and as evaluated now; none before all are evaluated."""
    return services.reevaluations.designs(name, cursor=cursor, limit=capped(limit))
