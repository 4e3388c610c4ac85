"""Every way in which a request can fail, as a problem (RFC 9457), and the OpenAPI document with them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from errors import (
    EditConflictError,
    IdentityError,
    InputError,
    LimitError,
    Place,
    StoreBusyError,
    TautlineError,
)
from models.messages import wording
from service.problem_types import (
    MEDIA_TYPE,
    PROBLEMS,
    STATUS_TITLES,
    ProblemType,
    joined,
    pointer,
    problem_type,
)
from service.resources.studies import EventResource
from studies.definition.study_definition import StudyDefinition

if TYPE_CHECKING:
    from collections.abc import Callable


class FaultDescription(BaseModel):
    """One fault in a request."""

    detail: str = Field(description="fault in words")
    pointer: str | None = Field(
        default=None, description="place in the body (RFC 6901); null: the fault is not there"
    )
    parameter: str | None = Field(
        default=None, description="query parameter or header; null: the fault is not there"
    )
    place: str | None = Field(default=None, description="place, with dots between keys")
    path: list[str | int] | None = Field(default=None, description="the same as keys and item numbers")


class RemedyDescription(BaseModel):
    """A verb that mends what a problem says, as the methods of services are called."""

    noun: str = Field(description="service that has the verb, such as `studies`")
    verb: str = Field(description="method of the service")
    names: list[str] = Field(description="what it is applied to, such as a study's name")
    given: dict[str, str] = Field(description="further arguments")


class ProblemDescription(BaseModel):
    """A problem (RFC 9457)."""

    type: str = Field(description="address that tells problems apart")
    title: str = Field(description="the kind of problem in words")
    status: int = Field(description="HTTP status")
    detail: str = Field(default="", description="this problem in words")
    place: str = Field(default="", description="place of the fault in the request, with dots between keys")
    path: list[str | int] | None = Field(default=None, description="the same as keys and item numbers")
    errors: list[FaultDescription] = Field(
        default_factory=list[FaultDescription], description="each fault of the request"
    )
    needed: int | None = Field(
        default=None,
        description="value that `place` must have to change it all the same, after an edit conflict",
    )
    remedy: RemedyDescription | None = Field(default=None, description="a verb that mends it, if one does")
    request_id: str = Field(description="the server's log has details under this id")


Responses = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """The ``responses`` of a route that can answer with these statuses, besides 401, 403 and 429."""
    schema = {"$ref": "#/components/schemas/ProblemDescription"}
    return {
        status: {"description": STATUS_TITLES[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({400, 401, 403, 429, *statuses})
    }


_FAULT = PROBLEMS[-1]
_INPUT = next(kind for kind in PROBLEMS if kind.name == "input")
_MOST_FAULTS = 20
_HEADERS = {"request_key": "Idempotency-Key"}
"""Arguments that a request gives in a header, and the header."""


class Problem(JSONResponse):
    """An answer that says what is wrong."""

    media_type = MEDIA_TYPE


def problem_of(request: Request, error: Exception) -> Problem:
    """The answer to a request that ended with ``error``; anything unforeseen is a bare 500."""
    if isinstance(error, TautlineError):
        return _of_ours(request, error)
    if isinstance(error, RequestValidationError):
        faults = [_fault(item) for item in error.errors()[:_MOST_FAULTS]]
        detail = "; ".join(": ".join(filter(None, (fault["place"], fault["detail"]))) for fault in faults)
        return _problem(request, _INPUT, detail, errors=faults, place="")
    if isinstance(error, HTTPException):
        title = STATUS_TITLES.get(error.status_code, "Refused")
        body = _with_id(request, {"type": "about:blank", "title": title, "status": error.status_code})
        return Problem(body, error.status_code, error.headers)
    return _problem(request, _FAULT, "the server's log has details under the request's id")


def _of_ours(request: Request, error: TautlineError) -> Problem:
    kind = problem_type(error)
    headers: dict[str, str] = {}
    found: dict[str, Any] = {}
    if isinstance(error, InputError):
        found |= _where(error.place)
        document = getattr(request.state, "document", None)
        if document is not None and _is_in_body(request, error.place, document):
            found["errors"] = [
                {"detail": fault.message, "pointer": pointer(fault.place, document), **_where(fault.place)}
                for fault in error.faults[:_MOST_FAULTS]
            ]
    if isinstance(error, EditConflictError) and error.needed is not None:
        place, needed = error.needed
        found |= {**_where((place,)), "needed": needed}
    if isinstance(error, IdentityError):
        headers["WWW-Authenticate"] = 'Bearer realm="tautline"'
    if isinstance(error, LimitError | StoreBusyError) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    detail = error.message if isinstance(error, InputError | EditConflictError) else str(error)
    if error.remedy is not None and kind.shows_message:
        noun, verb, names, given = error.remedy
        found["remedy"] = {"noun": noun, "verb": verb, "names": list(names), "given": dict(given)}
    if not kind.shows_message:
        detail = "try again later; the server's log has details under the request's id"
    return _problem(request, kind, detail, headers, **found)


def _where(place: Place) -> dict[str, Any]:
    """The members of a problem that say where its fault lies: for people, and for programs."""
    if place and place[0] in _HEADERS:
        place = (_HEADERS[str(place[0])],)
    return {"place": ".".join(map(str, place)), "path": list(place)}


def _is_in_body(request: Request, place: Place, document: Any) -> bool:
    """True if a place lies in the document that was sent, not in the request's address or its headers."""
    if not place:
        return False
    given = isinstance(document, Mapping) and place[0] in document
    return given or place[0] not in {*request.path_params, *request.query_params, *_HEADERS}


