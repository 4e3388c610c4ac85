"""Wheels: tangent points, lengths, their derivatives, and every kernel against the definitions."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from models import Evaluation
from models.hybrid_cable_robot import (
    MODEL,
    HybridCableRobot,
    cell_test_kernels,
    evaluate_pose,
    follow_trajectory,
    workspace,
)
from models.hybrid_cable_robot.cables.geometry import (
    cable_lengths,
    cable_motion,
    cable_vectors,
    wrench_matrix,
)
from models.hybrid_cable_robot.cables.pulleys import wheel_arcs, wheel_circles, wraps
from models.hybrid_cable_robot.cell_results import WHEELS as OVERLAPPING
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.obstacles.gaps import gaps_at
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.simd.driver import test_cells as vector_cells
from models.hybrid_cable_robot.stiffness import geometric_stiffness, pose_stiffness
from models.hybrid_cable_robot.trajectory import QUINTIC_4S
from models.hybrid_cable_robot.trajectory_sampling import sample
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import block_conditions, responses
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from tests.left_out import package
from tests.oracles import cable_robot_cells

STEP = 1e-6
A, B = np.array([-0.5, -0.4, 0.5]), np.array([0.1, 0.05, -0.1])
RNG = np.random.default_rng(10)
WHEELS = {"cells": 9, "pulley_radius": 0.03, "cable_stiffness": [900.0, 1000, 1100, 1200, 80, 90, 100, 110]}


def wheeled(**changes):
    tilted = Rotation.from_rotvec(RNG.uniform(-0.4, 0.4, 3)).apply([0.0, 0.0, 1.0])
    axes = [tilted.tolist()] * 4 + [(-tilted).tolist()] * 4
    return HybridCableRobot(**{**WHEELS, "pulley_axis": axes, "orientations": "nominal", **changes})


def poses(count):
    for _ in range(count):
        yield RNG.uniform(-0.2, 0.2, 3), Rotation.from_rotvec(RNG.uniform(-0.3, 0.3, 3)).as_matrix()


def moved(position, rotation, twist):
    return position + twist[:3], Rotation.from_rotvec(twist[3:]).as_matrix() @ rotation


def test_length_and_direction_are_those_of_an_independent_code():
    found = wraps((A - B)[None], np.array([0.03]), np.array([[0.0, 0.0, 1.0]]))
    assert found.lengths[0] == pytest.approx(1.0056761785, abs=1e-10)
    assert np.degrees(found.angles[0]) == pytest.approx(131.6398763, abs=2e-6)
    u = found.vectors[0] / np.linalg.norm(found.vectors[0])
    np.testing.assert_allclose(u, [-0.59786866, -0.44840149, 0.66444652], atol=1e-8)


def test_a_small_wheel_is_an_eyelet():
    found = wraps((A - B)[None], np.array([1e-9]), np.array([[0.0, 0.0, 1.0]]))
    assert found.lengths[0] == pytest.approx(0.9604686356, abs=1e-8)
    np.testing.assert_allclose(found.vectors[0], A - B, atol=1e-8)


def test_the_free_part_ends_where_the_wheel_is_touched():
    for _ in range(50):
        straight, axis = RNG.normal(size=3), RNG.normal(size=3)
        axis /= np.linalg.norm(axis)
        found = wraps(straight[None], np.array([0.2]), axis[None])
        spoke = found.vectors[0] - straight - found.centers[0]  # from the centre to the tangent point
        assert np.linalg.norm(spoke) == pytest.approx(0.2, rel=1e-12)
        assert spoke @ found.vectors[0] == pytest.approx(0.0, abs=1e-12)
        (arc,) = wheel_arcs(straight[None], np.array([0.2]), axis[None])
        (circle,) = wheel_circles(straight[None], np.array([0.2]), axis[None])
        np.testing.assert_allclose(arc[0], found.vectors[0] - straight, atol=1e-12)
        np.testing.assert_allclose(arc[-1], 0.0, atol=1e-12)
        drawn = np.linalg.norm(np.diff(arc, axis=0), axis=1).sum()
        assert drawn == pytest.approx(0.2 * found.angles[0], rel=2e-3)
        np.testing.assert_allclose(np.linalg.norm(circle - found.centers[0], axis=1), 0.2)


def test_lengths_change_by_minus_the_columns_of_the_wrench_matrix():
    robot = robot_of(wheeled())
    for position, rotation in poses(20):
        ends = [
            [cable_lengths(robot, *moved(position, rotation, sign * STEP * twist)) for sign in (1, -1)]
            for twist in np.eye(6)
        ]
        jacobian = np.array([(above - below) / (2 * STEP) for above, below in ends])
        np.testing.assert_allclose(jacobian, -wrench_matrix(robot, position, rotation), atol=1e-8)


def test_stiffness_is_the_decrease_of_the_wrench_at_constant_tensions():
    robot = robot_of(wheeled())
    tensions = RNG.uniform(1, 20, 8)
    for position, rotation in poses(10):
        ends = [
            [wrench_matrix(robot, *moved(position, rotation, s * STEP * twist)) @ tensions for s in (1, -1)]
            for twist in np.eye(6)
        ]
        K = -np.array([(above - below) / (2 * STEP) for above, below in ends]).T
        np.testing.assert_allclose(geometric_stiffness(robot, position, rotation, tensions), K, atol=1e-6)


def test_cable_motion_is_the_derivative_of_the_lengths():
    robot, path = robot_of(wheeled(), np.zeros(6)), sample(QUINTIC_4S, 4001)
    found, dt = cable_motion(robot, path.platform), path.times[1]
    lengths = np.array(
        [
            cable_lengths(robot, *pose)
            for pose in zip(path.platform.position, path.platform.rotation, strict=True)
        ]
    )
    np.testing.assert_allclose(found.lengths, lengths, atol=1e-12)
    np.testing.assert_allclose(np.gradient(lengths, dt, axis=0)[2:-2], found.speeds[2:-2], atol=1e-6)
    np.testing.assert_allclose(
        np.gradient(found.speeds, dt, axis=0)[2:-2], found.accelerations[2:-2], atol=1e-5
    )


@pytest.mark.parametrize("orientations", ["nominal", "corners"])
def test_kernels_give_what_the_definition_gives(orientations):
    parameters = wheeled(orientations=orientations, cells=7, wrench_set="gravity")
    found, robot = workspace(parameters), robot_of(parameters)
    expected = cable_robot_cells.evaluate_cells(robot, found.grid.centers(), every_index=False)
    np.testing.assert_array_equal(found.verdicts.ravel(), expected.verdicts)
    assert found.feasible.any()
    np.testing.assert_allclose(found.capacity_margins.ravel(), expected.margins, atol=1e-9)
    np.testing.assert_allclose(
        found.interference_margins.ravel(), expected.distances - robot.diameter, atol=1e-12
    )
    np.testing.assert_allclose(found.inv_cond_jacobian.ravel(), expected.conditions_j, atol=1e-12)


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_vector_kernels_give_what_the_scalar_ones_give(preset):
    radii = [0.03, 0.0, 0.05, 0.03, 0.02, 0.01, 0.03, 0.1]
    robot = robot_of(MODEL.resolve(preset, {"cells": 14, "pulley_radius": radii, "wrench_set": "gravity"}))
    centers = grid_of(HybridCableRobot(cells=14)).centers()
    vector, scalar = empty_results(len(centers)), empty_results(len(centers))
    doubtful = vector_cells(robot, True, centers, wrench_scratch(robot), vector)
    cell_test_kernels.test_cells(robot, True, centers, wrench_scratch(robot), scalar)
    assert doubtful.mean() < 0.01
    np.testing.assert_array_equal(vector.verdicts, scalar.verdicts)
    assert len(np.unique(scalar.verdicts)) > 1
    for one, other in zip(vector[1:], scalar[1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("axial", [None, 500.0])
def test_compiled_stiffness_knows_that_wheels_swivel(axial):
    parameters = wheeled(geometric_stiffness=True, axial_stiffness=axial, wrench_set="gravity")
    robot, positions = robot_of(parameters), RNG.uniform(-0.1, 0.1, (12, 3))
    poses = [evaluate_pose(parameters, x, [0, 0, 0]) for x in positions]
    found, moves = block_conditions(robot, positions), responses(robot, positions)
    held = [pose.tension_verdict == "held" for pose in poses]
    assert sum(held) > 3
    for pose, blocks, response in zip(poses, found, moves, strict=True):
        assert blocks[0] == pytest.approx(pose.inv_cond_stiffness_translation, rel=1e-8)
        assert blocks[1] == pytest.approx(pose.inv_cond_stiffness_rotation, rel=1e-8)
        assert response[0] == pytest.approx(pose.displacement_under_load, rel=1e-8)


def test_stored_energy_of_elastic_cables_gives_the_same_stiffness():
    parameters = wheeled(axial_stiffness=500.0, geometric_stiffness=True, wrench_set="gravity")
    robot = robot_of(parameters, np.zeros(6))
    position, rotation = np.array([0.02, -0.03, 0.01]), np.eye(3)
    tensions = RNG.uniform(2, 10, 8)
    lengths = cable_lengths(robot, position, rotation)
    unstretched = 500.0 * lengths / (500.0 + tensions)

    def wrench(twist):
        place = moved(position, rotation, twist)
        pulls = 500.0 * (cable_lengths(robot, *place) / unstretched - 1.0)
        return wrench_matrix(robot, *place) @ pulls

    K = -np.array([(wrench(STEP * e) - wrench(-STEP * e)) / (2 * STEP) for e in np.eye(6)]).T
    elastic = pose_stiffness(
        robot._replace(stiffness=500.0 * lengths / unstretched), position, rotation, tensions
    )
    np.testing.assert_allclose(elastic, K, rtol=1e-6, atol=1e-4)


def test_a_wheel_that_holds_an_attachment_is_infeasible():
    parameters = HybridCableRobot(cells=4, pulley_radius=2.0)
    assert not workspace(parameters).feasible.any()
    outcome = MODEL.evaluate(parameters, "all", 0)
    assert 0 < outcome.violation < np.inf
    assert not evaluate_pose(parameters, [0, 0, 0], [0, 0, 0]).feasible
    assert not cable_vectors(robot_of(parameters), np.zeros(3), np.eye(3)).any()


def test_wheels_of_the_lower_pulleys_are_reached_from_above():
    robot = robot_of(HybridCableRobot(pulley_radius=0.02))
    np.testing.assert_array_equal(robot.swivels[:, 2], np.sign(robot.pulleys[:, 2]))
    angles = wraps(robot.pulleys, robot.wheels, robot.swivels).angles
    assert (angles > np.pi / 2).all()


def test_the_scene_shows_wheels_and_cables_that_lie_on_them():
    shapes = {
        shape.name: shape for shape in MODEL.scene(HybridCableRobot(cells=6, pulley_radius=0.05)).shapes
    }
    robot = robot_of(HybridCableRobot(cells=6, pulley_radius=0.05))
    for number in range(1, 9):
        cable, wheel = shapes[f"cable {number}"].points, shapes[f"pulley {number}"].points
        np.testing.assert_allclose(cable[-1], robot.pulleys[number - 1], atol=1e-12)
        assert np.linalg.norm(wheel - wheel.mean(axis=0), axis=1).max() == pytest.approx(0.05, rel=0.1)


CLOSE = {  # a point mass on two pulleys beside each other and three far away
    "freedoms": "3T", "attachments": [[0, 0, 0]] * 5, "wrench_set": "gravity", "cells": 9, "cable_diameter": 0.004,
    "pulleys": [[-0.1, 0, 1], [0.1, 0, 1], [0, 1, 1], [0, -1, 1], [-1, 0, 1]], "trajectory_samples": 9,
}  # fmt: skip


def close(**changes):
    return HybridCableRobot(**{**CLOSE, **changes})


@pytest.mark.parametrize(
    ("place", "gap"),
    [
        ((0.0, 0.0, 0.0), 0.0),  # the wheels face each other and touch
        ((0.5, 0.0, 0.0), 0.2 - 2 * 0.05),  # one behind the other
        ((0.0, 1e4, 0.0), 0.2 - 0.004),  # side by side, as thick as their cables
    ],
)
def test_the_gap_of_two_wheels_in_parallel_planes(place, gap):
    found = evaluate_pose(close(pulley_radius=0.05), place, (0.0, 0.0, 0.0)).wheel_margin
    assert found == pytest.approx(gap, abs=1e-5)
    for nothing in ({"pulley_radius": 0.01}, {"pulley_radius": 0.05, "check_interference": False}):
        assert evaluate_pose(close(**nothing), place, (0.0, 0.0, 0.0)).wheel_margin is None


def test_gaps_of_wheels_are_those_of_coal():
    coal = package("coal", "wheels beside coal")
    parameters = HybridCableRobot(
        pulleys=RNG.uniform(-0.12, 0.12, (8, 3)).tolist(), pulley_radius=[0.02, 0.05] * 4, orientations="corners",
        pulley_axis=RNG.normal(size=(8, 3)).tolist(),
    )  # fmt: skip
    robot, overlaps = robot_of(parameters), 0
    for position in RNG.uniform(-1.0, 1.0, (60, 3)):
        expected = min(_wheels_in_coal(coal, robot, position, rotation) for rotation in robot.rotations)
        found = gaps_at(parameters, robot, position[None])[0, 2]
        if expected > 1e-6:
            assert found == pytest.approx(expected, abs=3e-6)
        else:
            overlaps += 1
            assert found <= 3e-6
    assert overlaps


def _wheels_in_coal(coal, robot, position, rotation):
    """Least distance of two wheels, which lie on their pulley points."""
    straight = robot.pulleys - position - robot.attachments @ rotation.T
    centers = wraps(straight, robot.wheels, robot.swivels).centers
    wheels = []
    for radius, axis, center, pulley in zip(robot.wheels, robot.swivels, centers, robot.pulleys, strict=True):
        axle = np.cross(axis, center / radius)
        R = np.stack([axis, center / radius, axle], axis=1)
        wheels.append((coal.Cylinder(radius, robot.diameter), coal.Transform3s(R, pulley + center)))
    found = []
    for one, other in zip(*np.triu_indices(len(wheels), 1), strict=True):
        result = coal.DistanceResult()
        coal.distance(*wheels[one], *wheels[other], coal.DistanceRequest(), result)
        found.append(result.min_distance)
    return min(found)


def above(height, aside=0.0, **changes):
    """Two pulleys above each other; their wheels lie in one plane where the point mass does, too."""
    pulleys = [[-0.5, 0, 1], [-0.5 + aside, 0, 1 + height], *CLOSE["pulleys"][2:4], [1, 0, 1]]
    return close(pulleys=pulleys, cable_diameter=0.0005, **changes)


def test_cells_and_paths_with_overlapping_wheels_fail():
    settings = {
        "height": 0.05,
        "aside": 0.08,
        "trajectory": {"platform_positions": [[0, 0, 0], [0.001, 0, 0]]},
    }
    wide = above(**settings, pulley_radius=0.055)
    cells = workspace(wide)
    gaps = gaps_at(wide, robot_of(wide), cells.grid.centers())[:, 2]
    touching = gaps.reshape(cells.feasible.shape) <= 0.0
    assert 0 < touching.sum() < touching.size
    assert not cells.feasible[touching].any()
    assert touching[cells.verdicts == OVERLAPPING].all()
    assert cells.counters["failed_wheels"] > 0
    path = follow_trajectory(wide)
    assert (path.gaps.wheel_margins <= 0.0).all()
    assert not path.gaps.free
    assert follow_trajectory(above(**settings, pulley_radius=0.03)).gaps.free


def test_wheels_overlap_by_ever_less_until_they_do_not():
    numbers = []
    for radius in (0.08, 0.06, 0.045, 0.03):
        found = MODEL.evaluate(above(0.08, pulley_radius=radius), "workspace", 0)
        numbers.append(0.0 if isinstance(found, Evaluation) else found.violation)
        assert not numbers[-1] or "wheels of pulleys overlap" in found.reason
    assert numbers == sorted(numbers, reverse=True)
    assert (numbers[-2] > 0.0, numbers[-1]) == (True, 0.0)
