"""Cable across one gap between two disks, in plain numpy.

``add_arc_chord`` and ``add_gap_chord`` in ``models/continuum_statics/energy_kernels.py`` and ``fill_chord`` in
``models/continuum_dynamics/relative/cable_kernels.py`` are derived from it.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import force_form


def chord(q: FloatArray, L: float, hole: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Length [m] of a straight cable across one gap, its gradient (3k,) and its Hessian (3k, 3k).

    ``q`` (k, 3) [rad] are the angles of the gap's arcs, ``L`` [m] the length of an arc, ``hole`` (2,) [m]
    the hole in either disk. Equations 18 to 21.
    """
    start = np.array([hole[0], hole[1], 0.0])
    weights = np.zeros(len(q))
    weights[-1] = 1.0
    across = force_form(q, L, weights, start, np.zeros(3)).moment - start
    length = float(np.linalg.norm(across))
    along = across / length
    form = force_form(q, L, weights, start, along)
    slope = form.slopes @ along
    curvature = form.curvature + (form.slopes @ form.slopes.T - np.outer(slope, slope)) / length
    return length, slope, curvature
