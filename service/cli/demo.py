"""``tautline demo``: the main job end to end on the published robots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import running, tables
from service.cli.connect import location_option, operations
from service.cli.machines import Machines
from service.cli.options import SchedulerOption, TlsCaOption, TlsCertOption, TlsKeyOption, WorkersOption
from service.cli.output import emit, say

if TYPE_CHECKING:
    from studies.definition.study_definition import StudyDefinition

_DESIGNS = (20, 10)
"""Population and generations of a run: with five seeds enough to show which layout leads, in two minutes."""

PopulationOption = Annotated[int | None, typer.Option(min=4, help="Designs per generation; 20 if not given.")]
GenerationsOption = Annotated[
    int | None, typer.Option(min=1, help="Generations of each run; 10 if not given.")
]


def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Folder for the store and the report.")] = Path(
        "tautline-demo"
    ),
    population: PopulationOption = None,
    generations: GenerationsOption = None,
    cells: Annotated[int | None, typer.Option(min=2, help="Cells per axis; 20 if not given.")] = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
) -> None:
    """Optimise the constrained and the suspended robot, compare them, write a report."""
    from dashboards.report import write_report
    from studies.problem.problem import check
    from studies.store import Store

    definition = _study(population, generations, cells)
    check(definition)
    _write_study(definition, folder)
    store = str(folder / "tautline.db")
    machines = Machines(workers, scheduler, tls_ca, tls_cert, tls_key)
    location = location_option(store, None)
    with operations(store, None, make=True) as ops:
        ops.studies.create(definition, launch=False)
        ended = running.worked_on(ops, definition.name, machines, location)
        comparison = ops.comparisons.layouts(definition.name)
    with Store(store) as opened:
        report = write_report(opened, definition.name, folder / "report.html")
    say("\n".join(tables.headline_sentences(comparison)))
    emit(
        tables.comparison_rows_in_units(comparison),
        "table",
        "Constrained against suspended, under the same conditions",
    )
    running.finish(ended, "table", location)
    say(f"open {report} in a browser; the designs are in {store}")
    again = f"tautline study sweep {definition.name} --store {store} --over weight_moment=included,ignored"
    say(f"one condition turns the answer: {again} --search")


def _write_study(definition: StudyDefinition, folder: Path) -> None:
    """Leave the study's file behind, for a reader to change and run."""
    from dashboards.content.robot.study_file import study_toml
    from errors import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "study.toml").write_text(study_toml(definition), encoding="utf-8")
    except OSError as error:
        raise InputError(f"'{folder}' cannot be used: {error.strerror}", ("folder",)) from None


def _study(population: int | None, generations: int | None, cells: int | None) -> StudyDefinition:
    """The packaged study with fewer designs, under a name of its own when its numbers are changed."""
    from service.examples import DEMO, FOLDER
    from studies.definition.study_file import define, read_study

    definition = read_study(FOLDER / f"{DEMO}.toml")
    usual = (*_DESIGNS, definition.parameters["cells"])
    wanted = tuple(given or own for given, own in zip((population, generations, cells), usual, strict=True))
    population, generations, cells = wanted
    tree = definition.model_dump(mode="json", exclude_unset=True)
    tree["search"] |= {"population": population, "generations": generations}
    tree["parameters"] |= {"cells": cells}
    tree["name"] = "demo" if wanted == usual else f"demo-{population}x{generations}-{cells}"
    return define(tree)
