"""Statistics of metrics over an ensemble: the same design, run several times with small random changes.

Where a motion is chaotic, one run says little about a metric; its mean, spread and quantiles say more. A
back-end lists :func:`statistics_of` its metrics, runs the design with parameters times
:func:`uniform_factors`, and returns :func:`statistics` of what came out. It is ``stochastic``: the seed of
the evaluation is that of the ensemble, and part of the evaluation's key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from models.arrays import FloatArray
from models.metrics import Metric

COST_CLASS = "ensemble"
QUANTILES = {"q05": 0.05, "q50": 0.5, "q95": 0.95}
_WORDS = {"mean": "mean", "q05": "5 % quantile", "q50": "median", "q95": "95 % quantile"}


def statistics_of(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Five metrics of the cost class ``ensemble`` for each of ``metrics``: mean, spread and three quantiles.

    They are null where no run has the metric, the spread where fewer than two have it; a search is then told
    the ``absent`` of the metric, for all five. Less spread is always better. The statistics have no caution,
    no jumps, no error, and no contents.

    Raises
    ------
    ValueError
        When the name of a metric has a dot, after which no other may follow.
    """
    for metric in metrics:
        if "." in metric.name:
            raise ValueError(f"the metric {metric.name} has a dot; its statistics could have no name")
    return tuple(each for metric in metrics for each in _five(metric))


def statistics(runs: Mapping[str, Sequence[float | None]]) -> dict[str, float | None]:
    """Mean, spread and quantiles of the values that each metric has in the runs, by name; None: it has none.

    The spread is the standard deviation of a sample, with n - 1; a quantile lies on the straight line between
    the two values beside it (method 7 of Hyndman and Fan, The American Statistician 50(4), 1996).
    """
    found: dict[str, float | None] = {}
    for name, given in runs.items():
        values = np.array([value for value in given if value is not None], dtype=float)
        off = values - values[:1]  # exactly 0 for equal values, which then have no spread at all
        found[f"{name}.mean"] = float(values[0] + off.mean()) if len(values) else None
        found[f"{name}.spread"] = float(off.std(ddof=1)) if len(values) > 1 else None
        for ending, share in QUANTILES.items():
            found[f"{name}.{ending}"] = float(np.quantile(values, share)) if len(values) else None
    return found


def uniform_factors(seed: int, runs: int, count: int, jitter: float) -> FloatArray:
    """Factors (runs, count) of ``count`` parameters in each run: 1 + jitter u, with u uniform from -1 to 1.

    The same seed gives the same factors; those of more runs begin with those of fewer.
    """
    return 1 + jitter * np.random.default_rng(seed).uniform(-1.0, 1.0, (runs, count))


def _five(metric: Metric) -> list[Metric]:
    whose = " that have it" if metric.absent is not None else ""
    own = replace(metric, cost_classes=(COST_CLASS,), error="", contains=(), caution="", jumps="")
    places = [
        replace(own, name=f"{metric.name}.{ending}", meaning=f"{metric.meaning}; {words} of the runs{whose}")
        for ending, words in _WORDS.items()
    ]
    spread = replace(
        own,
        name=f"{metric.name}.spread",
        meaning=f"{metric.meaning}; standard deviation of the runs{whose}",
        sense="minimize",
        safety_limit=None,
    )
    return [places[0], spread, *places[1:]]
