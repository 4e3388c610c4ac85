"""``tautline study import``: results from elsewhere as a study that is marked with their source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from errors import InputError
from service.cli.connect import operations
from service.cli.options import DEFAULT_STORE, ServerOption, StoreOption
from service.cli.output import say

TableArgument = Annotated[
    Path,
    typer.Argument(metavar="FILE.csv", help="Table: a column per parameter and metric, units in brackets."),
]  # fmt: skip


def import_results(
    file: TableArgument,
    source: Annotated[
        str, typer.Option("--source", metavar="TEXT", help="Who computed or measured the results.")
    ] = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Name of the study.")] = "",
    study: Annotated[
        Path | None,
        typer.Option("--study", metavar="FILE.toml", help="Study file with ranges, layouts and goals."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="MODEL", help="Model of the parameters, without a study file.")
    ] = "",
    preset: Annotated[
        str | None, typer.Option("--preset", metavar="PRESET", help="Preset of what no column gives.")
    ] = None,
    minimize: Annotated[
        list[str] | None, typer.Option("--minimize", metavar="METRIC", help="Column that is an objective.")
    ] = None,
    maximize: Annotated[
        list[str] | None, typer.Option("--maximize", metavar="METRIC", help="Column that is an objective.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="OLD=NEW",
            help='Other heading for a column, as in "values_0=workspace_volume [m^3]"; OLD= leaves it out.',
        ),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Store results from elsewhere as a study, marked with their source and never mixed with ours.

    The front is that of the table. `[search] from` lets a new study begin with its designs, which are then
    evaluated here.
    """
    from service.resources.studies import ResultsImport

    if (study is None) == (not model):
        raise InputError(
            "say what the columns mean: either a study file with its ranges and goals, or a model", ("study",)
        )
    objectives: dict[str, Any] = {
        **dict.fromkeys(minimize or (), "minimize"), **dict.fromkeys(maximize or (), "maximize")
    }  # fmt: skip
    asked = ResultsImport(
        table=_text(file),
        file=file.name,
        source=source,
        name=name,
        toml="" if study is None else _text(study),
        model=model,
        preset=preset,
        objectives=objectives,
        columns=dict(map(_renaming, column or ())),
    )
    with operations(store, server, make=True) as ops:
        made = ops.studies.import_results(asked)
    for remark in made.remarks:
        say(remark)
    say(f"imported '{made.study.name}' from {made.study.source}; tautline study show {made.study.name}")


def _renaming(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not equals:
        raise InputError(f"'{text}' must be OLD=NEW, with headings of the table", ("column",))
    return old, new


def _text(path: Path) -> str:
    """Text of a file; raises ``InputError`` where it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", (str(path),)) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 text (byte {error.start}); save it as CSV in UTF-8", (str(path),)
        ) from None
