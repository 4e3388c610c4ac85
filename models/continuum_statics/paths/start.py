"""Points that paths start from."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.points import PathPoint, correct, point_at
from models.floats import FloatArray


def start_from(loading: Loading, x: FloatArray, load: float) -> PathPoint | None:
    """The path's point at a load near the equilibrium ``x`` (k,), its tangent towards more load.

    None where there is no equilibrium near.
    """
    direction = np.zeros(len(x) + 1)
    direction[-1] = 1.0
    y = correct(loading, np.append(x, load / loading.limit), direction)
    if y is None:
        return None
    point = point_at(loading, y, direction)
    return point if point.tangent[-1] >= 0 else point._replace(tangent=-point.tangent)
