"""The drawing of a design for CAD: DXF, and STEP by Open CASCADE, which is an extra.

Both hold the points where cables run and are fastened, the lines of cables, frame and links, boxes and
surfaces. They leave out the cells of a workspace, which no CAD program needs; ``vtk`` and ``netcdf`` have
them.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from errors import InputError
from models.arrays import IntArray
from studies.exchange.design import BOX_EDGES, Design, FloatArray, box_corners, cable_ends

METRES = 6
"""The unit of a DXF file as its header gives it."""
MOST_POINTS = 20_000
"""Most points of one set; a greater one would only slow a CAD program down."""
_STAMP = "1970-01-01T00:00:00"
"""The time in a header, which must have one: equal designs are equal bytes, whenever they are written."""
_AUTHOR = "Tautline"
"""The author in a header: nobody's name leaves a server with a robot."""
_COLOURS = (7, 1, 3, 5, 6, 30, 4, 2)
_UNFIT = re.compile(r"[^A-Za-z0-9_$ -]")


def point_sets(design: Design) -> Iterator[tuple[str, FloatArray]]:
    """Names and points (n, 3) m: those of the drawing without cells, and where cables are fastened."""
    for shape in design.points():
        if shape.cell_size is None and len(shape.points) <= MOST_POINTS:
            yield shape.name, shape.points
    ends = cable_ends(design)
    if len(ends):
        yield "attachments", ends[:, 1]


@contextmanager
def _without_time() -> Generator[None]:
    """Equal designs are equal bytes: no time and no random number. The options of ezdxf are global."""
    options: Any = import_module("ezdxf").options
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before


@_without_time()
def dxf_file(design: Design) -> bytes:
    """Lines, points, boxes and surfaces in metres, each group on a layer of its name."""
    from ezdxf.filemanagement import new
    from ezdxf.lldxf.const import DXFError

    document = new("R2010", units=METRES)
    document.header.custom_vars.append("Origin", design.origin)
    space: Any = document.modelspace()

    def layer(name: str) -> dict[str, str]:
        plain = _UNFIT.sub("_", name)[:255] or "0"
        if plain not in document.layers:
            document.layers.add(plain, color=_COLOURS[len(document.layers) % len(_COLOURS)])
        return {"layer": plain}

    try:
        for group, _, points in design.lines():
            space.add_polyline3d(points.tolist(), dxfattribs=layer(group))
        for name, points in point_sets(design):
            for point in points.tolist():
                space.add_point(point, dxfattribs=layer(name))
        for box in design.boxes():
            corners = box_corners(box).tolist()
            for start, end in BOX_EDGES:
                space.add_line(corners[start], corners[end], dxfattribs=layer(box.name))
        for surface in design.surfaces():
            with space.add_mesh(dxfattribs=layer(surface.name)).edit_data() as mesh:
                mesh.vertices = surface.vertices.tolist()
                mesh.faces = surface.triangles.tolist()
    except DXFError as error:
        raise InputError(f"cannot be written as DXF: {error}", ("format",)) from None
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode(document.encoding, errors="dxfreplace")


# ---------------------------------------------------------------- STEP


def require_step() -> None:
    """Raise ``InputError`` where the package is missing that writes STEP."""
    if find_spec("OCP") is None:
        raise InputError(
            "STEP needs Open CASCADE, which is not installed: pip install 'tautline[step]' (about 70 MB); "
            "dxf needs nothing more",
            ("format",),
        )


def _occ(module: str) -> Any:
    """A module of Open CASCADE, which has no types."""
    return import_module(f"OCP.{module}")


