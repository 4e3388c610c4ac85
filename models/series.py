"""Quantities of one design over time, for other programs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Column:
    """A quantity at k instants.

    ``name`` is snake case with the number of what it belongs to, as in ``cable_1_tension``; ``unit`` is an SI
    unit as Pint reads it, ``"1"`` when dimensionless; ``values`` (k,) float.
    """

    name: str
    unit: str
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Series:
    """Quantities at the same instants. The first column is ``time`` in s, which grows."""

    columns: tuple[Column, ...]


def series_fault(series: Series) -> str:
    """The fault of a series; empty if there is none."""
    if not series.columns or (series.columns[0].name, series.columns[0].unit) != ("time", "s"):
        return "the first column is not 'time' in s"
    time = series.columns[0].values
    if np.any(np.diff(time) <= 0):
        return "the times do not grow"
    names = [column.name for column in series.columns]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return f"two columns are called {', '.join(twice)}"
    for column in series.columns:
        if column.values.shape != time.shape:
            return f"'{column.name}' has shape {column.values.shape}, but there are {len(time)} times"
        if not np.isfinite(column.values).all():
            return f"'{column.name}' has a value that is not a finite number"
    return ""
