"""Pictures of the platform that moves by its winches, moment by moment."""

from __future__ import annotations

import itertools

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm_posture import arm_lines
from models.hybrid_cable_robot.cables import cable_vectors, straight_vectors
from models.hybrid_cable_robot.frame_lines import frame_lines
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.pulleys import wheel_arcs
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.trajectory import WinchLengths
from models.hybrid_cable_robot.trajectory_following import moving_robot
from models.hybrid_cable_robot.trajectory_sampling import sample
from models.hybrid_cable_robot.weight_moments import rest_posture
from models.hybrid_cable_robot.winch_motion import WinchMotion, follow_winches
from models.scene import Line, Moment, Points, Scene, pulled

MOMENTS = 121
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
EDGES = (0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4)  # corners along one line through every edge of a box


def motion_scene(parameters: HybridCableRobot, motion: WinchMotion | None = None) -> Scene:
    """The motion by the winches, with the robot at its end and the path of the platform.

    Parameters
    ----------
    parameters : HybridCableRobot
    motion : WinchMotion, optional
        That of :func:`~models.hybrid_cable_robot.winch_motion.follow_winches`, which is computed if left out.

    Raises
    ------
    InputError
        When there is no motion.
    """
    found = follow_winches(parameters) if motion is None else motion
    robot, angles = moving_robot(parameters), _arm_angles(parameters, len(found.times))
    places = np.linspace(0, len(found.times) - 1, min(MOMENTS, len(found.times))).round().astype(int).tolist()
    moments = tuple(
        Moment(float(found.times[place]), _lines(parameters, robot, found, angles, place)) for place in places
    )
    last = pulled(moments[-1].lines[: len(robot.pulleys)], found.tensions[-1].tolist())
    still = [*frame_lines(robot), Line("path of the platform", found.positions)]
    if found.targets is not None:
        still.append(Line("trajectory", found.targets, dashed=True))
    shapes = (*last, *moments[-1].lines[len(last) :], *still, Points("pulleys", robot.pulleys))
    return Scene(shapes, _caption(found), moments=moments if len(moments) > 1 else ())


def _caption(motion: WinchMotion) -> str:
    ends = f"It was not found further: {motion.fault}." if motion.fault else ""
    return (
        f"A motion of {motion.times[-1] - motion.times[0]:.4g} s by the winches, on elastic cables; the "
        f"robot is shown at its end, or at a chosen moment. Dashed cables are slack at the end. {ends}"
    ).rstrip()


def _arm_angles(parameters: HybridCableRobot, count: int) -> FloatArray:
    """Angles (count, 6) rad of the arm at the instants of a motion."""
    if isinstance(parameters.winch_lengths, WinchLengths):
        return np.tile(rest_posture(parameters), (count, 1))
    moving = sample(parameters.path, parameters.trajectory_samples).arm.angles
    return moving[np.minimum(np.arange(count), len(moving) - 1)]


def _lines(
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
    corners = position + CORNERS * np.array(parameters.platform_half_size) @ rotation.T
    arm = arm_lines(parameters, position, angles[place], rotation) if parameters.has_arm else ()
    return (*cables, Line("platform", corners[list(EDGES)]), *arm)
