"""The formats in which a design can be written, and the design as a file of one of them.

Every file is in SI units and in the world frame of the back-end, which its documentation describes, unless
the format has a frame of its own: URDF and SDF point z upwards, glTF points y upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Literal, get_args

from errors import InputError, UnknownNameError
from models import Model, Parameters
from studies.exchange.design import Design, DesignFile

Format = Literal["json", "csv", "urdf", "sdf", "dxf", "step", "vtk", "gltf", "netcdf"]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files: its ending, media type, content, and writer."""

    ending: str
    media_type: str
    holds: str
    writer: str


_HERE = "studies.exchange"
FORMATS: Mapping[Format, FileFormat] = {
    "json": FileFormat(
        "json", "application/json", "parameters, cables, links and joints", f"{_HERE}.design_table:json_file"
    ),
    "csv": FileFormat(
        "csv", "text/csv; charset=utf-8", "a row for each cable, or for each point of the drawing",
        f"{_HERE}.design_table:csv_file",
    ),
    "urdf": FileFormat(
        "urdf", "application/xml", "links and joints for ROS and simulators",
        f"{_HERE}.robot_description:urdf_file",
    ),
    "sdf": FileFormat(
        "sdf", "application/xml", "links and joints for Gazebo and Drake",
        f"{_HERE}.robot_description:sdf_file",
    ),
    "dxf": FileFormat("dxf", "image/vnd.dxf", "lines and points for CAD", f"{_HERE}.cad:dxf_file"),
    "step": FileFormat(
        "step", "model/step", "lines, points and boxes for CAD (extra 'step')", f"{_HERE}.cad:step_file"
    ),
    "vtk": FileFormat(
        "vtu", "application/xml", "drawing and fields of the workspace for ParaView",
        f"{_HERE}.meshes:vtk_file",
    ),
    "gltf": FileFormat(
        "glb", "model/gltf-binary", "drawing for viewers and slides", f"{_HERE}.meshes:gltf_file"
    ),
    "netcdf": FileFormat(
        "nc", "application/x-netcdf", "fields of the workspace with units", f"{_HERE}.grid_file:netcdf_file"
    ),
}  # fmt: skip
_OF_MECHANISMS: frozenset[Format] = frozenset({"urdf", "sdf"})


def formats_of(model: Model) -> tuple[Format, ...]:
    """The formats that a back-end offers: robot descriptions only where it knows links and joints."""
    return tuple(name for name in FORMATS if model.mechanism is not None or name not in _OF_MECHANISMS)


def can_be_written(kind: Format) -> bool:
    """True if the package is installed that writes a format; all but STEP need none of their own."""
    return kind != "step" or find_spec("OCP") is not None


def format_named(name: str) -> Format:
    """The format of this name, or whose files end so; raises ``UnknownNameError``."""
    for known in get_args(Format):
        if name.lower() in (known, FORMATS[known].ending):
            return known
    raise UnknownNameError("format", name, get_args(Format), ("format",))


def design_file(model: Model, parameters: Parameters, kind: Format) -> DesignFile:
    """A design as a file.

    Raises
    ------
    InputError
        When the back-end does not offer the format, when the design has nothing that the format holds, and
        when a package is missing that writes it.
    """
    require_format(model, kind)
    module, function = FORMATS[kind].writer.split(":")
    write: Callable[[Design], DesignFile | bytes] = getattr(import_module(module), function)
    written = write(Design(model, parameters))
    return written if isinstance(written, DesignFile) else DesignFile(written)


def require_format(model: Model, kind: Format) -> None:
    """Raise ``InputError`` where a back-end does not offer a format, before anything is computed."""
    if kind not in formats_of(model):
        raise InputError(
            f"{model.name} does not describe its robots as rigid links and joints, which {kind} needs; it "
            f"offers {', '.join(formats_of(model))}",
            ("format",),
        )
