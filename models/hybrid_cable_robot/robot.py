"""The numbers of a robot, as arrays that the mechanics and the kernels compute with."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.freedoms import (
    FREEDOMS,
    POINTS,
    rotation_vectors,
    turning_axes,
    wrench_basis,
    wrench_rows,
)
from models.hybrid_cable_robot.parameter_types import TENSION_RULES
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.wrench_sets import turning_moments, wrench_box
from models.numerics.rotations import cross, rotation_matrix

TOLERANCE = 1e-10  # of the forces involved: a smaller lack of force counts as none
SHARED = 0.02  # of the relief: 1 mm for 5 cm; cables whose ends are no farther apart share a fitting
PLATFORM_SHRINK = 1e-6  # [m]; attachments lie on the platform's surface


class Robot(NamedTuple):
    """The numbers of a robot with m cables: the one record that the mechanics and all kernels take.

    Attributes
    ----------
    pulleys : (m, 3) float, m, world frame
        In the order of the cables; with a wheel, where the cable reaches its swivel axis.
    wheels : (m,) float, m
        Radii of the wheels that the cables run over, 0 for eyelets.
    swivels : (m, 3) float
        Unit vectors along the swivel axes, in the direction in which the cables reach their wheels.
    attachments : (m, 3) float, m, platform frame
    rotations : (o, 3, 3) float
        Platform to world, the nominal orientation first.
    spans : (k, 3) float, rad
        Half sides of the box of rotation vectors, as vectors, over which positions are proved; none where
        ``rotations`` are all that is asked.
    length_scale : float, m
        Characteristic length L that divides torques.
    rows : (6,) float
        1 for the rows of wrenches that the motion pattern has, else 0.
    rank : int
        Number n of its freedoms.
    bases : (o, n, 6) float
        Orthonormal rows: the wrenches that it has at each orientation, torques divided by L.
    wrench_center, wrench_range : (6,) float, N and N m
        Centre and half range of the box of external wrenches, without the moments below.
    first_moments : (p, 3) float, kg m, platform frame
        First moments of the masses whose weight adds a torque that turns with the platform, one for each
        posture of the arm; a row of zeros when there is none. See :func:`wrench_centers`.
    load_centers : (o * p, 6) float, N
        Centres of the wrench boxes, torques divided by L: those of the p postures at the first orientation,
        then those at the next one.
    load_range : (6,) float, N
        Their half range, torques divided by L.
    f_min, f_max : float, N
        The greatest of the cables' least tensions, and of their greatest ones.
    lower, upper : (m,) float
        Shares of them that are the limits of each cable: ones where all are alike.
    own_limits : bool
        Whether some are not.
    tolerance : float, N
        Lack of force that counts as none.
    length_limits : (m, 2) float, m
        Least and greatest length of each cable.
    rate_limit : float
        Greatest speed of a cable over the speed that the platform must reach.
    has_limits : bool
        Whether lengths or speeds of cables have limits.
    half_size : (3,) float, m
        Platform box, already shrunk by ``PLATFORM_SHRINK``.
    diameter, clearance : float, m
        Greatest diameter of a cable, and the gap that two must keep.
    slimness : (k,) float, m
        Greatest diameter less the mean of a pair's: adds to the distance of their axes.
    touching : float, m
        Sum of diameter and clearance: axes as close as this touch.
    pairs : (k, 2) int
        Every two cables.
    reliefs : (k, 2) float, m
        Lengths of both cables of a pair over which they may touch: next to the platform, next to the pulleys.
    stiffness : (m,) float, N/m, or N when ``axial``
        Stiffness of the cables, or their EA.
    axial : bool
        Whether a cable of length l has the stiffness ``stiffness / l``.
    geometric : bool
        Whether the tensions for the centre of the wrench set add to the platform's stiffness.
    tension_rule : int
        Place in ``TENSION_RULES`` of the rule that chooses from the tensions that hold a wrench.
    test_load : (6,) float, N and N m
        Load under which the platform gives way.
    check_platform, check_interference : bool
        Whether a position at which a cable cuts the platform, or two cables touch, is excluded.
    """

    pulleys: FloatArray
    wheels: FloatArray
    swivels: FloatArray
    attachments: FloatArray
    rotations: FloatArray
    spans: FloatArray
    length_scale: float
    rows: FloatArray
    rank: int
    bases: FloatArray
    wrench_center: FloatArray
    wrench_range: FloatArray
    first_moments: FloatArray
    load_centers: FloatArray
    load_range: FloatArray
    f_min: float
    f_max: float
    lower: FloatArray
    upper: FloatArray
    own_limits: bool
    tolerance: float
    length_limits: FloatArray
    rate_limit: float
    has_limits: bool
    half_size: FloatArray
    diameter: float
    clearance: float
    slimness: FloatArray
    touching: float
    pairs: IntArray
    reliefs: FloatArray
    stiffness: FloatArray
    axial: bool
    geometric: bool
    tension_rule: int
    test_load: FloatArray
    check_platform: bool
    check_interference: bool


def robot_of(parameters: HybridCableRobot, wrench: FloatArray | None = None) -> Robot:
    """The arrays of a parameter record.

    ``wrench`` (6,) N and N m is a single external wrench instead of the record's set.
    """
    attachments = np.array(parameters.attachments, dtype=float)
    pulleys = pulley_points(parameters)
    axial = parameters.axial_stiffness
    stiffness = parameters.cable_stiffness if axial is None else axial
    center, half_range = wrench_box(parameters) if wrench is None else (wrench, np.zeros(6))
    cables = len(attachments)
    pairs = np.array(list(itertools.combinations(range(cables), 2)), dtype=np.int64)
    diameters = np.array(np.broadcast_to(parameters.cable_diameter, cables), dtype=float)
    diameter = float(diameters.max())
    pattern, plane, L = parameters.freedoms, parameters.plane, parameters.length_scale
    rotations = rotation_set(parameters)
    lower, upper = parameters.tension_limits
    least, greatest = float(lower.max()), float(upper.max())
    lengths, rate = _length_limits(parameters), _rate_limit(parameters)
    return _with_loads(
        Robot(
            pulleys=pulleys,
            wheels=np.array(np.broadcast_to(parameters.pulley_radius, cables), dtype=float),
            swivels=swivel_axes(parameters, pulleys),
            attachments=attachments,
            rotations=rotations,
            spans=rotation_spans(parameters) if parameters.orientations == "certified" else np.empty((0, 3)),
            length_scale=L,
            rows=wrench_rows(pattern, plane),
            rank=FREEDOMS[pattern],
            bases=np.array([wrench_basis(pattern, plane, attachments, R, L) for R in rotations]),
            wrench_center=center,
            wrench_range=half_range,
            first_moments=turning_moments(parameters) if wrench is None else np.zeros((1, 3)),
            load_centers=np.empty((0, 6)),
            load_range=np.empty(6),
            f_min=least,
            f_max=greatest,
            lower=lower / least if least > 0.0 else np.ones(cables),
            upper=upper / greatest,
            own_limits=bool((lower != least).any() or (upper != greatest).any()),
            tolerance=0.0,
            length_limits=lengths,
            rate_limit=rate,
            has_limits=bool(lengths[:, 0].any() or np.isfinite([*lengths[:, 1], rate]).any()),
            half_size=np.array(parameters.platform_half_size) - PLATFORM_SHRINK,
            diameter=diameter,
            clearance=parameters.clearance,
            slimness=diameter - diameters[pairs].mean(axis=1),
            touching=diameter + parameters.clearance,
            pairs=pairs,
            reliefs=np.column_stack(
                [
                    pair_reliefs(points, pairs, parameters.attachment_relief)
                    for points in (attachments, pulleys)
                ]
            ),
            stiffness=np.array(np.broadcast_to(stiffness, cables), dtype=float),
            axial=axial is not None,
            geometric=parameters.geometric_stiffness,
            tension_rule=TENSION_RULES.index(parameters.tension_rule),
            test_load=np.array(parameters.test_load, dtype=float),
            check_platform=parameters.check_platform and pattern not in POINTS,
            check_interference=parameters.check_interference,
        )
    )


def changed_robot(robot: Robot, **changes: Any) -> Robot:
    """The robot with other fields, and with the loads and the tolerance that follow from them."""
    return _with_loads(robot._replace(**changes))


def _with_loads(robot: Robot) -> Robot:
    """The robot with ``load_centers``, ``load_range`` and ``tolerance`` that follow from the other fields.

    The tolerance is a share of the tensions and wrenches involved, so that ties, which symmetry makes common,
    are decided the same way at every orientation.
    """
    scale = load_scale(robot)
    centers = np.concatenate([wrench_centers(robot, rotation) for rotation in robot.rotations]) * scale
    half_range = robot.wrench_range * scale
    moments = np.linalg.norm(robot.first_moments, axis=1) * np.linalg.norm(GRAVITY) / robot.length_scale
    center = float(np.linalg.norm(robot.wrench_center * scale)) + float(moments.max())
    tolerance = TOLERANCE * (robot.f_max + center + float(np.linalg.norm(half_range)))
    return robot._replace(load_centers=centers, load_range=half_range, tolerance=tolerance)


def load_scale(robot: Robot) -> FloatArray:
    """Factors (6,) of wrenches (..., 6) N and N m that divide torques by L: 1 and 1/m."""
    return np.array([1.0, 1.0, 1.0, *(1.0 / robot.length_scale,) * 3])


class Load(NamedTuple):
    """Load that the cables must hold at one orientation and posture of the arm, and their limits.

    Attributes
    ----------
    center, half_range : (6,) float, N
        The wrench box, torques divided by the length scale.
    f_min, f_max : float, N
    lower, upper : (m,) float
        Shares of them for each cable, as those of the robot.
    own_limits : bool
    rows : (6,) float
        1 for the rows of wrenches that the motion pattern has, else 0.
    rank : int
        Number of its freedoms: a wrench outside as many directions is no load.
    tolerance : float, N
        Lack of force that counts as none.
    """

    center: FloatArray
    half_range: FloatArray
    f_min: float
    f_max: float
    lower: FloatArray
    upper: FloatArray
    own_limits: bool
    rows: FloatArray
    rank: int
    tolerance: float


def load_case(robot: Robot, index: int) -> Load:
    """The load of one row of ``load_centers``; with p postures that of orientation ``index // p``."""
    return Load(
        robot.load_centers[index],
        robot.load_range,
        robot.f_min,
        robot.f_max,
        robot.lower,
        robot.upper,
        robot.own_limits,
        robot.rows,
        robot.rank,
        robot.tolerance,
    )


