"""Obstacles, the floor and the arm: gaps beside coal, monotony, and what is refused."""

import itertools

import numpy as np
import pytest

from errors import InputError
from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, evaluate_pose, follow_trajectory
from models.hybrid_cable_robot.arm.posture import arm_lines
from models.hybrid_cable_robot.obstacles.arrays import solids_of
from models.hybrid_cable_robot.obstacles.gaps import gaps_at
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.scalar_grid import VERDICTS
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.workspace import tested_cells as results_of
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from models.numerics.rotations import rotation_matrix
from models.numerics.triangle_trees import MOST_TRIANGLES
from tests.left_out import package

TETRAHEDRON = {
    "vertices": [[0.0, 0.0, 0.1], [0.05, 0.0, -0.03], [-0.04, 0.06, 0.0], [-0.03, -0.05, -0.02]],
    "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
}
SOLIDS = [
    {
        "kind": "box",
        "half_size": [0.05, 0.08, 0.03],
        "position": [0.3, 0.2, 0.1],
        "rotation": [0.3, 0.2, 0.1],
    },
    {
        "kind": "cylinder",
        "radius": 0.04,
        "length": 0.2,
        "position": [-0.3, 0.1, 0.0],
        "rotation": [1.0, 0.0, 0.3],
    },
    {
        "kind": "capsule",
        "radius": 0.03,
        "length": 0.3,
        "position": [0.0, -0.3, -0.1],
        "rotation": [0.0, 0.5, 0.0],
    },
    {"kind": "mesh", "mesh": TETRAHEDRON, "position": [0.1, 0.3, -0.2], "rotation": [0.4, 0.0, 0.9]},
]
CYLINDER = {"kind": "cylinder", "radius": 0.06, "length": 0.08}
POSTURES = [[0.0, -1.5, 3.0, 0.0, 0.0, 0.0], [1.0, -1.0, 2.0, 0.3, 0.2, 0.1]]
WEIGHT = {"wrench_set": "gravity", "weight_moment": "ignored", "cells": 16}


def resolved(**settings):
    return MODEL.resolve("suspended", {**WEIGHT, **settings})


def volume(**settings):
    return workspace(resolved(**settings)).volume


def in_coal(coal, parameters, position, rotation):
    """Shapes, places and radii of everything at a pose: obstacles, cables without a part, platform, arm."""
    robot = robot_of(parameters)

    def segment(start, end):
        z = (end - start) / max(np.linalg.norm(end - start), 1e-12)
        x = np.cross(z, [0.3, 0.5, 0.7])
        R = np.stack([x / np.linalg.norm(x), np.cross(z, x / np.linalg.norm(x)), z], axis=1)
        return coal.Capsule(0.0, np.linalg.norm(end - start)), coal.Transform3s(R, (start + end) / 2)

    def solid(shape):
        if shape.kind == "box":
            return coal.Box(*(2.0 * np.array(shape.half_size)))
        if shape.kind == "cylinder":
            return coal.Cylinder(shape.radius, shape.length)
        if shape.kind == "capsule":
            return coal.Capsule(shape.radius, shape.length)
        points = coal.StdVec_Vec3s()
        points.extend([np.array(vertex) for vertex in shape.mesh.vertices])
        return coal.Convex.convexHull(points, False, "")

    obstacles = [
        (
            solid(each),
            coal.Transform3s(rotation_matrix(np.array(each.rotation)), np.array(each.position)),
            0.0,
        )
        for each in parameters.obstacles
    ]
    ends = position + robot.attachments @ rotation.T
    steps = robot.pulleys - ends
    part = parameters.attachment_relief / np.linalg.norm(steps, axis=1)[:, None]
    radius = parameters.cable_diameter / 2
    cables = [(*segment(a, b), radius) for a, b in zip(ends, robot.pulleys - part * steps, strict=True)]
    near_arm = [(*segment(a, b), radius) for a, b in zip(ends + part * steps, robot.pulleys, strict=True)]
    shape = parameters.platform_shape
    box = coal.Box(*(2.0 * np.array(parameters.platform_half_size))) if shape is None else solid(shape)
    platform = (box, coal.Transform3s(rotation, position), 0.0)
    arm = []
    for posture in parameters.arm_postures:
        line = arm_lines(parameters, np.zeros(3), np.array(posture))[0].points
        base = rotation_matrix(np.array(parameters.arm_base_rotation))
        from models.hybrid_cable_robot.arm.kinematics import forward_kinematics

        _, turned = forward_kinematics(np.array(posture))
        line = [*line, line[-1] + base @ turned[-1] @ np.array(parameters.arm_links[-1].centre_of_mass)]
        corners = position + np.array(line) @ rotation.T
        arm += [(*segment(a, b), parameters.arm_radii) for a, b in itertools.pairwise(corners)]
    return obstacles, cables, near_arm, platform, arm


