"""Which program wrote a file of a robot, and the robot in it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Literal

from errors import InputError
from studies.csv_rows import shown
from studies.exchange.caspr_reader import BODIES, CABLES, OTHERS, read_caspr
from studies.exchange.cdpyr_reader import read_cdpyr
from studies.exchange.imported_robot import ImportedRobot
from studies.exchange.source_text import SourceFile, opened, sent
from studies.exchange.urdf_reader import read_urdf
from studies.exchange.wirex_reader import read_wirex

SourceFormat = Literal["urdf", "caspr", "wirex", "cdpyr"]
READERS: Mapping[SourceFormat, Callable[[SourceFile], ImportedRobot]] = {
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
    return _robot_of(opened(_in_folder(file) if file.is_dir() else file))


def read_robots(texts: Mapping[str, str]) -> list[ImportedRobot]:
    """The cable robots of files that were sent, by the names of the files; see :func:`read_robot`.

    Of CASPR, the files of bodies and cables are sent together and make one robot. No other file is opened.

    Raises
    ------
    InputError
        As :func:`read_robot`, and for a name that is more than that of a file.
    """
    files = sent(texts)
    return [_robot_of(file) for file in files if not _has_cables_elsewhere(file.name, texts)]


def _has_cables_elsewhere(name: str, names: Container[str]) -> bool:
    """Whether a file belongs to a robot of CASPR whose cables are there, too."""
    return any(name.endswith(end) and name.removesuffix(end) + CABLES in names for end in (BODIES, *OTHERS))


def _robot_of(file: SourceFile) -> ImportedRobot:
    return READERS[_format_of(file)](file)


def _in_folder(folder: Path) -> Path:
    """The cables of the only robot of CASPR in a folder."""
    found = sorted(folder.glob(f"*{CABLES}"))
    if len(found) != 1:
        raise InputError(f"{folder} holds {len(found)} files *{CABLES}; name one", ("from_file",))
    return found[0]


def _format_of(file: SourceFile) -> SourceFormat:
    if file.name.endswith((CABLES, BODIES)):
        return "caspr"
    head = file.text[:_HEAD]
    if "<models" in head:
        return "wirex"
    if "<robot" in head and "<kinematic_chains" in file.text:
        return "cdpyr"
    if "<robot" in head:
        return "urdf"
    words = [line.split() for line in head.splitlines()]
    if any(len(line) == 2 and line[0] == "now" for line in words):
        return "wirex"
    if "kinematic_chains" in file.text:
        return "cdpyr"
    raise InputError(
        f"{shown(file.name)} is no robot that is known: URDF (<robot>), CASPR (*{CABLES} and *{BODIES}), "
        "WireX (<models>, or text with 'now' and 'base'), or cdpyr (JSON or YAML with kinematic_chains)",
        ("from_file",),
    )
