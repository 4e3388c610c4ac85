"""Running studies from the command line, and evaluating their fronts again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import typer

from errors import InputError, WorkerError
from service.cli.connect import operations, own_model_option, request
from service.cli.machines import Machines
from service.cli.options import read_setting
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.progress import ProgressDisplay, wait_for
from service.cli.tables import emit_runs, run_row, study_model
from service.cli.units import in_units
from studies.execution.evaluation_key import short_key
from studies.records import Progress

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.jobs import ReevaluatedResource
    from service.resources.models import ModelResource
    from service.resources.studies import RunResource, StudyResource


class Outcome(NamedTuple):
    """A study and its runs at the end of a command; ``told`` are messages of runs that it has printed."""

    study: StudyResource
    runs: list[RunResource]
    told: frozenset[str] = frozenset()


_POLL_SECONDS = 0.2


def outcome(ops: Services, name: str) -> Outcome:
    """A study and its runs as they are now."""
    return Outcome(ops.studies.get(name), ops.runs.list(name).items)


def queue(ops: Services, name: str) -> None:
    """Queue what is unfinished of a stored study, for a runner."""
    study = ops.studies.get(name)
    if study.state in ("done", "failed", "cancelled", "diverged"):
        say(f"'{name}' is {study.state}; nothing is left to queue")
        return
    ops.studies.launch(name)
    runs = ops.runs.list(name).items
    queued = sum(run.state == "queued" for run in runs)
    say(f"{queued} of {len(runs)} runs of '{name}' are queued; `tautline runner` works on them")


def branch(ops: Services, name: str, new: str) -> str:
    """Store a branch of a study; its name."""
    if new == name:
        raise InputError("a branch needs a name that differs from its study's", ("branch",))
    ops.studies.branch(name, new)
    say(
        f"'{new}' is a branch of '{name}': the search starts again; designs that were already evaluated are "
        "read from the store"
    )
    return new


def propose(name: str, settings: Sequence[str], layout: str, store: str, server: str | None) -> None:
    """Put a design, as ``PATH=VALUE`` for each variable, into a study at work."""
    from service.resources.studies import ProposalRequest

    wanted = {"layout": layout, "design": dict(read_setting(text) for text in settings)}
    with operations(store, server) as ops:
        made = ops.studies.propose(name, request(ProposalRequest, wanted))
        paused = ops.studies.get(name).state in ("paused", "draft")
    say(f"proposal {made.id} is in '{name}'{': its runs are to be resumed' if paused else ''}")


def withdraw(name: str, number: int, store: str, server: str | None) -> None:
    """Take a proposal back that no run has taken."""
    with operations(store, server) as ops:
        ops.studies.withdraw(name, number)
    say(f"proposal {number} of '{name}' is withdrawn")


def list_proposals(name: str, store: str, server: str | None, kind: Format) -> None:
    """Print the proposals of a study, oldest first; values as its file has them."""
    with operations(store, server) as ops:
        found = ops.studies.proposals(name).items
    rows = [each.model_dump(mode="json", exclude={"study"}) for each in found]
    if kind == "table":
        rows = [
            {
                "proposal": each.id, "layout": each.layout, "author": each.author,
                "design": ", ".join(f"{path} = {value}" for path, value in each.design.items()),
                "state": f"evaluated by {len(each.evaluated)}" if each.evaluated
                else "taken" if each.taken else "waiting",
                "key": short_key(each.key) if each.key else "",
            }
            for each in found
        ]  # fmt: skip
    emit(rows, kind)


def extend(ops: Services, name: str, totals: Mapping[str, str | None], wall_time: str | None) -> None:
    """Give a stored study a larger budget or more seeds; ``totals`` are as the shell has them."""
    from service.resources.studies import ExtensionRequest

    stored = ops.studies.get(name).definition
    present = {**stored["search"], "seeds": len(stored["seeds"])}
    counts = {key: _total(given, present.get(key), key) for key, given in totals.items()}
    wanted = {**counts, "wall_time": wall_time}
    study = ops.studies.extend(name, request(ExtensionRequest, wanted))
    search, seeds = study.definition["search"], study.definition["seeds"]
    stated = [f"{key} = {search[key]} per run" for key in search if wanted.get(key) is not None]
    if wanted["seeds"] is not None:
        stated.append(f"seeds = {seeds}")
    say(f"'{name}' continues with {', '.join(stated)}")


def _total(given: str | None, before: int | None, option: str) -> int | None:
    """A total from what is given: a number, or how many more."""
    if given is None:
        return None
    if not given.removeprefix("+").isdecimal():
        raise InputError(
            f"'{given}' is not a whole number; write a total, such as 55, or an addition, such as +25",
            (option,),
        )
    return int(given) + (before or 0) * given.startswith("+")


def pause_or_stop(ops: Services, name: str, how: Literal["pause", "stop"], *, wait: bool) -> None:
    """Pause or stop a study's runs, and wait until their processes have ended them."""
    (ops.studies.pause if how == "pause" else ops.studies.stop)(name)
    runs = ops.runs.list(name).items
    reported = False
    while wait and any(run.state in ("pausing", "cancelling") for run in runs):
        if not reported:
            say("waiting until the runs have stopped, at most a minute")
            reported = True
        time.sleep(_POLL_SECONDS)
        runs = ops.runs.list(name).items
    for run in runs:
        say(f"{run.layout}, seed {run.seed}: {run.state}")


