"""A map of winners under a grid of conditions: planes of two parameters, one for each value of others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import percent, quantity, value_text
from dashboards.palette import styles
from dashboards.templating import plotly_text
from studies.comparison.verdict_map import FEASIBLE_SHARE, SweptParameter, Verdict, VerdictMap

MOST_PANELS = 12
MOST_ROWS = 60
_COLUMNS = 3
_CELL, _PANEL = 46, 64
"""Pixels of height of a row, and of what stands around a plane."""
NOT_SHOWN, EVEN, INFEASIBLE, MISSING = "not settled", "even", "none is feasible", "not computed"
_GREYS: Mapping[str, str] = {
    NOT_SHOWN: "#C3C9D1", EVEN: "#E1E4E8", INFEASIBLE: "#50565F", MISSING: "#F0F1F3"
}  # fmt: skip
_LETTERS = 14
"""Letters of a layout's name in a cell."""


@dataclass(frozen=True, slots=True)
class _Plane:
    """The parameters along the axes, and those whose combinations each have a panel; places in the grid."""

    across: int
    up: tuple[int, ...]
    panels: tuple[int, ...]


def verdict_map_figure(found: VerdictMap, criterion: str) -> Figure:
    """The winner of one criterion under each condition, as a cell with its name."""
    plane = _plane(found.parameters)
    rows = list(itertools.product(*(range(len(found.parameters[n].values)) for n in plane.up)))
    panels = list(itertools.product(*(range(len(found.parameters[n].values)) for n in plane.panels)))
    if len(rows) * len(panels) > MOST_ROWS:
        return empty(f"{len(found.conditions)} conditions are too many to draw; the table lists them")
    categories = [*found.layouts, *_GREYS]
    cells = _cells(found, criterion)
    columns = min(_COLUMNS, len(found.parameters[plane.panels[0]].values)) if plane.panels else 1
    data: list[Figure] = []
    layout: Figure = {}
    notes: list[Figure] = []
    for number, panel in enumerate(panels):
        fixed = dict(zip(plane.panels, panel, strict=True))
        data.append(_heat_map(found, plane, rows, fixed, cells, categories, number))
        layout |= _axes(found, plane, rows, number, columns, len(panels))
        if panel:
            notes.append(_panel_title(found, fixed, number, columns, len(panels)))
    data += _legend(found, cells, categories)
    down = math.ceil(len(panels) / columns)
    return {
        "data": data,
        "layout": frame(
            **layout, annotations=notes, height=112 + down * (_PANEL + _CELL * len(rows)),
            margin={"l": 16, "r": 16, "t": 64, "b": 16},
            legend={"orientation": "h", "x": 0, "yref": "container", "y": 1, "yanchor": "top"},
        ),
    }  # fmt: skip


def _plane(parameters: Sequence[SweptParameter]) -> _Plane:
    """The two parameters with the most values span the plane; rows say the rest where panels are too many."""
    order = sorted(range(len(parameters)), key=lambda n: -len(parameters[n].values))
    across, rest = order[0], tuple(sorted(order[2:]))
    panels = math.prod(len(parameters[n].values) for n in rest)
    if panels > MOST_PANELS:
        return _Plane(across, tuple(sorted(order[1:])), ())
    return _Plane(across, tuple(order[1:2]), rest)


def _cells(found: VerdictMap, criterion: str) -> dict[tuple[int, ...], Verdict]:
    places = list(itertools.product(*(range(len(own.values)) for own in found.parameters)))
    return {places[condition.number - 1]: verdict for condition, verdict in found.of(criterion)}


def _category(verdict: Verdict | None) -> str:
    if verdict is None:
        return MISSING
    if verdict.outcome == "alone":
        return next(iter(verdict.values))
    grey = {"infeasible": INFEASIBLE, "not shown": NOT_SHOWN, "even": EVEN}.get(verdict.outcome)
    return grey or verdict.winner


def _heat_map(
    found: VerdictMap,
    plane: _Plane,
    rows: Sequence[tuple[int, ...]],
    fixed: Mapping[int, int],
    cells: Mapping[tuple[int, ...], Verdict],
    categories: Sequence[str],
    number: int,
) -> Figure:
    across = found.parameters[plane.across]
    known = {**_GREYS, **{name: look.colour for name, look in styles(found.layouts).items()}}
    colours = [known[name] for name in categories]
    table = [_line(found, plane, row, fixed, cells) for row in rows]
    end = "" if number == 0 else str(number + 1)
    step = 1.0 / len(categories)
    return {
        "type": "heatmap",
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
        "x": [plotly_text(value_text(value, across.unit)) for value in across.values],
        "y": [_row_label(found, plane, row) for row in rows],
        "z": [[categories.index(name) for name, _, _ in line] for line in table],
        "zmin": -0.5,
        "zmax": len(categories) - 0.5,
        "colorscale": [[(n + e) * step, colour] for n, colour in enumerate(colours) for e in (0, 1)],
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "text": [[text for _, text, _ in line] for line in table],
        "texttemplate": "%{text}",
        "textfont": {"size": 12},
        "hovertext": [[text for _, _, text in line] for line in table],
        "hoverinfo": "text",
    }


