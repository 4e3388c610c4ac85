"""``tautline design``: what can be asked of one stored design; export it for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errors import InputError
from service.cli.connect import operations
from service.cli.options import DEFAULT_STORE, KeyArgument, OwnModelOption, ServerOption, StoreOption
from service.cli.output import message_if_slow, say
from service.cli.robustness import robust
from studies.execution.evaluation_key import short_key

if TYPE_CHECKING:
    from studies.exchange.design import DesignFile
    from studies.exchange.formats import Format

app = typer.Typer(
    help="One stored design: under tolerances; export for other programs.", no_args_is_help=True
)
app.command()(robust)

FileFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="json, csv, urdf, sdf, dxf, step, vtk, gltf or netcdf; that of the file's ending if not given.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="File to write; has a name if not given."),
]


@app.callback()
def _group() -> None:
    """Keep the name of the only command."""


@app.command()
def export(
    key: KeyArgument,
    format: FileFormatOption = None,
    output: OutputOption = None,
    study: Annotated[str | None, typer.Option("--study", help="Only a design of this study.")] = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write a stored design as a file: for CAD, a simulator, a viewer, or a table."""
    kind = chosen_format(format, output)
    with (
        operations(store, server) as ops,
        message_if_slow("writing; the first time on a machine, kernels are compiled (up to a minute)"),
    ):
        found = ops.designs.export(key, kind, study)
    write_file(found, kind, output, f"design-{short_key(key)}")


def chosen_format(name: str | None, output: Path | None) -> Format:
    """The format that is named, else that of the file's ending; raises ``InputError`` without either."""
    from studies.exchange.formats import FORMATS, format_named

    if name is not None:
        return format_named(name)
    if output is None or not output.suffix:
        raise InputError(f"name one of {', '.join(FORMATS)}, or an --output with its ending", ("format",))
    return format_named(output.suffix.removeprefix("."))


def write_file(found: DesignFile, kind: Format, output: Path | None, name: str) -> None:
    """Write a file of a design, and say what it does not hold; raises ``InputError`` where it cannot be."""
    from studies.exchange.formats import FORMATS

    target = output or Path(f"{name}.{FORMATS[kind].ending}")
    try:
        target.write_bytes(found.content)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}", ("output",)) from None
    for warning in found.warnings:
        say(f"warning: {warning}")
    say(f"{target} is written: {FORMATS[kind].holds}")
