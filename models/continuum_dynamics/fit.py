"""Parameters fitted to measured positions by least squares, and how well the measurement tells them.

The sum of squared distances between measured and simulated positions is least (Levenberg, Marquardt, within
bounds by scipy's trust regions). Parameters are positive and fitted by their logarithms. With the Jacobian J
of the residuals by the logarithms and the variance ``s^2`` of the residuals, the covariance of the logarithms
is ``s^2 (J^T J)^-1`` (Seber and Wild, Nonlinear Regression, 1989, chapter 2); this holds for errors of
measurement that are independent and equally large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np

from errors import InputError, UnknownNameError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.formulation import simulate
from models.continuum_dynamics.measured import measured_rows, simulated_rows
from models.continuum_dynamics.parameters import ContinuumDynamics

Simulated = Callable[[Mapping[str, float]], FloatArray]
"""Simulated positions (k, 3) [m] of the measured points, for values of the parameters."""

FREE = ("youngs_modulus", "disk_mass", "mass_damping", "stiffness_damping")
"""Parameters of a record that can be fitted; those that are 0 need another first value."""

CONFIDENCE = 0.95
ALIKE = 0.95  # correlation beyond which two parameters are not told apart
LEAST_EFFECT = 1e-6
"""Share of the measured positions' norm by which an effective parameter moves them, for e times its value."""
SINGULAR = 1e-5  # least over greatest singular value of the Jacobian with columns of length 1
PART = 0.1  # of such a singular vector, from which on a parameter is part of it
DIFFERENCE = 1e-4  # step of the logarithms, in the Jacobian
RANGE = 1e3  # by which a parameter may be smaller or greater than at the start


class Fit(NamedTuple):
    """Fitted parameters p, in the order of ``names``.

    Attributes
    ----------
    names : tuple of str
    values : (p,) float
    standard_errors : (p,) float
        Infinite where the measurement does not tell a parameter.
    intervals : (p, 2) float
        Within which each value lies with a confidence of 95 %, by Student's t of the logarithm.
    correlation : (p, p) float
        Of the logarithms; NaN where the measurement does not tell a parameter.
    residuals : (k, 3) float, m
        Measured less simulated positions.
    deviation : float, m
        Standard deviation of the residuals.
    warnings : tuple of str
        What the measurement does not tell, and what hampered the search.
    evaluations : int
        Simulations that it took.
    """

    names: tuple[str, ...]
    values: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    correlation: FloatArray
    residuals: FloatArray
    deviation: float
    warnings: tuple[str, ...]
    evaluations: int


