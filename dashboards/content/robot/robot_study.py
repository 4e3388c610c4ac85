"""A commented study file of the user's own cable robots: from CSV tables, or from files of other programs.

Several robots become layouts of one study. What nobody knows but the user, such as loads and tensions, is
written with the remark that it is assumed.

Pulleys stay inside the hall, the box of all pulleys as they are: a range that leaves it asks for another
hall. The space of the workspace stays too, so that no variable gains by sliding a robot through it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dashboards.content.robot.cable_robot_files import (
    LISTS,
    STIFFNESSES,
    Robot,
    robot_of_import,
    robot_of_table,
)
from dashboards.content.robot.new_study import SEARCH, SPREAD, goals, head, short
from dashboards.content.robot.robot_symmetry import NEARLY, RobotSymmetry, is_in_plane
from dashboards.content.robot.study_file import toml_value
from errors import InputError
from models import load
from models.arrays import FloatArray
from studies.exchange.freedoms import THICKNESS
from studies.exchange.imported_robot import ImportedRobot

Z = 2
_LEAST_SIDE = 1e-3
"""Half sides of platforms and widths [m] below which nothing is varied."""
_FLAT = 0.1
"""Pulleys are level in a coordinate if they differ in it by less than this share of their greatest extent."""


def is_level(pulleys: FloatArray) -> NDArray[np.bool_]:
    """Coordinates, shape (3,), in which pulleys (n, 3) m lie at one place but for some per cent."""
    extent = np.ptp(pulleys, axis=0)
    return extent <= _FLAT * extent.max()


def space_around(pulleys: FloatArray, normal: int | None = None) -> tuple[FloatArray, FloatArray]:
    """The corners (3,) m of a box around pulleys (n, 3) m; ``normal`` is the axis normal to a planar robot.

    Pulleys at one height, but for some per cent of their distances, hold a suspended robot: the box reaches
    down from them. The box of a planar robot is as thick as makes volumes areas, its plane in the middle.
    """
    lower, upper = pulleys.min(axis=0), pulleys.max(axis=0)
    below = np.where(is_level(pulleys), upper - (upper - lower).max(), lower)
    if normal is not None:
        middle = float(pulleys[:, normal].mean())
        below[normal], upper[normal] = middle - THICKNESS / 2, middle + THICKNESS / 2
    return below, upper


def rounded(point: FloatArray) -> list[float]:
    """Coordinates (3,) as a file writes them."""
    return [short(value) for value in point.tolist()]


def symmetry_lines(robot: Robot) -> list[str]:
    """The entry ``symmetry`` of a robot; no line where no cable is an image of another."""
    symmetry = robot.symmetry
    if not symmetry.copies:
        return []
    lines = ["symmetry = [  # cables, counted from 0, that are images of others"]
    for path in LISTS:
        for image, from_, to in symmetry.copies:
            table: dict[str, Any] = {"parameter": path, "from": list(from_), "to": list(to)}
            if image.degrees:
                table |= {"rotate": image.axis, "angle": f"{image.degrees} deg"}
            else:
                table["mirror"] = image.axis
            point = [
                0.0 if axis in (2, image.unmoved) else short(value)
                for axis, value in enumerate(symmetry.centres[path].tolist())
            ]
            if any(point):
                table["point"] = point
            lines.append(f"  {toml_value(table)},")
    return [*lines, "]"]


class _Variable(NamedTuple):
    """A variable, its value of the robot as it is [m], its table in the file, and what is said of it."""

    name: str
    value: float
    table: dict[str, Any]
    told: str = ""


class RobotVariables(NamedTuple):
    """The variables of a robot: what is said of all of them, and each."""

    remarks: Sequence[str]
    variables: Sequence[_Variable]

    def lines(self, prefix: str) -> list[str]:
        """The table of variables below ``prefix``, such as ``layouts.mine.``."""
        found = ["", f"[{prefix}variables]  # m. Pulleys stay in the box that they span", *self.remarks]
        for each in self.variables:
            found += [f"# {each.told}"] if each.told else []
            found.append(f"{each.name} = {toml_value(each.table)}")
        return found

    @property
    def initial(self) -> str:
        """The entry ``initial``: a search begins with the robot as it is."""
        values = {each.name: each.value for each in self.variables}
        return f"initial = [{toml_value(values)}]  # the robot as it was read"


def variables_of(robot: Robot) -> RobotVariables:
    """Variables of a symmetric robot: each coordinate that no symmetry fixes, and the height of the pulleys.

    A robot that is nearly symmetric, such as a measured one, has them too: what its points differ from
    symmetric ones stays. Any other has widths and a height.
    """
    every = tuple(range(len(robot.pulleys)))
    symmetry, near = robot.symmetry, robot.near_symmetry
    if symmetry.copies:
        found = [*_coordinates(robot, symmetry), *_height(robot, symmetry.independent)]
        return RobotVariables(["# Images follow the cables that are named."], found)
    if near.copies:
        told = [f"# {near.told}.", "# The variables move images together, and keep what differs."]
        return RobotVariables(told, [*_coordinates(robot, near), *_height(robot, every)])
    return RobotVariables([], [*_widths(robot), *_height(robot, every)])


class _Follower(NamedTuple):
    """A coordinate of a list that is ``sign`` times a variable plus ``offset`` m."""

    path: str
    sign: float
    offset: float

    def at(self, value: float) -> float:
        """The variable's value at which the coordinate has a value."""
        return (value - self.offset) / self.sign


