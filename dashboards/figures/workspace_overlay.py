"""Two workspaces of cells over each other at one scale, with the volumes that they share and do not share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboards.figures.axes import Figure, empty
from dashboards.figures.scene import scene_figure
from dashboards.formatting import quantity
from dashboards.palette import style_of
from models.scene import Points, Scene
from studies.comparison.workspace_overlap import Cells, workspace_overlap


def workspace_cells(scene: Scene) -> Points | None:
    """The cells of a scene's workspace; None without any."""
    found = (shape for shape in scene.shapes if isinstance(shape, Points) and shape.cell_size is not None)
    return next(found, None)


def workspace_overlay_figure(names: Sequence[str], scenes: Sequence[Scene], places: Sequence[int]) -> Figure:
    """The workspaces of two scenes in the colours of their layouts, which stand at ``places``.

    ``meta`` of the layout has a sentence as ``caption``, and the three volumes as ``numbers``.
    """
    shapes = [workspace_cells(scene) for scene in scenes]
    found = [
        (f"workspace of {name}", shape, style_of(place).colour)
        for name, shape, place in zip(names, shapes, places, strict=True)
        if shape is not None and len(shape.points)
    ]
    if len(found) < 2:
        return empty("a design without a workspace has nothing to lay over the other one")
    drawn = tuple(Points(name, shape.points, shape.cell_size) for name, shape, _ in found)
    figure = scene_figure(Scene(drawn, "", scenes[0].up))
    colours = {name: colour for name, _, colour in found}
    data = [_coloured(trace, colours[trace["legendgroup"]]) for trace in figure["data"]]
    meta = {**figure["layout"]["meta"], **_volumes(names, [shape for _, shape, _ in found])}
    return {"data": data, "layout": {**figure["layout"], "meta": meta}}


def _coloured(trace: dict[str, Any], colour: str) -> dict[str, Any]:
    if trace["type"] == "mesh3d":
        return {**trace, "color": colour}
    return {**trace, "line": {**trace["line"], "color": colour}}


def _volumes(names: Sequence[str], shapes: Sequence[Points]) -> dict[str, Any]:
    """The volumes in words and as three numbers."""
    first, second = (Cells(shape.points, shape.cell_size) for shape in shapes if shape.cell_size is not None)
    volumes = workspace_overlap(first, second)
    values = (volumes.first_only, volumes.second_only, volumes.both)
    texts = [quantity(value, "m^3", 3) for value in values]
    labels = [f"{names[0]} only", f"{names[1]} only", "both"]
    numbers = [{"label": label, "text": text} for label, text in zip(labels, texts, strict=True)]
    caption = (
        f"Of space, {texts[2]} lies in the workspaces of both, {texts[0]} in that of {names[0]} only, and "
        f"{texts[1]} in that of {names[1]} only, each to within {quantity(volumes.error, 'm^3', 2)}: "
        "cells were tested at their centres, so that a workspace ends within half a cell of its faces."
    )
    return {"caption": caption, "numbers": numbers}
