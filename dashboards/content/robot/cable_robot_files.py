"""Cable robots of the user's own, as their files give them: CSV tables, or files of other programs."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dashboards.content.robot.robot_symmetry import NEARLY, RobotSymmetry, symmetry_of
from dashboards.content.robot.study_file import toml_value, wrapped_value
from errors import FaultsError, InputError
from models import Model
from models.arrays import FloatArray
from models.fields import DATA_FILE
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.freedoms import NORMALS, PLANAR, POINTS, Freedoms, Plane
from studies.definition.data_files import COLUMNS, DataFiles
from studies.exchange.csv_rows import column_units, has_decimal_commas, read_rows, shown
from studies.exchange.imported_robot import Alternative, ImportedRobot, Pose

LISTS = {"pulleys": "pulley", "attachments": "attachment"}
"""Lists of points of a cable robot, and how the columns of each begin in a CSV file."""
STIFFNESSES = ("cable_stiffness", "axial_stiffness")
"""Lists with a number for each cable; the second stands in the place of the first."""
LIMITS = ("f_min", "f_max", "cable_diameter", "pulley_radius", "length_min", "length_max")
"""Numbers of cables that may stand in a column; one for all where every row has the same."""
_ASSUMED = {"cable_stiffness": '"1000 N/m"', "f_min": '"1 N"'}
_LEAST_F_MAX = 100.0
_SAFE = 10.0
"""Multiple of the platform's weight that a cable is assumed to hold, so that no assumption decides."""
_LARGEST = 100.0
"""Distance of pulleys [m] beyond which the unit of lengths is doubted."""
_COLUMN = re.compile(r"(pulley|attachment)s?[ _.-]*([xyz])", re.IGNORECASE)


class Robot(NamedTuple):
    """A cable robot: its layout, its points, and its parameters as a study file writes them.

    ``mass`` is that of platform and arm, kg, 0 if it is not known.
    """

    layout: str
    pulleys: FloatArray
    attachments: FloatArray
    written: Mapping[str, str]
    report: RobotReport
    mass: float = 0.0
    alternatives: Sequence[Alternative] = ()
    pose: Pose | None = None
    freedoms: Freedoms = "3R3T"
    plane: Plane = "xz"

    @property
    def normal(self) -> int | None:
        """The number of the axis normal to the plane of a planar robot; None for others."""
        return NORMALS[self.plane] if self.freedoms in PLANAR else None

    @property
    def is_point(self) -> bool:
        """True if the platform is a point mass."""
        return self.freedoms in POINTS

    @property
    def symmetry(self) -> RobotSymmetry:
        """Cables that are images of others."""
        return symmetry_of({"pulleys": self.pulleys, "attachments": self.attachments})

    @property
    def near_symmetry(self) -> RobotSymmetry:
        """Cables that are images of others but for what measured points differ."""
        return symmetry_of({"pulleys": self.pulleys, "attachments": self.attachments}, NEARLY)

    def gives(self, name: str) -> bool:
        """True if a parameter needs no assumption."""
        return _gives(self.written, name)

    @property
    def assumed(self) -> dict[str, str]:
        """Values that a study file has in the place of what nothing gives, as TOML."""
        return _assumed(self.written, self.mass)


def _assumed(known: Collection[str], mass: float) -> dict[str, str]:
    """Values for all that ``known`` does not give, of a robot whose mass in kg is known or 0."""
    values = {**_ASSUMED, "f_max": f'"{_safe_tension(mass):g} N"'}
    return {path: value for path, value in values.items() if not _gives(known, path)}


def _safe_tension(mass: float) -> float:
    """A greatest tension [N] that lifts a mass many times, as one digit and zeros."""
    wanted = _SAFE * mass * float(-GRAVITY[2])
    if wanted <= _LEAST_F_MAX:
        return _LEAST_F_MAX
    digit = 10.0 ** math.floor(math.log10(wanted))
    return math.ceil(wanted / digit) * digit


def _gives(known: Collection[str], name: str) -> bool:
    return name in known or (name == STIFFNESSES[0] and STIFFNESSES[1] in known)


