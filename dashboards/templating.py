"""Templates and static files that pages and reports are made of."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment() -> Environment:
    """Templates, in which every text is escaped and nothing may be undefined."""
    return Environment(
        loader=PackageLoader("dashboards", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def static_text(name: str) -> str:
    """One of our own scripts or styles, by its path in ``static``."""
    return files("dashboards").joinpath("static", *name.split("/")).read_text(encoding="utf-8")


@cache
def plotly_text() -> str:
    """plotly.js of the installed package; its lines end as a browser reads (and hashes) them."""
    text = files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")
