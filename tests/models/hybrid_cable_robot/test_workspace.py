"""Workspaces, metrics, and designs that have none."""

import itertools
import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, HybridCableRobot, workspace
from models.scene import Box, Line, Points

ROBOTS = tomllib.loads((Path(__file__).parent / "robots.toml").read_text())


def metrics(preset, **chosen):
    settings = {"weight_moment": "ignored", **chosen}
    outcome = MODEL.evaluate(MODEL.resolve(preset, settings), "workspace", 0)
    assert isinstance(outcome, Evaluation)
    return outcome.metrics


def test_metrics_are_what_their_definitions_say_of_the_cells():
    parameters = MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 14})
    cells, outcome = workspace(parameters), metrics("suspended", cells=14)
    inside = cells.feasible
    volume = inside.sum() / 14**3
    assert outcome["workspace_volume"] == pytest.approx(volume)
    assert outcome["F1"] == pytest.approx(1 / volume)
    assert outcome["F2"] == pytest.approx(
        1 / math.sqrt(np.sum(cells.inv_cond_stiffness[inside] ** 2) / 14**3)
    )
    assert outcome["F3"] == pytest.approx(1 / math.sqrt(np.sum(cells.inv_cond_jacobian[inside] ** 2) / 14**3))
    assert outcome["stiffness_index"] == pytest.approx(
        math.sqrt(np.mean(cells.inv_cond_stiffness[inside] ** 2))
    )
    assert outcome["dexterity_index"] == pytest.approx(
        math.sqrt(np.mean(cells.inv_cond_jacobian[inside] ** 2))
    )
    assert outcome["capacity_margin"] == cells.capacity_margins[inside].min()
    assert outcome["capacity_margin_mean"] == pytest.approx(cells.capacity_margins[inside].mean())
    assert outcome["interference_margin"] == np.nanmin(cells.interference_margins)
    assert cells.volume == outcome["workspace_volume"]
    assert len(cells.points) == inside.sum()


def test_interference_margin_counts_cells_that_interference_excludes():
    without = metrics("suspended", cells=14, check_interference=False)
    with_check = metrics("suspended", cells=14)
    assert with_check["interference_margin"] == without["interference_margin"] < 0
    assert with_check["workspace_volume"] < without["workspace_volume"]


def test_volumes_of_finer_grids_converge():
    volumes = [
        metrics("constrained", cells=cells, wrench_set="gravity", orientations="nominal")["workspace_volume"]
        for cells in (10, 20, 40, 80)
    ]
    errors = np.abs(np.array(volumes[:-1]) - volumes[-1])
    assert errors[2] < 0.01
    assert errors[2] < errors[0]
    assert all(0.331 <= volume <= 0.390 for volume in volumes[1:])


def test_indices_do_not_depend_on_the_grid():
    coarse, fine = (metrics("suspended", cells=cells, orientations="nominal") for cells in (20, 40))
    for name in ("F1", "F2", "F3", "stiffness_index", "dexterity_index"):
        assert coarse[name] == pytest.approx(fine[name], rel=0.03)


def test_more_orientations_and_wrenches_never_enlarge_the_workspace():
    feasible = [
        workspace(
            MODEL.resolve(
                "suspended",
                {"weight_moment": "ignored", "cells": 12, "orientations": name, "wrench_set": wrenches},
            )
        ).feasible
        for name, wrenches in (
            ("nominal", "gravity"),
            ("corners", "gravity"),
            ("grid27", "gravity"),
            ("grid27", "box"),
        )
    ]
    for larger, smaller in itertools.pairwise(feasible):
        assert not np.any(smaller & ~larger)
        assert smaller.sum() < larger.sum()


def test_workspace_of_the_constrained_layout_is_mirrored():
    feasible = workspace(MODEL.resolve("constrained", {"cells": 16, "weight_moment": "ignored"})).feasible
    np.testing.assert_array_equal(feasible, feasible[::-1])
    np.testing.assert_array_equal(feasible, feasible[:, ::-1])


def test_workspace_of_the_suspended_layout_has_quarter_turns():
    feasible = workspace(
        MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 16, "wrench_set": "gravity"})
    ).feasible
    np.testing.assert_array_equal(feasible, np.rot90(feasible))


def test_everything_scales_with_length():
    base = MODEL.resolve("suspended", {"cells": 12, "wrench_set": {"center": [0, 0, -20, 0, 0, 0]}})
    double = MODEL.resolve(
        "suspended",
        {
            "cells": 12,
            "wrench_set": {"center": [0, 0, -20, 0, 0, 0]},
            "frame_radius": 2 * base.frame_radius,
            "upper_height": 1.0,
            "attachments": (2 * np.array(base.attachments)).tolist(),
            "platform_half_size": [0.1 - 1e-6] * 3,
            "cable_diameter": 0.004,
            "space": [[-1, -1, -1], [1, 1, 1]],
        },
    )
    small, large = (MODEL.evaluate(parameters, "workspace", 0).metrics for parameters in (base, double))
    for name, power in (
        ("workspace_volume", 3),
        ("dexterity_index", 0),
        ("capacity_margin", 0),
        ("F3", -1.5),
    ):
        assert large[name] == pytest.approx(small[name] * 2**power, rel=1e-5)


