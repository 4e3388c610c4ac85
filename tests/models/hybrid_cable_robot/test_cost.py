"""Designs that would take too long are refused before anything runs, with the estimate."""

import numpy as np
import pytest

from errors import InputError
from models.contract import MOST_SECONDS
from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.processor_time import bound_seconds, cell_seconds, motion_seconds

AZIMUTHS = np.arange(12) * np.pi / 6
TWELVE = {
    "pulleys": [[0.7 * np.cos(a), 0.7 * np.sin(a), 0.5 * (-1) ** k] for k, a in enumerate(AZIMUTHS)],
    "attachments": [[0.1 * np.cos(a), 0.1 * np.sin(a), 0.05 * (-1) ** k] for k, a in enumerate(AZIMUTHS)],
    "cable_stiffness": 1000.0,
    "platform_half_size": [0.05, 0.05, 0.05],
}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {**TWELVE, "cells": 500, "orientations": "grid27"},
            ["'cells' (500 per axis)", "27 orientations", "12 cables"],
        ),
        ({"cells": 500, "orientations": "grid27", "arm_postures": "range"}, ["8 arm postures", "45 min"]),
        ({"bounds": True, "bounds_block": 1 / 512}, ["'bounds_block'", "9 orientations", "8 cables"]),
        (
            {**TWELVE, "trajectory_samples": 100_000, "tension_rule": "centroid"},
            ["'trajectory_samples' (100000)", "tension_rule 'centroid'"],
        ),
        (
            {"cells": 300, "floor": -1.0, "check_arm": True},
            ["'cells' (300 per axis) with 9 orientations, 1 obstacles and 1 arm posture"],
        ),
        ({"cells": 300, "geometric_stiffness": True}, ["'geometric_stiffness' in 'cells' (300 per axis)"]),
        (
            {**TWELVE, "cells": 100, "task_box": [[-0.4, -0.4, -0.4], [0.4, 0.4, 0.4]]},
            ["the task (5.31e+05 positions at 'cells' 100)", "12 cables"],
        ),
    ],
)
def test_long_evaluations_are_refused_with_an_estimate(settings, words):
    with pytest.raises(InputError) as refusal:
        MODEL.resolve("constrained", {"cells": 4, **settings})
    text = str(refusal.value)
    for word in [*words, "min of processor time for a design", "at most 10 min are allowed"]:
        assert word in text


@pytest.mark.parametrize(
    "settings",
    [
        {"cells": 500},
        {"cells": 200, "geometric_stiffness": True},
        {"cells": 100, "task_box": [[-0.4, -0.4, -0.4], [0.4, 0.4, 0.4]]},
        {"cells": 500, "orientations": "grid27"},
        {"cells": 500, "orientations": "grid27", "arm_postures": "range", "weight_moment": "ignored"},
        {**TWELVE, "cells": 100},
        {**TWELVE, "bounds_block": 1 / 512, "cells": 4},  # no bounds are asked for
        {"trajectory_samples": 100_000, "tension_rule": "centroid"},
        {"cells": 200, "floor": -1.0},
        {"cells": 100, "floor": -1.0, "check_arm": True},
    ],
)
def test_others_are_accepted(settings):
    MODEL.resolve(None, settings)


def test_estimates_grow_with_each_factor():
    assert cell_seconds(40**3, 18, 1, 9) == pytest.approx(2 * cell_seconds(40**3, 9, 1, 9))
    assert cell_seconds(40**3, 9, 2, 9) == pytest.approx(2 * cell_seconds(40**3, 9, 1, 9))
    assert cell_seconds(80**3, 9, 1, 9) == pytest.approx(8 * cell_seconds(40**3, 9, 1, 9))
    assert cell_seconds(40**3, 9, 1, 12) > cell_seconds(40**3, 9, 1, 9) > cell_seconds(40**3, 9, 1, 8)
    assert bound_seconds(64, 9, 1, 12) > bound_seconds(64, 9, 1, 8) > bound_seconds(32, 9, 1, 8) > 0
    assert (
        motion_seconds(200, "centroid", 12, 6)
        > motion_seconds(200, "paper", 12, 6)
        > motion_seconds(200, "paper", 8, 6)
    )
    assert MOST_SECONDS == 600.0
