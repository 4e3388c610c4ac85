"""The figures of Hashemi-Pour Moosavi and Ehsani-Seresht (2021), drawn again, with both statements.

Statements of the paper are in our words; its curves exist only as pictures, so figures are
compared by what they are said to show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from dashboards.content.backends.continuum import (
    configurations,
    curve_of,
    events_text,
    robot_curve,
    shapes_figure,
    workspaces_drawing,
)
from dashboards.content.drawing import Drawing
from dashboards.figures.stability import eigenvalue_figure
from dashboards.formatting import number, quantity
from docs.paper_figure import PaperFigure
from models.continuum_statics import (
    PRESETS,
    ContinuumStatics,
    Path,
    equilibrium,
    equilibrium_path,
    stable_path,
)

FIRST_TENSION = 1.0
"""Tension at which the paper's figures begin [N]."""
HUNDRED_GRAMS = 0.981
"""The weight of the weights that pull the cables in the experiments [N]."""

ROBOTS: Mapping[str, Mapping[str, Any]] = {
    "no payload": {},
    "30 g": {"tip_mass": 0.030},
    "50 g": {"tip_mass": 0.050},
    "50 g, hanging": {"tip_mass": 0.050, "gravity": "down"},
    "50 g, area + 25 %": {
        "tip_mass": 0.050,
        "backbone_diameter": 0.0015 * math.sqrt(1.25),
        "max_tension": 40.0,
    },
}


def record(robot: str, preset: str = "rod-1.5mm", **settings: Any) -> ContinuumStatics:
    """One of :data:`ROBOTS`, with other settings besides; its sections include the rod, which may yield."""
    paper = {"density": 0.0, "enforce_material_limits": False}
    return ContinuumStatics.model_validate({**PRESETS[preset].settings, **paper, **ROBOTS[robot], **settings})


@cache
def paths(robot: str, *, planar: bool = False) -> tuple[Path, Path]:
    """The path that is followed, and the one that a robot takes."""
    parameters = record(robot, planar=planar)
    return equilibrium_path(parameters), stable_path(parameters)


def shapes(figure: PaperFigure) -> Drawing:
    """Configurations of figures 8, 10, 12, 15 and 17."""
    parameters = record(figure.robots[0])
    drawn = configurations(parameters, paths(figure.robots[0])[1], FIRST_TENSION)
    return replace(drawn, caption=events_text(paths(figure.robots[0])[0]) + _in_the_plane(figure.robots[0]))


def eigenvalues(figure: PaperFigure) -> Drawing:
    """Smallest eigenvalues of figures 9, 11 and 13."""
    robot = figure.robots[0]
    path, taken = paths(robot)
    curves = [curve_of("in space", path)]
    if path.events:
        curves.append(robot_curve(taken, "in space, as a robot moves"))
        curves.append(curve_of("held in the plane", paths(robot, planar=True)[0]))
    drawn = eigenvalue_figure(curves)
    kind = "tall" if "yaxis2" in drawn["layout"] else "flat"
    return Drawing("", events_text(path) + _in_the_plane(robot), drawn, kind)


def _in_the_plane(robot: str) -> str:
    """Events of a robot that cannot leave the plane, where they are others."""
    if not paths(robot)[0].events:
        return ""
    planar = paths(robot, planar=True)[0]
    if planar.events:
        return f" Held in the plane: {events_text(planar)}"
    return f" Held in the plane: {events_text(planar)} {_quickest(planar)}"


def _quickest(path: Path) -> str:
    """The tension at which the tip moves fastest, in a sentence."""
    window = 0.1
    tensions = np.arange(path.tensions[0], path.tensions[-1] - window, window / 10)
    ends = [
        np.column_stack([np.interp(tensions + shift, path.tensions, path.tips[:, i]) for i in range(3)])
        for shift in (0.0, window)
    ]
    ways = np.linalg.norm(ends[1] - ends[0], axis=1)
    place = int(np.argmax(ways))
    return (
        f"The tip moves {quantity(float(ways[place]), 'm', 2)} while tension rises by {number(window)} N "
        f"from {number(float(tensions[place]), 3)} N on."
    )


def workspaces(figure: PaperFigure) -> Drawing:
    """Workspaces of figures 14, 16 and 18."""
    drawn = workspaces_drawing({robot: record(robot) for robot in figure.robots})
    holes = [_hole(robot) for robot in figure.robots]
    return replace(drawn, caption=" ".join([drawn.caption, *filter(None, holes)]))


