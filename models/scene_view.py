"""The scene that a picture asks for: cells in the colours of a quantity, and another posture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from errors import InputError, UnknownNameError
from models.arrays import FloatArray
from models.contract import Model
from models.parameters import Parameters
from models.scalar_grid import GridField, GridQuantity, ScalarGrid
from models.scene import Box, Line, Points, PostureCoordinate, Scene, Surface
from models.units import unit_text

ROUNDING = 1e-9  # of the range of a coordinate: so far beyond its end counts as the end


@dataclass(frozen=True, slots=True)
class SceneView:
    """Choices of a picture of a design.

    ``field`` names the quantity of ``Model.grid_quantities`` that colours the cells; empty for none.
    ``posture`` are values of the coordinates of ``Model.posture``; None for the design's own.
    ``outline`` leaves out all that an evaluation computes (``Model.outline``), field and posture included.
    """

    field: str = ""
    posture: tuple[float, ...] | None = None
    outline: bool = False


AS_DESIGNED = SceneView()
OUTLINE = SceneView(outline=True)


def coloured_quantities(model: Model) -> tuple[GridQuantity, ...]:
    """Quantities by which the cells of a scene can be coloured: those whose values are numbers, not flags."""
    return tuple(each for each in model.grid_quantities if not each.flags)


def scene_of_view(model: Model, parameters: Parameters, view: SceneView = AS_DESIGNED) -> Scene:
    """The scene of a design with its posture; raises ``InputError`` for what the back-end does not have."""
    require_view(model, view)
    if view.outline and model.outline is not None:
        return model.outline(parameters)
    posture = () if model.posture is None else model.posture(parameters)
    if view.posture is None:
        scene = model.scene(parameters)
    else:
        posture = _moved(posture, view.posture)
        scene = model.scene(parameters, np.array([each.value for each in posture]))
    scene = replace(scene, posture=posture)
    if not view.field or model.grid is None:
        return scene
    grid = model.grid(parameters)
    return _coloured(scene, grid, next(each for each in grid.fields if each.name == view.field))


def require_view(model: Model, view: SceneView) -> None:
    """Raise ``InputError`` for a field, a posture or an outline that no design of the model has."""
    if view.outline and model.outline is None:
        raise InputError(f"the model {model.name} draws no outline of a robot without evaluating it")
    fields = [each.name for each in coloured_quantities(model)]
    if view.field and view.field not in fields:
        raise UnknownNameError("field", view.field, fields, ("field",))
    if view.posture is not None and model.posture is None:
        raise InputError(f"the model {model.name} has no posture; leave it out", ("posture",))


def _moved(posture: Sequence[PostureCoordinate], values: Sequence[float]) -> tuple[PostureCoordinate, ...]:
    """The coordinates at other values; raises ``InputError`` for one beyond its ends."""
    if len(values) != len(posture):
        names = ", ".join(each.name for each in posture) or "none"
        raise InputError(
            f"the posture has {len(values)} values; this design has {len(posture)} coordinates ({names})",
            ("posture",),
        )
    found: list[PostureCoordinate] = []
    for place, (each, value) in enumerate(zip(posture, values, strict=True)):
        room = ROUNDING * (each.upper - each.lower)
        if not each.lower - room <= value <= each.upper + room:
            raise InputError(
                f"{each.name} goes from {each.lower:g} to {each.upper:g} {each.unit}, not to {value:g}",
                ("posture", place),
            )
        found.append(replace(each, value=float(np.clip(value, each.lower, each.upper))))
    return tuple(found)


def _coloured(scene: Scene, grid: ScalarGrid, field: GridField) -> Scene:
    """The scene with the values of a field at its cells; cells without a value are left as they are."""
    shapes: list[Line | Box | Surface | Points] = []
    for shape in scene.shapes:
        if isinstance(shape, Points) and shape.cell_size is not None:
            shapes += _coloured_cells(shape, grid, field)
        else:
            shapes.append(shape)
    some = any(isinstance(shape, Points) and shape.value_name == _title(field) for shape in shapes)
    text = f"Colours of the cells: {field.meaning}." if some else "There are no cells to colour."
    return replace(scene, shapes=tuple(shapes), caption=f"{scene.caption} {text}".strip())


def _coloured_cells(shape: Points, grid: ScalarGrid, field: GridField) -> list[Points]:
    """Cells with values, and those where the field has none."""
    i, j, k = (_nearest(axis, shape.points[:, place]) for place, axis in enumerate(grid.axes))
    values = field.values[i, j, k]
    held = np.isfinite(values)
    with_values = Points(shape.name, shape.points[held], shape.cell_size, values[held], _title(field))
    without = Points(f"{shape.name} without a value", shape.points[~held], shape.cell_size)
    return [each for each in (with_values, without) if len(each.points)]


def _nearest(axis: FloatArray, places: FloatArray) -> NDArray[np.intp]:
    """Numbers (n,) of the cells along an axis whose centres are nearest to places (n,) m."""
    return np.searchsorted((axis[1:] + axis[:-1]) / 2, places)


def _title(field: GridField) -> str:
    unit = unit_text(field.unit)
    return f"{field.name.replace('_', ' ')} [{unit}]" if unit else field.name.replace("_", " ")
