"""The robot drawn from its parameters alone: straight, in one line from its base."""

import numpy as np
import pytest

from models.continuum_kinematics.model import MODEL
from models.scene_view import OUTLINE, scene_of_view


@pytest.mark.parametrize("preset", list(MODEL.presets))
def test_an_outline_is_straight_and_as_long_as_half_of_each_range(preset):
    parameters = MODEL.resolve(preset, {})
    shapes = scene_of_view(MODEL, parameters, OUTLINE).shapes
    sections = [shape.points for shape in shapes if shape.name.startswith("section ")]
    way = sections[-1][-1] - sections[0][0]
    assert np.linalg.norm(way) == pytest.approx(sum(np.mean(ends) for ends in parameters.lengths))
    for points in sections:
        away = np.cross(points - sections[0][0], way / np.linalg.norm(way))
        np.testing.assert_allclose(away, 0.0, atol=1e-9)
