"""Answers as JSON and as arrays, and the kind of body that a request has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse


def media_type(headers: Headers) -> str:
    """The media type without parameters, in small letters; empty where none is given."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


_OK = 200


def serialised(endpoint: Callable[..., Any], status: int | None) -> Callable[..., Any]:
    """The handler of a route, whose resource comes back as a response.

    FastAPI would check a resource once more, which checked itself when it was made, in another thread,
    and write it on the event loop, which all other requests wait for.
    """
    if iscoroutinefunction(endpoint):
        return endpoint

    @wraps(endpoint)
    def answered(**given: Any) -> Any:
        found = endpoint(**given)
        if not isinstance(found, BaseModel):
            return found
        given_response = next((value for value in given.values() if isinstance(value, Response)), None)
        code = (given_response.status_code if given_response is not None else None) or status or _OK
        answer = Response(found.model_dump_json(by_alias=True), code, media_type="application/json")
        if given_response is not None:
            answer.raw_headers.extend(given_response.raw_headers)
        return answer

    return answered


MEDIA_TYPE = "application/octet-stream"
_HEADERS = {
    "Tautline-Shape": "rows and columns, as `200,7`",
    "Tautline-Columns": "names of the columns, percent-encoded, between commas",
    "Tautline-Units": "a unit for each column, percent-encoded, between commas",
}
ARRAY: dict[str, Any] = {
    "description": "Little-endian float32, row by row. What does not exist, null in JSON, is NaN here.",
    "content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    "headers": {name: {"description": text, "schema": {"type": "string"}} for name, text in _HEADERS.items()},
}
"""How OpenAPI describes such a response."""


def array_response(
    shape: tuple[int, int],
    columns: Sequence[str],
    units: Sequence[str],
    pieces: Iterable[bytes],
    **more: str,
) -> StreamingResponse:
    """An array of a shape known beforehand, whose bytes come in pieces; ``more`` are further headers."""
    headers = {
        **more,
        "Tautline-Shape": f"{shape[0]},{shape[1]}",
        "Tautline-Columns": ",".join(quote(name, safe="") for name in columns),
        "Tautline-Units": ",".join(quote(unit, safe="") for unit in units),
        "Content-Length": str(4 * shape[0] * shape[1]),
    }
    return StreamingResponse(pieces, media_type=MEDIA_TYPE, headers=headers)
