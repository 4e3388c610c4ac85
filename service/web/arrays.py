"""Arrays as a response: little-endian float32 in rows, with shape, columns and units in headers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from starlette.responses import StreamingResponse

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
