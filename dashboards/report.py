"""One HTML file that holds a whole study: verdict, figures, tables, and how to run it again.

The file loads nothing: it holds plotly.js, scripts, style and data. Every text passes Jinja's
escaping, data are in JSON elements that scripts read, and a content security policy allows only
the scripts whose hashes it names.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from dashboards.content.annotations import annotation_section
from dashboards.content.attainment import attainment_caption, attainment_pairs
from dashboards.content.backend_figures import backend_figures
from dashboards.content.conditions import parameter_table, search_table, variable_table
from dashboards.content.confounders import confounders
from dashboards.content.counts import reasons_table, runs_table, totals
from dashboards.content.criteria import criteria_table, reference_point_text, seeds_table
from dashboards.content.designs import front_table
from dashboards.content.drawing import Plot, front_caption
from dashboards.content.headline import headline
from dashboards.content.importances import IMPORTANCE_NOTE, importance_sections
from dashboards.content.not_optimised import not_optimised_note, not_optimised_table
from dashboards.content.plugins import plugin_of
from dashboards.content.provenance import moment, provenance_table
from dashboards.content.report_data import ReportData, read_report_data
from dashboards.content.scoreboard import scoreboard_table
from dashboards.content.seed_tests import seed_tests_note, seed_tests_table
from dashboards.content.study_file import study_toml
from dashboards.content.tolerances import statistics_tables, tolerance_note, tolerance_table
from dashboards.content.validation import agreement_text, validation_table
from dashboards.content.verdict import verdict
from dashboards.content.verdict_map import criterion_title, map_note, map_sentences, map_table, map_title
from dashboards.content.views import LayoutView, layout_views
from dashboards.figures import (
    CONFIG,
    attainment_figure,
    front_figures,
    history_figure,
    parallel_figure,
    verdict_map_figure,
)
from dashboards.formatting import unbroken
from dashboards.palette import LIFTED, styles
from dashboards.script_bundle import linked
from dashboards.templating import environment, plotly_script, script_json, static_text
from errors import InputError
from studies.comparison import Comparison
from studies.scoreboard import scoreboard
from studies.store import Store
from studies.verdict_map import VerdictMap


def write_report(store: Store, name: str, path: Path) -> Path:
    """Write the report of the study called ``name`` to ``path``, and return the path.

    Raises ``UnknownNameError`` when the store does not hold the study, ``InputError`` when the
    file cannot be written.
    """
    text = render(read_report_data(store, name), datetime.now(UTC).timestamp())
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None
    return path


@cache
def policy() -> str:
    """What a report may do, as a content security policy: run its own scripts, and load nothing.

    plotly.js compiles the drawing code of 3D and parallel-coordinates figures at run time, hence
    'unsafe-eval', and writes style elements and attributes, hence 'unsafe-inline' for styles. Images are
    the figures that people save.
    """
    hashes = " ".join(_hash(text) for text in (*report_scripts(), static_text("core/early_theme.js")))
    return (
        f"default-src 'none'; script-src {hashes} 'unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def render(report_data: ReportData, now: float) -> str:
    """The report as HTML; ``now`` (UTC seconds) is printed as its date."""
    views = layout_views(report_data)
    return environment().get_template("report.html.j2").render(
        **_context(report_data, views),
        written=moment(now),
        style=Markup(static_text("core/base.css") + static_text("report.css")),  # noqa: S704  our own files
        scripts=[Markup(script) for script in report_scripts()],  # noqa: S704  our own and plotly's file
        early=Markup(static_text("core/early_theme.js")),  # noqa: S704  our own file
        policy=policy(),
    )  # fmt: skip


def _context(report_data: ReportData, views: list[LayoutView]) -> dict[str, Any]:
    several = len(report_data.layouts) > 1
    board = scoreboard(report_data.comparison)
    cases = report_data.model.reference_cases()
    return {
        "report_data": report_data,
        "title": report_data.study.name,
        "description": report_data.definition.description,
        "state": report_data.study.state,
        "created": moment(report_data.study.created),
        "confounders": confounders(report_data.problems),
        "verdict": unbroken(" ".join([*verdict(report_data), *report_data.remarks])),
        "totals": totals(report_data),
        "headline": headline(report_data.comparison, board) if several else None,
        "scoreboard": scoreboard_table(report_data.comparison, board) if several else None,
        "criteria": criteria_table(report_data.comparison) if several else None,
        "reference_point": reference_point_text(report_data.comparison),
        "not_optimised": not_optimised_table(report_data.comparison),
        "not_optimised_note": not_optimised_note(report_data.comparison),
        "fronts": _front_plots(report_data),
        "front_tables": [
            front_table(report_data, layout)
            for layout, front in report_data.comparison.fronts.items()
            if front
        ],
        "history": _history_plot(report_data),
        "seeds": seeds_table(report_data.comparison),
        "maps": [_map_section(number, found) for number, found in enumerate(report_data.maps, 1)],
        "attainments": _attainment_plots(report_data.comparison),
        "seed_tests": seed_tests_table(report_data.comparison),
        "seed_tests_note": seed_tests_note(report_data.comparison),
        "views": views,
        "backend_figures": backend_figures(report_data),
        "tolerances": tolerance_table(report_data),
        "tolerance_note": tolerance_note(report_data, report_data.tolerance_picks),
        "robots": statistics_tables(report_data, report_data.tolerance_picks),
        "importances": importance_sections(report_data.importances),
        "importance_note": IMPORTANCE_NOTE,
        "annotations": annotation_section(report_data),
        "robot": plugin_of(report_data.model.name).conditions(report_data),
        "parameters": parameter_table(report_data),
        "variables": variable_table(report_data),
        "search": search_table(report_data),
        "runs": runs_table(report_data),
        "reasons": reasons_table(report_data),
        "validation": validation_table(report_data.model.name, cases),
        "agreement": agreement_text(cases),
        "settings": Markup(script_json({"config": CONFIG, "lifted": LIFTED})),  # noqa: S704  constants
        "provenance": provenance_table(report_data),
        "study_file": study_toml(report_data.definition),
    }


def _front_plots(report_data: ReportData) -> list[Plot]:
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


def _attainment_plots(comparison: Comparison) -> list[Plot]:
    return [
        Plot(
            f"attainment-{number}",
            title,
            attainment_caption(comparison),
            attainment_figure(comparison, *columns),
        )
        for number, (title, columns) in enumerate(attainment_pairs(comparison), 1)
    ]


def _map_section(number: int, found: VerdictMap) -> dict[str, Any]:
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


def _history_plot(report_data: ReportData) -> Plot | None:
    if report_data.asked == 0 or not any(report_data.comparison.fronts.values()):
        return None
    caption = (
        "Hypervolume of all feasible designs found so far, one line per seed. Every run is measured "
        f"against the same point: {reference_point_text(report_data.comparison)}."
    )
    return Plot(
        "history", "Hypervolume over evaluations", caption, history_figure(report_data.histories), "flat"
    )


@cache
def report_scripts() -> tuple[str, ...]:
    """plotly.js and the script of a report, which has its modules within it: a file imports nothing."""
    own = linked(static_text, ["report.js"])
    return (_plotly(), f'"use strict";\n{{\n{own}}}\n')


def _plotly() -> str:
    text = plotly_script()
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("this version of plotly.js cannot be put into an HTML file")
    return text


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
