"""A commented study file of the user's own cable robots: from CSV tables, or from files of other programs.

Several robots become layouts of one study. What nobody knows but the user, such as loads and tensions, is
written with the remark that it is assumed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dashboards.content.new_study import SEARCH, SPREAD, goals, head, short
from dashboards.content.robot_symmetry import RobotSymmetry, symmetry_of
from dashboards.content.study_file import toml_value, wrapped_value
from errors import FaultsError, InputError
from models import Model, load
from models.fields import DATA_FILE
from studies.csv_rows import column_names, read_rows, shown
from studies.data_files import COLUMNS, DataFiles
from studies.exchange.imported_robot import ImportedRobot

FloatArray = NDArray[np.float64]

CABLE_ROBOT = "hybrid-cable-robot"
LISTS = {"pulleys": "pulley", "attachments": "attachment"}
"""Lists of points of a cable robot, and how the columns of each begin in a CSV file."""
STIFFNESSES = ("cable_stiffness", "axial_stiffness")
"""Lists with a number for each cable; the second stands in the place of the first."""
LIMITS = ("f_min", "f_max", "cable_diameter")
"""Numbers of all cables that may stand in a column, the same in every row."""
_COLUMN = re.compile(r"(pulley|attachment)s?[ _.-]*([xyz])", re.IGNORECASE)
_LEAST_HALF = 1e-3
"""The least half side of a platform, m."""
_LONGEST = 100
_ASSUMED = {"cable_stiffness": '"1000 N/m"', "f_min": '"1 N"', "f_max": '"100 N"'}
"""What a study file says of a robot where nothing gives it."""
_UNITS = {
    "f_min": "N",
    "f_max": "N",
    "cable_diameter": "m",
    "axial_stiffness": "N",
    "platform_half_size": "m",
}


class Robot(NamedTuple):
    """A cable robot: its layout, its points, and its parameters as a study file writes them.

    ``report`` are sentences about where it comes from, what was assumed, and what could not be read.
    """

    layout: str
    pulleys: FloatArray
    attachments: FloatArray
    written: Mapping[str, str]
    report: Sequence[str] = ()

    @property
    def symmetry(self) -> RobotSymmetry:
        """Which cables are mirror images of others."""
        return symmetry_of({"pulleys": self.pulleys, "attachments": self.attachments})

    def gives(self, name: str) -> bool:
        """Whether a parameter needs no assumption."""
        return _gives(self.written, name)


def _gives(known: Collection[str], name: str) -> bool:
    return name in known or (name == STIFFNESSES[0] and STIFFNESSES[1] in known)


def study_of_robots(
    files: Sequence[Path], folder: Path, name: str, imported: Sequence[ImportedRobot] = ()
) -> str:
    """A study of a cable robot, or of several as layouts.

    Parameters
    ----------
    files : sequence of Path
        Tables with a row for each cable.
    folder : Path
        Where the study file will stand; the tables stand there too, or below.
    name : str
        Of the study.
    imported : sequence of ImportedRobot
        Robots that files of other programs gave.

    Raises
    ------
    InputError
        With file, line and column of what cannot be read.
    """
    model = load(CABLE_ROBOT)
    robots = [_read_table(model, file, folder) for file in files]
    robots += [_of_import(model, each) for each in imported]
    layouts = [robot.layout for robot in robots]
    if len(set(layouts)) < len(layouts):
        option = "from_csv" if files else "from_file"
        raise InputError(f"gives two layouts the same name: {', '.join(layouts)}", (option,))
    several = len(robots) > 1
    lines = [*head(model, name), *_opening(robots)]
    shared = [path for path in _ASSUMED if not any(robot.gives(path) for robot in robots)]
    lines += _assumptions(shared)
    lines += [] if several else _geometry(robots[0])
    lines += [_space(robots)]
    unknown = [robot for robot in robots if not robot.gives("wrench_set")]
    if len(unknown) == len(robots):
        lines += _loads("")
    for robot in robots:
        if several:
            assumed = [path for path in _ASSUMED if path not in shared and not robot.gives(path)]
            own_loads = not robot.gives("wrench_set") and len(unknown) < len(robots)
            lines += _layout(robot, assumed, needs_loads=own_loads)
        lines += _variables(robot, f"layouts.{robot.layout}." if several else "")
    wanted = ("workspace_volume", "capacity_margin_mean")
    return "\n".join([*lines, "", *goals(model, wanted), "", *SEARCH]) + "\n"


def _opening(robots: Sequence[Robot]) -> list[str]:
    """What was read, which cables mirror others, and the parameters of every robot."""
    return [
        *(line for robot in robots for line in _report(robot)),
        *([] if len(robots) > 1 else _mirrors(robots[0])),
        "",
        "[parameters]  # fixed; what is not named here has the value of a published robot",
        "cells = 12  # of the grid of the workspace, along each side",
        'orientations = "nominal"  # the platform is not turned; other values ask for turned poses, too',
    ]


def _layout(robot: Robot, assumed: Sequence[str], *, needs_loads: bool) -> list[str]:
    """A robot as one layout of several, with what is assumed of it alone."""
    mirrors = _mirrors(robot)
    return [
        *(["", f"[layouts.{robot.layout}]", *mirrors] if mirrors else []),
        "",
        f"[layouts.{robot.layout}.parameters]  # {len(robot.pulleys)} cables",
        *_assumptions(assumed),
        *_geometry(robot),
        *(_loads(f"layouts.{robot.layout}.") if needs_loads else []),
    ]


def _assumptions(paths: Sequence[str]) -> list[str]:
    return [f"{path} = {_ASSUMED[path]}  # assumed, write yours" for path in paths]


_LOADS = (
    'center = ["0 N", "0 N", "-20 N", "0 N m", "0 N m", "0 N m"]',
    'half_range = ["1 N", "1 N", "2 N", "0 N m", "0 N m", "0 N m"]',
)
"""What the cables of a robot of unknown mass must hold."""


def _loads(prefix: str) -> list[str]:
    title = f"[{prefix}parameters.wrench_set]  # what the cables must hold: assumed, write your loads"
    return ["", title, *_LOADS]


class RobotReport(NamedTuple):
    """What was read of a robot of another program, each thing in one line.

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
    """What was read of a robot, assumed and left out."""
    return RobotReport(
        _shown_line(robot.source),
        [name for name in robot.parameters if name not in robot.supposed],
        [_shown_line(text) for text in (*robot.assumed, *_assumed_values(robot.parameters))],
        [_shown_line(text) for text in robot.unread],
    )


