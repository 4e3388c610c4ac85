"""``tautline robot show``: a robot in numbers and in space, before any search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import FormatOption
from service.cli.output import Format, emit, emit_json, message_if_slow, say
from service.cli.units import in_units

if TYPE_CHECKING:
    from service.beginnings import Robots

app = typer.Typer(help="Robots: show one before any search.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep the name of the only command."""


@app.command()
def show(
    robot: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A study file, an example or a preset.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Page to write; NAME-robot.html if not given."),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="The back-end of the preset, if several have that name.")
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Print where cables run and what parameters are. Writes a page with a drawing that can be turned."""
    from service.beginnings import robots_of

    with message_if_slow("drawing; the first time on a machine, kernels are compiled (up to a minute)"):
        found = robots_of(robot, model)
    target = found.write(output or Path(f"{found.title}-robot.html"))
    _emit(found, format)
    say(f"{target} shows it: open it in a browser")


def _emit(found: Robots, format: Format) -> None:  # noqa: A002
    lines, views = found.rows(), found.views
    if len(views) == 1 and format == "table":
        lines = [{name: value for name, value in line.items() if name != "layout"} for line in lines]
    if format == "json":
        parameters = {view.layout: view.record.model_dump(mode="json") for view in views}
        captions = {view.layout: view.caption for view in views}
        emit_json({"lines": lines, "parameters": parameters, "captions": captions})
        return
    numbers = ("from x", "from y", "from z", "to x", "to y", "to z", "length")
    if format == "csv":
        emit(lines, format)
        return
    emit(in_units(lines, dict.fromkeys(numbers, "m")), format, "Lines")
    for view in views:
        rows = [{"parameter": name, "value": text} for name, text in view.stated.items()]
        emit(rows, format, f"Parameters of {view.layout} that differ from the defaults of the back-end")
        say(f"{view.layout}: {view.caption}")
