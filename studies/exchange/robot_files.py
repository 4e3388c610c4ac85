"""Files of robots: the program that wrote one, and the robot in it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Literal

from errors import InputError
from studies.exchange.caspr_reader import BODIES, CABLES, OTHERS, read_caspr
from studies.exchange.cdpyr_reader import read_cdpyr
from studies.exchange.csv_rows import shown
from studies.exchange.design_reader import read_design
from studies.exchange.foreign_formats import is_gazebo, unread_format
from studies.exchange.gazebo_reader import read_gazebo
from studies.exchange.imported_robot import ImportedRobot
from studies.exchange.sdf_reader import read_sdf
from studies.exchange.source_text import SourceFile, opened, sent
from studies.exchange.urdf_reader import read_urdf
from studies.exchange.wirex_reader import read_wirex

SourceFormat = Literal["urdf", "sdf", "caspr", "wirex", "cdpyr", "gazebo", "tautline"]
READERS: Mapping[SourceFormat, Callable[[SourceFile], ImportedRobot]] = {
    "urdf": read_urdf, "sdf": read_sdf, "caspr": read_caspr, "wirex": read_wirex, "cdpyr": read_cdpyr,
    "gazebo": read_gazebo, "tautline": read_design,
}  # fmt: skip
_UNKNOWN = (
    f"is no robot that is known: URDF (<robot>), SDF (<sdf>), CASPR (*{CABLES} and *{BODIES}), WireX "
    "(<models>, or text with 'now' and 'base'), cdpyr (JSON, YAML or XML with kinematic_chains), YAML of "
    "Gazebo's cable robots (points, platform, frame and joints), or JSON of Tautline"
)
_HEAD = 20_000  # characters of a file in which its first element stands


def read_robot(file: Path) -> ImportedRobot:
    """Read the cable robot of a file: URDF, SDF, CASPR, WireX, cdpyr, YAML of Gazebo, JSON of Tautline.

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
    """True if a file belongs to a robot of CASPR whose cables are there, too."""
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
    """Return the format of a file; raises ``InputError`` with what it is instead, as far as that is known."""
    head = file.text[:_HEAD]
    words = [line.split() for line in head.splitlines()]
    marks: Mapping[SourceFormat, bool] = {
        "caspr": file.name.endswith((CABLES, BODIES)),
        "sdf": "<sdf" in head,
        "tautline": head.lstrip().startswith("{") and '"model_version"' in head,
        "wirex": "<models" in head or any(len(line) == 2 and line[0] == "now" for line in words),
        "cdpyr": ("<robot" not in head and "kinematic_chains" in file.text)
        or "<kinematic_chains" in file.text,
        "gazebo": is_gazebo(file.text),
        "urdf": "<robot" in head,
    }
    found = next((name for name, is_so in marks.items() if is_so), None)
    reason = None if found == "caspr" else unread_format(file.text, file.name)
    if found is not None and reason is None:
        return found
    raise InputError(
        f"{shown(file.name)} {reason or _UNKNOWN}",
        ("from_file",),
    )