def least(coal, firsts, seconds):
    request = coal.DistanceRequest()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 1000
    gaps = []
    for (shape, place, radius), (other, there, reach) in itertools.product(firsts, seconds):
        distance = coal.distance(shape, place, other, there, request, coal.DistanceResult())
        gaps.append(max(distance, 0.0) - radius - reach)
    return min(gaps)


@pytest.mark.parametrize("shape", [None, CYLINDER, {"kind": "mesh", "mesh": TETRAHEDRON}])
def test_gaps_are_those_of_coal(shape):
    coal = package("coal", "gaps beside coal")
    changes = {} if shape is None else {"platform_shape": shape}
    parameters = resolved(
        obstacles=SOLIDS, arm_postures=POSTURES, orientations="nominal", check_arm=True, **changes
    )
    random, apart = np.random.default_rng(1), 0
    for position in random.uniform(-0.3, 0.3, (150, 3)):
        obstacles, cables, near_arm, platform, arm = in_coal(coal, parameters, position, np.eye(3))
        expected = [
            least(coal, [*cables, platform], obstacles),
            min(least(coal, arm, obstacles), least(coal, arm, near_arm)),
        ]
        found = gaps_at(parameters, robot_of(parameters), position[None])[0, :2]
        for gap, known in zip(found, expected, strict=True):
            if known > 1e-6:
                apart += 1
                np.testing.assert_allclose(gap, known, atol=3e-6)
            else:  # coal measures no overlap of these
                assert gap <= 3e-6
    assert apart > 100


def test_gaps_are_least_over_the_orientations():
    settings = {"obstacles": SOLIDS, "check_arm": True, "arm_postures": POSTURES}
    parameters = resolved(orientations="corners", **settings)
    coal = package("coal", "gaps beside coal")
    for position in np.random.default_rng(2).uniform(-0.1, 0.1, (5, 3)):
        each = []
        for rotation in robot_of(parameters).rotations:
            obstacles, cables, _, platform, _ = in_coal(coal, parameters, position, rotation)
            each.append(least(coal, [*cables, platform], obstacles))
        found = gaps_at(parameters, robot_of(parameters), position[None])[0, 0]
        assert min(each) <= 0.0 or found == pytest.approx(min(each), abs=3e-6)
        assert (found > 0) == (min(each) > 0)


def test_every_test_excludes_cells_and_says_so():
    settings = {"floor": -0.32, "obstacles": SOLIDS[:1], "check_arm": True, "arm_postures": POSTURES}
    cells = workspace(resolved(**settings, obstacle_clearance=0.02))
    assert {"failed_cable_obstacle", "failed_arm_cable", "failed_arm_obstacle"} < cells.counters.keys()
    assert sum(count for name, count in cells.counters.items() if name != "cells") == cells.counters["cells"]
    low = workspace(resolved(floor=-0.2, platform_shape={"kind": "box", "half_size": [0.1] * 3}))
    assert low.counters["failed_platform_obstacle"] > 0
    assert VERDICTS[int(low.verdicts.max())] == "platform_obstacle"


def test_verdicts_are_those_of_the_gaps():
    settings = {"floor": -0.32, "obstacles": SOLIDS, "arm_postures": POSTURES, "obstacle_clearance": 0.01}
    free = results_of(resolved(**settings, check_obstacles=False))
    parameters = resolved(**settings, check_arm=True)
    cells = results_of(parameters)
    before = free.verdicts.ravel() == 0
    gaps = gaps_at(parameters, robot_of(parameters), grid_of(parameters).centers()[before])
    assert ((cells.verdicts.ravel()[before] == 0) == (gaps.min(axis=1) > 0.01)).all()
    assert 0 < (gaps.min(axis=1) > 0.01).sum() < before.sum()


@pytest.mark.parametrize("switch", [{}, {"check_obstacles": False}, {"check_arm": False}])
def test_a_pose_has_the_verdict_of_a_cell(switch):
    settings = {"floor": -0.3, "obstacles": SOLIDS, "arm_postures": POSTURES, "obstacle_clearance": 0.01}
    settings |= {"check_arm": True, "orientations": "nominal", "cells": 5}
    parameters = resolved(**{**settings, **switch})
    centers, cells = grid_of(parameters).centers(), results_of(parameters)
    poses = [evaluate_pose(parameters, center, (0.0, 0.0, 0.0)) for center in centers]
    assert [pose.feasible for pose in poses] == (cells.verdicts.ravel() == 0).tolist()
    gaps = gaps_at(parameters, robot_of(parameters), centers)
    assert [pose.obstacle_margin for pose in poses] == gaps[:, 0].tolist()
    arm = gaps[:, 1].tolist() if parameters.check_arm else [None] * len(centers)
    assert [pose.arm_margin for pose in poses] == arm


