"""``tautline study reevaluate``: a stored front under the installed version of its model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from service.cli.measured import in_units
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.stopping import stop_on_signals

if TYPE_CHECKING:
    from models import Model
    from service.cli.running import Machines
    from studies.reevaluation import Reevaluated


def reevaluate(store: str, name: str, machines: Machines, kind: Format) -> None:
    """Evaluate the front again and print old beside new."""
    from models import load
    from studies.execution import Interrupted
    from studies.reevaluation import reevaluate_front
    from studies.store import open_existing

    left = "the results so far are kept; run the same command again to continue"
    with open_existing(store) as opened, stop_on_signals(left) as should_stop:
        definition = opened.study(name).definition
        model = load(definition["model"])
        try:
            found = reevaluate_front(opened, name, machines.open, should_stop)
        except Interrupted:
            raise typer.Exit(130) from None
    if kind == "json":
        emit_json([_plain(one) for one in found])
    else:
        metrics = list(dict.fromkeys([*definition["objectives"], *definition["constraints"]]))
        rows = [_row(one, metrics) for one in found]
        emit(_shown(rows, model, metrics) if kind == "table" else rows, kind)
    _say_outcome(name, model, found)


def _row(one: Reevaluated, metrics: Sequence[str]) -> dict[str, Any]:
    pairs = {
        f"{metric} {when}": record.metrics.get(metric)
        for metric in metrics
        for when, record in (("stored", one.stored), ("now", one.again))
    }
    return {
        "layout": one.layout,
        **pairs,
        "outcome": one.outcome,
        "reason": one.again.reason,
        "key": one.stored.key,
    }


def _shown(rows: Sequence[dict[str, Any]], model: Model, metrics: Sequence[str]) -> list[Row]:
    """Rows for people: readable units, a short key, reasons only where there is one."""
    units = {metric.name: metric.unit for metric in model.metrics}
    named = {f"{name} {when}": units[name] for name in metrics if name in units for when in ("stored", "now")}
    spare = [] if any(row["reason"] for row in rows) else ["reason"]
    short = [{k: v for k, v in row.items() if k not in spare} | {"key": row["key"][:10]} for row in rows]
    return in_units(short, named)


def _plain(one: Reevaluated) -> dict[str, Any]:
    return {
        "layout": one.layout,
        "outcome": one.outcome,
        "stored": _record(one.stored),
        "now": _record(one.again),
    }


def _record(record: Any) -> dict[str, Any]:
    return {
        "key": record.key,
        "model_version": record.task.model_version,
        "state": record.state,
        "reason": record.reason,
        "metrics": dict(record.metrics),
    }


def _say_outcome(name: str, model: Model, found: Sequence[Reevaluated]) -> None:
    before = sorted({one.stored.task.model_version for one in found})
    counts = Counter(one.outcome for one in found)
    listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no designs"
    versions = " and ".join(map(str, before)) or "none"
    say(f"front of '{name}', {model.name} version {versions} -> {model.version}: {listed}")
    say("the search itself is not repeated; to search under this version: "
        f"tautline study resume {name} --branch NEW-NAME")  # fmt: skip
