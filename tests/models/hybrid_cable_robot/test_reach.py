"""The volume that the arm's tool reaches from the workspace: closed forms, brute force and its error."""

import math

import numpy as np
import pytest

from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, forward_kinematics, workspace
from models.hybrid_cable_robot.workspace_grid.tool_reach import arm_of, hybrid_reach, tool_places
from models.numerics.rotations import rotation_matrix
from tests.models.hybrid_cable_robot.arms import arm_of as random_arm

NOTHING = {"mass": 0.0, "inertia": [0.0] * 6}
UPRIGHT = {"arm_base_position": [0, 0, 0], "arm_base_rotation": [0, 0, 0]}
RIGHT = math.pi / 2


def arm(joints, **settings):
    return MODEL.resolve(
        None, {"arm_joints": joints, "arm_links": [NOTHING] * len(joints), **UPRIGHT, **settings}
    )


def box(cells, side):
    """A box of feasible cells in the middle of a grid of cells over one metre."""
    feasible = np.zeros((cells, cells, cells), bool)
    ends = slice(round(cells * (1 - side) / 2), round(cells * (1 + side) / 2))
    feasible[ends, ends, ends] = True
    return feasible, np.full(3, 1 / cells)


@pytest.mark.parametrize("cells", [20, 40, 60])
def test_reach_of_the_papers_arm_is_a_rounded_box(cells):
    """Its wrist comes everywhere within 0.4 m of the shoulder: Steiner's formula for the sum of box and ball."""
    feasible, size = box(cells, 0.5)
    found = hybrid_reach(MODEL.resolve(None, {}), feasible, size)
    a, r = 0.5, 0.4
    expected = a**3 + 6 * a**2 * r + 3 * math.pi * a * r**2 + 4 / 3 * math.pi * r**3
    assert found.volume == pytest.approx(expected, abs=found.error)
    assert found.volume == pytest.approx(expected, rel=0.04)
    assert 0.0 < found.error < 0.1 * expected


@pytest.mark.parametrize("cells", [20, 60])
def test_reach_of_one_revolute_joint_is_a_box_moved_around_a_circle(cells):
    feasible, size = box(cells, 0.3)
    r, a = 0.4, 0.15
    found = hybrid_reach(arm([{}], arm_tool=[r, 0, 0]), feasible, size)
    x = np.linspace(-1, 1, 2001)
    points = np.stack(np.meshgrid(x, x), axis=-1)
    near = np.linalg.norm(
        np.maximum(np.abs(points) - a, 0), axis=-1
    )  # of the square, and its farthest corner
    far = np.linalg.norm(np.abs(points) + a, axis=-1)
    expected = np.count_nonzero((near <= r) & (far >= r)) * 1e-6 * 2 * a
    assert found.volume == pytest.approx(expected, abs=found.error)
    assert found.volume == pytest.approx(expected, rel=0.06)


@pytest.mark.parametrize("limits", [(0.0, 0.4), (-0.2, 0.1)])
def test_reach_of_a_prismatic_joint_is_the_box_and_what_it_sweeps(limits):
    feasible, size = box(60, 0.5)
    lying = {"kind": "prismatic", "alpha": RIGHT}
    parameters = arm([lying], arm_joint_limits=[[limits[0]], [limits[1]]])
    found = hybrid_reach(parameters, feasible, size)
    expected = 0.25 * (0.5 + limits[1] - limits[0])
    assert found.volume == pytest.approx(expected, abs=0.25 * size[0] * 1.01)
    assert found.volume == pytest.approx(expected, abs=found.error)


def test_a_part_of_a_turn_of_one_cell_is_an_arc():
    """Cells that an arc of 0.4 m and a right angle meets, counted along the arc."""
    feasible = np.zeros((3, 3, 3), bool)
    feasible[1, 1, 1] = True
    size = np.full(3, 0.02)
    parameters = arm([{}], arm_tool=[0.4, 0, 0], arm_joint_limits=[[0.1], [0.1 + RIGHT]])
    angles = np.linspace(0.1, 0.1 + RIGHT, 100_001)
    places = 0.4 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    met = len(np.unique(np.floor(places / 0.02 + 0.5), axis=0))
    found = hybrid_reach(parameters, feasible, size).volume / 0.02**3
    # a cube of half a cell around each place may meet a neighbour above, beside and below the plane
    assert met <= found <= 2.2 * met


