"""Pictures and series of the motion by winches."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL, WinchLengths, follow_winches, motion_scene
from models.hybrid_cable_robot.motion.winches import start_of
from models.hybrid_cable_robot.robot import robot_of
from models.scene import Line, Points, motion_fault
from models.series import series_fault

SETTINGS = {"cells": 6, "wrench_set": "gravity", "orientations": "nominal", "trajectory_samples": 31}
MASSLESS = {
    "platform_body": {"mass": 2.0, "inertia": [0.0] * 6},
    "arm_links": [{"mass": 0.0, "inertia": [0.0] * 6}] * 6,
}


def design(**settings):
    return MODEL.resolve("suspended", {**SETTINGS, **settings})


def with_table(parameters, share=0.97):
    """The design with winches that reel in all cables and let them out again."""
    free = start_of(parameters).lengths.coefficients[0, 0]
    rows = [free.tolist(), (share * free).tolist(), free.tolist()]
    table = WinchLengths.model_validate({"times": (0.0, 0.4, 0.7), "lengths": rows})
    return parameters.model_copy(update={"winch_lengths": table})


def named(lines):
    return {line.name: line for line in lines}


@pytest.mark.parametrize("moved", [lambda p: p, with_table])
def test_moments_show_the_platform_and_its_cables_where_they_are(moved):
    parameters = moved(design())
    motion = follow_winches(parameters)
    scene, robot = motion_scene(parameters, motion), robot_of(parameters)
    assert motion_fault(scene) == ""
    assert [moment.time for moment in scene.moments] == pytest.approx(motion.times)
    sides = 2 * np.array(parameters.platform_half_size)
    for place in (0, 17, -1):
        lines = named(scene.moments[place].lines)
        edges = np.linalg.norm(np.diff(lines["platform"].points, axis=0), axis=1)
        assert np.unique(edges.round(9)) == pytest.approx(np.unique(sides.round(9)))
        assert lines["platform"].points[:-1].mean(axis=0) == pytest.approx(motion.positions[place], abs=0.1)
        ends = motion.positions[place] + robot.attachments @ motion.rotations[place].T
        for number, (end, pulley) in enumerate(zip(ends, robot.pulleys, strict=True), 1):
            assert lines[f"cable {number}"].points == pytest.approx(np.stack([end, pulley]))
    values = [shape.value for shape in scene.shapes if isinstance(shape, Line) and shape.number]
    assert values == pytest.approx(motion.tensions[-1])


def test_every_edge_of_the_platform_is_drawn():
    parameters = design()
    points = named(motion_scene(parameters).moments[0].lines)["platform"].points
    pairs = {frozenset(map(tuple, pair.round(9))) for pair in np.stack([points[:-1], points[1:]], axis=1)}
    assert len(pairs) == 12


def test_a_design_with_a_table_of_lengths_moves_in_its_picture_and_others_stand_still():
    still, moving = MODEL.scene(design()), MODEL.scene(with_table(design()))
    assert not still.moments
    assert len(moving.moments) > 50
    cells = [shape for shape in moving.shapes if isinstance(shape, Points) and shape.cell_size is not None]
    assert len(cells) == 1
    assert "elastic cables" in moving.caption
    assert not MODEL.scene(with_table(design()), np.zeros(6)).moments


def test_a_table_without_a_motion_says_so():
    found = MODEL.scene(with_table(design()).model_copy(update=bodies()))
    assert not found.moments
    assert "There is no motion by the winches" in found.caption


def bodies():
    massless = design(**MASSLESS)
    return {"platform_body": massless.platform_body, "arm_links": massless.arm_links}


def test_the_series_has_pose_tensions_and_energies():
    parameters = with_table(design())
    found, motion = MODEL.series(parameters), follow_winches(parameters)
    assert series_fault(found) == ""
    columns = {column.name: column.values for column in found.columns}
    assert columns["cable_3_tension"] == pytest.approx(motion.tensions[:, 2])
    assert columns["platform_z"] == pytest.approx(motion.positions[:, 2])
    assert columns["energy_error"] == pytest.approx(motion.imbalances)
    norm = sum(columns[f"platform_quaternion_{letter}"] ** 2 for letter in "wxyz")
    assert norm == pytest.approx(np.ones(len(motion.times)))
