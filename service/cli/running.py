"""Running studies from the command line: in this process, or by a server whose runners are followed."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import typer

from models.errors import InputError
from service.cli.output import Format, emit_json, say
from service.cli.progress import ProgressDisplay
from service.cli.reach import operations, request, where_option
from service.cli.stopping import stop_on_signals
from service.cli.tables import emit_runs, run_row

if TYPE_CHECKING:
    from service.operations import Operations
    from service.resources import RunResource, StudyResource
    from studies.definition import StudyDefinition
    from studies.execution import Executor

Outcome = tuple["StudyResource", "list[RunResource]"]
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Machines:
    """Where designs are evaluated, as the options say."""

    workers: int | None
    scheduler: str | None
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None

    @contextmanager
    def open(self) -> Generator[Executor]:
        """The executor on these machines."""
        from studies.execution import open_executor, tls_security

        security = tls_security(self.tls_ca, self.tls_cert, self.tls_key)
        with open_executor(self.workers, self.scheduler, security) as executor:
            yield executor


def run(store: str, definition: StudyDefinition, machines: Machines) -> Outcome:
    """Run a checked study in ``store``; the study and its runs afterwards."""
    from service.local.studies import Local
    from studies.launch import run_study
    from studies.store import Store

    with Store(store) as opened, stop_on_signals() as should_stop, ProgressDisplay() as show:
        run_study(opened, definition, machines.open, should_stop, show)
        return outcome(Local(opened), definition.name)


def resume(store: str, name: str, machines: Machines) -> Outcome:
    """Go on with a stored study; the study and its runs afterwards."""
    from service.local.studies import Local
    from studies.launch import resume_study
    from studies.store import open_existing

    with open_existing(store) as opened, stop_on_signals() as should_stop, ProgressDisplay() as show:
        resume_study(opened, name, machines.open, should_stop, show)
        return outcome(Local(opened), name)


def outcome(where: Operations, name: str) -> Outcome:
    """A study and its runs as they are now."""
    return where.study(name), where.runs(name)


def queue(where: Operations, name: str) -> None:
    """Queue what is unfinished of a stored study, for a runner."""
    study = where.study(name)
    if study.state in ("done", "failed", "cancelled", "diverged"):
        say(f"'{name}' is {study.state}; nothing is left to queue")
        return
    where.launch(name)
    runs = where.runs(name)
    queued = sum(run.state == "queued" for run in runs)
    say(f"{queued} of {len(runs)} runs of '{name}' are queued; `tautline runner` works on them")


def branch(store: str, server: str | None, name: str, new: str) -> str:
    """Store a branch of a study; its name."""
    if new == name:
        raise InputError("a branch needs a name that differs from its study's", "--branch")
    with operations(store, server) as where:
        where.branch(name, new)
    say(
        f"'{new}' is a branch of '{name}': the search starts again; designs that were already evaluated are "
        "read from the store"
    )
    return new


def extend(
    store: str,
    server: str | None,
    name: str,
    generations: str | None,
    evaluations: str | None,
    wall_time: str | None,
) -> None:
    """Give a stored study a larger budget."""
    from service.resources import ExtensionRequest

    with operations(store, server) as where:
        search = where.study(name).definition["search"]
        budget = {
            "generations": _total(generations, search.get("generations"), "--generations"),
            "evaluations": _total(evaluations, search.get("evaluations"), "--evaluations"),
            "wall_time": wall_time,
        }
        study = where.extend(name, request(ExtensionRequest, budget))
    stated = [
        f"{key} = {study.definition['search'][key]}" for key, value in budget.items() if value is not None
    ]
    say(f"'{name}' continues with {', '.join(stated)} per run")


def _total(given: str | None, before: int | None, option: str) -> int | None:
    """A total from what is given: a number, or how many more."""
    if given is None:
        return None
    if not given.removeprefix("+").isdecimal():
        raise InputError(
            f"'{given}' is not a whole number; write a total, such as 55, or an addition, such as +25", option
        )
    return int(given) + (before or 0) * given.startswith("+")


def leave(where: Operations, name: str, how: Literal["pause", "stop"], *, wait: bool) -> None:
    """Pause or stop a study's runs, and wait until those who work on them have left them."""
    (where.pause if how == "pause" else where.stop)(name)
    runs = where.runs(name)
    told = False
    while wait and any(run.state in ("pausing", "cancelling") for run in runs):
        if not told:
            say("waiting until the runs have stopped, at most a minute")
            told = True
        time.sleep(_POLL_SECONDS)
        runs = where.runs(name)
    for run in runs:
        say(f"{run.layout}, seed {run.seed}: {run.state}")


def finish(ended: Outcome, kind: Format, store: str, server: str | None = None) -> None:
    """Print how the runs ended and exit with the code that says so."""
    study, runs = ended
    if kind == "json":
        rows = [run_row(run) for run in runs]
        emit_json({"name": study.name, "state": study.state, "runs": rows})
    else:
        emit_runs(runs, kind, study.name)
    states = {run.state for run in runs}
    if states & {"paused", "running", "queued"}:
        say(f"to continue: tautline study resume {study.name}{where_option(store, server)}")
        raise typer.Exit(130)
    if states != {"done"}:
        raise typer.Exit(1)
    if not any(run.feasible for run in runs):
        say("no feasible design was found; the report and the export list every design with its reason")
        raise typer.Exit(3)
