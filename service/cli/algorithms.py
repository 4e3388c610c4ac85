"""``tautline algorithms``: what can search, and its settings."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli.connect import operations_without_store
from service.cli.options import FormatOption, ServerOption
from service.cli.output import emit, emit_json, say

app = typer.Typer(help="Search algorithms: list, describe.", no_args_is_help=True)


@app.command("list")
def list_algorithms(server: ServerOption = None, format: FormatOption = "table") -> None:
    """List the installed search algorithms, also those of other packages."""
    with operations_without_store(server) as ops:
        found = ops.algorithms.list().items
    if format == "json":
        emit_json([each.model_dump() for each in found])
    else:
        rows = [
            {
                "algorithm": each.algorithm,
                "objectives": _range(*each.objectives),
                "constraints": "yes" if each.constraints else "no",
                "suits": each.suits,
                "package": each.package or "tautline",
            }
            for each in found
            if not each.fault
        ]
        emit(rows, format)
    for each in found:
        if each.fault:
            say(f"warning: {each.fault}")


@app.command()
def show(
    algorithm: Annotated[str, typer.Argument(help="Name as in `tautline algorithms list`.")],
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Describe a search algorithm. Shows its limits, and what `[search.settings]` may set."""
    with operations_without_store(server) as ops:
        found = ops.algorithms.get(algorithm)
    if format == "json":
        emit_json(found.model_dump())
        return
    if format == "table":
        budget = f"one of {', '.join(found.budget)}" if found.budget else "none"
        say(
            f"{found.algorithm}: {found.summary}\nSuits {found.suits}.\n"
            f"Objectives: {_range(*found.objectives)}. Constraints: {'yes' if found.constraints else 'no'}. "
            f"Budget: {budget}; at most {found.most_designs} designs of {found.most_variables} variables, "
            f"population at most {found.most_population}"
        )
    if found.settings:
        emit([each.model_dump() for each in found.settings], format)
    else:
        say(f"{found.algorithm} has no settings")


def _range(least: int, most: int) -> str:
    return f"{least}" if least == most else f"{least} to {most}"
