"""Routes that follow from the table of verbs: each answers what the method of its row returns."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

from fastapi import APIRouter, Header, Query
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from service.app.services import Services
from service.resources.files import FloatTable
from service.verbs import CHAPTERS, Verb
from service.web import dependencies
from service.web.documents import STUDY_BODY, StrictRoute, StudyFile
from service.web.problems import Responses, problems
from service.web.responses import (
    ARRAY,
    DESIGN_FILE,
    STUDY_FILE,
    array_response,
    design_file_response,
    study_file_response,
)
from studies.definition.study_definition import StudyDefinition
from studies.exchange.design import DesignFile

_CALLERS = {
    "all": dependencies.Services,
    "admins": dependencies.AdminServices,
    "persons": dependencies.PersonServices,
}
_WIDTH = 106
_SERVICES: Mapping[str, type] = get_type_hints(Services)
_PART = {"limit": (dependencies.Limit, dependencies.DEFAULT_LIMIT), "cursor": (dependencies.Cursor, "")}
"""Types and defaults of what asks for a part of a list."""
IfMatch = Annotated[
    str,
    Header(
        max_length=200,
        description="the study's ETag: the change is refused when somebody else has changed the study since",
    ),
]
_FILES: Mapping[Any, dict[str, Any]] = {str: STUDY_FILE, DesignFile: DESIGN_FILE, FloatTable: ARRAY}
"""Descriptions of answers that are files, by the type that the method returns."""


def add_routes(router: APIRouter, verbs: Iterable[Verb], by_hand: Iterable[BaseRoute]) -> None:
    """Add a route for each row: one that follows from it, or where it says so one of those ``by_hand``."""
    written = {route.name: route for route in by_hand if isinstance(route, APIRoute)}
    for verb in verbs:
        if verb.problems is not None:
            _add(router, verb, verb.problems)
        elif (route := written.pop(verb.operation, None)) is not None:
            route.tags = [_tag(verb)]
            router.routes.append(route)


def _tag(verb: Verb) -> str:
    return verb.tag or CHAPTERS.get(verb.noun, verb.noun)


def _add(router: APIRouter, verb: Verb, statuses: tuple[int, ...]) -> None:
    method = getattr(_SERVICES[verb.noun], verb.name)
    router.add_api_route(
        verb.path,
        _endpoint(verb, method),
        methods=[verb.method],
        status_code=None if verb.status == 200 else verb.status,
        tags=[_tag(verb)],
        description=verb.says or _description(method),
        responses={**problems(*statuses), **_success(verb, method)},
        route_class_override=StrictRoute,
        openapi_extra=dict(STUDY_BODY) if StudyDefinition in get_type_hints(method).values() else None,
        response_class=Response if _file_of(method) else JSONResponse,
    )


def _description(method: Callable[..., Any]) -> str:
    """The docstring as Markdown, in lines of a length that does not depend on where it stands."""
    paragraphs = (inspect.getdoc(method) or "").replace("``", "`").split("\n\n")
    return "\n\n".join(textwrap.fill(text, _WIDTH, break_on_hyphens=False) for text in paragraphs)


def _file_of(method: Callable[..., Any]) -> dict[str, Any] | None:
    """The description of an answer that is a file; None for a resource."""
    return _FILES.get(get_type_hints(method)["return"])


def _success(verb: Verb, method: Callable[..., Any]) -> Responses:
    """The description of a success, where it says more than that."""
    if (file := _file_of(method)) is not None:
        return {verb.status: file}
    headers = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in verb.headers.items()
    }
    return {verb.status: {"description": verb.answer, "headers": headers}} if verb.answer else {}


def _endpoint(verb: Verb, method: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls the verb, with the signature by which FastAPI reads a request."""

    def endpoint(*, services: Services, response: Response, **given: Any) -> Any:
        arguments = {verb.names.get(name, name): value for name, value in given.items()}
        if "if_match" in arguments:
            arguments[verb.names["If-Match"]] = revision_of(arguments.pop("if_match"))
        if "cursor" in arguments:
            arguments["limit"] = dependencies.capped(arguments["limit"])
        found = getattr(getattr(services, verb.noun), verb.name)(**arguments)
        if verb.location:
            response.headers["Location"] = "/api/v1" + verb.location.format(**{**given, **dict(found)})
        if "ETag" in verb.headers:
            response.headers["ETag"] = f'"{found.revision}"'
        if isinstance(found, str | DesignFile | FloatTable):
            return _sent_file(verb, found, given)
        return found if verb.result is None else verb.result(items=found.items)

    hints = get_type_hints(method, include_extras=True)
    taken = [
        _parameter("services", _CALLERS[verb.callers]), _parameter("response", Response),
        *_parameters(verb, method, hints),
    ]  # fmt: skip
    endpoint.__name__ = verb.operation
    endpoint.__signature__ = inspect.Signature(  # pyrefly: ignore[missing-attribute] - FastAPI reads it
        sorted(taken, key=lambda each: each.default is not each.empty),
        return_annotation=_annotation(verb, hints["return"]),
    )
    return endpoint


def _annotation(verb: Verb, result: Any) -> Any:
    """The type by which FastAPI describes an answer."""
    return None if result is NoneType else Response if result in _FILES else verb.result or result


def _sent_file(verb: Verb, found: str | DesignFile | FloatTable, given: Mapping[str, Any]) -> Response:
    """An answer that is a file; its name has no character that a header could not hold."""
    plain = {name: re.sub("[^A-Za-z0-9-]", "", str(value))[:64] for name, value in given.items()}
    if isinstance(found, DesignFile):
        return design_file_response(found, given["format"], verb.file.format(**plain))
    if isinstance(found, str):
        return study_file_response(found, verb.file.format(**plain))
    return array_response(found.values.shape, found.columns, found.units, [found.values.tobytes()])


def revision_of(if_match: str) -> int | None:
    """The revision that ``If-Match`` names; None for any, and one that no study has for what is none.

    A proxy that packs answers marks their ETags as weak, and clients send those back.
    """
    if if_match.strip() in {"", "*"}:
        return None
    text = if_match.strip().removeprefix("W/")
    digits = text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else ""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else -1


def _parameters(verb: Verb, method: Callable[..., Any], hints: Mapping[str, Any]) -> list[inspect.Parameter]:
    """List parameters: names in the path, then all else in the order of the method's signature."""
    stated = inspect.signature(method).parameters
    in_path = verb.in_path
    found = [_parameter(name, _given(hints[own])) for name, own in in_path.items()]
    sent = {own: name for name, own in verb.names.items()}
    part = _PART if "cursor" in stated else {}
    for own, each in stated.items():
        if own not in ("self", "machines", verb.without, *in_path.values(), *part):
            found.append(_sent(sent.get(own, own), hints[own], each.default))
    return [*found, *(_parameter(name, kind, default) for name, (kind, default) in part.items())]


def _given(kind: Any) -> Any:
    """A type without None: what is in the path is there."""
    return next(iter(get_args(kind))) if NoneType in get_args(kind) else kind


def _sent(name: str, kind: Any, default: Any) -> inspect.Parameter:
    """A record, which is the body, a header, or a parameter of the query."""
    if name == "If-Match":
        return _parameter("if_match", IfMatch, "")
    if kind is StudyDefinition:
        return _parameter(name, StudyFile)
    for record in (kind, *get_args(kind)):
        if isinstance(record, type) and issubclass(record, BaseModel):
            return _parameter(name, record)
    if default == ():
        return _parameter(name, Annotated[kind, Query(default_factory=list)])
    return _parameter(name, Annotated[kind, Query()], default)


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
