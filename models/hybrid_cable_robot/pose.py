"""One pose in full, for tables, sliders and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray, finite_array
from models.hybrid_cable_robot.cable_sag import CableSag, cable_sag, cable_weights
from models.hybrid_cable_robot.cables.geometry import (
    cable_lengths,
    cable_rates,
    scaled_wrench_matrix,
    wrench_matrix,
)
from models.hybrid_cable_robot.cell_results import RATE_ROUNDING, SINGULAR_BELOW, WORST_MARGIN
from models.hybrid_cable_robot.collisions.distances import (
    least_cable_distance,
    platform_clearance,
    shortest_is_long_enough,
)
from models.hybrid_cable_robot.natural_frequencies import (
    hanging_robot,
    has_inertia,
    mass_matrix,
    natural_frequencies,
)
from models.hybrid_cable_robot.obstacles.arrays import wheel_pairs
from models.hybrid_cable_robot.obstacles.gaps import gaps_at
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, loads_at, middle_wrench, robot_of, rotation_matrix
from models.hybrid_cable_robot.stiffness import (
    basis_at,
    displacement,
    inv_cond,
    inv_cond_jacobian,
    pose_stiffness,
    sensitivities,
    stiffness_condition,
    turning_basis,
)
from models.hybrid_cable_robot.tensions.distribution import Verdict, pose_tensions, stiffening_tensions
from models.hybrid_cable_robot.wrench.capacity import capacity_margin
from models.hybrid_cable_robot.wrench_sets import require_wrench_set


@dataclass(frozen=True, slots=True)
class PoseResult:
    """Everything that the tests say of one pose.

    Attributes
    ----------
    lengths : (m,) float, m
        From attachment to pulley, with the parts on the wheels.
    wrench_matrix : (6, m) float
        Tensions to force (rows 0-2, entries 1) and torque about the platform's origin (rows 3-5,
        entries m), world axes.
    capacity_margin : float, N
        Least slack of the wrench set, negative when it cannot be held.
    interference_margin : float, m
        Least distance of two cables' surfaces, negative when they overlap.
    platform_clearance : float, m
        Negative: the length of the longest chord of a cable inside the platform.
    obstacle_margin : float, m, or None
        Gap of cables and platform from obstacles and the floor; None without any.
    arm_margin : float, m, or None
        Gap of the arm from cables, obstacles and the floor, least over the ``arm_postures``; None without
        ``check_arm``.
    wheel_margin : float, m, or None
        Gap between wheels, negative where they overlap; None without any that may.
    inv_cond_jacobian, inv_cond_stiffness : float
        Inverse condition numbers, scaled by the characteristic length, at this orientation.
    inv_cond_jacobian_translation, inv_cond_jacobian_rotation : float
        Of the translation and of the rotation columns of J, which need no scaling.
    inv_cond_stiffness_translation, inv_cond_stiffness_rotation : float
        Of the translation block and of the rotation block of K.
    stiffness_matrix : (6, 6) float
        K about the platform's origin, world axes: N/m, N (off the diagonal blocks) and N m/rad. With
        ``geometric_stiffness`` the tensions below count when they are held, else K is elastic alone.
    rotation_sensitivity, point_sensitivity : float, rad/m and 1
        Greatest rotation and displacement by cable length errors with a norm of 1; infinite where J
        is singular. Source: Cardou, Bouchard and Gosselin 2010.
    displacement_under_load : float, m
        By which ``test_load`` moves the platform's origin; infinite where K is singular.
    tensions : (m,) float, N
        That hold the given wrench, else the centre of the wrench set, by ``tension_rule``.
    tension_verdict : {"held", "infeasible", "rule-failed"}
        Whether those tensions keep the limits.
    natural_frequencies : (n,) float, Hz, or None
        Under the weight with the arm locked at rest, the lowest first; negative where the platform leaves the
        pose, zero where the weight is not held, None where some motion of the platform moves no mass.
    sag : CableSag or None
        Sagging cables with the tensions above at the platform, as one pose of its arrays; None without
        ``cable_density``, and where a cable has no length.
    feasible : bool
        Whether the pose passes the tests that the record enables.
    """

    lengths: FloatArray
    wrench_matrix: FloatArray
    capacity_margin: float
    interference_margin: float
    platform_clearance: float
    obstacle_margin: float | None
    arm_margin: float | None
    wheel_margin: float | None
    inv_cond_jacobian: float
    inv_cond_stiffness: float
    inv_cond_jacobian_translation: float
    inv_cond_jacobian_rotation: float
    inv_cond_stiffness_translation: float
    inv_cond_stiffness_rotation: float
    stiffness_matrix: FloatArray
    rotation_sensitivity: float
    point_sensitivity: float
    displacement_under_load: float
    tensions: FloatArray
    tension_verdict: Verdict
    natural_frequencies: FloatArray | None
    sag: CableSag | None
    feasible: bool


def evaluate_pose(
    parameters: HybridCableRobot,
    position: Sequence[float] | FloatArray,
    rotation_vector: Sequence[float] | FloatArray,
    wrench: Sequence[float] | FloatArray | None = None,
) -> PoseResult:
    """Test one pose.

    Parameters
    ----------
    parameters : HybridCableRobot
    position : (3,) float, m
        The platform's origin in the world frame.
    rotation_vector : (3,) float, rad
        Platform to world.
    wrench : (6,) float, N and N m, optional
        One external wrench on the platform, force first, about the platform's origin in world
        axes; the record's wrench set when left out.

    Returns
    -------
    PoseResult

    Raises
    ------
    InputError
        When an argument has the wrong shape or is not finite, or the wrench set is that of a
        trajectory that the arm cannot follow.
    """
    if wrench is None:
        require_wrench_set(parameters)
    robot = robot_of(parameters, None if wrench is None else finite_array(wrench, (6,), "wrench"))
    return _pose_result(
        parameters,
        robot,
        finite_array(position, (3,), "position"),
        rotation_matrix(finite_array(rotation_vector, (3,), "rotation_vector")),
    )


def _pose_result(
    parameters: HybridCableRobot, robot: Robot, position: FloatArray, rotation: FloatArray
) -> PoseResult:
    W = wrench_matrix(robot, position, rotation)
    margin = pose_margin(robot, position, rotation)
    distance = least_cable_distance(robot, position, rotation)
    clearance = platform_clearance(robot, position, rotation)
    around, arm, wheels = _surrounding_gaps(parameters, robot, position, rotation)
    K = pose_stiffness(robot, position, rotation, stiffening_tensions(robot, position[None], rotation)[0])
    indices = _indices(robot, W, K, rotation)
    chosen = pose_tensions(robot, W, middle_wrench(robot, rotation), rotation)
    feasible = (
        margin >= -robot.tolerance
        and (not robot.check_platform or clearance >= 0.0)
        and (not robot.check_interference or distance > robot.diameter + robot.clearance)
        and indices["inv_cond_jacobian"] >= SINGULAR_BELOW
        and not limits_fault(robot, position, rotation)
        and (not parameters.check_obstacles or around is None or around > parameters.obstacle_clearance)
        and (arm is None or arm > parameters.obstacle_clearance)
        and (wheels is None or wheels > 0.0)
    )
    return PoseResult(
        lengths=cable_lengths(robot, position, rotation),
        wrench_matrix=W,
        capacity_margin=margin,
        interference_margin=distance - robot.diameter,
        platform_clearance=clearance,
        obstacle_margin=around,
        arm_margin=arm,
        wheel_margin=wheels,
        stiffness_matrix=K,
        tensions=chosen.tensions,
        tension_verdict=chosen.verdict,
        natural_frequencies=_frequencies(parameters, position, rotation),
        sag=_sag(parameters, robot, position, rotation, chosen.tensions),
        feasible=feasible,
        **indices,
    )


def _indices(robot: Robot, W: FloatArray, K: FloatArray, rotation: FloatArray) -> dict[str, float]:
    """Condition numbers and sensitivities of a pose, as :class:`PoseResult` calls them."""
    L, basis = robot.length_scale, basis_at(robot, rotation)
    moves, turns = np.eye(3)[robot.rows[:3] > 0.0], turning_basis(robot, rotation)
    turning, moving = sensitivities(W, L, basis)
    return {
        "inv_cond_jacobian": inv_cond_jacobian(W, L, basis),
        "inv_cond_stiffness": stiffness_condition(robot, W, K, basis),
        "inv_cond_jacobian_translation": inv_cond((moves @ W[:3]).T),
        "inv_cond_jacobian_rotation": inv_cond((turns @ W[3:]).T),
        "inv_cond_stiffness_translation": inv_cond(moves @ K[:3, :3] @ moves.T),
        "inv_cond_stiffness_rotation": inv_cond(turns @ K[3:, 3:] @ turns.T),
        "rotation_sensitivity": turning,
        "point_sensitivity": moving,
        "displacement_under_load": float(np.linalg.norm(displacement(K, robot.test_load, L, basis)[:3])),
    }


def _surrounding_gaps(
    parameters: HybridCableRobot, robot: Robot, position: FloatArray, rotation: FloatArray
) -> list[float | None]:
    """Gaps [m] of cables and platform, of the arm, and of wheels; None each without anything to test."""
    present = (parameters.has_surroundings, parameters.check_arm, len(wheel_pairs(parameters)) > 0)
    if not any(present):
        return [None] * len(present)
    turned = robot._replace(rotations=rotation[None])
    gaps = gaps_at(parameters, turned, position[None])[0].tolist()
    return [gap if tested else None for gap, tested in zip(gaps, present, strict=True)]


def limits_fault(robot: Robot, position: FloatArray, rotation: FloatArray) -> bool:
    """True where a cable is beyond its length, or slower than the platform's speed asks."""
    lengths = cable_lengths(robot, position, rotation)
    rates = cable_rates(robot, position, rotation)
    beyond = (lengths < robot.length_limits[:, 0]) | (lengths > robot.length_limits[:, 1])
    return bool(beyond.any() or rates.max() > robot.rate_limit * (1.0 + RATE_ROUNDING))


def _frequencies(
    parameters: HybridCableRobot, position: FloatArray, rotation: FloatArray
) -> FloatArray | None:
    if not has_inertia(parameters):
        return None
    robot, M = hanging_robot(parameters), mass_matrix(parameters)
    return natural_frequencies(robot, M, position[None], rotation)[0]


def _sag(
    parameters: HybridCableRobot,
    robot: Robot,
    position: FloatArray,
    rotation: FloatArray,
    tensions: FloatArray,
) -> CableSag | None:
    if parameters.cable_density is None or not shortest_is_long_enough(robot, position, rotation):
        return None
    weights = cable_weights(parameters)
    return cable_sag(robot, weights, position[None], rotation, np.maximum(tensions, 0.0)[None])


def pose_margin(robot: Robot, position: FloatArray, rotation: FloatArray) -> float:
    """Capacity margin [N] of a pose, least over the postures of the arm."""
    if not shortest_is_long_enough(robot, position, rotation):
        return WORST_MARGIN
    W = scaled_wrench_matrix(robot, position, rotation)
    margin = min(capacity_margin(W, load) for load in loads_at(robot, rotation))
    return max(margin, WORST_MARGIN)
