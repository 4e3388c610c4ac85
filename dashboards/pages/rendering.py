"""HTML of the pages before their scripts run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from dashboards.pages.assets import asset_version
from dashboards.templating import environment

PageName = Literal["login", "studies", "new", "run", "review", "compare", "account", "problem"]

FIGURE_PAGES = frozenset({"new", "run", "review", "compare"})
"""Pages with figures, which ask for the settings of these."""
PLOT_PAGES = frozenset({"compare"})
"""Pages that draw with plotly.js, which asks for a weaker policy; see the page on security."""


def page(
    name: PageName, *, who: str | None, fetched: Sequence[str] = (), after: int | None = None, **values: Any
) -> str:
    """The page called ``name`` as HTML.

    Parameters
    ----------
    who : str or None
        Whose session it is, as the page's head says; None when nobody is logged in.
    fetched : sequence of str
        Addresses of what its script asks for first: the browser fetches them together with the script.
    after : int or None
        For a page that follows events: what its script asks for holds all that happened up to this event.
    **values
        What the template of the page asks for.
    """
    template = environment().get_template(f"pages/{name}.html.j2")
    return template.render(
        page=name, who=who, figures=name in FIGURE_PAGES, plots=name in PLOT_PAGES, asset=_address,
        fetched=fetched, after=after, **values,
    )  # fmt: skip


def _address(name: str) -> str:
    return f"/static/{asset_version()}/{name}"
