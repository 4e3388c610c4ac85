"""Figures and scenes as the REST interface sends them."""

from typing import Any, Literal

from pydantic import Field

from service.resources.fields import Key, Title
from service.resources.models import Resource


class FigureSummary(Resource):
    """A figure of a study."""

    figure: str = Field(description="name of the figure in addresses")
    title: Title


class FigureResource(Resource):
    """A figure as Plotly draws it."""

    data: list[dict[str, Any]] = Field(description="traces of Plotly")
    layout: dict[str, Any] = Field(description="layout of Plotly")


class ShapeResource(Resource):
    """A part of a scene.

    Points and surfaces hold many points: fetch them as an array from the address of the shape, values that
    colour them with ``?part=values``.
    """

    shape: int = Field(description="number of the shape in addresses, from 0")
    name: str = Field(description="name of the part")
    kind: Literal["line", "box", "surface", "points"] = Field(description="form of the shape")
    group: str = Field(default="", description="name that joins lines of one kind in a legend; else empty")
    count: int = Field(description="points of a line, of a surface or of a set of points; 1 for a box")
    points: list[list[float]] | None = Field(
        default=None, description="points of a line, `[x, y, z]` each [m]; of other shapes null: fetch them"
    )
    center: list[float] | None = Field(default=None, description="centre of a box [m]")
    rotation: list[list[float]] | None = Field(
        default=None, description="3 x 3 rotation of a box, body to world"
    )
    half_size: list[float] | None = Field(default=None, description="half the edges of a box [m]")
    triangles: int | None = Field(
        default=None, description="number of triangles of a surface, which `?part=triangles` fetches"
    )
    cell_size: list[float] | None = Field(
        default=None, description="edges of a cell [m], where points are centres of filled cells"
    )
    value_name: str = Field(
        default="",
        description="name of the values that colour it, with their unit in brackets; empty without values",
    )
    value_range: list[float] | None = Field(
        default=None,
        description="ends of the colour scale, in the unit of the values; null: those of the values",
    )
    moves: bool = Field(
        default=False,
        description="true for a line that moves: `?part=moments` has its points at all `times`, in turn",
    )
    number: int = Field(default=0, description="number written at the end of a line; 0: none")
    value: float | None = Field(
        default=None,
        description="value that colours a line, in the unit that `value_name` has; null without one",
    )
    dashed: bool = Field(
        default=False, description="true for a line that carries nothing, or as little as it may"
    )
    shown: bool = Field(default=True, description="false for points that are hidden at first")


class SceneResource(Resource):
    """A 3D view of a design."""

    key: Key
    caption: str = Field(description="pose and conditions of the picture")
    up: Literal["x", "y", "z", "-x", "-y", "-z"] = Field(description="direction that pictures draw upwards")
    shapes: list[ShapeResource] = Field(description="parts of the scene")
    times: list[float] = Field(
        default_factory=list,
        description="times of a motion [s]; shapes are as at the last one; empty where nothing moves",
    )