def _coordinates(robot: Robot, symmetry: RobotSymmetry) -> Iterator[_Variable]:
    """Variables for x and y of the cables that are no images; copies of a near symmetry are driven."""
    motions = symmetry.motions
    for name, points in (("pulleys", robot.pulleys), ("attachments", robot.attachments)):
        hall = (points.min(axis=0), points.max(axis=0)) if name == "pulleys" else None
        for cable in symmetry.independent:
            for axis in (0, 1):
                value, middle = float(points[cable, axis]), float(symmetry.centres[name][axis])
                if is_in_plane(value, middle, points, symmetry.tolerance):
                    continue
                room = SPREAD * abs(value - middle)
                lower, upper = value - room, value + room
                followers = list(_followers(name, points, motions[cable], axis))
                for each in followers if hall else ():
                    number = int(each.path.rsplit(".", 1)[1])
                    ends = sorted(each.at(float(side[number])) for side in hall or ())
                    lower, upper = max(lower, ends[0]), min(upper, ends[1])
                table: dict[str, Any] = {"lower": short(lower), "upper": short(upper)}
                if table["lower"] >= table["upper"]:
                    continue
                value = min(max(value, table["lower"]), table["upper"])  # the ends are rounded
                path = f"{name}.{cable}.{axis}"
                if symmetry.tolerance == NEARLY:
                    path = f"cable_{cable + 1}_{LISTS[name]}_{'xy'[axis]}"
                    table["drives"] = [_drive(each.path, each.sign, short(each.offset)) for each in followers]
                yield _Variable(path, value, table)


def _followers(
    name: str, points: FloatArray, motions: Sequence[tuple[int, FloatArray]], axis: int
) -> Iterator[_Follower]:
    """The coordinate of a cable along an axis, and those of its images that follow from it."""
    source = float(points[motions[0][0], axis])
    for copy, matrix in motions:
        for other in (0, 1):
            sign = float(matrix[other, axis])
            if sign:
                yield _Follower(f"{name}.{copy}.{other}", sign, float(points[copy, other]) - sign * source)


def _widths(robot: Robot) -> Iterator[_Variable]:
    """A variable for the width of the frame and one for that of the platform, seen from above."""
    for name, points, variable, most in (
        ("pulleys", robot.pulleys, "pulley_reach", 1.0),
        ("attachments", robot.attachments, "platform_radius", 1.0 + SPREAD),
    ):
        middle = (points.min(axis=0) + points.max(axis=0)) / 2 if name == "pulleys" else np.zeros(3)
        wide = float(np.hypot(*(points - middle)[:, :2].T).max())
        if wide < _LEAST_SIDE or (name == "attachments" and robot.is_point):
            continue
        drives = [
            _drive(f"{name}.{cable}.{axis}", factor, short(float(middle[axis])))
            for cable, point in enumerate((points - middle).tolist())
            for axis, value in enumerate(point[:2])
            if (factor := short(value / wide)) != 0
        ]
        told = "the pulley" if name == "pulleys" else "the attachment"
        table = {"lower": short((1 - SPREAD) * wide), "upper": short(most * wide), "drives": drives}
        yield _Variable(
            variable, short(wide), table, f"from the middle to {told} farthest out; the others follow"
        )