def test_a_turned_pose_has_the_gaps_of_its_orientation():
    parameters = resolved(floor=-0.4)
    pose = evaluate_pose(parameters, (0.0, 0.0, -0.3), (0.0, 0.0, 0.0))
    assert pose.obstacle_margin == pytest.approx(0.05 - 0.001)  # a cable that ends at the lower corners
    turned = evaluate_pose(parameters, (0.0, 0.0, -0.3), (np.pi / 4, 0.0, 0.0))
    assert turned.obstacle_margin == pytest.approx(0.1 - 0.05 * np.sqrt(2.0) - 0.001)
    alone = evaluate_pose(resolved(), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert (alone.obstacle_margin, alone.arm_margin) == (None, None)


def test_gaps_along_a_path_are_those_of_its_poses_and_postures():
    settings = {"floor": -0.9, "obstacles": SOLIDS[:1], "check_arm": True, "trajectory_samples": 9}
    path = follow_trajectory(resolved(**settings))
    platform, angles = path.samples.platform, path.samples.arm.angles
    for i in range(9):
        there = resolved(**settings, arm_postures=[angles[i].tolist()])
        turned = robot_of(there)._replace(rotations=platform.rotation[i][None])
        found = gaps_at(there, turned, platform.position[i][None])[0, :2].tolist()
        assert [path.gaps.obstacle_margins[i], path.gaps.arm_margins[i]] == found
    assert np.ptp(path.gaps.arm_margins) > 1e-3


@pytest.mark.parametrize(
    ("settings", "margins", "words"),
    [
        (
            {"floor": -0.7},
            "obstacle_margins",
            "cables and platform have a gap from obstacles and the floor of",
        ),
        (
            {"check_arm": True, "arm_radii": 0.001},
            "arm_margins",
            "the arm has a gap from cables, obstacles and",
        ),
    ],
)
def test_a_path_too_close_to_something_lacks_what_its_gap_does(settings, margins, words):
    free = follow_trajectory(resolved(**settings, obstacle_clearance=0.0))
    assert free.feasible
    least = float(getattr(free.gaps, margins).min())
    assert 0.0 < least < 1.0
    for clearance, lacks in ((least - 1e-9, False), (least + 0.01, True)):
        found = MODEL.evaluate(resolved(**settings, obstacle_clearance=clearance), "motion", 0)
        assert isinstance(found, Infeasible) == lacks
    assert words in found.reason
    assert found.violation == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("obstacle_clearance", [0.0, 0.01, 0.03, 0.08]),
        ("cable_diameter", [0.0, 0.002, 0.02, 0.06]),
        ("arm_radii", [0.001, 0.02, 0.04, 0.06]),
        ("floor", [-1.0, -0.4, -0.3, -0.2]),
    ],
)
def test_larger_bodies_and_gaps_never_enlarge_a_workspace(name, values):
    settings = {"obstacles": SOLIDS, "check_arm": True, "arm_postures": POSTURES, "floor": -1.0}
    kept = [workspace(resolved(**{**settings, name: value})).feasible for value in values]
    for larger, smaller in itertools.pairwise(kept):
        assert not (smaller & ~larger).any()
    assert kept[-1].sum() < kept[0].sum()


def test_a_larger_obstacle_never_enlarges_a_workspace():
    kept = [
        workspace(resolved(obstacles=[{**SOLIDS[0], "half_size": [size] * 3}])).feasible
        for size in (0.01, 0.03, 0.1, 0.2)
    ]
    for larger, smaller in itertools.pairwise(kept):
        assert not (smaller & ~larger).any()
    assert kept[-1].sum() < kept[0].sum()


def test_a_mesh_of_a_box_is_the_box():
    corners = list(itertools.product((-0.05, 0.05), (-0.08, 0.08), (-0.03, 0.03)))
    trimesh = package("trimesh", "meshes")
    mesh = trimesh.convex.convex_hull(np.array(corners))
    given = {"vertices": mesh.vertices.tolist(), "triangles": mesh.faces.tolist()}
    same = {**SOLIDS[0], "kind": "mesh", "mesh": given}
    del same["half_size"]
    one, other = resolved(obstacles=SOLIDS[:1]), resolved(obstacles=[same])
    np.testing.assert_array_equal(results_of(one).verdicts, results_of(other).verdicts)
    positions = np.random.default_rng(3).uniform(-0.3, 0.3, (100, 3))
    gaps = [gaps_at(each, robot_of(each), positions)[:, 0] for each in (one, other)]
    apart = gaps[0] > 0.0
    np.testing.assert_allclose(gaps[1][apart], gaps[0][apart], atol=1e-9)
    assert (gaps[1][~apart] <= 0.0).all()


