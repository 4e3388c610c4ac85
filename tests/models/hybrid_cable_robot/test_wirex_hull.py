"""Hull of a workspace that WireX prints: its own closed form on our wrench matrix, and what it leaves out.

WireX sets out from (0, 0, 1) m along the 258 directions of an octahedron that is halved three times, and
halves the interval of 12 m until 0.1 mm are left. A pose counts as inside where the tensions nearest to the
middle of the limits lie within them (closed form, Pott 2009), without any load.
"""

import numpy as np
import pytest
from scipy.optimize import linprog

from models.hybrid_cable_robot import HybridCableRobot, evaluate_pose, workspace
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.pose import pose_margin
from models.hybrid_cable_robot.robot import robot_of

# README of gldkhoward/WireX (WireX for Python 3), 2024: applyModel("IPAnema1Design"), calculateWorkspace(),
# calculateWorkspaceProperties(). The robot, limits of 1 and 10 N and steps of the hull are WireX's defaults.
VOLUME = 5.731436529861277  # m^3
SURFACE = 17.789244457956457  # m^2
LENGTH = 2.6148040079516472  # m, of every cable at (0, 0, 1) m; wcUnitTest.py of WireX
CENTRE = np.array([0.0, 0.0, 1.0])
CORNERS = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
IPANEMA = {
    "pulleys": [[2.0 * x, 1.5 * y, z] for z in (2.0, 0.0) for x, y in CORNERS],
    "attachments": [[0.06 * x, 0.06 * y, 0.0] for _ in range(2) for x, y in CORNERS],
    "wrench_set": {"center": [0.0] * 6, "half_range": [0.0] * 6},
    "f_min": 1.0,
    "f_max": 10.0,
    "characteristic_length": 1.0,
    "orientations": "nominal",
    "check_interference": False,
    "check_platform": False,
    "space": [[-2.0, -1.5, 0.0], [2.0, 1.5, 2.0]],
    "cells": 40,
}


def halved_octahedron(times):
    """Directions (n, 3) and triangles (k, 3) of an octahedron whose edges are halved."""
    points = [np.array(p, float) for p in np.vstack([np.eye(3), -np.eye(3)])]
    triangles = [(0, 1, 2), (3, 2, 1), (0, 2, 4), (3, 4, 2), (0, 5, 1), (3, 1, 5), (0, 4, 5), (3, 5, 4)]
    for _ in range(times):
        middles, smaller = {}, []
        for triangle in triangles:
            halves = []
            for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True):
                edge = frozenset((a, b))
                if edge not in middles:
                    middles[edge] = len(points)
                    points.append((points[a] + points[b]) / np.linalg.norm(points[a] + points[b]))
                halves.append(middles[edge])
            (a, b, c), (ab, bc, ca) = triangle, halves
            smaller += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = smaller
    return np.array(points), np.array(triangles)


def reach(inside, direction):
    """Distance [m] from the centre to the border along a direction, as WireX searches it."""
    least, greatest, at = 0.0, 12.0, 12.0
    while greatest - least > 1e-4:
        least, greatest = (at, greatest) if inside(CENTRE + at * direction) else (least, at)
        at = (least + greatest) / 2
    return at


def hull(inside, times=3):
    """Volume [m^3] and surface [m^2] within the border."""
    directions, triangles = halved_octahedron(times)
    octant, place = np.unique(np.abs(directions).round(12), axis=0, return_inverse=True)  # its mirror images
    reached = np.array([reach(inside, direction / np.linalg.norm(direction)) for direction in octant])
    border = directions * reached[place.ravel(), None]
    a, b, c = border[triangles].transpose(1, 0, 2)
    surface = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    return np.einsum("ij,ij->", np.cross(a, b), c) / 6, surface


@pytest.fixture(scope="module")
def robot():
    return robot_of(HybridCableRobot.model_validate(IPANEMA))


def test_cables_have_the_lengths_of_wirex():
    pose = evaluate_pose(HybridCableRobot.model_validate(IPANEMA), CENTRE, (0.0, 0.0, 0.0))
    assert pose.lengths == pytest.approx([LENGTH] * 8, rel=1e-15)


def test_the_closed_form_of_wirex_has_its_hull(robot):
    middle = np.full(8, 5.5)

    def inside(position):
        W = wrench_matrix(robot, position, np.eye(3))
        tensions = middle - np.linalg.pinv(W) @ (W @ middle)
        return tensions.min() >= 1.0 and tensions.max() <= 10.0

    assert hull(inside) == pytest.approx((VOLUME, SURFACE), rel=1e-12)


def test_the_exact_test_finds_what_the_closed_form_leaves_out(robot):
    """The closed form misses 39 % of the hull within which linear programmes find tensions."""

    def held(position):
        W = wrench_matrix(robot, position, np.eye(3))
        return linprog(np.zeros(8), A_eq=W, b_eq=np.zeros(6), bounds=(1.0, 10.0)).status == 0

    def exact(position):
        return pose_margin(robot, position, np.eye(3)) >= 0.0

    ours, _ = hull(exact)
    programmes, _ = hull(held)
    assert ours == pytest.approx(programmes, rel=1e-4)
    assert VOLUME / ours == pytest.approx(0.614, abs=1e-3)
    finer, _ = hull(exact, 4)
    cells = workspace(HybridCableRobot.model_validate(IPANEMA)).volume
    assert ours < finer < cells < 1.02 * finer  # triangles between points of a bulging border lie inside
