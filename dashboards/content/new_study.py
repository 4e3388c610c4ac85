"""A commented study file to begin with: of presets of a back-end, or of robots in CSV files.

Several presets or files become layouts of one study. What nobody knows but the user, such as loads and
tensions of an own robot, is written with the remark that it is assumed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic.fields import FieldInfo

from dashboards.content.study_file import toml_key, toml_value
from dashboards.formatting import prose
from errors import FaultsError, InputError
from models import Model, load
from models.contract import Metric
from models.fields import DATA_FILE, is_numerical, unit_at
from models.parameters import Parameters
from models.units import unit_text
from studies.csv_rows import column_names, read_rows, shown
from studies.data_files import COLUMNS, DataFiles

FloatArray = NDArray[np.float64]

CABLE_ROBOT = "hybrid-cable-robot"
LISTS = {"pulleys": "pulley", "attachments": "attachment"}
"""Lists of points of a cable robot, and how the columns of each begin in a CSV file."""
STIFFNESS = "cable_stiffness"
"""A list with a number for each cable."""
LIMITS = ("f_min", "f_max", "cable_diameter")
"""Numbers of all cables that may stand in a column, the same in every row."""
_COLUMN = re.compile(r"(pulley|attachment)s?[ _.-]*([xyz])", re.IGNORECASE)
_MOST_VARIABLES = 4
_SPREAD = 0.2
"""Share of its value by which a variable may differ from it, up and down."""
_DIGITS = 9
_LONGEST = 90
"""Characters of a comment."""
_LEAST_HALF = 1e-3
"""The least half side of a platform, m."""
_ASSUMED = {
    "cable_stiffness": '"1000 N/m"',
    "f_min": '"1 N"',
    "f_max": '"100 N"',
}
_UNITS = {"f_min": "N", "f_max": "N", "cable_diameter": "m"}


class Robot(NamedTuple):
    """A cable robot in a CSV file: its layout, and the columns of each list of points and of limits."""

    layout: str
    file: str
    columns: Mapping[str, Sequence[str]]
    pulleys: FloatArray
    attachments: FloatArray
    limits: Mapping[str, float]


def study_of_presets(model: Model, presets: Sequence[str], name: str) -> str:
    """A study of one preset, or of several as layouts; raises ``InputError`` for an unknown one."""
    found = {preset: model.preset(preset, ("from",)) for preset in presets}
    records = [model.resolve(preset, {}) for preset in found]
    several = len(found) > 1
    lines = _head(model, name)
    if not several:
        lines += [f"preset = {toml_value(preset)}  # {given.description}" for preset, given in found.items()]
    lines += ["", "[parameters]  # fixed; what is not named here has the value of the preset"]
    lines += _settings(model, records[0])
    lines += ["", "[variables]  # any parameter of the robot can vary"]
    lines += _ranges(model, records)
    for preset, given in found.items() if several else ():
        lines += ["", f"[layouts.{preset}]", f"preset = {toml_value(preset)}  # {given.description}"]
    return "\n".join([*lines, "", *_goals(model), "", *_SEARCH]) + "\n"


def study_of_robots(files: Sequence[Path], folder: Path, name: str) -> str:
    """A study of the cable robot in a CSV file, or of several as layouts.

    Parameters
    ----------
    files : sequence of Path
        Tables with a row for each cable.
    folder : Path
        Where the study file will stand; the tables stand there too, or below.

    Raises
    ------
    InputError
        With file, line and column of what cannot be read.
    """
    model = load(CABLE_ROBOT)
    robots = [_read_robot(model, file, folder) for file in files]
    layouts = [robot.layout for robot in robots]
    if len(set(layouts)) < len(layouts):
        raise InputError(f"gives two layouts the same name: {', '.join(layouts)}", ("from_csv",))
    lines = [
        *_head(model, name),
        "",
        "[parameters]  # fixed; what is not named here has the value of a published robot",
        "cells = 12  # of the grid of the workspace, along each side",
        'orientations = "nominal"  # the platform is not turned; other values ask for turned poses, too',
    ]
    several = len(robots) > 1
    lines += [
        f"{path} = {text}  # assumed, write yours"
        for path, text in _ASSUMED.items()
        if any(path not in (*robot.limits, *robot.columns) for robot in robots)
    ]
    lines += [] if several else _geometry(robots[0])
    lines += [_space(robots)]
    lines += ["", *_LOADS]
    for robot in robots:
        prefix = f"layouts.{robot.layout}." if several else ""
        if several:
            lines += ["", f"[{prefix}parameters]  # {len(robot.pulleys)} cables", *_geometry(robot)]
        lines += _linked_variables(robot, prefix)
    goals = ("workspace_volume", "capacity_margin_mean")
    return "\n".join([*lines, "", *_goals(model, goals), "", *_SEARCH]) + "\n"


_LOADS = (
    "[parameters.wrench_set]  # what the cables must hold: assumed, write your loads",
    'center = ["0 N", "0 N", "-20 N", "0 N m", "0 N m", "0 N m"]',
    'half_range = ["1 N", "1 N", "2 N", "0 N m", "0 N m", "0 N m"]',
)
_SEARCH = (
    "[search]",
    'algorithm = "nsga2"',
    "population = 40   # designs of a generation",
    "generations = 25  # of each run",
)


def _head(model: Model, name: str) -> list[str]:
    return [
        f"# Change what you like, then `tautline study check FILE`. `tautline models show {model.name}`",
        "# lists all parameters with units and bounds, all presets and all metrics.",
        "schema_version = 1",
        f"name = {toml_value(name)}",
        f"model = {toml_value(model.name)}",
        "seeds = [1, 2, 3]  # a run for each",
    ]


def _settings(model: Model, record: Parameters) -> list[str]:
    """The settings of the computation that are numbers, as comments."""
    found = [
        (name, getattr(record, name))
        for name, field in model.parameters.model_fields.items()
        if is_numerical(field)
    ]
    numbers = [(name, value) for name, value in found if isinstance(value, int | float)]
    return [f"# {name} = {toml_value(value)}{_described(model, name)}" for name, value in numbers]


def _described(model: Model, name: str) -> str:
    text = prose(model.parameters.model_fields[name].description or "")
    return f"  # {textwrap.shorten(text, _LONGEST, placeholder=' ...')}"


def _ranges(model: Model, records: Sequence[Parameters]) -> list[str]:
    """Lines of variables around the values of the first record, which every record accepts."""
    fields = model.parameters.model_fields
    known = [name for name in fields if name in model.parameters.geometry] or list(fields)
    lines: list[str] = []
    for name in known:
        ends = [] if is_numerical(fields[name]) else _ends(getattr(records[0], name), fields[name])
        if len(ends) == 2 and len(lines) < _MOST_VARIABLES and _all_accept(model, records, name, ends):
            unit = unit_text(str(unit_at(model.parameters, name)))
            table = {"lower": min(ends), "upper": max(ends)}
            lines.append(
                f"{name} = {toml_value(table)}{_described(model, name)}{f', {unit}' if unit else ''}"
            )
    return lines


def _ends(value: Any, field: FieldInfo) -> list[float]:
    """A range around a number, or between its bounds where it is 0; none for anything else."""
    if not isinstance(value, float):
        return []
    if value != 0.0:
        return [_short(value * (1 - _SPREAD)), _short(value * (1 + _SPREAD))]
    return [
        float(getattr(each, name)) for name in ("ge", "le") for each in field.metadata if hasattr(each, name)
    ]


def _all_accept(model: Model, records: Sequence[Parameters], name: str, ends: Sequence[float]) -> bool:
    try:
        for record in records:
            for end in ends:
                model.resolve_over(record.model_dump(mode="json"), {name: end}, ())
    except InputError:
        return False
    return True


def _goals(model: Model, names: Sequence[str] = ()) -> list[str]:
    """Objectives, and the other metrics of their cost class in a comment."""
    cheap = model.metrics_of(model.cost_class_for(names))
    errors = {each.error for each in cheap}
    plain = [
        each for each in cheap if not (each.caution or each.needs or "." in each.name or each.name in errors)
    ]
    goals = [model.metric(name) for name in names] or plain[:2]
    others = [each.name for each in plain if each not in goals]
    return [
        "[objectives]",
        *(f'{toml_key(each.name)} = "{each.sense}"{_meaning(each)}' for each in goals),
        *textwrap.wrap(
            f"Other metrics: {', '.join(others)}", 100, initial_indent="# ", subsequent_indent="# "
        )[: bool(others) * 100],
    ]


def _meaning(metric: Metric) -> str:
    unit = unit_text(metric.unit)
    return (
        f"  # {textwrap.shorten(metric.meaning, _LONGEST, placeholder=' ...')}{f', {unit}' if unit else ''}"
    )


def _short(value: float) -> float:
    """A number without the digits that arithmetic leaves."""
    return float(f"{value:.{_DIGITS}g}")


# ---------------------------------------------------------------- a robot in a CSV file


def _read_robot(model: Model, file: Path, folder: Path) -> Robot:
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
    return Robot(_layout_name(file), name, lists, pulleys, attachments, limits)


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
    return found | {path: [path] for path in (STIFFNESS, *LIMITS) if path in known}


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


def _layout_name(file: Path) -> str:
    """The name of a file as that of a layout."""
    return re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:64] or "robot"


# ---------------------------------------------------------------- what is written of it


def _geometry(robot: Robot) -> list[str]:
    """The lists, by their columns, and what follows from their numbers."""
    half = np.maximum(np.abs(robot.attachments).max(axis=0), _LEAST_HALF)
    tables = {path: {DATA_FILE: robot.file, COLUMNS: list(own)} for path, own in robot.columns.items()}
    return [
        *(f"{path} = {toml_value(table)}" for path, table in tables.items()),
        f"platform_half_size = {toml_value(_rounded(half))}  # m, as far as the attachments reach",
        *(f"{path} = {toml_value(value)}  # {_UNITS[path]}" for path, value in robot.limits.items()),
    ]


def _space(robots: Sequence[Robot]) -> str:
    """A box around the pulleys of all robots, so that their workspaces are looked for in the same place."""
    pulleys = np.concatenate([robot.pulleys for robot in robots])
    lower, upper = pulleys.min(axis=0), pulleys.max(axis=0)
    lower = np.where(upper - lower > _LEAST_HALF, lower, upper - (upper - lower).max())
    return f"space = {toml_value([_rounded(lower), _rounded(upper)])}  # m, where the workspace is looked for"


def _linked_variables(robot: Robot, prefix: str) -> list[str]:
    """A variable for the height of all pulleys and one for the width of the platform."""
    high = float(robot.pulleys[:, 2].max())
    room = _SPREAD * float(np.ptp(robot.pulleys, axis=0).max())
    drives = [
        _drive(f"pulleys.{i}.2", offset=_short(z - high)) for i, z in enumerate(robot.pulleys[:, 2].tolist())
    ]
    wide = float(np.hypot(*robot.attachments[:, :2].T).max())
    lines = [
        "", f"[{prefix}variables.pulley_height]  # m, the highest pulley; the others follow",
        f"lower = {_short(high - room)}", f"upper = {_short(high + room)}", "drives = [",
        *(f"  {toml_value(drive)}," for drive in drives), "]",
    ]  # fmt: skip
    if wide < _LEAST_HALF:
        return lines
    sides = [
        _drive(f"attachments.{i}.{axis}", factor=_short(value / wide))
        for i, point in enumerate(robot.attachments.tolist())
        for axis, value in enumerate(point[:2])
        if _short(value / wide) != 0
    ]
    return [
        *lines,
        "", f"[{prefix}variables.platform_radius]  # m, the attachment farthest out; the others follow",
        f"lower = {_short((1 - _SPREAD) * wide)}", f"upper = {_short((1 + _SPREAD) * wide)}", "drives = [",
        *(f"  {toml_value(side)}," for side in sides), "]",
    ]  # fmt: skip


def _drive(parameter: str, factor: float = 1.0, offset: float = 0.0) -> Any:
    """A parameter that a variable drives, as short as a file can say it."""
    stated = {"factor": factor} if factor != 1.0 else {"offset": offset} if offset else {}
    return {"parameter": parameter, **stated} if stated else parameter


def _rounded(point: FloatArray) -> list[float]:
    return [_short(value) for value in point.tolist()]
