"""The weight acts where the masses are: its moment at each orientation and posture of the arm."""

import numpy as np
import pytest
from scipy.optimize import linprog

from errors import InputError
from models.hybrid_cable_robot import (
    MODEL,
    ArmMotion,
    HybridCableRobot,
    PlatformMotion,
    cell_results,
    cell_test_kernels,
    evaluate_pose,
    platform_wrench,
    workspace,
    workspace_bounds,
)
from models.hybrid_cable_robot.arm.weight_moments import (
    SAMPLED_POSTURES,
    _extremes,
    first_moments,
    moment_extremes,
    moments_at,
)
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.robot import middle_wrench, robot_of, wrench_centers
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.trajectory import RESTING_ARM
from models.hybrid_cable_robot.trajectory_sampling import sample
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.symmetry import symmetries
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from models.numerics.rotations import rotation_matrices, rotation_matrix
from tests.models.hybrid_cable_robot.test_bounds import verdicts_of
from tests.oracles import cable_robot_cells
from tests.oracles.cable_robot_certificates import decide_block
from tests.repetition import repeated

RAISED = [0.3, -1.2, 2.6, 0.4, -0.5, 0.1]
VERSION_3 = (
    "workspace_volume", "F2", "F3", "stiffness_index", "dexterity_index", "capacity_margin", "capacity_margin_mean",
    "interference_margin",
)  # fmt: skip
VERSION_3_RESULTS = {  # box, nine orientations, 20 cells per axis
    "constrained": (
        0.07650000000000001, 56.06131312070196, 5.808928912925713, 0.0644920254102258, 0.622405211787995,
        0.09014992412578945, 5.019703134238528, 0.034812676967212554,
    ),
    "suspended": (
        0.15550000000000003, 8.920933178375629, 5.049912674371902, 0.28426573722712506, 0.5021701978282783,
        0.026915200382039782, 3.0263938346730286, -0.0019809420092866356,
    ),
}  # fmt: skip
TWO = {"arm_postures": [list(RESTING_ARM), RAISED]}


def resting_wrench(parameters, rotation_vector, posture):
    """External wrench of platform and arm at rest, by the recursion of Newton and Euler."""
    still = np.zeros(3)
    turned = rotation_matrix(np.asarray(rotation_vector))
    motion = PlatformMotion(still, turned, still, still, still, still)
    return -platform_wrench(parameters, motion, ArmMotion.at_rest(np.asarray(posture))).wrench


def test_moment_of_the_papers_arm_at_rest():
    robot = robot_of(MODEL.resolve("constrained", {}))
    torques = np.array([wrench_centers(robot, turned)[0, 3:] for turned in robot.rotations])
    assert torques[0] == pytest.approx([-0.0154, -0.5428, 0.0], abs=1e-4)
    assert np.abs(torques).max() == pytest.approx(1.4428, abs=1e-4)
    angles = np.random.default_rng(1).uniform(-np.pi, np.pi, (20_000, 6))
    moments = 9.81 * moments_at(MODEL.resolve("constrained", {}), angles)
    assert np.mean(np.abs(moments[:, :2]).max(axis=1) > 0.3) == pytest.approx(0.912, abs=5e-3)


def test_centre_of_the_wrenches_is_the_wrench_of_the_dynamics_at_rest():
    rng = np.random.default_rng(2)
    for _ in range(20):
        posture, vector = rng.uniform(-3, 3, 6), rng.uniform(-1, 1, 3)
        settings = {
            "arm_posture": posture.tolist(),
            "arm_base_position": rng.uniform(-0.2, 0.2, 3).tolist(),
            "arm_base_rotation": rng.uniform(-3, 3, 3).tolist(),
            "platform_body.centre_of_mass": rng.uniform(-0.3, 0.3, 3).tolist(),
        }
        parameters = MODEL.resolve("suspended", settings)
        expected = resting_wrench(parameters, vector, posture)
        found = middle_wrench(robot_of(parameters), rotation_matrix(vector))
        assert found == pytest.approx(expected, abs=2e-4)  # the weight is stated in five digits
        assert found[3:] == pytest.approx(expected[3:], abs=1e-12)


