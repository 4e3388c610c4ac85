"""Trajectories: rest to rest, smooth through waypoints, by the tool's path, and their wrench sets."""

import numpy as np
import pytest
from scipy.interpolate import BPoly, CubicSpline

from errors import InputError
from models.contract import Infeasible
from models.hybrid_cable_robot import (
    MODEL,
    TRAJECTORIES,
    Trajectory,
    WrenchBox,
    evaluate_pose,
    forward_kinematics,
    platform_wrench,
    reaction_range,
    sample,
    workspace,
)
from models.hybrid_cable_robot.trajectory import QUINTIC_4S, through_waypoints
from models.hybrid_cable_robot.trajectory_sampling import follow_tool
from models.numerics.rotations import rotation_matrices

BENT = (0.2, -1.9, 2.2, 0.3, 0.6, -0.2)
STILL = ((0.0, 0.0, 0.0),) * 2


def tool_of(angles):
    """Position and rotation vector of the end."""
    positions, rotations = forward_kinematics(angles)
    R = rotations[-1]
    cosine = (np.trace(R) - 1) / 2
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return positions[-1], np.arccos(cosine) * axis / np.linalg.norm(axis)


def test_two_waypoints_are_joined_by_the_quintic_of_rest_to_rest():
    instants = np.linspace(1.0, 3.0, 41)
    values, rates, seconds = through_waypoints(np.array([1.0, 3.0]), np.array([[2.0], [5.0]]), instants)
    s = (instants - 1.0) / 2.0
    np.testing.assert_allclose(values[:, 0], 2 + 3 * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-13)
    np.testing.assert_allclose(rates[:, 0], 1.5 * 30 * s**2 * (1 - s) ** 2, atol=1e-13)
    np.testing.assert_allclose(seconds[:, 0], 0.75 * 60 * s * (1 - s) * (1 - 2 * s), atol=1e-12)


def test_paths_pass_their_waypoints_smoothly():
    rng = np.random.default_rng(0)
    times, rows = np.array([0.0, 1.0, 1.5, 4.0]), rng.normal(size=(4, 6))
    at, rates, _ = through_waypoints(times, rows, times)
    np.testing.assert_allclose(at, rows, atol=1e-12)
    np.testing.assert_allclose(rates[[0, -1]], 0.0, atol=1e-12)
    for inner in times[1:-1]:
        before, after = (through_waypoints(times, rows, np.array([inner + h])) for h in (-1e-9, 1e-9))
        for left, right in zip(before, after, strict=True):
            np.testing.assert_allclose(left, right, atol=1e-5)


def test_motions_are_their_own_derivatives():
    trajectory = Trajectory(
        times=(0, 1, 2.5),
        platform_positions=((0, 0, 0), (0.1, 0.2, -0.1), (0.2, 0, 0)),
        platform_rotations=((0, 0, 0), (0.5, -0.4, 1.2), (0.1, 0.3, 2.0)),
        joints=((0, -1, 2, 0, 0, 0), BENT, (1, -1, 2, 1, 1, 1)),
    )
    path = sample(trajectory, 20001)
    h = path.times[1]
    pairs = (
        (path.platform.position, path.platform.velocity),
        (path.platform.velocity, path.platform.acceleration),
        (path.platform.angular_velocity, path.platform.angular_acceleration),
        (path.arm.angles, path.arm.velocities),
        (path.arm.velocities, path.arm.accelerations),
    )
    for value, rate in pairs:
        np.testing.assert_allclose((value[2:] - value[:-2]) / (2 * h), rate[1:-1], atol=2e-3)


def test_the_named_trajectory_is_that_of_the_default():
    assert MODEL.resolve("suspended", {}).path is TRAJECTORIES["quintic-4s"]
    path = sample(TRAJECTORIES["quintic-4s"], 3)
    np.testing.assert_allclose(path.times, [0, 2, 4])
    np.testing.assert_allclose(path.platform.position[1], [0, 0, -0.07], atol=1e-15)
    np.testing.assert_allclose(np.rad2deg(path.arm.angles[1]), [30, -85, 175, 15, 10, 20])


