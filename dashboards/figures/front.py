"""Fronts of all layouts over each other, by the number of objectives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal

from dashboards.figures.axes import (
    NO_HOVER_BEYOND,
    Figure,
    Quantity,
    axis,
    axis_3d,
    better_ends,
    conditions_mark,
    design_text,
    frame,
    natural_objectives,
    objective_quantities,
    objective_words,
)
from dashboards.figures.trade_off import winner_strip
from dashboards.palette import FAINT, Style, styles
from dashboards.templating import plotly_text
from models import Model
from studies.comparison.comparison import Comparison, unsafe_margins
from studies.records import FrontDesign

CAMERA = {
    "eye": {"x": 1.4, "y": -1.6, "z": 0.7},
    "center": {"x": 0, "y": 0, "z": -0.2},
    "up": {"x": 0, "y": 0, "z": 1},
}


Models = Model | Mapping[str, Model]
"""The back-end of all fronts, or each front's own."""
Fronts = Mapping[str, Sequence[FrontDesign]]
"""Designs by layout."""


@dataclass(frozen=True)
class FrontFigure:
    """A figure of all fronts, made when it is asked for; ``columns`` are the objectives that it shows."""

    title: str
    columns: tuple[int, ...]
    kind: Literal["flat", "space", "wide"]
    make: Callable[[], Figure]

    @cached_property
    def figure(self) -> Figure:
        """The figure as Plotly draws it."""
        return self.make()


def front_figures(comparison: Comparison, model: Models, drawn: Fronts | None = None) -> list[FrontFigure]:
    """The figures that show fronts, or the part of them that is ``drawn``.

    One objective: the best value of each layout. Two: a scatter plot. Three: a 3D scatter plot
    and one plot per pair. More: a matrix of pairs.
    """
    everything = tuple(range(len(comparison.objectives)))
    drawn = comparison.fronts if drawn is None else drawn
    if len(everything) == 1:
        best = partial(best_value_figure, comparison, model, drawn)
        return [FrontFigure("Best value", everything, "flat", best)]
    if len(everything) > 3:
        matrix = partial(matrix_figure, comparison, model, drawn)
        return [FrontFigure("Every pair of objectives", everything, "wide", matrix)]
    pairs = [
        FrontFigure(
            _against(comparison, x, y), (x, y), "flat", partial(pair_figure, comparison, model, drawn, x, y)
        )
        for x, y in combinations(everything, 2)
    ]
    if len(everything) == 2:
        return pairs
    space = partial(front_figure_3d, comparison, model, drawn)
    return [FrontFigure("All three objectives", everything, "space", space), *pairs]


def _against(comparison: Comparison, x: int, y: int) -> str:
    return f"{objective_words(comparison, y)} against {objective_words(comparison, x)}"


def pair_figure(comparison: Comparison, model: Models, drawn: Fronts, x: int, y: int) -> Figure:
    """Objective ``y`` over objective ``x`` (columns of the comparison) of every front.

    A strip along the axis has the colour of the layout that is best in ``y`` for each limit on ``x``.
    """
    quantities = objective_quantities(comparison)
    data = [
        {
            "type": "scatter",
            **_points(comparison, model, layout, designs, unsafe),
            "x": _drawn(quantities[x], natural_objectives(comparison, designs, x)),
            "y": _drawn(quantities[y], natural_objectives(comparison, designs, y)),
        }
        for layout, designs, unsafe in _groups(comparison, model, drawn)
    ]
    layout = frame(
        xaxis=axis(quantities[x].title),
        yaxis=axis(quantities[y].title),
        showlegend=True,
        shapes=winner_strip(comparison, x, y),
        annotations=conditions_mark(comparison),
        meta=better_ends([quantities[x], quantities[y]]),
    )
    return {"data": data, "layout": layout}


def front_figure_3d(comparison: Comparison, model: Models, drawn: Fronts) -> Figure:
    """Three objectives of every front in space."""
    quantities = objective_quantities(comparison)
    data = [
        {
            "type": "scatter3d",
            **_points(comparison, model, layout, designs, unsafe, size=5),
            **{
                name: _drawn(quantity, natural_objectives(comparison, designs, column))
                for column, (name, quantity) in enumerate(zip("xyz", quantities, strict=True))
            },
        }
        for layout, designs, unsafe in _groups(comparison, model, drawn)
    ]
    axes = {f"{name}axis": axis_3d(q.label) for name, q in zip("xyz", quantities, strict=True)}
    scene = {**axes, "aspectmode": "cube", "camera": CAMERA, "dragmode": "turntable"}
    margin = {"l": 0, "r": 0, "t": 8, "b": 8}
    layout = frame(
        scene=scene,
        showlegend=True,
        margin=margin,
        annotations=conditions_mark(comparison),
        meta=better_ends(quantities),
    )
    return {"data": data, "layout": layout}


