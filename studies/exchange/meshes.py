"""The drawing of a design for viewers: VTK with the fields of its workspace, and glTF."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from errors import InputError
from models import ScalarGrid
from studies.exchange.design import BOX_TRIANGLES, Design, FloatArray, IntArray, box_corners
from studies.exchange.robot_description import upright
from studies.exchange.voxels import hull

MOST_CELLS = 2_000_000
"""Most cells of a grid that is written."""
KINDS = ("workspace cell", "line", "surface", "points")
"""Meanings of the numbers of the field ``kind`` of a VTK file."""
_CUBE = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
)  # corners of a hexahedron in VTK's order
_COLOURS = {"cables": (20, 110, 190), "frame": (90, 90, 90), "workspace": (60, 160, 90)}
_PLAIN = (150, 120, 60)
_SEE_THROUGH = 90  # of 255, for what encloses the robot


def require_few_cells(grid: ScalarGrid) -> None:
    """Raise ``InputError`` for a grid with more cells than are written."""
    if (count := int(np.prod(grid.shape))) > MOST_CELLS:
        raise InputError(
            f"the grid has {count} cells, and at most {MOST_CELLS} are written; set fewer", ("format",)
        )


# ---------------------------------------------------------------- VTK


def vtk_file(design: Design) -> bytes:
    """An unstructured grid (.vtu): cells of the workspace with their fields, then the drawing.

    The field ``kind`` says what a cell is, by its place in ``KINDS``. Other fields are those of the
    back-end's grid; they are NaN where they do not exist, as on all that is no cell of a workspace.
    """
    import meshio

    parts = _Parts()
    grid = design.grid
    if grid is not None:
        require_few_cells(grid)
        parts.add("hexahedron", *_hexahedra(grid), kind=0)
    for _, _, points in design.lines():
        parts.add("line", points, np.arange(len(points) - 1)[:, None] + np.array([0, 1]), kind=1)
    for box in design.boxes():
        parts.add("triangle", box_corners(box), BOX_TRIANGLES, kind=2)
    for surface in design.surfaces():
        parts.add("triangle", surface.vertices, surface.triangles, kind=2)
    for shape in design.points():
        if grid is None or shape.cell_size is None:
            parts.add("vertex", shape.points, np.arange(len(shape.points))[:, None], kind=3)
    fields = {} if grid is None else {field.name: field.values.ravel() for field in grid.fields}
    mesh = meshio.Mesh(np.concatenate(parts.points), parts.cells, cell_data=parts.data(fields))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "design.vtu"
        meshio.write(file, mesh, file_format="vtu")
        return file.read_bytes()


class _Parts:
    """Points and cells of a mesh that grows."""

    def __init__(self) -> None:
        self.points: list[FloatArray] = []
        self.cells: list[Any] = []
        self._kinds: list[int] = []
        self._count = 0

    def add(self, name: str, points: FloatArray, cells: IntArray, kind: int) -> None:
        self.points.append(np.asarray(points, dtype=np.float64))
        self.cells.append((name, np.asarray(cells, dtype=np.int64) + self._count))
        self._kinds.append(kind)
        self._count += len(points)

    def data(self, fields: dict[str, FloatArray]) -> dict[str, list[Any]]:
        """The fields of each block of cells: those of the grid on its first block alone."""
        sizes = [len(cells) for _, cells in self.cells]
        kinds = [np.full(size, kind, dtype=np.int8) for size, kind in zip(sizes, self._kinds, strict=True)]
        found: dict[str, list[Any]] = {"kind": kinds}
        for name, values in fields.items():
            found[name] = [values, *(np.full(size, np.nan) for size in sizes[1:])]
        return found


def _hexahedra(grid: ScalarGrid) -> tuple[FloatArray, IntArray]:
    """Corners (n, 3) m and cells (k, 8) of a grid, the z index fastest, as its fields are ordered."""
    edges = [
        np.append(axis - size / 2, axis[-1] + size / 2)
        for axis, size in zip(grid.axes, grid.cell_size, strict=True)
    ]
    points = np.stack([part.ravel() for part in np.meshgrid(*edges, indexing="ij")], axis=1)
    corners = np.array([len(edge) for edge in edges])
    places = np.stack([part.ravel() for part in np.indices(grid.shape)], axis=1)
    strides = np.array([corners[1] * corners[2], corners[2], 1])
    return points, (places @ strides)[:, None] + _CUBE @ strides


# ---------------------------------------------------------------- glTF


def gltf_file(design: Design) -> bytes:
    """A binary file (.glb) in metres with y upwards: lines, boxes, surfaces, and the workspace's faces."""
    import trimesh

    scene = trimesh.Scene()
    for group, name, points in design.lines():
        colour = _COLOURS.get(group, _PLAIN)
        path: Any = trimesh.load_path(points)
        path.colors = np.tile([*colour, 255], (len(path.entities), 1))
        scene.add_geometry(path, node_name=name, geom_name=name)
    for box in design.boxes():
        _add_mesh(scene, box.name, box_corners(box), BOX_TRIANGLES)
    for surface in design.surfaces():
        _add_mesh(scene, surface.name, surface.vertices, surface.triangles)
    for shape in design.points():
        if shape.cell_size is not None:
            faces = hull(shape.points, shape.cell_size)
            _add_mesh(scene, shape.name, faces.corners.reshape(-1, 3), faces.triangles)
        else:
            cloud = trimesh.PointCloud(shape.points, colors=[*_PLAIN, 255])
            scene.add_geometry(cloud, node_name=shape.name, geom_name=shape.name)
    turn = np.eye(4)
    turn[:3, :3] = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]) @ upright(design.scene.up)
    scene.apply_transform(turn)
    return _glb(scene)


def _glb(scene: Any) -> bytes:
    content = scene.export(file_type="glb")
    return content if isinstance(content, bytes) else io.BytesIO(content).getvalue()


def _add_mesh(scene: Any, name: str, vertices: FloatArray, triangles: IntArray) -> None:
    """A mesh that is seen from both sides; an enclosing one lets the robot be seen through it."""
    import trimesh
    from trimesh.visual import TextureVisuals
    from trimesh.visual.material import PBRMaterial

    colour = np.array([*_COLOURS.get(name, _PLAIN), _SEE_THROUGH])
    material = PBRMaterial(baseColorFactor=colour, alphaMode="BLEND", doubleSided=True)
    mesh = trimesh.Trimesh(np.asarray(vertices, dtype=np.float64), triangles, process=False)
    mesh.visual = TextureVisuals(material=material)
    scene.add_geometry(mesh, node_name=name, geom_name=name)