def test_a_robot_inside_a_solid_mesh_has_no_workspace():
    """Its surface is nowhere near."""
    trimesh = package("trimesh", "meshes")
    ball = trimesh.creation.icosphere(2, radius=5.0)
    mesh = {"vertices": ball.vertices.tolist(), "triangles": ball.faces.tolist()}
    found = MODEL.evaluate(resolved(obstacles=[{"kind": "mesh", "mesh": mesh}]), "workspace", 0)
    assert isinstance(found, Infeasible)
    assert "cables come too close to obstacles" in found.reason


def test_the_number_of_an_empty_workspace_shrinks_towards_one_that_is_not():
    numbers = []
    for height in (0.6, 0.5, 0.45, 0.4, -1.0):
        found = MODEL.evaluate(resolved(floor=height), "workspace", 0)
        numbers.append(0.0 if isinstance(found, Evaluation) else found.violation)
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers)


def test_a_task_among_obstacles_is_not_served():
    large = {"kind": "box", "half_size": [0.1] * 3}
    found = MODEL.evaluate(resolved(floor=-0.1, task_path=[[0, 0, 0]], platform_shape=large), "workspace", 0)
    assert isinstance(found, Infeasible)
    assert "the platform comes too close to obstacles or the floor" in found.reason
    served = MODEL.evaluate(resolved(floor=-0.2, task_path=[[0, 0, 0]]), "clearance", 0)
    lowest = min(
        -0.05 * abs(R[2, 0]) - 0.05 * abs(R[2, 1]) - 0.05 * abs(R[2, 2])
        for R in robot_of(resolved()).rotations
    )
    assert served.metrics["obstacle_margin.task"] == pytest.approx(
        0.2 + lowest - 0.001
    )  # a cable at a corner


def test_robots_without_surroundings_have_no_margins():
    found = MODEL.evaluate(resolved(), "clearance", 0)
    assert found.metrics["obstacle_margin"] is None
    assert found.metrics["arm_margin.q05"] is None


def test_capsules_of_the_arm_follow_its_picture():
    parameters = resolved(arm_postures=POSTURES)
    ends = solids_of(parameters).capsules
    for posture, found in zip(POSTURES, ends, strict=True):
        line = arm_lines(parameters, np.zeros(3), np.array(posture))[0].points
        np.testing.assert_allclose(found[:, 0], line, atol=1e-12)
        np.testing.assert_allclose(found[:-1, 1], line[1:], atol=1e-12)


OPEN = {**TETRAHEDRON, "triangles": [*TETRAHEDRON["triangles"][:3], [1, 3, 0]]}


@pytest.mark.parametrize(
    ("settings", "place", "text"),
    [
        ({"obstacles": [SOLIDS[0], {"kind": "cylinder", "radius": 0.1}]}, "obstacles[1]", "needs 'radius' and 'length'"),
        ({"obstacles": [{**SOLIDS[0], "radius": 0.1}]}, "obstacles[0]", "a box has no 'radius'"),
        ({"obstacles": [{"kind": "box", "half_size": [0.1, 0.0, 0.1]}]}, "obstacles[0].half_size[1]", "more than 0"),
        ({"obstacles": [{"kind": "mesh", "mesh": OPEN}]}, "obstacles[0].mesh", "is not closed: the edge from"),
        ({"check_arm": True, "arm_postures": "range"}, "", "list the 'arm_postures'"),
        ({"floor": 0.0, "bounds": True}, "", "set one of the two to false"),
    ],
)  # fmt: skip
def test_bad_surroundings_are_refused_at_their_place(settings, place, text):
    with pytest.raises(InputError) as caught:
        resolved(**settings)
    assert place in str(caught.value)
    assert text in str(caught.value)


def test_a_mesh_of_too_many_triangles_is_refused():
    triangles = [[0, 1, 2]] * (MOST_TRIANGLES + 1)
    with pytest.raises(InputError, match=f"at most {MOST_TRIANGLES}"):
        resolved(obstacles=[{"kind": "mesh", "mesh": {**TETRAHEDRON, "triangles": triangles}}])


def test_a_robot_without_an_arm_cannot_test_it():
    parameters = MODEL.resolve("suspended", {})
    from models.hybrid_cable_robot.robot import pulley_points

    own = {"pulleys": pulley_points(parameters).tolist(), "attachments": list(parameters.attachments)}
    own |= {"platform_half_size": [0.05] * 3}
    with pytest.raises(InputError, match="'check_arm' needs an arm"):
        MODEL.resolve(None, {**own, "check_arm": True})
