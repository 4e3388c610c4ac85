"""The pages, and the scripts and styles that they load; what they show comes from the API."""

from __future__ import annotations

import os
from contextlib import suppress
from html import escape
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Path
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dashboards.pages import asset, asset_version
from errors import AbsentError
from service.access.identity import Identity
from service.resources.parameters import MOST_COMPARED
from service.resources.studies import StudyResource
from service.settings import Settings
from service.web.dependencies import MOST, Services
from service.web.heavy_reads import HeavyRead
from service.web.identity import caller
from service.web.page_responses import html, login_page

router = APIRouter(include_in_schema=False)
_person = [Depends(caller)]
PageStudy = Annotated[str, Path(max_length=64)]

_NOT_FOUND = 404
_SHEET = '<div class="sheet">'
"""Begins what a report shows."""
_FOR_EVER = "public, max-age=31536000, immutable"


def _last_event(request: Request) -> int:
    """The number of the newest event: what the page asks for from now on holds what happened until it."""
    return request.app.state.store.last_event()


@router.get("/")
def studies_page(request: Request) -> HTMLResponse:
    """The studies that the caller may see; how to log in for others."""
    identity = getattr(request.state, "identity", None)
    if not isinstance(identity, Identity):
        return login_page(request)
    return html(request, "studies", after=_last_event(request))


@router.get("/new", dependencies=_person)
def new_page(request: Request) -> HTMLResponse:
    """A form that makes a study; its estimate of cost begins with the workers of the runner beside us."""
    settings: Settings = request.app.state.settings
    workers = None if settings.scheduler else settings.workers or os.cpu_count()
    return html(request, "new", workers=workers)


@router.get("/studies/{name}")
def run_page(request: Request, services: Services, name: PageStudy) -> HTMLResponse:
    """A study while it runs, and afterwards."""
    study = services.studies.get(name)
    return html(request, "run", **_head(study), after=_last_event(request))


@router.get("/studies/{name}/report")
async def report_page(services: Services, heavy: HeavyRead, name: PageStudy) -> HTMLResponse:
    """The study's report as a page: the file that can also be saved, under the policy that stands in it."""

    def work() -> HTMLResponse:
        from dashboards.report import report_policy

        headers = {"Content-Security-Policy": f"{report_policy()}; frame-ancestors 'none'"}
        return HTMLResponse(_with_way_back(services.exports.report(name), name), headers=headers)

    return await heavy.report(work)


@router.get("/studies/{name}/review")
@router.get("/studies/{name}/analyse")
@router.get("/studies/{name}/decide")
def review_page(request: Request, services: Services, name: PageStudy) -> HTMLResponse:
    """A view of a study's results: fronts, designs and robots; what its metrics depend on; the decision."""
    study, view = services.studies.get(name), request.url.path.rpartition("/")[2]
    at = f"/api/v1/studies/{quote(study.name, safe='')}"
    first = [f"{at}/quantities", *(f"{at}/{part}?limit={MOST}" for part in ("front", "picks", "runs"))]
    return html(request, "review", **_head(study), view=view, fetched=first, after=_last_event(request))


def _head(study: StudyResource) -> dict[str, Any]:
    """Fields of the head that all pages of a study share."""
    return {"study": study.name, "alone": _is_alone(study), "source": study.source}


def _is_alone(study: StudyResource) -> bool:
    """True if a study has one layout, so that only another study can be compared with it."""
    return len(study.definition.get("layouts") or ()) < 2


def _with_way_back(report: str, name: str) -> str:
    """The report with links to its study and all designs, which the file that people save does without."""
    study = escape(name)
    back = f'<a href="/studies/{study}">Back to the study {study}</a>'
    every = f'<a href="/api/v1/studies/{study}/export?format=csv" download>All designs as CSV</a>'
    before, sheet, after = report.partition(_SHEET)
    return f'{before}{sheet}\n<nav class="back" aria-label="Study">{back} · {every}</nav>{after}'


@router.get("/compare", dependencies=_person)
def compare_page(request: Request, services: Services) -> HTMLResponse:
    """Layouts and studies against each other; ``?of=`` names the studies, with commas between.

    ``&across_conditions=true`` compares them although their conditions differ. For one study with one
    layout the page is a choice of another one.
    """
    stated = [name for text in request.query_params.getlist("of") for name in text.split(",") if name]
    names = list(dict.fromkeys(stated))
    across = request.query_params.get("across_conditions") == "true"
    further = [("across_conditions", "true")] if across else []
    asked = urlencode([*(("of", name) for name in names), *further])
    study = names[0] if len(names) == 1 else None
    head: dict[str, Any] = {"study": study, "alone": False, "source": ""}
    if study is not None:
        with suppress(AbsentError):  # the script says so, and offers other studies
            head = _head(services.studies.get(study))
    few = 0 < len(names) <= MOST_COMPARED and not head["alone"]
    first = [f"/api/v1/comparison?{asked}"] if few else []
    return html(request, "compare", **head, fetched=first, after=_last_event(request))


@router.get("/account", dependencies=_person)
def account_page(request: Request) -> HTMLResponse:
    """The caller's account, tokens, and logging out."""
    return html(request, "account")


@router.get("/static/{version}/{name:path}")
def static_file(request: Request, version: str, name: str) -> Response:
    """A script or a style; those of another version than this server's are not there."""
    found = asset(name) if version == asset_version() else None
    if found is None:
        raise HTTPException(_NOT_FOUND)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(found.packed if packed else found.content, media_type=found.media_type, headers=headers)
