"""A triangle mesh in an STL or OBJ file, read as vertices and triangles in metres."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errors import InputError
from models.fields import MESH_FILE
from models.numerics.triangle_trees import MOST_TRIANGLES
from models.units import parse_quantity
from studies.exchange.csv_rows import file_in_folder, shown

UNIT = "unit"
KINDS = (".stl", ".obj")
_HEADER, _TRIANGLE = 84, 50  # bytes of a binary STL
_LONGEST = 300  # bytes that a triangle takes in a text, at most


def read_mesh(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Vertices [m], to eight digits, and triangles of the file that a table names.

    Parameters
    ----------
    table : mapping
        ``file``, the name of a file in ``folder``, and ``unit``, that of its numbers; metres if left out.
    folder : Path

    Raises
    ------
    InputError
        When the file cannot be read, or has more than ``MOST_TRIANGLES`` triangles. Its size is looked at
        before it is read.
    """
    others = [name for name in table if name not in (MESH_FILE, UNIT)]
    if others:
        text = f"names a file, which gives the whole mesh: remove '{others[0]}' beside '{MESH_FILE}'"
        raise InputError(text)
    name = table[MESH_FILE]
    if not isinstance(name, str) or Path(name).suffix.lower() not in KINDS:
        raise InputError(f'{MESH_FILE} must be the name of an STL or OBJ file, as in "column.stl"')
    factor = _factor(table.get(UNIT, "m"))
    vertices, triangles = _triangles(_content(name, folder), name)
    corners = [[float(f"{factor * number:.8g}") for number in vertex] for vertex in vertices.tolist()]
    return {"vertices": corners, "triangles": triangles.tolist()}


def _factor(unit: Any) -> float:
    """Metres in a unit of length."""
    if not isinstance(unit, str):
        raise InputError(f'{UNIT} must be a unit of length, as in {UNIT} = "mm"')
    return float(parse_quantity(f"1 {unit}", "m", (UNIT,)))


def _content(name: str, folder: Path) -> bytes:
    """The bytes of a file; raises ``InputError`` for one of too many triangles before it is read."""
    path = file_in_folder(name, folder)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEADER)
            count = int.from_bytes(head[80:84], "little")
            binary = size == _HEADER + _TRIANGLE * count
            if (count if binary else size / _LONGEST) > MOST_TRIANGLES:
                raise _too_many(name, f"{count} triangles" if binary else f"{size / 1e6:.3g} MB")
            return head + file.read()
    except OSError as error:
        raise InputError(f"{shown(name)} cannot be read: {error.strerror}") from None


def _too_many(name: str, told: str) -> InputError:
    return InputError(
        f"{shown(name)} has {told}; at most {MOST_TRIANGLES} triangles are allowed: simplify the mesh"
    )


def _triangles(content: bytes, name: str) -> tuple[Any, Any]:
    """Vertices (n, 3) and triangles (k, 3), vertices at the same place joined."""
    import trimesh

    try:
        mesh = trimesh.load_mesh(io.BytesIO(content), file_type=Path(name).suffix.lower()[1:])
        vertices, triangles = mesh.vertices, mesh.faces
    except Exception as error:  # noqa: BLE001 - readers of files of all kinds raise errors of all kinds
        raise InputError(f"{shown(name)} cannot be read as a mesh: {error}") from None
    if not len(triangles):
        raise InputError(f"{shown(name)} has no triangles")
    if len(triangles) > MOST_TRIANGLES:
        raise _too_many(name, f"{len(triangles)} triangles")
    return vertices, triangles
