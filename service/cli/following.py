"""A study that a server's runners work on, shown here as if it ran here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from service.cli.connect import location_option, operations
from service.cli.output import say
from service.cli.progress import ProgressDisplay
from service.cli.running import Outcome, outcome
from studies.records import Progress

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.studies import RunResource
    from studies.definition.study_definition import StudyDefinition

_LOOK_SECONDS = 0.5


def run_there(store: str, server: str, definition: StudyDefinition) -> Outcome:
    """Have a checked study run by a server, and follow it; the study and its runs afterwards."""
    with operations(store, server) as ops:
        ops.studies.create(definition)
        return _follow(ops, definition.name, location_option(store, server))


def resume_there(store: str, server: str, name: str) -> Outcome:
    """Have a server go on with a stored study, and follow it; the study and its runs afterwards."""
    with operations(store, server) as ops:
        return _follow(ops, name, location_option(store, server))


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
