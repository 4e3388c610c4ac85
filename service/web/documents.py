"""Request bodies: JSON and TOML, read strictly, and kept for the pointers of problems."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from errors import InputError
from models.messages import json_fault
from service.app.drafts import read_table
from service.web.responses import media_type, serialised
from studies.definition.documents import refuse_depth
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define

_UNSUPPORTED = 415
_PLACE = ("body",)
_MOST_DIGITS = 25
"""More than a whole number of 64 bits has."""
_JSON = "application/json"
_TOML = "application/toml"


def read_json(content: bytes) -> Any:
    """JSON without duplicate keys, NaN, numbers beyond range, half characters or great depth."""
    text = _text(content)
    try:
        tree = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON: {json_fault(text, error)}", _PLACE) from None
    refuse_depth(tree)
    try:
        json.dumps(tree, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(
            "is not JSON: one of its escape sequences stands for half a character", _PLACE
        ) from None
    return tree


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", _PLACE) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            raise ValueError(f"the key {name[:40]!r} is given twice in one table")
        table[name] = value
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _whole(text: str) -> int | float:
    """A whole number of 64 bits, or a float: JavaScript writes 1e20 with all its digits."""
    value = int(text) if len(text) < _MOST_DIGITS else None
    return value if value is not None and -(2**63) <= value < 2**63 else _finite(text)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is too large")
    return value


class StrictRequest(Request):
    """A request whose JSON is read by :func:`read_json`."""

    async def json(self) -> Any:
        """The body; raises ``InputError``."""
        if not hasattr(self, "_json"):
            self._json = await run_sync(read_json, await self.body())
            self.state.document = self._json
        return self._json


class StrictRoute(APIRoute):
    """A route whose bodies are read strictly, and whose answers are written where they are found."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, serialised(endpoint, options.get("status_code")), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, given a :class:`StrictRequest`."""
        handle = super().get_route_handler()
        takes_json = self.body_field is not None

        async def strictly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if takes_json and await strict.body():
                await strict.json()  # before FastAPI, which would answer every fault in it with a bare 400
            return await handle(strict)

        return strictly


async def study_document(request: Request) -> StudyDefinition:
    """The study that was sent, as TOML or as JSON of the same shape; read off the event loop."""
    return await run_sync(_study, request, *await _sent(request))


StudyFile = Annotated[StudyDefinition, Depends(study_document)]
STUDY_BODY: Mapping[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/StudyDefinition"}},
            "application/toml": {"schema": {"type": "string", "description": "a study file"}},
        },
    }
}
"""Description of a study's body."""


async def draft_document(request: Request) -> str | dict[str, Any]:
    """A draft that was sent: as TOML its text, as JSON its tree."""
    kind, content = await _sent(request)
    return _text(content) if kind == _TOML else await run_sync(_read_object, content)


async def _sent(request: Request) -> tuple[str, bytes]:
    """The kind and the content of a study's body."""
    kind = media_type(request.headers)
    content = await request.body()
    if kind not in {_TOML, _JSON}:
        raise HTTPException(_UNSUPPORTED)
    return kind, content


def _study(request: Request, kind: str, content: bytes) -> StudyDefinition:
    table = read_table(_text(content)) if kind == _TOML else _read_object(content)
    request.state.document = table
    return define(table)


def _read_object(content: bytes) -> dict[str, Any]:
    tree = read_json(content)
    if not isinstance(tree, dict):
        raise InputError(
            "is not a table; a study has keys such as name, model, variables, objectives", _PLACE
        )
    return tree
