"""Radau IIA with seven stages: an implicit Runge-Kutta method for link ends that stick.

Friction is a steep ramp over the sliding speed V. Where a link end sticks, V follows the balance of forces at
the rate ``mu F_N W / (v1 - v0)``, up to 1e8 1/s; W [1/kg] is the acceleration of V per tangential force. An
explicit pair needs steps as short as that, however smooth the motion is. Radau IIA is L-stable: its steps may
be of any size.

Its stages lie on a polynomial of degree 7: ``y_i = y0 + h sum_j Q_ij f(y_j)`` at the nodes c_i, the roots of
``P_7 - P_6`` (Legendre) moved to 0..1. The last stage is the end of the step, of order 13; the polynomial
is the dense output, of order 7. It misses the rate at the start, which controls the size of steps:
``gamma h (f(y0) - p(0))``, where p runs through the rates of the stages.

Sources: Hairer, Wanner, Solving Ordinary Differential Equations II, 1996, sections IV.5 and IV.8; Hairer,
Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111, 1999.
:mod:`models.flexible_arm.radau_kernels` steps by it.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray

STAGES = 7
DAMPING = 0.11189646530046742
"""gamma: the real eigenvalue of Q, as in Hairer and Wanner's code."""


class Collocation(NamedTuple):
    """Coefficients of the method with s stages.

    Attributes
    ----------
    nodes : (s,) float
        Shares of the step at which the stages lie.
    Q : (s, s) float
        Integrals of Lagrange's polynomials up to the nodes; the last row are the weights of the step.
    start : (s,) float
        Weights by which the polynomial through the rates of the stages is extrapolated to the start.
    dense : (s, s) float
        Coefficients of the dense output, in the form of the explicit pairs, from the rates of the stages.
    """

    nodes: FloatArray
    Q: FloatArray
    start: FloatArray
    dense: FloatArray


@cache
def collocation() -> Collocation:
    """The coefficients for seven stages."""
    nodes = _nodes()
    Q = np.array([_integrals(nodes, until) for until in nodes])
    forms = np.ones((STAGES, STAGES))
    for row in range(STAGES):
        factors = [nodes if k % 2 == 0 else 1.0 - nodes for k in range(row + 1)]
        forms[:, row] = np.prod(factors, axis=0)
    return Collocation(
        nodes, Q, _lagrange(nodes, np.zeros(1))[0], np.asarray(np.linalg.solve(forms, Q), dtype=float)
    )


def _nodes() -> FloatArray:
    """Roots of ``P_7 - P_6``, moved from -1..1 to 0..1."""
    from numpy.polynomial import legendre

    series = np.zeros(STAGES + 1)
    series[-1], series[-2] = 1.0, -1.0
    roots = np.sort(legendre.legroots(series).real)
    for _ in range(2):
        roots -= legendre.legval(roots, series) / legendre.legval(roots, legendre.legder(series))
    roots[-1] = 1.0
    return (roots + 1.0) / 2.0


def _lagrange(nodes: FloatArray, at: FloatArray) -> FloatArray:
    """Lagrange's polynomials of the nodes at places (m,): (m, s)."""
    columns = []
    for j, node in enumerate(nodes):
        others = np.delete(nodes, j)
        columns.append(np.prod((at[:, None] - others) / (node - others), axis=1))
    return np.stack(columns, axis=1)


def _integrals(nodes: FloatArray, until: float) -> FloatArray:
    """Integrals (s,) of Lagrange's polynomials from 0 to ``until``, by Gauss's quadrature, which is exact."""
    places, weights = np.polynomial.legendre.leggauss(STAGES)
    return until / 2 * weights @ _lagrange(nodes, until * (places + 1) / 2)
