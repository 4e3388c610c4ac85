"""Points, orientations, matrices and cable motion that follow from the parameter record."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import PlatformMotion
from models.hybrid_cable_robot.wrench_sets import turning_moments, wrench_box
from models.numerics.rotations import cross, rotation_matrix

SHORTEST_CABLE = 1e-6  # [m]; a shorter cable has no direction
SHORTEST_LENGTH_SCALE = 1e-3  # [m]; least default characteristic length
PLATFORM_SHRINK = 1e-6  # [m]; attachments lie on the platform's surface


@dataclass(frozen=True, slots=True)
class Robot:
    """The arrays that the mechanics needs, made once per design.

    Attributes
    ----------
    pulleys : (m, 3) float, m, world frame
        In the order of the cables.
    attachments : (m, 3) float, m, platform frame
    rotations : (o, 3, 3) float
        Platform to world, the nominal orientation first.
    length_scale : float, m
        Characteristic length L that divides torques.
    wrench_center, wrench_range : (6,) float, N and N m
        Centre and half range of the box of external wrenches, without the moments below.
    first_moments : (p, 3) float, kg m, platform frame
        First moments of the masses whose weight adds a torque that turns with the platform, one for each
        posture of the arm; a row of zeros when there is none. See :func:`wrench_centers`.
    f_min, f_max : float, N
    half_size : (3,) float, m
        Platform box, already shrunk by ``PLATFORM_SHRINK``.
    diameter, clearance : float, m
    stiffness : (m,) float, N/m, or N when ``axial``
        Stiffness of the cables, or their EA.
    axial : bool
        Whether a cable of length l has the stiffness ``stiffness / l``.
    geometric : bool
        Whether the tensions for the centre of the wrench set add to the platform's stiffness.
    tension_rule : str
        Which of the tensions that hold a wrench the cables have.
    test_load : (6,) float, N and N m
        Load under which the platform gives way.
    pairs : (k, 2) int
        Every two cables.
    reliefs : (k,) float, m
        Length of both cables of a pair, next to the platform, over which they may touch.
    check_platform, check_interference : bool
    """

    pulleys: FloatArray
    attachments: FloatArray
    rotations: FloatArray
    length_scale: float
    wrench_center: FloatArray
    wrench_range: FloatArray
    first_moments: FloatArray
    f_min: float
    f_max: float
    half_size: FloatArray
    diameter: float
    clearance: float
    stiffness: FloatArray
    axial: bool
    geometric: bool
    tension_rule: str
    test_load: FloatArray
    pairs: IntArray
    reliefs: FloatArray
    check_platform: bool
    check_interference: bool


def robot_of(parameters: HybridCableRobot, wrench: FloatArray | None = None) -> Robot:
    """All arrays of the design.

    ``wrench`` (6,) N and N m is a single external wrench instead of the record's set.
    """
    attachments = np.array(parameters.attachments, dtype=float)
    axial = parameters.axial_stiffness
    stiffness = parameters.cable_stiffness if axial is None else axial
    center, half_range = wrench_box(parameters) if wrench is None else (wrench, np.zeros(6))
    touching = parameters.cable_diameter + parameters.clearance
    pairs = np.array(list(itertools.combinations(range(len(attachments)), 2)), dtype=np.int64)
    return Robot(
        pulleys=pulley_points(parameters),
        attachments=attachments,
        rotations=rotation_set(parameters.orientations, parameters.rotation_limit),
        length_scale=length_scale(parameters),
        wrench_center=center,
        wrench_range=half_range,
        first_moments=turning_moments(parameters) if wrench is None else np.zeros((1, 3)),
        f_min=parameters.f_min,
        f_max=parameters.f_max,
        half_size=np.array(parameters.platform_half_size) - PLATFORM_SHRINK,
        diameter=parameters.cable_diameter,
        clearance=parameters.clearance,
        stiffness=np.array(np.broadcast_to(stiffness, len(attachments)), dtype=float),
        axial=axial is not None,
        geometric=parameters.geometric_stiffness,
        tension_rule=parameters.tension_rule,
        test_load=np.array(parameters.test_load, dtype=float),
        pairs=pairs,
        reliefs=pair_reliefs(attachments, pairs, touching, parameters.attachment_relief),
        check_platform=parameters.check_platform,
        check_interference=parameters.check_interference,
    )


def pulley_points(parameters: HybridCableRobot) -> FloatArray:
    """Pulley points (m, 3) float, m, world frame, in the order of the cables that run from them."""
    points = _numbered_pulleys(parameters)
    return points if parameters.cable_order is None else points[np.array(parameters.cable_order) - 1]


def _numbered_pulleys(parameters: HybridCableRobot) -> FloatArray:
    """Pulley points (m, 3) float, m, world frame, in the order of their numbers.

    Source: section 5 and figure 8 of the paper; azimuths from +x towards +y, except that the first
    pulley of the suspended arrangement's second group stands at ``(R sin beta2, R cos beta2)``, so
    that the two groups twist the platform opposite ways.
    """
    if parameters.pulleys is not None:
        return np.array(parameters.pulleys, dtype=float)
    first = np.array([math.cos(parameters.beta1), math.sin(parameters.beta1)])
    if parameters.arrangement == "constrained":
        second = np.array([math.cos(parameters.beta2), math.sin(parameters.beta2)])
        quadrants = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
        plane = np.vstack([quadrants * first, quadrants * second])
        heights = np.repeat([parameters.upper_height, parameters.lower_height], 4)
    else:
        second = np.array([math.sin(parameters.beta2), math.cos(parameters.beta2)])
        turns = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]])
        plane = np.vstack([turns @ first, turns @ second])
        heights = np.full(8, parameters.upper_height)
    return np.column_stack([parameters.frame_radius * plane, heights])


def length_scale(parameters: HybridCableRobot) -> float:
    """Characteristic length L, m: as given, else the rms of ``|b_i|`` but at least 1 mm."""
    if parameters.characteristic_length is not None:
        return parameters.characteristic_length
    squares = np.sum(np.square(parameters.attachments), axis=1)
    return max(float(np.sqrt(np.mean(squares))), SHORTEST_LENGTH_SCALE)


def rotation_set(name: str, limit: float) -> FloatArray:
    """Rotation matrices of an orientation set, (o, 3, 3), the nominal one first.

    Parameters
    ----------
    name : {"nominal", "corners", "grid27"}
    limit : float, rad
        Half side of the box of rotation vectors.
    """
    steps = {"nominal": (), "corners": (-limit, limit), "grid27": (-limit, 0.0, limit)}[name]
    vectors = [vector for vector in itertools.product(steps, repeat=3) if any(vector)] if steps else []
    return np.array([rotation_matrix(np.array(vector)) for vector in [(0.0, 0.0, 0.0), *vectors]])


def pair_reliefs(attachments: FloatArray, pairs: IntArray, touching: float, relief: float) -> FloatArray:
    """Length (k,) m over which cables of each pair (k, 2) may touch next to the platform.

    ``relief`` [m] for attachments (m, 3) m that are no farther apart than ``touching`` [m], the distance
    of axes at which cables touch; nothing for others.
    """
    gaps = np.linalg.norm(attachments[pairs[:, 0]] - attachments[pairs[:, 1]], axis=1)
    return np.where(gaps <= touching, relief, 0.0)


def wrench_centers(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Centres (p, 6) N and N m of the wrench boxes at an orientation (3, 3), one for each posture of the arm.

    The weight acts at the centre of mass: its torque is ``(R s) x g`` with the first moment s.
    """
    centers = np.tile(robot.wrench_center, (len(robot.first_moments), 1))
    centers[:, 3:] += cross(robot.first_moments @ rotation.T, GRAVITY)
    return centers


