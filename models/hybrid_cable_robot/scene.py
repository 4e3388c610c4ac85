"""Scene of a design in 3D, still or as its winches move it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.posture import arm_lines, drawn_angles
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.cable_sag import cable_sag, cable_weights
from models.hybrid_cable_robot.cables.geometry import cable_vectors, straight_vectors
from models.hybrid_cable_robot.cables.pulleys import wheel_arcs, wheel_circles
from models.hybrid_cable_robot.freedoms import PLANAR, orientation_count
from models.hybrid_cable_robot.motion.following import moving_robot
from models.hybrid_cable_robot.motion.winches import WinchMotion, follow_winches
from models.hybrid_cable_robot.obstacles.pictures import arm_solid, platform_solid, surrounding_solids
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of, tension_limits
from models.hybrid_cable_robot.tensions.distribution import held_tensions
from models.hybrid_cable_robot.trajectory import WinchLengths
from models.hybrid_cable_robot.trajectory_sampling import sample_of
from models.hybrid_cable_robot.workspace_grid.workspace import Workspace, workspace
from models.hybrid_cable_robot.wrench_sets import path_fault
from models.scene import AT_LIMIT, TENSION, Box, Line, Moment, Points, Scene, Surface, pulled

MOMENTS = 121  # of a motion
_CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))  # of the platform, in half sizes
_EDGES = (
    0,
    1,
    3,
    2,
    0,
    4,
    5,
    1,
    5,
    7,
    3,
    7,
    6,
    2,
    6,
    4,
)  # corners along a line through each edge of a box

WRENCH_WORDS = {
    "gravity": "the weight alone{moment}",
    "box": "the weight{moment} with sideways forces and torques",
    "paper-extreme": "the paper's extreme reaction of the arm",
    "trajectory": "the box around weight and inertia along the trajectory",
}
ORIENTATION_WORDS = {
    "nominal": "the nominal orientation",
    "corners": "{count} sampled orientations, the nominal one and the corners of +-{limit} deg",
    "certified": "every orientation within +-{limit} deg, by proof",
    "grid27": "{count} sampled orientations within +-{limit} deg",
}


def scene(parameters: HybridCableRobot, angles: FloatArray | None = None) -> Scene:
    """The robot at a feasible pose near the middle of its workspace, and the workspace's cells.

    ``angles`` (6,) rad are those of the arm's joints in the picture, instead of those of the design. With
    a table of ``winch_lengths`` and the design's own angles, the robot moves as its winches say.
    """
    still = _still_scene(parameters, angles)
    if not isinstance(parameters.winch_lengths, WinchLengths) or angles is not None:
        return still
    try:
        moving = motion_scene(parameters)
    except InputError as error:
        return replace(still, caption=f"{still.caption} There is no motion by the winches: {error}.")
    cells = [shape for shape in still.shapes if isinstance(shape, Points) and shape.cell_size is not None]
    return replace(moving, shapes=(*moving.shapes, *cells))


def _still_scene(parameters: HybridCableRobot, angles: FloatArray | None) -> Scene:
    robot, cells = robot_of(parameters), workspace_of(parameters)
    position, place = shown_position(parameters, cells)
    if cells is None and (fault := path_fault(parameters)) is not None:
        place = f"{place} There is no wrench set: {fault.fault}."
    arm, posture = _arm(parameters, position, angles)
    place = f"{place}{posture}"
    tensions = None if cells is None else _tensions(robot, position)
    if cells is not None:
        place = f"{place} {_tension_words(parameters, tensions)}"
    shapes = (*_cables(parameters, robot, position, tensions), *_bodies(parameters, robot, position, arm))
    if cells is None:
        return Scene(shapes, place)
    if cells.volume > 0:
        shapes = (*shapes, Points("workspace", cells.points, cells.grid.cell_size))
    return Scene(shapes, f"{place} {conditions(parameters, cells)}")


def outline(parameters: HybridCableRobot) -> Scene:
    """The robot in the middle of its space, not turned, on straight cables without tensions."""
    robot = robot_of(parameters)
    position, place = shown_position(parameters, None)
    arm, posture = _arm(parameters, position, None)
    shapes = (*_cables(parameters, robot, position, None), *_bodies(parameters, robot, position, arm))
    return Scene(shapes, f"{place}{posture}")


def _bodies(
    parameters: HybridCableRobot, robot: Robot, position: FloatArray, arm: tuple[Line | Surface, ...]
) -> tuple[Box | Line | Surface | Points, ...]:
    """Wheels, frame, arm, platform at a position (3,) m, surroundings and pulleys."""
    return (
        *_wheels(robot, position),
        *_frame_lines(robot),
        *arm,
        platform_solid(parameters, position),
        *surrounding_solids(parameters),
        Points("pulleys", robot.pulleys),
    )


def _tensions(robot: Robot, position: FloatArray) -> FloatArray | None:
    """Tensions (m,) N of the platform at a position (3,) m, not turned; None where the rule finds none."""
    tensions, held = held_tensions(robot, position[None], np.eye(3))
    return tensions[0] if held[0] else None


def _tension_words(parameters: HybridCableRobot, tensions: FloatArray | None) -> str:
    wrench = "the centre of the wrenches"
    if tensions is None:
        return f"No tensions within the limits hold {wrench} there."
    least = "slack" if not np.any(parameters.f_min) else "at the least tension"
    return f"Tensions are those that hold {wrench}; dashed cables are {least}."


def _cables(
    parameters: HybridCableRobot, robot: Robot, position: FloatArray, tensions: FloatArray | None
) -> list[Line]:
    """Cables from the platform to their pulleys, with their tensions (m,) N if there are some.

    They hang if they have a mass and tensions, else they are straight.
    """
    ends = position + robot.attachments
    names = [f"cable {number}" for number in range(1, len(ends) + 1)]
    curves = np.stack([ends, ends + cable_vectors(robot, position, np.eye(3))], axis=1)
    if tensions is not None and parameters.cable_density is not None:
        weights = cable_weights(parameters)
        curves = (
            ends[:, None] + cable_sag(robot, weights, position[None], np.eye(3), tensions[None]).curves[0]
        )
    arcs = wheel_arcs(straight_vectors(robot, position, np.eye(3)), robot.wheels, robot.swivels)
    lines = [
        Line(name, np.concatenate([curve, pulley + arc]), "cables", number)
        for number, (name, curve, pulley, arc) in enumerate(
            zip(names, curves, robot.pulleys, arcs, strict=True), 1
        )
    ]
    if tensions is None:
        return lines
    lower, upper = tension_limits(robot)
    limits = np.array([lower.min(), upper.max()])
    loose = tensions <= lower + AT_LIMIT * (upper - lower)
    return [
        replace(line, value=float(tension), value_name=TENSION, value_range=limits, dashed=bool(slack))
        for line, tension, slack in zip(lines, tensions, loose, strict=True)
    ]


def _wheels(robot: Robot, position: FloatArray) -> list[Line]:
    """The wheels of the cables, each swivelled towards its attachment."""
    circles = wheel_circles(straight_vectors(robot, position, np.eye(3)), robot.wheels, robot.swivels)
    return [
        Line(f"pulley {number}", pulley + circle, "pulleys")
        for number, (pulley, circle) in enumerate(zip(robot.pulleys, circles, strict=True), 1)
        if len(circle)
    ]


def _arm(
    parameters: HybridCableRobot, position: FloatArray, angles: FloatArray | None
) -> tuple[tuple[Line | Surface, ...], str]:
    """The lines of the arm if there is one, capsules if they are tested, and a sentence about its posture."""
    shown = drawn_angles(parameters) if angles is None else angles
    capsules = (arm_solid(parameters, position, shown),) if parameters.check_arm else ()
    if not parameters.has_arm:
        return capsules, ""
    degrees = ", ".join(f"{angle:.4g}" for angle in (np.degrees(shown).round(1) + 0.0).tolist())
    other = "" if angles is None else "; the workspace is that of the design's own posture"
    lines = arm_lines(parameters, position, shown)
    return (*lines, *capsules), f" Joints of the arm at {degrees} deg{other}."


def workspace_of(parameters: HybridCableRobot) -> Workspace | None:
    """The workspace; None where the arm cannot follow the trajectory that the wrench set is taken from."""
    return None if path_fault(parameters) is not None else workspace(parameters)


def shown_position(parameters: HybridCableRobot, cells: Workspace | None) -> tuple[FloatArray, str]:
    """Position (3,) m at which the platform is drawn, and a sentence that says so."""
    middle = np.mean(np.array(parameters.space), axis=0)
    if cells is None:
        return middle, "Platform in the middle of the space, not turned."
    if not cells.volume:
        return middle, "Platform in the middle of the space, not turned; the workspace is empty."
    points = cells.points
    nearest = np.argmin(np.linalg.norm(points - points.mean(axis=0), axis=1))
    return points[
        nearest
    ], "Platform in the feasible cell nearest to the middle of the workspace, not turned."


def conditions(parameters: HybridCableRobot, cells: Workspace) -> str:
    """Wrenches that the cells of the workspace hold, as a sentence."""
    name = parameters.wrench_set
    moment = ", its moment ignored," if parameters.weight_moment == "ignored" else ""
    words = WRENCH_WORDS[name] if isinstance(name, str) else "a box of wrenches given by the user"
    wrenches = words.format(moment=moment)
    size = f"{cells.volume:.4g} m^3"
    if parameters.freedoms in PLANAR:
        size = f"{cells.area(parameters.plane):.4g} m^2 of the plane {parameters.plane}"
    return (
        f"Cells of the workspace ({size}) hold {wrenches} with tensions {tension_words(parameters)} at "
        f"{orientation_words(parameters)}{_kept_gaps(parameters)}."
    )


def orientation_words(parameters: HybridCableRobot) -> str:
    """The orientations at which a cell must pass."""
    count = orientation_count(parameters.orientations, parameters.freedoms)
    limits = np.degrees(np.broadcast_to(parameters.rotation_limit, 3)).tolist()
    limit = " / ".join(f"{each:.3g}" for each in limits[: 1 if len(set(limits)) == 1 else 3])
    name = parameters.orientations if count > 1 else "nominal"
    return ORIENTATION_WORDS[name].format(limit=limit, count=count)


def tension_words(parameters: HybridCableRobot) -> str:
    """The limits of the cables' tensions."""
    lower, upper = parameters.tension_limits
    if np.ptp(lower) or np.ptp(upper):
        return f"within limits of each cable, the widest from {lower.min():g} N to {upper.max():g} N,"
    return f"from {lower[0]:g} N to {upper[0]:g} N"


