"""Drawings of a multi-section robot for reports: workspace, dexterity, task poses, path, directions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dashboards.content.drawing import Drawing
from dashboards.figures.axes import Figure, axis, frame
from dashboards.figures.colour_scale import ValueScale
from dashboards.figures.meridian import filled_cells, meridian_map, meridian_outlines, meridian_points
from dashboards.figures.motion import MotionFrame, motion_figure
from dashboards.figures.scene import scene_figure
from dashboards.figures.three_views import MOST_POINTS, thinned, three_views_figure
from dashboards.figures.up_axis import CAMERA
from dashboards.formatting import counted, percent, quantity, scale_of, value_text
from dashboards.palette import style_of
from dashboards.templating import rounded
from models.arrays import FloatArray
from models.continuum_kinematics import (
    ContinuumKinematics,
    Dexterity,
    FollowedPath,
    Solution,
    TaskPose,
    dexterity,
    reachable_points,
    robot_of,
    solve_path,
    solve_task_points,
    solve_task_poses,
)
from models.continuum_kinematics.inverse import first_start
from models.continuum_kinematics.path_following import BETWEEN
from models.continuum_kinematics.robot import guides_meet
from models.continuum_kinematics.scene import robot_lines
from models.continuum_kinematics.shapes import backbones, cable_lines, guide_rings, pose_axes
from models.continuum_kinematics.tasks import base_rotation
from models.scene import Line, Points, Scene

TIPS = 100_000
"""Random states whose tips make an outline."""
MOST_CELLS, TRIED = 120, 32
"""Cells of the map of dexterity, and directions that are tried at the centre of each."""
MOST_POSES, MOST_TASK_POINTS, MOST_ROBOTS = 6, 2, 6
MOST_MOMENTS = 61
MOST_GUIDES = 10  # of a section, through which cables are drawn
_AXIS, _SPHERE = 0.08, 0.2  # length of an axis of a frame, and radius of a sphere, by the robot's length
_SHARE = "share of directions reached"


# ---------------------------------------------------------------- workspace


def workspace_drawing(parameters: ContinuumKinematics, state: FloatArray) -> Drawing:
    """Tips of random states from three sides, with the robot in one state."""
    tips = _tips(parameters, MOST_POINTS)
    figure = three_views_figure([Points("reachable points", tips)], _section_lines(parameters, state))
    caption = (
        f"The tip in {MOST_POINTS} random states within the limits of length and bend, and the robot "
        f"{_state_words(parameters)}. {_extent_words(_tips(parameters, TIPS))}"
    )
    return Drawing("Workspace from three sides", caption, figure, "wide")


def dexterity_drawing(parameters: ContinuumKinematics) -> Drawing:
    """The share of directions reached, over the half-plane of the robot's axis."""
    body, turn = robot_of(parameters), base_rotation(parameters)
    places = meridian_points(_tips(parameters, TIPS))
    edge = float(body.upper.sum()) / 40
    while len(filled_cells(places, edge)) > MOST_CELLS:
        edge *= 1.1
    centres = filled_cells(places, edge)
    points = np.column_stack([centres[:, 0], np.zeros(len(centres)), centres[:, 1]]) @ turn
    shares = np.array([dexterity(body, point, TRIED).share for point in points])
    best, scale = int(np.argmax(shares)), scale_of(centres[:, 0].tolist(), "m")
    caption = (
        f"At the centre of each cell the share of {TRIED} evenly spread directions in which the tool can be. "
        "The robot can do the same all around its axis. The greatest share is "
        f"{percent(float(shares[best]))}, {scale.show(float(centres[best, 0]), 3)} from the axis at "
        f"z = {scale.show(float(centres[best, 1]), 3)}."
    )
    figure = meridian_map(centres, shares, edge, ValueScale(_SHARE, 0.0, 1.0))
    return Drawing("Dexterity over the workspace", caption, figure, "tall")