def test_index_domain_of_the_whole_space_ignores_the_tests():
    alone = metrics(
        "constrained", cells=10, index_domain="cube", wrench_set="gravity", orientations="nominal"
    )
    harder = metrics("constrained", cells=10, index_domain="cube", wrench_set="box", orientations="corners")
    assert alone["F2"] == harder["F2"]
    assert alone["F3"] == harder["F3"]
    assert alone["F1"] < harder["F1"]


def test_shortfall_of_designs_without_workspace_shrinks_as_they_get_stronger():
    violations = []
    for f_max in (1.0, 2.0, 4.0, 6.0):
        outcome = MODEL.evaluate(MODEL.resolve("constrained", {"cells": 10, "f_max": f_max}), "workspace", 0)
        assert isinstance(outcome, Infeasible)
        assert outcome.counters["failed_wrench"] == 1000
        violations.append(outcome.violation)
    assert all(np.diff(violations) < 0)


def test_shortfall_of_thick_cables_is_what_they_lack_to_their_distance():
    outcomes = [
        MODEL.evaluate(
            MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 10, "clearance": clearance}),
            "workspace",
            0,
        )
        for clearance in (0.3, 0.4)
    ]
    assert all(isinstance(outcome, Infeasible) for outcome in outcomes)
    assert outcomes[1].violation - outcomes[0].violation == pytest.approx(0.1)
    assert "touch" in outcomes[0].reason


def test_shortfall_of_a_thick_platform_is_the_chord_inside_it():
    outcomes = [
        MODEL.evaluate(
            MODEL.resolve(
                "suspended", {"weight_moment": "ignored", "cells": 6, "platform_half_size": [size] * 3}
            ),
            "workspace",
            0,
        )
        for size in (0.2, 0.06)
    ]
    assert all(isinstance(outcome, Infeasible) for outcome in outcomes)
    assert outcomes[0].violation > outcomes[1].violation > 0
    assert "cut the platform" in outcomes[0].reason


def test_one_coordinate_of_a_preset_can_be_set():
    for preset in MODEL.presets:
        changed = MODEL.resolve(preset, {"attachments.7.2": "6 cm", "platform_half_size.0": "8 cm"})
        assert changed.attachments[7][2] == 0.06
        assert changed.attachments[:7] == MODEL.resolve(preset, {}).attachments[:7]


@pytest.mark.parametrize("name", ROBOTS)
def test_published_robots_have_a_workspace(name):
    robot = ROBOTS[name]
    pulleys = np.array(robot["pulleys"])
    lower, upper = pulleys.min(axis=0), pulleys.max(axis=0)
    lower[2] = min(lower[2], 0.0)
    weight = np.array([0.0, 0.0, -9.81 * robot["mass"]])
    wrench = [*weight, *np.cross(robot["centre_of_mass"], weight)]
    outcome = MODEL.evaluate(
        MODEL.resolve(
            None,
            {
                "pulleys": robot["pulleys"],
                "attachments": robot["attachments"],
                "f_min": robot["f_min"],
                "f_max": robot["f_max"],
                "cable_stiffness": 1e5,
                "space": [lower.tolist(), upper.tolist()],
                "cells": 8,
                "orientations": "nominal",
                "wrench_set": {"center": wrench},
                "check_platform": False,
                "check_interference": False,
            },
        ),
        "workspace",
        0,
    )
    assert isinstance(outcome, Evaluation)
    assert 0 < outcome.metrics["workspace_volume"] < np.prod(upper - lower)


coordinates = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, 0.05, -0.05, 0.5, -0.5, 1e4]))
points = st.tuples(coordinates, coordinates, coordinates)
positive = st.sampled_from([1e-6, 0.01, 0.3, 2.0, 1e3])
loads = st.one_of(st.just(0.0), st.floats(-30, 30), st.sampled_from([1e9, -1e9]))


