"""Gaussian processes of scikit-learn over a design space, with their leave-one-out errors."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy.linalg import cho_solve
from scipy.optimize import minimize

from studies.definition.space import DesignSpace, RealVariable
from studies.records import FAILED, INFEASIBLE
from studies.search.base import FloatArray
from studies.search.wrappers import LEAST_RANGE

MOST_DESIGNS = 150
"""Designs that a process learns from: a fit takes less than half a second."""
_MOST_LENGTHS = 30
"""Number of features beyond which they share one length scale: each of its own would cost too much."""
_STEPS = 40


def features(space: DesignSpace, points: FloatArray) -> FloatArray:
    """Snapped points ``(n, d)`` as numbers between which distances mean something ``(n, k)``.

    A number keeps its coordinate. An option is a column for each of its values, 1 where it is taken.
    """
    columns: list[FloatArray] = []
    for variable, column in zip(space.variables, points.T, strict=True):
        if isinstance(variable, RealVariable) or variable.stepped:
            columns.append(column[:, None])
        else:
            count = len(variable.values)
            columns.append(np.eye(count)[np.minimum((column * count).astype(int), count - 1)])
    return np.concatenate(columns, axis=1)


@dataclass(frozen=True, slots=True)
class Scale:
    """Logarithm of the distance from the least value, in units of its median: bad designs lie close together.

    A few very bad ones would otherwise decide what all good ones look like. The order of values stays.
    """

    least: FloatArray
    unit: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Scale:
        """The scale of values ``(n, m)``, column by column."""
        least = values.min(axis=0)
        unit = np.median(values, axis=0) - least
        unit = np.where(unit > LEAST_RANGE, unit, np.ptp(values, axis=0))
        return cls(least, np.where(unit > LEAST_RANGE, unit, 1.0))

    def __call__(self, values: FloatArray) -> FloatArray:
        """Values ``(n, m)`` on this scale; those below the least go on in a straight line."""
        scaled = (values - self.least) / self.unit
        return np.where(scaled > 0.0, np.log1p(np.maximum(scaled, 0.0)), scaled)


def severity_of(violations: FloatArray) -> FloatArray:
    """Violations ``(n,)`` on one scale: -0.5 feasible, to 1.5 constraints, to 2.5 no metrics, 3.5 failed.

    Below 0 counts as feasible where a process predicts it.
    """
    without = np.maximum(violations - INFEASIBLE, 0.0)
    levels = np.where(
        violations >= INFEASIBLE, 1.0 + without / (1.0 + without), violations / (1.0 + violations)
    )
    return 0.5 + np.select([violations == 0.0, violations >= FAILED], [-1.0, 3.0], levels)


class GaussianProcess:
    """A process with a Matern 5/2 kernel and noise, whose scales have the greatest likelihood.

    Attributes
    ----------
    error : float
        Root mean square of the leave-one-out residuals, over the standard deviation of the values: 0
        for a process that predicts each design from the others, 1 for one no better than their mean,
        and for equal values.

    Source: C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, section 5.4.2.
    """

    def __init__(self, inputs: FloatArray, values: FloatArray, like: GaussianProcess | None = None) -> None:
        """Fit to ``inputs`` (n, k) and ``values`` (n,), from the scales of the process ``like`` on."""
        library: Any = import_module("sklearn.gaussian_process")
        kernel: Any = _kernel(inputs.shape[1]) if like is None else like.regressor.kernel_
        self.regressor: Any = library.GaussianProcessRegressor(
            kernel, optimizer=_climb, normalize_y=True, random_state=0
        ).fit(inputs, values)
        self.error = self._leave_one_out(values)

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Means and standard deviations ``(n,)``."""
        mean, deviation = self.regressor.predict(inputs, return_std=True)
        return mean, deviation

    def _leave_one_out(self, values: FloatArray) -> float:
        """Residuals in closed form: weights over the diagonal of the inverse kernel matrix."""
        if np.ptp(values) == 0.0:
            return 1.0
        inverse = cho_solve((self.regressor.L_, True), np.eye(len(values)))
        residuals = self.regressor.alpha_ / np.diag(inverse)
        return float(np.sqrt(np.mean(residuals**2)))  # of values whose deviation is 1


def _kernel(size: int) -> Any:
    library: Any = import_module("sklearn.gaussian_process.kernels")
    lengths = np.full(size, 0.5) if size <= _MOST_LENGTHS else 0.5 * np.sqrt(size)
    signal = library.ConstantKernel(1.0, (1e-2, 1e3)) * library.Matern(lengths, (0.02, 50.0), nu=2.5)
    return signal + library.WhiteKernel(1e-4, (1e-7, 1.0))


def _climb(loss: Any, start: FloatArray, bounds: FloatArray) -> tuple[FloatArray, float]:
    """The scales with the least ``loss``, a negative log likelihood with its gradient."""
    inside = np.clip(start, bounds[:, 0], bounds[:, 1])
    found = minimize(loss, inside, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": _STEPS})
    return found.x, float(found.fun)