def test_the_arm_follows_the_tools_path():
    (p0, r0), (p1, r1) = tool_of(BENT), tool_of(np.array(BENT) + 0.3)
    trajectory = Trajectory(
        platform_positions=STILL, tool_positions=(tuple(p0), tuple(p1)), tool_rotations=(tuple(r0), tuple(r1))
    )
    path = sample(trajectory, 4001)
    assert path.fault == ""
    positions, rotations = forward_kinematics(path.arm.angles)
    values, _, _ = through_waypoints(np.array([0.0, 4.0]), np.array([[*p0, *r0], [*p1, *r1]]), path.times)
    np.testing.assert_allclose(positions[:, -1], values[:, :3], atol=1e-12)
    np.testing.assert_allclose(rotations[:, -1], rotation_matrices(values[:, 3:]), atol=1e-7)
    h = path.times[1]
    for value, rate in (
        (path.arm.angles, path.arm.velocities),
        (path.arm.velocities, path.arm.accelerations),
    ):
        np.testing.assert_allclose((value[2:] - value[:-2]) / (2 * h), rate[1:-1], atol=1e-4)


@pytest.mark.parametrize(
    ("ends", "words"), [(((0.3, 0, 0), (0.6, 0, 0)), "too far"), (((0.3, 0, 0), (0, 0, 0.001)), "too near")]
)
def test_tool_paths_out_of_reach_are_reported(ends, words):
    trajectory = Trajectory(platform_positions=STILL, tool_positions=ends, tool_rotations=STILL)
    path = sample(trajectory, 50)
    assert words in path.fault
    assert path.fault_size > 0
    assert np.isfinite(path.arm.angles).all()
    with pytest.raises(InputError, match=words):
        reaction_range(MODEL.resolve("constrained", {}), trajectory)


def test_tool_paths_through_a_singular_pose_are_reported():
    straight = tool_of((0.2, -1.9, 2.2, 0.3, 0.0, -0.2))
    still = Trajectory(
        platform_positions=STILL,
        tool_positions=(tuple(straight[0]),) * 2,
        tool_rotations=(tuple(straight[1]),) * 2,
    )
    assert "singular" in sample(still, 5).fault
    assert follow_tool(sample(TRAJECTORIES["quintic-4s"], 5).platform)[1] != ""


def test_reaction_range_is_a_wrench_set_that_holds_every_sample():
    parameters = MODEL.resolve("constrained", {"cells": 8, "orientations": "nominal"})
    box = reaction_range(parameters)
    assert isinstance(box, WrenchBox)
    path = sample(parameters.path, parameters.trajectory_samples)
    external = -platform_wrench(parameters, path.platform, path.arm).wrench
    low = np.array(box.center) - box.half_range
    assert (external >= low - 1e-12).all()
    np.testing.assert_allclose(external.min(axis=0), low, atol=1e-12)
    assert box.center[2] == pytest.approx(-21.9, abs=0.3)
    chained = workspace(
        MODEL.resolve("constrained", {"cells": 8, "orientations": "nominal", "wrench_set": box})
    )
    weight = workspace(
        MODEL.resolve("constrained", {"cells": 8, "orientations": "nominal", "wrench_set": "gravity"})
    )
    assert 0 < chained.volume < weight.volume


CHAIN = {"cells": 8, "orientations": "nominal", "wrench_set": "trajectory"}
OUT_OF_REACH = {
    "platform_positions": [[0, 0, 0]] * 2,
    "tool_positions": [[0.3, 0, 0], [0.6, 0, 0]],
    "tool_rotations": [[0, 0, 0]] * 2,
}


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_the_named_wrench_set_asks_for_the_reaction_range_or_more_where_nothing_turns(preset):
    """The platform keeps its own orientation along the path."""
    level = {**CHAIN, "trajectory": {**QUINTIC_4S.model_dump(), "platform_rotations": [[0, 0, 0]] * 2}}
    named = MODEL.resolve(preset, level)
    given = MODEL.resolve(preset, {**level, "wrench_set": reaction_range(named)})
    named_margin, margin = (evaluate_pose(p, (0, 0, -0.1), (0, 0, 0)).capacity_margin for p in (named, given))
    assert named_margin <= margin + 1e-9  # moments of weight and of inertia, each in a box of its own
    assert "along the trajectory" in MODEL.scene(named).caption


