"""Decision rules against closed forms, what they promise, and pymoo's own choices."""

import warnings

import numpy as np
import pytest

from studies.decision.rules import RULES, scores
from studies.results.front_picks import knee, scaled

NONE = np.full(2, np.nan)
EVEN = np.ones(2)
FRONT = np.array([[0.0, 10.0], [1.0, 4.0], [3.0, 2.5], [6.0, 2.0], [10.0, 0.0]])


def best(rule, front, weights=EVEN, levels=NONE):
    found = scores(rule, front, np.asarray(weights, dtype=float), np.asarray(levels, dtype=float))
    return int(np.argmax(found) if RULES[rule].better == "maximize" else np.argmin(found))


def test_closeness_is_that_of_the_definition():
    """By hand: distances of (0.25, 0.25) from (0, 0) and (1, 1), each weighted by one half."""
    front = np.array([[0.0, 4.0], [1.0, 1.0], [4.0, 0.0]])
    found = scores("topsis", front, EVEN, NONE)
    assert found == pytest.approx([0.5, 0.75, 0.5])
    unequal = scores("topsis", front, np.array([3.0, 1.0]), NONE)
    near, far = np.hypot(0.75 * 0.25, 0.25 * 0.25), np.hypot(0.75 * 0.75, 0.25 * 0.75)
    assert unequal[1] == pytest.approx(far / (near + far))
    assert unequal[0] == pytest.approx(0.75)


def test_an_achievement_is_the_worst_weighted_distance_from_the_levels():
    front = np.array([[0.0, 4.0], [1.0, 1.0], [4.0, 0.0]])
    found = scores("achievement", front, EVEN, np.array([2.0, 2.0]))
    assert found == pytest.approx([0.25, -0.125, 0.25], abs=1e-3), "0 or less reaches all levels"
    assert best("achievement", front, levels=[0.0, 4.0]) == 0
    assert best("achievement", front, levels=[4.0, 0.0]) == 2


def test_an_achievement_without_levels_aims_at_the_best_of_each():
    ideal = scores("achievement", FRONT, EVEN, FRONT.min(axis=0))
    assert scores("achievement", FRONT, EVEN, NONE) == pytest.approx(ideal)


def test_pseudo_weights_are_shares_of_the_distance_from_the_worst():
    front = np.array([[0.0, 1.0], [0.25, 0.25], [1.0, 0.0]])
    assert scores("pseudo-weights", front, EVEN, NONE) == pytest.approx([1.0, 0.0, 1.0])
    assert best("pseudo-weights", front, [9.0, 1.0]) == 0
    assert best("pseudo-weights", front, [1.0, 9.0]) == 2


def test_the_knee_is_the_one_that_the_page_picks():
    assert best("knee", FRONT) == knee(FRONT) == 1
    found = scores("knee", FRONT, EVEN, NONE)
    assert found[1] == pytest.approx((1.0 - 0.1 - 0.4) / np.sqrt(2.0)), "its distance from the line"
    assert found[[0, 4]] == pytest.approx([0.0, 0.0])


def test_the_trade_off_is_the_least_loss_per_gain():
    front = np.array([[0.0, 1.0], [0.1, 0.2], [1.0, 0.0]])
    found = scores("high-tradeoff", front, EVEN, NONE)
    assert found == pytest.approx([0.1 / 0.8, min(0.8 / 0.1, 0.9 / 0.2), 0.2 / 0.9])


def test_high_trade_off_points_of_pymoo_are_ours():
    chance = np.random.default_rng(4)
    line = np.sort(chance.random(60))
    front = np.column_stack([line, (1.0 - line) ** 3 + 0.05 * (line > 0.5)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pymoo.mcdm.high_tradeoff import HighTradeoffPoints

        theirs = HighTradeoffPoints().do(scaled(front))
    order = np.argsort(-scores("high-tradeoff", front, EVEN, NONE))
    # pyrefly: ignore[bad-argument-type]
    assert set(theirs.tolist()) == set(order[: len(theirs)].tolist())


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_depends_on_units_or_the_order_of_designs(rule):
    before = scores(rule, FRONT, EVEN, np.array([3.0, 3.0]))
    factors, shift = np.array([1e-6, 1e3]), np.array([7.0, -5.0])
    after = scores(rule, FRONT * factors + shift, EVEN, np.array([3.0, 3.0]) * factors + shift)
    assert after == pytest.approx(before, rel=1e-6)
    turned = scores(rule, FRONT[::-1], EVEN, np.array([3.0, 3.0]))
    assert turned[::-1] == pytest.approx(before)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "front",
    [
        [[3.0, 4.0]],
        [[3.0, 4.0], [3.0, 4.0]],
        [[1.0, 7.0, 2.0], [0.0, 7.0, 3.0]],
        [[2.0]],
        [[-1.7e308, 1.7e308], [1.7e308, -1.7e308]],
        [[0.0, 5e-324], [5e-324, 0.0]],
    ],
)
def test_scores_are_finite_on_every_front(rule, front):
    values = np.array(front)
    width = values.shape[1]
    for levels in (np.full(width, np.nan), np.full(width, 1e308)):
        found = scores(rule, values, np.ones(width), levels)
        assert found.shape == (len(values),)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("rule", [name for name, rule in RULES.items() if rule.weighs])
def test_all_weight_on_one_objective_chooses_its_best(rule):
    assert best(rule, FRONT, [1.0, 0.0]) == 0
    assert best(rule, FRONT, [0.0, 1.0]) == 4
    assert best(rule, FRONT, [1e-300, 0.0]) == 0, "weights count against each other alone"
