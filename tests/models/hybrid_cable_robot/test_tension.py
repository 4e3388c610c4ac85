"""Tension rules against linear and quadratic programmes, sampled polygons and each other."""

import numpy as np
import pytest
from scipy.optimize import linprog, lsq_linear, minimize
from scipy.spatial import ConvexHull

from errors import InputError, UnknownNameError
from models.hybrid_cable_robot import MODEL, evaluate_pose, tension_distribution
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.robot import robot_of, rotation_matrix
from models.hybrid_cable_robot.tensions.distribution import HELD, INFEASIBLE, RULE_FAILED, distribute
from models.hybrid_cable_robot.tensions.polytope import centroid, least_relaxation, nearest_point
from models.hybrid_cable_robot.tensions.rules import RULES, tension_spaces
from tests.repetition import repeated

F_MIN, F_MAX = 1.0, 23.0


def random_cases(count, seed=0, presets=("constrained", "suspended")):
    """Wrench matrices (n, 6, 8) of both layouts at random poses, and wrenches, about half held."""
    rng = np.random.default_rng(seed)
    robots = [robot_of(MODEL.resolve(preset, {})) for preset in presets]
    W = np.array(
        [
            wrench_matrix(
                robots[i % len(robots)],
                rng.uniform(-0.35, 0.35, 3),
                rotation_matrix(rng.uniform(-0.2, 0.2, 3)),
            )
            for i in range(count)
        ]
    )
    wrenches = rng.uniform(-1, 1, (count, 6)) * [4, 4, 10, 0.3, 0.3, 0.1] + [0, 0, -20, 0, 0, 0]
    return W, wrenches


def random_structure(rng, cables):
    pulleys, attachments = rng.uniform(-1, 1, (cables, 3)), rng.uniform(-0.3, 0.3, (cables, 3))
    units = pulleys - attachments
    units /= np.linalg.norm(units, axis=1)[:, None]
    return np.vstack([units.T, np.cross(attachments, units).T])


def linear_programme(W, wrench):
    """Status 0 when tensions within the limits balance the wrench, 2 when none do."""
    scale = np.array([1, 1, 1, 10, 10, 10])  # torques of comparable size
    return linprog(
        np.zeros(W.shape[1]),
        A_eq=W * scale[:, None],
        b_eq=-wrench * scale,
        bounds=[(F_MIN, F_MAX)] * W.shape[1],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10},
    )


def quadratic_programme(W, wrench, start):
    """Least-norm tensions by sequential quadratic programming, from elsewhere in the polygon."""
    scale = np.array([1, 1, 1, 10, 10, 10])
    A, b = W * scale[:, None], -wrench * scale
    result = minimize(
        lambda t: t @ t / 2,
        start,
        jac=lambda t: t,
        bounds=[(F_MIN, F_MAX)] * W.shape[1],
        constraints={"type": "eq", "fun": lambda t: A @ t - b, "jac": lambda t: A},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 200},
    )
    return result.x


def assert_optimal(W, tensions):
    """Karush, Kuhn and Tucker: t = W^T y + a - b with a, b >= 0 on the limits that t touches.

    Tested without solving for t: the multipliers are found by least squares with signs.
    """
    touches_low, touches_high = tensions < F_MIN + 1e-7, tensions > F_MAX - 1e-7
    m = len(tensions)
    A = np.hstack([W.T, np.eye(m)[:, touches_low], -np.eye(m)[:, touches_high]])
    lower = [-np.inf] * 6 + [0.0] * (A.shape[1] - 6)
    fit = lsq_linear(A, tensions, bounds=(lower, np.inf), method="bvls", tol=1e-15)
    assert np.linalg.norm(A @ fit.x - tensions) < 1e-7


