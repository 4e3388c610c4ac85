"""Runs the migrations by alembic, which takes a while to import: only where the schema changes."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def migrate(connection: Connection, folder: Path) -> None:
    """Bring the schema of a database to the newest of the folder, within the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
