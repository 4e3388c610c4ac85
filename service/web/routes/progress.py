"""Progress of studies, for lists and for single studies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from service.app.studies import MOST_SEARCHED
from service.resources.models import Page
from service.resources.progress import ProgressResource, StudyOverview, VerdictsResource
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(tags=["progress"], route_class=StrictRoute)

_MOST_NAMES = 100
_Names = Annotated[
    list[Annotated[str, Query(max_length=64)]] | None,
    Query(max_length=_MOST_NAMES, description="only studies of this name; may be given several times"),
]


@router.get("/overview", responses=problems(422))
def list_overview(
    services: Services,
    search: Annotated[
        str, Query(max_length=MOST_SEARCHED, description="text in name, description, model or tag")
    ] = "",
    archived: bool = False,
    name: _Names = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[StudyOverview]:
    """Studies as `GET /studies` lists them, each with its progress and its best values."""
    return services.progress.list(search, archived=archived, names=name, cursor=cursor, limit=capped(limit))


@router.get("/studies/{name}/progress", responses=problems(404, 422))
def show_progress(services: Services, name: StudyName) -> ProgressResource:
    """Progress of the study, run by run: counts, rate, time left, and what it waits for."""
    return services.progress.get(name)


@router.get("/studies/{name}/verdicts", responses=problems(404, 422))
def show_verdicts(services: Services, name: StudyName) -> VerdictsResource:
    """Results of the designs: how many are feasible, and why the others are not."""
    return services.progress.verdicts(name)
