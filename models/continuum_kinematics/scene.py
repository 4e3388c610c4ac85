"""The 3D view of a design: the robot at its tasks, and where its tip can be."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.dexterity import dexterity
from models.continuum_kinematics.inverse import first_start
from models.continuum_kinematics.parameters import ContinuumKinematics
from models.continuum_kinematics.path_following import FollowedPath
from models.continuum_kinematics.reachable_volume import reachable_points
from models.continuum_kinematics.robot import guides_meet, robot_of
from models.continuum_kinematics.shapes import backbones, cable_lines, guide_rings, pose_axes
from models.continuum_kinematics.tasks import base_rotation, solve_path, solve_task_points, solve_task_poses
from models.scene import Line, Points, Scene

CLOUD = 3000  # tips that show the workspace
MOST_GUIDES = 20  # of a section
COLOURED, TRIED = 120, 30  # tips whose dexterity is shown, and the directions that are tried at each
MOST_SHOWN = 6  # robots at a point, or along the path
AXIS = 0.08  # length of an axis of a frame by that of the robot


def scene(parameters: ContinuumKinematics) -> Scene:
    """The robot at its task poses, along its path and at its task points, and the points that it reaches."""
    if text := guides_meet(robot_of(parameters)):
        return Scene(outline(parameters).shapes, f"The robot is shown straight: {text}.")
    solutions, way = solve_task_poses(parameters), solve_path(parameters)
    found = [*solutions, *(way.solutions if way else ())]
    state = found[0].sections if found else first_start(robot_of(parameters))
    shapes = (
        *robot_lines(parameters, state),
        *_frame_lines(parameters),
        *[
            each
            for one in solutions[1 : MOST_SHOWN + 1]
            for each in _thin(parameters, one.sections, "other task poses")
        ],
        *(_path_lines(parameters, way) if way else ()),
        *_direction_lines(parameters),
        *_clouds(parameters),
    )
    return Scene(shapes, _caption(parameters, [one.converged for one in solutions], way))


def outline(parameters: ContinuumKinematics) -> Scene:
    """The robot, straight, each section halfway between its least and its greatest length."""
    state = first_start(robot_of(parameters)) * [1.0, 0.0, 0.0]
    caption = "The robot is shown straight, each section halfway between its least and its greatest length."
    return Scene(robot_lines(parameters, state), caption)


def robot_lines(parameters: ContinuumKinematics, sections: FloatArray) -> tuple[Line, ...]:
    """Sections, each in a group of its own, guides and cables of a state (k, 3) of s [m], u and v [rad]."""
    own = enumerate(backbones(parameters, sections), 1)
    rings = enumerate(guide_rings(parameters, sections, MOST_GUIDES))
    cables = enumerate(cable_lines(parameters, sections, MOST_GUIDES))
    return (
        *(Line(f"section {number}", points, f"section {number}") for number, points in own),
        *(Line(f"guide {number}", points, "guides") for number, points in rings),
        *(Line(f"cable {n % 3 + 1} of section {n // 3 + 1}", points, "cables") for n, points in cables),
    )


def _thin(parameters: ContinuumKinematics, sections: FloatArray, group: str) -> list[Line]:
    """The whole backbone of a state as one line."""
    parts = backbones(parameters, sections)
    return [Line(group, np.concatenate([parts[0], *(part[1:] for part in parts[1:])]), group)]


def _frame_lines(parameters: ContinuumKinematics) -> list[Line]:
    size = AXIS * float(robot_of(parameters).upper.sum())
    return [
        Line(f"task pose {number} {axis}", points, "target frames")
        for number, pose in enumerate(parameters.task_poses[: MOST_SHOWN + 1], 1)
        for axis, points in zip("xyz", pose_axes(parameters, pose, size), strict=True)
    ]


def _path_lines(parameters: ContinuumKinematics, way: FollowedPath) -> list[Line]:
    turn = base_rotation(parameters)
    shown = np.linspace(0, len(way.states) - 1, min(MOST_SHOWN, len(way.states))).round().astype(int)
    robots = [line for place in shown for line in _thin(parameters, way.states[place], "along the path")]
    if len(way.wanted) < 2:
        return robots
    return [
        Line("wanted path", way.wanted @ turn, "wanted path"),
        Line("path of the tip", way.tips @ turn, "path of the tip"),
        *robots,
    ]


def _direction_lines(parameters: ContinuumKinematics) -> list[Line]:
    """A few robots that reach each task point from directions far apart."""
    lines: list[Line] = []
    for number, found in enumerate(solve_task_points(parameters, MOST_SHOWN), 1):
        reached = np.flatnonzero(found.reached)
        chosen = reached[np.linspace(0, len(reached) - 1, min(MOST_SHOWN, len(reached))).round().astype(int)]
        lines += [
            Line(f"at task point {number}", line.points, "at task points")
            for place in chosen
            for line in _thin(parameters, found.sections[place], "at task points")
        ]
    return lines


def _clouds(parameters: ContinuumKinematics) -> list[Points]:
    """Tips of random states, and at some of them the share of directions in which the tool can be.

    Those with y >= 0 alone: the workspace is the same all around, and the others would hide the robot.
    """
    body, turn = robot_of(parameters), base_rotation(parameters)
    tips = reachable_points(body, CLOUD)
    tips = tips[(tips @ turn)[:, 1] >= 0.0]
    shares = np.array([dexterity(body, tip, TRIED).share for tip in tips[:COLOURED]])
    ends = np.array([0.0, 1.0])
    return [
        Points("reachable points", tips @ turn),
        Points("dexterity", tips[:COLOURED] @ turn, None, shares, "share of directions reached", ends, False),
    ]


def _caption(parameters: ContinuumKinematics, met: list[bool], way: FollowedPath | None) -> str:
    texts = [f"Sections of {_range(parameters)}."]
    if met:
        near = "at" if met[0] else "nearest to"
        texts.append(f"{sum(met)} of {len(met)} task poses are met; the robot is shown {near} the first.")
    if way:
        missed = len(way.missed)
        how = "all are met" if not missed else f"{missed} are missed"
        shown = "" if met else " The robot is shown at the first."
        texts.append(f"The path has {len(way.wanted)} poses: {how}.{shown}")
    if parameters.task_points:
        texts.append("Thin robots reach the task points from different directions.")
    texts.append("Of the points that the tip reaches, those with y of 0 or more are shown.")
    return " ".join(texts)


def _range(parameters: ContinuumKinematics) -> str:
    lows, highs = zip(*parameters.lengths, strict=True)
    low, high = min(lows), max(highs)
    return f"{low:.4g} m" if low == high else f"{low:.4g} m to {high:.4g} m"
