"""The workspaces of the paper on multi-section robots, drawn again, with both statements.

The paper shows each workspace from three sides and prints no limits: ours have those of the preset
``extensible``.
"""

from __future__ import annotations

from dataclasses import replace

from dashboards.content.backends.continuum_kinematics import workspace_drawing
from dashboards.content.drawing import Drawing
from docs.paper_figure import PaperFigure
from models.continuum_kinematics import ContinuumKinematics, robot_of
from models.continuum_kinematics.inverse import first_start

SECTIONS = {"one section": 1, "three sections": 3}


def record(sections: int) -> ContinuumKinematics:
    """Sections of 6 to 8 cm that bend by up to 135 degrees, without tasks; standing, as in equation 8."""
    return ContinuumKinematics(sections=sections, mounting="standing", task_points=(), task_poses=(), path=())


def workspace(figure: PaperFigure) -> Drawing:
    """Tips of random states from three sides."""
    parameters = record(SECTIONS[figure.robots[0]])
    return replace(workspace_drawing(parameters, first_start(robot_of(parameters))), title="")


FIGURES = (
    PaperFigure(
        5, "workspace of one section", ("one section",),
        "tips of one section as green points and its backbone in blue; limits of length and bend are not "
        "printed.", workspace, last=7,
    ),
    PaperFigure(
        10, "workspace of three sections", ("three sections",),
        "it is huge, and more sections make it larger still.", workspace, last=12,
    ),
)  # fmt: skip
