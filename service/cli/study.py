"""``tautline study``: check, run, resume, pause, stop, delete; :mod:`review` shows what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.formatting import counted, quantity
from errors import InputError, TautlineError
from service.cli import decisions, editing, new_study, result_import, review, robustness, running, sweeps
from service.cli.connect import location_option, operations, operations_without_store
from service.cli.machines import own_machines
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    NameArgument,
    OwnModelOption,
    SchedulerOption,
    ServerOption,
    SettingsOption,
    StoreOption,
    TlsCaOption,
    TlsCertOption,
    TlsKeyOption,
    TotalOption,
    WorkersOption,
)
from service.cli.output import say
from service.cli.progress import LOADING

if TYPE_CHECKING:
    from service.app.services import Services
    from service.app.study_checks import StorelessServices
    from service.resources.models import LayoutCheck, StudyCheck
    from studies.definition.study_definition import StudyDefinition


TRIAL_SECONDS = 20.0
"""A design that takes longer makes a search of hours; nobody waits for more to read that."""
_SHORT = 10.0
"""A first evaluation up to so long is repeated: it may have compiled kernels."""


def load_kernels(definition: StudyDefinition, layouts: Sequence[LayoutCheck]) -> None:
    """Load what evaluations of a study need, so that no trial waits until it is compiled."""
    from models import load

    model = load(definition.model)
    if not model.has_kernels:
        return
    for cost_class in {model.cost_class_for(layout.middle.metrics) for layout in layouts}:
        say(LOADING)
        model.prepare(cost_class)


def trial_text(ops: Services | StorelessServices, definition: StudyDefinition, layout: LayoutCheck) -> str:
    """The stages of a layout's model, the time of the design at mid-range, and that of all designs."""
    stages = f"stages of {definition.model}: {', '.join(layout.stages)}"
    try:
        tried = ops.models.evaluate(definition.model, layout.middle)
        if tried.seconds < _SHORT:
            tried = ops.models.evaluate(definition.model, layout.middle)
    except TautlineError as error:  # such as an account that may read and not compute
        return f"{stages}; the design at mid-range was not tried: {error}"
    if tried.status == "failed":
        return f"{stages}; the design at mid-range failed: {tried.reason}"
    designs, seconds = layout.designs * len(definition.seeds), tried.seconds * layout.robots
    infeasible = f", which is infeasible ({tried.reason})," if tried.status == "infeasible" else ""
    robots = f" with {layout.robots} robots" if layout.robots > 1 else ""
    return (
        f"{stages}; the design at mid-range{infeasible} takes {_time(seconds)}{robots}, "
        f"{counted(designs, 'design')} about {_time(designs * seconds)} on one worker"
    )


def _time(seconds: float) -> str:
    """A time in the unit that a reader would choose: ``45 ms``, ``12 min``, ``30 h``."""
    minutes = seconds / 60.0
    if minutes < 2.0:
        return quantity(seconds, "s", 2)
    return f"{minutes:.0f} min" if minutes < 120.0 else f"{minutes / 60.0:.0f} h"


app = typer.Typer(
    help="Studies: new, import, check, run, pause, stop, resume; list, show, front, compare, sweep, jobs, "
    "rank, decide, report, export; note, tag; edit, delete.",
    no_args_is_help=True,
)

MOST_VARIABLES = 6
"""Variables that a check names."""
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Study file (TOML).")]
QueueOption = Annotated[
    bool, typer.Option("--queue", help="Store it for a `tautline runner` to work on, and return at once.")
]
NoWaitOption = Annotated[
    bool, typer.Option("--no-wait", help="Return at once; do not wait until the runs have stopped.")
]