def _assumed_values(known: Collection[str]) -> list[str]:
    """Sentences on what a study file says of a robot whose file gives the parameters ``known``."""
    values = [
        f"{path} = {value.strip(chr(34))}" for path, value in _ASSUMED.items() if not _gives(known, path)
    ]
    found = [f"{', '.join(values)}: write yours"] if values else []
    if "wrench_set" not in known:
        found.append("the cables hold a force of 20 N downwards, more or less (wrench_set): write your loads")
    if "platform_half_size" not in known:
        found.append("the platform reaches as far as its attachments (platform_half_size)")
    return found


def _shown_line(text: str) -> str:
    """A text in one line, without characters that would end a comment or steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in text).rstrip(".")


def _report(robot: Robot) -> list[str]:
    return [
        line
        for text in robot.report
        for line in textwrap.wrap(text, _LONGEST, initial_indent="# ", subsequent_indent="#   ")
    ]


# ---------------------------------------------------------------- robots of other programs


def _of_import(model: Model, imported: ImportedRobot) -> Robot:
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
        report_of(imported).sentences,
    )


# ---------------------------------------------------------------- a robot in a CSV file


def _read_table(model: Model, file: Path, folder: Path) -> Robot:
    try:
        name = file.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        raise InputError(
            f"{shown(str(file))} is not in the folder of the study file, {folder.resolve()}: put it there",
            ("from_csv",),
        ) from None
    with _given_as("from_csv"):
        columns = _columns_of(name, folder)
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
    return Robot(_layout_name(file.stem), pulleys, attachments, written)


@contextmanager
def _given_as(option: str) -> Generator[None]:
    """Errors name the option that gave a file."""
    try:
        yield
    except InputError as error:
        raise FaultsError([fault._replace(place=(option,)) for fault in error.faults]) from None


def _columns_of(name: str, folder: Path) -> dict[str, list[str]]:
    """The columns of each list and limit of a robot; raises ``InputError`` where a list has not all three."""
    known = column_names(name, folder)
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


def _limit(model: Model, path: str, name: str, folder: Path) -> float:
    """A number that is the same for all cables, from a column; raises ``InputError`` where it is not."""
    values: list[Any] = read_rows(model.parameters.model_fields[path], name, folder, [path]).items
    if len(set(values)) > 1:
        low, high = min(values), max(values)
        raise InputError(
            f"{shown(name)}, column '{path}': has values from {low:g} to {high:g} in SI units; the "
            f"back-end has one {path} for all cables"
        )
    return float(values[0])


def _layout_name(name: str) -> str:
    """The name of a file as that of a layout."""
    return re.sub(r"[^a-z0-9]+", "-", Path(name).stem.lower()).strip("-")[:64] or "robot"


# ---------------------------------------------------------------- what is written of it


def _geometry(robot: Robot) -> list[str]:
    """The parameters of a robot, and what follows from its points."""
    half = np.maximum(np.abs(robot.attachments).max(axis=0), _LEAST_HALF)
    first = [path for path in (*LISTS, *STIFFNESSES) if path in robot.written]
    others = [path for path in robot.written if path not in first]
    lines = [f"{path} = {robot.written[path]}{_unit(path)}" for path in first]
    if "platform_half_size" not in robot.written:
        lines.append(
            f"platform_half_size = {toml_value(_rounded(half))}  # m, as far as the attachments reach"
        )
    return [*lines, *(f"{path} = {robot.written[path]}{_unit(path)}" for path in others)]


def _space(robots: Sequence[Robot]) -> str:
    """A box around the pulleys of all robots, so that their workspaces are looked for in the same place."""
    pulleys = np.concatenate([robot.pulleys for robot in robots])
    lower, upper = pulleys.min(axis=0), pulleys.max(axis=0)
    lower = np.where(upper - lower > _LEAST_HALF, lower, upper - (upper - lower).max())
    return f"space = {toml_value([_rounded(lower), _rounded(upper)])}  # m, where the workspace is looked for"


def _unit(path: str) -> str:
    return f"  # {_UNITS[path]}" if path in _UNITS else ""


def _variables(robot: Robot, prefix: str) -> list[str]:
    return (_own_variables if robot.symmetry.mirrors else _linked_variables)(robot, prefix)


def _heights(robot: Robot) -> tuple[float, float, float]:
    """The height of the highest pulley, and the ends of the range in which it may lie, m."""
    high = float(robot.pulleys[:, 2].max())
    room = SPREAD * float(np.ptp(robot.pulleys, axis=0).max())
    return high, short(high - room), short(high + room)


def _linked_variables(robot: Robot, prefix: str) -> list[str]:
    """A variable for the height of all pulleys and one for the width of the platform."""
    high, lower, upper = _heights(robot)
    drives = [
        _drive(f"pulleys.{i}.2", offset=short(z - high)) for i, z in enumerate(robot.pulleys[:, 2].tolist())
    ]
    wide = float(np.hypot(*robot.attachments[:, :2].T).max())
    lines = [
        "", f"[{prefix}variables.pulley_height]  # m, the highest pulley; the others follow",
        f"lower = {lower}", f"upper = {upper}", "drives = [",
        *(f"  {toml_value(drive)}," for drive in drives), "]",
    ]  # fmt: skip
    if wide < _LEAST_HALF:
        return lines
    sides = [
        _drive(f"attachments.{i}.{axis}", factor=short(value / wide))
        for i, point in enumerate(robot.attachments.tolist())
        for axis, value in enumerate(point[:2])
        if short(value / wide) != 0
    ]
    return [
        *lines,
        "", f"[{prefix}variables.platform_radius]  # m, the attachment farthest out; the others follow",
        f"lower = {short((1 - SPREAD) * wide)}", f"upper = {short((1 + SPREAD) * wide)}", "drives = [",
        *(f"  {toml_value(side)}," for side in sides), "]",
    ]  # fmt: skip


def _mirrors(robot: Robot) -> list[str]:
    """The entry ``symmetry`` of a robot; no line where no cable is the mirror image of another."""
    found = robot.symmetry.mirrors
    if not found:
        return []
    lines = ["symmetry = [  # cables, counted from 0, that are mirror images of others"]
    for path in LISTS:
        for mirror in found:
            table: dict[str, Any] = {"parameter": path, "from": list(mirror.from_), "to": list(mirror.to)}
            table["mirror"] = mirror.axis
            offset = short(mirror.offsets[path])
            if offset != 0:
                table["point"] = [offset, 0.0, 0.0] if mirror.axis == "x" else [0.0, offset, 0.0]
            lines.append(f"  {toml_value(table)},")
    return [*lines, "]"]


def _own_variables(robot: Robot, prefix: str) -> list[str]:
    """A variable for each coordinate that no symmetry fixes, and one for the height of all pulleys."""
    cables, centres = robot.symmetry.independent, robot.symmetry.centres
    lines = ["", f"[{prefix}variables]  # m; the mirror images follow"]
    for path, points in (("pulleys", robot.pulleys), ("attachments", robot.attachments)):
        for cable in cables:
            for axis in (0, 1):
                value, middle = float(points[cable, axis]), float(centres[path][axis])
                room = short(SPREAD * abs(value - middle))
                if room != 0:
                    ends = {"lower": short(value - room), "upper": short(value + room)}
                    lines.append(f"{path}.{cable}.{axis} = {toml_value(ends)}")
    high, lower, upper = _heights(robot)
    drives = [
        _drive(f"pulleys.{cable}.2", offset=short(float(robot.pulleys[cable, 2]) - high)) for cable in cables
    ]
    table = {"lower": lower, "upper": upper, "drives": drives}
    return [*lines, f"pulley_height = {toml_value(table)}  # of the highest pulley"]


def _drive(parameter: str, factor: float = 1.0, offset: float = 0.0) -> Any:
    """A parameter that a variable drives, as short as a file can say it."""
    stated = {"factor": factor} if factor != 1.0 else {"offset": offset} if offset else {}
    return {"parameter": parameter, **stated} if stated else parameter


def _rounded(point: FloatArray) -> list[float]:
    return [short(value) for value in point.tolist()]
