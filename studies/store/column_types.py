"""Types of columns that refuse what would poison the store: numbers that are not finite, broken text.

Parameters and metrics of every design pass here, so that pydantic's writer and reader do the work:
at a tenth of the cost of Python's own, which are left with what those do not take.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic_core import from_json, to_json
from sqlalchemy import BigInteger, ColumnElement, Dialect, Float, Integer, String, Text, cast
from sqlalchemy.types import TypeDecorator

from errors import StoreError
from studies.deferred import Deferred

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


class DeferredJSON(TypeDecorator[Mapping[str, Any]]):
    """JSON that is read as text, and decoded when somebody looks into it."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Mapping[str, Any]:
        """Keep the text until then."""
        del dialect
        return Deferred(partial(decoded, value))


def deferred(column: ColumnElement[Any]) -> ColumnElement[Mapping[str, Any]]:
    """A column of JSON objects, as :class:`DeferredJSON`."""
    return cast(column, DeferredJSON)


# SQLite counts rows by itself only in a column that is plainly INTEGER PRIMARY KEY.
Id = BigInteger().with_variant(Integer, "sqlite")


def storable(text: str) -> str:
    """The text, with a question mark for what no database can hold: NUL, half a character."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "?").encode("utf-8", "replace").decode("utf-8")


class Finite(TypeDecorator[float]):
    """A float; NaN and infinities are refused (SQLite would store NaN as NULL, PostgreSQL as it is)."""

    impl = Float
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        """Let finite numbers and NULL pass."""
        del dialect
        if value is not None and not math.isfinite(value):
            raise StoreError(f"{value} is not a finite number and cannot be stored")
        return value


class Words(TypeDecorator[str]):
    """Text from anywhere, made :func:`storable`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Replace what cannot be stored."""
        del dialect
        return None if value is None else storable(value)


class Label(TypeDecorator[str]):
    """A short name, also one that somebody asks for: made :func:`storable`, so that it is just not found."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Replace what no name can hold."""
        del dialect
        return None if value is None else storable(value)


class AccountName(Label):
    """The name of an account. Nobody's is the empty text in code and NULL in the table."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Write NULL where there is no account."""
        return super().process_bind_param(value, dialect) or None

    def process_result_value(self, value: Any, dialect: Dialect) -> str:
        """Read NULL as the empty text."""
        del dialect
        return value or ""


def belongs_to(column: ColumnElement[str], account: str) -> ColumnElement[bool]:
    """True if a column of :class:`AccountName` names the account, or is NULL where ``account`` is empty."""
    return column == account if account else column.is_(None)
