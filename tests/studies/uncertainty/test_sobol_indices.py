"""Sobol indices against the function of Ishigami and a linear one, whose indices are known."""

import math
from dataclasses import replace

import numpy as np
import pytest

from studies.uncertainty.global_sensitivity import (
    SobolIndices,
    saltelli_points,
    sobol_indices,
    why_no_indices,
)


def points_of(*arguments):
    """All matrices in one array (f + 2, n, d)."""
    return np.stack(list(saltelli_points(*arguments)))


def ishigami(x):
    """Ishigami, Homma, ISUMA 1990, with a = 7 and b = 0.1; x (..., 3) from -pi to pi."""
    return np.sin(x[..., 0]) + 7 * np.sin(x[..., 1]) ** 2 + 0.1 * x[..., 2] ** 4 * np.sin(x[..., 0])


def exact():
    a, b, pi = 7.0, 0.1, math.pi
    first = np.array([0.5 * (1 + b * pi**4 / 5) ** 2, a**2 / 8, 0.0])
    third = b**2 * pi**8 * 8 / 225
    variance = first.sum() + third
    return first / variance, (first + np.array([third, 0, third])) / variance


def test_indices_of_ishigami_are_the_analytic_ones():
    points = points_of(2048, [[0], [1], [2]], 3, 0)
    found = sobol_indices(ishigami((2 * points - 1) * math.pi), 0)
    first, total = exact()
    assert found.first == pytest.approx(first, abs=0.03)
    assert found.total == pytest.approx(total, abs=0.03)
    assert found.rows == 2048
    assert (np.abs(found.first - first) < 4 * found.first_error).all()
    assert (np.abs(found.total - total) < 4 * found.total_error).all()


def test_estimates_are_those_of_scipy():
    from scipy import stats

    points = points_of(64, [[0], [1], [2]], 3, 0)
    values = ishigami((2 * points - 1) * math.pi)
    values -= values[:2].mean()
    table = {"f_A": values[:1], "f_B": values[1:2], "f_AB": values[2:, None, :]}
    theirs, ours = stats.sobol_indices(func=table, n=64), sobol_indices(values, 0)
    assert ours.first == pytest.approx(theirs.first_order.ravel())
    assert ours.total == pytest.approx(theirs.total_order.ravel())


def test_indices_of_a_sum_are_shares_of_its_variance():
    points = points_of(1024, [[0], [1, 2]], 3, 1)
    found = sobol_indices(3 * points[..., 0] + points[..., 1] + points[..., 2], 1)
    assert found.first == pytest.approx([9 / 11, 2 / 11], abs=0.02)
    assert found.total == pytest.approx([9 / 11, 2 / 11], abs=0.02)


def test_indices_of_few_rows_come_with_a_caution_and_those_of_many_without():
    names = ["a", "b", "c"]
    points = points_of(16, [[0], [1], [2]], 3, 0)
    few = sobol_indices(ishigami((2 * points - 1) * math.pi), 0)
    beyond = (few.first < 0) | (few.total > 1)
    assert beyond.any()
    assert few.caution(names) == (
        f"an index of {', '.join(np.array(names)[beyond])} is below 0 or above 1, as no share can be, and "
        f"standard errors reach {max(few.first_error.max(), few.total_error.max()):.2g}: 16 rows are too few, "
        "take more"
    )
    points = points_of(2048, [[0], [1], [2]], 3, 0)
    assert sobol_indices(ishigami((2 * points - 1) * math.pi), 0).caution(names) == ""


def test_an_index_just_below_0_needs_no_caution_and_wide_errors_alone_do():
    sound = SobolIndices(np.array([-0.004]), np.array([0.01]), np.array([1.0]), np.array([0.02]), 512)
    assert sound.caution(["a"]) == ""
    wide = replace(sound, first_error=np.array([0.34]))
    assert wide.caution(["a"]) == "standard errors reach 0.34: 512 rows are too few, take more"


def test_incomplete_rows_are_left_out_and_half_of_them_are_too_few():
    points = points_of(256, [[0], [1]], 2, 0)
    values = points[..., 0] + points[..., 1]
    values[0, :100] = np.nan
    found = sobol_indices(values, 0)
    assert found.rows == 156
    assert np.isfinite([*found.first, *found.total_error]).all()
    values[2, 100:130] = np.nan
    assert sobol_indices(values, 0) is None
    why = why_no_indices(values)
    assert why.startswith("it has no value in 130 of 256 rows (51 %)")
    assert why.endswith("narrow what varies to where designs work")


def test_what_never_varies_has_no_indices():
    assert sobol_indices(np.ones((4, 64)), 0) is None
    assert why_no_indices(np.ones((4, 64))).startswith("it is the same in all of 64 rows")


def test_a_quantity_that_differs_in_one_row_alone_has_no_indices():
    values = np.ones((4, 64))
    values[0, 5] = 2.0
    found = sobol_indices(values, 0)
    assert (
        found is None
        or np.isfinite([*found.first, *found.first_error, *found.total, *found.total_error]).all()
    )
    assert "in hardly any of 64 rows" in why_no_indices(values)
    values[:, :] = 1.0
    values[0, 5] = 1.0 + 1e-16
    assert sobol_indices(values, 0) is None


def test_the_same_seed_gives_the_same_points():
    assert (points_of(16, [[0]], 1, 3) == points_of(16, [[0]], 1, 3)).all()
    assert (points_of(16, [[0]], 1, 3) != points_of(16, [[0]], 1, 4)).any()
