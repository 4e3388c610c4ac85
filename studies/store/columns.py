"""Types of columns that refuse what would poison the store: numbers that are not finite, broken text."""

from __future__ import annotations

import math
from typing import Any

from sqlalchemy import BigInteger, Dialect, Float, Integer, String, Text
from sqlalchemy.types import TypeDecorator

from models.errors import StoreError

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