def _tips(parameters: ContinuumKinematics, count: int) -> FloatArray:
    """Tips (count, 3) m of random states, world frame."""
    return reachable_points(robot_of(parameters), count) @ base_rotation(parameters)


def _extent_words(tips: FloatArray) -> str:
    places = meridian_points(tips)
    far, low, high = float(places[:, 0].max()), float(places[:, 1].min()), float(places[:, 1].max())
    scale = scale_of([far, low, high], "m")
    heights = f"from z = {scale.show(low, 3)} to {scale.show(high, 3)}"
    return f"The tip comes up to {scale.show(far, 3)} from the axis, and {heights}."


# ---------------------------------------------------------------- target poses


def poses_drawing(parameters: ContinuumKinematics, solutions: Sequence[Solution]) -> Drawing:
    """The robot at its task poses, whose frames are drawn; the first one with guides and cables."""
    shown = solutions[:MOST_POSES]
    lines = [*robot_lines(parameters, shown[0].sections)]
    for number, found in enumerate(shown[1:], 2):
        lines += _section_lines(parameters, found.sections, f" at task pose {number}")
    frames = _frame_lines(parameters, parameters.task_poses[:MOST_POSES], "task pose")
    figure = _in_space(*lines, *frames)
    return Drawing("The robot at its task poses", _poses_words(solutions), figure, "space")


def _poses_words(solutions: Sequence[Solution]) -> str:
    met = sum(found.converged for found in solutions)
    text = f"{met} of {counted(len(solutions), 'task pose')} {'is' if met == 1 else 'are'} met."
    missed = [
        f"Task pose {number} is missed by {quantity(found.position_error, 'm', 3)} and "
        f"{quantity(found.orientation_error, 'rad', 3)}: {found.reason}."
        for number, found in enumerate(solutions, 1)
        if not found.converged
    ]
    more = f" The first {MOST_POSES} are shown." if len(solutions) > MOST_POSES else ""
    return " ".join([text + more, *missed[:MOST_POSES]])


# ---------------------------------------------------------------- path


def motion_drawing(parameters: ContinuumKinematics, way: FollowedPath) -> Drawing:
    """The way through the poses of the path, moment by moment."""
    turn = base_rotation(parameters)
    moments = [
        MotionFrame(_moment_words(int(place)), _moving_lines(parameters, way.states[place]))
        for place in thinned(way.states, MOST_MOMENTS)
    ]
    frames = _frame_lines(parameters, parameters.path[:MOST_POSES], "pose")
    figure = motion_figure(moments, way.tips @ turn, name="on the path", still=frames)
    how = "Press Play, or move the slider with the mouse or the arrow keys."
    caption = f"The path has {counted(len(way.wanted), 'pose')}. {_missed_words(way)} {how}"
    return Drawing("The motion along the path", caption, figure, "motion")


def path_drawing(parameters: ContinuumKinematics, way: FollowedPath) -> Drawing:
    """The way of the tip beside the lines that are wanted, enlarged."""
    turn = base_rotation(parameters)
    wanted, tips = way.wanted @ turn, way.tips @ turn
    lines = [Line("wanted path", wanted), Line("path of the tip", tips)]
    figure = three_views_figure([Points("poses of the path", wanted)], lines, ["wanted path"])
    caption = (
        f"{_missed_words(way)} Between them, lengths and bends of the sections change evenly, and the tip "
        f"leaves the straight lines by at most {quantity(way.path_error, 'm', 3)}."
    )
    return Drawing("The path of the tip, enlarged", caption, figure, "wide")


