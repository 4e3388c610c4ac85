"""Designs under every combination of conditions, and random paths."""

import math

import numpy as np
import pytest

from errors import InputError
from models import Evaluation, Infeasible
from models.hybrid_cable_robot import (
    MODEL,
    TRAJECTORIES,
    DesignComparison,
    compare_under_conditions,
    follow,
    random_trajectories,
    sample,
)

DESIGNS = {
    name: MODEL.resolve(name, {"cells": 8, "weight_moment": "ignored"})
    for name in ("constrained", "suspended")
}


def test_every_combination_is_evaluated_as_the_model_evaluates_it():
    found = list(compare_under_conditions(DESIGNS, {"wrench_set": ("gravity", "box"), "f_min": (0.0, 2.0)}))
    expected = [("gravity", 0.0), ("gravity", 2.0), ("box", 0.0), ("box", 2.0)]
    assert [tuple(one.conditions.values()) for one in found] == expected
    for one in found:
        for name in DESIGNS:
            design = MODEL.resolve(name, {"cells": 8, "weight_moment": "ignored", **one.conditions})
            assert one.outcomes[name] == MODEL.evaluate(design, "workspace", 0)


def test_motion_is_judged_too():
    (one,) = compare_under_conditions(DESIGNS, {"trajectory_samples": (11,)}, "motion")
    design = MODEL.resolve("constrained", {"trajectory_samples": 11})
    assert one.numbers("power_mean")["constrained"] == follow(design).power_mean


def judged(**volumes):
    outcomes = {
        name: Infeasible("too small", 1.0)
        if volume is None
        else Evaluation({"workspace_volume": volume, "F1": 1.0 / volume})
        for name, volume in volumes.items()
    }
    return DesignComparison({}, outcomes)


def test_winner_is_the_best_by_the_metrics_sense_unless_even():
    assert judged(a=1.0, b=2.0).winner("workspace_volume") == "b"
    assert judged(a=1.0, b=2.0).winner("F1") == "b"
    assert judged(a=1.0, b=1.005).winner("workspace_volume") is None
    assert judged(a=1.0, b=None).winner("workspace_volume") == "a"
    assert judged(a=None, b=None).winner("workspace_volume") is None
    assert judged(a=1.0, b=None).numbers("F1") == {"a": 1.0, "b": None}


def test_what_does_not_exist_is_refused():
    with pytest.raises(InputError, match="unknown cost class 'speed'"):
        next(compare_under_conditions(DESIGNS, {}, "speed"))
    with pytest.raises(InputError, match="unknown metric 'size'"):
        judged(a=1.0).winner("size")


def test_random_paths_stay_within_their_reach_and_repeat():
    paths = list(random_trajectories(20, 7, reach=0.2, turn=0.1, swing=0.3, duration=3.0))
    assert paths == list(random_trajectories(20, 7, reach=0.2, turn=0.1, swing=0.3, duration=3.0))
    positions = np.array([path.platform_positions for path in paths])
    assert 0.15 < np.abs(positions).max() <= 0.2
    assert 0.07 < np.abs([path.platform_rotations for path in paths]).max() <= 0.1
    rest = TRAJECTORIES["quintic-4s"].joints[0]
    assert 0.25 < np.abs(np.array([path.joints for path in paths]) - rest).max() <= 0.3
    assert sample(paths[0], 5).times[-1] == 3.0


def test_paths_that_neither_turn_nor_swing_move_the_platform_alone():
    (path,) = random_trajectories(1, 1)
    motion = sample(path, 9)
    np.testing.assert_array_equal(motion.platform.rotation, np.broadcast_to(np.eye(3), (9, 3, 3)))
    assert np.ptp(motion.arm.angles, axis=0).max() < 1e-12
    assert motion.arm.angles[0, 1] == pytest.approx(-math.pi / 2)


def test_a_metric_that_the_class_lacks_has_no_winner():
    (judged,) = compare_under_conditions({"one": MODEL.resolve("constrained", {"cells": 4})}, {})
    assert judged.numbers("energy") == {"one": None}
    assert judged.winner("energy") is None
