"""Distances between cables and chords in the platform: closed forms and properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.hybrid_cable_robot import MODEL, workspace
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.cell_test_kernels import test_cells as fill_cells
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.collisions.distances import (
    chord_clearance,
    least_cable_distance,
    nearest_share,
    segment_distance,
)
from models.hybrid_cable_robot.presets import CONSTRAINED_ATTACHMENTS
from models.hybrid_cable_robot.robot import robot_of, rotation_matrix
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from tests.models.hybrid_cable_robot.robots import bare_robot
from tests.models.hybrid_cable_robot.test_bounds import verdicts_of
from tests.oracles.cable_robot_certificates import decide_cables
from tests.repetition import repeated

numbers = st.floats(-2, 2).map(lambda x: round(x, 6))
points = st.tuples(numbers, numbers, numbers).map(np.array)
BOX = np.array([0.3, 0.2, 0.1])


def compiled_distance(p, q, r, s):
    robot = bare_robot([q, s], [p, r])
    return np.sqrt(cable_distance(robot, np.eye(3), np.zeros(3), np.empty((2, 7))))


def compiled_clearance(origin, vector, rotation=None, position=(0.0, 0.0, 0.0)):
    turn = np.eye(3) if rotation is None else rotation
    goal = np.array(position) + turn @ (np.array(origin, float) + vector)
    robot = bare_robot([goal], [origin], half_size=BOX)
    return platform_clearance(robot, turn, np.array(position, float))


@pytest.mark.parametrize(
    ("segments", "distance"),
    [
        (([-1, 0, 0], [1, 0, 0], [0, -1, 0.5], [0, 1, 0.5]), 0.5),  # crossing at a height
        (([-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]), 0.0),  # crossing
        (([0, 0, 0], [1, 0, 0], [0, 0.3, 0], [1, 0.3, 0]), 0.3),  # parallel
        (([0, 0, 0], [1, 0, 0], [2, 0.0, 0], [3, 0.0, 0]), 1.0),  # in line
        (([0, 0, 0], [1, 0, 0], [0.5, 0, 0], [3, 0.0, 0]), 0.0),  # overlapping
        (([0, 0, 0], [1, 0, 0], [4, 4, 0], [4, 5, 0]), 5.0),  # end to end
        (([0, 0, 0], [1, 0, 0], [0.5, 0.2, 0], [0.5, 3, 0]), 0.2),  # side to end
        (([0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 1, 1]), 0.0),  # a shared end
    ],
)
def test_segment_distances_of_closed_form(segments, distance):
    assert segment_distance(*np.array(segments, float)) == pytest.approx(distance, abs=1e-15)
    assert compiled_distance(*np.array(segments, float)) == pytest.approx(distance, abs=1e-15)


@given(points, points, points, points)
def test_segment_distance_is_the_least_over_both_and_symmetric(p, q, r, s):
    distance = segment_distance(p, q, r, s)
    assert distance == pytest.approx(segment_distance(r, s, q, p), abs=1e-9)
    share = np.linspace(0, 1, 41)[:, None]
    sampled = np.linalg.norm((p + share * (q - p))[:, None] - (r + share * (s - r))[None], axis=2).min()
    spacing = (np.linalg.norm(q - p) + np.linalg.norm(s - r)) / 80
    assert distance <= sampled + 1e-9
    assert sampled <= distance + spacing + 1e-9


@given(points, points, points, points)
def test_compiled_distance_is_the_plain_one(p, q, r, s):
    if min(np.linalg.norm(q - p), np.linalg.norm(s - r)) > 1e-3:
        assert compiled_distance(p, q, r, s) == pytest.approx(segment_distance(p, q, r, s), abs=1e-7)


@given(st.tuples(points, points, points, points), points, points)
def test_segment_distance_does_not_depend_on_the_frame(ends, shift, turn):
    moved = [rotation_matrix(turn) @ x + shift for x in ends]
    assert segment_distance(*moved) == pytest.approx(segment_distance(*ends), abs=1e-7)


def test_point_of_a_segment_without_length():
    zero = np.zeros(3)
    assert nearest_share(np.array([3.0, 4.0, 0.0]), zero, zero) == 0.0
    assert segment_distance(np.array([3.0, 4.0, 0.0]), np.array([3.0, 4.0, 0.0]), zero, zero) == 5.0
    assert segment_distance(zero, zero, zero, zero) == 0.0


@pytest.mark.parametrize(
    ("origin", "vector", "clearance"),
    [
        ([-1.0, 0, 0], [2.0, 0, 0], -0.6),  # through the middle: a chord of the box's length
        ([0.3, 0, 0], [1.0, 0, 0], 0.0),  # from a face outwards
        ([0.3, 0, 0], [-1.0, 0, 0], -0.6),  # from a face inwards
        ([0.0, 0, 0], [0.05, 0, 0], -0.05),  # wholly inside: the whole length
        ([0.4, 0, 0], [1.0, 0, 0], 0.1),  # beside and away from it
        ([-1.0, 0.2, 0], [2.0, 0, 0], 2.0),  # along a face: the open box is not met
        ([-1.0, 0.5, 0], [2.0, 0, 0], 2.0),  # parallel and beside
        ([0.0, 0.0, 0.5], [0.0, 0.0, 0.0], 0.0),  # no length
    ],
)
def test_chords_of_closed_form(origin, vector, clearance):
    assert chord_clearance(np.array(origin), np.array(vector), BOX) == pytest.approx(clearance, abs=1e-12)
    if np.any(vector):
        assert compiled_clearance(origin, np.array(vector)) == pytest.approx(clearance, abs=1e-12)


@given(points, points)
def test_chord_is_the_length_of_what_lies_inside(origin, vector):
    clearance = chord_clearance(origin, vector, BOX)
    length = np.linalg.norm(vector)
    assert abs(clearance) <= length
    share = (np.arange(2000) + 0.5) / 2000
    inside = np.all(np.abs(origin + share[:, None] * vector) < BOX, axis=1).mean() * length
    assert max(0.0, -clearance) == pytest.approx(inside, abs=2e-3 * length + 1e-12)


@given(points, points, points, points)
def test_chords_are_found_in_the_platforms_own_frame(origin, vector, turn, position):
    clearance = chord_clearance(origin, vector, BOX)
    if abs(clearance) > 1e-9 and np.linalg.norm(vector) > 1e-6:
        moved = compiled_clearance(origin, vector, rotation_matrix(turn), position)
        assert (moved < 0) == (clearance < 0)
        assert moved > 0 or moved == pytest.approx(clearance, abs=1e-9)


PARTED = (0.0, 0.9e-9, 2e-9)


def parted(gap, **settings):
    """The constrained layout, the attachments of cables 1 and 2 a little apart."""
    attachments = [list(point) for point in CONSTRAINED_ATTACHMENTS]
    attachments[1][0] += gap
    return MODEL.resolve(
        "constrained", {"cells": 12, "weight_moment": "ignored", "attachments": attachments, **settings}
    )


@pytest.mark.parametrize("relief", [0.0, 0.02, 0.05, 0.4])
def test_no_cliff_where_attachments_part_by_a_nanometre(relief):
    """Vector kernels, scalar kernel, plain numpy and bounds agree."""
    verdicts, scalar_verdicts, proofs, poses = [], [], [], []
    for gap in PARTED:
        parameters = parted(gap, attachment_relief=relief)
        robot, grid = robot_of(parameters), grid_of(parameters)
        centers = grid.centers()
        found = empty_results(len(centers))
        fill_cells(robot, False, centers, wrench_scratch(robot), found)
        scalar_verdicts.append(found.verdicts.tolist())
        verdicts.append(workspace(parameters).verdicts.ravel().tolist())
        poses.append([least_cable_distance(robot, center, np.eye(3)) for center in centers[::97]])
        blocks = centers[::41]
        proofs.append(verdicts_of(robot, blocks, np.full((len(blocks), 3), 0.01)).tolist())
    assert verdicts == scalar_verdicts
    for each in (verdicts, proofs):
        assert each[0] == each[1] == each[2]
    np.testing.assert_allclose(poses[1:], [poses[0]] * 2, rtol=0, atol=1e-8)
    assert (0 in verdicts[0]) == (relief > 0)  # cables touch at their common attachment without relief


def test_cables_with_a_common_attachment_touch_beyond_the_relief():
    """Two cables that leave one point side by side: 1 deg apart they are closer than 2 mm for 11 cm."""
    directions = np.array([[np.sin(a), 0.0, np.cos(a)] for a in (0.0, np.radians(1.0))])
    for relief in (0.0, 0.03, 0.2, 1.5):
        for reliefs, ends in (
            ([relief, 0.0], (directions, np.zeros((2, 3)))),
            ([0.0, relief], (np.zeros((2, 3)), directions)),
        ):
            robot = bare_robot(*ends, reliefs=np.array([reliefs]))
            found = cable_distance(robot, np.eye(3), np.zeros(3), np.empty((2, 7)))
            gap = 2.0 * min(relief, 1.0) * np.sin(np.radians(0.5))
            assert np.sqrt(found) == pytest.approx(gap, rel=1e-9, abs=1e-12)
            assert least_cable_distance(robot, np.zeros(3), np.eye(3)) == pytest.approx(
                gap, rel=1e-9, abs=1e-12
            )


def double_pulleys(gap, **settings):
    """Eight cables from four pairs of pulleys, ``gap`` [m] apart, to the corners of a platform."""
    corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    pulleys = [
        (*(0.9 * c + sign * gap / 2 * np.array([c[1], -c[0]]) / np.sqrt(2)), 1.0)
        for c in corners
        for sign in (1, -1)
    ]
    sides = [
        np.array((c[0], 0)) if first else np.array((0, c[1])) for c in corners for first in (True, False)
    ]
    attachments = [(*(0.15 * side), z) for side, z in zip(sides, [0.1, -0.1] * 4, strict=True)]
    return MODEL.resolve(
        "suspended",
        {
            "pulleys": [list(map(float, point)) for point in pulleys], "attachments": attachments,
            "space": [[-0.8] * 3, [0.8, 0.8, 0.9]], "platform_half_size": [0.05, 0.05, 0.1], "f_max": 1e3,
            "cells": 10, "weight_moment": "ignored", "wrench_set": "gravity", "orientations": "nominal", **settings,
        },
    )  # fmt: skip


def test_cables_that_share_a_pulley_have_the_workspace_of_pulleys_side_by_side():
    shared, apart = (workspace(double_pulleys(gap, orientations="nominal")) for gap in (0.0, 0.004))
    assert apart.volume > 0.05
    assert shared.volume >= apart.volume  # side by side, some cables touch that the relief lets touch
    assert workspace(double_pulleys(0.0, attachment_relief=0.0)).volume == 0
    robot = robot_of(double_pulleys(0.0))
    small = np.full((1, 3), 1e-4)
    assert decide_cables(robot, np.zeros(3), small[0], np.eye(3)) == INSIDE
    assert verdicts_of(robot, np.zeros((1, 3)), small).tolist() == [INSIDE]


@pytest.mark.parametrize("seed", repeated(range(12), quick=range(3)))
def test_thicker_cables_and_wider_gaps_never_enlarge_a_workspace(seed):
    rng = np.random.default_rng(seed)
    attachments = np.array(CONSTRAINED_ATTACHMENTS) + rng.uniform(-4e-3, 4e-3, (8, 3))
    for name in ("cable_diameter", "clearance"):
        before = None
        for size in (0.0, 1e-3, 3e-3, 4e-3, 8e-3):
            settings = {"cells": 10, "attachments": attachments.tolist(), "check_platform": False, name: size}
            found = workspace(MODEL.resolve("constrained", settings)).feasible
            assert before is None or not np.any(found & ~before)
            before = found
