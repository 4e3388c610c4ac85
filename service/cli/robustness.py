"""``tautline design robust`` and ``tautline study sensitivity``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import tomli
import typer

from dashboards.formatting import Scale, heading, quantity, scale_of
from errors import InputError
from service.cli.connect import operations, request
from service.cli.machines import own_machines
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    KeyArgument,
    MetricsOption,
    NameArgument,
    OneLayoutOption,
    OwnModelOption,
    SchedulerOption,
    ServerOption,
    StoreOption,
    TlsCaOption,
    TlsCertOption,
    TlsKeyOption,
    WorkersOption,
    names_in,
)
from service.cli.output import Format, NumberText, Row, emit, emit_json, say, typed
from service.cli.progress import wait_for
from service.cli.units import in_one_unit
from studies.execution.evaluation_key import short_key

if TYPE_CHECKING:
    from service.resources.robustness import (
        IndicesResource,
        RobustMetricResource,
        RobustResource,
        SensitivityResource,
    )

Answer = TypeVar("Answer", "RobustResource", "SensitivityResource")
_MOST_BARS = 12


StudyOption = Annotated[
    str | None, typer.Option("--study", help="The study that evaluated it, if several did.")
]
TolerancesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tolerance",
        metavar="PATH=VALUE",
        help="As in a study file, instead of its own: pulleys='{ normal = \"2 mm\" }'; repeat it.",
    ),
]
SamplesOption = Annotated[int | None, typer.Option("--samples", help="Robots to make; a power of two.")]
MethodOption = Annotated[
    Literal["sobol", "monte-carlo"] | None, typer.Option("--method", help="How robots are drawn.")
]
TornadoOption = Annotated[
    bool, typer.Option("--tornado/--no-tornado", help="Move each number by itself, too.")
]
IndicesOption = Annotated[
    int, typer.Option("--indices", metavar="ROWS", help="Rows for Sobol indices, a power of two.")
]


def robust(
    context: typer.Context,
    key: KeyArgument,
    study: StudyOption = None,
    tolerances: TolerancesOption = None,
    samples: SamplesOption = None,
    method: MethodOption = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the robots.")] = None,
    metrics: MetricsOption = "",
    tornado: TornadoOption = True,
    index_rows: IndicesOption = 0,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Evaluate a design under its tolerances. What is interrupted goes on where it stopped."""
    from service.resources.robustness import RobustRequest

    values: dict[str, Any] = {
        "tolerances": _tolerances(tolerances or []), "samples": samples, "method": method, "seed": seed,
        "metrics": names_in(metrics), "tornado": tornado, "index_rows": index_rows,
    }  # fmt: skip
    wanted = request(RobustRequest, values)
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    with operations(store, server) as ops:
        found = _until_done(lambda: ops.robustness.design(key, study, wanted, machines=machines))
    _show_design(found, format)


