"""``tautline demo``: the main job end to end on the published robots."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from service.cli import running
from service.cli.options import SchedulerOption, WorkersOption
from service.cli.output import emit, say


def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Where the store and the report go.")] = Path(
        "tautline-demo"
    ),
    population: Annotated[
        int | None, typer.Option(min=4, help="Designs per generation; 40 if not given.")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(min=1, help="Generations per layout; 25 if not given.")
    ] = None,
    cells: Annotated[int | None, typer.Option(min=2, help="Cells per axis; 20 if not given.")] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> None:
    """Optimise the constrained and the suspended robot, compare them, write a report."""
    from dashboards.report import write_report
    from models.errors import InputError
    from studies.comparison import compare_layouts
    from studies.definition import parse_study
    from studies.launch import check
    from studies.store import Store

    text = files("service").joinpath("demo.toml").read_text(encoding="utf-8")
    definition = parse_study(text, "demo.toml")
    chosen = {"population": population, "generations": generations}
    search = definition.search.model_copy(update={k: v for k, v in chosen.items() if v is not None})
    parameters = definition.parameters | ({"cells": cells} if cells is not None else {})
    definition = definition.model_copy(update={"search": search, "parameters": parameters})
    check(definition)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "study.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be used: {error.strerror}", f"--folder {folder}") from None
    store = str(folder / "tautline.db")
    study, rows = running.run(store, definition, workers, scheduler)
    with Store(store) as opened:
        comparison = compare_layouts(opened, study)
        report = write_report(opened, study.name, folder / "report.html")
    emit(
        running.comparison_rows(comparison),
        "table",
        "Constrained against suspended, under the same conditions",
    )
    running.finish((study, rows), "table")
    say(f"open {report} in a browser; the designs are in {store}")
