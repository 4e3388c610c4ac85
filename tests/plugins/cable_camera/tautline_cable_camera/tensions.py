"""The tensions of both cables at a position, in plain numpy; the kernel says the same for a grid."""

import numpy as np
from numpy.typing import NDArray

GRAVITY = 9.81
"""m/s^2"""


def tensions(
    position: NDArray[np.float64], span: float, mass: float, acceleration: float
) -> tuple[NDArray[np.float64], float]:
    """Static tensions, and by how much accelerations change each of them.

    With unit vectors ``u1``, ``u2`` from the camera to the anchors, ``[u1 u2] t = m (a + g e_z)``. Over all
    ``a`` with ``|a| <= acceleration`` a tension changes by ``m |a|`` times the norm of its row of the
    inverse, which is ``1 / |det [u1 u2]|`` for both.

    Parameters
    ----------
    position : (2,) float, m
        x from the middle between the anchors, z above them (negative).
    span, mass, acceleration : float, m, kg, m/s^2

    Returns
    -------
    (2,) float, N
        At rest, first the cable to the anchor at negative x.
    float, N
        The greatest change by an acceleration.
    """
    anchors = np.array([[-span / 2, 0.0], [span / 2, 0.0]])
    cables = anchors - position
    directions = (cables / np.linalg.norm(cables, axis=1, keepdims=True)).T
    at_rest = np.linalg.solve(directions, [0.0, mass * GRAVITY])
    return at_rest, mass * acceleration / abs(np.linalg.det(directions))
