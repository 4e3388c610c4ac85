"""What kind of body a request says that it has."""

from __future__ import annotations

from starlette.datastructures import Headers


def media_type(headers: Headers) -> str:
    """The media type without parameters, in small letters; empty where none is given."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()
