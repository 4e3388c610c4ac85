"""What ``tautline study`` tells of stored studies: list, show, front, compare, report, export, reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from models.errors import InputError, UnknownNameError
from service.cli import tables
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    LayoutOption,
    NameArgument,
    SeedOption,
    ServerOption,
    StoreOption,
)
from service.cli.output import emit, emit_json, say
from service.cli.reach import operations


def list_studies(
    search: Annotated[
        str,
        typer.Option("--search", metavar="TEXT", help="Only those whose name, description or model has it."),
    ] = "",
    archived: Annotated[bool, typer.Option("--archived", help="Those that were put aside.")] = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the stored studies, newest first."""
    with operations(store, server) as where:
        rows = [tables.study_row(study) for study in where.studies(search, archived=archived)]
    emit(rows, format)


def show(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show a study's runs: state, progress, front and hypervolume."""
    with operations(store, server) as where:
        study, runs = where.study(name), where.runs(name)
    if format == "json":
        rows = [tables.run_row(run) for run in runs]
        emit_json({"name": study.name, "state": study.state, "definition": study.definition, "runs": rows})
        return
    tables.emit_runs(runs, format, study.name)


def front(
    name: NameArgument,
    layout: LayoutOption = None,
    seed: SeedOption = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the front of each layout, joint over its seeds, sorted by key."""
    with operations(store, server) as where:
        designs = where.front(name, layout, seed)
        definition = where.study(name).definition
        model = where.model(definition["model"]) if designs and format == "table" else None
    if not designs:
        say(f"no feasible design so far; `tautline study export {name} all.csv` tells why of each")
    if format == "json":
        emit_json([design.model_dump() for design in designs])
    elif format == "csv":
        emit([tables.front_row(design, design.metrics) for design in designs], format)
    else:
        asked = [*definition["objectives"], *definition["constraints"]]
        emit(tables.front_shown(designs, model, asked) if model else [], format)


def compare(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Compare the layouts of a study: winner and margin for every criterion."""
    with operations(store, server) as where:
        comparison = where.compare(name)
    if format == "json":
        emit_json(tables.comparison_json(comparison))
        return
    say(f"hypervolumes are measured against {tables.reference_text(comparison)}")
    for told in comparison.unequal:
        say(told)
    same = "" if comparison.unequal else " under the same conditions"
    rows = (tables.comparison_shown if format == "table" else tables.comparison_rows)(comparison)
    emit(rows, format, f"{name}: layouts compared{same}")


def report(
    name: NameArgument,
    output: Annotated[Path | None, typer.Option("--output", help="Where; NAME.html if not given.")] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write a self-contained HTML report of a study."""
    with operations(store, server) as where:
        content = where.report(name).encode()
    path = output or Path(f"{name}.html")
    _write(path, content)
    say(f"wrote {path}")


def export(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv, .parquet or .json.")],
    front: Annotated[bool, typer.Option("--front", help="Only the designs of the fronts.")] = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write all designs of a study, or its fronts, to a table with units in its headers."""
    from service.operations import ExportFormat

    kinds: dict[str, ExportFormat] = {kind: kind for kind in get_args(ExportFormat)}
    ending = file.suffix.removeprefix(".")
    if ending not in kinds:
        raise UnknownNameError("format", ending, kinds, str(file))
    with operations(store, server) as where:
        table = where.export(name, kinds[ending], only_front=front)
    _write(file, table.content)
    say(f"wrote {table.designs} designs to {file}")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", str(path)) from None


def reproduce(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of a design, or how it begins.")],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Evaluate a stored design again and compare every bit of what comes out."""
    with operations(store, server) as where:
        found = where.reproduce(key)
    if format == "json":
        emit_json(found.model_dump(exclude={"states"}))
    else:
        emit(tables.reproduction_rows(found), format, f"{found.model}, design {found.key[:10]}")
    if not found.identical:
        say(f"differs in {', '.join(found.differences)}; another processor or version can be the reason")
        raise typer.Exit(1)
    say("every bit is the same")