def _height(robot: Robot, cables: Sequence[int]) -> list[_Variable]:
    """A variable for the height of the upper pulleys; none where it would slide the robot alone.

    Lower pulleys stay. Pulleys at one height move only against a space that the file gives.
    """
    if robot.normal == Z:
        return []
    heights = robot.pulleys[:, 2]
    high, low = float(heights.max()), float(heights.min())
    told = "the highest pulley; the others follow"
    if is_level(robot.pulleys)[2]:
        if not robot.gives("space"):
            return []
        bottom, upper = high - SPREAD * float(np.ptp(robot.pulleys, axis=0).max()), list(cables)
    else:
        told = "the highest pulley; upper ones follow, lower ones stay"
        bottom = high - SPREAD * (high - low)
        upper = [cable for cable in cables if heights[cable] > (high + low) / 2]
    if not upper:
        return []
    drives = [_drive(f"pulleys.{cable}.2", 1.0, short(float(heights[cable]) - high)) for cable in upper]
    table = {"lower": short(bottom), "upper": short(high), "drives": drives}
    return [_Variable("pulley_height", short(high), table, told)]


def _drive(parameter: str, factor: float = 1.0, offset: float = 0.0) -> Any:
    """A parameter that a variable drives, as short as a file can say it."""
    stated = {
        name: value
        for name, value, usual in (("factor", factor, 1.0), ("offset", offset, 0.0))
        if value != usual
    }
    return {"parameter": parameter, **stated} if stated else parameter


CABLE_ROBOT = "hybrid-cable-robot"
_LEAST_HALF = 1e-3
"""The least half side of a platform, m."""
_LONGEST = 100
_UNITS = {
    "f_min": "N",
    "f_max": "N",
    "cable_diameter": "m",
    "axial_stiffness": "N",
    "platform_half_size": "m",
    "pulley_radius": "m, of the wheels over which the cables run",
    "pulley_axis": "directions along the swivel axes in which the cables reach their wheels",
    "length_min": "m",
    "length_max": "m",
    "max_cable_speed": "m/s",
    "winch_radius": "m",
    "freedoms": "motion pattern of the platform",
    "plane": "in which the platform moves, through the middle of the space",
    "check_interference": "the cables run in layers beside one another, so that they may cross",
    "space": "m, where the workspace is looked for: the file's limits",
    "rotation_limit": "rad, for other orientations than the nominal one",
}


def robots_of_files(
    files: Sequence[Path], folder: Path, imported: Sequence[ImportedRobot] = ()
) -> list[Robot]:
    """Robots as a study file writes them, each under the name of its layout.

    Parameters
    ----------
    files : sequence of Path
        Tables with a row for each cable.
    folder : Path
        Where the study file will stand; the tables stand there too, or below.
    imported : sequence of ImportedRobot
        Robots that files of other programs gave.

    Raises
    ------
    InputError
        With file, line and column of what cannot be read, and for two robots of one name.
    """
    model = load(CABLE_ROBOT)
    robots = [robot_of_table(model, file, folder) for file in files]
    robots += [robot_of_import(model, each) for each in imported]
    layouts = [robot.layout for robot in robots]
    if len(set(layouts)) < len(layouts):
        option = "from_csv" if files else "from_file"
        raise InputError(f"gives two layouts the same name: {', '.join(layouts)}", (option,))
    return robots


def study_of_robots(robots: Sequence[Robot], name: str, verdicts: Mapping[str, Sequence[str]]) -> str:
    """A study of a cable robot, or of several as layouts; ``verdicts`` are sentences on each layout."""
    model = load(CABLE_ROBOT)
    several = len(robots) > 1
    lines = [*head(model, name, several=several), *_opening(robots, verdicts)]
    shared = _shared_assumptions(robots)
    lines += _assumptions(shared)
    lines += [] if several else _geometry(robots[0])
    anywhere = [robot for robot in robots if not robot.gives("space")]
    lines += [_space(anywhere)] if anywhere else []
    unknown = [robot for robot in robots if not robot.gives("wrench_set")]
    if len(unknown) == len(robots):
        lines += _loads("")
    for robot in robots:
        if several:
            assumed = {path: value for path, value in robot.assumed.items() if path not in shared}
            own_loads = not robot.gives("wrench_set") and len(unknown) < len(robots)
            lines += _layout(robot, assumed, needs_loads=own_loads)
        lines += variables_of(robot).lines(f"layouts.{robot.layout}." if several else "")
    wanted = ("workspace_volume", "capacity_margin_mean")
    first = [] if several else [variables_of(robots[0]).initial]
    return "\n".join([*lines, "", *goals(model, wanted), "", *SEARCH, *first]) + "\n"


