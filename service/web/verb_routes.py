"""Routes that follow from the table of verbs: each answers what the method of its row returns."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

from fastapi import APIRouter, Query
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import Response
from starlette.routing import BaseRoute

from service.app.services import Services
from service.verbs import CHAPTERS, Verb
from service.web import dependencies
from service.web.documents import StrictRoute
from service.web.problems import Responses, problems

_CALLERS = {
    "all": dependencies.Services,
    "admins": dependencies.AdminServices,
    "persons": dependencies.PersonServices,
}
_WIDTH = 106
_SERVICES: Mapping[str, type] = get_type_hints(Services)
_PART = {"limit": (dependencies.Limit, dependencies.DEFAULT_LIMIT), "cursor": (dependencies.Cursor, "")}
"""Types and defaults of what asks for a part of a list."""


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
        responses={**problems(*statuses), **_success(verb)},
        route_class_override=StrictRoute,
    )


def _description(method: Callable[..., Any]) -> str:
    """The docstring as Markdown, in lines of a length that does not depend on where it stands."""
    paragraphs = (inspect.getdoc(method) or "").replace("``", "`").split("\n\n")
    return "\n\n".join(textwrap.fill(text, _WIDTH, break_on_hyphens=False) for text in paragraphs)


def _success(verb: Verb) -> Responses:
    """The description of a success, where it says more than that."""
    headers = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in verb.headers.items()
    }
    return {verb.status: {"description": verb.answer, "headers": headers}} if verb.answer else {}


def _endpoint(verb: Verb, method: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls the verb, with the signature by which FastAPI reads a request."""

    def endpoint(*, services: Services, response: Response, **given: Any) -> Any:
        arguments = {verb.names.get(name, name): value for name, value in given.items()}
        if "cursor" in arguments:
            arguments["limit"] = dependencies.capped(arguments["limit"])
        found = getattr(getattr(services, verb.noun), verb.name)(**arguments)
        if verb.location:
            response.headers["Location"] = "/api/v1" + verb.location.format(**{**given, **dict(found)})
        if "ETag" in verb.headers:
            response.headers["ETag"] = f'"{found.revision}"'
        return found if verb.result is None else verb.result(items=found.items)

    hints = get_type_hints(method, include_extras=True)
    taken = [
        _parameter("services", _CALLERS[verb.callers]), _parameter("response", Response),
        *_parameters(verb, method, hints),
    ]  # fmt: skip
    endpoint.__name__ = verb.operation
    endpoint.__signature__ = inspect.Signature(  # pyrefly: ignore[missing-attribute] - FastAPI reads it
        sorted(taken, key=lambda each: each.default is not each.empty),
        return_annotation=None if hints["return"] is NoneType else verb.result or hints["return"],
    )
    return endpoint


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
    """A record, which is the body, or a parameter of the query."""
    for record in (kind, *get_args(kind)):
        if isinstance(record, type) and issubclass(record, BaseModel):
            return _parameter(name, record)
    if default == ():
        return _parameter(name, Annotated[kind, Query(default_factory=list)])
    return _parameter(name, Annotated[kind, Query()], default)


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
