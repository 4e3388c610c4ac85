"""The metrics that back-ends compute: how one is declared, and what may be wrong with its value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

Sense = Literal["minimize", "maximize"]
FaultKind = Literal["model_error", "non_finite", "timeout", "out_of_memory"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number that a back-end computes.

    Parameters
    ----------
    name : str
        The field's term, snake case; a variant of it (a quantile, a part of the workspace) after a dot.
    unit : str
        SI unit as Pint reads it; ``"1"`` when dimensionless.
    meaning : str
        One sentence for the user.
    sense : {"minimize", "maximize"}
        The direction in which the metric gets better.
    cost_classes : tuple of str, optional
        The cost classes (see :class:`Model`) whose evaluation includes this metric; every one if left out.
        The class ``all`` is not named: it includes every metric.
    absent : float or str, optional
        What a search receives if the metric does not exist for a design (null in results): a number,
        or the value of the parameter of that name.
    needs : str or tuple of str, optional
        The parameter that must be set (not false, none or empty) for the metric to exist; if there are
        several, one of them is enough.
    error : str, optional
        The metric that gives the numerical error of this one, in the same unit. Two designs are even if
        their values differ by no more than this error.
    contains : tuple of str, optional
        Metrics from which this one is computed (F1 = 1 / workspace_volume). A comparison says so if
        both are objectives.
    safety_limit : float, optional
        The limit, in SI units, beyond which (against ``sense``) a design is not safe to build, such as 0
        for a margin between two cables.
    caution : str, optional
        For whoever asks for this metric as one number: why it says little, and what to ask for instead
        ("chaotic after the first contact; ask for peak_force.mean or its quantiles"). No full stop.
    kept_by : tuple of str, optional
        For a metric that is best for a robot that does little, such as one over a workspace of a few cells,
        or the margin of a rod that hardly bends: metrics and parameters, the first a metric, one of which,
        as another goal, as a limit or set, keeps what the robot does.
    jumps : str, optional
        For a metric that may change at once where the design hardly changes: the place and the reason, as
        they go on after "jumps where" ("one pose more is met: poses are counted"). No full stop.
    label : str, optional
        What headings say where the name is a symbol: "stiffness F2". If left out, the name in words.
    """

    name: str
    unit: str
    meaning: str
    sense: Sense
    cost_classes: tuple[str, ...] = ()
    absent: float | str | None = None
    needs: str | tuple[str, ...] = ""
    error: str = ""
    contains: tuple[str, ...] = ()
    safety_limit: float | None = None
    caution: str = ""
    kept_by: tuple[str, ...] = ()
    jumps: str = ""
    label: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        """Parameters, at least one of which must be set for the metric to exist; empty if it needs none."""
        return self.needs if isinstance(self.needs, tuple) else (self.needs,) if self.needs else ()


def with_errors(
    metrics: Iterable[Metric], has_error: Callable[[Metric], bool], meaning: str
) -> tuple[Metric, ...]:
    """Metrics, and after them numerical errors of some: ``mass_error`` of ``mass``.

    Parameters
    ----------
    metrics : iterable of Metric
    has_error : callable
        Choice among the metrics.
    meaning : str
        Sentence about an error, in which ``{}`` is the name of the metric.
    """
    given = [replace(each, error=f"{each.name}_error") if has_error(each) else each for each in metrics]
    errors = (
        Metric(
            each.error,
            each.unit,
            meaning.format(each.name),
            "minimize",
            each.cost_classes,
            absent=None if each.absent is None else 0.0,
            needs=each.needs,
        )
        for each in given
        if has_error(each)
    )
    return (*given, *errors)


def objective_cautions(
    metrics: Sequence[Metric], objectives: Iterable[str], others: Iterable[str]
) -> list[str]:
    """Cautions about objectives that repeat, or that a search may fool by a robot that does little or a jump.

    Parameters
    ----------
    metrics : sequence of Metric
        All metrics of a model.
    objectives : iterable of str
        Names of metrics that a study optimises.
    others : iterable of str
        Names of its constraints and of the parameters that it sets.
    """
    wanted = list(objectives)
    present = {*wanted, *others}
    told = [metric for metric in metrics if metric.name in wanted]
    half = {metric.name: "half" if metric.sense == "maximize" else "twice" for metric in metrics}
    unkept = [
        f"{metric.name}: a search for it alone shrinks what the robot does to where it is best; add one of "
        f"{', '.join(metric.kept_by)}; as a limit, {half[metric.kept_by[0]]} the {metric.kept_by[0]} of the "
        "design in the middle of the ranges is a fair start"
        for metric in told
        if metric.kept_by and not present & {*metric.kept_by}
    ]
    repeated = [
        f"{metric.name}: is computed from {metric.contains[0]} and no other metric, and both are objectives: "
        "leave one out"
        for metric in told
        if len(metric.contains) == 1 and metric.contains[0] in wanted
    ]
    return [
        *unkept,
        *repeated,
        *(
            f"{metric.name}: jumps where {metric.jumps}; compare a design with its neighbours before you "
            "choose it"
            for metric in told
            if metric.jumps
        ),
    ]


_NUMBERS = (float, Real)  # asking whether something is Real takes long, and most are floats


def metric_faults(metric: Metric, metrics: Mapping[str, Any]) -> list[tuple[FaultKind, str]]:
    """Faults of a metric: none if it is there and finite, or None where it may be."""
    if metric.name not in metrics:
        return [("model_error", f"the back-end left out the metric '{metric.name}'")]
    value = metrics[metric.name]
    if value is None and metric.absent is None:
        return [("model_error", f"the back-end gave no value for '{metric.name}'")]
    if value is not None and not isinstance(value, _NUMBERS):
        shape = getattr(value, "shape", None)
        what = type(value).__name__ if shape is None else f"an array of shape {shape}"
        return [("model_error", f"the back-end gave {metric.name} as {what}, not as one number")]
    if value is not None and not math.isfinite(value):
        text = f"the back-end gave {metric.name} = {value}, which is not a finite number"
        return [("non_finite", text)]
    return []