def fit(
    simulated: Simulated,
    measured: Numbers,
    start: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> Fit:
    """Fit the parameters named in ``start``.

    Parameters
    ----------
    simulated : callable
        Positions (k, 3) [m] for the values of the parameters, a smooth function of them. It may raise; a
        value outside what it can simulate belongs outside the bounds.
    measured : (k, 3) float, m
    start : mapping
        For each parameter, its first value; positive.
    bounds : mapping, optional
        For some parameters, the least and the greatest value; a thousandth and a thousand times the first
        value for the others.

    Raises
    ------
    InputError
        When there are no parameters, more of them than measured numbers, a value is not positive, or bounds
        do not hold the first value.
    """
    from scipy.optimize import least_squares

    target = finite_array(measured, (None, 3), "measured", "x, y, z")
    names = tuple(start)
    first = _checked_start(start, target.size)
    low, high = _checked_bounds(names, first, bounds or {})
    counter = [0]

    def residuals(logarithms: FloatArray) -> FloatArray:
        counter[0] += 1
        values = dict(zip(names, np.exp(logarithms).tolist(), strict=True))
        return np.asarray((_checked_shape(simulated(values), target.shape) - target).ravel())

    def jacobian(logarithms: FloatArray) -> FloatArray:
        return _differences(residuals, logarithms, low, high)

    found = least_squares(
        residuals,
        np.log(first),
        cast("Any", jacobian),
        (low, high),
        x_scale="jac",
        ftol=1e-10,
        xtol=1e-8,
        gtol=1e-12,
    )
    size = float(np.linalg.norm(target))
    assessed = _assessed(names, found.x, -found.fun, jacobian(found.x), size)
    hampered = () if found.success else ("the search ended early; begin nearer to the values",)
    warnings = (*hampered, *_at_bounds(names, found.x, low, high), *assessed.warnings)
    return assessed._replace(warnings=warnings, evaluations=counter[0])


def _at_bounds(names: tuple[str, ...], x: FloatArray, low: FloatArray, high: FloatArray) -> tuple[str, ...]:
    """A warning for each parameter whose logarithm lies at a bound."""
    return tuple(
        f"{name} lies at its bound of {math.exp(value):.4g}; its interval is not right. Widen the bounds"
        for name, value, least, greatest in zip(names, x, low, high, strict=True)
        if min(value - least, greatest - value) < DIFFERENCE
    )


def fit_measured(
    parameters: ContinuumDynamics,
    names: Sequence[str],
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> Fit:
    """Fit some of :data:`FREE` to the record's measured positions, from its own values.

    Raises
    ------
    InputError
        As :func:`fit`; when a name cannot be fitted or nothing was measured; and when a motion does not reach
        the last measured instant.
    """
    for index, name in enumerate(names):
        if name not in FREE:
            raise UnknownNameError("parameter to fit", name, FREE, ("names", index))
    if not parameters.measured:
        raise InputError("nothing was measured; give positions of disks over time", ("measured",))
    end = round(parameters.duration / parameters.time_step) * parameters.time_step
    table = [(min(row.time, end), row.disk, row.x, row.y, row.z) for row in parameters.measured]
    rows = measured_rows(table, parameters.disks, end)

    def simulated(values: Mapping[str, float]) -> FloatArray:
        motion = simulate(parameters.model_copy(update=dict(values)))
        if not motion.completed and rows.times.max() > motion.times[-1]:
            given = ", ".join(f"{name} = {value:.4g}" for name, value in values.items())
            message = f"with {given}, the motion ends {motion.reason}; set closer bounds"
            raise InputError(message, ("bounds",))
        return simulated_rows(rows, motion.times, motion.positions)

    start = {name: float(getattr(parameters, name)) for name in names}
    return fit(simulated, rows.positions, start, bounds)


def _checked_shape(positions: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    if positions.shape != shape:
        message = f"{shape[0]} positions were measured, but {positions.shape} simulated; give one per row"
        raise InputError(message, ("measured",))
    return positions


def _checked_start(start: Mapping[str, float], numbers: int) -> FloatArray:
    """First values (p,); raises ``InputError`` for what cannot be fitted."""
    if not start:
        raise InputError("no parameter is free; name at least one with its first value", ("start",))
    for name, value in start.items():
        if not (math.isfinite(value) and value > 0.0):
            raise InputError(
                f"{value:g} is not positive and finite; begin at a positive number", ("start", name)
            )
    if len(start) >= numbers:
        message = f"{len(start)} parameters need more than {numbers} measured numbers; measure more"
        raise InputError(message, ("measured",))
    return np.array(list(start.values()), float)


def _checked_bounds(
    names: Sequence[str], first: FloatArray, bounds: Mapping[str, tuple[float, float]]
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the least and the greatest values (p,)."""
    for name in bounds:
        if name not in names:
            message = f"{name} is not fitted; give its first value too, or leave its bounds out"
            raise InputError(message, ("bounds", name))
    pairs = [
        bounds.get(name, (value / RANGE, value * RANGE)) for name, value in zip(names, first, strict=True)
    ]
    for name, value, (least, greatest) in zip(names, first, pairs, strict=True):
        if not 0.0 < least < greatest < math.inf or not least <= value <= greatest:
            message = (
                f"bounds of {least:g} and {greatest:g} around {value:g} cannot be used; let them rise, be "
                "positive and hold the first value"
            )
            raise InputError(message, ("bounds", name))
    low, high = np.log(np.array(pairs)).T
    return low, high


def _differences(
    function: Callable[[FloatArray], FloatArray], at: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Jacobian (k, p) by central differences, one-sided next to a bound."""
    columns = []
    for i in range(len(at)):
        above, below = at.copy(), at.copy()
        above[i], below[i] = min(at[i] + DIFFERENCE, high[i]), max(at[i] - DIFFERENCE, low[i])
        columns.append((function(above) - function(below)) / (above[i] - below[i]))
    return np.stack(columns, axis=1)


def _assessed(
    names: tuple[str, ...], logarithms: FloatArray, residuals: FloatArray, J: FloatArray, size: float
) -> Fit:
    """Errors, intervals and warnings of fitted logarithms (p,) with the Jacobian J (3k, p).

    ``size`` [m] is the norm of the measured positions.
    """
    from scipy.stats import t

    freedom, count = len(residuals) - len(names), len(names)
    variance = float(residuals @ residuals) / freedom
    effective, independent = _identified(J, size)
    inverse = np.linalg.pinv(J[:, independent])
    cofactors = inverse @ inverse.T
    spread, correlation = np.full(count, np.inf), np.full((count, count), np.nan)
    lengths = np.sqrt(np.diag(cofactors))
    spread[independent] = math.sqrt(variance) * lengths
    correlation[np.ix_(independent, independent)] = cofactors / np.outer(lengths, lengths)
    values, reach = np.exp(logarithms), float(t.ppf((1 + CONFIDENCE) / 2, freedom)) * spread
    with np.errstate(over="ignore"):
        intervals = values[:, None] * np.exp(np.stack([-reach, reach], axis=1))
    return Fit(
        names, values, values * spread, intervals, correlation, residuals.reshape(-1, 3),
        math.sqrt(variance), _doubts(names, effective, independent, correlation), 0,
    )  # fmt: skip


def _identified(J: FloatArray, size: float) -> tuple[BoolArray, BoolArray]:
    """Masks of parameters (p,): those that have an effect, and those of them that are independent."""
    norms = np.linalg.norm(J, axis=0)
    effective = norms > LEAST_EFFECT * size
    independent = effective.copy()
    _, singular, rows = np.linalg.svd(J[:, effective] / norms[effective], full_matrices=False)
    for row in rows[singular < SINGULAR * singular.max(initial=0.0)]:
        independent[np.flatnonzero(effective)[np.abs(row) > PART]] = False
    return effective, independent


def _doubts(
    names: Sequence[str], effective: BoolArray, independent: BoolArray, correlation: FloatArray
) -> tuple[str, ...]:
    """Sentences on parameters that the measurement does not tell."""
    found = [
        f"{name} has no effect on the measured positions; measure another motion, or do not fit it"
        for name, has_effect in zip(names, effective, strict=True)
        if not has_effect
    ]
    alike = [
        name for name, one, other in zip(names, effective, independent, strict=True) if one and not other
    ]
    if alike:
        found.append(
            f"the measured positions do not tell {', '.join(alike)} apart at all; fit fewer of them, or "
            "measure another motion"
        )
    for i, j in combinations(range(len(names)), 2):
        if abs(correlation[i, j]) > ALIKE:
            found.append(
                f"the measured positions hardly tell {names[i]} and {names[j]} apart: their correlation is "
                f"{correlation[i, j]:.3f}; fit one of them, or measure another motion"
            )
    return tuple(found)
