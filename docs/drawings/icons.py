"""Small drawings without labels for the page that chooses a model."""

from __future__ import annotations

import numpy as np

from docs.drawings import arm, cable_robot, dynamics, kinematics, statics
from docs.drawings.canvas import FloatArray, Picture, draw_scene, fitted, scene_points, seen_from
from models.continuum_dynamics.scene import robot_lines as robot_lines_of
from models.continuum_statics import ContinuumStatics, equilibrium
from models.continuum_statics.scene import backbone, robot_lines
from models.hybrid_cable_robot import MODEL as CABLE_ROBOT
from models.hybrid_cable_robot.scene import outline
from models.scene import Line, Scene

SIDE = 130.0


def _small(title: str, columns: FloatArray, scene: Scene, look: dict[str, str]) -> str:
    picture = Picture(SIDE, SIDE, title)
    shapes = tuple(shape for shape in scene.shapes if shape.name != "workspace")
    view = fitted(columns, scene_points(Scene(shapes)), (8, 8, SIDE - 8, SIDE - 8))
    draw_scene(picture, view, Scene(shapes), look, 1.2)
    return picture.svg()


def cables() -> str:
    """The constrained preset."""
    scene = outline(CABLE_ROBOT.resolve("constrained", {}))
    return _small("A platform on cables", seen_from(-62, 18), scene, cable_robot.LOOK)


def bent() -> str:
    """Shapes of a rod under rising tension."""
    parameters = ContinuumStatics(tip_mass=0.03, density=0.0)
    lines = []
    for tension in (1.0, 3.0, 6.0, 10.0):
        q = equilibrium(parameters, [tension, 0.0, 0.0]).q
        lines += (
            robot_lines(parameters, q)
            if tension > 9.0
            else [Line("before", backbone(parameters, q), "before")]
        )
    look = {**statics.LOOK, "before": "other"}
    return _small("A rod that cables bend", seen_from(-90, 0, "y"), Scene(tuple(lines)), look)


def sections() -> str:
    """Sections of constant curvature."""
    return _small("Sections that bend in arcs", seen_from(-60, 16), kinematics.shapes()[1], kinematics.LOOK)


def moving() -> str:
    """Instants of a motion after a fast drive."""
    parameters, found = dynamics.motion()
    lines = []
    for time in (0.05, 0.15, 0.25, 0.35):
        place = int(np.searchsorted(found.times, time))
        drawn = robot_lines_of(parameters, found.positions[place], found.rotations[place])
        lines += [line for line in drawn if time > 0.3 or line.name == "backbone"]
    return _small("A rod that motors move", seen_from(90, 0, "-z"), Scene(tuple(lines)), dynamics.LOOK)


def falling() -> str:
    """An arm that falls."""
    return _small("Elastic links that fall", np.array([[1.0, 0], [0, -1.0], [0, 0]]), arm.fall(), arm.LOOK)


DRAWINGS = {
    "hybrid-cable-robot": cables, "continuum-statics": bent, "continuum-kinematics": sections,
    "continuum-dynamics": moving, "flexible-arm": falling,
}  # fmt: skip
