"""Figures and tables of the picked designs that only their back-end can make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dashboards.content.backends.plugins import plugin_of
from dashboards.content.drawing import Drawing, Plot, plot_of
from dashboards.content.report.data import ReportData
from dashboards.content.tables import Table
from errors import TautlineError


@dataclass(frozen=True, slots=True)
class BackendFigures:
    """Figures of one design or of several, and tables; ``notice`` says why there are none."""

    title: str
    plots: tuple[Plot, ...]
    notice: str = ""
    tables: tuple[Table, ...] = ()


def backend_figures(report_data: ReportData) -> list[BackendFigures]:
    """One per picked design, and one of a layout's designs together; none for most back-ends."""
    plugin = plugin_of(report_data.model.name)
    found: list[BackendFigures] = []
    for number, layout in enumerate(report_data.layouts):
        chosen = {pick.title: report_data.parameters_of(pick.design) for pick in report_data.picks(layout)}
        named = {title: parameters for title, parameters in chosen.items() if parameters is not None}
        head = f"{layout}: " if len(report_data.layouts) > 1 else ""
        for place, (title, parameters) in enumerate(named.items()):
            identity = f"design-{number}-{place}"
            found.append(
                _drawn(
                    head + title,
                    identity,
                    lambda p=parameters: plugin.of_design(p),
                    lambda p=parameters: plugin.tables_of_design(p),
                )
            )
        if len(named) > 1:
            title = f"{head}Picked designs together"
            found.append(_drawn(title, f"designs-{number}", lambda n=named: plugin.of_designs(n)))
    return [figures for figures in found if figures.plots or figures.notice]


def _drawn(
    title: str,
    identity: str,
    draw: Callable[[], Sequence[Drawing]],
    tell: Callable[[], Sequence[Table]] = tuple,
) -> BackendFigures:
    try:
        drawings, tables = draw(), tell()
    except (TautlineError, ArithmeticError, ValueError) as error:
        return BackendFigures(title, (), f"No figures: {type(error).__name__}: {error}")
    plots = tuple(plot_of(each, f"{identity}-{i}") for i, each in enumerate(drawings))
    return BackendFigures(title, plots, tables=tuple(tables))
