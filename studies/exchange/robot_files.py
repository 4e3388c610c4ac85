"""Which program wrote a file of a robot, and the robot in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from errors import InputError
from studies.exchange.caspr_reader import BODIES, CABLES, read_caspr
from studies.exchange.cdpyr_reader import read_cdpyr
from studies.exchange.imported_robot import ImportedRobot
from studies.exchange.source_text import read_source
from studies.exchange.urdf_reader import read_urdf
from studies.exchange.wirex_reader import read_wirex

SourceFormat = Literal["urdf", "caspr", "wirex", "cdpyr"]
READERS: Mapping[SourceFormat, Callable[[Path], ImportedRobot]] = {
    "urdf": read_urdf, "caspr": read_caspr, "wirex": read_wirex, "cdpyr": read_cdpyr,
}  # fmt: skip
_HEAD = 20_000  # characters of a file in which its first element stands


def read_robot(file: Path) -> ImportedRobot:
    """The cable robot of a URDF file, or of one of CASPR, WireX or cdpyr; its text says which.

    Of CASPR, which has several files for a robot, either its bodies or its cables, or their folder.

    Raises
    ------
    InputError
        When the file cannot be read, is of no known format, or holds no robot that the back-end has.
    """
    found = _in_folder(file) if file.is_dir() else file
    return READERS[_format_of(found)](found)


def _in_folder(folder: Path) -> Path:
    """The cables of the only robot of CASPR in a folder."""
    found = sorted(folder.glob(f"*{CABLES}"))
    if len(found) != 1:
        raise InputError(f"{folder} holds {len(found)} files *{CABLES}; name one", ("from_file",))
    return found[0]


def _format_of(file: Path) -> SourceFormat:
    if file.name.endswith((CABLES, BODIES)):
        return "caspr"
    head = read_source(file)[:_HEAD]
    if "<models" in head:
        return "wirex"
    if "<robot" in head:
        return "urdf"
    words = [line.split() for line in head.splitlines()]
    if any(len(line) == 2 and line[0] == "now" for line in words):
        return "wirex"
    if "kinematic_chains" in read_source(file):
        return "cdpyr"
    raise InputError(
        f"{file} is no robot that is known: URDF (<robot>), CASPR (*{CABLES} and *{BODIES}), WireX "
        "(<models>, or text with 'now' and 'base'), or cdpyr (JSON or YAML with kinematic_chains)",
        ("from_file",),
    )
