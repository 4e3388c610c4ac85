"""Newton's method against roots in closed form."""

import itertools
import math

import numpy as np
import pytest

from models.numerics.newton import longer_than, newton


def square_root(x):
    return -(x * x - 2.0) / (2.0 * x)


def test_it_converges_to_the_root_with_squared_errors():
    errors = []

    def watched(x):
        errors.append(abs(float(x[0]) - math.sqrt(2.0)))
        return square_root(x)

    start = np.array([1.5])
    found = newton(watched, start, iterations=9, tolerance=1e-12, lost=longer_than(1.0))
    assert found == pytest.approx([math.sqrt(2.0)], abs=1e-15)
    assert start == [1.5]
    assert all(after <= before**2 for before, after in itertools.pairwise(errors) if after > 1e-15)


def test_a_linear_system_takes_two_steps():
    A, b, count = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 5.0]), 0

    def step(x):
        nonlocal count
        count += 1
        return np.linalg.solve(A, b - A @ x)

    found = newton(step, np.zeros(2), iterations=3, tolerance=1e-12, lost=longer_than(np.inf), norm=np.inf)
    assert found == pytest.approx(np.linalg.solve(A, b))
    assert count == 2


def test_a_point_without_correction_is_returned_as_it_is():
    start = np.array([3.0])
    assert newton(lambda x: None, start, iterations=1, tolerance=0.0, lost=longer_than(0.0)) is start


@pytest.mark.parametrize("change", [1.0, math.nan, math.inf])
def test_it_gives_up_after_a_step_that_is_too_long_or_no_number(change):
    given = {"iterations": 5, "tolerance": 1e-9, "lost": longer_than(1.0)}
    assert newton(lambda x: np.array([change]), np.zeros(1), **given) is None


def test_it_gives_up_where_the_caller_says_so_and_after_the_last_iteration():
    far = {"tolerance": 1e-12, "lost": lambda x, size: x[0] > 1.45}
    assert newton(square_root, np.array([1.0]), iterations=9, **far) is None
    few = {"tolerance": 1e-12, "lost": longer_than(1.0)}
    assert newton(square_root, np.array([1.5]), iterations=2, **few) is None


def test_the_length_of_a_step_is_by_the_norm_asked_for():
    change, seen = np.array([3.0, -4.0]), []

    def lost(x, size):
        seen.append(size)
        return True

    for norm in (2, np.inf):
        newton(lambda x: change, np.zeros(2), iterations=1, tolerance=0.0, lost=lost, norm=norm)
    assert seen == [5.0, 4.0]
