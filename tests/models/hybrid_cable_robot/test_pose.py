"""One pose in full."""

import numpy as np
import pytest

from errors import InputError
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, workspace

ORIGIN, LEVEL = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
PAPER = {"weight_moment": "ignored"}  # the weight acts at the platform's origin


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_cells_of_the_nominal_workspace_are_the_feasible_poses(preset):
    parameters = MODEL.resolve(preset, {"cells": 5, "orientations": "nominal"})
    cells = workspace(parameters)
    for index, center in zip(np.ndindex(cells.grid.shape), cells.grid.centers(), strict=True):
        pose = evaluate_pose(parameters, center, LEVEL)
        assert pose.feasible == cells.feasible[index]
        if pose.feasible:
            assert pose.capacity_margin == pytest.approx(cells.capacity_margins[index])
            assert pose.interference_margin == pytest.approx(cells.interference_margins[index])
            assert pose.inv_cond_jacobian == pytest.approx(cells.inv_cond_jacobian[index])
            assert pose.inv_cond_stiffness == pytest.approx(cells.inv_cond_stiffness[index])


def test_a_wrench_replaces_the_wrench_set():
    parameters = MODEL.resolve("constrained", PAPER)
    weight = evaluate_pose(parameters, ORIGIN, LEVEL, wrench=(0, 0, -21.93516, 0, 0, 0))
    gravity = evaluate_pose(MODEL.resolve("constrained", {**PAPER, "wrench_set": "gravity"}), ORIGIN, LEVEL)
    box = evaluate_pose(parameters, ORIGIN, LEVEL)
    assert weight.capacity_margin == pytest.approx(gravity.capacity_margin, rel=1e-9)
    assert box.capacity_margin < weight.capacity_margin
    assert not evaluate_pose(parameters, ORIGIN, LEVEL, wrench=(0, 0, -1000, 0, 0, 0)).feasible


def test_paper_extreme_is_held_nowhere_near_the_centre():
    for preset in MODEL.presets:
        parameters = MODEL.resolve(preset, {"wrench_set": "paper-extreme"})
        assert evaluate_pose(parameters, ORIGIN, LEVEL).capacity_margin < -1


def test_mirrored_poses_of_the_constrained_layout_have_the_same_numbers():
    parameters = MODEL.resolve("constrained", {**PAPER, "wrench_set": "gravity"})
    rng = np.random.default_rng(4)
    for _ in range(20):
        x, y, z, *turn = rng.uniform(-0.2, 0.2, 6)
        pose = evaluate_pose(parameters, (x, y, z), turn)
        # rotation vectors are axial: a mirror keeps the component along its normal
        mirror = evaluate_pose(parameters, (-x, y, z), (turn[0], -turn[1], -turn[2]))
        for name in ("capacity_margin", "interference_margin", "platform_clearance", "inv_cond_jacobian"):
            assert getattr(mirror, name) == pytest.approx(getattr(pose, name), rel=1e-9, abs=1e-9)


def test_quarter_turns_of_the_suspended_layout_have_the_same_numbers():
    parameters = MODEL.resolve("suspended", {**PAPER, "wrench_set": "gravity"})
    rng = np.random.default_rng(4)
    for _ in range(20):
        x, y, z, *turn = rng.uniform(-0.2, 0.2, 6)
        pose = evaluate_pose(parameters, (x, y, z), turn)
        turned = evaluate_pose(parameters, (-y, x, z), (-turn[1], turn[0], turn[2]))
        for name in ("capacity_margin", "interference_margin", "platform_clearance", "inv_cond_stiffness"):
            assert getattr(turned, name) == pytest.approx(getattr(pose, name), rel=1e-9, abs=1e-9)


def test_cables_of_known_gap():
    parameters = HybridCableRobot(
        pulleys=[[x, y, 1.0] for x in (-0.3, -0.1, 0.1, 0.3) for y in (-0.5, 0.5)],
        attachments=[[x, y, 0.0] for x in (-0.3, -0.1, 0.1, 0.3) for y in (-0.5, 0.5)],
        cable_diameter=0.03,
        platform_half_size=(0.4, 0.6, 0.1),
    )
    pose = evaluate_pose(parameters, ORIGIN, LEVEL)
    np.testing.assert_allclose(pose.lengths, 1.0)
    assert pose.interference_margin == pytest.approx(0.2 - 0.03)
    assert pose.platform_clearance == pytest.approx(-0.1 + 1e-6)
    assert not pose.feasible


def test_cable_without_length_has_no_direction_and_is_not_feasible():
    parameters = MODEL.resolve("suspended", {"space": [[-1, -1, -1], [1, 1, 1]]})
    robot_pulley = np.array(MODEL.scene(parameters).shapes[0].points[1])
    pose = evaluate_pose(parameters, robot_pulley - parameters.attachments[0], LEVEL)
    assert pose.lengths[0] < 1e-12
    assert np.isfinite(pose.wrench_matrix).all()
    assert pose.capacity_margin == -1e12
    assert not pose.feasible


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (((0, 0), LEVEL), "position"),
        ((ORIGIN, (0, np.nan, 0)), "rotation_vector"),
        ((ORIGIN, LEVEL, (1, 2, 3)), "wrench"),
        (("abc", LEVEL), "position"),
    ],
)
def test_arguments_of_wrong_shape_are_refused_by_name(arguments, place):
    with pytest.raises(InputError) as caught:
        evaluate_pose(HybridCableRobot(), *arguments)
    assert caught.value.place == (place,)
