"""The committed file ``service/openapi.json``: ``python -m service.openapi`` writes it.

:mod:`service.web.problems` makes the content from the routes; a test compares the file with it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import FastAPI

from service.settings import Settings
from service.web.app import create_app
from studies.store import Store

FILE = "openapi.json"


def text(app: FastAPI) -> str:
    """The description as the file has it."""
    return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


def committed() -> str:
    """The file's content."""
    return files("service").joinpath(FILE).read_text(encoding="utf-8")


def described() -> str:
    """Make the file's content from the routes."""
    with TemporaryDirectory() as folder, Store(str(Path(folder) / "tautline.db")) as store:
        return text(create_app(Settings(secret_file=Path(folder) / "server.key"), store))


def main() -> None:
    """Write the file into the folder of this module."""
    Path(__file__).with_name(FILE).write_text(described(), encoding="utf-8")


if __name__ == "__main__":
    main()