class RobotReport(NamedTuple):
    """A robot as its file was read, each thing in one line.

    ``read`` are names of parameters. ``assumed`` are sentences on what its file does not say: what the reader
    took, and what the study file has in its place. ``unread`` is what the back-end has no place for.
    """

    source: str
    read: list[str]
    assumed: list[str]
    unread: list[str]

    @property
    def sentences(self) -> list[str]:
        """All of it, as the shell and a study file tell it."""
        found = [f"Read from {self.source}: {', '.join(self.read)}"]
        found += [f"Assumed: {text}" for text in self.assumed]
        found += [f"Not read: {text}" for text in self.unread]
        return [f"{text}." for text in found]


def report_of(robot: ImportedRobot) -> RobotReport:
    """Report the parameters of a robot that were read, those that were assumed, and the unread rest."""
    return RobotReport(
        _shown_line(robot.source),
        [name for name in robot.parameters if name not in robot.supposed],
        [
            _shown_line(text)
            for text in (
                *robot.assumed,
                *_assumed_values(robot.parameters),
                *_size_doubts(robot.parameters["pulleys"]),
            )
        ],
        [_shown_line(text) for text in robot.unread],
    )


def _size_doubts(pulleys: Sequence[Any] | FloatArray, without_unit: str = "") -> list[str]:
    """A sentence on a robot too large to be one, whose lengths may have another unit than metres."""
    size = float(np.ptp(np.array(pulleys, dtype=np.float64), axis=0).max())
    if size <= _LARGEST:
        return []
    remedy = f"write their unit, as in {without_unit} [mm]" if without_unit else "check their unit"
    return [f"the lengths are metres, so that the pulleys are {size:.4g} m apart: if they are not, {remedy}"]


def _assumed_values(known: Mapping[str, Any]) -> list[str]:
    """Sentences on what a study file says of a robot whose file gives the parameters ``known``."""
    assumed = _assumed(known, _mass(known))
    values = [f"{path} = {value.strip(chr(34))}" for path, value in assumed.items()]
    found = [f"{', '.join(values)}: write yours"] if values else []
    if "wrench_set" not in known:
        found.append("the cables hold a force of 20 N downwards, more or less (wrench_set): write your loads")
    if "cable_diameter" not in known:
        found.append("the cables are as thick as those of a published robot, 2 mm (cable_diameter)")
    if "platform_half_size" not in known and known.get("freedoms") not in POINTS:
        found.append(
            "no cable is tested against the platform, of which nothing gives the box (check_platform); "
            "drawings show one that reaches as far as the attachments (platform_half_size)"
        )
    if "space" not in known:
        found.append("the workspace is looked for in a box around the pulleys (space)")
    if known.get("freedoms") in PLANAR:
        found.append("the space is 1 m thick, so that volumes in m^3 are areas in m^2")
    return found


def _mass(known: Mapping[str, Any]) -> float:
    """Mass of platform and arm, kg; 0 if it is not known."""
    bodies = [known["platform_body"], *known.get("arm_links", ())] if "platform_body" in known else []
    return math.fsum(body["mass"] for body in bodies)