def step_file(design: Design) -> bytes:
    """Lines as wires, points as vertices, boxes as solids, in metres; each has its name (AP214)."""
    require_step()
    text: Any = _occ("TCollection").TCollection_HAsciiString
    settings: Any = _occ("Interface").Interface_Static
    _occ("Message").Message.DefaultMessenger_s().ChangePrinters().Clear()  # it prints statistics
    document = _step_document(design)
    writer = _occ("STEPCAFControl").STEPCAFControl_Writer()
    settings.SetCVal_s("write.step.unit", "M")
    settings.SetCVal_s("write.step.schema", "AP214IS")
    writer.SetNameMode(True)
    writer.Transfer(document)
    header = _occ("APIHeaderSection").APIHeaderSection_MakeHeader(writer.ChangeWriter().Model())
    header.SetName(text(design.model.name))
    header.SetTimeStamp(text(_STAMP))
    header.SetAuthorValue(1, text(_AUTHOR))
    header.SetOrganizationValue(1, text(""))
    header.SetAuthorisation(text(""))
    header.SetDescriptionValue(1, text(f"a design of {design.model.name}"))
    header.SetOriginatingSystem(text(design.origin))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "design.step"
        writer.Write(str(file))
        return file.read_bytes()


def _step_document(design: Design) -> Any:
    """The shapes of a design as a document of Open CASCADE, whose lengths are millimetres."""
    text: Any = _occ("TCollection").TCollection_ExtendedString
    document = _occ("TDocStd").TDocStd_Document(text("MDTV-XCAF"))
    tool = _occ("XCAFDoc").XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    for name, shapes in _step_shapes(design):
        compound, builder = _occ("TopoDS").TopoDS_Compound(), _occ("BRep").BRep_Builder()
        builder.MakeCompound(compound)
        for shape in shapes:
            builder.Add(compound, shape)
        label = tool.AddShape(compound, False)
        _occ("TDataStd").TDataStd_Name.Set_s(label, text(name))
    return document


def _step_shapes(design: Design) -> Iterator[tuple[str, list[Any]]]:
    """Names, and the shapes of Open CASCADE of each."""
    build = _occ("BRepBuilderAPI")
    for _, name, points in design.lines():
        polygon = build.BRepBuilderAPI_MakePolygon()
        for point in _without_repetitions(points):
            polygon.Add(_point(point))
        if polygon.IsDone():
            yield name, [polygon.Wire()]
    for name, points in point_sets(design):
        yield name, [build.BRepBuilderAPI_MakeVertex(_point(point)).Vertex() for point in points]
    for box in design.boxes():
        yield box.name, [_solid(box_corners(box))]
    for surface in design.surfaces():
        if surface.solid:
            yield surface.name, [_shell(surface.vertices, surface.triangles)]


def _without_repetitions(points: FloatArray) -> FloatArray:
    """The points (n, 3) without those that are where the one before is."""
    moved = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9
    return points[np.concatenate([[True], moved])]


def _point(point: FloatArray) -> Any:
    x, y, z = (1e3 * float(value) for value in point)
    return _occ("gp").gp_Pnt(x, y, z)


def _shell(vertices: FloatArray, triangles: IntArray) -> Any:
    """The surface of a body, vertices (n, 3) m, as one face for each triangle."""
    build = _occ("BRepBuilderAPI")
    sewing = build.BRepBuilderAPI_Sewing()
    for corners in vertices[triangles]:
        polygon = build.BRepBuilderAPI_MakePolygon(*(_point(corner) for corner in corners), True)
        sewing.Add(build.BRepBuilderAPI_MakeFace(polygon.Wire()).Face())
    sewing.Perform()
    return sewing.SewedShape()


def _solid(corners: FloatArray) -> Any:
    """A box of its corners (8, 3) m."""
    gp = _occ("gp")
    z, y, x = (corners[place] - corners[0] for place in (1, 2, 4))
    size = [1e3 * float(np.linalg.norm(side)) for side in (x, y, z)]
    axes = gp.gp_Ax2(_point(corners[0]), gp.gp_Dir(*z.tolist()), gp.gp_Dir(*x.tolist()))
    return _occ("BRepPrimAPI").BRepPrimAPI_MakeBox(axes, *size).Shape()
