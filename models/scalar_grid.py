"""Quantities of a design at the cells of a regular grid, such as the cells of a workspace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class GridQuantity:
    """A quantity that a back-end can give at every cell of a grid.

    ``name`` is snake case, ``unit`` as Pint reads it, ``"1"`` when dimensionless. ``flags`` name the values
    0, 1, 2 and so on of a quantity that has no others.
    """

    name: str
    unit: str
    meaning: str
    flags: tuple[str, ...] = ()

    def field(self, values: FloatArray) -> GridField:
        """The quantity of a design, ``values`` (nx, ny, nz)."""
        return GridField(self.name, self.unit, self.meaning, values, self.flags)


@dataclass(frozen=True, slots=True)
class GridField:
    """A :class:`GridQuantity` of a design: ``values`` (nx, ny, nz) are NaN where it does not exist."""

    name: str
    unit: str
    meaning: str
    values: FloatArray
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScalarGrid:
    """Fields on a grid of equal cells: ``axes`` are the centres along x, y and z, m, in the world frame."""

    axes: tuple[FloatArray, FloatArray, FloatArray]
    cell_size: FloatArray
    fields: tuple[GridField, ...]
    caption: str = ""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells along x, y and z."""
        return len(self.axes[0]), len(self.axes[1]), len(self.axes[2])


def grid_fault(grid: ScalarGrid) -> str:
    """The fault of a grid; empty if there is none."""
    if grid.cell_size.shape != (3,) or not (grid.cell_size > 0.0).all():
        return f"the cells have the size {grid.cell_size.tolist()}"
    for axis in grid.axes:
        if axis.ndim != 1 or not len(axis) or not np.isfinite(axis).all() or (np.diff(axis) <= 0.0).any():
            return "an axis is not a list of finite numbers that rise"
    names = [field.name for field in grid.fields]
    if not names or len(set(names)) < len(names):
        return "fields need different names, and there is at least one"
    return next(filter(None, (_field_fault(field, grid.shape) for field in grid.fields)), "")


def _field_fault(field: GridField, shape: tuple[int, int, int]) -> str:
    if field.values.shape != shape:
        return f"'{field.name}' has shape {field.values.shape}, the grid {shape}"
    if np.isinf(field.values).any():
        return f"'{field.name}' has an infinite value"
    if field.flags and not np.isin(field.values, np.arange(len(field.flags))).all():
        return f"'{field.name}' has a value that is none of its flags"
    return ""
