"""The arm in pictures, and what is found at the cells of the workspace for their colours."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.arm.kinematics import forward_kinematics
from models.hybrid_cable_robot.arm.posture import posture
from models.scene_view import SceneView, scene_of_view

CELLS = {"cells": 8, "wrench_set": "gravity", "orientations": "nominal"}


@pytest.fixture(scope="module")
def record():
    return MODEL.resolve("constrained", CELLS)


def shape(scene, name):
    return next(each for each in scene.shapes if each.name == name)


def test_the_arm_hangs_from_the_platform_as_its_kinematics_say(record):
    angles = (0.3, -1.2, 2.0, 0.5, -0.4, 1.0)
    scene = scene_of_view(MODEL, record, SceneView(posture=angles))
    platform = shape(scene, "platform").center
    base = platform + np.array(record.arm_base_position)
    over = np.diag([1.0, -1.0, -1.0])  # it hangs upside down
    positions, rotations = forward_kinematics(angles)
    arm = shape(scene, "arm").points
    assert arm[0] == pytest.approx(base)
    assert arm[-1] == pytest.approx(base + over @ positions[-1])
    lengths = np.linalg.norm(np.diff(arm, axis=0), axis=1)
    assert lengths == pytest.approx([0.19, 0.21])  # upper arm and forearm of table 2
    start, end = shape(scene, "arm end z").points
    assert (end - start) / np.linalg.norm(end - start) == pytest.approx(over @ rotations[-1][:, 2])
    assert "17.2, -68.8, 114.6, 28.6, -22.9, 57.3 deg; the workspace is that of" in scene.caption


def test_it_is_drawn_where_its_weight_acts_or_in_its_first_listed_posture():
    first = [0.1, -1.0, 2.0, 0.0, 0.5, 0.0]
    listed = MODEL.resolve(None, {"cells": 4, "arm_postures": [first, [0.0] * 6]})
    assert [each.value for each in posture(listed)] == first
    beyond = MODEL.resolve(
        None, {"cells": 4, "arm_posture": [2.0] * 6, "arm_joint_limits": [[-1.0] * 6, [1.0] * 6]}
    )
    assert [(each.lower, each.value, each.upper) for each in posture(beyond)] == [(-1.0, 2.0, 2.0)] * 6


def test_a_robot_of_its_own_without_links_has_no_arm_to_move():
    own = MODEL.resolve(None, {"cells": 4, "pulleys": MODEL.implied["pulleys"](MODEL.resolve(None, {})),
                               "attachments": [list(a) for a in MODEL.resolve(None, {}).attachments],
                               "platform_half_size": [0.07, 0.07, 0.05], "cable_stiffness": 1000.0})  # fmt: skip
    assert posture(own) == ()
    assert not any(each.name.startswith("arm") for each in MODEL.scene(own).shapes)


def test_tensions_and_displacements_of_cells_are_those_of_a_task_there(record):
    grid = MODEL.grid(record)
    fields = {field.name: field.values for field in grid.fields}
    place = tuple(np.argwhere(fields["feasible"] == 1)[3])
    point = [float(axis[number]) for axis, number in zip(grid.axes, place, strict=True)]
    there = MODEL.resolve("constrained", {**CELLS, "task_path": [point]})
    metrics = MODEL.evaluate(there, "detail", 0).metrics
    assert fields["max_tension"][place] == pytest.approx(metrics["max_tension.task"])
    assert fields["displacement_under_load"][place] == pytest.approx(metrics["displacement_under_load.task"])
    assert np.isnan(fields["max_tension"][fields["feasible"] == 0]).all()