@pytest.mark.parametrize(
    ("count", "seed"),
    [(60, 0), pytest.param(5_000, 10, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])],
)
def test_minimum_norm_is_the_optimum_and_verdicts_are_those_of_linear_programmes(count, seed):
    W, wrenches = random_cases(count, seed)
    tensions, verdicts, shortfalls = distribute(W, wrenches, F_MIN, F_MAX, "minimum-norm")
    assert 0.25 * count < np.count_nonzero(verdicts == HELD) < 0.85 * count
    for i in range(count):
        programme = linear_programme(W[i], wrenches[i])
        held = programme.status == 0
        if 0 < shortfalls[i] < 1e-7:
            continue  # a tie
        assert held == (verdicts[i] == HELD)
        np.testing.assert_allclose(W[i] @ tensions[i], -wrenches[i], atol=1e-8)
        if held:
            assert tensions[i].min() >= F_MIN
            assert tensions[i].max() <= F_MAX
            assert_optimal(W[i], tensions[i])
            other = quadratic_programme(W[i], wrenches[i], programme.x)
            np.testing.assert_allclose(tensions[i], other, atol=1e-6)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_balances_the_wrench_and_tells_the_truth(rule):
    W, wrenches = random_cases(300, seed=1)
    tensions, verdicts, shortfalls = distribute(W, wrenches, F_MIN, F_MAX, rule)
    _, truth, widening = distribute(W, wrenches, F_MIN, F_MAX, "minimum-norm")
    assert np.isfinite(tensions).all()
    np.testing.assert_allclose((W @ tensions[..., None])[..., 0], -wrenches, atol=1e-8)
    within = (tensions >= F_MIN).all(axis=1) & (tensions <= F_MAX).all(axis=1)
    assert (within == (verdicts == HELD)).all()
    assert ((verdicts == INFEASIBLE) == (truth == INFEASIBLE)).all()
    assert ((shortfalls > 0) == (verdicts != HELD)).all()
    np.testing.assert_allclose(shortfalls[verdicts == INFEASIBLE], widening[verdicts == INFEASIBLE])
    if rule in {"minimum-norm", "centroid"}:
        assert not (verdicts == RULE_FAILED).any()


def test_how_often_the_fast_rules_miss_tensions_that_exist():
    W, wrenches = random_cases(600, seed=2)
    rates = {}
    for rule in RULES:
        _, verdicts, _ = distribute(W, wrenches, F_MIN, F_MAX, rule)
        rates[rule] = np.mean(verdicts[verdicts != INFEASIBLE] == RULE_FAILED)
    assert rates["closed-form"] < 0.1
    assert rates["closed-form"] < rates["paper"] < 1.0


def test_centroid_is_the_mean_of_a_sampled_polygon():
    W, wrenches = random_cases(400, seed=3)
    tensions, verdicts, _ = distribute(W, wrenches, F_MIN, F_MAX, "centroid")
    groups, _ = tension_spaces(W, wrenches, F_MIN, F_MAX)
    ((rows, space),) = groups
    rng = np.random.default_rng(0)
    tested = 0
    for i in rows[verdicts == HELD][:10]:
        corners = vertices_by_pairs(space.start[i], space.null[i])
        z = space.null[i].T @ tensions[i]
        hull = ConvexHull(corners)
        assert (hull.equations @ np.append(z, 1.0) < 1e-9).all()
        points = rng.uniform(corners.min(axis=0), corners.max(axis=0), (100_000, 2))
        t = space.start[i] + points @ space.null[i].T
        inside = points[((t >= F_MIN) & (t <= F_MAX)).all(axis=1)]
        spread = inside.std(axis=0) / np.sqrt(len(inside))
        assert (np.abs(inside.mean(axis=0) - z) < 5 * spread).all()
        np.testing.assert_allclose(z, triangulated_centroid(corners[hull.vertices]), atol=1e-8)
        tested += 1
    assert tested == 10


def vertices_by_pairs(start, null):
    """Corners of the polygon from every pair of limits."""
    G, h = np.vstack([null, -null]), np.concatenate([F_MAX - start, start - F_MIN])
    corners = []
    for i in range(len(G)):
        for j in range(i):
            pair = G[[i, j]]
            if abs(np.linalg.det(pair)) > 1e-9:
                z = np.linalg.solve(pair, h[[i, j]])
                if (G @ z <= h + 1e-9).all():
                    corners.append(z)
    return np.array(corners)


def triangulated_centroid(ring):
    a, b, c = ring[0], ring[1:-1], ring[2:]
    areas = np.cross(np.pad(b - a, ((0, 0), (0, 1))), np.pad(c - a, ((0, 0), (0, 1))))[:, 2] / 2
    return areas @ (a + b + c) / 3 / areas.sum()


def test_compiled_polygons_equal_the_general_methods():
    W, wrenches = random_cases(80, seed=4)
    ((_, space),), _ = tension_spaces(W, wrenches, F_MIN, F_MAX)
    for rule, general in (("minimum-norm", nearest_point), ("centroid", centroid)):
        tensions, held = RULES[rule](space)
        for i in range(80):
            z = general(space.start[i], space.null[i], F_MIN, F_MAX)
            assert (z is not None) == held[i]
            if z is not None:
                np.testing.assert_allclose(tensions[i], space.start[i] + space.null[i] @ z, atol=1e-7)
    _, verdicts, shortfalls = distribute(W, wrenches, F_MIN, F_MAX, "minimum-norm")
    for i in np.flatnonzero(verdicts == INFEASIBLE):
        expected = least_relaxation(space.start[i], space.null[i], F_MIN, F_MAX)
        assert shortfalls[i] == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("cables", repeated([6, 7, 9, 10, 12], quick=(6, 9, 12)))
