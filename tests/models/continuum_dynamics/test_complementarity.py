"""Tensions that only pull: the kernel against trying all choices."""

import numpy as np
import pytest

from models.continuum_dynamics.complementarity_kernels import solve_pull_only
from tests.oracles.complementarity import by_enumeration


def pivoted(A, b, held=None, taut=None):
    m = len(b)
    x = np.full(m, np.nan)
    held = np.ones(m, np.int64) if held is None else np.array(held, np.int64)
    taut = np.zeros(m, np.int64) if taut is None else np.array(taut, np.int64)
    assert solve_pull_only(A, b, held, taut, x)
    return x, taut


@pytest.mark.parametrize("m", range(1, 9))
def test_pivoting_finds_the_one_solution_from_every_first_choice(m):
    rng = np.random.default_rng(m)
    for _ in range(20 if m < 6 else 5):
        root, b = rng.normal(size=(m, m + 2)), rng.normal(size=m)
        A = root @ root.T
        x, _ = pivoted(A, b, taut=rng.integers(0, 2, m))
        w = A @ x + b
        assert (x >= 0.0).all()
        assert (w >= -1e-10).all()
        assert x @ w == pytest.approx(0.0, abs=1e-9)
        assert x == pytest.approx(by_enumeration(A, b), rel=1e-8, abs=1e-9)


def test_cables_that_are_not_held_do_not_pull():
    A, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-1.0, -1.0])
    x, taut = pivoted(A, b, held=[1, 0], taut=[1, 1])
    assert x == pytest.approx([0.5, 0.0], rel=1e-12)
    assert taut.tolist() == [1, 0]


def test_cables_that_move_alike_share_what_they_pull():
    """As around a straight robot: A is singular, and the sum of tensions is determined."""
    x, _ = pivoted(np.ones((2, 2)), np.array([-3.0, -3.0]))
    assert x.sum() == pytest.approx(3.0, rel=1e-9)


def test_enumeration_finds_nothing_where_there_is_nothing():
    assert by_enumeration(np.array([[0.0]]), np.array([-1.0])) is None
