"""Commands of ``tautline study`` that show stored studies: front, compare, report, reproduce, and others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from errors import InputError, UnknownNameError
from models.html_table import without_value
from service.cli import tables
from service.cli.connect import operations
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    KeyArgument,
    LayoutOption,
    MetricsOption,
    NameArgument,
    OneLayoutOption,
    OwnModelOption,
    SeedOption,
    ServerOption,
    StoreOption,
    TopOption,
    names_in,
)
from service.cli.output import Format, Row, emit, emit_json, say
from studies.execution.evaluation_key import short_key

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.comparison import ComparisonResource
    from service.resources.models import ModelResource
    from service.resources.results import FrontDesignResource, MetricImportancesResource
    from service.resources.studies import StudyResource


SortOption = Annotated[
    str | None,
    typer.Option(
        "--sort", metavar="METRIC", help="Sort by a metric, best first, or by a variable, least first."
    ),
]
KneeOption = Annotated[
    bool, typer.Option("--knee", help="Only the knee of each layout's front: where it bulges most.")
]


def in_order(
    designs: Sequence[FrontDesignResource],
    definition: Mapping[str, Any],
    model: ModelResource,
    name: str | None = None,
) -> list[FrontDesignResource]:
    """Designs by a metric, best first, or by a variable, least first; else by the first objective.

    Those without a value come last, and equal ones by key. Raises ``UnknownNameError``.
    """
    objectives: Mapping[str, str] = definition["objectives"]
    senses = {**{metric.metric: metric.better for metric in model.metrics}, **objectives}
    wanted = next(iter(objectives)) if name is None else name
    paths = {path for design in designs for path in design.variables}
    if wanted not in senses and wanted not in paths:
        raise UnknownNameError("metric", wanted, [*senses, *sorted(paths)], ("sort",))
    sign = -1.0 if senses.get(wanted) == "maximize" else 1.0

    def place(design: FrontDesignResource) -> tuple[Any, ...]:
        value = design.metrics[wanted] if wanted in design.metrics else design.variables.get(wanted)
        if isinstance(value, int | float):
            return 0, sign * value, "", design.key, design.layout
        return 1 if value is not None else 2, 0.0, str(value), design.key, design.layout

    return sorted(designs, key=place)


def only_knees(
    ops: Services,
    name: str,
    definition: Mapping[str, Any],
    designs: Sequence[FrontDesignResource],
    seed: int | None,
) -> list[FrontDesignResource]:
    """The knee of each layout among ``designs``."""
    if len(definition["objectives"]) < 2:
        raise InputError(
            "a front has a knee only if there are two objectives or more; use --top 1", ("knee",)
        )
    if seed is not None:
        raise InputError("belongs to the joint front of all seeds; leave --seed out", ("knee",))
    knees = {(pick.layout, pick.key) for pick in ops.fronts.picks(name).items if pick.kind == "knee"}
    return [design for design in designs if (design.layout, design.key) in knees]


def list_studies(
    search: Annotated[
        str,
        typer.Option(
            "--search",
            metavar="TEXT",
            help="Only studies with this text in their name, description, model or tags.",
        ),
    ] = "",
    archived: Annotated[
        bool, typer.Option("--archived", help="Archived studies instead of the others.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the stored studies, newest first."""
    with operations(store, server) as ops:
        rows = [tables.study_row(study) for study in ops.studies.list(search, archived=archived).items]
    emit(rows, format)


