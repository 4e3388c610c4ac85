"""Figures and scenes as the REST interface sends them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.resources.models import Resource


class FigureSummary(Resource):
    """A figure of a study; ``figure`` names it in addresses."""

    figure: str
    title: str


class FigureResource(Resource):
    """A figure as Plotly draws it."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class ShapeResource(Resource):
    """A part of a scene; ``shape`` names it in addresses, lengths in m.

    Lines bring their ``points`` along. Points and surfaces hold many: ``count`` of them are at the
    address of the shape, as an array, and ``triangles`` of a surface at its address with
    ``?part=triangles``. ``cell_size`` is set where points are the centres of filled cells. ``value_name`` is
    set where each point has a value, which colours it; the values are at ``?part=values``, and
    ``value_range`` are the ends of the colour scale, where the back-end states them. Where a line ``moves``,
    its points at all ``times`` of the scene are at ``?part=moments``, one time after the other.
    """

    shape: int
    name: str
    kind: Literal["line", "box", "surface", "points"]
    group: str = ""
    count: int
    points: list[list[float]] | None = None
    center: list[float] | None = None
    rotation: list[list[float]] | None = None
    half_size: list[float] | None = None
    triangles: int | None = None
    cell_size: list[float] | None = None
    value_name: str = ""
    value_range: list[float] | None = None
    moves: bool = False
    number: int = 0
    value: float | None = None
    dashed: bool = False
    shown: bool = True


class SceneResource(Resource):
    """A 3D view of a design; ``up`` is the direction that pictures draw upwards.

    A scene that moves has ``times`` in s; its shapes are as they are at the last one.
    """

    key: str
    caption: str
    up: Literal["x", "y", "z", "-x", "-y", "-z"]
    shapes: list[ShapeResource]
    times: list[float] = Field(default_factory=list)
