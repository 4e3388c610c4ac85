"""Figures of a report with their captions: fronts, progress, attainment, sweeps."""

from __future__ import annotations

from typing import Any

from dashboards.content.comparison.attainment import attainment_caption, attainment_pairs
from dashboards.content.comparison.criteria import reference_point_text
from dashboards.content.comparison.trade_off import front_caption
from dashboards.content.comparison.verdict_map import (
    criterion_title,
    map_note,
    map_sentences,
    map_table,
    map_title,
)
from dashboards.content.drawing import Plot
from dashboards.content.report.data import ReportData
from dashboards.figures import (
    attainment_figure,
    front_figures,
    history_figure,
    parallel_figure,
    verdict_map_figure,
)
from dashboards.palette import styles
from studies.comparison.comparison import Comparison
from studies.comparison.verdict_map import VerdictMap


def front_plots(report_data: ReportData) -> list[Plot]:
    """The fronts in each pair of objectives and in space, and their designs as parallel coordinates."""
    comparison = report_data.comparison
    if not any(comparison.fronts.values()):
        return []
    plots: list[Plot] = []
    figures = front_figures(comparison, report_data.model)
    beside = "flat" if len(figures) > 1 else "full"
    for number, item in enumerate(figures):
        kind = beside if item.kind == "flat" else item.kind
        caption = front_caption(comparison, item.columns)
        plots.append(Plot(f"front-{number}", item.title, caption, item.figure, kind))
    lines = parallel_figure(comparison, report_data.model)
    if lines is not None:
        caption = (
            "Each line is a design of a front, coloured by layout. Drag along an axis to keep only the "
            "designs that pass there; the tables below list all values."
        )
        keys = tuple((layout, style.css) for layout, style in styles(comparison.fronts).items())
        plots.append(Plot("parallel", "Variables and objectives", caption, lines, "wide", keys))
    return plots


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
