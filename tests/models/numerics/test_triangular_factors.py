"""Compiled LU factors against LAPACK."""

import numpy as np
import pytest

from models.jit import entry
from models.numerics.triangular_factors import factorise_lu, solve_lu


@entry
def solved(A, pivots, b):
    found = factorise_lu(A, pivots)
    if found:
        solve_lu(A, pivots, b)
    return found


@pytest.mark.parametrize("n", [1, 2, 7, 28, 60])
def test_systems_are_solved_as_by_lapack(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        A, b = rng.normal(size=(n, n)), rng.normal(size=n)
        x = b.copy()
        assert solved(A.copy(), np.zeros(n, np.int64), x)
        assert x == pytest.approx(np.linalg.solve(A, b), rel=1e-8, abs=1e-10)


def test_rows_are_exchanged_where_a_pivot_is_zero():
    A, x = np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]]), np.array([7.0, 3.0, 6.0])
    assert solved(A, np.zeros(3, np.int64), x)
    assert x == pytest.approx([1.0, 2.0, 3.0], abs=1e-14)


def test_a_singular_matrix_is_told():
    assert not solved(np.zeros((2, 2)), np.zeros(2, np.int64), np.ones(2))
