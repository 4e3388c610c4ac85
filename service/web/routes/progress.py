"""Progress of studies, for lists and for single studies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from service.app.results import MOST_SEARCHED
from service.resources.progress import ProgressResource, StudyOverview, VerdictsResource
from service.resources.studies import Page
from service.web.dependencies import Desk
from service.web.documents import StrictRoute
from service.web.paging import DEFAULT_LIMIT, Cursor, Limit, capped, decoded, encoded
from service.web.problems import problems
from service.web.routes.studies import StudyName
from studies.store.studies import Wanted

router = APIRouter(tags=["progress"], route_class=StrictRoute)

_MOST_NAMES = 100
_Names = Annotated[
    list[Annotated[str, Query(max_length=64)]] | None,
    Query(max_length=_MOST_NAMES, description="only studies of this name; may be given several times"),
]


@router.get("/overview", responses=problems(422))
def list_overview(
    desk: Desk,
    search: Annotated[
        str, Query(max_length=MOST_SEARCHED, description="text in name, description or model")
    ] = "",
    archived: bool = False,
    name: _Names = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[StudyOverview]:
    """Studies as `GET /studies` lists them, each with its progress and its best values."""
    after = decoded(cursor, float, str)
    wanted = Wanted(
        search=search.replace("\0", " "),
        archived=archived,
        after=None if after is None else (after[0], after[1].replace("\0", " ")),
        names=None if name is None else tuple(text.replace("\0", " ") for text in name),
    )
    items, last = desk.overview(wanted, capped(limit))
    return Page(items=items, next=encoded(last))


@router.get("/studies/{name}/progress", responses=problems(404, 422))
def show_progress(desk: Desk, name: StudyName) -> ProgressResource:
    """Progress of the study, run by run: counts, rate, time left, and what it waits for."""
    return desk.progress(name)


@router.get("/studies/{name}/verdicts", responses=problems(404, 422))
def show_verdicts(desk: Desk, name: StudyName) -> VerdictsResource:
    """Results of the designs: how many are feasible, and why the others are not."""
    return desk.verdicts(name)
