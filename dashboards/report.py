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
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from dashboards.content.backends.plugins import plugin_of
from dashboards.content.comparison.conditions import (
    confounders,
    parameter_table,
    search_table,
    variable_table,
)
from dashboards.content.comparison.headline import (
    headline,
    not_optimised_note,
    not_optimised_table,
    scoreboard_table,
)
from dashboards.content.comparison.margins import criteria_table, reference_point_text, seeds_table
from dashboards.content.comparison.seed_tests import seed_tests_note, seed_tests_table
from dashboards.content.front.importances import IMPORTANCE_NOTE, importance_sections
from dashboards.content.front.tolerances import statistics_tables, tolerance_note, tolerance_table
from dashboards.content.report.annotations import annotation_section, decisions_table
from dashboards.content.report.counts import (
    agreement_text,
    facts,
    provenance_table,
    reasons_table,
    runs_table,
    totals,
    validation_table,
)
from dashboards.content.report.data import ReportData, read_report_data
from dashboards.content.report.designs import LayoutView, front_table, layout_views
from dashboards.content.report.plots import (
    attainment_plots,
    backend_figures,
    front_plots,
    history_plot,
    map_section,
)
from dashboards.content.report.verdict import best_values, doubts, verdict
from dashboards.content.robot.study_file import study_toml
from dashboards.figures import PLOT_SETTINGS
from dashboards.formatting import moment, unbroken
from dashboards.script_bundle import linked
from dashboards.templating import environment, plotly_script, static_text
from errors import InputError
from studies.comparison.scoreboard import scoreboard
from studies.store import Store


def write_report(store: Store, name: str, path: Path) -> Path:
    """Write the report of the study called ``name`` to ``path``, and return the path.

    Raises ``UnknownNameError`` when the store does not hold the study, ``InputError`` when the
    file cannot be written.
    """
    text = report_text(store, name)
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None
    return path


def report_text(store: Store, name: str, reader: str = "") -> str:
    """Return the report of a study as of now, with the favourites of the account ``reader``."""
    return render(read_report_data(store, name, reader), datetime.now(UTC).timestamp())


def policy(scripts: tuple[str, ...], compiles: str = "") -> str:
    """The content security policy of one file: run its own ``scripts``, and load nothing.

    A report ``compiles`` by 'unsafe-eval', as plotly.js does for parallel-coordinates figures. It writes
    style elements and attributes, too, hence 'unsafe-inline' for styles. Images are the figures that people
    save.
    """
    hashes = " ".join(_hash(text) for text in (*scripts, static_text("core/early_theme.js")))
    return (
        f"default-src 'none'; script-src {hashes}{compiles}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def report_policy() -> str:
    """The content security policy of a report."""
    return policy(report_scripts(), " 'unsafe-eval'")


def render(report_data: ReportData, now: float) -> str:
    """The report as HTML; ``now`` (UTC seconds) is printed as its date."""
    views = layout_views(report_data)
    return environment().get_template("report.html.j2").render(
        **_context(report_data, views),
        written=moment(now),
        style=Markup(static_text("core/base.css") + static_text("report.css")),  # noqa: S704  our own files
        scripts=[Markup(script) for script in report_scripts()],  # noqa: S704  our own and plotly's file
        early=Markup(static_text("core/early_theme.js")),  # noqa: S704  our own file
        policy=report_policy(),
    )  # fmt: skip


def _context(report_data: ReportData, views: list[LayoutView]) -> dict[str, Any]:
    return {
        "report_data": report_data,
        "title": report_data.study.name,
        "description": report_data.definition.description,
        "facts": facts(report_data, version("tautline")),
        "verdict": unbroken(" ".join(verdict(report_data))),
        "doubts": doubts(report_data),
        "totals": totals(report_data),
        "plot_settings": PLOT_SETTINGS,
        **_compared(report_data),
        **_designs(report_data, views),
        **_progress(report_data),
        **_conditions(report_data),
    }


def _compared(report_data: ReportData) -> dict[str, Any]:
    """Layouts against each other, where there are several, and what nobody optimised."""
    comparison, several = report_data.comparison, len(report_data.layouts) > 1
    board = scoreboard(comparison)
    return {
        "confounders": confounders(report_data.problems),
        "headline": headline(comparison, board) if several else None,
        "scoreboard": scoreboard_table(comparison, board) if several else None,
        "best_values": [] if several else best_values(report_data),
        "criteria": criteria_table(comparison) if several else None,
        "reference_point": reference_point_text(comparison),
        "not_optimised": not_optimised_table(comparison),
        "not_optimised_note": not_optimised_note(comparison),
        "maps": [map_section(number, found) for number, found in enumerate(report_data.maps, 1)],
    }


def _designs(report_data: ReportData, views: list[LayoutView]) -> dict[str, Any]:
    """Sections on designs: fronts, choices and comments."""
    fronts = report_data.comparison.fronts
    return {
        "fronts": front_plots(report_data),
        "front_tables": [front_table(report_data, layout) for layout, front in fronts.items() if front],
        "views": views,
        "backend_figures": backend_figures(report_data),
        "decisions": decisions_table(report_data),
        "tolerances": tolerance_table(report_data),
        "tolerance_note": tolerance_note(report_data, report_data.tolerance_picks),
        "robots": statistics_tables(report_data, report_data.tolerance_picks),
        "importances": importance_sections(report_data.importances, report_data.model.parameters),
        "importance_note": IMPORTANCE_NOTE,
        "annotations": annotation_section(report_data),
    }


def _progress(report_data: ReportData) -> dict[str, Any]:
    """Sections on the progress of the search, seed by seed."""
    return {
        "history": history_plot(report_data),
        "seeds": seeds_table(report_data.comparison),
        "attainments": attainment_plots(report_data.comparison),
        "seed_tests": seed_tests_table(report_data.comparison),
        "seed_tests_note": seed_tests_note(report_data.comparison),
        "runs": runs_table(report_data),
        "reasons": reasons_table(report_data),
    }


def _conditions(report_data: ReportData) -> dict[str, Any]:
    """Sections on the question, the back-end, and the way to repeat the study."""
    cases = report_data.model.reference_cases()
    return {
        "robot": plugin_of(report_data.model.name).conditions(report_data),
        "parameters": parameter_table(report_data),
        "variables": variable_table(report_data),
        "search": search_table(report_data),
        "validation": validation_table(report_data.model.name, cases),
        "agreement": agreement_text(cases),
        "provenance": provenance_table(report_data),
        "study_file": study_toml(report_data.definition),
    }


@cache
def figure_script() -> str:
    """The script of a file with figures, which has its modules within it: a file imports nothing."""
    return f'"use strict";\n{{\n{linked(static_text, ["report.js"])}}}\n'


@cache
def report_scripts() -> tuple[str, ...]:
    """plotly.js and the script of a report."""
    return (_plotly(), figure_script())


def _plotly() -> str:
    text = plotly_script()
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("this version of plotly.js cannot be put into an HTML file")
    return text


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
