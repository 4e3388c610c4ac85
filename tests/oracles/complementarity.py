"""Tensions that only pull: the linear complementarity problem.

Find x >= 0 with ``w = A x + b >= 0`` and ``x . w = 0``: x are tensions, w lengths by which cables are loose.
:func:`by_enumeration` is the definition of the kernel in ``complementarity_kernels.py``.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from models.arrays import FloatArray


def by_enumeration(A: FloatArray, b: FloatArray) -> FloatArray | None:
    """The solution (m,) for A (m, m) and b (m,), by trying which entries of x are positive.

    Returns
    -------
    (m,) float or None
        The first of the 2^m choices that fits; there is exactly one solution when A is positive definite.
    """
    for chosen in product([False, True], repeat=len(b)):
        taut = np.array(chosen, bool)
        x = np.zeros(len(b))
        if taut.any():
            if np.linalg.matrix_rank(A[np.ix_(taut, taut)]) < taut.sum():
                continue
            x[taut] = np.linalg.solve(A[np.ix_(taut, taut)], -b[taut])
        w = A @ x + b
        if (x >= 0.0).all() and (w[~taut] >= 0.0).all():
            return x
    return None
