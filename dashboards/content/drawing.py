"""A figure with what it is called and what it shows in words."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from dashboards.figures import packed
from dashboards.figures.axes import Figure
from dashboards.templating import script_json


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure before it has a place in a page.

    ``kind`` is how it wants to be shown: ``flat`` beside others, ``tall``, ``full``, ``space`` (3D) or
    ``motion`` (3D with frames) over the page's width, ``wide`` scrolled sideways where it must be.
    """

    title: str
    caption: str
    figure: Figure
    kind: str = "flat"


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure in a page: element id, heading, what it shows in words.

    ``keys`` are names and colours for figures that draw no legend themselves.
    """

    id: str
    title: str
    caption: str
    figure: Figure
    kind: str = "flat"
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def json(self) -> Markup:
        """The figure as text that is safe in a script element."""
        return Markup(script_json(packed(self.figure)))  # noqa: S704  script_json escapes what could end the element


def plot_of(drawing: Drawing, identity: str) -> Plot:
    """A drawing with its place in a page."""
    return Plot(identity, drawing.title, drawing.caption, drawing.figure, drawing.kind)