def _hole(robot: str) -> str:
    """A sentence on the hole between the surfaces where the robot leaves its plane; else empty."""
    path, taken = paths(robot)
    if not path.events:
        return ""
    ends = " and ".join(f"{number(event.tension)} N" for event in (path.events[0], path.events[-1]))
    width = quantity(2 * float(np.abs(taken.tips[:, 0]).max()), "m", 2)
    return (
        f"Pulled by cable 1 alone, the robot with {robot} leaves its plane between {ends}, to either side: "
        f"its surface has a hole there, up to {width} wide."
    )


@dataclass(frozen=True, slots=True)
class Experiment:
    """Loads of section 4.2 as tensions of the three cables [N]."""

    name: str
    tensions: tuple[tuple[float, float, float], ...]


IN_THE_PLANE = Experiment("cable 1 from 0 to 600 g", tuple((HUNDRED_GRAMS * i, 0.0, 0.0) for i in range(7)))
OUT_OF_THE_PLANE = Experiment(
    "cable 1 at 600 g, cable 2 from 0 to 600 g",
    tuple((6 * HUNDRED_GRAMS, HUNDRED_GRAMS * i, 0.0) for i in range(7)),
)


def experiments(figure: PaperFigure) -> Drawing:
    """Shapes under the loads of figures 6 and 7."""
    experiment = IN_THE_PLANE if figure.number == 6 else OUT_OF_THE_PLANE
    parameters = record("no payload")
    pulled_text = 0 if figure.number == 6 else 1
    loads = [(load[pulled_text], equilibrium(parameters, np.array(load))) for load in experiment.tensions]
    tip = loads[-1][1].tip
    caption = (
        f"The same loads ({experiment.name}); the measured positions are printed as pictures only. "
        f"Under the last load the tip is at {place(tip)}, and the smallest eigenvalue "
        f"{number(min(float(found.lambda_min) for _, found in loads), 3)} N·m at least."
    )
    figure_ = shapes_figure(parameters, [(tension, found.q, bool(found.stable)) for tension, found in loads])
    return Drawing("", caption, figure_, "tall" if "yaxis2" in figure_["layout"] else "flat")


def place(point: Sequence[float] | np.ndarray) -> str:
    """A point (3,) m in words."""
    return "(" + ", ".join(number(round(float(x), 6), 3) for x in point) + ") m"


FIGURES = (
    PaperFigure(
        6, "loads in the plane", ("no payload",),
        "the shapes of the model and of the experiment differ by at most 1.8 % of the length.", experiments,
    ),
    PaperFigure(
        7, "loads out of the plane", ("no payload",),
        "they differ by at most 7.11 % of the length, at disk 5 with 500 g on cable 2.", experiments,
    ),
    PaperFigure(
        8, "shapes with 30 g", ("30 g",),
        "the robot does not jump at any tension; its shape changes steadily from 1 N to 20 N.", shapes,
    ),
    PaperFigure(
        9, "smallest eigenvalue with 30 g", ("30 g",), "it stays above zero, so the robot is always stable.",
        eigenvalues,
    ),
    PaperFigure(
        10, "shapes with 50 g", ("50 g",),
        "the shape changes little by little up to 9.2 N, where the robot is at the edge of its stable range "
        "and jumps.", shapes,
    ),
    PaperFigure(
        11, "smallest eigenvalue with 50 g", ("50 g",),
        "it falls to zero while the load rises; this is the snap-through.", eigenvalues,
    ),
    PaperFigure(
        12, "shapes without a payload", ("no payload",), "the robot does not jump from 1 N to 20 N.", shapes,
    ),
    PaperFigure(
        13, "smallest eigenvalue without a payload", ("no payload",),
        "the robot does not come near the edge of stability.", eigenvalues,
    ),
    PaperFigure(
        14, "workspaces without a payload and with 50 g", ("no payload", "50 g"),
        "without a payload the workspace is whole; with 50 g a part is missing, lost to snap-through.",
        workspaces,
    ),
    PaperFigure(
        15, "shapes with 50 g, hanging", ("50 g, hanging",),
        "upright the robot does not jump where the horizontal one does (which end is up is not said; ours "
        "hangs).", shapes,
    ),
    PaperFigure(
        16, "workspaces of the horizontal and the hanging robot with 50 g", ("50 g", "50 g, hanging"),
        "the vertical robot is more stable, but fewer points may be within its reach.", workspaces,
    ),
    PaperFigure(
        17, "shapes with 50 g on a rod of 25 % more area", ("50 g, area + 25 %",),
        "nothing jumps up to 40 N; the greatest tension was doubled to reach as far.", shapes,
    ),
    PaperFigure(
        18, "workspaces with 50 g on both rods", ("50 g", "50 g, area + 25 %"),
        "the thicker rod is much more stable and takes more tension to bend.", workspaces,
    ),
)  # fmt: skip
