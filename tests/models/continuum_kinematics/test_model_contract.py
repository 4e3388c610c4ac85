"""The contract, with random designs and designs that have no metrics."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from errors import InputError
from models.continuity import DesignSpace
from models.continuum_kinematics import MODEL, ContinuumKinematics
from models.contract import Evaluation, Infeasible
from models.single_objective import Search
from models.testing import Law, ModelContract

SMALL = {"samples": 2000, "directions": 20, "cells": 20}


ROBOT = {"sections": 3, "length_range": [0.1, 0.15], "bend_limit": 1.6, "guide_radius": 0.01}
TURN = Rotation.from_euler("z", 120, degrees=True).as_matrix()  # to the next cables
MIRROR = np.diag([1.0, -1.0, 1.0])


def moved(frame=None):
    """Settings with points and poses that a matrix (3, 3) turns or mirrors about the robot's axis."""
    frame = np.eye(3) if frame is None else frame
    points = np.array([[0.12, 0.07, -0.28], [-0.1, 0.15, -0.2], [0.05, -0.1, -0.33]]) @ frame.T
    turns = np.array([[0.3, 0.6, 0.1], [-0.5, 0.2, -0.3], [0.2, 0.4, 0.2]]) @ frame.T * np.linalg.det(frame)
    poses = [
        dict(zip(("x", "y", "z", "rx", "ry", "rz"), [*point, *turn], strict=True))
        for point, turn in zip(points.tolist(), turns.tolist(), strict=True)
    ]
    return {**ROBOT, "task_points": points.tolist(), "task_poses": poses, "path": poses, "task_mode": "axis"}


SECTIONS = DesignSpace(
    {
        "length_range.0": (0.04, 0.07), "length_range.1": (0.07, 0.1), "bend_limit": (1.2, 2.6),
        "guide_radius": (0.004, 0.012),
    },
    SMALL,
)  # fmt: skip
MORE_SEARCHES = tuple(
    Search(each, SECTIONS, keeps={"reachable_volume": 0.1})
    for each in (
        "condition_index", "max_singular_value", "dexterity", "ik_margin", "path_step", "max_bend",
        "min_singular_value.tasks", "total_length", "ik_success", "path_success", "path_error",
    )
)  # fmt: skip


class TestContinuumKinematics(ModelContract):
    model = MODEL
    more_lines = 7
    more_searches = MORE_SEARCHES
    settings = SMALL
    searches = (
        Search("reachable_volume", SECTIONS),
        Search("min_singular_value", SECTIONS, keeps={"reachable_volume": 0.1}),
    )
    spaces = (
        DesignSpace(
            {
                "length_range.0": (0.05, 0.07), "length_range.1": (0.07, 0.09), "bend_limit": (1.8, 2.6),
                "guide_radius": (0.005, 0.012),
            },
            SMALL,
        ),
        DesignSpace(
            {
                "section_lengths.0": (0.15, 0.25), "section_lengths.1": (0.15, 0.25), "bend_limit": (2.0, 3.0),
                "guide_radius": (0.005, 0.012),
            },
            SMALL,
            "two-segment-tendon",
        ),
    )  # fmt: skip
    finer = {"cells": 60, "samples": 20_000}  # noqa: RUF012 - the suite's way to state settings
    laws = (
        Law("a turn about the axis", moved(), moved(TURN), but=("dexterity",)),  # of sampled directions
        Law("a mirror image", moved(), moved(MIRROR), but=("dexterity", "path_step")),  # of cables that stay
        Law("hanging instead of standing", ROBOT, {**ROBOT, "mounting": "hanging"}),
        Law("more bend", ROBOT, {**ROBOT, "bend_limit": 2.0}, ("reachable_volume",), "grows"),
        Law("a longer range", ROBOT, {**ROBOT, "length_range": [0.1, 0.16]}, ("reachable_volume",), "grows"),
    )
    infeasible = ({"guide_radius": 0.03}, {"guides": 1, "bend_limit": 3.2, "guide_radius": 0.001})


def random_design(rng):
    sections = int(rng.integers(1, 7))
    low = rng.uniform(0.02, 2.0)
    point = rng.uniform(-1, 1, 3) * sections * low
    pose = dict(zip(("x", "y", "z", "rx", "ry", "rz"), [*point, *rng.uniform(-2, 2, 3)], strict=True))
    return {
        **SMALL,
        "sections": sections,
        "length_range": [low, low * rng.choice([1.0, rng.uniform(1.0, 2.0)])],
        "bend_limit": rng.choice([1e-6, rng.uniform(0.1, 2 * math.pi)]),
        "guides": int(rng.integers(1, 20)),
        "guide_radius": low * rng.uniform(0.001, 0.3),
        "mounting": str(rng.choice(["standing", "hanging"])),
        "task_mode": str(rng.choice(["pose", "axis", "position"])),
        "task_points": [list(point)],
        "task_poses": [pose],
        "path": [pose, {"x": 0.0, "y": 0.0, "z": sections * low}],
    }


