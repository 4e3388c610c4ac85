"""Points, orientations and matrices that follow from the parameter record."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from models.floats import FloatArray, IntArray
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.rotations import rotation_matrix
from models.hybrid_cable_robot.wrench_sets import wrench_box

SHORTEST_CABLE = 1e-6  # [m]; a shorter cable has no direction
SHORTEST_LENGTH_SCALE = 1e-3  # [m]; least default characteristic length
SHARED_POINT = 1e-9  # [m]; attachments closer than this are one
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
        Centre and half range of the box of external wrenches.
    f_min, f_max : float, N
    half_size : (3,) float, m
        Platform box, already shrunk by ``PLATFORM_SHRINK``.
    diameter, clearance : float, m
    stiffness : (m,) float, N/m, or N when ``axial``
        Stiffness of the cables, or their EA.
    axial : bool
        Whether a cable of length l has the stiffness ``stiffness / l``.
    geometric : bool
        Whether the tensions for ``wrench_center`` add to the platform's stiffness.
    tension_rule : str
        Which of the tensions that hold a wrench the cables have.
    test_load : (6,) float, N and N m
        Load under which the platform gives way.
    pairs : (p, 2) int
        Pairs of cables that can touch: those that share no attachment.
    check_platform, check_interference : bool
    """

    pulleys: FloatArray
    attachments: FloatArray
    rotations: FloatArray
    length_scale: float
    wrench_center: FloatArray
    wrench_range: FloatArray
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
    return Robot(
        pulleys=pulley_points(parameters),
        attachments=attachments,
        rotations=rotation_set(parameters.orientations, parameters.rotation_limit),
        length_scale=length_scale(parameters),
        wrench_center=center,
        wrench_range=half_range,
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
        pairs=separate_pairs(attachments),
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


def separate_pairs(attachments: FloatArray) -> IntArray:
    """Pairs (p, 2) of cables whose attachments (m, 3) m differ."""
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(len(attachments)), 2)
        if np.linalg.norm(attachments[i] - attachments[j]) > SHARED_POINT
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


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