@st.composite
def records(draw):
    count = draw(st.integers(6, 12))
    some = st.lists(points, min_size=count, max_size=count)
    same = points.map(lambda point: [point] * count)
    lower = draw(st.tuples(*(st.floats(-1, 0.9),) * 3))
    extent = draw(st.sampled_from([2e-6, 0.5, 100.0]))
    return HybridCableRobot(
        pulleys=draw(st.one_of(some, same)),
        attachments=draw(st.one_of(some, same)),
        space=(lower, tuple(value + extent for value in lower)),
        cells=draw(st.integers(2, 3)),
        orientations=draw(st.sampled_from(["nominal", "corners"])),
        rotation_limit=draw(st.floats(0, 1.5)),
        wrench_set={
            "center": draw(st.tuples(*(loads,) * 6)),
            "half_range": tuple(abs(value) for value in draw(st.tuples(*(loads,) * 6))),
        },
        f_min=draw(st.sampled_from([0.0, 5.0])),
        f_max=draw(st.sampled_from([6.0, 1e9])),
        cable_stiffness=draw(
            st.one_of(
                st.sampled_from([1e-9, 1e12]), st.tuples(*(st.sampled_from([1e-9, 1.0, 1e12]),) * count)
            )
        ),
        axial_stiffness=draw(st.sampled_from([None, None, 1e-9, 1e12])),
        geometric_stiffness=draw(st.booleans()),
        tension_rule=draw(st.sampled_from(["minimum-norm", "closed-form", "paper"])),
        test_load=draw(st.tuples(*(loads,) * 6)),
        characteristic_length=draw(st.sampled_from([None, 1e-4, 1e4])),
        index_domain=draw(st.sampled_from(["feasible", "cube"])),
        platform_half_size=draw(st.tuples(positive, positive, positive)),
        check_interference=draw(st.booleans()),
        check_platform=draw(st.booleans()),
    )


@settings(max_examples=40)
@given(records())
def test_no_valid_record_makes_the_evaluation_raise_or_return_what_is_not_finite(parameters):
    outcome = MODEL.evaluate(parameters, "detail", 0)
    assert sum(outcome.counters.values()) == 2 * outcome.counters["cells"]
    if isinstance(outcome, Evaluation):
        assert all(value is None or math.isfinite(value) for value in outcome.metrics.values())
        assert 0 <= outcome.metrics["stiffness_index"] <= 1 + 1e-12
        assert 0 <= outcome.metrics["dexterity_index"] <= 1 + 1e-12
        assert outcome.metrics["inscribed_box"] <= outcome.metrics["workspace_volume"] * (1 + 1e-12)
    else:
        assert math.isfinite(outcome.violation)
        assert outcome.violation > 0
    scene = MODEL.scene(parameters)
    assert all(np.isfinite(shape.points).all() for shape in scene.shapes if isinstance(shape, Line))


@given(st.floats(0, 6.4), st.floats(0, 6.4), st.sampled_from(["constrained", "suspended"]))
def test_no_azimuth_breaks_the_evaluation(beta1, beta2, preset):
    outcome = MODEL.evaluate(
        MODEL.resolve(preset, {"beta1": beta1, "beta2": beta2, "cells": 4}), "workspace", 0
    )
    numbers = outcome.metrics.values() if isinstance(outcome, Evaluation) else [outcome.violation]
    assert all(value is None or math.isfinite(value) for value in numbers)


@pytest.mark.parametrize(
    ("chosen", "part"),
    [
        ({"f_min": 30.0}, "'f_min' (30 N) must be less than 'f_max' (23 N)"),
        ({"f_min": -1.0}, "greater than or equal to 0"),
        ({"attachments": [[0, 0, 0.1]] * 7}, "has 8 pulleys but 'attachments' lists 7"),
        ({"pulleys": [[0, 0, 1]] * 6}, "lists 6 pulleys but 'attachments' lists 8"),
        ({"attachments": [[0, 0, 0.1]] * 1}, "at least 2"),
        ({"attachments": [[0, 0, 0.1]] * 17}, "at most 16"),
        ({"attachments": [[0, 0, 0.1]] * 5, "pulleys": [[0, 0, 1]] * 5}, "needs at least 6 cables"),
        ({"cable_stiffness": [1.0, 2.0]}, "lists 2 values for 8 cables"),
        ({"space": [[0, 0, 0], [1, 0, 1]]}, "along y it goes from 0 m to 0 m"),
        ({"characteristic_length": 0.0}, "greater than"),
        ({"cells": 1}, "greater than or equal to 2"),
        ({"cells": 501}, "less than or equal to 500"),
        ({"orientations": "some"}, "'nominal', 'corners', 'grid27' or 'certified'"),
    ],
)
def test_records_that_make_no_sense_are_refused_in_a_sentence(chosen, part):
    with pytest.raises(ValidationError, match=re.escape(part)):
        HybridCableRobot(**chosen)


def test_scene_names_the_pose_and_the_conditions():
    scene = MODEL.scene(MODEL.resolve("constrained", {"cells": 8}))
    kinds = [type(shape) for shape in scene.shapes]
    assert kinds.count(Box) == 1
    assert [shape.name for shape in scene.shapes if isinstance(shape, Points)] == ["pulleys", "workspace"]
    assert sum(shape.group == "cables" for shape in scene.shapes if isinstance(shape, Line)) == 8
    assert sum(shape.group == "frame" for shape in scene.shapes if isinstance(shape, Line)) == 2
    for part in ("not turned", "23 N", "+-10 deg", "m^3"):
        assert part in scene.caption


def test_scene_of_an_empty_workspace_says_so():
    scene = MODEL.scene(MODEL.resolve("constrained", {"cells": 4, "wrench_set": "paper-extreme"}))
    assert "empty" in scene.caption
    assert [shape.name for shape in scene.shapes if isinstance(shape, Points)] == ["pulleys"]