def show(
    name: NameArgument,
    failures: Annotated[
        bool,
        typer.Option(
            "--failures", help="The first designs that failed, and where the model raised the error."
        ),
    ] = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Show a study's runs: state, progress, front and hypervolume."""
    if failures:
        from service.resources.results import MOST_FAILED

        with operations(store, server) as ops:
            failed = ops.evaluations.list(name, state="failed", limit=MOST_FAILED).items
        tables.emit_failures(failed, format)
        return
    with operations(store, server) as ops:
        study, runs = ops.studies.get(name), ops.runs.list(name).items
    _say_remarks(study)
    if format == "json":
        rows = [tables.run_row(run) for run in runs]
        emit_json({"name": study.name, "state": study.state, "definition": study.definition, "runs": rows})
        return
    tables.emit_runs(runs, format, study.name)


def front(
    name: NameArgument,
    layout: LayoutOption = None,
    seed: SeedOption = None,
    sort: SortOption = None,
    top: TopOption = None,
    knee: KneeOption = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the front of each layout. It is joint over the seeds, sorted by the first objective.

    JSON and CSV are sorted by key unless --sort or --top says otherwise.
    """
    with operations(store, server) as ops:
        designs = ops.fronts.list(name, layout, seed).items
        study = ops.studies.get(name)
        definition = study.definition
        model = tables.study_model(ops, study) if designs else None
        free_units = tables.free_units(ops, study, model) if model else {}
        labels = ops.studies.quantities(name).labels if designs and format == "table" else {}
        if knee:
            designs = only_knees(ops, name, definition, designs, seed)
    _say_remarks(study)
    if not designs:
        say(
            f"no feasible design so far; `tautline study export {name} all.csv` gives the reason for each "
            "design"
        )
    if model and (sort or top or format == "table"):
        designs = in_order(designs, definition, model, sort)[:top]
    if format == "table" and model:
        _show_front(designs, definition, model, free_units, labels)
    elif format == "json":
        emit_json([design.model_dump() for design in designs])
    else:
        emit([tables.front_row(design, design.metrics) for design in designs], format)


def _show_front(
    designs: Sequence[FrontDesignResource],
    definition: Mapping[str, Any],
    model: ModelResource,
    free_units: Mapping[str, str],
    labels: Mapping[str, str],
) -> None:
    """A table for people: goals in their units, and what there is room for."""
    asked = list(dict.fromkeys([*definition["objectives"], *definition["constraints"]]))
    rows = tables.front_rows_in_units(designs, model, asked, free_units, labels)
    empty = tables.empty_metrics(designs, asked)
    columns = list(rows[0]) if rows else []
    goals = sum(name not in empty for name in definition["objectives"])
    emit(rows, "table", spare=columns[goals + ("layout" in columns) : -1])
    if empty:
        say(without_value(empty))


def compare(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="One stored study, or several.")],
    across_conditions: Annotated[
        bool,
        typer.Option(
            "--across-conditions",
            help="Compare studies with other loads, limits, resolutions or versions all the same.",
        ),
    ] = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Compare the layouts of a study, or several studies. Shows winner and margin for every criterion."""
    several = len(set(names)) > 1
    with operations(store, server) as ops:
        comparisons = ops.comparisons
        comparison = (
            comparisons.studies(names, across_conditions=across_conditions)
            if several
            else comparisons.layouts(names[0])
        )
    if format == "json":
        emit_json(tables.comparison_json(comparison))
    else:
        title = f"{', '.join(names)}: {'studies' if several else 'layouts'} compared"
        _show_comparison(comparison, title, format)


def _show_comparison(comparison: ComparisonResource, title: str, format: Format) -> None:
    """Show leader and conditions in words, then the criteria, and the tests of seeds for people."""
    from service.resources.comparison import ContestResource

    conditions = comparison.conditions if isinstance(comparison, ContestResource) else comparison.unequal
    for text in tables.headline_sentences(comparison):
        say(text)
    if any(value is not None for score in comparison.scores for value in score.best.values()):
        say(f"hypervolumes are measured against one point: {tables.reference_text(comparison)}")
    for text in (*conditions, *comparison.remarks):
        say(text)
    equal = comparison.same_conditions if isinstance(comparison, ContestResource) else not conditions
    rows = (tables.comparison_rows_in_units if format == "table" else tables.comparison_rows)(comparison)
    emit(rows, format, title + (" under the same conditions" if equal else ""))
    if format == "table" and comparison.seed_tests:
        titles = {criterion.name: criterion.title for criterion in comparison.criteria}
        tests = tables.seed_test_rows(comparison.seed_tests, titles)
        emit(tests, format, "Do the seeds settle it? p is corrected for all tests")


def report(
    name: NameArgument,
    output: Annotated[
        Path | None, typer.Option("--output", help="File to write; NAME.html if not given.")
    ] = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write a self-contained HTML report of a study."""
    say(f"reading study {name} and drawing its robots, which may take a minute")
    with operations(store, server) as ops:
        content = ops.exports.report(name).encode()
    path = output or Path(f"{name}.html")
    write_file(path, [content])
    say(f"wrote {path}")


def export(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Name of a study, or of several.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="File to write; it ends in .csv, .parquet or .json, for several studies in .zip.",
        ),
    ],
    front: Annotated[bool, typer.Option("--front", help="Only the designs of the fronts.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write all designs of a study, or its fronts, to a table. Its headers have the units.

    The designs of several studies are written to a zip file with a CSV table of each.
    """
    from service.resources.files import ExportFormat

    kinds: dict[str, ExportFormat] = {kind: kind for kind in get_args(ExportFormat)}
    ending = file.suffix.removeprefix(".")
    if ending not in {*kinds, "zip"}:
        raise UnknownNameError("format", ending, [*kinds, "zip"], (str(file),))
    if len(names) > 1 and ending != "zip":
        raise InputError("holds one table; several studies need a file that ends in .zip", (str(file),))
    if file.exists() and not force:
        raise InputError("already exists; give another name, or --force to overwrite it", (str(file),))
    with operations(store, server) as ops:
        if ending == "zip":
            found = ops.exports.tables(names, "csv", only_front=front)
        else:
            found = ops.exports.table(names[0], kinds[ending], only_front=front)
        write_file(file, found.pieces)
    say(f"wrote {found.designs} design{'s' * (found.designs != 1)} to {file}")


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file; raises ``InputError`` where that is not possible."""
    try:
        with path.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None


def reproduce(
    key: KeyArgument,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Evaluate a stored design again and compare every bit."""
    with operations(store, server) as ops:
        found = ops.designs.reproduce(key)
    if format == "json":
        emit_json(found.model_dump(exclude={"states"}))
    else:
        emit(tables.reproduction_rows(found), format, f"{found.model}, design {short_key(found.key)}")
    if not found.identical:
        say(f"differs in {', '.join(found.differences)}; another processor or version can be the reason")
        raise typer.Exit(1)
    say("every bit is the same")


def _say_remarks(study: StudyResource) -> None:
    """Print what is to be known about versions, and the command that helps."""
    for remark in study.remarks:
        say(remark)
    if study.remarks and not study.source:
        say(f"to do so: tautline study reevaluate {study.name}")


Change = Literal["pause", "resume", "stop"]


def jobs(
    name: NameArgument,
    job: Annotated[int | None, typer.Argument(metavar="[JOB]", min=0, help="Only this job.")] = None,
    change: Annotated[
        Change | None, typer.Option("--do", help="Pause, resume or stop the job; what it evaluated is kept.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the jobs of a study: re-evaluations, sweeps, tolerances, Sobol indices."""
    if change is not None and job is None:
        raise InputError("needs the number of a job, as `tautline study jobs NAME` lists them", ("do",))
    with operations(store, server) as ops:
        found = ops.jobs.list(name).items if job is None else [getattr(ops.jobs, change or "get")(name, job)]
    emit(
        [
            {
                "job": one.job, "kind": one.kind, "state": one.state, "asked by": one.account,
                "evaluated": f"{one.evaluated}/{one.wanted}", "message": one.message,
            }
            for one in found
        ],
        format,
    )  # fmt: skip


def importances(
    name: NameArgument,
    layout: OneLayoutOption = None,
    metrics: MetricsOption = "",
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Importance of each variable, from stored designs.

    Its rank correlation with each objective and constraint stands beside it. Nothing is evaluated.
    """
    with operations(store, server) as ops:
        found = ops.importances.get(name, layout, names_in(metrics))
    if format == "json":
        emit_json(found.model_dump())
        return
    title = f"Variables of {found.study}, layout {found.layout}: {found.designs} stored designs"
    emit([row for metric in found.metrics for row in _rows(metric, words=format == "table")], format, title)
    for metric in found.metrics:
        if metric.remark:
            say(f"{metric.metric}: {metric.remark}")


def _rows(metric: MetricImportancesResource, *, words: bool) -> list[Row]:
    """The variables of a metric, the most important one first, in words or by their paths."""
    ordered = sorted(
        metric.variables, key=lambda one: (-(one.importance or 0.0), -abs(one.correlation or 0.0))
    )
    return [
        {
            "metric": metric.metric,
            "variable": one.label if words else one.variable,
            "importance": one.importance,
            "rank correlation": one.correlation,
        }
        for one in ordered
    ]
