"""Every form of the cable vector and of the scaled wrench matrix against ``cables``."""

import numpy as np
import pytest

from models.hybrid_cable_robot.bounds.ray_kernels import fill_rays, new_rays
from models.hybrid_cable_robot.cables.geometry import cable_motion, cable_vectors, scaled_wrench_matrix
from models.hybrid_cable_robot.cables.geometry_kernels import fill_matrix
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.stiffness import inv_cond, inv_cond_jacobian, pose_stiffness, within_pattern
from models.hybrid_cable_robot.stiffness_kernels import stiffness_conditions
from models.hybrid_cable_robot.trajectory import PlatformMotion
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from models.jit import entry
from tests.models.hybrid_cable_robot.layouts import EIGHT, LAYOUTS, layout


@entry
def matrix_of(robot, rotation, position, W):
    """The kernel that only other kernels call."""
    return fill_matrix(robot, rotation, position, W)


@entry
def rays_of(robot, rotation, center, radius, rays):
    """The kernel that only other kernels call."""
    return fill_rays(robot, rotation, center, radius, rays)


def poses(name):
    robot, positions = layout(name)
    for i, position in enumerate(positions):
        yield robot, position, robot.rotations[i % len(robot.rotations)]


@pytest.mark.parametrize("name", LAYOUTS)
def test_vectors_of_one_pose(name):
    for robot, position, rotation in poses(name):
        vectors = cable_vectors(robot, position, rotation)
        lengths = np.linalg.norm(vectors, axis=1)
        cables = np.empty((len(vectors), 7))
        cable_distance(robot, rotation, position, cables)
        np.testing.assert_allclose(cables[:, :3] + vectors, robot.pulleys, atol=1e-15)
        np.testing.assert_allclose(cables[:, 3:6] * cables[:, 6:], vectors, atol=1e-15)
        rays = new_rays(len(vectors))
        assert rays_of(robot, rotation, position, 1e-3, rays)
        np.testing.assert_allclose(rays.units * rays.lengths[:, None], vectors, atol=1e-15)
        still = np.zeros((1, 3))
        motion = PlatformMotion(position[None], rotation[None], still, still, still, still)
        np.testing.assert_allclose(cable_motion(robot, motion).lengths[0], lengths, rtol=1e-15)


@pytest.mark.parametrize("name", LAYOUTS)
def test_wrench_matrix_of_one_pose(name):
    for robot, position, rotation in poses(name):
        expected, W = scaled_wrench_matrix(robot, position, rotation), np.empty((6, len(robot.pulleys)))
        assert matrix_of(robot, rotation, position, W)
        np.testing.assert_allclose(W, expected, atol=1e-14)
        rays = new_rays(len(robot.pulleys))
        assert rays_of(robot, rotation, position, 1e-3, rays)
        np.testing.assert_allclose(rays.W, expected, atol=1e-14)


@pytest.mark.parametrize("name", LAYOUTS)
def test_lengths_in_the_stiffness(name):
    """With the stiffness EA / l the condition number of K depends on the length of every cable."""
    robot, positions = layout(name)
    robot = robot._replace(axial=True)
    found, none = np.empty(len(positions)), np.zeros((len(positions), len(robot.pulleys)))
    stiffness_conditions(robot, positions, none, found)
    expected = [
        inv_cond(within_pattern(pose_stiffness(robot, x, robot.rotations[0], none[0]), robot.length_scale))
        for x in positions
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("name", EIGHT)
def test_wrench_matrices_of_many_positions(name):
    """The vector kernels leave the condition number of the matrix."""
    robot, positions = layout(name)
    found = empty_results(len(positions))
    driver.test_cells(robot, True, positions, wrench_scratch(robot), found)
    expected = [inv_cond_jacobian(scaled_wrench_matrix(robot, x, robot.rotations[0]), 1.0) for x in positions]
    np.testing.assert_allclose(found.conditions_j, expected, rtol=1e-9)
