"""The figures of Liu, Cai, Peng, Wang, Zhang and Wu (2022), drawn again, with both statements.

The paper draws the wound lengths, but prints no numbers of them, and its table 1 is lost in our text: drives
and material are those of the presets, which are assumed, and the second cable is slack at first. Figures 5
and 9 are photographs, figures 8 and 12 errors against measurements that are not printed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dashboards.content.backends.continuum_dynamics import (
    Simulation,
    shapes_drawing,
    simulated,
    tensions_drawing,
)
from dashboards.content.drawing import Drawing
from dashboards.formatting import number, quantity
from docs.paper_figure import PaperFigure
from models.continuum_dynamics import PRESETS, ContinuumDynamics
from models.continuum_dynamics.reference import PAID_OUT_FIRST, SECOND_CABLE
from models.continuum_dynamics.response import bend

ROBOTS: Mapping[str, Mapping[str, Any]] = {
    "one cable": PRESETS["one-cable"].settings,
    "two cables": {**PRESETS["two-cables"].settings, "drives": PAID_OUT_FIRST},
}


def motion(robot: str) -> Simulation:
    """The motion of one of :data:`ROBOTS`, in the paper's own formulation."""
    settings = {**ROBOTS[robot], "formulation": "corotational"}
    return simulated(ContinuumDynamics.model_validate(settings))


def azimuth(found: Simulation, time: float) -> float:
    """Direction [deg] in which the tip is from the axis of the straight robot, from cable 1 on."""
    place = int(np.searchsorted(found.motion.times, time))
    x, y, _ = found.motion.positions[place, -1]
    return math.degrees(math.atan2(y, x))


def tensions(figure: PaperFigure) -> Drawing:
    """Figures 6 and 10: wound lengths and tensions."""
    return tensions_drawing(motion(figure.robots[0]))


def shapes(figure: PaperFigure) -> Drawing:
    """Figures 7 and 11: shapes over time."""
    found = motion(figure.robots[0])
    drawn = shapes_drawing(found)
    words = _plane_words(found) if figure.number == 7 else _turn_words(found)
    return replace(drawn, caption=f"{drawn.caption} {words}")


def _plane_words(found: Simulation) -> str:
    greatest = max(bend(frames[-1]) for frames in found.motion.rotations)
    aside = float(np.abs(found.motion.positions[..., 1]).max())
    return (
        f"It bends by up to {number(math.degrees(greatest), 4)} degrees, and leaves the plane of cable 1 by "
        f"{quantity(aside, 'm', 2)} at most."
    )


def _turn_words(found: Simulation) -> str:
    before, after = (number(azimuth(found, time), 3) for time in SECOND_CABLE)
    return (
        f"The tip is in the direction {before} degrees from the axis when the second cable begins, at "
        f"{SECOND_CABLE[0]:g} s, and {after} degrees when it ends, at {SECOND_CABLE[1]:g} s."
    )


FIGURES = (
    PaperFigure(
        6, "tension and wound length of cable 1", ("one cable",),
        "the computed force follows the measured one within 0.237 N; the curves are only drawn.", tensions,
    ),
    PaperFigure(
        7, "shapes under one cable", ("one cable",),
        "computed and measured shapes are almost the same; the robot bends by up to 110 degrees (figure 5).",
        shapes,
    ),
    PaperFigure(
        10, "tensions and wound lengths of two cables", ("two cables",),
        "the computed forces follow the measured ones within 0.245 N (cable 1) and 0.194 N (cable 2); the "
        "curves are only drawn.", tensions,
    ),
    PaperFigure(
        11, "shapes under two cables", ("two cables",),
        "from 3 to 8 s, while the second cable is driven, the robot turns about its axis y, along which the "
        "backbone lies at rest.", shapes,
    ),
)  # fmt: skip
