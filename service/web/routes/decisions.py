"""Choosing a design of a study: rankings, decisions and the decision sheet."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from service.resources.decisions import (
    DecisionRequest,
    DecisionResource,
    PreferencesRequest,
    RankingResource,
    RuleResource,
    sheet_file,
)
from service.resources.models import Page
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(tags=["decisions"], route_class=StrictRoute)

DecisionNumber = Annotated[int, Path(ge=1, lt=2**31, description="number of a decision of the study, from 1")]
Saved = Annotated[bool, Query(description="whether a browser saves the page as a file instead of showing it")]

_OF_STUDY = "/studies/{name}"
_SHEET: dict[str, Any] = {
    "description": "The sheet, which loads nothing, runs no script and prints on one page",
    "content": {"text/html": {"schema": {"type": "string"}}},
}
_MADE: dict[int | str, dict[str, Any]] = {
    201: {
        "description": "Recorded",
        "headers": {"Location": {"description": "address of the decision", "schema": {"type": "string"}}},
    }
}


@router.get("/decision-rules", responses=problems())
def list_decision_rules(services: Services) -> Page[RuleResource]:
    """The rules that rank designs: what their scores are, where they are from and what they use."""
    return services.decisions.rules()


@router.post(f"{_OF_STUDY}/ranking", responses=problems(404, 409, 413, 415, 422))
def rank_designs(services: Services, name: StudyName, wanted: PreferencesRequest) -> RankingResource:
    """The designs on the fronts in the order of a rule, the best 1000 of them; nothing is stored."""
    return services.decisions.rank(name, wanted)


@router.get(f"{_OF_STUDY}/decisions", responses=problems(404, 422))
def list_decisions(services: Services, name: StudyName) -> Page[DecisionResource]:
    """The decisions of the study, the one that stands first; earlier ones are kept."""
    return services.decisions.list(name)


@router.get(f"{_OF_STUDY}/decisions/{{number}}", responses=problems(404, 422))
def show_decision(services: Services, name: StudyName, number: DecisionNumber) -> DecisionResource:
    """A decision with the candidates that the design was chosen from."""
    return services.decisions.get(name, number)


@router.get(
    f"{_OF_STUDY}/decisions/{{number}}/sheet",
    response_class=Response,
    responses={**problems(404, 422), 200: _SHEET},
)
def get_decision_sheet(
    services: Services, name: StudyName, number: DecisionNumber, download: Saved = False
) -> Response:
    """A printed page about a decision and the design that it chose, also after another one replaced it."""
    return _sheet(services.decisions.sheet(name, number=number), sheet_file(name, number), download=download)


@router.post(
    f"{_OF_STUDY}/decisions",
    status_code=201,
    responses={**problems(404, 409, 412, 413, 415, 422, 507), **_MADE},
)
def add_decision(
    services: Services, response: Response, name: StudyName, chosen: DecisionRequest
) -> DecisionResource:
    """Record that a design is chosen, by which rule and why.

    `replaces` names the decision that stands: where another one stands, nothing is recorded.
    """
    made = services.decisions.add(name, chosen)
    response.headers["Location"] = f"/api/v1/studies/{name}/decisions/{made.number}"
    return made


@router.get(f"{_OF_STUDY}/sheet", response_class=Response, responses={**problems(404, 409, 422), 200: _SHEET})
def get_sheet(
    services: Services,
    name: StudyName,
    key: Annotated[
        str, Query(max_length=64, description="key of a design, or its first characters; else the chosen one")
    ] = "",
    download: Saved = False,
) -> Response:
    """A printed page about the decision that stands, or about another design."""
    return _sheet(services.decisions.sheet(name, key), sheet_file(name), download=download)


def _sheet(content: str, file: str, *, download: bool) -> Response:
    """A sheet that a browser shows under its own policy, or saves."""
    from dashboards.decision_sheet import POLICY

    headers = {
        "Content-Disposition": f'{"attachment" if download else "inline"}; filename="{file}"',
        "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    }
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)
