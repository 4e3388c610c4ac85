import math

import pytest

from models.continuity import DesignSpace
from models.contract import Infeasible
from models.hybrid_cable_robot import MODEL
from models.single_objective import Search
from models.testing import ModelContract

ARM_TOO_SHORT = {
    "platform_positions": [[0, 0, 0]] * 2,
    "tool_positions": [[0.3, 0, 0], [0.6, 0, 0]],
    "tool_rotations": [[0, 0, 0]] * 2,
}


FRAME = {"upper_height": (0.4, 0.6), "frame_radius": (0.6, 0.8)}
IGNORED = {"cells": 12, "weight_moment": "ignored"}
SPACES = (
    DesignSpace(
        {
            **FRAME, "beta1": (0.3, 1.3), "beta2": (0.3, 1.3), "attachments.0.0": (-0.02, 0.02),
            "attachments.4.2": (0.03, 0.07),
        },
        {**IGNORED, "task_box": [[-0.02] * 3, [0.02] * 3]},
        "constrained",
    ),
    DesignSpace(
        {
            **FRAME, "beta1": (5.5, 6.0), "beta2": (5.3, 5.8), "attachments.0.0": (0.03, 0.07),
            "attachments.4.2": (-0.07, -0.03),
        },
        IGNORED,
        "suspended",
    ),
)  # fmt: skip
FRAMES = DesignSpace(
    {"beta1": (0.1, 1.5), "beta2": (0.1, 1.5), "upper_height": (0.3, 0.7)}, IGNORED, "constrained"
)
ROOM = {"workspace_volume": (0.02, math.inf)}  # kept_by says that a study for the others needs it
SEARCHES = (
    Search("workspace_volume", FRAMES),
    *(Search(each, FRAMES, ROOM) for each in ("stiffness_index", "displacement_under_load.q95")),
    Search("max_tension", FRAMES, keeps={"workspace_volume": 0.1}),
)
MORE_SEARCHES = (
    *(
        Search(each, FRAMES, ROOM)
        for each in (
            "F2", "F3", "dexterity_index", "capacity_margin.q05", "displacement_under_load", "inscribed_box",
            "rotation_sensitivity.q95", "interference_margin.q05",
        )
    ),
    *(
        Search(each, FRAMES, keeps={"workspace_volume": 0.1})
        for each in ("power_mean", "tension_spread", "path_interference_margin")
    ),
)  # fmt: skip


class TestHybridCableRobot(ModelContract):
    model = MODEL
    more_lines = 7
    more_searches = MORE_SEARCHES
    settings = {"cells": 8}  # noqa: RUF012 - the suite's way to state settings
    spaces = SPACES
    searches = SEARCHES
    finer = {"cells": 36}  # noqa: RUF012
    infeasible = ({"f_max": "1 N"}, {"f_min": "22 N"})


@pytest.mark.parametrize("cost_class", ["workspace", "detail", "all"])
@pytest.mark.parametrize(
    "settings",
    [
        {"wrench_set": "paper-extreme"},
        {"wrench_set": {"half_range": [0, 0, 40, 0, 0, 0]}},
    ],
)
def test_designs_without_a_workspace_can_follow_a_trajectory(settings, cost_class):
    parameters = MODEL.resolve(None, {"cells": 8, **settings})
    assert isinstance(MODEL.evaluate(parameters, cost_class, 0), Infeasible)
    assert not isinstance(MODEL.evaluate(parameters, "motion", 0), Infeasible)


@pytest.mark.parametrize("cost_class", ["motion", "all"])
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"f_max": "8 N"}, "no tensions within the limits"),
        ({"f_min": "2 N", "f_max": "14 N", "tension_rule": "paper"}, "'paper' finds no tensions"),
        ({"clearance": "0.4 m"}, "cables 1 and 2 have a gap"),
        ({"platform_half_size": [0.2, 0.2, 0.2]}, "cable 5 cuts the platform"),
        ({"trajectory": ARM_TOO_SHORT}, "too far by 0.2 m"),
    ],
)
def test_trajectories_that_cannot_be_followed_say_why(settings, words, cost_class):
    outcome = MODEL.evaluate(MODEL.resolve(None, {"cells": 8, **settings}), cost_class, 0)
    assert isinstance(outcome, Infeasible)
    assert words in outcome.reason
    assert outcome.violation > 0


def test_violation_shrinks_with_the_lacking_tension():
    violations = [
        MODEL.evaluate(MODEL.resolve(None, {"f_max": f_max}), "motion", 0).violation
        for f_max in (1.0, 4.0, 7.0, 9.0)
    ]
    assert violations == sorted(violations, reverse=True)
    assert violations[-1] > 0


def test_both_classes_together_are_each_alone():
    parameters = MODEL.resolve("suspended", {"cells": 8, "weight_moment": "ignored"})
    found = {name: MODEL.evaluate(parameters, name, 0) for name in MODEL.cost_classes}
    cells, everything = found["workspace"], found.pop("all")
    moved = found["motion"].counters | found["winch_motion"].counters
    assert everything.metrics == {
        name: value for each in found.values() for name, value in each.metrics.items()
    }
    assert everything.counters == {**cells.counters, **moved}
    assert MODEL.cost_class_for(["F1"]) == "workspace"
    assert MODEL.cost_class_for(["power_mean", "max_tension"]) == "motion"
    joined = MODEL.cost_class_for(["power_mean", "F1"])
    assert joined == "workspace+motion"
    assert MODEL.evaluate(parameters, joined, 0).metrics == {**cells.metrics, **found["motion"].metrics}
