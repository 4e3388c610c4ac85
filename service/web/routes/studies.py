"""Studies that are sent as files, made with a key, or changed where they are as the sender has seen them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header
from starlette.responses import Response

from service.resources.drafts import StudyDraft
from service.resources.models import StudyCheck
from service.resources.parameters import ReplacedName, StudyName
from service.resources.studies import (
    BranchRequest,
    Deletion,
    StudyEdit,
    StudyResource,
)
from service.web.dependencies import Services
from service.web.documents import StrictRoute, draft_document, study_document
from service.web.problems import problems
from studies.definition.study_definition import StudyDefinition

router = APIRouter(prefix="/studies", route_class=StrictRoute)

StudyFile = Annotated[StudyDefinition, Depends(study_document)]
DraftFile = Annotated[str | dict[str, Any], Depends(draft_document)]
IfMatch = Annotated[
    str,
    Header(
        max_length=200,
        description="the study's ETag: the change is refused when somebody else has changed the study since",
    ),
]
RequestKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key", max_length=255,
        description="a key of your choice: the same request with the same key returns the study that it made",
    ),
]  # fmt: skip

_STUDY_SCHEMA = {"$ref": "#/components/schemas/StudyDefinition"}
STUDY_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _STUDY_SCHEMA},
            "application/toml": {"schema": {"type": "string", "description": "a study file"}},
        },
    }
}
_LOCATION = {"Location": {"description": "address of the study", "schema": {"type": "string"}}}
_ETAG = {"ETag": {"description": "revision of its metadata", "schema": {"type": "string"}}}
_MADE: dict[int | str, dict[str, Any]] = {
    201: {"description": "Stored as drafts", "headers": _LOCATION | _ETAG},
    202: {
        "description": "Stored, and queued for a runner", "model": StudyResource, "headers": _LOCATION | _ETAG
    },
}  # fmt: skip
_SHOWN: dict[int | str, dict[str, Any]] = {200: {"description": "The study", "headers": _ETAG}}


def _made(study: StudyResource, response: Response, *, launched: bool) -> StudyResource:
    response.status_code = 202 if launched else 201
    response.headers["ETag"] = f'"{study.revision}"'
    response.headers["Location"] = f"/api/v1/studies/{study.name}"
    return study


def _revision(if_match: str) -> int | None:
    """The revision that ``If-Match`` names; None for any, and one that no study has for what is none.

    A proxy that packs answers marks their ETags as weak, and clients send those back.
    """
    if if_match.strip() in {"", "*"}:
        return None
    text = if_match.strip().removeprefix("W/")
    digits = text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else ""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else -1


@router.post(
    "",
    status_code=201,
    openapi_extra=STUDY_BODY,
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


@router.post("/check", openapi_extra=STUDY_BODY, responses=problems(413, 415, 422))
def check_study(services: Services, definition: StudyFile) -> StudyCheck:
    """Check a study as TOML or JSON without storing anything."""
    return services.studies.check(definition)


@router.post("/draft", openapi_extra=STUDY_BODY, responses=problems(413, 415, 422))
def draft_study(services: Services, draft: DraftFile, replaces: ReplacedName = "") -> StudyDraft:
    """An unfinished study, as a tree and as a file, with all its faults; nothing is stored.

    It answers 200 for drafts with faults, too; to check a finished study, use `check`.
    """
    if isinstance(draft, str):
        return services.drafts.read(draft, replaces)
    return services.drafts.check(draft, replaces)


@router.patch("/{name}", responses={**problems(404, 409, 412, 413, 415, 422, 507), **_SHOWN})
def edit_study(
    services: Services, response: Response, name: StudyName, edit: StudyEdit, if_match: IfMatch = ""
) -> StudyResource:
    """Change description, visibility, archive; admins also the owner. What is left out stays."""
    study = services.studies.edit(name, edit, _revision(if_match))
    response.headers["ETag"] = f'"{study.revision}"'
    return study


@router.delete("/{name}", responses=problems(404, 409, 412, 415, 422, 507))
def delete_study(
    services: Services, name: StudyName, if_match: IfMatch = "", with_decisions: bool = False
) -> Deletion:
    """Delete a study that nobody works on, and evaluations that no other study uses.

    A study on which somebody has decided is refused, unless `with_decisions` says that these go too.
    """
    return services.studies.delete(name, _revision(if_match), with_decisions=with_decisions)


@router.post("/{name}/branch", status_code=201, responses={**problems(404, 409, 413, 415, 422, 507), **_MADE})
def branch_study(
    services: Services, response: Response, name: StudyName, wanted: BranchRequest, key: RequestKey = ""
) -> StudyResource:
    """Store the study again under a new name, to be searched with the versions installed now."""
    made = services.studies.branch(name, wanted.name, launch=wanted.launch, key=key)
    return _made(made, response, launched=wanted.launch)
