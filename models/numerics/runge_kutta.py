"""Embedded Runge-Kutta pairs: DOP853 of Dormand and Prince, with its dense output, and Fehlberg's 4(5).

Sources: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, sections II.5 and II.6;
Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, NASA TR R-315, 1969, table III.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from models.arrays import FloatArray

Method = Literal["dop853", "rkf45"]


class Pair(NamedTuple):
    """Coefficients of a pair with s stages; the next stage is the rate at the end of the step.

    Attributes
    ----------
    A : (s, s) float
        How the states of the stages follow from the rates before them.
    B : (s,) float
        How the step follows from the rates.
    errors : (2, s + 1) float
        Weights of two estimates of the error; the second is zero where there is one alone.
    order : float
        Of the error, by which the step is controlled.
    A_dense : (e, s + 1 + e) float
        Further stages, from which the dense output follows; e is 0 without any.
    dense : (d, s + 1 + e) float
        Its coefficients beyond the cubic that has the states and rates of both ends; d is 0 without any.
    """

    A: FloatArray
    B: FloatArray
    errors: FloatArray
    order: float
    A_dense: FloatArray
    dense: FloatArray


@cache
def pair_of(method: Method) -> Pair:
    """The pair of that name."""
    return _dop853() if method == "dop853" else _rkf45()


def _dop853() -> Pair:
    from scipy.integrate import DOP853

    errors = np.stack([DOP853.E5, DOP853.E3])
    return Pair(
        np.array(DOP853.A), np.array(DOP853.B), errors, 8.0, np.array(DOP853.A_EXTRA), np.array(DOP853.D)
    )


def _rkf45() -> Pair:
    A = np.zeros((6, 6))
    A[1, :1] = [1 / 4]
    A[2, :2] = [3 / 32, 9 / 32]
    A[3, :3] = [1932 / 2197, -7200 / 2197, 7296 / 2197]
    A[4, :4] = [439 / 216, -8, 3680 / 513, -845 / 4104]
    A[5, :5] = [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40]
    fifth = np.array([16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55])
    fourth = np.array([25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0])
    errors = np.zeros((2, 7))
    errors[0, :6] = fifth - fourth
    return Pair(A, fifth, errors, 5.0, np.zeros((0, 7)), np.zeros((0, 7)))
