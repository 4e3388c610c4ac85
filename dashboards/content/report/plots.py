"""Figures of a report with their captions: fronts, progress, attainment, sweeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.content.backends.plugins import plugin_of
from dashboards.content.comparison.margins import reference_point_text
from dashboards.content.comparison.trade_off import attainment_caption, attainment_pairs, front_caption
from dashboards.content.comparison.verdict_map import (
    criterion_title,
    map_note,
    map_sentences,
    map_table,
    map_title,
)
from dashboards.content.drawing import Drawing, Plot, plot_of
from dashboards.content.front.fronts import picks
from dashboards.content.report.data import ReportData
from dashboards.content.tables import Table
from dashboards.figures import (
    Figure,
    attainment_figure,
    front_figures,
    history_figure,
    parallel_figure,
    verdict_map_figure,
)
from dashboards.figures.axes import objective_words
from dashboards.palette import styles
from errors import TautlineError
from studies.comparison.comparison import Comparison
from studies.comparison.verdict_map import VerdictMap
from studies.records import FrontDesign


def front_plots(report_data: ReportData) -> list[Plot]:
    """The fronts in each pair of objectives and in space, and their designs as parallel coordinates."""
    comparison = report_data.comparison
    if not any(comparison.fronts.values()):
        return []
    plots: list[Plot] = []
    drawn = drawn_fronts(comparison)
    note = thinned_note(comparison, drawn)
    figures = front_figures(comparison, report_data.model, drawn)
    beside = "flat" if len(figures) > 1 else "full"
    for number, item in enumerate(figures):
        kind = beside if item.kind == "flat" else item.kind
        caption = f"{front_caption(comparison, item.columns)}{note}"
        plots.append(Plot(f"front-{number}", item.title, caption, _without_keys(item.figure), kind))
    lines = parallel_figure(comparison, report_data.model, drawn)
    if lines is not None:
        caption = (
            "Each line is a design of a front, coloured by layout. Drag along an axis to keep only the "
            f"designs that pass there; the tables below list the values.{note}"
        )
        keys = tuple((layout, style.css) for layout, style in styles(comparison.fronts).items())
        plots.append(Plot("parallel", "Variables and objectives", caption, lines, "wide", keys))
    return plots


MOST_DRAWN = 3000
"""Designs of all fronts together that a report draws: more are no clearer, and a file of many megabytes."""


def drawn_fronts(comparison: Comparison) -> dict[str, list[FrontDesign]]:
    """The designs of each front that are drawn: all, or of many an even part.

    Places are taken evenly in the order of the first objective; the picked designs are always among them.
    """
    total = sum(map(len, comparison.fronts.values()))
    found: dict[str, list[FrontDesign]] = {}
    for layout, front in comparison.fronts.items():
        if total <= MOST_DRAWN or not front:
            found[layout] = list(front)
            continue
        ordered = sorted(front, key=lambda design: design.objectives)
        places = np.linspace(0, len(front) - 1, max(1, MOST_DRAWN * len(front) // total))
        part = {ordered[place].key: ordered[place] for place in np.unique(places.astype(int)).tolist()}
        part |= {pick.design.key: pick.design for pick in picks(front, comparison.objectives)}
        found[layout] = list(part.values())
    return found


def thinned_note(comparison: Comparison, drawn: Mapping[str, Sequence[FrontDesign]]) -> str:
    """A sentence on designs that are not drawn; empty where all are."""
    total, shown = (sum(map(len, fronts.values())) for fronts in (comparison.fronts, drawn))
    if shown == total:
        return ""
    return (
        f" Drawn are {shown} of {total} designs: evenly in the order of "
        f"{objective_words(comparison, 0)}, with all picked ones. The command tautline study export "
        f"{comparison.entries[0].study.name} FILE.csv writes every design."
    )


def _without_keys(figure: Figure) -> Figure:
    """The figure without the keys of its designs, by which a page selects them."""
    data = [
        {name: value for name, value in trace.items() if name != "customdata"} for trace in figure["data"]
    ]
    return {**figure, "data": data}


def attainment_plots(comparison: Comparison) -> list[Plot]:
    """Lines that half of the seeds attain, in each pair of objectives that the report shows."""
    return [
        Plot(
            f"attainment-{number}",
            title,
            attainment_caption(comparison),
            attainment_figure(comparison, *columns),
        )
        for number, (title, columns) in enumerate(attainment_pairs(comparison), 1)
    ]


def map_section(number: int, found: VerdictMap) -> dict[str, Any]:
    """A sweep: a map for each criterion, but for medians only what the table says of them."""
    sentences = map_sentences(found)
    return {
        "title": map_title(found),
        "note": map_note(found),
        "plots": [
            Plot(
                f"map-{number}-{place}",
                criterion_title(each),
                " ".join(sentences[each.name]),
                verdict_map_figure(found, each.name),
                "full",
            )
            for place, each in enumerate(found.criteria, 1)
            if not each.name.startswith("median ")
        ],
        "table": map_table(found),
    }


def history_plot(report_data: ReportData) -> Plot | None:
    """Hypervolume over evaluations; None where nothing was found."""
    if report_data.asked == 0 or not any(report_data.comparison.fronts.values()):
        return None
    caption = (
        "Hypervolume of all feasible designs found so far: median and quartiles over the seeds. "
        f"Every run is measured against the same point: {reference_point_text(report_data.comparison)}."
    )
    return Plot(
        "history", "Hypervolume over evaluations", caption, history_figure(report_data.histories), "flat"
    )


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
