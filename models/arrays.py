"""The types of arrays, and the check of arrays that a user gives."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Numbers = Sequence[Any] | FloatArray | float
"""Forms in which a user may give an array: numbers in lists, an array, one number."""


def finite_array(
    values: Numbers, shape: tuple[int | EllipsisType | None, ...], name: str, meaning: str = ""
) -> FloatArray:
    """``values`` as a new contiguous array of finite floats.

    Parameters
    ----------
    values : numbers
    shape : tuple of int, None or ...
        The shape that the array must have. None stands for any length of at least 1; ``...`` may come
        first and stands for any number of leading dimensions.
    name : str
        What the user calls the argument; the place of the error.
    meaning : str, optional
        What the entries are, such as "one per cable".

    Raises
    ------
    InputError
        When ``values`` are not numbers, have another shape or are not finite.
    """
    sizes = ["..." if size is ... else "n" if size is None else str(size) for size in shape]
    words = f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"
    expected = f"expected finite numbers of the shape {words}" + (f", {meaning}" if meaning else "")
    try:
        array = np.array(values, dtype=float, order="C")
    except (TypeError, ValueError):
        raise InputError(f"{expected}; got {values!r:.100}", (name,)) from None
    given = array.shape
    if shape[0] is ...:
        shape, given = shape[1:], given[max(array.ndim - len(shape) + 1, 0) :]
    if len(given) != len(shape) or any(
        size != wanted if wanted is not None else size < 1 for size, wanted in zip(given, shape, strict=True)
    ):
        got = f"the shape {array.shape}" if array.shape else "one number"
        raise InputError(f"{expected}; got {got}", (name,))
    if not np.isfinite(array).all():
        shown = np.array2string(array, threshold=8)
        raise InputError(f"{expected}; got {shown}", (name,))
    return array