def middle_wrench(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Centre (6,) N and N m of the wrench set at an orientation (3, 3): the mean over the arm's postures."""
    return wrench_centers(robot, rotation).mean(axis=0)


def cable_vectors(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Vectors (m, 3) m from attachment to pulley, world frame."""
    return robot.pulleys - position - robot.attachments @ rotation.T


def wrench_matrix(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """Wrench matrix W (6, m): cable tensions to force (N) and torque (N m) on the platform.

    ``W = [u_i; (R b_i) x u_i]`` about the platform's origin in world axes, ``u_i`` the unit vector
    from attachment to pulley; the Jacobian of the cable lengths is ``-W.T``. A cable shorter than
    ``SHORTEST_CABLE`` has no direction and gets a column of zeros.
    """
    vectors = cable_vectors(robot, position, rotation)
    lengths = np.linalg.norm(vectors, axis=1)
    units = np.where(
        lengths[:, None] < SHORTEST_CABLE, 0.0, vectors / np.maximum(lengths, SHORTEST_CABLE)[:, None]
    )
    return np.vstack([units.T, np.cross(robot.attachments @ rotation.T, units).T])


@dataclass(frozen=True, slots=True)
class CableMotion:
    """Lengths, speeds and accelerations of m cables at n instants, and the wrench matrices.

    Attributes
    ----------
    lengths, speeds, accelerations : (n, m) float, m, m/s, m/s^2
        Positive speeds lengthen.
    wrench_matrices : (n, 6, m) float
        As :func:`~models.hybrid_cable_robot.robot.wrench_matrix`, one per instant.
    """

    lengths: FloatArray
    speeds: FloatArray
    accelerations: FloatArray
    wrench_matrices: FloatArray


def cable_motion(robot: Robot, motion: PlatformMotion) -> CableMotion:
    """Cable motion of a platform motion with n instants.

    With d from attachment to pulley and the attachment's velocity v and acceleration a,
    ``l l' = -d . v`` and ``l l'' = v . v - d . a - l'^2``; equation (1c) of the paper and its
    derivative. Cables shorter than ``SHORTEST_CABLE`` have no direction and stand still.
    """
    arms = robot.attachments @ np.swapaxes(motion.rotation, -1, -2)
    w, alpha = motion.angular_velocity[:, None], motion.angular_acceleration[:, None]
    velocity = motion.velocity[:, None] + cross(w, arms)
    acceleration = motion.acceleration[:, None] + cross(alpha, arms) + cross(w, cross(w, arms))
    vectors = robot.pulleys - motion.position[:, None] - arms
    lengths = np.sqrt(np.sum(vectors * vectors, axis=-1))
    real = lengths >= SHORTEST_CABLE
    divisors = np.where(real, lengths, SHORTEST_CABLE)
    units = np.where(real[..., None], vectors / divisors[..., None], 0.0)
    speeds = -np.sum(units * velocity, axis=-1)
    squares = np.where(real, np.sum(velocity * velocity, axis=-1) - speeds**2, 0.0)
    second = squares / divisors - np.sum(units * acceleration, axis=-1)
    W = np.concatenate([units, cross(arms, units)], axis=-1)
    return CableMotion(lengths, speeds, second, np.swapaxes(W, -1, -2))