def sensitivity(
    context: typer.Context,
    name: NameArgument,
    layout: OneLayoutOption = None,
    rows: Annotated[
        int,
        typer.Option("--rows", help="Rows of each matrix, a power of two; d variables take d + 2 of them."),
    ] = 64,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the designs.")] = 0,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Sobol indices of objectives and constraints to the variables.

    They say which share of a quantity's variance over the design space each variable explains: alone (first
    order), and with the others (total).
    """
    from service.resources.robustness import SensitivityRequest

    wanted = request(SensitivityRequest, {"layout": layout, "rows": rows, "seed": seed})
    machines = own_machines(context, server, workers, scheduler, tls_ca, tls_cert, tls_key)
    with operations(store, server) as ops:
        found = _until_done(lambda: ops.robustness.variables(name, wanted, machines=machines))
    if format == "json":
        emit_json(found.model_dump())
        return
    shown = [one for one in found.indices if one.factors]
    if shown:
        emit(_index_rows(shown, format), format, f"Sobol indices of {found.study}, layout {found.layout}")
    _say_missing(found.indices)
    _say_incomplete(shown, found.rows)
    _say_cautions(shown)


def _tolerances(given: list[str]) -> dict[str, Any] | None:
    """Tolerances as options give them; None for none."""
    found: dict[str, Any] = {}
    for text in given:
        path, sign, value = text.partition("=")
        try:
            found[path.strip()] = tomli.loads(f"value = {value.strip()}")["value"]
        except tomli.TOMLDecodeError:
            found[path.strip()] = None
        if not (sign and isinstance(found[path.strip()], dict)):
            example = "pulleys.0.2='{ normal = \"2 mm\" }'"
            raise InputError(f"'{text}' is no tolerance; write it as in {example}", ("tolerances",))
    return found or None


def _until_done(ask: Callable[[], Answer]) -> Answer:
    """Ask until all is evaluated: a server answers after a few seconds, and keeps what it has."""
    return wait_for(
        ask,
        lambda _: ask(),
        lambda found: not found.done,
        lambda found: f"{found.evaluated} of {found.wanted} evaluations",
    )


def _show_design(found: RobustResource, kind: Format) -> None:
    if kind == "json":
        emit_json(found.model_dump())
        return
    if kind == "csv":
        emit([_statistic_row(metric) for metric in found.metrics], kind)
        return
    share = f"{found.works} of {found.samples} robots work, {found.feasible} meet all constraints"
    title = f"Design {short_key(found.key)} of {found.study}: {share}"
    rows = [_statistic_row(metric) for metric in found.metrics]
    numbers = [name for name in rows[0] if name not in ("metric", "unit")] if rows else []
    emit([in_one_unit(row, numbers) for row in rows], kind, title)
    for metric in found.metrics:
        if metric.tornado and metric.nominal is not None:
            _show_tornado(metric, metric.nominal)
    if found.indices:
        emit(_index_rows(found.indices, kind), kind, "Sobol indices: shares of the variance")
        _say_missing(found.indices)
        _say_cautions(found.indices)
    for reason in found.reasons:
        say(f"{reason.robots} robots do not work: {reason.reason}")


def _statistic_row(metric: RobustMetricResource) -> Row:
    row: dict[str, Any] = {"metric": metric.metric, "unit": metric.unit, "nominal": metric.nominal}
    for one in metric.statistics:
        row[one.statistic] = one.value
        if one.statistic != "worst":
            row[f"{one.statistic} +-"] = one.error
    return row


def _show_tornado(metric: RobustMetricResource, nominal: float) -> None:
    """Show the moves of a metric from its value at the design, the widest first."""
    from dashboards.figures.tornado import moving_bars

    moving = moving_bars(metric.tornado, nominal)
    without = len(metric.tornado) - len(moving)
    if without:
        say(f"{metric.metric}: {without} of {len(metric.tornado)} numbers have no effect by themselves")
    if not moving:
        return
    shown = moving[:_MOST_BARS]
    ends = [(bar.label, bar.lower, bar.upper) for bar in shown]
    moves = [(label, *(None if end is None else end - nominal for end in both)) for label, *both in ends]
    scale = scale_of([move for _, *both in moves for move in both], metric.unit)
    heads = [heading(name, scale.unit) for name in ("less", "more")]
    rows = [
        {"number": label, **{head: _move(move, scale) for head, move in zip(heads, both, strict=True)}}
        for label, *both in moves
    ]
    part = f"the widest {len(shown)} of {len(moving)}" if len(shown) < len(moving) else "the widest first"
    value = typed(quantity(nominal, metric.unit))
    title = f"{metric.metric}: change from {value} by one number a standard deviation off, {part}"
    emit(rows, "table", title)
    if metric.caution:
        say(f"caution, {metric.metric}: {metric.caution}")


def _move(value: float | None, scale: Scale) -> NumberText:
    if value is None:
        return NumberText("does not work")
    return NumberText(f"{'+' * (value > 0)}{typed(scale.bare(value))}")


def _index_rows(indices: list[IndicesResource], kind: Format) -> list[Row]:
    return [
        {
            "metric": one.metric,
            "factor": factor.label if kind == "table" else factor.factor,
            "first order": factor.first,
            "first +-": factor.first_error,
            "total": factor.total,
            "total +-": factor.total_error,
        }
        for one in indices
        for factor in one.factors
    ]


def _say_cautions(indices: list[IndicesResource]) -> None:
    for one in indices:
        if one.caution:
            say(f"caution, {one.metric}: {one.caution}")


def _say_missing(indices: list[IndicesResource]) -> None:
    for one in indices:
        if one.reason:
            say(f"{one.metric}: no indices; {one.reason}")


def _say_incomplete(indices: list[IndicesResource], rows: int) -> None:
    for one in indices:
        if one.rows < rows:
            say(f"{one.metric}: {one.rows} of {rows} rows count; in the others a design is infeasible")
