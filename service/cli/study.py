"""``tautline study``: launch, watch, compare, review, export."""

from __future__ import annotations

import datetime as dt
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.errors import InputError
from service.cli import running
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    LayoutOption,
    SchedulerOption,
    SeedOption,
    StoreOption,
    WorkersOption,
)
from service.cli.output import Row, emit, emit_json, say

if TYPE_CHECKING:
    from studies.records import FrontDesign
    from studies.store import Store

app = typer.Typer(
    help="Studies: check, run, resume, list, show, front, compare, report, export, delete.",
    no_args_is_help=True,
)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Study file (TOML).")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of a stored study.")]


@app.command()
def check(file: FileArgument) -> None:
    """Check a study file without running or storing anything."""
    from studies.definition import read_study
    from studies.launch import check as check_study

    definition = read_study(file)
    with naming(file):
        problems = check_study(definition)
    for layout, problem in problems.items():
        designs = problem.planned_designs(definition.search)
        say(f"{layout}: {len(problem.space)} variables, {designs} designs per seed")
    runs = len(problems) * len(definition.seeds)
    say(f"'{definition.name}' is a sound study of {runs} run{'s' * (runs > 1)}")


@app.command()
def run(
    file: FileArgument,
    store: StoreOption = DEFAULT_STORE,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Run a study; one of the same name and content goes on where it was left."""
    from studies.definition import read_study
    from studies.launch import check as check_study

    definition = read_study(file)
    with naming(file):
        check_study(definition)  # before the store is opened: a bad file leaves nothing behind
    running.finish(running.run(store, definition, workers, scheduler), format, store)


@app.command()
def resume(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Go on with a stored study that was interrupted or killed."""
    running.finish(running.resume(store, name, workers, scheduler), format, store)


@app.command("list")
def list_studies(store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """List the stored studies, newest first."""
    with _open(store) as opened:
        rows = [
            {
                "study": study.name,
                "model": study.definition["model"],
                "state": study.state,
                "runs": len(study.runs),
                "done": sum(run.state == "done" for run in study.runs),
                "created": _moment(study.created),
            }
            for study in opened.studies()
        ]
    emit(rows, format)


@app.command()
def show(name: NameArgument, store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """Show a study's runs: state, progress, front and hypervolume."""
    with _open(store) as opened:
        study = opened.study(name)
        rows = running.run_rows(opened, study)
    if format == "json":
        emit_json({"name": study.name, "state": study.state, "definition": study.definition, "runs": rows})
        return
    running.emit_runs(rows, format, study.name)


@app.command()
def front(
    name: NameArgument,
    layout: LayoutOption = None,
    seed: SeedOption = None,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the front of each layout, joint over its seeds, sorted by key."""
    from studies.fronts import fronts

    with _open(store) as opened:
        study = opened.study(name)
        found = fronts(opened, study, layout, seed)
    designs = sorted((d for members in found.values() for d in members), key=lambda d: d.key)
    if not designs:
        say(f"no feasible design so far; `tautline study export {name} all.csv` tells why of each")
    if format == "json":
        emit_json([_front_json(design) for design in designs])
    elif format == "csv":
        emit([_front_row(design, design.metrics) for design in designs], format)
    else:
        asked = [*study.definition["objectives"], *study.definition["constraints"]]
        emit([{**_front_row(design, asked), "key": design.key[:10]} for design in designs], format)


def _front_json(design: FrontDesign) -> Row:
    return {
        "key": design.key,
        "layout": design.layout,
        "seeds": list(design.seeds),
        "variables": design.variables,
        "metrics": design.metrics,
        "violation": design.violation,
    }


def _front_row(design: FrontDesign, metrics: Iterable[str]) -> Row:
    seeds = " ".join(str(seed) for seed in design.seeds)
    named = {name: design.metrics.get(name) for name in metrics}
    return {"key": design.key, "layout": design.layout, "seeds": seeds, **design.variables, **named}


@app.command()
def compare(name: NameArgument, store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """Compare the layouts of a study: winner and margin for every criterion."""
    from studies.comparison import compare_layouts

    with _open(store) as opened:
        comparison = compare_layouts(opened, opened.study(name))
    if format == "json":
        emit_json(running.comparison_json(comparison))
        return
    point = running.reference_text(comparison)
    say(f"hypervolumes are measured against {point}")
    emit(running.comparison_rows(comparison), format, f"{name}: layouts compared under the same conditions")


@app.command()
def report(
    name: NameArgument,
    output: Annotated[Path | None, typer.Option("--output", help="Where; NAME.html if not given.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write a self-contained HTML report of a study."""
    from dashboards.report import write_report

    with _open(store) as opened:
        path = write_report(opened, name, output or Path(f"{name}.html"))
    say(f"wrote {path}")


@app.command()
def export(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv, .parquet or .json.")],
    front: Annotated[bool, typer.Option("--front", help="Only the designs of the fronts.")] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write all designs of a study, or its fronts, to a table with units in its headers."""
    from studies.export import export_study

    with _open(store) as opened:
        count = export_study(opened, opened.study(name), file, only_front=front)
    say(f"wrote {count} designs to {file}")


@app.command()
def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Delete a study; evaluations that other studies use stay."""
    with _open(store) as opened:
        study = opened.study(name)
        if not yes:
            typer.confirm(f"Delete '{study.name}' and its designs?", abort=True, err=True)
        removed = opened.delete_study(name)
    say(f"deleted '{name}' and {removed} evaluations that no other study uses")


@contextmanager
def naming(file: Path) -> Generator[None]:
    """Put the file's name before the place of an error in it."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error), str(file)) from None


def _open(store: str) -> Store:
    from studies.store import open_existing

    return open_existing(store)


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="seconds")
