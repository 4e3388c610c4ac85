"""``tautline evaluate``: one design, no store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errors import InputError
from models.html_table import without_value
from service.cli.connect import one_model, operations_without_store, refuse_beside_server, request
from service.cli.options import (
    FormatOption,
    OwnModelOption,
    ServerOption,
    SettingsOption,
    names_in,
    read_setting,
)
from service.cli.output import Format, Row, emit, emit_json, message_if_slow, say
from service.cli.units import in_one_unit

if TYPE_CHECKING:
    from service.resources.models import EvaluationResource, MetricResource


ModelArgument = Annotated[
    str | None, typer.Argument(metavar="[MODEL]", help="Name as in `tautline models list`; or give --model.")
]
CheapMetricsOption = Annotated[
    str | None,
    typer.Option(
        "--metrics", help="Metrics, separated by commas; those that are cheapest to compute if not given."
    ),
]
SeriesOption = Annotated[
    Path | None,
    typer.Option(
        "--series",
        metavar="FILE",
        help="Also write the design's quantities over time: .csv, .parquet or .nc (NetCDF).",
    ),
]
ChanceOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Seed of a model that draws random numbers; 0 if not given."),
]


def evaluate(
    context: typer.Context,
    model: ModelArgument = None,
    own_model: OwnModelOption = None,
    preset: Annotated[str | None, typer.Option("--preset", help="A named design to start from.")] = None,
    set_: SettingsOption = None,
    metrics: CheapMetricsOption = None,
    series: SeriesOption = None,
    seed: ChanceOption = None,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Evaluate one design and print its metrics."""
    from service.cli.progress import show_share
    from service.resources.models import EvaluationRequest
    from studies.definition.data_files import DataFiles

    reason = "a series is computed on your own machine, so leave out --server"
    refuse_beside_server(context, server, ["series"], reason)
    model = one_model(model, own_model)
    files = DataFiles(Path.cwd())
    settings = files.fill(model, dict(read_setting(text) for text in set_ or []), ("settings",))
    files.raise_found()
    asked = request(
        EvaluationRequest,
        {"preset": preset, "settings": settings, "metrics": names_in(metrics), "seed": seed},
    )
    if series is not None:
        _require_series(model, series)
    slow = f"evaluating; the first time on a machine, the kernels of {model} are compiled (up to a minute)"
    with operations_without_store(server) as ops:
        with message_if_slow(slow), files.naming_rows(), show_share("evaluating"):
            found = ops.models.evaluate(model, asked)
            if series is not None:
                _write_series(model, preset, settings, series)
        described = ops.models.get(model).metrics if format != "json" else []
    _show(found, described, format)
    if described and not asked.metrics:
        _say_hidden(found, described)
    if found.status != "done":
        raise typer.Exit(3 if found.status == "infeasible" else 1)


def _require_series(model: str, file: Path) -> None:
    """Raise ``InputError`` when no series of this back-end can be written to the file."""
    from models import load
    from studies.exchange.series_file import require_series_file

    if load(model).series is None:
        raise InputError(f"the model {model} has no quantities over time", ("series",))
    require_series_file(file)


def _write_series(model: str, preset: str | None, settings: dict[str, Any], file: Path) -> None:
    """Compute the series of a design once more, and write it."""
    from models import load
    from studies.exchange.series_file import write_series

    found = load(model)
    if found.series is not None:
        write_series(found.series(found.resolve(preset, settings, ("settings",))), file)


def _show(found: EvaluationResource, metrics: list[MetricResource], format: Format) -> None:
    """The metrics, or why there are none, and after them the warnings."""
    if format == "json":
        emit_json(found.model_dump(exclude={"reason", "violation"} if found.status == "done" else None))
        return
    rows: list[Row] = [
        {"metric": m.metric, "value": found.metrics[m.metric], "unit": m.unit, "meaning": m.meaning}
        for m in metrics
        if m.metric in found.metrics
    ]
    empty: list[Any] = []
    if format == "table":
        rows = _with_errors(rows, {m.metric: m.error for m in metrics if m.error})
        empty = [row["metric"] for row in rows if row["value"] is None]
        rows = [row for row in rows if row["value"] is not None]
    emit(rows or [{"status": found.status, "reason": found.reason, "violation": found.violation}], format)
    if empty:
        say(without_value(empty))
    for warning in found.warnings:
        say(f"warning: {warning}")


def _with_errors(rows: Sequence[Row], errors: Mapping[str, str]) -> list[Row]:
    """Rows of metrics whose numerical errors stand beside them instead of in rows of their own."""
    values = {row["metric"]: row["value"] for row in rows}
    column = "error" if values.keys() & errors.keys() else ""
    found: list[Row] = []
    for row in rows:
        if row["metric"] in errors.values():
            continue
        *front, unit, meaning = row.items()
        error = {column: values.get(errors.get(row["metric"], ""))} if column else {}
        found.append(in_one_unit(dict([*front, *error.items(), unit, meaning]), ["value", *error]))
    return found


def _say_hidden(found: EvaluationResource, metrics: list[MetricResource]) -> None:
    """Name the way to compute the metrics that the cheapest evaluation leaves out."""
    errors = {metric.error for metric in metrics}
    hidden = len({metric.metric for metric in metrics} - found.metrics.keys() - errors)
    if found.metrics and hidden:
        say(
            f"{hidden} more metrics take longer: `tautline models show {found.model}` lists them, and "
            "--metrics computes those that you name."
        )
