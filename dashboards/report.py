"""One HTML file that holds a whole study: verdict, figures, tables, and how to run it again.

The file loads nothing: plotly.js, scripts, style and data stand in it. Every text passes Jinja's
escaping, data stand in JSON elements that scripts read, and a content security policy allows only
the scripts whose hashes it names.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dashboards.content.captions import front_caption
from dashboards.content.conditions import parameter_table, search_table, variable_table
from dashboards.content.counts import reasons_table, runs_table, totals
from dashboards.content.criteria import criteria_table, reference_point_text, seeds_table
from dashboards.content.designs import front_table
from dashboards.content.drawing import Plot
from dashboards.content.faces import face_of
from dashboards.content.gallery import exhibits
from dashboards.content.material import Material, gather
from dashboards.content.provenance import moment, provenance_table
from dashboards.content.study_file import study_toml
from dashboards.content.validation import agreement_text, validation_table
from dashboards.content.verdict import verdict
from dashboards.content.views import LayoutView, layout_views
from dashboards.escaping import script_json
from dashboards.figures import CONFIG, front_figures, history_figure, parallel_figure
from dashboards.formatting import unbroken
from dashboards.palette import LIFTED, styles
from models.errors import InputError
from studies.store import Store


def write_report(store: Store, name: str, path: Path) -> Path:
    """Write the report of the study called ``name`` to ``path``, and return the path.

    Raises ``UnknownNameError`` when the store does not hold the study, ``InputError`` when the
    file cannot be written.
    """
    text = render(gather(store, name), datetime.now(UTC).timestamp())
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", str(path)) from None
    return path


def render(material: Material, now: float) -> str:
    """The report as HTML; ``now`` (UTC seconds) is printed as its date."""
    scripts = [_plotly(), _package_text("report.js")]
    views = layout_views(material)
    return _environment().get_template("report.html.j2").render(
        **_context(material, views),
        written=moment(now),
        style=Markup(_package_text("report.css")),  # noqa: S704  our own file
        scripts=[Markup(script) for script in scripts],  # noqa: S704  our own and plotly's file
        early=Markup(_package_text("theme.js")),  # noqa: S704  our own file
        script_hashes=[_hash(text) for text in (*scripts, _package_text("theme.js"))],
    )  # fmt: skip


def _context(material: Material, views: list[LayoutView]) -> dict[str, Any]:
    several = len(material.layouts) > 1
    cases = material.model.reference_cases()
    return {
        "material": material,
        "title": material.study.name,
        "description": material.definition.description,
        "state": material.study.state,
        "created": moment(material.study.created),
        "verdict": unbroken(" ".join(verdict(material))),
        "totals": totals(material),
        "criteria": criteria_table(material) if several else None,
        "reference_point": reference_point_text(material),
        "fronts": _front_plots(material),
        "front_tables": [
            front_table(material, layout) for layout, front in material.comparison.fronts.items() if front
        ],
        "history": _history_plot(material),
        "seeds": seeds_table(material),
        "views": views,
        "exhibits": exhibits(material),
        "robot": face_of(material.model.name).conditions(material),
        "parameters": parameter_table(material),
        "variables": variable_table(material),
        "search": search_table(material),
        "runs": runs_table(material),
        "reasons": reasons_table(material),
        "validation": validation_table(material.model.name, cases),
        "agreement": agreement_text(cases),
        "settings": Markup(script_json({"config": CONFIG, "lifted": LIFTED})),  # noqa: S704  constants
        "provenance": provenance_table(material),
        "study_file": study_toml(material.definition),
    }


def _front_plots(material: Material) -> list[Plot]:
    comparison = material.comparison
    if not any(comparison.fronts.values()):
        return []
    plots: list[Plot] = []
    figures = front_figures(comparison, material.model)
    beside = "flat" if len(figures) > 1 else "full"
    for number, item in enumerate(figures):
        kind = {"scatter3d": "space", "splom": "wide"}.get(item.figure["data"][0]["type"], beside)
        caption = front_caption(comparison, item.columns)
        plots.append(Plot(f"front-{number}", item.title, caption, item.figure, kind))
    lines = parallel_figure(comparison, material.model)
    if lines is not None:
        caption = (
            "Each line is a design of a front, coloured by layout. Drag along an axis to keep only the "
            "designs that pass there; the tables below list all values."
        )
        keys = tuple((layout, style.css) for layout, style in styles(comparison.fronts).items())
        plots.append(Plot("parallel", "Variables and objectives", caption, lines, "wide", keys))
    return plots


def _history_plot(material: Material) -> Plot | None:
    if material.asked == 0 or not any(material.comparison.fronts.values()):
        return None
    caption = (
        "Hypervolume of all feasible designs found so far, one line per seed. Every run is measured "
        f"against the same point: {reference_point_text(material)}."
    )
    return Plot(
        "history", "Hypervolume over evaluations", caption, history_figure(material.histories), "flat"
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("dashboards", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _package_text(name: str) -> str:
    return files("dashboards").joinpath("static", name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    """plotly.js of the installed package; its lines end as the browser will read (and hash) them."""
    text = files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("this version of plotly.js cannot stand inside an HTML file")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