def test_a_fiercer_motion_leaves_less_workspace():
    volumes = []
    for duration in (8, 1, 0.6):
        path = {
            "times": [0, duration],
            "platform_positions": [[0, 0, 0]] * 2,
            "joints": [[0, -1.5, 3, 0, 0, 0], [1, -1, 2.5, 0, 0, 0]],
        }
        outcome = MODEL.evaluate(MODEL.resolve("constrained", {**CHAIN, "trajectory": path}), "workspace", 0)
        volumes.append(0 if isinstance(outcome, Infeasible) else outcome.metrics["workspace_volume"])
    assert volumes[0] > volumes[1] > volumes[2]


def test_a_wrench_set_of_a_path_that_the_arm_cannot_follow_is_infeasible():
    parameters = MODEL.resolve("constrained", {**CHAIN, "trajectory": OUT_OF_REACH})
    for cost_class in MODEL.cost_classes:
        outcome = MODEL.evaluate(parameters, cost_class, 0)
        assert isinstance(outcome, Infeasible)
        assert "too far by 0.2 m" in outcome.reason
        assert outcome.violation == pytest.approx(0.2)
    for ask in (workspace, lambda p: evaluate_pose(p, (0, 0, 0), (0, 0, 0))):
        with pytest.raises(InputError, match="too far"):
            ask(parameters)
    assert evaluate_pose(parameters, (0, 0, 0), (0, 0, 0), (0, 0, -20, 0, 0, 0)).feasible
    assert "too far" in MODEL.scene(parameters).caption


def test_motions_beyond_all_bounds_have_outcomes():
    path = {"times": [0, 1e-3], "platform_positions": [[-1e4] * 3, [1e4] * 3]}
    parameters = MODEL.resolve("constrained", {**CHAIN, "trajectory": path})
    for cost_class in MODEL.cost_classes:
        outcome = MODEL.evaluate(parameters, cost_class, 0)
        assert isinstance(outcome, Infeasible)
        assert np.isfinite(outcome.violation)
    with pytest.raises(InputError, match="at most"):
        reaction_range(parameters)


@pytest.mark.parametrize("count", [1, 0, -3])
def test_fewer_than_two_instants_are_refused(count):
    with pytest.raises(InputError, match="at least 2"):
        sample(TRAJECTORIES["quintic-4s"], count)
    with pytest.raises(InputError, match="at least 2"):
        reaction_range(MODEL.resolve("constrained", {}), samples=count)


@pytest.mark.parametrize("waypoints", [2, 3, 4, 10, 300])
def test_paths_are_those_of_separate_splines(waypoints):
    rng = np.random.default_rng(waypoints)
    times, rows = np.cumsum(rng.uniform(0.1, 2, waypoints)), rng.normal(size=(waypoints, 5))
    instants = np.linspace(times[0], times[-1], 501)
    spline = CubicSpline(times, rows, bc_type="clamped")
    rates, seconds = spline(times, 1), spline(times, 2)
    rates[[0, -1]] = seconds[[0, -1]] = 0.0
    path = BPoly.from_derivatives(times, np.stack([rows, rates, seconds], axis=1))
    for nu, ours in enumerate(through_waypoints(times, rows, instants)):
        theirs = path(instants, nu)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"times": [0, 1, 2]}, "lists 2 waypoints but 'times' lists 3"),
        ({"times": [0, 0]}, "must rise"),
        ({"times": [1]}, "at least 2"),
        ({"tool_positions": [[0, 0, 0]] * 2}, "must be given together"),
        ({"joints": [BENT] * 2, "tool_positions": STILL, "tool_rotations": STILL}, "give only one"),
        ({"times": ["0 s", "5 kg"]}, "mass"),
    ],
)
def test_trajectories_that_make_no_sense_are_refused(settings, words):
    with pytest.raises(InputError, match=words):
        MODEL.resolve("constrained", {"trajectory": settings})


def test_trajectories_take_units():
    parameters = MODEL.resolve(
        "constrained",
        {
            "trajectory": {
                "times": ["0 s", "1 min"],
                "platform_positions": [["0 mm", 0, 0], ["50 mm", 0, 0]],
                "joints": [["90 deg"] * 6] * 2,
            }
        },
    )
    assert parameters.path.times == (0.0, 60.0)
    assert parameters.path.platform_positions[1] == (0.05, 0.0, 0.0)
    assert parameters.path.joints[0][0] == pytest.approx(np.pi / 2)
