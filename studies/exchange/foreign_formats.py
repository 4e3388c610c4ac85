"""Formats that are recognised and not read: what each is, and what to give instead."""

from __future__ import annotations

import re

_HEAD = 4096
_INSTEAD = (
    "give the robot as URDF, as SDF, as JSON of Tautline, or as a table with a row for each cable; Tautline "
    "writes each of them (tautline robot export NAME --format json)"
)
_MESH = "in which nothing says where cables run"
_BEGINNINGS = {
    "glTF": f"is glTF, a drawing {_MESH}",
    "ISO-10303-21": f"is STEP, a drawing {_MESH}",
    "solid ": f"is STL, a mesh {_MESH}",
    "# vtk": f"is VTK, fields and a drawing {_MESH}",
    "<VTKFile": f"is VTK, fields and a drawing {_MESH}",
    "<COLLADA": f"is COLLADA, a drawing {_MESH}",
    "CDF": "is NetCDF, the fields of a workspace, which hold no robot",
    "\x89HDF": "is HDF5, which holds no robot that is known",
    "<mujoco": "is MJCF of MuJoCo, whose tendons are not read yet",
    "PK\x03\x04": "is a packed file, such as a spreadsheet; save the sheet as CSV, or unpack the file",
}
"""Beginnings of files, after an XML declaration and comments, and what they are."""
_DXF = re.compile(r"\s*(?:999\s[^\n]{0,200}\n\s*)?0\s{1,4}SECTION\b")
_TABLE = re.compile(r"[^\n]{0,200}\b(?:pulley|attachment)s?[ _.-]{0,3}[xyz]\b", re.IGNORECASE)
_GAZEBO = ("points:", "platform:", "frame:", "joints:")
"""Keys at the beginning of lines in the YAML of Gazebo's cable robots."""


def unread_format(text: str, name: str = "") -> str | None:
    """Return what a file is and what to give instead, if it is known and not read; None for any other.

    ``text`` may be the beginning of a file that is not text, one character for each byte.
    """
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    body = _without_prolog(head)
    for beginning, what in _BEGINNINGS.items():
        if body.startswith(beginning):
            return f"{what}: {_INSTEAD}"
    if _DXF.match(head):
        return f"is DXF, a drawing {_MESH}: {_INSTEAD}"
    if name.lower().endswith(".csv") or _TABLE.match(head):
        return "is a table: give it with --from-csv; in Python and over REST as one of the tables"
    return None


def is_gazebo(text: str) -> bool:
    """Return True for the YAML of Gazebo's cable robots."""
    lines = text.splitlines() if all(f"\n{key}" in f"\n{text}" for key in _GAZEBO) else []
    return all(any(line.startswith(key) for line in lines) for key in _GAZEBO)


def _without_prolog(head: str) -> str:
    """The beginning of a file without an XML declaration, a document type and comments."""
    place = 0
    while head.startswith(("<?", "<!"), place):
        mark = "-->" if head.startswith("<!--", place) else ">"
        end = head.find(mark, place)
        if end < 0:
            break
        place = end + len(mark)
        while place < len(head) and head[place].isspace():
            place += 1
    return head[place:]
