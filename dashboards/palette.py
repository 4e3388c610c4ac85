"""One colour, symbol and dash per layout, the same in every figure.

The colours are those of Okabe and Ito that stand out on white and on near-black alike; people who
do not tell colours apart have the symbols and dashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SYMBOLS = ("circle", "diamond", "square", "cross", "x", "circle-open", "diamond-open", "square-open")
DASHES = ("solid", "dash", "dot", "dashdot")

LIFTED = {
    "#0072B2": "#4FA9E2",
    "#D55E00": "#F08A45",
    "#009E73": "#2CC79B",
    "#CC79A7": "#E09CC3",
    "#2F8FCE": "#5DB4EE",
}
"""Dark colours as they are on dark pages: lighter."""

RAMP = ("#2F8FCE", "#8B7FD1", "#C266A8", "#D5602B")
"""From little to much, all of middling lightness: each stands out on white and on near-black."""

INK = "#767C85"
"""Text where the page's colours are not known: legible on white and on black."""
FAINT = "rgba(128,136,146,0.30)"


@dataclass(frozen=True, slots=True)
class Style:
    """How one layout looks."""

    colour: str
    symbol: str
    dash: str

    @property
    def css(self) -> str:
        """The colour as CSS that follows the page's colour scheme."""
        return f"light-dark({self.colour}, {LIFTED.get(self.colour, self.colour)})"


def ramp_colour(share: float) -> str:
    """The colour at ``share`` (0 to 1) of :data:`RAMP`, as ``#rrggbb``."""
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    first = min(int(place), len(RAMP) - 2)
    pairs = zip(*(_channels(colour) for colour in RAMP[first : first + 2]), strict=True)
    return "#" + "".join(f"{round(one + (other - one) * (place - first)):02x}" for one, other in pairs)


def _channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def style_of(index: int) -> Style:
    """The style of the layout at ``index`` in the study file."""
    return Style(COLOURS[index % len(COLOURS)], SYMBOLS[index % len(SYMBOLS)], DASHES[index % len(DASHES)])


def styles(layouts: Iterable[str]) -> dict[str, Style]:
    """The style of every layout, in the order of the study file."""
    return {layout: style_of(index) for index, layout in enumerate(layouts)}
