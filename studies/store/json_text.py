"""JSON columns as text. Numbers come back to the bit; what is not finite is refused.

Parameters and metrics of every design pass here, so that pydantic's writer and reader do the work:
at a tenth of the cost of Python's own, which are left with what those do not take.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json, to_json

from models.errors import StoreError

_STRICT = json.JSONEncoder(allow_nan=False, separators=(",", ":"))


def encoded(value: Any) -> str:
    """Plain values as ASCII text; raises ``StoreError`` for a number that is not finite."""
    try:
        text = to_json(value, inf_nan_mode="constants").decode()
    except ValueError:  # half a character
        return _strictly(value)
    if text.isascii() and "NaN" not in text and "Infinity" not in text:
        return text
    return _strictly(value)


def _strictly(value: Any) -> str:
    try:
        return _STRICT.encode(value)
    except ValueError as error:
        raise StoreError(f"{error}; such values cannot be stored") from None


def decoded(text: str | bytes) -> Any:
    """The values in stored text."""
    try:
        return from_json(text)
    except ValueError:  # half a character
        return json.loads(text)
