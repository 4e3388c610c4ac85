"""Studies that are worked on here, or by a server's runners and shown as if they ran here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from service.cli.machines import Machines
from service.cli.output import Format, say
from service.cli.progress import ProgressDisplay
from service.cli.running import Outcome, finish, outcome, queue
from studies.records import Progress

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.studies import RunResource

_LOOK_SECONDS = 0.5


def carry_out(
    ops: Services, name: str, machines: Machines | None, *, queued: bool, kind: Format, location: str
) -> None:
    """Queue a stored study; or work on it with ``machines``, or follow it by a server, and say how it ends.

    Raises ``Exit`` with the code of its end.
    """
    if queued:
        queue(ops, name)
    else:
        finish(worked_on(ops, name, machines, location), kind, location)


def worked_on(ops: Services, name: str, machines: Machines | None, location: str) -> Outcome:
    """A study and its runs after they were worked on with ``machines``, or by a server without any."""
    if machines is None:
        return _follow(ops, name, location)
    ops.studies.launch(name, machines=machines)
    return outcome(ops, name)._replace(told=frozenset(machines.told))


def _follow(ops: Services, name: str, option: str) -> Outcome:
    """Queue what is unfinished and show how it goes on; Ctrl-C leaves it running there."""
    from studies.records import UNFINISHED

    try:
        states = {run.state for run in ops.runs.list(name).items}
        if states & {"draft", "pausing", "paused"}:  # a queued run may have ended by now, which is no fault
            ops.studies.launch(name)
        if states & {"draft", *UNFINISHED}:
            _show_until_ended(ops, name)
        return outcome(ops, name)
    except KeyboardInterrupt:
        say(
            f"'{name}' continues on the server; `tautline study show {name}{option}` shows how far it is, "
            f"`tautline study pause {name}{option}` pauses it"
        )
        raise typer.Exit(130) from None


def _show_until_ended(ops: Services, name: str) -> None:
    """Progress of all runs, whenever something happens but not more often than one can read."""
    from studies.definition.study_file import define

    checked = ops.studies.check(define(dict(ops.studies.get(name).definition)))
    planned = {layout.layout: layout.designs for layout in checked.layouts}
    looked = 0.0
    with ProgressDisplay() as show:
        first = ops.runs.list(name).items[0]
        if first.state == "queued":
            show(Progress(first.layout, first.seed, "waiting", message="for a runner of the server"))
        for event in ops.events.follow(name):
            if event.kind == "generation" and time.monotonic() - looked < _LOOK_SECONDS:
                continue
            looked = time.monotonic()
            for report in _reports(ops.runs.list(name).items, planned):
                show(report)


def _reports(runs: Sequence[RunResource], planned: dict[str, int]) -> list[Progress]:
    """Progress of the runs that have begun, as a display shows it."""
    return [
        Progress(
            run.layout,
            run.seed,
            "searching",
            asked=run.designs,
            planned=planned[run.layout],
            share=min(1.0, run.designs / planned[run.layout]),
            generation=run.generations,
            front_size=run.front,
            hypervolume=run.hypervolume,
            failed=run.failed,
        )
        for run in runs
        if run.generations
    ]