@pytest.mark.parametrize(
    "count", [25, pytest.param(2000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])]
)
def test_random_designs_have_finite_metrics(count):
    rng, worked = np.random.default_rng(11), 0
    for _ in range(count):
        settings = random_design(rng)
        outcome = MODEL.evaluate(MODEL.resolve(None, settings), "all", 0)  # finite, or it raises
        if isinstance(outcome, Infeasible):
            continue
        worked += 1
        metrics = outcome.metrics
        assert 0 <= metrics["dexterity"] <= 1
        assert metrics["ik_success"] in {0.0, 1.0}
        assert (metrics["ik_margin"] >= 0) == (metrics["ik_success"] == 1.0)
        assert metrics["max_bend"] <= settings["bend_limit"] * (1 + 1e-9)
        assert metrics["reachable_volume"] + metrics["reachable_volume_error"] > 0
        assert 0 <= metrics["condition_index"] <= 1
    assert worked > count / 3


def test_without_tasks_their_metrics_are_null():
    outcome = MODEL.evaluate(
        MODEL.resolve(None, {**SMALL, "task_points": [], "task_poses": [], "path": []}), "all", 0
    )
    assert isinstance(outcome, Evaluation)
    absent = {name for name, value in outcome.metrics.items() if value is None}
    assert absent == {metric.name for metric in MODEL.metrics if metric.needed}


def test_a_design_that_needs_thinner_guides_shows_by_how_much():
    near, far = (
        MODEL.evaluate(MODEL.resolve(None, {"guide_radius": radius}), "tasks", 0) for radius in (0.026, 0.05)
    )
    assert isinstance(near, Infeasible)
    assert isinstance(far, Infeasible)
    assert 0 < near.violation < far.violation


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"sections": 0}, "sections: 0: must be at least 1"),
        ({"sections": 100}, "sections: 100: must be at most 12"),
        ({"guide_radius": 0}, "guide_radius: 0"),
        ({"bend_limit": 0}, "bend_limit: 0: must be more than 0"),
        ({"bend_limits": [1.0, 0.0, 1.0]}, "bend_limits[1]: 0.0: must be more than 0"),
        ({"samples": 10**9}, "samples: 1000000000: must be at most"),
        (
            {"length_range": [0.08, 0.06]},
            "'length_range' goes from 0.08 m to 0.06 m; give the least length first",
        ),
        ({"length_range": [0.0, 0.06]}, "length_range[0]: 0.0: must be at least 0.0001"),
        ({"section_lengths": [0.07, 0.07, 1e3]}, "section_lengths[2]: 1000.0: must be at most 10"),
        (
            {"sections": 2, "section_lengths": [0.07] * 3},
            "'section_lengths' has 3 items, but there are 2 sections",
        ),
        ({"section_lengths": [0.07] * 3, "length_range": [0.06, 0.08]}, "has no effect beside"),
        ({"task_poses": [{"x": 0.0, "y": 0.0}]}, "task_poses[0].z: is missing"),
        ({"task_poses": [{"x": 0.0, "y": 0.0, "z": "5 kg"}]}, "task_poses[0].z: "),
        ({"task_poses": [{"x": 0.0, "y": 0.0, "z": math.inf}]}, "task_poses[0].z: "),
        ({"task_points": [[0.0, 0.0]]}, "task_points[0][2]: is missing"),
        ({"directions": 100_000, "task_points": [[0, 0, 0.1]] * 100}, "minutes of processor time"),
    ],
)
def test_a_robot_that_is_none_is_refused_at_its_place(settings, text):
    with pytest.raises(InputError) as caught:
        MODEL.resolve(None, settings)
    assert text in str(caught.value)


def test_tasks_of_the_paper_are_named_for_another_robot():
    assert ContinuumKinematics.assumed_for({}) == []
    own = {"length_range": (0.05, 0.09), "path": ()}
    assert ContinuumKinematics.assumed_for(own) == ["task_points", "task_poses"]


def test_lists_say_how_many_sections_there_are():
    assert MODEL.resolve(None, {"section_lengths": ["5 cm", "4 cm"]}).sections == 2
    assert MODEL.resolve(None, {"bend_limits": ["90 deg"] * 5}).bends == (math.pi / 2,) * 5
    found = MODEL.resolve("fixed-length", {"length_range": [0.05, 0.06]})
    assert isinstance(found, ContinuumKinematics)
    assert found.lengths == ((0.05, 0.06),) * 3
