"""``tautline study``: check, run, resume, pause, stop and delete; what is stored is told by :mod:`review`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from models.errors import InputError
from service.cli import review, running
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    NameArgument,
    SchedulerOption,
    StoreOption,
    TlsCaOption,
    TlsCertOption,
    TlsKeyOption,
    WorkersOption,
)
from service.cli.output import say

app = typer.Typer(
    help="Studies: check, run, pause, stop, resume; list, show, front, compare, report, export; delete.",
    no_args_is_help=True,
)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Study file (TOML).")]
QueueOption = Annotated[
    bool, typer.Option("--queue", help="Store it for a `tautline runner` to work on, and return at once.")
]
NoWaitOption = Annotated[
    bool, typer.Option("--no-wait", help="Return at once instead of when the runs have been left.")
]


@app.command()
def check(file: FileArgument) -> None:
    """Check a study file without running or storing anything."""
    from studies.definition import read_study
    from studies.launch import check as check_study
    from studies.search import remarks

    definition = read_study(file)
    with naming(file):
        problems = check_study(definition)
    stated = definition.search.wall_time is None and definition.search.stagnation is None
    for layout, problem in problems.items():
        designs = problem.planned_designs(definition.search)
        limit = "designs" if stated else "designs at most"
        say(f"{layout}: {len(problem.space)} variables, {designs} {limit} per seed")
    for remark in remarks(definition.search, len(definition.objectives)):
        say(remark)
    runs = len(problems) * len(definition.seeds)
    say(f"'{definition.name}' is a sound study of {runs} run{'s' * (runs > 1)}")


@app.command()
def run(
    file: FileArgument,
    store: StoreOption = DEFAULT_STORE,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    queue: QueueOption = False,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Run a study; one of the same name and content goes on where it was left."""
    from studies.definition import read_study
    from studies.launch import check as check_study

    machines = running.Machines(workers, scheduler, tls_ca, tls_cert, tls_key)
    definition = read_study(file)
    with naming(file):
        check_study(definition)  # before the store is opened: a bad file leaves nothing behind
    if queue:
        running.queue_new(store, definition)
    else:
        running.finish(running.run(store, definition, machines), format, store)


@app.command()
def resume(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
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
            help="Start the study anew under this name, with the versions installed here.",
        ),
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Go on with a stored study that was paused, interrupted or killed."""
    if branch is not None:
        name = running.branch(store, name, branch)
    machines = running.Machines(workers, scheduler, tls_ca, tls_cert, tls_key)
    if queue:
        running.queue(store, name)
    else:
        running.finish(running.resume(store, name, machines), format, store)


@app.command()
def pause(name: NameArgument, no_wait: NoWaitOption = False, store: StoreOption = DEFAULT_STORE) -> None:
    """Let the runs of a study pause, wherever they are worked on; `study resume` goes on with them."""
    running.leave(store, name, "pause", wait=not no_wait)


@app.command()
def stop(name: NameArgument, no_wait: NoWaitOption = False, store: StoreOption = DEFAULT_STORE) -> None:
    """Stop a study for good; what it found stays."""
    running.leave(store, name, "stop", wait=not no_wait)


@app.command()
def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Delete a study; evaluations that other studies use stay."""
    with review.open_store(store) as opened:
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


app.command("list")(review.list_studies)
app.command("show")(review.show)
app.command("front")(review.front)
app.command("compare")(review.compare)
app.command("report")(review.report)
app.command("export")(review.export)
app.command("reproduce")(review.reproduce)
