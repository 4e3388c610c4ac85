"""Workspaces of robots that look the same from all sides of their axis: distance from it and height."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.figures.colour_scale import ValueScale
from dashboards.palette import styles
from dashboards.templating import plotly_text, rounded
from models.arrays import FloatArray

CELLS = 48
"""Along the longer side of a picture."""
_RADIUS, _HEIGHT = "distance from the axis [m]", "z [m]"


def meridian_points(points: FloatArray) -> FloatArray:
    """Distance from the z axis and height (n, 2) of points (n, 3); m."""
    return np.column_stack([np.hypot(points[:, 0], points[:, 1]), points[:, 2]])


def filled_cells(places: FloatArray, edge: float) -> FloatArray:
    """Centres (k, 2) of the cells of this edge that hold one of the places (n, 2); all in m."""
    cells = np.unique(np.floor(places / edge), axis=0)
    return (cells + 0.5) * edge


def meridian_map(centres: FloatArray, values: FloatArray, edge: float, scale: ValueScale) -> Figure:
    """Cells with centres (n, 2) m and sides ``edge`` [m] in the colours of their values (n,)."""
    if not len(centres):
        return empty("no point is reached")
    cells = np.rint(centres / edge - 0.5).astype(np.int64)
    first, last = cells.min(axis=0), cells.max(axis=0)
    grid = np.full((last - first + 1)[::-1], np.nan)
    grid[cells[:, 1] - first[1], cells[:, 0] - first[0]] = values
    x, y = (rounded(((np.arange(first[i], last[i] + 1) + 0.5) * edge).tolist(), 4) for i in (0, 1))
    trace: dict[str, Any] = {
        "type": "heatmap", "x": x, "y": y, "z": [rounded(row, 4) for row in grid.tolist()],
        "coloraxis": scale.axis, "hoverongaps": False,
        "hovertemplate": f"{plotly_text(scale.title)}: %{{z:.3g}}<br>%{{x}} m from the axis, z %{{y}} m"
        "<extra></extra>",
    }  # fmt: skip
    return {"data": [trace], "layout": frame(**_axes(), coloraxis=scale.beside)}


def meridian_outlines(named: Mapping[str, FloatArray]) -> Figure:
    """The outlines of several workspaces over each other, from places (n, 2) m in each."""
    filled = {name: places for name, places in named.items() if len(places)}
    if not filled:
        return empty("no point is reached")
    together = np.concatenate(list(filled.values()))
    edge = max(float(np.ptp(together, axis=0).max()), 1e-9) / CELLS
    looks = styles(named)
    data = [_outline(name, places, edge) for name, places in filled.items()]
    for trace, name in zip(data, filled, strict=True):
        look = looks[name]
        trace["line"] = {"width": 2.5, "dash": look.dash, "smoothing": 0.7}
        trace["colorscale"] = [[0, look.colour], [1, look.colour]]
        # a contour has no entry of its own in the legend that shows its colour
    legend = [
        {
            "type": "scatter", "mode": "lines", "x": [None], "y": [None], "name": plotly_text(name),
            "line": {"color": looks[name].colour, "dash": looks[name].dash, "width": 2.5},
        }
        for name in filled
    ]  # fmt: skip
    far = 1.05 * float(together[:, 0].max()) + 2 * edge
    return {"data": [*data, *legend], "layout": frame(**_axes(range=rounded([0.0, far])), showlegend=True)}


def _outline(name: str, places: FloatArray, edge: float) -> dict[str, Any]:
    """The line around the cells that hold places; gaps of one cell are closed."""
    cells = np.floor(places / edge).astype(np.int64)
    lowest = int(cells[:, 1].min()) - 2
    grid = np.zeros((int(cells[:, 1].max()) - lowest + 3, int(cells[:, 0].max()) + 3))
    grid[cells[:, 1] - lowest, cells[:, 0]] = 1.0
    mirrored = np.hstack([grid[:, ::-1], grid])  # so that no outline follows the axis itself
    closed = -_spread(-_spread(mirrored, np.max), np.max)
    smooth = _spread(closed, np.mean)[:, grid.shape[1] - 1 :]
    x = (np.arange(-1, grid.shape[1]) + 0.5) * edge
    y = (np.arange(lowest, lowest + len(grid)) + 0.5) * edge
    return {
        "type": "contour", "name": plotly_text(name), "x": rounded(x.tolist(), 4),
        "y": rounded(y.tolist(), 4), "z": [rounded(row, 3) for row in smooth.tolist()],
        "contours": {"start": 0.5, "end": 0.5, "size": 1, "coloring": "lines"}, "showscale": False,
        "hoverinfo": "name",
    }  # fmt: skip


def _spread(grid: FloatArray, combine: Any) -> FloatArray:
    """Each cell combined with its eight neighbours; beyond the edge, cells are as those at it."""
    padded = np.pad(grid, 1, mode="edge")
    rows, columns = grid.shape
    around = [padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return np.asarray(combine(around, axis=0))


def _axes(**settings: Any) -> dict[str, Any]:
    """Equal scales; the axis of the robot is the left edge."""
    return {
        "xaxis": axis(_RADIUS, rangemode="tozero", constrain="domain", **settings),
        "yaxis": axis(_HEIGHT, scaleanchor="x", scaleratio=1),
    }
