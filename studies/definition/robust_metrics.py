"""Statistics of metrics over the robots that production makes of one design, with their standard errors.

They are metrics of the study like any other: ``robust.F2.q95`` has the unit and the meaning of ``F2``, and
``robust.F2.q95.error`` is its standard error. ``robust.probability_feasible`` is the share of robots that
work and meet the constraints of the study. All other statistics are over the robots that work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.ensemble import QUANTILES, statistics
from models.metrics import Metric
from studies.definition.tolerance_sampling import REPLICATES

FloatArray = NDArray[np.float64]

PREFIX = "robust."
PROBABILITY = "robust.probability_feasible"
ERROR = ".error"
FEWEST = 2
"""Robots that must work: one alone has no spread, and would count as a perfect one."""
STATISTIC_WORDS = {
    "mean": "mean",
    "sd": "standard deviation",
    "q05": "5 % quantile",
    "q50": "median",
    "q95": "95 % quantile",
    "worst": "worst value",
}
STATISTICS = tuple(STATISTIC_WORDS)
_SPREAD = {"sd": "spread"}
"""Names of :mod:`models.ensemble` for what is called otherwise here."""


def is_spread(name: str) -> bool:
    """True if a name is that of a standard deviation or error over robots, which are differences."""
    return is_robust(name) and name.endswith((".sd", ERROR))


def is_robust(name: str) -> bool:
    """True if a name is that of a statistic over robots."""
    return name.startswith(PREFIX)


def base_metric(name: str) -> str | None:
    """The metric of which ``name`` is a statistic; None for the share of feasible robots and other names."""
    if not is_robust(name):
        return None
    base, _, ending = name.removeprefix(PREFIX).removesuffix(ERROR).rpartition(".")
    return base if base and ending in STATISTICS else None


def robust_metrics(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The statistics of ``metrics``, each followed by its standard error; the share of feasible robots."""
    found = [each for metric in metrics for ending in STATISTICS for each in _statistic(metric, ending)]
    share = Metric(
        PROBABILITY, "1", "share of the robots made of this design that work and meet the constraints",
        "maximize", error=PROBABILITY + ERROR,
    )  # fmt: skip
    return (*found, share, _error_of(share))


def robust_names(metrics: Iterable[str]) -> list[str]:
    """The names of all statistics of metrics, without their table."""
    names = [f"{PREFIX}{name}.{ending}" for name in metrics for ending in STATISTICS]
    known = [*names, PROBABILITY]
    return [each for name in known for each in ((name, name + ERROR) if _has_error(name) else (name,))]


def _has_error(name: str) -> bool:
    return not name.endswith(".worst")


def _statistic(metric: Metric, ending: str) -> list[Metric]:
    name = f"{PREFIX}{metric.name}.{ending}"
    spread = ending == "sd"
    found = replace(
        metric,
        name=name,
        meaning=f"{metric.meaning}; {STATISTIC_WORDS[ending]} over the robots made of this design",
        label=metric.label and f"{metric.label}, {STATISTIC_WORDS[ending]}",
        sense="minimize" if spread else metric.sense,
        safety_limit=None if spread else metric.safety_limit,
        contains=(metric.name,),
        error=name + ERROR if _has_error(name) else "",
        caution="",
    )
    return [found, _error_of(found)] if found.error else [found]


