"""Answers as JSON, as arrays and as files, and the kind of body that a request has."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Callable, Iterable, Sequence
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse

from studies.exchange.design import DesignFile
from studies.exchange.formats import FORMATS, Format


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
"""Description of such a response in OpenAPI."""


def array_response(
    shape: tuple[int, int],
    columns: Sequence[str],
    units: Sequence[str],
    pieces: Iterable[bytes] | AsyncIterable[bytes],
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


# ---------------------------------------------------------------- designs as files


def _schema(media_type: str) -> dict[str, str]:
    return {"type": "object"} if "json" in media_type else {"type": "string", "format": "binary"}


DESIGN_FILE: dict[str, Any] = {
    "description": "The file, in SI units",
    "content": {
        each.media_type.partition(";")[0]: {"schema": _schema(each.media_type)} for each in FORMATS.values()
    },
    "headers": {
        "Tautline-Warnings": {
            "description": "sentences about what the file does not hold, as a JSON list",
            "schema": {"type": "string"},
        }
    },
}
"""Description of a design as a file in OpenAPI."""
STUDY_FILE: dict[str, Any] = {
    "description": "The study file", "content": {"application/toml": {"schema": {"type": "string"}}}
}  # fmt: skip


def design_file_response(found: DesignFile, kind: Format, name: str) -> Response:
    """A design as a file to save; ``name`` without its ending."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.{FORMATS[kind].ending}"',
        "Tautline-Warnings": json.dumps(found.warnings),
    }
    return Response(found.content, media_type=FORMATS[kind].media_type, headers=headers)


def study_file_response(content: str, name: str) -> Response:
    """A study file to save under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/toml", headers=headers)
