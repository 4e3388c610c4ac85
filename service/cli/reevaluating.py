"""``tautline study reevaluate``: a stored front under the installed version of its model, here or there."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from models.errors import WorkerError
from service.cli.measured import in_units
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.reach import operations
from service.cli.stopping import stop_on_signals

if TYPE_CHECKING:
    from service.cli.running import Machines
    from service.operations import Operations
    from service.reevaluation_resources import ReevaluatedResource
    from service.resources import ModelResource, StudyResource

_POLL_SECONDS = 0.5


def reevaluate(store: str, server: str | None, name: str, machines: Machines, kind: Format) -> None:
    """Evaluate the front again and print old beside new."""
    with operations(store, server) as where:
        study = where.study(name)
        model = where.model(study.definition["model"])
        found = _by_these_machines(store, name, machines) if server is None else _by_the_server(where, name)
    _show(study, model, found, kind)


def _by_these_machines(store: str, name: str, machines: Machines) -> list[ReevaluatedResource]:
    from service.local.reevaluations import reevaluated_resource
    from studies.execution import Interrupted
    from studies.reevaluation import reevaluate_front
    from studies.store import open_existing

    left = "the results so far are kept; run the same command again to continue"
    with open_existing(store) as opened, stop_on_signals(left) as should_stop:
        try:
            found = reevaluate_front(opened, name, machines.open, should_stop)
        except Interrupted:
            raise typer.Exit(130) from None
    return [reevaluated_resource(one) for one in found]


def _by_the_server(where: Operations, name: str) -> list[ReevaluatedResource]:
    """Ask for it and wait; Ctrl-C leaves it going on there."""
    said = -1
    try:
        state = where.reevaluate(name)
        while state.state in ("queued", "running"):
            if state.evaluated != said:
                say(f"{state.evaluated} of {state.designs} designs")
                said = state.evaluated
            time.sleep(_POLL_SECONDS)
            state = where.reevaluation(name)
    except KeyboardInterrupt:
        say("it goes on without you; the same command waits for it again")
        raise typer.Exit(130) from None
    if state.state != "done":
        raise WorkerError(f"the server did not evaluate the front again: {state.message or state.state}")
    return where.reevaluated(name)


def _show(
    study: StudyResource, model: ModelResource, found: Sequence[ReevaluatedResource], kind: Format
) -> None:
    if kind == "json":
        emit_json([one.model_dump() for one in found])
    else:
        metrics = list(dict.fromkeys([*study.definition["objectives"], *study.definition["constraints"]]))
        rows = [_row(one, metrics) for one in found]
        emit(_shown(rows, model, metrics) if kind == "table" else rows, kind)
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


def _shown(rows: Sequence[dict[str, Any]], model: ModelResource, metrics: Sequence[str]) -> list[Row]:
    """Rows for people: readable units, a short key, reasons only where there is one."""
    units = {metric.metric: metric.unit for metric in model.metrics}
    named = {f"{name} {when}": units[name] for name in metrics if name in units for when in ("stored", "now")}
    spare = [] if any(row["reason"] for row in rows) else ["reason"]
    short = [{k: v for k, v in row.items() if k not in spare} | {"key": row["key"][:10]} for row in rows]
    return in_units(short, named)


def _say_outcome(name: str, model: ModelResource, found: Sequence[ReevaluatedResource]) -> None:
    before = sorted({one.stored.model_version for one in found})
    counts = Counter(one.outcome for one in found)
    listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no designs"
    versions = " and ".join(map(str, before)) or "none"
    say(f"front of '{name}', {model.model} version {versions} -> {model.version}: {listed}")
    say("the search itself is not repeated; to search under this version: "
        f"tautline study resume {name} --branch NEW-NAME")  # fmt: skip