def _error_of(metric: Metric) -> Metric:
    return replace(
        metric, name=metric.name + ERROR, meaning=f"standard error of {metric.name}", sense="minimize",
        label=metric.label and f"{metric.label}, standard error", error="", contains=(), safety_limit=None,
        absent=0.0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SampleOutcomes:
    """Outcomes of the robots made of one design.

    ``values`` has a column (n,) for each quantity, NaN where a robot does not work or has none; ``works``
    (n,) and ``feasible`` (n,) say which of them work, and which meet the constraints too.
    """

    values: Mapping[str, FloatArray]
    works: NDArray[np.bool_]
    feasible: NDArray[np.bool_]


def robust_values(
    robots: SampleOutcomes, senses: Mapping[str, str], replicates: NDArray[np.int64] | None
) -> dict[str, float | None]:
    """The statistics of every quantity and their standard errors, None where there is no finite one.

    There is no standard error of an outer quantile of few independent robots, and no spread of values whose
    squares are above the greatest float.

    Parameters
    ----------
    robots : SampleOutcomes
    senses : mapping of str to str
        "minimize" or "maximize" for each quantity; the worst value is the greatest or the least.
    replicates : (n,) int, optional
        The replicate of each robot; None where all robots are independent.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        found = _found(robots, senses, replicates) | _probability(robots.feasible)
    return {name: value if value is None or math.isfinite(value) else None for name, value in found.items()}


def _found(
    robots: SampleOutcomes, senses: Mapping[str, str], replicates: NDArray[np.int64] | None
) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name, column in robots.values.items():
        values = _present(column)
        known = _statistics(values)
        known["worst"] = None if not len(values) else float(
            values.max() if senses[name] == "minimize" else values.min()
        )  # fmt: skip
        errors = (
            _independent_errors(values, known)
            if replicates is None
            else _replicate_errors([_present(column[replicates == r]) for r in range(REPLICATES)])
        )
        for ending in STATISTICS:
            full = f"{PREFIX}{name}.{ending}"
            found[full] = known[ending]
            if _has_error(full):
                found[full + ERROR] = errors.get(ending)
    return found


def _present(column: FloatArray) -> FloatArray:
    return column[~np.isnan(column)]


def _statistics(values: FloatArray) -> dict[str, float | None]:
    found = statistics({"x": values.tolist()})
    return {ending: found.get(f"x.{_SPREAD.get(ending, ending)}") for ending in STATISTICS}


def _probability(feasible: NDArray[np.bool_]) -> dict[str, float | None]:
    """The share and its standard error, which is never 0: with two robots more, one of them feasible.

    Agresti, Coull, The American Statistician 52(2) 1998. Scrambled points spread less, so it bounds theirs.
    """
    n, count = len(feasible), int(feasible.sum())
    likely = (count + 1) / (n + 2)
    return {PROBABILITY: count / n, PROBABILITY + ERROR: float((likely * (1 - likely) / n) ** 0.5)}


def _independent_errors(values: FloatArray, known: Mapping[str, float | None]) -> dict[str, float | None]:
    """Standard errors from independent values (n,).

    Of the mean ``s / sqrt(n)``, of the standard deviation by the fourth central moment (Rao, Linear
    Statistical Inference 1973, section 6h), of quantiles by Maritz and Jarrett (JASA 73 1978).
    """
    from scipy.stats import mstats

    n, spread = len(values), known["sd"]
    if n < FEWEST or spread is None:
        return {}
    if spread == 0:
        return dict.fromkeys(STATISTICS, 0.0)
    fourth = float(np.mean((values - values.mean()) ** 4))
    variance = max(fourth - spread**4 * (n - 3) / (n - 1), 0.0) / n
    quantiles = np.asarray(mstats.mjci(values, list(QUANTILES.values())), dtype=float)
    found: dict[str, float | None] = dict(zip(QUANTILES, quantiles.tolist(), strict=True))
    return {"mean": spread / n**0.5, "sd": variance**0.5 / (2 * spread), **found}


def _replicate_errors(replicates: Sequence[FloatArray]) -> dict[str, float | None]:
    """Standard errors from what independent replicates give: their spread over the root of their number."""
    each = [_statistics(values) for values in replicates]
    found: dict[str, float | None] = {}
    for ending in STATISTICS:
        known = [value for value in (one[ending] for one in each) if value is not None]
        if len(known) >= FEWEST:
            off = np.array(known) - known[0]
            found[ending] = float(off.std(ddof=1)) / len(known) ** 0.5
    return found


def document_metrics(document: Mapping[str, Any] | None) -> list[str]:
    """The names of the statistics that an evaluation with this uncertainty has."""
    return [] if document is None else robust_names(document["metrics"])