def _shown_line(text: str) -> str:
    """A text in one line, without characters that would end a comment or steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in text).rstrip(".")


# ---------------------------------------------------------------- robots of other programs


def robot_of_import(model: Model, imported: ImportedRobot) -> Robot:
    """A robot as the study file writes it; raises ``InputError`` where the back-end refuses its numbers."""
    try:
        model.resolve(None, imported.parameters)
    except InputError as error:
        faults = [
            fault._replace(message=f"{imported.source}: {fault.text}", place=()) for fault in error.faults
        ]
        raise FaultsError([fault._replace(place=("from_file",)) for fault in faults]) from None
    pulleys, attachments = (np.array(imported.parameters[path], dtype=np.float64) for path in LISTS)
    written = {path: wrapped_value(value) for path, value in imported.parameters.items()}
    return Robot(
        _layout_name(imported.source.split(" (")[0]),
        pulleys,
        attachments,
        written,
        report_of(imported),
        _mass(imported.parameters),
        imported.alternatives,
        imported.pose,
        imported.parameters.get("freedoms", "3R3T"),
        imported.parameters.get("plane", "xz"),
    )


# ---------------------------------------------------------------- a robot in a CSV file


def robot_of_table(model: Model, file: Path, folder: Path) -> Robot:
    """The robot of a CSV file in a folder or below; raises ``InputError`` with file, line and column."""
    try:
        name = file.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        raise InputError(
            f"{shown(str(file))} is not in the folder of the study file, {folder.resolve()}: put it there",
            ("from_csv",),
        ) from None
    with _given_as("from_csv"):
        units = column_units(name, folder)
        columns = _columns_of(name, list(units))
        files = DataFiles(folder)
        lists = {path: own for path, own in columns.items() if path not in LIMITS}
        wanted = {path: {DATA_FILE: name, COLUMNS: own} for path, own in lists.items()}
        read = files.fill(model.name, wanted, ())
        files.raise_found()
        limits = {path: _limit(model, path, name, folder) for path in LIMITS if path in columns}
        with files.naming_rows():
            model.resolve(None, {**read, **limits})
    pulleys, attachments = (np.array(read[path], dtype=np.float64) for path in LISTS)
    written = {path: toml_value({**table, COLUMNS: list(lists[path])}) for path, table in wanted.items()}
    written |= {path: toml_value(value) for path, value in limits.items()}
    report = _report_of_table(file.name, columns, units, pulleys)
    if has_decimal_commas(name, folder):
        report.assumed.insert(0, "commas in numbers are decimal commas")
    return Robot(_layout_name(file.stem), pulleys, attachments, written, report)


def _report_of_table(
    file: str, columns: Mapping[str, Sequence[str]], units: Mapping[str, str], pulleys: FloatArray
) -> RobotReport:
    """Report a table whose columns have units; empty ones are those of SI."""
    taken = [name for own in columns.values() for name in own]
    bare = [name for name in taken if not units[name]]
    lengths = [name for name in bare if name not in (*STIFFNESSES, "f_min", "f_max")]
    assumed = [f"{', '.join(bare)} have no unit and are in SI units, lengths in metres"] if bare else []
    return RobotReport(
        _shown_line(f"{file} (table)"),
        list(columns),
        [
            *map(_shown_line, assumed),
            *_assumed_values(dict(columns)),
            *_size_doubts(pulleys, _shown_line(lengths[0]) if lengths else ""),
        ],
        [_shown_line(f"the column '{name}'") for name in units if name not in taken],
    )


@contextmanager
def _given_as(option: str) -> Generator[None]:
    """Errors name the option that gave a file."""
    try:
        yield
    except InputError as error:
        raise FaultsError([fault._replace(place=(option,)) for fault in error.faults]) from None


def _columns_of(name: str, known: Sequence[str]) -> dict[str, list[str]]:
    """The columns of each list and limit of a robot; raises ``InputError`` where a list has not all three."""
    found: dict[str, list[str]] = {}
    for path, begins in LISTS.items():
        own = {
            match[2].lower(): heading
            for heading in known
            if (match := _COLUMN.fullmatch(heading)) and match[1].lower() == begins
        }
        missing = [f"{begins}_{axis}" for axis in "xyz" if axis not in own]
        if missing:
            listed = " and no column ".join(map(repr, missing))
            raise InputError(
                f"{shown(name)} has no column {listed}; it needs a row for each cable and the columns "
                "pulley_x, pulley_y, pulley_z, attachment_x, attachment_y and attachment_z, each with its "
                f"unit, as in pulley_x [mm] (it has: {', '.join(map(shown, known))})"
            )
        found[path] = [own[axis] for axis in "xyz"]
    return found | {path: [path] for path in (*STIFFNESSES, *LIMITS) if path in known}


def _limit(model: Model, path: str, name: str, folder: Path) -> float | list[float]:
    """The numbers of a column: one if all rows have the same, else one for each cable."""
    values: list[Any] = read_rows(model.parameters.model_fields[path], name, folder, [path]).items
    numbers = [float(value) for value in values]
    return numbers[0] if len(set(numbers)) == 1 else numbers


def _layout_name(name: str) -> str:
    """The name of a file as that of a layout."""
    return re.sub(r"[^a-z0-9]+", "-", Path(name).stem.lower()).strip("-")[:64] or "robot"
