"""Newton's method with full steps for equations in plain numpy.

Derived from it: the corrector of a path and its end (``continuum_statics/continuation.py``), the balance
beside a lost equilibrium, the implicit flow and the state at its end (``snap_through.py``), and the
tensions that bring the tip to a target (``targets.py``).

Two loops in ``continuum_statics/equilibrium_kernels.py`` are not this one. ``correct`` is compiled, with
the state in place, counts negative pivots, and gives up where steps stop to contract: a path relies on
it. ``descend`` minimises the energy, with a shifted Hessian and a line search.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.arrays import FloatArray


def newton(
    step: Callable[[FloatArray], FloatArray | None],
    start: FloatArray,
    *,
    iterations: int,
    tolerance: float,
    lost: Callable[[FloatArray, float], bool],
    norm: float = 2,
) -> FloatArray | None:
    """Add steps to ``start`` until one is shorter than ``tolerance``.

    Parameters
    ----------
    step : callable (n,) -> (n,) or None
        The correction at a point; None where the point needs none.
    start : (n,) float
        Stays as it is.
    iterations : int
        Steps at most.
    tolerance : float
        Length of the last step. Steps before it square, so the result is closer than that.
    lost : callable ((n,), float) -> bool
        Whether to give up at a point that the last step, of the given length, led to.
    norm : {2, inf}
        Of a step's length.

    Returns
    -------
    (n,) float or None
        None where it gave up or did not converge. What ``step`` raises passes through.
    """
    x = start
    for _ in range(iterations):
        change = step(x)
        if change is None:
            return x
        x = x + change
        size = float(np.linalg.norm(change, norm))
        if lost(x, size):
            return None
        if size < tolerance:
            return x
    return None


def longer_than(limit: float) -> Callable[[FloatArray, float], bool]:
    """Give up after a step that is not shorter than ``limit``, or is not a number."""
    return lambda _, size: not size < limit