def matrix_figure(comparison: Comparison, model: Models, drawn: Fronts) -> Figure:
    """Every pair of objectives of every front."""
    quantities = objective_quantities(comparison)
    data = [
        {
            "type": "splom",
            **_points(comparison, model, layout, designs, unsafe, size=5),
            "dimensions": [
                {"label": q.label, "values": q.values(natural_objectives(comparison, designs, column))}
                for column, q in enumerate(quantities)
            ],
            "diagonal": {"visible": False},
            "showupperhalf": False,
        }
        for layout, designs, unsafe in _groups(comparison, model, drawn)
        if designs
    ]
    for trace in data:
        trace.pop("mode")
    number = len(quantities)
    thin = {"gridcolor": FAINT, "linecolor": FAINT, "zeroline": False}
    axes = {f"{letter}axis{i or ''}": thin for letter in "xy" for i in (0, *range(2, number + 1))}
    margin = {"l": 80, "r": 16, "t": 16, "b": 80}
    layout = frame(**axes, showlegend=True, margin=margin, annotations=conditions_mark(comparison))
    return {"data": data, "layout": layout}


def best_value_figure(comparison: Comparison, model: Models, drawn: Fronts) -> Figure:
    """The best value of a single objective, one mark per layout."""
    quantity: Quantity = objective_quantities(comparison)[0]
    data = [
        {
            "type": "scatter",
            **_points(comparison, model, layout, designs, unsafe, size=14),
            "x": [plotly_text(layout)] * len(designs),
            "y": quantity.values(natural_objectives(comparison, designs, 0)),
        }
        for layout, designs, unsafe in _groups(comparison, model, drawn)
    ]
    categories = {"type": "category", "categoryarray": list(comparison.fronts), "categoryorder": "array"}
    layout = frame(
        xaxis=axis("layout", **categories),
        yaxis=axis(quantity.title),
        showlegend=False,
        annotations=conditions_mark(comparison),
    )
    return {"data": data, "layout": layout}


def _groups(
    comparison: Comparison, model: Models, drawn: Fronts
) -> Iterator[tuple[str, Sequence[FrontDesign], bool]]:
    """The designs of each layout; those that are not safe to build are a group of their own."""
    bounded = {entry.label: entry.study.definition.get("constraints", ()) for entry in comparison.entries}
    for layout, designs in drawn.items():
        own = model if isinstance(model, Model) else model[layout]
        parts: dict[bool, list[FrontDesign]] = {False: [], True: []}
        for design in designs:
            parts[bool(unsafe_margins(own.metrics, bounded[layout], design.metrics))].append(design)
        if parts[False] or not designs:
            yield layout, parts[False], False
        if parts[True]:
            yield layout, parts[True], True


def _points(
    comparison: Comparison,
    model: Models,
    layout: str,
    designs: Sequence[FrontDesign],
    unsafe: bool,
    size: int = 9,
) -> dict[str, Any]:
    """Properties of one layout's marks that are the same in every figure; open for unsafe designs."""
    own = model if isinstance(model, Model) else model[layout]
    style = styles(comparison.fronts)[layout]
    many = sum(map(len, comparison.fronts.values())) > NO_HOVER_BEYOND
    return {
        "mode": "markers",
        "name": f"{_legend(layout, designs)}{', unsafe' if unsafe else ''}",
        "legendgroup": layout,
        "marker": marker(opened(style) if unsafe else style, size),
        "text": [] if many else [design_text(design, own) for design in designs],
        "hoverinfo": "x+y+name" if many else "text",
        "customdata": [design.key for design in designs],
    }


def _drawn(quantity: Quantity, values: list[float]) -> list[float | None]:
    """Values as drawn; a layout without any keeps its entry in the legend by one that is missing."""
    return quantity.values(values) or [None]


def opened(style: Style) -> Style:
    """The look of unsafe designs: the same mark, but open; a cross in space cannot be."""
    filled = style.symbol.removesuffix("-open")
    return style if filled in ("cross", "x") else replace(style, symbol=f"{filled}-open")


def marker(style: Style, size: int) -> dict[str, Any]:
    """A mark that stays readable where marks overlap."""
    return {
        "color": style.colour,
        "symbol": style.symbol,
        "size": size,
        "opacity": 0.85,
        "line": {"width": 0.5, "color": "rgba(255,255,255,0.6)"},
    }


def _legend(layout: str, designs: object) -> str:
    return plotly_text(layout) if designs else f"{plotly_text(layout)} (no feasible design)"