@pytest.mark.parametrize("kinds", ["R", "P", "RR", "RP", "PRP", "RRR", "RPRRP"])
def test_places_are_of_the_tool_and_leave_no_gap(kinds):
    parameters = random_arm(kinds, arm_tool=[0.05, -0.02, 0.1])
    pitch = 0.03
    places = tool_places(arm_of(parameters), pitch)
    values = np.random.default_rng(1).uniform(*parameters.arm_joint_limits, (4000, len(kinds)))
    positions, rotations = forward_kinematics(values, parameters.arm_joints)
    base = rotation_matrix(np.array(parameters.arm_base_rotation))
    tool = positions[:, -1] + rotations[:, -1] @ parameters.arm_tool
    from scipy.spatial import KDTree

    wanted = np.array(parameters.arm_base_position) + tool @ base.T
    gaps, _ = KDTree(places).query(wanted)
    assert gaps.max() < 1.8 * pitch * math.sqrt(len(kinds))
    if len(kinds) <= 2:  # every place is that of a posture
        fine = np.stack(np.meshgrid(*[np.linspace(-1.0, 0.8, 1501)] * len(kinds)), axis=-1).reshape(
            -1, len(kinds)
        )
        positions, rotations = forward_kinematics(fine, parameters.arm_joints)
        tool = positions[:, -1] + rotations[:, -1] @ parameters.arm_tool
        known = np.array(parameters.arm_base_position) + tool @ base.T
        assert KDTree(known).query(places)[0].max() < 2e-3


@pytest.mark.parametrize("settings", [{"arm_joints": [], "arm_links": []}, {"arm_links": [NOTHING] * 6}])
def test_without_an_arm_it_is_the_workspace(settings):
    parameters = MODEL.resolve("suspended", {"cells": 12, "weight_moment": "ignored", **settings})
    outcome = MODEL.evaluate(parameters, "reach", 0)
    assert isinstance(outcome, Evaluation)
    assert outcome.metrics["hybrid_reach"] == pytest.approx(workspace(parameters).volume)


def test_an_arm_adds_to_the_workspace_and_wider_limits_add_more():
    def reach(limit, **settings):
        limits = {"arm_joint_limits": [[-limit] * 6, [limit] * 6]}
        parameters = MODEL.resolve("constrained", {"cells": 20, **limits, **settings})
        return MODEL.evaluate(parameters, "reach", 0).metrics["hybrid_reach"]

    volumes = [reach(limit) for limit in (0.0, 0.5, 1.5, math.pi)]
    assert volumes == sorted(volumes)
    assert volumes[0] == pytest.approx(workspace(MODEL.resolve("constrained", {"cells": 20})).volume, rel=0.3)
    assert volumes[-1] > 5 * volumes[0]
    assert reach(1.5, f_max=30.0) >= volumes[2]


def test_it_is_the_same_each_time_and_none_where_there_is_no_volume_or_workspace():
    parameters = MODEL.resolve("constrained", {"cells": 12})
    assert MODEL.evaluate(parameters, "reach", 0).metrics == MODEL.evaluate(parameters, "reach", 0).metrics
    flat = MODEL.resolve("constrained", {"cells": 8, "freedoms": "1R2T", "wrench_set": "gravity"})
    outcome = MODEL.evaluate(flat, "reach", 0)
    if isinstance(outcome, Evaluation):
        assert outcome.metrics["hybrid_reach"] is None
    empty = MODEL.resolve("constrained", {"cells": 8, "wrench_set": "paper-extreme"})
    assert isinstance(MODEL.evaluate(empty, "reach", 0), Infeasible)


def test_a_fine_grid_and_a_long_arm_are_thinned_out():
    feasible, size = box(150, 0.2)
    found = hybrid_reach(arm([{"kind": "prismatic"}], arm_joint_limits=[[0.0], [3.0]]), feasible, size)
    assert found.volume == pytest.approx(0.04 * 3.2, abs=found.error)
