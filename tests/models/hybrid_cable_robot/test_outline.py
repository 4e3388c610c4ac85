"""The robot drawn from its parameters alone, as for a design that another version evaluated."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot import scene as drawing
from models.hybrid_cable_robot.robot import robot_of
from models.scene import Line, Points
from models.scene_view import OUTLINE, scene_of_view


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_an_outline_has_the_robot_of_the_scene_and_nothing_that_is_computed(preset, monkeypatch):
    parameters = MODEL.resolve(preset, {"cells": 4})
    whole = MODEL.scene(parameters)

    def compute(*_):
        raise AssertionError("the workspace is computed")

    monkeypatch.setattr(drawing, "workspace", compute)
    found = scene_of_view(MODEL, parameters, OUTLINE)
    robot, middle = robot_of(parameters), np.mean(np.array(parameters.space), axis=0)
    cables = [shape for shape in found.shapes if isinstance(shape, Line) and shape.number]
    np.testing.assert_allclose([line.points[0] for line in cables], middle + robot.attachments)
    assert all(line.value is None and not line.dashed for line in cables)
    clouds = [shape for shape in found.shapes if isinstance(shape, Points)]
    assert [cloud.name for cloud in clouds] == ["pulleys"]
    np.testing.assert_array_equal(clouds[0].points, robot.pulleys)
    assert {shape.name for shape in whole.shapes} - {shape.name for shape in found.shapes} <= {"workspace"}
    assert found.caption.startswith("Platform in the middle of the space, not turned.")