def _line(
    found: VerdictMap,
    plane: _Plane,
    row: tuple[int, ...],
    fixed: Mapping[int, int],
    cells: Mapping[tuple[int, ...], Verdict],
) -> list[tuple[str, str, str]]:
    """A row of cells, each with its category, what stands in it, and what a pointer shows."""
    line: list[tuple[str, str, str]] = []
    for column in range(len(found.parameters[plane.across].values)):
        chosen = {**fixed, **dict(zip(plane.up, row, strict=True)), plane.across: column}
        place = tuple(chosen[n] for n in range(len(found.parameters)))
        verdict = cells.get(place)
        line.append((_category(verdict), _label(verdict), _hover(found, place, verdict)))
    return line


def _label(verdict: Verdict | None) -> str:
    """Text of a cell, safe for Plotly."""
    if verdict is None:
        return ""
    if verdict.outcome == "not shown":
        return f"no difference<br>{_small(f'{_short(verdict.winner)} leads')}"
    by = verdict.margin is not None and verdict.criterion != FEASIBLE_SHARE
    more = f"<br>{_small(f'by {percent(verdict.margin or 0.0)}')}" if by else ""
    return plotly_text(_short(_category(verdict))) + more


def _small(text: str) -> str:
    return f'<span style="font-size:10px">{plotly_text(text)}</span>'


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS or name in _GREYS else f"{name[: _LETTERS - 1]}…"


def _row_label(found: VerdictMap, plane: _Plane, row: tuple[int, ...]) -> str:
    texts = [
        value_text(found.parameters[n].values[place], found.parameters[n].unit)
        for n, place in zip(plane.up, row, strict=True)
    ]
    return plotly_text(", ".join(texts)) or " "


def _hover(found: VerdictMap, place: tuple[int, ...], verdict: Verdict | None) -> str:
    condition = [
        f"{own.label} = {value_text(own.values[n], own.unit)}"
        for own, n in zip(found.parameters, place, strict=True)
    ]
    if verdict is None:
        return "<br>".join(map(plotly_text, [*condition, MISSING]))
    unit = next(each.unit for each in found.criteria if each.name == verdict.criterion)
    values = [
        f"{layout}: {'none feasible' if value is None else quantity(value, unit or '1')}"
        for layout, value in verdict.values.items()
    ]
    sure = [] if verdict.p_value is None else [f"p = {verdict.p_value:.2g}"]
    lines = map(plotly_text, [*condition, *values, *sure])
    return "<br>".join([f"<b>{plotly_text(_category(verdict))}</b>", *lines])


def _axes(
    found: VerdictMap, plane: _Plane, rows: Sequence[tuple[int, ...]], number: int, columns: int, panels: int
) -> Figure:
    left, right, bottom, top = _domain(number, columns, panels)
    end = "" if number == 0 else str(number + 1)
    across = found.parameters[plane.across].label
    up = ", ".join(found.parameters[n].label for n in plane.up)
    last = number + columns >= panels
    category: dict[str, Any] = {"type": "category", "showgrid": False, "ticks": ""}
    return {
        f"xaxis{end}": axis(
            plotly_text(across) if last else "", domain=[left, right], anchor=f"y{end}", **category
        ),
        f"yaxis{end}": axis(
            plotly_text(up) if number % columns == 0 else "",
            domain=[bottom, top], anchor=f"x{end}", showticklabels=bool(rows[0]), **category,
        ),
    }  # fmt: skip


def _domain(number: int, columns: int, panels: int) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a panel in the figure, from 0 to 1."""
    down = math.ceil(panels / columns)
    row, column = divmod(number, columns)
    gap_x, gap_y = 0.09 / columns * (columns > 1), 0.3 / down * (down > 1)
    width, height = (1.0 - gap_x * (columns - 1)) / columns, (1.0 - gap_y * (down - 1)) / down
    left, top = column * (width + gap_x), 1.0 - row * (height + gap_y)
    return left, left + width, top - height, top


def _panel_title(
    found: VerdictMap, fixed: Mapping[int, int], number: int, columns: int, panels: int
) -> Figure:
    left, right, _, top = _domain(number, columns, panels)
    chosen = [(found.parameters[n], place) for n, place in fixed.items()]
    texts = [f"{own.label} {value_text(own.values[place], own.unit)}" for own, place in chosen]
    return {
        "text": plotly_text(", ".join(texts)), "x": 0.5 * (left + right), "y": top, "xref": "paper",
        "xanchor": "center", "yref": "paper", "yanchor": "bottom", "showarrow": False, "font": {"size": 12},
    }  # fmt: skip


def _legend(
    found: VerdictMap, cells: Mapping[tuple[int, ...], Verdict], categories: Sequence[str]
) -> list[Figure]:
    """A square for each outcome that there is."""
    colours = {**_GREYS, **{name: look.colour for name, look in styles(found.layouts).items()}}
    there = {_category(verdict) for verdict in cells.values()}
    if len(cells) < len(found.conditions):
        there.add(MISSING)
    return [
        {
            "type": "scatter", "mode": "markers", "x": [None], "y": [None], "name": plotly_text(name),
            "hoverinfo": "skip",
            "marker": {"symbol": "square", "size": 12, "color": colours[name]},
        }
        for name in categories
        if name in there
    ]  # fmt: skip
