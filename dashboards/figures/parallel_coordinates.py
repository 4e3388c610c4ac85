"""Parallel coordinates: which variables lead to which objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.figures.axes import Figure, Quantity, frame, natural_objectives, objective_quantities
from dashboards.formatting import scale_of
from dashboards.palette import styles
from dashboards.templating import plotly_text
from models import Model
from models.parameter_names import parameter_words
from studies.comparison.comparison import Comparison
from studies.records import FrontDesign
from studies.results.design_values import unit_of_variable

MOST_AXES = 12


def parallel_figure(
    comparison: Comparison, model: Model, drawn: Mapping[str, Sequence[FrontDesign]] | None = None
) -> Figure | None:
    """Variables that act in all designs, then the objectives; one line per design on a front.

    None where there are fewer than two designs, or more axes than can be read.
    """
    fronts = comparison.fronts if drawn is None else drawn
    designs = [design for front in fronts.values() for design in front]
    if len(designs) < 2:
        return None
    paths = [p for p in designs[0].variables if all(one.variables.get(p) is not None for one in designs)]
    if len(paths) + len(comparison.objectives) > MOST_AXES:
        return None
    dimensions = [
        *(_variable(model, path, designs) for path in paths),
        *(
            _dimension(quantity, natural_objectives(comparison, designs, column))
            for column, quantity in enumerate(objective_quantities(comparison))
        ),
    ]
    line = _line(comparison, designs)
    trace = {"type": "parcoords", "line": line, "dimensions": dimensions, "labelangle": 0, "labelside": "top"}
    return {"data": [trace], "layout": frame(margin={"l": 56, "r": 56, "t": 64, "b": 24})}


def _line(comparison: Comparison, designs: Sequence[FrontDesign]) -> dict[str, Any]:
    """One colour per layout."""
    layouts = list(comparison.fronts)
    colours = [style.colour for style in styles(layouts).values()]
    last = max(len(layouts) - 1, 1)
    steps = [[i / last, colour] for i, colour in enumerate(colours)]
    scale = steps if len(steps) > 1 else [[0, colours[0]], [1, colours[0]]]
    return {
        "color": [layouts.index(design.layout) for design in designs],
        "colorscale": scale,
        "cmin": 0,
        "cmax": last,
        "showscale": False,
    }


def _variable(model: Model, path: str, designs: Sequence[FrontDesign]) -> dict[str, Any]:
    values = [design.variables[path] for design in designs]
    unit, name = unit_of_variable(model, designs[0], path), parameter_words(model.parameters, path)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        numbers = [float(value) for value in values]
        stated = unit if isinstance(unit, str) else "1"
        return _dimension(Quantity(name, "", scale_of(numbers, stated)), numbers)
    options = sorted({str(value) for value in values})
    return {
        "label": plotly_text(name),
        "values": [options.index(str(value)) for value in values],
        "tickvals": list(range(len(options))),
        "ticktext": [plotly_text(option) for option in options],
    }


def _dimension(quantity: Quantity, values: Sequence[float]) -> dict[str, Any]:
    return {"label": quantity.label, "values": quantity.values(values), "tickformat": ".4~g"}