def _kept_gaps(parameters: HybridCableRobot) -> str:
    """Name the gaps that cells keep, as the end of a sentence; empty without such tests."""
    around = parameters.check_obstacles and parameters.has_surroundings
    if not around and not parameters.check_arm:
        return ""
    gap = f"{1e3 * parameters.obstacle_clearance:g} mm"
    kept = [f"cables and platform stay more than {gap} away from obstacles and the floor"] if around else []
    kept += (
        [f"the arm stays more than {gap} away from cables and surroundings"] if parameters.check_arm else []
    )
    return f"; {', '.join(kept)}"


def motion_scene(parameters: HybridCableRobot, motion: WinchMotion | None = None) -> Scene:
    """The motion by the winches, with the robot at its end and the path of the platform.

    Parameters
    ----------
    parameters : HybridCableRobot
    motion : WinchMotion, optional
        That of :func:`.follow_winches`, which is computed if left out.

    Raises
    ------
    InputError
        When there is no motion.
    """
    found = follow_winches(parameters) if motion is None else motion
    robot, angles = moving_robot(parameters), _arm_angles(parameters, len(found.times))
    places = np.linspace(0, len(found.times) - 1, min(MOMENTS, len(found.times))).round().astype(int).tolist()
    moments = tuple(
        Moment(float(found.times[place]), _moving_lines(parameters, robot, found, angles, place))
        for place in places
    )
    last = pulled(moments[-1].lines[: len(robot.pulleys)], found.tensions[-1].tolist())
    still = [*_frame_lines(robot), Line("path of the platform", found.positions)]
    if found.targets is not None:
        still.append(Line("trajectory", found.targets, dashed=True))
    shapes = (*last, *moments[-1].lines[len(last) :], *still, Points("pulleys", robot.pulleys))
    return Scene(shapes, _motion_caption(found), moments=moments if len(moments) > 1 else ())


