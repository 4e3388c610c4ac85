"""``tautline study importances``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.cli.connect import operations
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    MetricsOption,
    NameArgument,
    OneLayoutOption,
    OwnModelOption,
    ServerOption,
    StoreOption,
    names_in,
)
from service.cli.output import Row, emit, emit_json, say

if TYPE_CHECKING:
    from service.resources.results import MetricImportancesResource


def importances(
    name: NameArgument,
    layout: OneLayoutOption = None,
    metrics: MetricsOption = "",
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Importance of each variable, from stored designs.

    Its rank correlation with each objective and constraint stands beside it. Nothing is evaluated.
    """
    with operations(store, server) as ops:
        found = ops.importances.get(name, layout, names_in(metrics))
    if format == "json":
        emit_json(found.model_dump())
        return
    title = f"Variables of {found.study}, layout {found.layout}: {found.designs} stored designs"
    emit([row for metric in found.metrics for row in _rows(metric, words=format == "table")], format, title)
    for metric in found.metrics:
        if metric.remark:
            say(f"{metric.metric}: {metric.remark}")


def _rows(metric: MetricImportancesResource, *, words: bool) -> list[Row]:
    """The variables of a metric, the most important one first, in words or by their paths."""
    ordered = sorted(
        metric.variables, key=lambda one: (-(one.importance or 0.0), -abs(one.correlation or 0.0))
    )
    return [
        {
            "metric": metric.metric,
            "variable": one.label if words else one.variable,
            "importance": one.importance,
            "rank correlation": one.correlation,
        }
        for one in ordered
    ]
