"""A tornado: how far a metric moves when one number of a design is off, the widest bar first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import Scale, heading, number, quantity, scale_of
from dashboards.palette import ACCENT, INK
from dashboards.templating import plotly_text, rounded
from models.parameter_names import words

if TYPE_CHECKING:
    from studies.uncertainty.robust_design import Bar

MOST_BARS = 20
MOST_NAMED = 3
_ROW = 22
"""Pixels of height that each bar takes."""
_FRAME = 90


class _Ends(Protocol):
    """A quantity with the number at ``path`` lower, and higher; None: it has none there."""

    @property
    def path(self) -> str: ...
    @property
    def lower(self) -> float | None: ...
    @property
    def upper(self) -> float | None: ...


E = TypeVar("E", bound=_Ends)


def moving_bars(bars: Sequence[E], nominal: float) -> list[E]:
    """The bars of numbers that move the quantity, the widest first."""
    moving = [bar for bar in bars if any(value != nominal for value in (bar.lower, bar.upper))]
    return sorted(moving, key=lambda bar: -_width(bar, nominal))


def resolution_caution(
    unit: str,
    nominal: float | None,
    bars: Sequence[_Ends],
    resolution: float | None,
    label: Callable[[str], str] = words,
) -> str:
    """Words for changes no greater than the numerical error of the quantity; empty where there are none.

    A change that cannot be told from the error is not one that the number makes. A side on which the design
    does not work is no small change.
    """
    moving = [] if nominal is None else moving_bars(bars, nominal)
    if nominal is None or not moving or not resolution:
        return ""
    below = [
        bar
        for bar in moving
        if bar.lower is not None and bar.upper is not None and _width(bar, nominal) <= resolution
    ]
    if not below:
        return ""
    if len(below) == len(moving):
        whose = "every change is"
    elif len(below) <= MOST_NAMED:
        whose = f"the change by {'; '.join(label(bar.path) for bar in below)} is"
    else:
        whose = f"the changes by {len(below)} of {len(moving)} numbers are"
    return f"{whose} below the resolution of the grid ({quantity(resolution, unit, 2)}): use more cells"


def tornado_figure(
    metric: str, unit: str, nominal: float | None, bars: Sequence[Bar], label: Callable[[str], str] = words
) -> Figure:
    """One bar per number with a tolerance, from the metric a standard deviation lower to that higher.

    Only the widest are drawn, and none for a number that moves nothing; a side on which the design does not
    work is left out. ``label`` says how a path reads.
    """
    if nominal is None:
        return empty("the nominal design does not have this metric")
    widest = moving_bars(bars, nominal)[:MOST_BARS]
    if not widest:
        return empty("no single number moves this metric")
    sides = [value for bar in widest for value in (bar.lower, bar.upper) if value is not None]
    scale = scale_of([nominal, *sides], unit)
    names = [plotly_text(label(bar.path)) for bar in widest]
    data = [_side_bars(widest, names, side, nominal, scale) for side in _SIDES]
    layout = frame(
        xaxis=axis(plotly_text(heading(metric, scale.unit))),
        yaxis=axis("", type="category", categoryorder="array", categoryarray=names[::-1]),
        barmode="overlay",
        showlegend=True,
        height=_FRAME + _ROW * max(len(names), 3),
        shapes=[{
            "type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1,
            "x0": nominal * scale.factor, "x1": nominal * scale.factor, "line": {"width": 1, "color": INK},
        }],
    )  # fmt: skip
    return {"data": data, "layout": layout}


_SIDES = {
    "lower": ("one standard deviation less", INK),
    "upper": ("one standard deviation more", ACCENT),
}
"""Name and colour of each side."""


def _side_bars(bars: Sequence[Bar], names: Sequence[str], side: str, nominal: float, scale: Scale) -> Figure:
    """The bars from the nominal value to one side."""
    name, colour = _SIDES[side]
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": names,
        "x": rounded([_off(bar, side, nominal) * scale.factor for bar in bars]),
        "base": nominal * scale.factor,
        "text": [_text(label, bar, side, scale.factor) for label, bar in zip(names, bars, strict=True)],
        "textposition": "none",
        "hoverinfo": "text",
        "marker": {"color": colour},
    }


def _off(bar: _Ends, side: str, nominal: float) -> float:
    value = bar.lower if side == "lower" else bar.upper
    return 0.0 if value is None else value - nominal


def _width(bar: _Ends, nominal: float) -> float:
    return max(abs(_off(bar, "lower", nominal)), abs(_off(bar, "upper", nominal)))


def _text(name: str, bar: Bar, side: str, factor: float) -> str:
    value = bar.lower if side == "lower" else bar.upper
    what = "does not work" if value is None else number(value * factor)
    return f"<b>{name}</b>, {'less' if side == 'lower' else 'more'}: {what}"
