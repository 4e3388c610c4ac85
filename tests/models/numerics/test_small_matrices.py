"""Compiled algebra of small matrices against LAPACK: eigenvalues, singular values, systems, factors."""

import numpy as np
import pytest

from models.jit import entry
from models.numerics.small_matrices import (
    factorise,
    load_factor,
    singular_extremes,
    smallest,
    solve,
    solve_factored,
)
from models.numerics.symmetric_matrices import symmetric_inverse_condition


@entry
def smallest_of(A):
    n = len(A)
    return smallest(A, n, np.empty(n), np.empty(n))


@entry
def solved(A, b, stride, scale):
    U = np.empty_like(A)
    count = load_factor(A, stride, 0.0, scale, U)
    negative = factorise(U, count, stride, scale)
    x = b[:count].copy()
    solve_factored(U, count, x)
    return negative, x


def symmetric(rng, n):
    A = rng.normal(size=(n, n))
    return A + A.T


@pytest.mark.parametrize("n", [1, 2, 3, 6, 18, 60])
def test_smallest_eigenvalue_is_lapacks(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        A = symmetric(rng, n)
        assert smallest_of(A.copy()) == pytest.approx(np.linalg.eigvalsh(A)[0], abs=1e-13 * n)


def test_smallest_eigenvalue_of_special_matrices():
    assert smallest_of(np.zeros((4, 4))) == 0.0
    assert smallest_of(np.diag([3.0, 1.0, 2.0])) == pytest.approx(1.0, abs=1e-15)
    assert smallest_of(np.eye(5)) == pytest.approx(1.0, abs=1e-15)
    assert smallest_of(np.ones((6, 6))) == pytest.approx(0.0, abs=1e-14)
    assert smallest_of(np.diag([1e-12, 1.0, 1e6])) == pytest.approx(1e-12, abs=1e-9)


@pytest.mark.parametrize("n", [1, 3, 18])
def test_factors_solve_and_count_the_eigenvalues_that_are_not_positive(n):
    rng = np.random.default_rng(n)
    for shift in (0.0, 3.0, 30.0):
        A, b = symmetric(rng, n) + shift * np.eye(n), rng.normal(size=n)
        negative, x = solved(A, b, 1, np.ones(n))
        assert negative == np.count_nonzero(np.linalg.eigvalsh(A) <= 0)
        assert A @ x == pytest.approx(b, abs=1e-8)


def test_factors_of_every_third_row():
    rng = np.random.default_rng(0)
    A, b = symmetric(rng, 9) + 20 * np.eye(9), rng.normal(size=9)
    _, x = solved(A, b, 3, np.ones(9))
    assert A[::3, ::3] @ x == pytest.approx(b[:3], abs=1e-12)


def test_soft_rows_beside_stiff_ones_are_no_rounding():
    rng = np.random.default_rng(1)
    scale = np.tile([1e6, 1e6, 1e-9], 3)
    root, A = np.sqrt(scale), symmetric(rng, 9) + 20 * np.eye(9)
    x = rng.normal(size=9) / root
    negative, found = solved(A * np.outer(root, root), root * (A @ (root * x)), 1, scale)
    assert negative == 0
    assert found * root == pytest.approx(x * root, abs=1e-12)
    assert solved((A - 40 * np.eye(9)) * np.outer(root, root), root, 1, scale)[0] > 0


def test_both_ways_to_extreme_eigenvalues_and_singular_values_agree():
    """Reflections of rows, reflections of columns, and rotations get the same matrices."""
    rng = np.random.default_rng(9)
    for k in range(60):
        A = rng.normal(size=(6, 6))
        A = A @ A.T * 10.0 ** (k % 7 - 3) + 1e-3 * np.eye(6)
        values, work = np.linalg.eigvalsh(A), np.empty((10, 6))
        work[:6] = A
        least, greatest = singular_extremes(A.copy())
        assert smallest_of(A.copy()) == pytest.approx(values[0], abs=1e-13 * values[-1])
        assert (least, greatest) == pytest.approx((values[0], values[-1]), abs=1e-13 * values[-1])
        assert symmetric_inverse_condition(work) == pytest.approx(values[0] / values[-1], abs=1e-14)


@pytest.mark.parametrize("shape", [(3, 3), (6, 6), (3, 8), (3, 12)])
def test_compiled_singular_values_are_those_of_numpy(shape):
    rng = np.random.default_rng(4)
    for i in range(100):
        A = rng.normal(size=shape) * 10.0 ** rng.uniform(-6, 0, (shape[0], 1))
        if i % 3 == 0:
            A[1] = A[0] * 2.0
        values = np.linalg.svd(A, compute_uv=False)
        assert singular_extremes(A.copy()) == pytest.approx((values[-1], values[0]), abs=1e-14 * values[0])
    assert singular_extremes(np.zeros(shape)) == (0.0, 0.0)


def test_compiled_solution_is_that_of_numpy():
    rng = np.random.default_rng(5)
    for _ in range(100):
        A, B = rng.normal(size=(6, 6)), rng.normal(size=(6, 3))
        system = np.hstack([A, B])
        assert solve(system)
        np.testing.assert_allclose(system[:, 6:], np.linalg.solve(A, B), rtol=1e-8)
    assert not solve(np.zeros((6, 7)))


@pytest.mark.parametrize(
    "matrix", [np.eye(6), np.diag([1, 1, 1, 2, 2, 2.0]), np.zeros((6, 6)), np.ones((6, 6))]
)
def test_condition_numbers_of_equal_and_zero_eigenvalues(matrix):
    work = np.empty((10, 6))
    work[:6] = matrix
    values = np.linalg.eigvalsh(matrix)
    expected = max(values[0], 0.0) / values[-1] if values[-1] > 0 else 0.0
    assert symmetric_inverse_condition(work) == pytest.approx(expected, abs=1e-15)
