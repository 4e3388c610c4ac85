"""Shapes as parameters: obstacles in the world, the platform's own shape, capsules around the arm's links."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from models.fields import quantity
from models.hybrid_cable_robot.parameter_types import MOST_JOINTS, HalfSize, Point, Turn
from models.messages import excluded
from models.numerics.triangle_trees import MOST_TRIANGLES, mesh_fault
from models.parameters import Parameters

Radius = Annotated[float, Field(gt=0, le=1e3)]
VertexNumber = Annotated[int, Field(ge=0)]
Triangle = tuple[VertexNumber, VertexNumber, VertexNumber]
Vertices = Annotated[tuple[Point, ...], Field(min_length=4, max_length=3 * MOST_TRIANGLES)]
Triangles = Annotated[tuple[Triangle, ...], Field(min_length=4, max_length=MOST_TRIANGLES)]

NEEDED = {"box": ("half_size",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"),
          "mesh": ("mesh",)}  # fmt: skip
"""Fields that each kind of shape needs; it has no others."""


class TriangleMesh(Parameters):
    """A closed surface of triangles, in the frame of its shape.

    A study file may name a file instead, as in ``mesh = { file = "column.stl", unit = "mm" }``.
    """

    vertices: Vertices = quantity(..., unit="m", description="corners of the triangles", item="vertex {}")
    triangles: Triangles = quantity(
        ...,
        unit="1",
        description="vertices of each triangle, three numbers counted from 0",
        item="triangle {}",
    )

    @model_validator(mode="after")
    def _is_closed(self) -> Self:
        fault = _mesh_fault(self.vertices, self.triangles)
        if fault:
            raise excluded(fault, "triangles")
        return self


@lru_cache(maxsize=64)  # a search makes each design's record anew
def _mesh_fault(vertices: tuple[Point, ...], triangles: tuple[Triangle, ...]) -> str:
    return mesh_fault(np.array(vertices), np.array(triangles))


class Shape(Parameters):
    """A solid: a box, a cylinder or capsule along the z axis of its frame, or a closed triangle mesh."""

    kind: Literal["box", "cylinder", "capsule", "mesh"] = Field(
        ..., description="kind of the solid; cylinders and capsules lie along the z axis of their frame"
    )
    half_size: tuple[HalfSize, HalfSize, HalfSize] | None = quantity(
        None, unit="m", description="half sizes of a box", parts=("x", "y", "z")
    )
    radius: Radius | None = quantity(None, unit="m", description="radius of a cylinder or capsule")
    length: Radius | None = quantity(
        None, unit="m", description="length of a cylinder, or of a capsule between the centres of its ends"
    )
    mesh: TriangleMesh | None = Field(None, description="surface of a mesh")

    @model_validator(mode="after")
    def _has_the_sizes_of_its_kind(self) -> Self:
        given = {
            name for name in ("half_size", "radius", "length", "mesh") if getattr(self, name) is not None
        }
        needed = NEEDED[self.kind]
        if missing := [name for name in needed if name not in given]:
            listed = " and ".join(f"'{name}'" for name in needed)
            raise excluded(f"a {self.kind} needs {listed}; give {missing[0]!r}", *missing)
        if strange := sorted(given.difference(needed)):
            raise excluded(f"a {self.kind} has no '{strange[0]}'; leave it out", *strange)
        return self


class Obstacle(Shape):
    """A solid that stands in the world."""

    position: Point = quantity(
        (0.0, 0.0, 0.0),
        unit="m",
        description="origin of the obstacle's frame in the world: the middle of all kinds but meshes",
    )
    rotation: tuple[Turn, Turn, Turn] = quantity(
        (0.0, 0.0, 0.0),
        unit="rad",
        description="rotation vector from the obstacle's frame to the world's",
        parts=("x", "y", "z"),
    )


class ArmCapsule(Parameters):
    """A capsule around a part of a link of the arm."""

    link: int = quantity(
        ...,
        unit="1",
        description="number of the link, in whose frame the capsule stands; 0 for the arm's base",
        ge=0,
        le=MOST_JOINTS,
    )
    start: Point = quantity(..., unit="m", description="centre of the capsule's first end")
    end: Point = quantity(..., unit="m", description="centre of the capsule's other end")
    radius: Radius = quantity(..., unit="m", description="radius of the capsule")