def deviation_drawing(way: FollowedPath) -> Drawing:
    """Distance of the tip from the wanted lines, along the path."""
    distances = line_distances(way.tips, way.wanted)
    scale = scale_of(distances.tolist(), "m")
    trace = {
        "type": "scatter", "mode": "lines", "x": rounded((np.arange(len(distances)) / BETWEEN + 1).tolist()),
        "y": rounded((scale.factor * distances).tolist(), 4), "line": {"color": style_of(0).colour},
        "hovertemplate": f"pose %{{x:.2f}}: %{{y:.3g}} {scale.unit}<extra></extra>",
    }  # fmt: skip
    axes = {
        "xaxis": axis("pose of the path", dtick=max(1, len(way.wanted) // 10)),
        "yaxis": axis(f"distance from the path [{scale.unit}]", rangemode="tozero"),
    }
    caption = (
        "Distance of the tip from the straight line between the pose before and the pose after. The greatest "
        f"length that a motor winds between two poses is {quantity(float(way.cable_steps.max()), 'm', 3)}."
    )
    figure = {"data": [trace], "layout": frame(**axes, showlegend=False)}
    return Drawing("Deviation from the path", caption, figure, "tall")


def line_distances(tips: FloatArray, wanted: FloatArray) -> FloatArray:
    """Distances (n,) m of tips (n, 3) from the line of the path (m, 3) that each is to be on."""
    lines = np.minimum(np.arange(len(tips)) // BETWEEN, len(wanted) - 2)
    ways = wanted[lines + 1] - wanted[lines]
    squares = np.maximum((ways**2).sum(axis=1), np.finfo(float).tiny)
    shares = np.clip(((tips - wanted[lines]) * ways).sum(axis=1) / squares, 0.0, 1.0)
    return np.linalg.norm(tips - wanted[lines] - shares[:, None] * ways, axis=1)


def _missed_words(way: FollowedPath) -> str:
    missed = way.missed
    if len(missed) in (0, len(way.wanted)):
        return "None of its poses is met." if missed else "All of its poses are met."
    return f"{len(missed)} of its poses {'is' if len(missed) == 1 else 'are'} missed."


def _moment_words(place: int) -> str:
    number, rest = divmod(place, BETWEEN)
    between = f"from pose {number + 1} to {number + 2}, {percent(rest / BETWEEN)}"
    return between if rest else f"pose {number + 1}"


def _moving_lines(parameters: ContinuumKinematics, state: FloatArray) -> tuple[Line, ...]:
    """Sections, cables and the last guide of each section: all guides of all moments would be too many."""
    rings = enumerate(guide_rings(parameters, state, 1))
    cables = enumerate(cable_lines(parameters, state, MOST_GUIDES), 1)
    return (
        *_section_lines(parameters, state),
        *(Line(f"guide {number}", ring, "guides") for number, ring in rings),
        *(Line(f"cable {number}", line, "cables") for number, line in cables),
    )


# ---------------------------------------------------------------- directions


def directions_drawing(parameters: ContinuumKinematics, point: FloatArray, found: Dexterity) -> Drawing:
    """Robots that reach a point from directions far apart, and all directions as dots around the point."""
    turn, body = base_rotation(parameters), robot_of(parameters)
    tangents = found.directions @ turn
    chosen = far_apart(tangents, np.flatnonzero(found.reached), MOST_ROBOTS)
    robots = [
        Line(f"direction {number}", _whole(parameters, found.sections[place]), f"direction {number}")
        for number, place in enumerate(chosen, 1)
    ]
    dots = point - _SPHERE * float(body.upper.sum()) * tangents  # where the tip comes from
    clouds = [Points("reached", dots[found.reached]), Points("not reached", dots[~found.reached])]
    figure = _in_space(*robots, *(cloud for cloud in clouds if len(cloud.points)))
    for trace in figure["data"][len(robots) :]:
        trace["marker"] |= {"size": 2, "opacity": 0.8}  # both alike, however many they are
    count = f"{int(found.reached.sum())} of {counted(len(found.reached), 'direction')}"
    some = f" {counted(len(chosen), 'robot')} with directions far apart are drawn." if len(chosen) > 1 else ""
    caption = (
        f"The tool can be at {_place(point)} in {count} ({percent(found.share)}).{some} "
        "Each dot around the point shows from where the tip would come."
    )
    return Drawing(f"Directions at {_place(point)}", caption, figure, "space")


def far_apart(directions: FloatArray, among: Iterable[int], most: int) -> list[int]:
    """At most ``most`` of the given directions (n, 3), each as far as possible from those before it."""
    left = list(among)
    chosen = left[:1]
    while left and len(chosen) < min(most, len(left)):
        nearest = (directions[left] @ directions[chosen].T).max(axis=1)
        chosen.append(left[int(np.argmin(nearest))])
    return chosen


def _place(point: FloatArray) -> str:
    return value_text(point.tolist(), "m")


# ---------------------------------------------------------------- lines


def _section_lines(parameters: ContinuumKinematics, state: FloatArray, where: str = "") -> list[Line]:
    return [
        Line(f"section {number}{where}", points, f"section {number}")
        for number, points in enumerate(backbones(parameters, state), 1)
    ]


def _in_space(*shapes: Line | Points) -> Figure:
    """A picture that looks at its middle: robots of other back-ends stand on a wide frame."""
    figure = scene_figure(Scene(shapes))
    scene = figure["layout"]["scene"] | {"camera": CAMERA}
    return figure | {"layout": figure["layout"] | {"scene": scene}}


def _whole(parameters: ContinuumKinematics, state: FloatArray) -> FloatArray:
    """The whole backbone of a state as one line."""
    first, *others = backbones(parameters, state)
    return np.concatenate([first, *(part[1:] for part in others)])


def _frame_lines(parameters: ContinuumKinematics, poses: Sequence[TaskPose], name: str) -> list[Line]:
    size = _AXIS * float(robot_of(parameters).upper.sum())
    return [
        Line(f"{name} {number} {letter}", points, "target frames")
        for number, pose in enumerate(poses, 1)
        for letter, points in zip("xyz", pose_axes(parameters, pose, size), strict=True)
    ]


def _state_words(parameters: ContinuumKinematics) -> str:
    return "at its first task pose" if parameters.task_poses else "with each section bent by half its limit"


# ---------------------------------------------------------------- all


def design_drawings(parameters: ContinuumKinematics) -> Sequence[Drawing]:
    """Drawings of one design for its report; none where guides would meet."""
    body = robot_of(parameters)
    if guides_meet(body):
        return ()
    solutions, way = solve_task_poses(parameters), solve_path(parameters)
    state = solutions[0].sections if solutions else first_start(body)
    moving = [way] if way is not None and len(way.wanted) > 1 else []
    drawings = [workspace_drawing(parameters, state), dexterity_drawing(parameters)]
    drawings += [deviation_drawing(each) for each in moving]  # narrow, beside the one before
    drawings += [poses_drawing(parameters, solutions)] if solutions else []
    drawings += [each(parameters, taken) for taken in moving for each in (motion_drawing, path_drawing)]
    points = np.array(parameters.task_points[:MOST_TASK_POINTS]).reshape(-1, 3)
    found = solve_task_points(parameters, MOST_TASK_POINTS)
    return [
        *drawings,
        *(directions_drawing(parameters, *each) for each in zip(points, found, strict=True)),
    ]


def designs_drawings(named: Mapping[str, ContinuumKinematics]) -> Sequence[Drawing]:
    """Drawings of several designs at once: the outlines of their workspaces."""
    tips = {name: _tips(each, TIPS) for name, each in named.items() if not guides_meet(robot_of(each))}
    if not tips:
        return ()
    words = [f"{name}: {_extent_words(each)}" for name, each in tips.items()]
    caption = (
        f"Outlines of the workspaces from one side of the axis, from {TIPS} random states each; they are the "
        f"same all around it. {' '.join(words)}"
    )
    figure = meridian_outlines({name: meridian_points(each) for name, each in tips.items()})
    return [Drawing("Workspaces compared", caption, figure, "tall")]
