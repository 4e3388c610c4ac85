"""One colour, symbol and dash per layout, and one colour per part of a robot, the same in every figure.

The colours are those of Okabe and Ito that stand out on white and on near-black alike; people who
do not tell colours apart have the symbols and dashes.
"""

from __future__ import annotations

import re
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
    "#8A5200": "#E0B04A",
    "#4B3FA0": "#B3A8F5",
}
"""Dark colours as they are on dark pages: lighter."""

RAMP = ("#2F8FCE", "#8B7FD1", "#C266A8", "#D5602B")
"""Colours from little to much, all of middling lightness: each stands out on white and on near-black."""

PARTS = {
    "cables": "#2F8FCE",
    "frame": "#8A929C",
    "pulleys": "#8A929C",
    "platform": "#E69F00",
    "workspace": "#009E73",
    "backbone": "#D55E00",
    "disks": "#8A929C",
    "ground": "#8A929C",
    "links": "#2F8FCE",
    "ends of links": "#E69F00",
    "contacts": "#CC79A7",
    "guides": "#8A929C",
    "before the snap": "#CC79A7",
    "after the snap": "#E69F00",
    "stable workspace": "#009E73",
    "reachable points": "#8A929C",
    "other task poses": "#8A929C",
    "along the path": "#8A929C",
    "robot at both ends": "#8A929C",
    "reached": "#2F8FCE",
    "not reached": "#8A929C",
}
"""Parts of robots that have a colour of their own."""
NUMBERED = ("#D55E00", "#CC79A7", "#009E73", "#E69F00", "#56B4E9", "#A08C00")
"""Parts whose name ends in a number, such as "section 2", by that number; from the last on to the first."""
_FURTHER = ("#CC79A7", "#D55E00", "#8B7FD1", "#009E73", "#A08C00", "#E69F00", "#56B4E9", "#0072B2")
_NUMBER = re.compile(r".*\s(\d+)")

INK = "#767C85"
"""Text where the page's colours are not known: legible on white and on black.

Also marks beside :data:`ACCENT`."""
ACCENT = "#4B3FA0"
"""The accent of the pages (``base.css``): marks of variables, statistics and sides."""
WARNING = "#8A5200"
"""Marks of caution in figures; dark pages have it lighter."""
FAINT = "rgba(128,136,146,0.30)"


@dataclass(frozen=True, slots=True)
class Style:
    """Looks of one layout."""

    colour: str
    symbol: str
    dash: str

    @property
    def css(self) -> str:
        """The colour as CSS that follows the page's colour scheme."""
        return f"light-dark({self.colour}, {LIFTED.get(self.colour, self.colour)})"


def part_colours(names: Iterable[str]) -> dict[str, str]:
    """The colour of each part of a robot in a picture.

    Known parts have their own, and numbered ones that of their number. Others take the next colour, in order
    of appearance, that no numbered part of the picture has.
    """
    distinct = list(dict.fromkeys(names))
    fixed = {name: colour for name in distinct if (colour := PARTS.get(name) or _numbered_colour(name))}
    taken = {colour for name, colour in fixed.items() if name not in PARTS}
    free = [colour for colour in _FURTHER if colour not in taken] or _FURTHER
    others = [name for name in distinct if name not in fixed]
    return {name: fixed.get(name) or free[others.index(name) % len(free)] for name in distinct}


def _numbered_colour(name: str) -> str | None:
    found = _NUMBER.fullmatch(name)
    return NUMBERED[(int(found[1]) - 1) % len(NUMBERED)] if found else None


def is_numbered(name: str) -> bool:
    """True if a part is one of several that are told apart by a number, such as "section 2"."""
    return _NUMBER.fullmatch(name) is not None


def ramp_scale() -> list[list[float | str]]:
    """:data:`RAMP` as Plotly's colour scale."""
    return [[place / (len(RAMP) - 1), colour] for place, colour in enumerate(RAMP)]


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
