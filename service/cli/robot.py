"""``tautline robot``: a robot before any search, in numbers and in space, or as a file of another program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.design import FileFormatOption, OutputOption, chosen_format, write_file
from service.cli.options import BackEndOption, FormatOption, RobotArgument
from service.cli.output import Format, emit, emit_json, message_if_slow, say
from service.cli.units import in_units

if TYPE_CHECKING:
    from service.new_studies import RobotViews

app = typer.Typer(help="Robots: show or export one before any search.", no_args_is_help=True)


@app.command()
def show(
    robot: RobotArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Page to write; NAME-robot.html if not given."),
    ] = None,
    model: BackEndOption = None,
    format: FormatOption = "table",
) -> None:
    """Print where cables run and what parameters are. Writes a page with a drawing that can be turned."""
    from service.new_studies import robots_of

    with message_if_slow("drawing; the first time on a machine, kernels are compiled (up to a minute)"):
        found = robots_of(robot, model)
    target = found.write(output or Path(f"{found.title}-robot.html"))
    _emit(found, format)
    say(f"{target} shows it: open it in a browser")


@app.command()
def export(
    robot: RobotArgument,
    format: FileFormatOption = None,
    output: OutputOption = None,
    layout: Annotated[
        str | None, typer.Option("--layout", help="The layout, if a study has several.")
    ] = None,
    model: BackEndOption = None,
) -> None:
    """Write a robot as a file: for CAD, a simulator, a viewer, or a table. Needs no store."""
    from service.new_studies import exported_robot

    kind = chosen_format(format, output)
    with message_if_slow("writing; the first time on a machine, kernels are compiled (up to a minute)"):
        name, found = exported_robot(robot, kind, layout, model)
    write_file(found, kind, output, name)


def _emit(found: RobotViews, format: Format) -> None:
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
    rounded = [line | {name: round(line[name], 9) + 0.0 for name in numbers} for line in lines]  # m
    emit(in_units(rounded, dict.fromkeys(numbers, "m")), format, "Lines")
    for view in views:
        rows = [{"parameter": name, "value": text} for name, text in view.stated.items()]
        emit(rows, format, f"Parameters of {view.layout} that differ from the defaults of the back-end")
        say(f"{view.layout}: {view.caption}")
