"""Proofs of lower fidelities: what a rung says of the full evaluation holds."""

import numpy as np
import pytest

from models import load
from models.contract import Evaluation
from models.hybrid_cable_robot.fidelity import certified, ladder

MODEL = load("hybrid-cable-robot")
BOUNDED = ("workspace_volume", "F1", "F2", "F3", "workspace_volume_lower", "workspace_volume_upper")
BLOCKS = {"bounds": True, "bounds_block": "15 cm"}


def robots(preset, count=2, **settings):
    """Functions that give a robot of a preset, turned a little, with further settings."""
    middle = MODEL.resolve(preset, {})
    for turn in 0.1 * np.arange(count):
        shape = {"beta1": middle.beta1 + turn, "beta2": middle.beta2 - turn, "cells": 16}
        shape |= {"weight_moment": "ignored", "wrench_set": "gravity", **settings}
        yield lambda shape=shape, **more: MODEL.resolve(preset, {**shape, **more})


def metrics_of(parameters):
    found = MODEL.evaluate(parameters, "workspace")
    return found.metrics if isinstance(found, Evaluation) else {}


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@pytest.mark.parametrize(
    ("rung", "full", "proved"),
    [
        ({"orientations": "nominal"}, {"orientations": "corners"}, {"workspace_volume", "F1", "F2", "F3"}),
        ({"orientations": "corners"}, {"orientations": "certified"}, {"workspace_volume", "F1", "F2", "F3"}),
        ({"orientations": "nominal", "index_domain": "cube"}, {"index_domain": "cube"}, {"workspace_volume", "F1"}),
        ({"cells": 8, **BLOCKS}, {}, {"workspace_volume", "F1"}),
        ({"cells": 8, **BLOCKS}, {**BLOCKS, "bounds_block": "7 cm"}, {*BOUNDED} - {"F2", "F3"}),
    ],
    ids=["nominal", "corners", "whole space", "blocks", "smaller blocks"],
)  # fmt: skip
def test_metrics_lie_where_a_rung_proves_them_to_lie(preset, rung, full, proved):
    for robot in robots(preset):
        lower, upper = robot(**rung), robot(**full)
        known, values = certified(lower, upper, metrics_of(lower)), metrics_of(upper)
        assert known.keys() == proved
        for name, (low, high) in known.items():
            assert low <= values[name] <= high, name
            assert low > 0.0 or high < np.inf, f"nothing is said of {name}"


@pytest.mark.parametrize(
    ("rung", "full"),
    [
        ({"orientations": "corners"}, {"orientations": "nominal"}),
        ({"f_max": "20 N"}, {"f_max": "30 N"}),
        ({"cells": 8}, {}),
    ],
)
def test_nothing_is_proved_of_other_robots_or_fewer_orientations(rung, full):
    (robot,) = robots("suspended", 1)
    lower, upper = robot(**rung), robot(**full)
    known = certified(lower, upper, metrics_of(lower))
    assert all((low, high) == (0.0, np.inf) for low, high in known.values())


def test_blocks_say_nothing_of_cells_that_cross_them():
    (robot,) = robots("suspended", 1)
    lower = robot(cells=8, **BLOCKS)
    known = certified(lower, robot(cells=17), metrics_of(lower))
    assert known["workspace_volume"] == (0.0, np.inf)


def test_rungs_have_larger_blocks_and_go_before_the_proof_of_all_orientations():
    (robot,) = robots("suspended", 1, cells=32)
    assert ladder(robot()) == [{"cells": 8}, {"cells": 16}]
    blocks = ladder(robot(**BLOCKS))
    assert [rung["bounds_block"] for rung in blocks] == pytest.approx([0.6, 0.3])
    proved = ladder(robot(orientations="certified"))
    assert proved[:-1] == [{"cells": 8, "orientations": "corners"}, {"cells": 16, "orientations": "corners"}]
    assert proved[-1] == {"orientations": "corners"}
