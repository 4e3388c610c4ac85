"""``tautline study sweep`` and ``sweeps``: a study under a grid of conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import tomli
import typer

from errors import InputError, WorkerError
from service.cli.connect import operations, request
from service.cli.machines import Machines, own_machines
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    NameArgument,
    OwnModelOption,
    SchedulerOption,
    ServerOption,
    StoreOption,
    TlsCaOption,
    TlsCertOption,
    TlsKeyOption,
    WorkersOption,
    value_of,
)
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.progress import wait_for

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.sweeps import SweepRequest, SweepResource, VerdictMapResource


def sweep(
    context: typer.Context,
    name: NameArgument,
    over: Annotated[
        list[str] | None,
        typer.Option(
            "--over",
            metavar="PATH=VALUES",
            help='A parameter and its values, e.g. --over f_min=0,2,4 --over "clearance=1 mm, 5 mm".',
        ),
    ] = None,
    search: Annotated[
        bool,
        typer.Option("--search", help="Search anew under each condition, instead of evaluating the fronts."),
    ] = False,
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
    """Say which layout wins under which conditions. Interrupted, the same command continues."""
    from service.resources.sweeps import SweepRequest

    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    mode = "search" if search else "reevaluate"
    wanted = request(SweepRequest, {"over": grid_of(over or []), "mode": mode})
    with operations(store, server) as ops:
        show_map(ops.sweeps.map(name, _computed(ops, name, wanted, machines)), format)


def sweeps(
    name: NameArgument,
    sweep_id: Annotated[
        int | None, typer.Argument(metavar="[SWEEP]", min=0, help="Number of a sweep: show its map.")
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the sweep; what it computed stays.")
    ] = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the sweeps of a study, or show the map of one."""
    if delete and sweep_id is None:
        raise InputError(
            "needs the number of a sweep, as `tautline study sweeps NAME` lists them", ("delete",)
        )
    with operations(store, server) as ops:
        if sweep_id is None:
            emit([_row(each, words=format == "table") for each in ops.sweeps.list(name).items], format)
        elif delete:
            ops.sweeps.delete(name, sweep_id)
            say(f"deleted sweep {sweep_id} of '{name}'; its evaluations and studies stay")
        else:
            show_map(ops.sweeps.map(name, sweep_id), format)


# ------------------------------------------------------------------ what is asked for


def grid_of(texts: list[str]) -> dict[str, list[Any]]:
    """The grid that ``--over`` options give: each a parameter with its values, separated by commas."""
    grid: dict[str, list[Any]] = {}
    for text in texts:
        path, equals, values = text.partition("=")
        path = path.strip()
        if not equals or not path:
            raise InputError(f"'{text}' is not of the form PATH=VALUES, as in f_min=0,2,4", ("over",))
        if path in grid:
            raise InputError(f"names '{path}' twice; list all its values once", ("over",))
        grid[path] = _values(values)
    return grid


def _values(text: str) -> list[Any]:
    """Values separated by commas: as an array of TOML if they are one, else each for itself."""
    try:
        return tomli.loads(f"values = [{text}]")["values"]
    except (ValueError, RecursionError, KeyError):
        return [value_of(part.strip()) for part in text.split(",") if part.strip()]


# ------------------------------------------------------------------ carried out


def _computed(ops: Services, name: str, wanted: SweepRequest, machines: Machines | None) -> int:
    """Ask for a sweep, and wait where a server's runners carry it out."""
    found = wait_for(
        lambda: ops.sweeps.start(name, wanted, machines=machines),
        lambda found: ops.sweeps.get(name, found.sweep),
        lambda found: found.state in ("queued", "running"),
        lambda found: (
            f"{found.done} of {found.wanted} {'conditions' if found.mode == 'search' else 'evaluations'}"
        ),
    )
    if found.state != "done" and machines is None:
        raise WorkerError(f"the server did not complete the sweep: {found.message or found.state}")
    return found.sweep


# ------------------------------------------------------------------ shown


def _row(found: SweepResource, *, words: bool) -> Row:
    return {
        "sweep": found.sweep,
        "over": "; ".join(
            f"{found.labels.get(path, path) if words else path} = {', '.join(map(str, values))}"
            for path, values in found.over.items()
        ),
        "mode": found.mode,
        "conditions": found.conditions,
        "state": found.state,
        "done": f"{found.done}/{found.wanted}",
        "created": found.created,
    }


def show_map(found: VerdictMapResource, kind: Format) -> None:
    """The map on stdout, and on stderr who wins where."""
    if kind == "json":
        emit_json(found.model_dump(mode="json", exclude={"table"}))
    elif kind == "csv":
        emit(_exact_rows(found), kind)
    else:
        head, rows = found.table.head, found.table.rows
        emit([{name: cell.text for name, cell in zip(head, row, strict=True)} for row in rows], kind)
    for criterion in found.criteria:
        say(f"{criterion.title}: {' '.join(criterion.sentences)}")
    say(found.note)


def _exact_rows(found: VerdictMapResource) -> list[Row]:
    """A row per condition and criterion, in SI."""
    return [
        {
            **each.values,
            "criterion": verdict.criterion,
            **verdict.values,
            "winner": verdict.winner,
            "margin": verdict.margin,
            "outcome": verdict.outcome,
            "p_value": verdict.p_value,
        }
        for each in found.conditions
        for verdict in each.verdicts
    ]
