"""The wrench test, compiled and plain, against linear programmes."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.robot import Load, robot_of, rotation_matrix
from models.hybrid_cable_robot.wrench.capacity import capacity_margin
from models.hybrid_cable_robot.wrench.capacity_kernels import matrix_margin, wrench_scratch
from models.hybrid_cable_robot.wrench.facet_kernels import facet_scratch, margin_any
from tests.models.hybrid_cable_robot.robots import bare_robot
from tests.repetition import repeated

TIE = 1e-7  # [N]; closer to the boundary than that either verdict is right


def load_of(center, half_range, f_min=0.0, f_max=23.0, cables=8):
    alike = np.ones(cables)
    return Load(
        np.array(center, float),
        np.array(half_range, float),
        f_min,
        f_max,
        alike,
        alike,
        False,
        np.ones(6),
        6,
        1e-9,
    )


def compiled_margin(W, load, stop=-np.inf):
    scratch = wrench_scratch(bare_robot(np.zeros((W.shape[1], 3)), np.zeros((W.shape[1], 3))))
    scratch.W[:] = W
    return matrix_margin(load, stop, scratch)


def vertices(load):
    ranges = [(0.0,) if half == 0 else (-half, half) for half in load.half_range]
    return load.center + np.array(list(itertools.product(*ranges)))


def holds_by_linear_programme(W, load):
    """One programme whose blocks hold the vertices of the box; tensions in shares of f_max."""
    loads = vertices(load) / load.f_max
    blocks = len(loads)
    matrix = np.kron(np.eye(blocks), W)
    bounds = [(load.f_min / load.f_max, 1.0)] * (W.shape[1] * blocks)
    result = linprog(
        np.zeros(matrix.shape[1]),
        A_eq=matrix,
        b_eq=-loads.ravel(),
        bounds=bounds,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10},
    )
    assert result.status in (0, 2)
    return result.status == 0


def random_matrix(rng, m, near_singular=0.0):
    """Columns of cables between random points; the last row can be made nearly dependent."""
    pulleys = rng.uniform(-1, 1, (m, 3))
    attachments = rng.uniform(-0.3, 0.3, (m, 3))
    units = pulleys - attachments
    units /= np.linalg.norm(units, axis=1)[:, None]
    W = np.vstack([units.T, np.cross(attachments, units).T / 0.3])
    if near_singular:
        W[5] = rng.normal(size=5) @ W[:5] / 5 + near_singular * W[5]
    return W


def layout_matrix(preset, rng, beta_spread=0.5):
    """The scaled matrix of a layout at a random pose."""
    base = MODEL.presets[preset].settings
    betas = {name: float(base[name] + rng.uniform(-beta_spread, beta_spread)) for name in ("beta1", "beta2")}
    parameters = MODEL.resolve(preset, betas)
    robot = robot_of(parameters)
    W = wrench_matrix(robot, rng.uniform(-0.4, 0.4, 3), rotation_matrix(rng.uniform(-0.2, 0.2, 3)))
    W[3:] /= 0.07
    return W


def random_load(rng, cables=8):
    center = rng.uniform(-6, 6, 6) * rng.integers(0, 2, 6)
    center[2] = -21.0 * rng.uniform(0, 1)
    half_range = rng.uniform(0, 4, 6) * rng.integers(0, 2, 6) * rng.integers(0, 2)
    if np.count_nonzero(half_range) > 3:
        half_range[rng.permutation(6)[:3]] = 0.0
    f_min = float(rng.choice([0.0, 1.0, 3.0]))
    return load_of(center, half_range, f_min, f_min + float(rng.choice([10.0, 23.0, 60.0])), cables)


def matrices(count=200, seed=2015):
    rng = np.random.default_rng(seed)
    for i in range(count):
        kind = i % 10
        if kind < 3:
            yield layout_matrix("constrained", rng), random_load(rng)
        elif kind < 6:
            yield layout_matrix("suspended", rng), random_load(rng)
        elif kind < 8:
            yield random_matrix(rng, 8), random_load(rng)
        elif kind < 9:
            yield random_matrix(rng, 8, 10.0 ** rng.uniform(-9, -3)), random_load(rng)
        else:
            cables = int(rng.integers(6, 11))
            yield random_matrix(rng, cables), random_load(rng, cables)


@pytest.mark.parametrize(
    ("count", "seed"),
    [(150, 2015), pytest.param(20_000, 2016, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])],
)
def test_verdicts_agree_with_linear_programmes_without_exception(count, seed):
    held = ties = 0
    for W, load in matrices(count, seed):
        margin = compiled_margin(W, load)
        if abs(margin) < TIE:
            ties += 1
            continue
        assert (margin > 0) == holds_by_linear_programme(W, load)
        held += margin > 0
    assert ties <= 0.02 * count
    assert 0.15 * count < held < 0.85 * count


def test_compiled_margin_equals_the_plain_one():
    for i, (W, load) in enumerate(matrices()):
        if i % 4 == 0 or i % 10 > 7:
            plain = capacity_margin(W, load)
            assert compiled_margin(W, load) == pytest.approx(plain, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("cables", repeated(range(6, 13), quick=(6, 7, 9, 12)))
def test_every_number_of_cables_is_decided_as_by_linear_programmes(cables):
    rng = np.random.default_rng(cables)
    for _ in range(15):
        W = random_matrix(rng, cables)
        tensions = rng.uniform(0.5, 22.5, cables)
        load = load_of(-W @ tensions, rng.uniform(0, 0.5, 6) * [1, 0, 1, 0, 1, 0], cables=cables)
        margin = compiled_margin(W, load)
        assert margin == pytest.approx(capacity_margin(W, load), rel=1e-9, abs=1e-9)
        assert (margin > 0) == holds_by_linear_programme(W, load)


def test_pairs_of_null_vectors_and_single_facets_give_the_same_margin():
    rng = np.random.default_rng(7)
    for _ in range(80):
        W, load = layout_matrix("constrained", rng), random_load(rng)
        single = margin_any(np.ascontiguousarray(W), load, -np.inf, facet_scratch(8))
        assert compiled_margin(W, load) == pytest.approx(single, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_below_full_rank_only_wrenches_in_the_span_are_held(rank):
    rng = np.random.default_rng(rank)
    for cables in (6, 8, 9):
        W = rng.normal(size=(6, rank)) @ rng.normal(size=(rank, cables))
        inside = -W @ rng.uniform(2, 20, cables)
        for margin in (capacity_margin, compiled_margin):
            assert margin(W, load_of(inside, np.zeros(6), cables=cables)) == pytest.approx(0.0, abs=1e-9)
            assert margin(W, load_of(inside, np.full(6, 0.1), cables=cables)) < -0.05
            assert margin(W, load_of(inside + 1e4 * W[:, 0], np.zeros(6), cables=cables)) < -1.0
            assert margin(W, load_of(inside + rng.normal(size=6), np.zeros(6), cables=cables)) < -1e-3


def test_margin_is_the_radius_of_the_greatest_ball_of_added_wrenches():
    rng = np.random.default_rng(3)
    tested = 0
    while tested < 10:
        W, load = layout_matrix("constrained", rng), load_of([0, 0, -10, 0, 0, 0], np.zeros(6))
        margin = compiled_margin(W, load)
        if margin < 0.5:
            continue
        tested += 1
        for _ in range(20):
            direction = rng.normal(size=6)
            direction /= np.linalg.norm(direction)
            inside = load._replace(center=load.center + 0.999 * margin * direction)
            assert compiled_margin(W, inside) >= 0
        assert_some_direction_leaves(W, load, margin)


def assert_some_direction_leaves(W, load, margin):
    """The facet that the margin belongs to is crossed by going a little further along its normal."""
    scratch = facet_scratch(W.shape[1])
    margin_any(np.ascontiguousarray(W), load, margin * (1 + 1e-9), scratch)
    pull = scratch.normal @ W
    upper = load.f_max * pull[pull > 0].sum() + scratch.normal @ load.center
    sign = 1.0 if abs(upper - margin) < 1e-6 else -1.0
    outside = load._replace(center=load.center - sign * 1.001 * margin * scratch.normal)
    assert compiled_margin(W, outside) < 0


def test_margin_grows_with_the_tension_range_and_shrinks_with_the_box():
    rng = np.random.default_rng(11)
    for _ in range(100):
        W, load = layout_matrix("suspended", rng), random_load(rng)
        margin = compiled_margin(W, load)
        assert compiled_margin(W, load._replace(f_max=load.f_max + 5)) >= margin - 1e-9
        assert compiled_margin(W, load._replace(f_min=load.f_min + 1)) <= margin + 1e-9
        assert compiled_margin(W, load._replace(half_range=load.half_range + 0.1)) < margin


def test_search_that_stops_early_gives_the_verdict_of_the_full_one():
    for i, (W, load) in enumerate(matrices()):
        if i % 3 == 0:
            early, full = compiled_margin(W, load, -load.tolerance), compiled_margin(W, load)
            assert (early < -load.tolerance) == (full < -load.tolerance)
            assert early == full or full < -load.tolerance
