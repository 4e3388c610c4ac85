"""Room that is kept beside a SQLite store, so that a run on a full disk can still be left with its reason."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy.engine import URL

BYTES = 256 * 1024
"""More than the log of a change of state takes."""


def _file(url: URL) -> Path | None:
    """The file that keeps the room; None for PostgreSQL."""
    return Path(f"{url.database}-reserve") if url.get_backend_name() == "sqlite" else None


def keep_room(url: URL) -> None:
    """Write the file unless it is there; on a disk without room for it nothing is kept."""
    path = _file(url)
    if path is None or path.exists():
        return
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(bytes(BYTES))
    except FileExistsError:
        pass  # another run was first
    except OSError:
        path.unlink(missing_ok=True)


def free_room(url: URL) -> None:
    """Delete the file."""
    path = _file(url)
    if path is not None:
        with suppress(OSError):
            path.unlink()