def _problem(
    request: Request, kind: ProblemType, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Problem:
    body = {"type": kind.uri, "title": kind.title, "status": kind.status, "detail": detail, **more}
    return Problem(_with_id(request, body), kind.status, dict(headers or {}))


def _with_id(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "request_id": getattr(request.state, "request_id", "")}


def _fault(item: Mapping[str, Any]) -> dict[str, Any]:
    """One fault that FastAPI found, without what was sent: that may be long, or a password."""
    where, *path = item["loc"]
    place = ".".join(map(str, path))
    if where != "body":
        return {"detail": wording(item), "parameter": place, "place": place, "path": path}
    if item["type"] == "json_invalid":
        return {"detail": "is not JSON", "pointer": "", "place": "body", "path": []}
    pointed = joined([str(step) for step in path])
    return {"detail": wording(item), "pointer": pointed, "place": place or "body", "path": path}


_REFERENCE = "#/components/schemas/{model}"
_SECURITY: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "a token, `tl_...`"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-tautline",
        "description": "set by logging in; on loopback without TLS its name is `tautline-` and the port",
    },
}


def describe(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """Return the maker of the description of the routes, which makes it at its first call."""
    made: list[dict[str, Any]] = []

    def description() -> dict[str, Any]:
        if not made:
            made.append(_described(app))
        return made[0]

    return description


def _described(app: FastAPI) -> dict[str, Any]:
    """Routes, with the schemas that they refer to or name, and how a caller authenticates."""
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    components = found.setdefault("components", {})
    for record in (ProblemDescription, EventResource, StudyDefinition):
        _add(components.setdefault("schemas", {}), record)
    components["responses"] = _shared_problems(found["paths"])
    components["securitySchemes"] = _SECURITY
    found["security"] = [{name: []} for name in _SECURITY]
    return found


def _shared_problems(paths: dict[str, Any]) -> dict[str, Any]:
    """Every kind of problem once; the operations refer to it."""
    shared: dict[str, Any] = {}
    operations = (operation for path in paths.values() for operation in path.values())
    for operation in operations:
        for status, response in operation["responses"].items():
            if MEDIA_TYPE in response.get("content", {}):
                shared[f"Problem{status}"] = response
                operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
    return dict(sorted(shared.items()))


def _add(schemas: dict[str, Any], record: type[BaseModel]) -> None:
    schema = record.model_json_schema(ref_template=_REFERENCE)
    schemas.update(schema.pop("$defs", {}))
    schemas[record.__name__] = schema
