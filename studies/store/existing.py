"""Stores that must be there already: a name that was mistyped makes no new one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import URL

from models.errors import InputError
from studies.store.backup import back_up
from studies.store.database import parse_url
from studies.store.store import Store


def open_existing(url: str, *, migrate: bool = False) -> Store:
    """The store at ``url``; raises ``InputError`` where a SQLite file is missing, instead of making one."""
    _existing(url)
    return Store(url, migrate=migrate)


def back_up_store(url: str, target: Path) -> None:
    """Copy a SQLite store, also one with an older schema, to a new file; see :meth:`Store.backup`."""
    back_up(_existing(url), target)


def _existing(url: str) -> URL:
    parsed = parse_url(url)
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database is not None
    if is_file and not Path(parsed.database or "").is_file():
        raise InputError(
            f"there is no store at '{parsed.database}'; check the name, "
            "or let `tautline study run FILE` make one",
            "--store",
        )
    return parsed
