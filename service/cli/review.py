"""What ``tautline study`` tells of stored studies: list, show, front, compare, report, export, reproduce."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import running
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    LayoutOption,
    NameArgument,
    SeedOption,
    StoreOption,
)
from service.cli.output import Row, emit, emit_json, say

if TYPE_CHECKING:
    from studies.records import FrontDesign
    from studies.reproduction import Reproduction
    from studies.store import Store


def list_studies(store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """List the stored studies, newest first."""
    with open_store(store) as opened:
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


def show(name: NameArgument, store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """Show a study's runs: state, progress, front and hypervolume."""
    with open_store(store) as opened:
        study = opened.study(name)
        rows = running.run_rows(opened, study)
    if format == "json":
        emit_json({"name": study.name, "state": study.state, "definition": study.definition, "runs": rows})
        return
    running.emit_runs(rows, format, study.name)


def front(
    name: NameArgument,
    layout: LayoutOption = None,
    seed: SeedOption = None,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the front of each layout, joint over its seeds, sorted by key."""
    from studies.fronts import fronts

    with open_store(store) as opened:
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


def compare(name: NameArgument, store: StoreOption = DEFAULT_STORE, format: FormatOption = "table") -> None:  # noqa: A002
    """Compare the layouts of a study: winner and margin for every criterion."""
    from studies.comparison import compare_layouts

    with open_store(store) as opened:
        comparison = compare_layouts(opened, opened.study(name))
    if format == "json":
        emit_json(running.comparison_json(comparison))
        return
    point = running.reference_text(comparison)
    say(f"hypervolumes are measured against {point}")
    emit(running.comparison_rows(comparison), format, f"{name}: layouts compared under the same conditions")


def report(
    name: NameArgument,
    output: Annotated[Path | None, typer.Option("--output", help="Where; NAME.html if not given.")] = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write a self-contained HTML report of a study."""
    from dashboards.report import write_report

    with open_store(store) as opened:
        path = write_report(opened, name, output or Path(f"{name}.html"))
    say(f"wrote {path}")


def export(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .csv, .parquet or .json.")],
    front: Annotated[bool, typer.Option("--front", help="Only the designs of the fronts.")] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write all designs of a study, or its fronts, to a table with units in its headers."""
    from studies.export import export_study

    with open_store(store) as opened:
        count = export_study(opened, opened.study(name), file, only_front=front)
    say(f"wrote {count} designs to {file}")


def reproduce(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of a design, or how it begins.")],
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Evaluate a stored design again and compare every bit of what comes out."""
    from studies.reproduction import reproduce as evaluate_again

    with open_store(store) as opened:
        found = evaluate_again(opened, key)
    if format == "json":
        emit_json(
            {
                "key": found.stored.key,
                "model": found.stored.task.model,
                "identical": found.identical,
                "differences": list(found.differences),
                "stored": dict(found.stored.metrics),
                "again": dict(found.again.metrics),
            }
        )
    else:
        emit(_reproduction_rows(found), format, f"{found.stored.task.model}, design {found.stored.key[:10]}")
    if not found.identical:
        say(f"differs in {', '.join(found.differences)}; another processor or version can be the reason")
        raise typer.Exit(1)
    say("every bit is the same")


def _reproduction_rows(found: Reproduction) -> list[Row]:
    stored, again = found.stored, found.again
    outcome = {"stored": stored.state, "again": again.state, "same": stored.state == again.state}
    names = [*stored.metrics, *(name for name in again.metrics if name not in stored.metrics)]
    return [
        {"metric": "outcome", **outcome},
        *(
            {
                "metric": name,
                "stored": stored.metrics.get(name),
                "again": again.metrics.get(name),
                "same": name not in found.differences,
            }
            for name in names
        ),
    ]


def open_store(store: str) -> Store:
    """The store that is there; it is not made."""
    from studies.store import open_existing

    return open_existing(store)


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="seconds")
