"""Lines of a robot as its page and its command list them."""

import numpy as np

from dashboards.content.robot.robots import RobotView
from models import load
from models.scene import Line, Scene


def test_the_rounding_of_a_turn_is_not_written_as_a_length():
    turned = np.array([[8.66e-17, 0.5, 0.0], [1.0, -1.9e-12, 2e-8]])
    model = load("hybrid-cable-robot")
    scene = Scene((Line("cable 1", turned, "cables"),), "")
    (line,) = RobotView("a", model, model.parameters(), scene, "").lines
    assert line.start == (0.0, 0.5, 0.0)
    assert line.end == (1.0, 0.0, 2e-8), "twenty nanometres are a length"
