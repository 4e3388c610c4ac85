"""A metric over one or two variables: the stored designs as points, and the medians of those in each bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel

from dashboards.figures.axes import Figure, Quantity, axis, empty, frame
from dashboards.figures.colour_scale import ValueScale
from dashboards.formatting import heading, scale_of, value_text
from dashboards.palette import ACCENT, INK
from dashboards.templating import plotly_text, rounded
from models.parameter_names import parameter_words
from studies.definition.space import ChoiceVariable, Variable
from studies.records import FloatArray
from studies.results.variable_importance import StoredDesigns, numeric

BINS = 12
"""Equal parts of the range of a real variable; of two variables, each has :data:`BINS_OF_TWO`."""
BINS_OF_TWO = 8
LEAST_IN_BIN = 3
"""Fewer designs have no median."""
MOST_POINTS = 3000
_BREAKS = "breaks a constraint"


@dataclass(frozen=True, slots=True)
class _Along:
    """A variable along an axis: values as drawn, the bin of each design, and the middle of each bin."""

    title: str
    values: list[Any]
    bins: np.ndarray[tuple[int], np.dtype[np.int64]]
    middles: list[Any]
    is_category: bool

    @property
    def axis(self) -> Figure:
        """The axis, with the options of a category in their order."""
        if not self.is_category:
            return axis(self.title)
        return axis(self.title, type="category", categoryorder="array", categoryarray=self.middles)


@dataclass(frozen=True, slots=True)
class _Points:
    """The designs that have the metric: values in SI, points, and which of them meet all constraints."""

    quantity: Quantity
    values: FloatArray
    points: FloatArray
    feasible: np.ndarray[tuple[int], np.dtype[np.bool_]]

    @property
    def shown(self) -> slice:
        """Every so many of them, if they are too many to draw."""
        return slice(None, None, max(1, -(-len(self.values) // MOST_POINTS)))


def slice_figure(
    designs: StoredDesigns,
    record: type[BaseModel],
    metric: str,
    unit: str,
    sense: str,
    variable: str,
    other: str | None = None,
) -> Figure:
    """The metric over one variable, or in colours over two; both are variables of the designs' space.

    ``record`` has the parameters that vary.
    """
    values = designs.values(metric)
    known = ~np.isnan(values)
    if not known.any():
        return empty("no stored design has this metric")
    quantity = Quantity(metric, sense, scale_of(values[known].tolist(), unit))
    points = _Points(quantity, values[known], designs.points[known], designs.feasible[known])
    names = [one.path for one in designs.space.variables]
    variables = [(names.index(path), designs.space.variables[names.index(path)])
                 for path in (variable, other) if path is not None]  # fmt: skip
    bins = BINS if other is None else BINS_OF_TWO
    along = [
        _along(one, parameter_words(record, one.path), points.points[:, column], bins)
        for column, one in variables
    ]
    return _over_one(points, along[0]) if other is None else _over_two(points, *along)


def slice_caption(designs: StoredDesigns, metric: str, other: str | None = None) -> str:
    """Caption of the figure, with the limits of such a figure."""
    values = designs.values(metric)
    count = int((~np.isnan(values)).sum())
    drawn = f"Each point is one of the {count} different designs that the study evaluated"
    if count > MOST_POINTS:
        drawn = f"The points are a part of the {count} different designs that the study evaluated"
    breaks = f"; hollow ones {_BREAKS.replace('breaks', 'break')}" if not designs.feasible.all() else ""
    median = (
        "The line is the median of the designs in each bin"
        if other is None
        else "The tiles have the colour of the median of the designs in each bin"
    )
    rest = "All other variables are what the search chose there, so this is no cut through the design space."
    return f"{drawn}{breaks}. {median}, where it holds at least {LEAST_IN_BIN}. {rest}"


def _along(variable: Variable, name: str, column: FloatArray, bins: int) -> _Along:
    numbers = numeric(variable, column)
    if isinstance(variable, ChoiceVariable):
        count = len(variable.values)
        places = np.minimum((column * count).astype(np.int64), count - 1)
        if numbers is None:
            middles: list[Any] = [plotly_text(value_text(one, variable.unit)) for one in variable.values]
            title = plotly_text(name)
            return _Along(title, [middles[place] for place in places.tolist()], places, middles, True)
        # Options that are numbers may stand in any order.
        middles_si, bins_of = np.unique([float(one) for one in variable.values], return_inverse=True)
        return _scaled(variable, name, numbers, bins_of[places], middles_si)
    least, most = float(column.min()), float(column.max())
    places = np.minimum(((column - least) / ((most - least) or 1.0) * bins).astype(np.int64), bins - 1)
    middles_of_cube = least + (np.arange(bins) + 0.5) / bins * (most - least)
    middle_values = np.array(variable.decode_all(middles_of_cube))
    return _scaled(variable, name, np.array(variable.decode_all(column)), places, middle_values)


def _scaled(variable: Variable, name: str, numbers: FloatArray, places: Any, middles: FloatArray) -> _Along:
    quantity = Quantity(name, "", scale_of([*numbers.tolist()], variable.unit or "1"))
    return _Along(
        quantity.label, quantity.values(numbers.tolist()), places, quantity.values(middles.tolist()), False
    )


def _over_one(points: _Points, along: _Along) -> Figure:
    raw = points.values.tolist()
    shown = points.quantity.values(raw)
    data = [
        _marks(along.values, shown, points, meets, {"color": colour, "size": 5, "opacity": 0.55, **symbol})
        for meets, colour, symbol in ((False, INK, {"symbol": "circle-open"}), (True, INK, {}))
        if (points.feasible == meets).any()
    ]
    medians = points.quantity.values(
        _median(points.values[along.bins == n]) for n in range(len(along.middles))
    )
    data.append({
        "type": "scatter", "mode": "lines+markers", "name": "median of each bin",
        "x": along.middles, "y": medians,
        "line": {"color": ACCENT, "width": 2.5}, "marker": {"symbol": "diamond", "size": 8},
        "hovertemplate": "median: %{y}<extra></extra>",
    })  # fmt: skip
    layout = frame(xaxis=along.axis, yaxis=axis(points.quantity.title), showlegend=True, height=420)
    return {"data": data, "layout": layout}


def _over_two(points: _Points, across: _Along, up: _Along) -> Figure:
    values = np.array(points.quantity.values(points.values.tolist()), dtype=np.float64)
    most = float(values.max()) + float(np.ptp(values) == 0)
    scale = ValueScale(heading(points.quantity.name, points.quantity.scale.unit), float(values.min()), most)
    columns, rows = range(len(across.middles)), range(len(up.middles))
    medians = [
        rounded(_median(values[(across.bins == column) & (up.bins == row)]) for column in columns)
        for row in rows
    ]
    data: list[Figure] = [{
        "type": "heatmap", "x": across.middles, "y": up.middles, "z": medians, "coloraxis": scale.axis,
        "opacity": 0.45, "hovertemplate": "median: %{z}<extra></extra>", "hoverongaps": False,
    }]  # fmt: skip
    for meets, symbol in ((False, "circle-open"), (True, "circle")):
        if (points.feasible == meets).any():
            kept = (points.feasible == meets)[points.shown]
            marker = scale.marker(values[points.shown][kept].tolist(), size=6, symbol=symbol)
            data.append(_marks(across.values, up.values, points, meets, marker))
    layout = frame(xaxis=across.axis, yaxis=up.axis, showlegend=False, height=460, coloraxis=scale.beside)
    return {"data": data, "layout": layout}


def _marks(x: list[Any], y: list[Any], points: _Points, meets: bool, marker: Figure) -> Figure:
    """The designs that meet all constraints, or those that break one."""
    kept = (points.feasible == meets)[points.shown].tolist()
    return {
        "type": "scatter", "mode": "markers", "name": "meets all constraints" if meets else _BREAKS,
        "x": [value for value, keep in zip(x[points.shown], kept, strict=True) if keep],
        "y": [value for value, keep in zip(y[points.shown], kept, strict=True) if keep],
        "marker": marker, "hovertemplate": "%{x}, %{y}<extra></extra>",
    }  # fmt: skip


def _median(values: FloatArray) -> float | None:
    return float(np.median(values)) if len(values) >= LEAST_IN_BIN else None
