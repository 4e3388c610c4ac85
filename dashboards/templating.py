"""Templates and static files that pages and reports are made of, and text escaped for them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

_PLOTLY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SCRIPT = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_POWERS = re.compile(r"\^(-?\d+(?:\.\d+)?)")

SIGNIFICANT = 6
"""Digits of numbers in figures: finer than any screen, and a third of the bytes."""


def plotly_text(text: str) -> str:
    """Text for titles, labels and hover boxes, which Plotly reads as a subset of HTML."""
    return _POWERS.sub(r"<sup>\1</sup>", text.translate(_PLOTLY))


def raised(text: object) -> Markup:
    """Escaped text for HTML with its powers raised: ``m^1.5`` as ``m<sup>1.5</sup>``; markup stays."""
    return Markup(_POWERS.sub(r"<sup>\1</sup>", str(escape(text))))  # noqa: S704  escaped


def script_json(value: Any) -> str:
    """JSON that is safe inside a ``<script>`` element, whatever its strings hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_SCRIPT)


def rounded(values: Iterable[float | None], digits: int = SIGNIFICANT) -> list[float | None]:
    """Numbers with few digits for figures; what is missing or not finite is null."""
    return [None if v is None or not math.isfinite(v) else float(f"{v:.{digits}g}") for v in values]


@cache
def environment() -> Environment:
    """Templates, in which every text is escaped and nothing may be undefined."""
    templates = Environment(
        loader=PackageLoader("dashboards", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["raised"] = raised
    return templates


def static_text(name: str) -> str:
    """One of our own scripts or styles, by its path in ``static``."""
    return files("dashboards").joinpath("static", *name.split("/")).read_text(encoding="utf-8")


@cache
def plotly_script() -> str:
    """plotly.js of the installed package; its lines end as a browser reads (and hashes) them."""
    text = files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")
