"""Studies: create, check, list, search, edit, launch, pause, stop, branch, delete."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query
from starlette.responses import Response

from service.app.studies import MOST_SEARCHED
from service.resources.drafts import EditedDraft, NewStudyRequest, StudyDraft
from service.resources.models import Page, StudyCheck
from service.resources.studies import (
    BranchRequest,
    Deletion,
    ExtensionRequest,
    StudyEdit,
    StudyResource,
    StudySummary,
)
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute, draft_document, study_document
from service.web.problems import problems
from studies.definition import StudyDefinition

router = APIRouter(prefix="/studies", tags=["studies"], route_class=StrictRoute)

StudyName = Annotated[str, Path(max_length=64, description="a study's name")]
StudyFile = Annotated[StudyDefinition, Depends(study_document)]
Replaced = Annotated[str, Query(max_length=64, description="name of a draft that the study replaces")]
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
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The study file", "content": {"application/toml": {"schema": {"type": "string"}}}}
}
_ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {"description": "Accepted; the study's state says when it is done", "headers": _LOCATION | _ETAG}
}


def _answer(study: StudyResource, response: Response, *, located: bool = False) -> StudyResource:
    response.headers["ETag"] = f'"{study.revision}"'
    if located:
        response.headers["Location"] = f"/api/v1/studies/{study.name}"
    return study


def _made(study: StudyResource, response: Response, *, launched: bool) -> StudyResource:
    response.status_code = 202 if launched else 201
    return _answer(study, response, located=True)


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
    replaces: Replaced = "",
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
def draft_study(services: Services, draft: DraftFile, replaces: Replaced = "") -> StudyDraft:
    """An unfinished study, as a tree and as a file, with all its faults; nothing is stored.

    It answers 200 for drafts with faults, too; to check a finished study, use `check`.
    """
    if isinstance(draft, str):
        return services.drafts.read(draft, replaces)
    return services.drafts.check(draft, replaces)


@router.post("/draft/edited", responses=problems(413, 415, 422))
def edit_draft(services: Services, draft: EditedDraft, replaces: Replaced = "") -> StudyDraft:
    """The same for a tree, whose values are put into a file: comments and order stay if they can."""
    return services.drafts.edit(draft, replaces)


@router.post("/draft/new", responses=problems(413, 415, 422))
def begin_draft(services: Services, wanted: NewStudyRequest) -> StudyDraft:
    """A commented study to begin with: of an example, of presets, or of cable robots in files.

    The server opens no file: texts are sent, of CSV tables with a row for each cable, and of robots in URDF,
    SDF, CASPR, WireX, cdpyr and JSON of Tautline. `robots` says what was read of these, assumed and left out.
    """
    return services.drafts.begin(wanted)


@router.get("", responses=problems(422))
def list_studies(
    services: Services,
    search: Annotated[
        str, Query(max_length=MOST_SEARCHED, description="text in name, description, model or tag")
    ] = "",
    archived: bool = False,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[StudySummary]:
    """Studies that you may see, newest first: those that are archived, or those that are not."""
    return services.studies.list(search, archived=archived, cursor=cursor, limit=capped(limit))


@router.get("/{name}", responses={**problems(404, 422), **_SHOWN})
def show_study(services: Services, response: Response, name: StudyName) -> StudyResource:
    """A study with its definition; the ETag is the revision of its metadata."""
    return _answer(services.studies.get(name), response)


@router.patch("/{name}", responses={**problems(404, 409, 412, 413, 415, 422, 507), **_SHOWN})
def edit_study(
    services: Services, response: Response, name: StudyName, edit: StudyEdit, if_match: IfMatch = ""
) -> StudyResource:
    """Change description, visibility, archive; admins also the owner. What is left out stays."""
    return _answer(services.studies.edit(name, edit, _revision(if_match)), response)


@router.delete("/{name}", responses=problems(404, 409, 412, 415, 422, 507))
def delete_study(
    services: Services, name: StudyName, if_match: IfMatch = "", with_decisions: bool = False
) -> Deletion:
    """Delete a study that nobody works on, and evaluations that no other study uses.

    A study on which somebody has decided is refused, unless `with_decisions` says that these go too.
    """
    return services.studies.delete(name, _revision(if_match), with_decisions=with_decisions)


@router.post("/{name}/launch", status_code=202, responses={**problems(404, 409, 415, 422, 507), **_ACCEPTED})
def launch_study(services: Services, response: Response, name: StudyName) -> StudyResource:
    """Queue drafts and paused runs for a runner."""
    return _answer(services.studies.launch(name), response, located=True)


@router.post("/{name}/pause", status_code=202, responses={**problems(404, 409, 415, 422, 507), **_ACCEPTED})
def pause_study(services: Services, response: Response, name: StudyName) -> StudyResource:
    """Pause the runs; launching continues them."""
    return _answer(services.studies.pause(name), response, located=True)


@router.post("/{name}/stop", status_code=202, responses={**problems(404, 409, 415, 422, 507), **_ACCEPTED})
def stop_study(services: Services, response: Response, name: StudyName) -> StudyResource:
    """Cancel the runs for good; their results stay."""
    return _answer(services.studies.stop(name), response, located=True)


@router.post("/{name}/branch", status_code=201, responses={**problems(404, 409, 413, 415, 422, 507), **_MADE})
def branch_study(
    services: Services, response: Response, name: StudyName, wanted: BranchRequest, key: RequestKey = ""
) -> StudyResource:
    """Store the study again under a new name, to be searched with the versions installed now."""
    made = services.studies.branch(name, wanted.name, launch=wanted.launch, key=key)
    return _made(made, response, launched=wanted.launch)


@router.post(
    "/{name}/extend", status_code=202, responses={**problems(404, 409, 412, 413, 415, 422, 507), **_ACCEPTED}
)
def extend_study(
    services: Services, response: Response, name: StudyName, budget: ExtensionRequest
) -> StudyResource:
    """Give the study a larger budget: its searches continue where they ended, with the same log.

    Budgets are totals per run, so that the same request again changes nothing. A search whose designs depend
    on the budget, as a Latin hypercube's do, is refused.
    """
    return _answer(services.studies.extend(name, budget), response, located=True)


@router.get(
    "/{name}/file",
    response_class=Response,
    responses={**problems(404, 422), **_FILE},
)
def show_file(services: Services, name: StudyName) -> Response:
    """The study as a file that anybody can run."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(services.studies.file(name), media_type="application/toml", headers=headers)