def _shared_assumptions(robots: Sequence[Robot]) -> dict[str, str]:
    """Assumptions that are the same for every robot."""
    first = robots[0].assumed
    return {
        path: value
        for path, value in first.items()
        if all(robot.assumed.get(path) == value for robot in robots)
    }


def _opening(robots: Sequence[Robot], verdicts: Mapping[str, Sequence[str]]) -> list[str]:
    """The reports of the robots, the symmetry of one, and the beginning of the parameters."""
    boxes = all(robot.gives("platform_half_size") or robot.is_point for robot in robots)
    return [
        *(line for robot in robots for line in _comments(robot.report.sentences)),
        *_verdict_lines(verdicts),
        *([] if len(robots) > 1 else symmetry_lines(robots[0])),
        "",
        "[parameters]  # fixed; what is not named here has the value of a published robot",
        "cells = 12  # of the grid of the workspace, along each side",
        'orientations = "nominal"  # the platform is not turned; other values ask for turned poses, too',
        *([] if boxes else ["check_platform = false  # no file gives the platform's box: cables may cut it"]),
    ]


def _verdict_lines(verdicts: Mapping[str, Sequence[str]]) -> list[str]:
    """The verdicts as comments, each with its layout where there are several."""
    several = len(verdicts) > 1
    told = [f"{layout}: {text}" if several else text for layout, own in verdicts.items() for text in own]
    return _comments(told)


def _layout(robot: Robot, assumed: Mapping[str, str], *, needs_loads: bool) -> list[str]:
    """A robot as one layout of several, with what is assumed of it alone."""
    return [
        "",
        f"[layouts.{robot.layout}]",
        *symmetry_lines(robot),
        variables_of(robot).initial,
        "",
        f"[layouts.{robot.layout}.parameters]  # {len(robot.pulleys)} cables",
        *_assumptions(assumed),
        *_geometry(robot),
        *(_loads(f"layouts.{robot.layout}.") if needs_loads else []),
    ]


def _assumptions(values: Mapping[str, str]) -> list[str]:
    return [f"{path} = {value}  # assumed, write yours" for path, value in values.items()]


_LOADS = (
    'center = ["0 N", "0 N", "-20 N", "0 N m", "0 N m", "0 N m"]',
    'half_range = ["1 N", "1 N", "2 N", "0 N m", "0 N m", "0 N m"]',
)
"""Loads that the cables of a robot of unknown mass must hold."""


def _loads(prefix: str) -> list[str]:
    title = f"[{prefix}parameters.wrench_set]  # what the cables must hold: assumed, write your loads"
    return ["", title, *_LOADS]


def _comments(sentences: Sequence[str]) -> list[str]:
    return [
        line
        for text in sentences
        for line in textwrap.wrap(text, _LONGEST, initial_indent="# ", subsequent_indent="#   ")
    ]


def _geometry(robot: Robot) -> list[str]:
    """The parameters of a robot, and what follows from its points."""
    half = np.maximum(np.abs(robot.attachments).max(axis=0), _LEAST_HALF)
    first = [path for path in (*LISTS, *STIFFNESSES) if path in robot.written]
    others = [path for path in robot.written if path not in first]
    lines = [f"{path} = {robot.written[path]}{_unit(path)}" for path in first]
    if "platform_half_size" not in robot.written and not robot.is_point:
        lines.append(
            f"platform_half_size = {toml_value(rounded(half))}  # m, as far as the attachments reach; drawn"
        )
    return [*lines, *(f"{path} = {robot.written[path]}{_unit(path)}" for path in others)]


def _space(robots: Sequence[Robot]) -> str:
    """A box around the pulleys of all robots, so that their workspaces are looked for in the same place."""
    normals = {robot.normal for robot in robots}
    normal = normals.pop() if len(normals) == 1 else None
    lower, upper = space_around(np.concatenate([robot.pulleys for robot in robots]), normal)
    return f"space = {toml_value([rounded(lower), rounded(upper)])}  # m, where the workspace is looked for"


def _unit(path: str) -> str:
    return f"  # {_UNITS[path]}" if path in _UNITS else ""