def test_any_number_of_cables(cables):
    rng = np.random.default_rng(cables)
    held = 0
    for trial in range(12):
        W = random_structure(rng, cables)
        wrench = -W @ rng.uniform(F_MIN, F_MAX * (1 + 0.5 * (trial % 2)), cables)
        programme = linear_programme(W, wrench)
        for rule in RULES:
            found = tension_distribution(W, wrench, F_MIN, F_MAX, rule)
            assert (found.verdict == "infeasible") == (programme.status == 2)
            np.testing.assert_allclose(W @ found.tensions, -wrench, atol=1e-7)
        if programme.status == 0:
            held += 1
            least = tension_distribution(W, wrench, F_MIN, F_MAX).tensions
            assert_optimal(W, least)
            middle = tension_distribution(W, wrench, F_MIN, F_MAX, "centroid").tensions
            assert middle.min() >= F_MIN
            assert middle.max() <= F_MAX
    assert held >= 6


@pytest.mark.parametrize("redundant", [3, 4])
def test_centroid_of_a_box_in_more_dimensions(redundant):
    """Cables 7.. pull along the first six and share their limits only with themselves: a box."""
    null = np.vstack([np.eye(redundant), np.zeros((4, redundant))])
    start = np.concatenate([np.arange(redundant, dtype=float), [5.0] * 4])
    z = centroid(start, null, F_MIN, F_MAX)
    np.testing.assert_allclose(start[:redundant] + z, 12.0)


def test_tensions_that_are_unique_are_found_by_the_exact_rules():
    """All cables slack: the polygon is a point, and rounding may not lose it."""
    W, _ = random_cases(40, seed=6, presets=("suspended",))
    for matrix in W:
        wrench = -matrix @ np.full(8, F_MIN)
        for rule in ("minimum-norm", "centroid"):
            found = tension_distribution(matrix, wrench, F_MIN, F_MAX, rule)
            assert found.verdict == "held"
            np.testing.assert_allclose(found.tensions, F_MIN, atol=1e-6)


def test_shortfall_shrinks_to_nothing_as_the_wrench_comes_near():
    W, _ = random_cases(1)
    inside = -W[0] @ np.full(8, 12.0)
    outside = inside - np.array([0, 0, 400, 0, 0, 0])
    line = [
        tension_distribution(W[0], inside + s * (outside - inside), F_MIN, F_MAX).shortfall
        for s in np.linspace(0, 1, 30)
    ]
    assert line[0] == 0.0
    assert line[-1] > 1.0
    assert (np.diff(line) >= 0).all()


def test_wrenches_outside_the_span_of_a_singular_pose_are_infeasible():
    rng = np.random.default_rng(8)
    W = rng.normal(size=(6, 5)) @ rng.uniform(0, 1, (5, 8))
    inside = -W @ rng.uniform(2, 20, 8)
    for rule in RULES:
        assert tension_distribution(W, inside, F_MIN, F_MAX, rule).verdict in {"held", "rule-failed"}
        lost = tension_distribution(W, inside + rng.normal(size=6), F_MIN, F_MAX, rule)
        assert lost.verdict == "infeasible"
        assert np.isfinite(lost.tensions).all()
        assert np.isfinite(lost.shortfall)
    nothing = tension_distribution(np.zeros((6, 8)), np.zeros(6), F_MIN, F_MAX)
    assert nothing.verdict == "held"
    np.testing.assert_allclose(nothing.tensions, F_MIN)


@pytest.mark.parametrize("rule", RULES)
def test_poses_tell_tensions_by_the_rule_of_the_record(rule):
    parameters = MODEL.resolve(
        "constrained", {"tension_rule": rule, "wrench_set": "gravity", "weight_moment": "ignored"}
    )
    pose = evaluate_pose(parameters, (0.05, 0, 0), (0, 0, 0.1))
    assert pose.tension_verdict == "held"
    np.testing.assert_allclose(pose.wrench_matrix @ pose.tensions, [0, 0, 21.93516, 0, 0, 0], atol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((np.zeros((5, 8)), np.zeros(6), 0, 1), "wrench_matrix"),
        ((np.zeros((6, 8)), np.zeros(5), 0, 1), "wrench"),
        ((np.zeros((6, 8)), np.zeros(6), 2, 1), "f_min"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_by_name(arguments, place):
    with pytest.raises(InputError) as caught:
        tension_distribution(*arguments)
    assert caught.value.place == (place,)


def test_unknown_rules_are_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="centroid"):
        tension_distribution(np.zeros((6, 8)), np.zeros(6), 0.0, 1.0, "centrod")