def test_postures_come_from_the_path_unless_given():
    tool = {
        "times": [0, 1],
        "tool_positions": [[0.15, 0.1, 0.1], [0.15, 0.0, 0.1]],
        "tool_rotations": [[0.1, 0.2, 0.3]] * 2,
    }
    at_rest = moments_at(HybridCableRobot(), np.array([RESTING_ARM]))
    assert first_moments(HybridCableRobot()) == pytest.approx(at_rest)
    path = {"times": [0, 1], "joints": [RAISED, list(RESTING_ARM)]}
    raised = moments_at(HybridCableRobot(), np.array([RAISED]))
    assert first_moments(HybridCableRobot(trajectory=path)) == pytest.approx(raised)
    assert first_moments(HybridCableRobot(trajectory=path, arm_posture=RESTING_ARM)) == pytest.approx(at_rest)
    assert not np.allclose(first_moments(HybridCableRobot(trajectory=tool)), at_rest)
    beyond = {**tool, "tool_positions": [[9.0, 0, 0], [0.15, 0, 0.1]]}
    assert first_moments(HybridCableRobot(trajectory=beyond)) == pytest.approx(at_rest)
    with pytest.raises(InputError, match="arm_postures"):
        MODEL.resolve(None, {"arm_posture": RAISED, "arm_postures": "range"})


@pytest.mark.parametrize(
    "limits", [None, [[-0.4, -2.0, 1.0, -1.0, -1.0, 0.0], [1.0, -1.0, 3.0, 2.0, 0.5, 0.0]]]
)
def test_extremes_of_the_moment_enclose_every_posture_within_the_limits(limits):
    parameters = HybridCableRobot(**({"arm_joint_limits": limits} if limits else {}))
    low, high = moment_extremes(parameters)
    angles = np.random.default_rng(3).uniform(*parameters.arm_joint_limits, (40 * SAMPLED_POSTURES, 6))
    moments = moments_at(parameters, angles)
    assert (moments >= low - 1e-12).all()
    assert (moments <= high + 1e-12).all()
    span = high - low
    assert ((moments.max(axis=0) > high - 0.1 * span) & (moments.min(axis=0) < low + 0.1 * span)).all()


@pytest.mark.parametrize("seed", repeated(range(8), quick={5}))
def test_extremes_of_the_moment_are_those_from_many_more_starts(monkeypatch, seed):
    """The best posture of a sample alone would miss one in sixteen."""
    rng = np.random.default_rng(seed)
    low, masses = rng.uniform(-np.pi, np.pi, 6), rng.uniform(0.05, 1.0, 6)
    links = [
        {"mass": m, "centre_of_mass": rng.uniform(-0.1, 0.1, 3), "inertia": [0.01] * 3 + [0.0] * 3}
        for m in masses
    ]
    limits = [low, low + rng.uniform(0.2, 4.5, 6)]
    robot = HybridCableRobot(arm_links=links, arm_joint_limits=limits)
    low, high = moment_extremes(robot)
    monkeypatch.setattr("models.hybrid_cable_robot.arm.weight_moments.STARTS", 300)
    monkeypatch.setattr("models.hybrid_cable_robot.arm.weight_moments._extremes", _extremes.__wrapped__)
    least, greatest = moment_extremes(robot)
    assert np.concatenate([low - least, greatest - high]).max() < 1e-9


