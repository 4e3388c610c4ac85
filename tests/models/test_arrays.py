"""The check of arrays that a user gives."""

import numpy as np
import pytest

from errors import InputError
from models.arrays import finite_array


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ((1, 2, 3), (3,)),
        (np.zeros((2, 3)), (2, 3)),
        (np.zeros((4, 3)), (None, 3)),
        ((1, 2, 3), (..., 3)),
        (np.zeros((5, 2, 3)), (..., 3)),
        (np.zeros((3, 2)).T, (2, 3)),
    ],
)
def test_arrays_of_the_shape_are_copied(values, shape):
    given = np.asarray(values, float)
    found = finite_array(values, shape, "points")
    assert found.dtype == np.float64
    assert found.flags.c_contiguous
    assert not np.shares_memory(found, given)
    np.testing.assert_array_equal(found, given)


@pytest.mark.parametrize(
    ("values", "shape", "words"),
    [
        (3.0, (3,), r"shape \(3,\).*one number"),
        (3.0, (..., 3), "one number"),
        ((1, 2), (3,), r"shape \(3,\).*shape \(2,\)"),
        (np.zeros((2, 3)), (3,), r"shape \(2, 3\)"),
        (np.zeros((2, 4)), (..., 3), r"shape \(\.\.\., 3\).*shape \(2, 4\)"),
        (np.zeros((0, 3)), (None, 3), r"shape \(n, 3\).*shape \(0, 3\)"),
        ((1, 2, np.nan), (3,), "finite.*nan"),
        (("a", 2, 3), (3,), "numbers.*'a'"),
        (((1,), (2, 3)), (2, 2), "numbers"),
    ],
)
def test_other_values_are_refused_by_name(values, shape, words):
    with pytest.raises(InputError, match=words) as caught:
        finite_array(values, shape, "points", "one per cable")
    assert caught.value.place == "points"
    assert "one per cable" in caught.value.message