@app.command()
def check(
    file: FileArgument,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Check a study file; try one design of each layout, for its time. Nothing is stored."""
    definition, found = _checked(file, store, server)
    ready = partial(load_kernels, definition, found.layouts)
    with operations_without_store(server, seconds=TRIAL_SECONDS, ready=ready) as ops:
        for layout in found.layouts:
            limit = "designs" if layout.stated else "designs at most"
            say(f"{layout.layout}: {layout.variables} variables, {layout.designs} {limit} per seed")
            say(f"  varies {_varied(layout.varied)}")
            say(f"  {trial_text(ops, definition, layout)}")
    for remark in [*found.remarks, *found.begins]:
        say(remark)
    _warn(found)
    say(f"'{found.name}' is a valid study of {found.runs} run{'s' * (found.runs > 1)}")


def _varied(names: Sequence[str]) -> str:
    """The first variables of a layout in words, and how many more there are."""
    left = len(names) - MOST_VARIABLES
    shown = [*names[:MOST_VARIABLES], *([f"and {left} more"] if left > 0 else [])]
    return ("; " if any("," in name for name in names) else ", ").join(shown)


@app.command()
def run(
    context: typer.Context,
    file: FileArgument,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    queue: QueueOption = False,
    format: FormatOption = "table",
) -> None:
    """Run a study. A stored one of the same name and content continues where it stopped."""
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    definition, found = _checked(file, store, server)  # first: a bad file leaves no store behind
    _warn(found)
    for sentence in found.begins:
        say(sentence)
    location = location_option(store, server)
    with operations(store, server, make=True) as ops:
        ops.studies.create(definition, launch=queue or machines is None)
        running.carry_out(ops, definition.name, machines, queued=queue, kind=format, location=location)


@app.command()
def resume(
    context: typer.Context,
    name: NameArgument,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    queue: QueueOption = False,
    branch: Annotated[
        str | None,
        typer.Option(
            "--branch",
            metavar="NEW-NAME",
            help="Start the study again under this name, with the versions installed here.",
        ),
    ] = None,
    format: FormatOption = "table",
) -> None:
    """Continue a stored study. It may have been paused, interrupted or killed."""
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    location = location_option(store, server)
    with operations(store, server) as ops:
        if branch is not None:
            name = running.branch(ops, name, branch)
        running.carry_out(ops, name, machines, queued=queue, kind=format, location=location)


@app.command()
def extend(
    context: typer.Context,
    name: NameArgument,
    seeds: Annotated[
        str | None,
        typer.Option("--seeds", metavar="N", help="New number of seeds of each layout, or +N to add N."),
    ] = None,
    generations: TotalOption = None,
    evaluations: TotalOption = None,
    wall_time: Annotated[
        str | None, typer.Option("--wall-time", metavar="TIME", help='New total for each run, such as "2 h".')
    ] = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    queue: QueueOption = False,
    format: FormatOption = "table",
) -> None:
    """Extend a search: a larger budget with the same log, or more seeds."""
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    totals = {"seeds": seeds, "generations": generations, "evaluations": evaluations}
    location = location_option(store, server)
    with operations(store, server) as ops:
        running.extend(ops, name, totals, wall_time)
        running.carry_out(ops, name, machines, queued=queue, kind=format, location=location)


@app.command()
def propose(
    name: NameArgument,
    set_: SettingsOption = None,
    layout: Annotated[str, typer.Option("--layout", help="Layout, if the study has several.")] = "",
    withdraw: Annotated[
        int | None,
        typer.Option("--withdraw", metavar="NUMBER", help="Take back this proposal, if no run has taken it."),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Put a design into a study at work. Each of its runs evaluates it with its next designs."""
    if withdraw is None:
        running.propose(name, set_ or [], layout, store, server)
    elif set_ or layout:
        raise InputError(
            "a proposal is withdrawn by its number alone; leave out --set and --layout", ("withdraw",)
        )
    else:
        running.withdraw(name, withdraw, store, server)


@app.command()
def proposals(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the designs that were put into a study at work."""
    running.list_proposals(name, store, server, format)


@app.command()
def reevaluate(
    context: typer.Context,
    name: NameArgument,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    format: FormatOption = "table",
) -> None:
    """Evaluate a stored front with the installed model version. Prints old and new numbers."""
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    running.reevaluate(store, server, name, machines, format)


@app.command()
def pause(
    name: NameArgument,
    no_wait: NoWaitOption = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Pause the runs of a study, wherever they run. `study resume` continues them."""
    with operations(store, server) as ops:
        running.pause_or_stop(ops, name, "pause", wait=not no_wait)


@app.command()
def stop(
    name: NameArgument,
    no_wait: NoWaitOption = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Stop a study for good. Its results stay."""
    with operations(store, server) as ops:
        running.pause_or_stop(ops, name, "stop", wait=not no_wait)


@app.command()
def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    with_decisions: Annotated[
        bool, typer.Option("--with-decisions", help="Also if decisions about it are lost with it.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Delete a study. Evaluations that other studies use are kept.

    One on which somebody has decided is deleted if you confirm it, or with --yes --with-decisions.
    """
    from dashboards.formatting import counted

    with operations(store, server) as ops:
        study = ops.studies.get(name)
        if not yes:
            lost = len(ops.decisions.list(name).items)
            also = f", and {counted(lost, 'decision')} about it, which cannot be brought back" if lost else ""
            typer.confirm(f"Delete '{study.name}' and its designs{also}?", abort=True, err=True)
            with_decisions = with_decisions or lost > 0
        removed = ops.studies.delete(name, with_decisions=with_decisions).evaluations
    say(f"deleted '{name}' and {removed} evaluations that no other study uses")


def _warn(found: StudyCheck) -> None:
    for warning in found.warnings:
        say(f"warning: {warning}")


def _checked(file: Path, store: str, server: str | None) -> tuple[StudyDefinition, StudyCheck]:
    """The study in a file and what is known before it runs; raises ``InputError`` with all its faults.

    The store is opened only for a study that begins with designs of others.
    """
    from studies.definition.study_file import check_text, read_text

    text = read_text(file)
    with operations_without_store(server) as storeless:
        found = check_text(text, str(file), storeless.studies.check, file.parent)
    if server is not None or not found[0].search.from_:
        return found
    with operations(store, server) as ops:
        return check_text(text, str(file), ops.studies.check, file.parent)


app.command("new")(new_study.new)
app.command("import")(result_import.import_results)
app.command("edit")(editing.edit)
app.command("describe")(editing.describe)
app.command("list")(review.list_studies)
app.command("show")(review.show)
app.command("front")(review.front)
app.command("compare")(review.compare)
app.command("rank")(decisions.rank)
app.command("decide")(decisions.decide)
app.command("decisions")(decisions.decisions)
app.command("sheet")(decisions.sheet)
app.command("note")(editing.note)
app.command("tag")(editing.tag)
app.command("favourite")(editing.favourite)
app.command("annotations")(editing.list_annotations)
app.command("report")(review.report)
app.command("export")(review.export)
app.command("reproduce")(review.reproduce)
app.command("sweep")(sweeps.sweep)
app.command("sweeps")(sweeps.sweeps)
app.command("jobs")(review.jobs)
app.command("importances")(review.importances)
app.command("sensitivity")(robustness.sensitivity)
