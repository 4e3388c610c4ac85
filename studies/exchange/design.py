"""A design and what its back-end tells of it; each part is computed when a writer asks for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from models import Mechanism, Model, Parameters, ScalarGrid
from models.scene import Box, Line, Points, Scene, Surface

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
BOX_EDGES = ((0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7), (6, 7))
"""Pairs of corners that an edge of a box joins, as :func:`box_corners` orders them."""
BOX_TRIANGLES: IntArray = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
"""Triangles (12, 3) of the faces of a box, outwards."""


@dataclass(frozen=True, slots=True)
class DesignFile:
    """A file of a design: its content, and sentences about what it does not hold, or what was assumed."""

    content: bytes
    warnings: tuple[str, ...] = ()


class Design:
    """A design of a back-end, with its drawing, its mechanism and its grid as far as there are any."""

    def __init__(self, model: Model, parameters: Parameters) -> None:
        self.model = model
        self.parameters = parameters

    @property
    def origin(self) -> str:
        """The programs that computed the design, as one line."""
        return f"Tautline {version('tautline')}, {self.model.name} version {self.model.version}"

    @property
    def parameters_json(self) -> str:
        """The whole parameter record, from which the design can be made again bit for bit."""
        return json.dumps(self.parameters.model_dump(mode="json"), allow_nan=False)

    @cached_property
    def scene(self) -> Scene:
        """The scene of the design in 3D."""
        return self.model.scene(self.parameters)

    @cached_property
    def mechanism(self) -> Mechanism | None:
        """Links, joints and cables; None where the back-end knows none."""
        return None if self.model.mechanism is None else self.model.mechanism(self.parameters)

    @cached_property
    def grid(self) -> ScalarGrid | None:
        """Fields on a grid; None where the back-end knows none."""
        return None if self.model.grid is None else self.model.grid(self.parameters)

    def lines(self) -> Iterator[tuple[str, str, FloatArray]]:
        """Group, name and points (n, 3) m of the lines of the drawing that have at least two points."""
        for shape in self.scene.shapes:
            if isinstance(shape, Line) and len(shape.points) > 1:
                yield shape.group or shape.name, shape.name, np.asarray(shape.points, dtype=np.float64)

    def boxes(self) -> Iterator[Box]:
        """The boxes of the drawing."""
        return (shape for shape in self.scene.shapes if isinstance(shape, Box))

    def surfaces(self) -> Iterator[Surface]:
        """The surfaces of the drawing that have a triangle."""
        return (s for s in self.scene.shapes if isinstance(s, Surface) and len(s.triangles))

    def points(self) -> Iterator[Points]:
        """The points of the drawing."""
        return (shape for shape in self.scene.shapes if isinstance(shape, Points) and len(shape.points))


def box_corners(box: Box) -> FloatArray:
    """The corners (8, 3) m of a box; z changes first."""
    return box.center + (_CORNERS * box.half_size) @ box.rotation.T


def cable_ends(design: Design) -> FloatArray:
    """Ends (m, 2, 3) m of the cables of a mechanism in the world, the base's end first; none without one."""
    if design.mechanism is None or not design.mechanism.cables:
        return np.empty((0, 2, 3))
    return np.stack([ends for _, ends in design.mechanism.cable_ends()])
