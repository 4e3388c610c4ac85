"""``tautline study new``: a commented study file to begin with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from errors import InputError
from service.cli.output import say

_NAME = re.compile(r"[a-z0-9-]{1,64}")


def new(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="Study file to write; if not given, named after its beginning."
        ),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="NAME", help="An example, or a preset; several presets become layouts."
        ),
    ] = None,
    from_csv: Annotated[
        list[Path] | None,
        typer.Option(
            "--from-csv",
            metavar="CSV",
            help="A cable robot: a row for each cable, with columns such as pulley_x [mm] and "
            "attachment_x [mm]. Several files become layouts.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="The back-end of the presets, if several have that name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Write a commented study file: of an example, of presets, or of your own robot in CSV files."""
    from service.beginnings import new_study

    names, tables = from_ or [], from_csv or []
    target = file or Path(f"{_stem([*names, *(table.stem for table in tables)])}.toml")
    if not _NAME.fullmatch(target.stem):
        raise InputError(
            f"'{target.stem}' cannot be the name of a study: use 1 to 64 of a-z, 0-9 and '-', then .toml",
            ("file",),
        )
    if target.exists() and not force:
        raise InputError(f"{target} exists; give another name, or --force to overwrite it", ("file",))
    written = new_study(names, tables, target.parent, target.stem, model)
    try:
        target.write_text(written, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}", ("file",)) from None
    say(f"{target} is written. `tautline robot show {target}` draws its robot, `tautline study run` runs it")


def _stem(names: list[str]) -> str:
    """A name for the study from those of what it begins with."""
    return re.sub(r"[^a-z0-9]+", "-", "-and-".join(names).lower()).strip("-")[:64] or "study"
