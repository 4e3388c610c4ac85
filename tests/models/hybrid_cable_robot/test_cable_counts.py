"""Six to twelve cables: tensions, paths, workspace and poses against separate programmes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls

from models.contract import Infeasible
from models.hybrid_cable_robot import (
    MODEL,
    HybridCableRobot,
    evaluate_pose,
    follow_trajectory,
    tension_distribution,
    workspace,
)
from models.hybrid_cable_robot.cables.geometry import cable_motion, wrench_matrix
from models.hybrid_cable_robot.robot import middle_wrench, robot_of, rotation_matrix
from models.hybrid_cable_robot.tensions.distribution import HELD, INFEASIBLE, distribute
from models.hybrid_cable_robot.tensions.rules import RULES, spaces_by_values, tension_spaces
from tests.repetition import crossed, repeated

COUNTS, QUICK = range(6, 13), (6, 7, 9, 12)
EVEN = np.array([1, 1, 1, 10, 10, 10])  # torques of a size with forces
SLACK = 1e-6  # [N]: closer to a limit than this, programmes may differ


def design(cables, seed, **settings):
    """A robot with pulleys all around and above, and attachments on the platform, at random."""
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * (np.arange(cables) + rng.uniform(-0.2, 0.2, cables)) / cables
    radius, height = rng.uniform(0.6, 0.8, cables), np.where(np.arange(cables) % 3 == 2, -0.5, 0.5)
    pulleys = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), height])
    turned = angles + rng.choice([-1.2, 1.2], cables)
    attachments = np.column_stack(
        [0.07 * np.cos(turned), 0.07 * np.sin(turned), rng.uniform(-0.05, 0.05, cables)]
    )
    fixed = {"pulleys": pulleys.tolist(), "attachments": attachments.tolist(), "cable_stiffness": 1000.0}
    free = {"check_platform": False, "check_interference": False, "f_min": 1.0, "f_max": 60.0}
    return MODEL.resolve(None, {**fixed, **free, **settings})


def reach(W, wrench, f_min, f_max):
    """Margin (N) of tensions from both limits while they balance the wrench; negative beyond."""
    m = W.shape[1]
    ones = np.ones((m, 1))
    found = linprog(
        np.append(np.zeros(m), -1.0),
        A_eq=np.hstack([W * EVEN[:, None], np.zeros((6, 1))]),
        b_eq=-wrench * EVEN,
        A_ub=np.vstack([np.hstack([np.eye(m), ones]), np.hstack([-np.eye(m), ones])]),
        b_ub=np.concatenate([np.full(m, f_max), np.full(m, -f_min)]),
        bounds=[(None, None)] * (m + 1),
        method="highs",
    )
    return -found.fun if found.status == 0 else -np.inf


def least_norm(W, wrench, f_min, f_max):
    """Least-norm tensions by another way: penalised non-negative least squares of slacks."""
    m, weight = W.shape[1], 1e5
    size = np.hstack([np.eye(m), np.zeros((m, m))])
    balance = weight * np.hstack([W * EVEN[:, None], np.zeros((6, m))])
    upper = weight * np.hstack([np.eye(m), np.eye(m)])
    b = np.concatenate(
        [
            np.full(m, -f_min),
            weight * (-(wrench + W @ np.full(m, f_min)) * EVEN),
            np.full(m, weight * (f_max - f_min)),
        ]
    )
    x, _ = nnls(np.vstack([size, balance, upper]), b, maxiter=2000)
    return x[:m] + f_min


def pose_of(rng):
    return rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.15, 0.15, 3)


@pytest.mark.parametrize("cables", repeated(COUNTS, quick=QUICK))
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_every_rule_at_random_poses(cables, seed):
    rng = np.random.default_rng(seed)
    robot = robot_of(design(cables, seed))
    place, turned = pose_of(rng)
    W = wrench_matrix(robot, place, rotation_matrix(turned))
    wrench = -W @ rng.uniform(0, robot.f_max, cables) if seed % 2 else np.array([0, 0, -22, 0, 0, 0.0])
    room = reach(W, wrench, robot.f_min, robot.f_max)
    for rule in RULES:
        found = tension_distribution(W, wrench, robot.f_min, robot.f_max, rule)
        if abs(room) > SLACK:
            assert (found.verdict == "infeasible") == (room < 0)
        np.testing.assert_allclose(W @ found.tensions, -wrench, atol=1e-7 * np.abs(found.tensions).max())
        if found.verdict == "held":
            assert found.tensions.min() >= robot.f_min
            assert found.tensions.max() <= robot.f_max
        elif found.verdict == "infeasible" and abs(room) > SLACK:
            assert found.shortfall == pytest.approx(-room, rel=1e-5, abs=1e-6)
        else:
            assert rule in {"closed-form", "paper"} or abs(room) <= SLACK
    if room > SLACK:
        best = tension_distribution(W, wrench, robot.f_min, robot.f_max).tensions
        np.testing.assert_allclose(best, least_norm(W, wrench, robot.f_min, robot.f_max), atol=1e-3)


@pytest.mark.parametrize("cables", COUNTS)
def test_compiled_spaces_are_those_of_the_singular_values(cables):
    rng = np.random.default_rng(cables)
    robots = [robot_of(design(cables, seed)) for seed in range(20)]
    W = np.array([wrench_matrix(r, p, rotation_matrix(t)) for r in robots for p, t in [pose_of(rng)]])
    wrench = rng.normal(size=(20, 6)) * [9, 9, 20, 0.3, 0.3, 0.3]
    groups, missed = tension_spaces(W, wrench, 1.0, 60.0)
    assert not missed.any()
    rows = np.linalg.norm(W, axis=-1)
    ((_, theirs),), _ = spaces_by_values(W / rows[..., None], wrench / rows, 1.0, 60.0)
    for part, ours in groups:
        scale = np.abs(theirs.start).max()
        np.testing.assert_allclose(ours.start, theirs.start[part], rtol=0, atol=1e-12 * scale)
        projector = ours.null @ np.swapaxes(ours.null, 1, 2)
        other = theirs.null[part] @ np.swapaxes(theirs.null[part], 1, 2)
        np.testing.assert_allclose(projector, other, atol=1e-12)
        np.testing.assert_allclose(
            np.swapaxes(ours.null, 1, 2) @ ours.null,
            np.broadcast_to(np.eye(cables - 6), (len(part), cables - 6, cables - 6)),
            atol=1e-13,
        )


@pytest.mark.parametrize(("cables", "rule"), crossed(COUNTS, RULES))
def test_paths_are_followed(cables, rule):
    path_settings = {"trajectory_samples": 7, "tension_rule": rule, "f_min": 0.0, "f_max": 80.0}
    parameters = design(cables, 3, **path_settings)
    path = follow_trajectory(parameters)
    robot = robot_of(parameters)
    W = cable_motion(robot, path.samples.platform).wrench_matrices
    assert path.tensions.shape == (7, cables)
    balance = (W @ path.tensions[..., None])[..., 0]
    np.testing.assert_allclose(balance, path.wrenches, atol=1e-8 * np.abs(path.tensions).max())
    for i, verdict in enumerate(path.verdicts):
        room = reach(W[i], -path.wrenches[i], robot.f_min, robot.f_max)
        if abs(room) > SLACK:
            assert (verdict == INFEASIBLE) == (room < 0)
    outcome = MODEL.evaluate(parameters, "motion", 0)
    assert isinstance(outcome, Infeasible) == (not path.feasible)


@pytest.mark.parametrize("cables", repeated(COUNTS, quick=QUICK))
def test_workspace_and_poses_agree_with_linear_programmes(cables):
    parameters = design(cables, 5, cells=3, orientations="nominal", wrench_set="gravity", f_min=0.5)
    cells = workspace(parameters)
    robot = robot_of(parameters)
    for center, feasible, verdict in zip(
        cells.grid.centers(), cells.feasible.ravel(), cells.verdicts.ravel(), strict=True
    ):
        pose = evaluate_pose(parameters, center, (0, 0, 0))
        assert pose.wrench_matrix.shape == (6, cables)
        assert pose.feasible == feasible
        room = reach(pose.wrench_matrix, middle_wrench(robot, np.eye(3)), robot.f_min, robot.f_max)
        if abs(room) > SLACK:
            assert (verdict != 1) == (room > 0)
            assert (pose.tension_verdict == "held") == (room > 0)


@pytest.mark.parametrize("cables", [7, 9, 10, 11, 12])
def test_the_centroid_does_not_depend_on_the_basis(cables):
    """A convex hull lost some corners of twelve cables; so the basis showed."""
    rng = np.random.default_rng(12)
    robots = [robot_of(design(cables, seed)) for seed in range(3)]
    W = np.array([wrench_matrix(r, p, rotation_matrix(t)) for r in robots for p, t in [pose_of(rng)]])
    wrench = -(W @ rng.uniform(20, 40, (3, cables, 1)))[..., 0]
    mixing = np.linalg.qr(rng.normal(size=(6, 6)))[0]  # other rows of the same equations, other reflectors
    ours, held, _ = distribute(W, wrench, 1.0, 60.0, "centroid")
    theirs, _, _ = distribute(mixing @ W, wrench @ mixing.T, 1.0, 60.0, "centroid")
    assert (held == HELD).all()
    np.testing.assert_allclose(ours, theirs, atol=1e-8)


@pytest.mark.parametrize("rule", ["minimum-norm", "centroid"])
def test_linear_programmes_that_presolving_calls_infeasible_are_solved(rule):
    pulleys = [
        [x, y, z] for z in (0.5, -0.5) for x, y in ((0.5, 0.4), (-0.5, 0.4), (-0.5, -0.4), (0.5, -0.4))
    ]
    robot = HybridCableRobot(
        pulleys=[*pulleys, [0, 0, 0.6]], attachments=[*([y / 8, x / 8, z / 8] for x, y, z in pulleys), [0.01, 0, 0.05]],
        orientations="nominal", wrench_set="gravity", tension_rule=rule,
    )  # fmt: skip
    for position in np.random.default_rng(2).uniform(-0.2, 0.2, (25, 3)):
        pose = evaluate_pose(robot, position, [0, 0, 0])
        assert (pose.tension_verdict == "held") == (pose.capacity_margin >= 0)
