"""A commented study file of the user's own cable robots: from CSV tables, or from files of other programs.

Several robots become layouts of one study. What nobody knows but the user, such as loads and tensions, is
written with the remark that it is assumed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from dashboards.content.robot.cable_robot_files import (
    LISTS,
    STIFFNESSES,
    Robot,
    robot_of_import,
    robot_of_table,
)
from dashboards.content.robot.new_study import SEARCH, goals, head
from dashboards.content.robot.robot_variables import rounded, space_around, symmetry_lines, variables_of
from dashboards.content.robot.study_file import toml_value
from errors import InputError
from models import load
from studies.exchange.imported_robot import ImportedRobot

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
