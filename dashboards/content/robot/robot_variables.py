"""Variables of a cable robot in its study file: coordinates that no symmetry fixes, heights and widths.

Pulleys stay inside the hall, the box of all pulleys as they are: a range that leaves it asks for another
hall. The space of the workspace stays too, so that no variable gains by sliding a robot through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dashboards.content.robot.cable_robot_files import LISTS, Robot
from dashboards.content.robot.new_study import SPREAD, short
from dashboards.content.robot.robot_symmetry import NEARLY, RobotSymmetry, is_in_plane
from dashboards.content.robot.study_file import toml_value
from models.arrays import FloatArray
from studies.exchange.freedoms import THICKNESS

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
