"""Studies that are made with a key, and drafts, which are sent as files or as trees."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header
from starlette.responses import Response

from service.resources.drafts import StudyDraft
from service.resources.parameters import ReplacedName, StudyName
from service.resources.studies import (
    BranchRequest,
    StudyResource,
)
from service.web.dependencies import Services
from service.web.documents import STUDY_BODY, StrictRoute, StudyFile, draft_document
from service.web.problems import problems

router = APIRouter(prefix="/studies", route_class=StrictRoute)

DraftFile = Annotated[str | dict[str, Any], Depends(draft_document)]
RequestKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key", max_length=255,
        description="a key of your choice: the same request with the same key returns the study that it made",
    ),
]  # fmt: skip

_LOCATION = {"Location": {"description": "address of the study", "schema": {"type": "string"}}}
_ETAG = {"ETag": {"description": "revision of its metadata", "schema": {"type": "string"}}}
_MADE: dict[int | str, dict[str, Any]] = {
    201: {"description": "Stored as drafts", "headers": _LOCATION | _ETAG},
    202: {
        "description": "Stored, and queued for a runner", "model": StudyResource, "headers": _LOCATION | _ETAG
    },
}  # fmt: skip


def _made(study: StudyResource, response: Response, *, launched: bool) -> StudyResource:
    response.status_code = 202 if launched else 201
    response.headers["ETag"] = f'"{study.revision}"'
    response.headers["Location"] = f"/api/v1/studies/{study.name}"
    return study


@router.post(
    "",
    status_code=201,
    openapi_extra=dict(STUDY_BODY),
    responses={**problems(409, 412, 413, 415, 422, 507), **_MADE},
)
def create_study(
    services: Services,
    response: Response,
    definition: StudyFile,
    launch: bool = False,
    key: RequestKey = "",
    replaces: ReplacedName = "",
) -> StudyResource:
    """Store a study, given as TOML or as JSON of the same shape; with `launch=true` queue its runs.

    The same study again is answered with what is stored.
    """
    made = services.studies.create(definition, launch=launch, key=key, replaces=replaces)
    return _made(made, response, launched=launch)


@router.post("/draft", openapi_extra=dict(STUDY_BODY), responses=problems(413, 415, 422))
def draft_study(services: Services, draft: DraftFile, replaces: ReplacedName = "") -> StudyDraft:
    """An unfinished study, as a tree and as a file, with all its faults; nothing is stored.

    It answers 200 for drafts with faults, too; to check a finished study, use `check`.
    """
    if isinstance(draft, str):
        return services.drafts.read(draft, replaces)
    return services.drafts.check(draft, replaces)


@router.post("/{name}/branch", status_code=201, responses={**problems(404, 409, 413, 415, 422, 507), **_MADE})
def branch_study(
    services: Services, response: Response, name: StudyName, wanted: BranchRequest, key: RequestKey = ""
) -> StudyResource:
    """Store the study again under a new name, to be searched with the versions installed now."""
    made = services.studies.branch(name, wanted.name, launch=wanted.launch, key=key)
    return _made(made, response, launched=wanted.launch)
