"""A short search for one metric alone, and faults of the design in which it ends.

A metric is good when this design is one that an engineer would build: it obeys the model's limits of safety,
a finer computation confirms that it is no worse than where the search began, and it keeps what is stated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from errors import InputError
from models.arrays import FloatArray
from models.continuity import DesignSpace
from models.contract import Evaluation, Infeasible, Model, Outcome

POPULATION, GENERATIONS = 4, 3  # the population is times the number of parameters
REFUSED, EXCLUDED = 1e30, 1e20  # above all metrics; designs without metrics, and beyond limits


class Search(NamedTuple):
    """A search for the best value of one metric, and what its winner must keep.

    Attributes
    ----------
    metric : str
    space : DesignSpace
        Designs among which it searches; the preset with the settings is where it begins.
    limits : mapping
        Metrics to least and greatest values, which a study for this metric would have as constraints.
    keeps : mapping
        Metrics to shares: the winner has at least this share of the value at the beginning, or, of a metric
        to minimise, at most that value over the share.
    """

    metric: str
    space: DesignSpace
    limits: Mapping[str, tuple[float, float]] = {}
    keeps: Mapping[str, float] = {}


def winner(model: Model, search: Search) -> dict[str, Any]:
    """Settings of the best design that differential evolution finds in a few generations."""
    from scipy.optimize import differential_evolution

    cost_class = model.cost_class_for([search.metric, *search.limits])

    def cost(place: FloatArray) -> float:
        found = _evaluated(model, search, search.space.at(place), cost_class)
        if isinstance(found, Infeasible):
            return REFUSED * (1.0 + found.violation)
        excess = _excess(model, search, found)
        return EXCLUDED * (1.0 + excess) if excess > 0 else _minimised(model, search.metric, found)

    sides = [(0.0, 1.0)] * len(search.space.bounds)
    found = differential_evolution(
        cost, sides, popsize=POPULATION, maxiter=GENERATIONS, tol=0.0, polish=False, seed=0
    )
    return search.space.at(found.x)


def winner_faults(model: Model, search: Search, finer: Mapping[str, Any]) -> list[str]:
    """Sentences about the winner of a search and the finer computation of it; empty for a sensible one."""
    best = winner(model, search)
    cost_class = model.cost_class_for([search.metric, *search.limits, *search.keeps])
    coarse, start, end = (
        _evaluated(model, search, settings, cost_class)
        for settings in (best, {**search.space.settings, **finer}, {**best, **finer})
    )
    where = f"the search for {search.metric} ends at {best}"
    if isinstance(coarse, Infeasible) or isinstance(start, Infeasible) or isinstance(end, Infeasible):
        return [f"{where}: {each.reason}" for each in (coarse, start, end) if isinstance(each, Infeasible)]
    faults = [f"{where}: unsafe or beyond its limits"] if _excess(model, search, end) > 0 else []
    for name, share in {search.metric: 1.0, **search.keeps}.items():
        old, new = _minimised(model, name, start), _minimised(model, name, end)
        allowed = math.fsum(_error(model, name, each) for each in (coarse, start, end)) + 1e-9 * abs(old)
        if new > (old * share if old < 0 else old / share) + allowed:
            faults.append(f"{where}: {name} is {end.metrics[name]}, {start.metrics[name]} at the beginning")
    return faults


def _evaluated(model: Model, search: Search, settings: Mapping[str, Any], cost_class: str) -> Outcome:
    try:
        return model.evaluate(model.resolve(search.space.preset, settings), cost_class, 0)
    except InputError as error:
        return Infeasible(str(error), 0.0)


def _minimised(model: Model, name: str, found: Evaluation) -> float:
    """Value to minimise, that of a design without the metric included."""
    metric, value = model.metric(name), found.metrics[name]
    if value is None:
        value = metric.absent if isinstance(metric.absent, float | int) else math.inf
        return value if metric.sense == "minimize" else -value
    return value if metric.sense == "minimize" else -value


def _error(model: Model, name: str, found: Evaluation) -> float:
    error = model.metric(name).error
    return (found.metrics[error] or 0.0) if error else 0.0


def _excess(model: Model, search: Search, found: Evaluation) -> float:
    """Greatest excess beyond a limit of the search or of safety, less the error of the metric."""
    most = 0.0
    for name, value in found.metrics.items():
        metric = model.metric(name)
        low, high = search.limits.get(name, (-math.inf, math.inf))
        if metric.safety_limit is not None and metric.sense == "maximize":
            low = max(low, metric.safety_limit)
        elif metric.safety_limit is not None:
            high = min(high, metric.safety_limit)
        if value is not None:
            most = max(most, max(low - value, value - high) - _error(model, name, found))
    return most