def finish(ended: Outcome, kind: Format, location: str) -> None:
    """Print how the runs ended and exit with the code that says so; ``location`` are options for a store."""
    study, runs, told = ended
    if kind == "json":
        rows = [run_row(run) for run in runs]
        emit_json({"name": study.name, "state": study.state, "runs": rows})
    else:
        emit_runs(runs, kind, study.name, told)
    states = {run.state for run in runs}
    if states & {"paused", "running", "queued"}:
        where = own_model_option(study.definition["model"]) + location
        say(f"to continue: tautline study resume {study.name}{where}")
        raise typer.Exit(130)
    if states != {"done"}:
        raise typer.Exit(1)
    if not any(run.feasible for run in runs):
        say(
            f"no feasible design was found; `tautline study show {study.name}` says what the nearest ones "
            "lack, the report and the export list every design with its reason"
        )
        raise typer.Exit(3)


def reevaluate(store: str, server: str | None, name: str, machines: Machines | None, kind: Format) -> None:
    """Evaluate the front again and print old beside new."""
    with operations(store, server) as ops:
        study = ops.studies.get(name)
        model = study_model(ops, study)
        found = _reevaluated(ops, name, machines)
    _show(study, model, found, kind)


def _reevaluated(ops: Services, name: str, machines: Machines | None) -> list[ReevaluatedResource]:
    """Ask for it, and wait where a server's runners do it."""
    state = wait_for(
        lambda: ops.reevaluations.start(name, machines=machines),
        lambda _: ops.reevaluations.get(name),
        lambda found: found.state in ("queued", "running"),
        lambda found: f"{found.evaluated} of {found.designs} designs",
    )
    if state.state != "done":
        raise WorkerError(f"the server did not evaluate the front again: {state.message or state.state}")
    return ops.reevaluations.designs(name).items


def _show(
    study: StudyResource, model: ModelResource, found: Sequence[ReevaluatedResource], kind: Format
) -> None:
    if kind == "json":
        emit_json([one.model_dump() for one in found])
    else:
        metrics = list(dict.fromkeys([*study.definition["objectives"], *study.definition["constraints"]]))
        rows = [_row(one, metrics) for one in found]
        emit(_table_rows(rows, model, metrics) if kind == "table" else rows, kind)
    _say_outcome(study.name, model, found)


def _row(one: ReevaluatedResource, metrics: Sequence[str]) -> dict[str, Any]:
    pairs = {
        f"{metric} {when}": record.metrics.get(metric)
        for metric in metrics
        for when, record in (("stored", one.stored), ("now", one.now))
    }
    return {
        "layout": one.layout,
        **pairs,
        "outcome": one.outcome,
        "reason": one.now.reason,
        "key": one.stored.key,
    }


def _table_rows(rows: Sequence[dict[str, Any]], model: ModelResource, metrics: Sequence[str]) -> list[Row]:
    """Rows for people: readable units, a short key, reasons only where there is one."""
    units = {metric.metric: metric.unit for metric in model.metrics}
    named = {f"{name} {when}": units[name] for name in metrics if name in units for when in ("stored", "now")}
    spare = [] if any(row["reason"] for row in rows) else ["reason"]
    short = [
        {k: v for k, v in row.items() if k not in spare} | {"key": short_key(row["key"])} for row in rows
    ]
    return in_units(short, named)


def _say_outcome(name: str, model: ModelResource, found: Sequence[ReevaluatedResource]) -> None:
    before = sorted({one.stored.model_version for one in found})
    counts = Counter(one.outcome for one in found)
    listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no designs"
    versions = " and ".join(map(str, before)) or "none"
    say(f"front of '{name}', {model.model} version {versions} -> {model.version}: {listed}")
    say("the search itself is not repeated; to search under this version: "
        f"tautline study resume {name} --branch NEW-NAME")  # fmt: skip


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
        said: dict[tuple[str, int], str] = {}
        for event in ops.events.follow(name):
            if event.kind == "generation" and time.monotonic() - looked < _LOOK_SECONDS:
                continue
            looked = time.monotonic()
            for report in _reports(ops.runs.list(name).items, planned):
                before = said.get((report.layout, report.seed))
                said[report.layout, report.seed] = report.message
                if report.phase != "waiting" or report.message != before:
                    show(report)


def _reports(runs: Sequence[RunResource], planned: dict[str, int]) -> list[Progress]:
    """Progress of the runs that have begun, as a display shows it, and what they wait for."""
    at_work = [run for run in runs if run.state == "running" and (run.message or not run.generations)]
    waiting = [
        Progress(
            run.layout,
            run.seed,
            "waiting",
            message=run.message.removeprefix("waiting ") or "for its first designs",
        )
        for run in at_work
    ]
    return waiting + [
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
        if run.generations and run not in at_work
    ]
