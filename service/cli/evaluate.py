"""``tautline evaluate``: one design, no store."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from models.errors import InputError
from service.cli.options import FormatOption
from service.cli.output import Format, emit, emit_json, say, told_if_slow


def evaluate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Name as in `tautline models list`.")],
    preset: Annotated[str | None, typer.Option("--preset", help="A named design to start from.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PATH=VALUE",
            help='A parameter, e.g. --set beta1=0.7 --set "cable_diameter=2 mm".',
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option("--metrics", help="Comma-separated names; those that cost least if not given."),
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Evaluate one design and print its metrics."""
    from models import load
    from studies.execution.evaluation import evaluate_task, task_of

    found = load(model)
    names = [name.strip() for name in metrics.split(",")] if metrics else []
    for name in names:
        found.metric(name, "--metrics")
    settings = dict(_setting(text) for text in set_ or [])
    parameters = found.resolve(preset, settings, "--set" if set_ else "")
    cost_class = found.cost_class_for(names) if names else found.cost_classes[0]
    with told_if_slow(f"compiling the kernels of {found.name}, once on a machine (up to a minute)"):
        found.prepare(cost_class)
    task = task_of(found, parameters.model_dump(mode="json"), cost_class, 0)
    with told_if_slow("evaluating; kernels that are new to this machine are compiled first"):
        record = evaluate_task(task, "driver")
    shown = {name: value for name, value in record.metrics.items() if not names or name in names}
    if format == "json":
        emit_json(_answer(record, found.version, shown))
    else:
        _show(record, found.metrics, shown, format)
    if record.state != "done":
        raise typer.Exit(3 if record.state == "infeasible" else 1)


def _show(record: Any, metrics: Iterable[Any], shown: dict[str, Any], format: Format) -> None:  # noqa: A002
    """The metrics, or why there are none, and after them the warnings."""
    rows = [
        {"metric": m.name, "value": shown[m.name], "unit": m.unit, "meaning": m.meaning}
        for m in metrics
        if m.name in shown
    ]
    emit(rows or [{"status": record.state, "reason": record.reason, "violation": record.violation}], format)
    for warning in record.warnings:
        say(f"warning: {warning}")


def _answer(record: Any, version: int, metrics: dict[str, Any]) -> dict[str, Any]:
    answer = {
        "model": record.task.model,
        "version": version,
        "status": record.state,
        "parameters": record.task.parameters,
        "metrics": metrics,
        "warnings": list(record.warnings),
        "counters": record.counters,
        "seconds": record.seconds,
    }
    if record.state != "done":
        answer |= {"reason": record.reason, "violation": record.violation}
    return answer


def _setting(text: str) -> tuple[str, Any]:
    """``path=value`` with the value read as JSON, else TOML, else as text."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise InputError(f"'{text}' is not of the form PATH=VALUE, as in beta1=0.7", "--set")
    return path.strip(), _value(value.strip())


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError, KeyError):
        return text