def _motion_caption(motion: WinchMotion) -> str:
    ends = f"It was not found further: {motion.fault}." if motion.fault else ""
    return (
        f"A motion of {motion.times[-1] - motion.times[0]:.4g} s by the winches, on elastic cables; the "
        f"robot is shown at its end, or at a chosen moment. Dashed cables are slack at the end. {ends}"
    ).rstrip()


def _arm_angles(parameters: HybridCableRobot, count: int) -> FloatArray:
    """Coordinates (count, n) of the arm at the instants of a motion."""
    if isinstance(parameters.winch_lengths, WinchLengths):
        return np.tile(rest_posture(parameters), (count, 1))
    moving = sample_of(parameters).arm.angles
    return moving[np.minimum(np.arange(count), len(moving) - 1)]


def _moving_lines(
    parameters: HybridCableRobot, robot: Robot, motion: WinchMotion, angles: FloatArray, place: int
) -> tuple[Line, ...]:
    """Cables, platform and arm at an instant."""
    position, rotation = motion.positions[place], motion.rotations[place]
    ends = position + robot.attachments @ rotation.T
    straight = straight_vectors(robot, position, rotation)
    arcs = wheel_arcs(straight, robot.wheels, robot.swivels)
    curves = zip(ends, ends + cable_vectors(robot, position, rotation), robot.pulleys, arcs, strict=True)
    cables = (
        Line(f"cable {number}", np.concatenate([[end, leaving], pulley + arc]), "cables", number)
        for number, (end, leaving, pulley, arc) in enumerate(curves, 1)
    )
    corners = position + _CORNERS * np.array(parameters.platform_half_size) @ rotation.T
    arm = arm_lines(parameters, position, angles[place], rotation) if parameters.has_arm else ()
    return (*cables, Line("platform", corners[list(_EDGES)]), *arm)


def _frame_lines(robot: Robot) -> list[Line]:
    """Rings through the pulleys of each height, by azimuth, and uprights between the heights."""
    heights = sorted(set(np.round(robot.pulleys[:, 2], 6).tolist()))
    lines: list[Line] = []
    if len(heights) > 2:
        return lines
    for height in heights:
        level = robot.pulleys[np.abs(robot.pulleys[:, 2] - height) < 1e-5]
        middle = level.mean(axis=0)
        order = np.argsort(np.arctan2(level[:, 1] - middle[1], level[:, 0] - middle[0]), kind="stable")
        ring = level[order]
        lines.append(Line(f"frame at {height:g} m", np.vstack([ring, ring[:1]]), "frame"))
    return lines
