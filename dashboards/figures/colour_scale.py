"""Values as colours: one scale for all points of a picture that show the same quantity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.palette import ramp_colour, ramp_scale
from dashboards.templating import plotly_text, rounded
from models.scene import Line, Points

_BAR_HEIGHT = 0.16  # of the figure, from one bar below to the next


@dataclass(frozen=True, slots=True)
class ValueScale:
    """The colours of a quantity from ``least`` to ``most``; ``place`` counts the scales of a picture."""

    title: str
    least: float
    most: float
    place: int = 0

    @property
    def axis(self) -> str:
        """Plotly's name of the scale."""
        return "coloraxis" if self.place == 0 else f"coloraxis{self.place + 1}"

    def marker(self, values: Iterable[float], **settings: Any) -> dict[str, Any]:
        """Markers in the colours of ``values``."""
        return {"color": rounded(values), "coloraxis": self.axis, **settings}

    def colour(self, value: float) -> str:
        """The colour of a value, as ``#rrggbb``."""
        return ramp_colour((value - self.least) / (self.most - self.least))

    def own_marker(self, values: Iterable[float], **settings: Any) -> dict[str, Any]:
        """Markers that bring their bar along, which is hidden with them."""
        scale = self.below
        return {"color": rounded(values), **scale, "showscale": True, **settings}

    @property
    def below(self) -> dict[str, Any]:
        """The scale with its bar below a picture in space, whose width it leaves to the picture."""
        return self._layout({
            "title": self._title("top"), "orientation": "h", "x": 0.5, "xanchor": "center", "len": 0.6,
            "y": -0.02 - self.place * _BAR_HEIGHT, "yanchor": "top", "ypad": 4,
        })  # fmt: skip

    @property
    def beside(self) -> dict[str, Any]:
        """The scale with its bar at the right of a picture in the plane, which has an axis below it."""
        return self._layout({"title": self._title("right"), "len": 0.9})

    def _title(self, side: str) -> dict[str, Any]:
        return {"text": plotly_text(self.title), "side": side, "font": {"size": 12}}

    def _layout(self, place: Mapping[str, Any]) -> dict[str, Any]:
        bar = {**place, "thickness": 12, "outlinewidth": 0, "tickfont": {"size": 11}, "nticks": 6}
        return {"cmin": self.least, "cmax": self.most, "colorscale": ramp_scale(), "colorbar": bar}


def value_scales(shapes: Sequence[Points | Line]) -> dict[str, ValueScale]:
    """A scale for each quantity of points and lines, by its name, between the ends of its ranges.

    Shapes that state no range have that of their values.
    """
    ends: dict[str, list[float]] = {}
    for shape in shapes:
        values = shape.values if isinstance(shape, Points) else shape.value
        if values is not None and np.size(values):
            held = values if shape.value_range is None else shape.value_range
            ends.setdefault(shape.value_name, []).extend([float(np.min(held)), float(np.max(held))])
    return {
        name: ValueScale(name, *_apart(min(found), max(found)), place)
        for place, (name, found) in enumerate(ends.items())
    }


def _apart(least: float, most: float) -> tuple[float, float]:
    """Two ends that differ: one value alone has a colour in the middle, and zero that of the least."""
    if least == most == 0.0:
        return 0.0, 1.0
    room = 0.0 if least < most else 0.05 * abs(most) or 0.5
    return least - room, most + room