def loads_at(robot: Robot, rotation: FloatArray) -> list[Load]:
    """The loads at any orientation (3, 3), one for each posture of the arm."""
    centers = wrench_centers(robot, rotation) * load_scale(robot)
    return [load_case(robot._replace(load_centers=center[None]), 0) for center in centers]


def is_plain(robot: Robot) -> bool:
    """True for platforms with six freedoms on cables that are alike, which the vector kernels know."""
    return robot.rank == len(robot.rows) and not (robot.own_limits or robot.slimness.any())


def tension_limits(robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Least and greatest tensions (m,) N of the cables."""
    return robot.f_min * robot.lower, robot.f_max * robot.upper


def pulley_points(parameters: HybridCableRobot) -> FloatArray:
    """Pulley points (m, 3) float, m, world frame, in the order of the cables that run from them."""
    points = numbered_pulleys(parameters)
    return points if parameters.cable_order is None else points[np.array(parameters.cable_order) - 1]


def numbered_pulleys(parameters: HybridCableRobot) -> FloatArray:
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


def rotation_set(parameters: HybridCableRobot) -> FloatArray:
    """Rotation matrices (o, 3, 3) of the record's orientations, the nominal one first."""
    vectors = rotation_vectors(parameters.orientations, rotation_spans(parameters))
    return np.array([rotation_matrix(vector) for vector in vectors])


def rotation_spans(parameters: HybridCableRobot) -> FloatArray:
    """Half sides (k, 3) rad, as vectors, of the record's box of rotation vectors."""
    attachments = np.array(parameters.attachments, dtype=float)
    axes = turning_axes(parameters.freedoms, parameters.plane, attachments)
    limits = np.array(np.broadcast_to(parameters.rotation_limit, 3), dtype=float)
    spans = np.sqrt((axes * axes) @ (limits * limits))[:, None] * axes
    return spans[spans.any(axis=1)]


def swivel_axes(parameters: HybridCableRobot, pulleys: FloatArray) -> FloatArray:
    """Unit vectors (m, 3) along the swivel axes, for pulleys (m, 3) m in the order of the cables."""
    if parameters.pulley_axis is None:
        heights = pulleys[:, 2]
        below = heights < (heights.min() + heights.max()) / 2
        return np.where(below[:, None], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0])
    axes = np.array(np.broadcast_to(np.array(parameters.pulley_axis, dtype=float), pulleys.shape))
    return axes / np.linalg.norm(axes, axis=1, keepdims=True)


def _length_limits(parameters: HybridCableRobot) -> FloatArray:
    """Least and greatest lengths (m, 2) m of the cables; 0 and infinite where there is no limit."""
    least, greatest = parameters.length_min, parameters.length_max
    limits = np.empty((len(parameters.attachments), 2))
    limits[:, 0] = 0.0 if least is None else least
    limits[:, 1] = math.inf if greatest is None else greatest
    return limits


def _rate_limit(parameters: HybridCableRobot) -> float:
    """Greatest speed of a cable over that of the platform; infinite where one of them is not given."""
    if parameters.max_cable_speed is None or parameters.task_speed is None:
        return math.inf
    return parameters.max_cable_speed / parameters.task_speed


def pair_reliefs(points: FloatArray, pairs: IntArray, relief: float) -> FloatArray:
    """Lengths (k,) m over which the cables of each pair (k, 2) may touch next to one of their ends.

    ``relief`` [m] for ends (m, 3) m in one fitting, no farther apart than ``relief * SHARED``; 0 for others.
    The diameter does not count: thicker cables never touch less.
    """
    gaps = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    return np.where(gaps <= relief * SHARED, relief, 0.0)


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
