"""The fields of a workspace as NetCDF, with units and names as the CF conventions ask for.

A back-end without a grid gives the point sets and surfaces of its drawing, with the values at their points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from errors import InputError
from models import GridField, ScalarGrid
from studies.exchange.design import Design, FloatArray
from studies.exchange.meshes import require_few_cells

if TYPE_CHECKING:
    import xarray

CONVENTIONS = "CF-1.11"
_VALUE = re.compile(r"(?P<name>[^][]*+)(?:\[(?P<unit>[^][]*+)\])?")


def netcdf_file(design: Design) -> bytes:
    """A NetCDF file (version 3, which all programs that know the format read).

    Raises ``InputError`` for a design without fields, points or surfaces, and for too large a grid.
    """
    import xarray

    grid = design.grid
    if grid is not None:
        require_few_cells(grid)
        variables = _grid_variables(grid) | _cable_variables(design)
        coordinates, caption = _coordinates(grid), grid.caption
    else:
        variables, coordinates, caption = _drawn_variables(design), {}, design.scene.caption
    if not variables:
        raise InputError(
            "this design has no workspace, points or surface that NetCDF could hold; json and csv hold its "
            "lines",
            ("format",),
        )
    found = xarray.Dataset(
        variables,
        coords=coordinates,
        attrs={
            "Conventions": CONVENTIONS,
            "title": f"Design of {design.model.name}",
            "source": design.origin,
            "comment": caption,
            "parameters": design.parameters_json,
        },
    )
    return _content(found)


def _content(found: xarray.Dataset) -> bytes:
    """The bytes of a file; NaN stands where there is no value."""
    encoding = {
        name: {"_FillValue": np.nan} if variable.dtype.kind == "f" else {"_FillValue": None}
        for name, variable in found.data_vars.items()
    } | {name: {"_FillValue": None} for name in found.coords}
    content: Any = found.to_netcdf(engine="scipy", format="NETCDF3_64BIT", encoding=encoding)
    return bytes(content)


Variable = tuple[tuple[str, ...], Any, Mapping[str, Any]]


def _coordinates(grid: ScalarGrid) -> dict[str, Variable]:
    """The centres of the cells along each axis."""
    return {
        name: (
            (name,), axis,
            {"units": "m", "axis": name.upper(), "long_name": f"{name} of the centre of a cell, world frame"},
        )
        for name, axis in zip("xyz", grid.axes, strict=True)
    }  # fmt: skip


def _grid_variables(grid: ScalarGrid) -> dict[str, Variable]:
    return {field.name: (("x", "y", "z"), *_values(field)) for field in grid.fields}


def _values(field: GridField) -> tuple[Any, dict[str, Any]]:
    """The values of a field, as small whole numbers where they are flags, and what describes them."""
    described: dict[str, Any] = {"long_name": field.meaning, "units": field.unit}
    if not field.flags:
        return field.values, described
    del described["units"]
    numbers = np.arange(len(field.flags), dtype=np.int8)
    return field.values.astype(np.int8), {
        **described, "flag_values": numbers, "flag_meanings": " ".join(field.flags),
    }  # fmt: skip


def _cable_variables(design: Design) -> dict[str, Variable]:
    """Ends and stiffnesses of the cables of a mechanism."""
    mechanism = design.mechanism
    if mechanism is None or not mechanism.cables:
        return {}
    cables = mechanism.cables
    unit = "N" if cables[0].axial else "N/m"
    stiffness = "axial stiffness EA" if cables[0].axial else "stiffness"
    return {
        "pulley": _placed(
            np.stack([cable.start for cable in cables]), "point from which a cable runs, world frame"
        ),
        "attachment": _placed(
            np.stack([cable.end for cable in cables]), "point where a cable is fastened, platform frame"
        ),
        "stiffness": (
            ("cable",), np.array([cable.stiffness for cable in cables]),
            {"units": unit, "long_name": f"{stiffness} of a cable"},
        ),
    }  # fmt: skip


def _placed(points: FloatArray, meaning: str) -> Variable:
    return ("cable", "component"), points, {"units": "m", "long_name": f"{meaning}; x, y and z"}


def _drawn_variables(design: Design) -> dict[str, Variable]:
    """The point sets and surfaces of the drawing."""
    found: dict[str, Variable] = {}
    for shape in design.points():
        name = _word(shape.name)
        found[name] = ((f"{name}_point", "component"), shape.points, _length(f"{shape.name}; x, y and z"))
        if shape.values is not None:
            stated = _VALUE.fullmatch(shape.value_name)
            meaning, unit = (stated["name"].rstrip(), stated["unit"]) if stated else (shape.value_name, None)
            described = {"long_name": meaning, "units": unit or "1"}
            found[f"{name}_value"] = ((f"{name}_point",), shape.values, described)
    for surface in design.surfaces():
        name = _word(surface.name)
        found[name] = (
            (f"{name}_vertex", "component"), surface.vertices, _length(f"{surface.name}; x, y and z"),
        )  # fmt: skip
        found[f"{name}_triangles"] = (
            (f"{name}_triangle", "corner"), surface.triangles.astype(np.int32),
            {"long_name": f"places, from 0, of the vertices of each triangle of {surface.name}"},
        )  # fmt: skip
    return found


def _length(meaning: str) -> dict[str, str]:
    return {"units": "m", "long_name": meaning}


def _word(name: str) -> str:
    """A name as NetCDF takes it."""
    return re.sub(r"\W+", "_", name.lower()).strip("_") or "shape"