def held_by_a_programme(W, wrench, f_max):
    """True if tensions within the limits balance a wrench, by linear programming."""
    found = linprog(np.zeros(W.shape[1]), A_eq=W, b_eq=-wrench, bounds=(0.0, f_max), method="highs")
    return found.status == 0


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_workspace_under_its_weight_is_what_linear_programmes_say(preset):
    parameters = MODEL.resolve(preset, {"cells": 4, "wrench_set": "gravity", "f_max": 40.0})
    robot, found = robot_of(parameters), workspace(parameters)
    vectors = [(0.0, 0.0, 0.0)] + [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    limit = parameters.rotation_limit
    loads = [resting_wrench(parameters, limit * np.array(v), RESTING_ARM) for v in vectors]
    turns = rotation_matrices(limit * np.array(vectors, dtype=float))
    for load in loads:
        load[2] = robot.wrench_center[2]  # in five digits
    expected = [
        all(
            held_by_a_programme(wrench_matrix(robot, center, R), w, 40.0)
            for R, w in zip(turns, loads, strict=True)
        )
        for center in found.grid.centers()
    ]
    assert (found.verdicts.ravel() != 1).tolist() == expected
    assert 0 < sum(expected) < len(expected)


@pytest.mark.parametrize(
    ("preset", "ignored", "not_turning", "included"),
    [("suspended", 0.1555, 0.0731, 0.0), ("constrained", 0.0765, 0.0671, 0.0185)],
)
def test_volumes_around_the_true_wrench(preset, ignored, not_turning, included):
    """The design notes' volumes hold for the moment of the platform that is not turned, at all orientations."""

    def volume(**settings):
        return workspace(MODEL.resolve(preset, {"cells": 20, **settings})).volume

    at_rest = resting_wrench(MODEL.resolve(preset, {}), np.zeros(3), RESTING_ARM)
    fixed = {"center": at_rest.tolist(), "half_range": [4.0, 4.0, 0.0, 0.3, 0.3, 0.1]}
    assert volume(weight_moment="ignored") == pytest.approx(ignored, abs=6e-5)
    assert volume(wrench_set=fixed) == pytest.approx(not_turning, abs=6e-5)
    assert volume() == pytest.approx(included, abs=6e-5)


def test_a_platform_whose_mass_is_off_its_centre_has_another_workspace():
    body = {"mass": 20.0, "inertia": [0.1, 0.1, 0.1, 0, 0, 0]}
    settings = {"cells": 12, "f_max": 1000.0, "wrench_set": "gravity"}
    volumes = [
        workspace(
            MODEL.resolve("suspended", {**settings, "platform_body": {**body, "centre_of_mass": [x, 0, 0]}})
        ).volume
        for x in (0.0, 0.3)
    ]
    assert volumes[1] < 0.5 * volumes[0]


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_ignored_moment_keeps_the_numbers_of_version_3(preset):
    rounded = {"center": [0, 0, -21.935, 0, 0, 0], "half_range": [4, 4, 0, 0.3, 0.3, 0.1]}  # until version 4
    settings = {"cells": 20, "wrench_set": rounded}
    outcome = MODEL.evaluate(MODEL.resolve(preset, settings), "workspace", 0)
    found = [outcome.metrics[name] for name in VERSION_3]
    assert found == [pytest.approx(value, rel=1e-13) for value in VERSION_3_RESULTS[preset]]


@pytest.mark.parametrize(
    ("preset", "wrench_set", "postures"),
    [
        ("constrained", "gravity", {}),
        ("suspended", "box", TWO),
        ("robocab", "gravity", TWO),
        ("suspended", "gravity", {"arm_postures": "range"}),
        ("robocab", "box", {"arm_postures": "range"}),
    ],
    ids=str,
)
def test_every_implementation_holds_the_same_wrenches(preset, wrench_set, postures):
    parameters = MODEL.resolve(
        preset,
        {
            "cells": 12,
            "wrench_set": wrench_set,
            "f_max": 2000.0 if "range" in postures.values() else 60.0,
            **postures,
        },
    )
    robot, grid = robot_of(parameters), grid_of(parameters)
    centers = grid.centers()
    vector, scalar = cell_results.empty_results(len(centers)), cell_results.empty_results(len(centers))
    driver.test_cells(robot, False, centers, wrench_scratch(robot), vector)
    cell_test_kernels.test_cells(robot, False, centers, wrench_scratch(robot), scalar)
    np.testing.assert_array_equal(vector.verdicts, scalar.verdicts)
    np.testing.assert_allclose(vector.margins, scalar.margins, rtol=1e-12, atol=1e-10)
    some = np.random.default_rng(4).permutation(len(centers))[:6]
    plain = cable_robot_cells.evaluate_cells(robot, centers[some], every_index=False)
    np.testing.assert_array_equal(plain.verdicts, scalar.verdicts[some])
    np.testing.assert_allclose(plain.margins, scalar.margins[some], rtol=1e-9, atol=1e-8)
    assert len(set(scalar.verdicts.tolist())) > 1


def test_all_postures_are_held_where_each_is():
    def held(**chosen):
        parameters = MODEL.resolve("constrained", {"cells": 14, "f_max": 500.0, **chosen})
        return workspace(parameters).capacity_margins

    both = held(**TWO)
    each = [held(arm_posture=posture) for posture in TWO["arm_postures"]]
    np.testing.assert_allclose(both, np.minimum(*each), rtol=1e-12, atol=1e-10)
    assert np.isfinite(both).any()
    whole = held(arm_postures="range")
    kept = np.isfinite(whole)
    assert kept.any()
    assert (whole[kept] <= both[kept] + 1e-9).all()


def test_pose_and_infeasibility_count_the_moment():
    parameters = MODEL.resolve("suspended", {"cells": 8, "wrench_set": "gravity"})
    turned = (0.1, -0.15, 0.05)
    given = resting_wrench(parameters, turned, RESTING_ARM)
    given[2] = robot_of(parameters).wrench_center[2]
    pose = evaluate_pose(parameters, (0.05, 0.02, 0.1), turned)
    alone = evaluate_pose(parameters, (0.05, 0.02, 0.1), turned, given)
    assert pose.capacity_margin == pytest.approx(alone.capacity_margin, abs=1e-9)
    assert pose.tensions == pytest.approx(alone.tensions, abs=1e-9)
    empty = MODEL.resolve("suspended", {"cells": 4})
    outcome = MODEL.evaluate(empty, "workspace", 0)
    best = cable_robot_cells.greatest_margin(robot_of(empty), grid_of(empty).centers())
    assert outcome.violation == pytest.approx(-best, abs=1e-9)


@pytest.mark.parametrize("postures", [{}, TWO], ids=["rest", "two"])
def test_bounds_count_the_moment(postures):
    settings = {"wrench_set": "gravity", "f_max": 40.0, "bounds_block": 1 / 16, "cells": 16, **postures}
    parameters = MODEL.resolve("constrained", settings)
    found, cells = workspace_bounds(parameters), workspace(parameters)
    assert found.lower <= cells.volume <= found.upper
    robot, rng = robot_of(parameters), np.random.default_rng(5)
    centers, half = rng.uniform(-0.4, 0.4, (60, 3)), np.full((60, 3), 0.005)
    compiled = verdicts_of(robot, centers, half)
    plain = [decide_block(robot, *block) for block in zip(centers[:3], half[:3], strict=True)]
    assert compiled[:3].tolist() == plain
    assert {-1, 1} <= set(compiled.tolist())


def test_symmetries_are_those_of_the_masses():
    def found(**settings):
        parameters = MODEL.resolve("suspended", {"cells": 6, **settings})
        return len(symmetries(robot_of(parameters), grid_of(parameters)))

    assert found() == 1
    assert found(weight_moment="ignored") == 4
    body = {"mass": 0.3, "inertia": [1e-3, 1e-3, 1e-3, 0, 0, 0]}
    bare = {"arm_links": [{**body, "mass": 0.0}] * 6, "platform_body": body}
    assert found(**bare, **{"platform_body.centre_of_mass": [0, 0, -0.2]}) == 4
    assert found(**bare, **{"platform_body.centre_of_mass": [0, 1e-6, -0.2]}) == 1


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@pytest.mark.parametrize("moment", ["included", "ignored"])
def test_a_path_that_stands_still_asks_for_the_weight_alone(preset, moment):
    still = {
        "times": [0, 1],
        "platform_positions": [[0.1, 0, 0]] * 2,
        "platform_rotations": [[0.1, -0.2, 0.3]] * 2,
        "joints": [[0.0, -np.pi / 2, np.pi, 0.0, 0.0, 0.0]] * 2,
    }
    settings = {"cells": 12, "weight_moment": moment, "trajectory": still}
    resting, moving = (
        workspace(MODEL.resolve(preset, {**settings, "wrench_set": chosen}))
        for chosen in ("gravity", "trajectory")
    )
    assert resting.volume > 0
    np.testing.assert_array_equal(moving.feasible, resting.feasible)


def test_along_a_path_the_weight_turns_with_the_platform():
    parameters = MODEL.resolve("constrained", {"wrench_set": "trajectory"})
    robot, path = robot_of(parameters), sample(parameters.path, parameters.trajectory_samples)
    needed = -platform_wrench(parameters, path.platform, path.arm).wrench
    for wrench, rotation in zip(needed, path.platform.rotation, strict=True):
        centers = wrench_centers(robot, rotation)
        below, above = centers.min(axis=0) - robot.wrench_range, centers.max(axis=0) + robot.wrench_range
        assert np.all(wrench >= below - 1e-9)
        assert np.all(wrench <= above + 1e-9)
