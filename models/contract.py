"""What a back-end is: a name, a parameter record, a table of metrics and three pure functions.

A back-end is deterministic, does no input or output, keeps no globals and never raises for a
design that its parameter record accepts: it returns an :class:`Evaluation` or an
:class:`Infeasible`. Shapes, units and frames: SI throughout, angles in rad, right-handed frames,
points ``(n, 3)``, wrenches ``(6,)`` force first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from errors import Fault, InputError, UnknownNameError
from models.parameters import Parameters, merge, resolve, value_faults
from models.scene import Scene

Sense = Literal["minimize", "maximize"]
T = TypeVar("T")


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
    cost_classes : tuple of str
        The cost classes (see :class:`Model`) whose evaluation includes this metric.
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
    """

    name: str
    unit: str
    meaning: str
    sense: Sense
    cost_classes: tuple[str, ...]
    absent: float | str | None = None
    needs: str | tuple[str, ...] = ""
    error: str = ""
    contains: tuple[str, ...] = ()
    safety_limit: float | None = None

    @property
    def needed(self) -> tuple[str, ...]:
        """Parameters, at least one of which must be set for the metric to exist; empty if it needs none."""
        return self.needs if isinstance(self.needs, tuple) else (self.needs,) if self.needs else ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A design that works: every metric of the cost class, in SI units.

    ``metrics`` maps names to finite numbers, or to None where the metric does not exist for this
    design. ``counters`` count the work (cells, iterations); ``warnings`` are sentences.
    """

    metrics: Mapping[str, float | None]
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
    warnings: tuple[str, ...] = ()


LEAST_VIOLATION = 1e-9  # what is infeasible never counts as feasible


@dataclass(frozen=True, slots=True)
class Infeasible:
    """A design for which the metrics do not exist.

    ``reason`` is a sentence, ``violation`` a finite number >= 0 that shrinks as the design comes
    closer to feasibility (the search follows it).
    """

    reason: str
    violation: float
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
    warnings: tuple[str, ...] = ()


Outcome = Evaluation | Infeasible


@dataclass(frozen=True, slots=True)
class Preset:
    """A named design from the literature, given as settings of the parameter record."""

    description: str
    source: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReferenceCase:
    """A published number and ours.

    ``tolerance`` is relative. None means that the two are not expected to agree and ``remark``
    says why; such a case is shown, and our numbers are not tuned to it.
    """

    name: str
    unit: str
    published: float
    obtained: float
    tolerance: float | None
    source: str
    remark: str = ""

    @property
    def relative_error(self) -> float:
        """``|obtained - published| / |published|``; the plain difference when published is 0."""
        return abs(self.obtained - self.published) / (abs(self.published) or 1.0)

    @property
    def agrees(self) -> bool | None:
        """Whether the two agree to the tolerance; None when they are not expected to."""
        return None if self.tolerance is None else self.relative_error <= self.tolerance


def nothing_to_prepare(cost_class: str) -> None:
    """For back-ends without kernels."""


@dataclass(frozen=True, slots=True)
class Model:
    """A physics back-end.

    Parameters
    ----------
    name : str
        ``[a-z0-9-]``, as written in study files.
    version : int
        Rises whenever any result changes; part of the evaluation key.
    summary, source : str
        What it computes, and the paper it follows.
    parameters : type of Parameters
        The frozen parameter record.
    presets : mapping of str to Preset
        Named designs; the first has the values of the record's defaults.
    cost_classes : tuple of str
        Cheapest first. An evaluation of a class returns every metric that lists the class.
    metrics : tuple of Metric
    evaluate : callable (parameters, cost_class, seed) -> Evaluation or Infeasible
    scene : callable (parameters) -> Scene
        What a 3D view shows of the design.
    reference_cases : callable () -> sequence of ReferenceCase
    stochastic : bool
        Whether ``evaluate`` uses its seed.
    prepare : callable (cost_class) -> None
        Loads or compiles the kernels of a cost class, so that the first evaluation is as fast as the
        others.
    test_problem : bool
        Whether it is a test problem with a known answer, for trying searches, and not a robot.
    """

    name: str
    version: int
    summary: str
    source: str
    parameters: type[Parameters]
    presets: Mapping[str, Preset]
    cost_classes: tuple[str, ...]
    metrics: tuple[Metric, ...]
    evaluate: Callable[[Any, str, int], Outcome]
    scene: Callable[[Any], Scene]
    reference_cases: Callable[[], Sequence[ReferenceCase]]
    stochastic: bool = False
    prepare: Callable[[str], None] = nothing_to_prepare
    test_problem: bool = False

    def metric(self, name: str, place: str = "") -> Metric:
        """The metric called ``name``; raises ``UnknownNameError`` with the nearest name."""
        return _named("metric", name, {metric.name: metric for metric in self.metrics}, place)

    def preset(self, name: str, place: str = "preset") -> Preset:
        """The preset called ``name``; raises ``UnknownNameError`` with the nearest name."""
        return _named("preset", name, self.presets, place)

    def metrics_of(self, cost_class: str) -> tuple[Metric, ...]:
        """The metrics that an evaluation of ``cost_class`` returns."""
        return tuple(metric for metric in self.metrics if cost_class in metric.cost_classes)

    def cost_class_for(self, names: Sequence[str]) -> str:
        """The cheapest cost class whose evaluation holds all metrics in ``names``."""
        wanted = [self.metric(name) for name in names]
        for cost_class in self.cost_classes:
            if all(cost_class in metric.cost_classes for metric in wanted):
                return cost_class
        raise InputError(f"no cost class of {self.name} computes all of {', '.join(names)}")

    def resolve(self, preset: str | None, settings: Mapping[str, Any], place: str = "") -> Parameters:
        """The parameter record: defaults, then the preset, then ``settings``.

        ``settings`` maps names (dotted paths reach into tables and lists: ``pulleys.0.2``) to SI
        numbers or to strings with units ("5 mm"). Raises ``InputError`` naming the field.
        """
        return resolve(self.parameters, self._base(preset), settings, place, _origin(preset))

    def resolve_over(
        self, parameters: Mapping[str, Any], settings: Mapping[str, Any], place: str = ""
    ) -> Parameters:
        """As :meth:`resolve`, with ``settings`` over the plain values of a whole record."""
        return resolve(self.parameters, parameters, settings, place)

    def merge(self, preset: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that :meth:`resolve` would make a record of, before values are checked."""
        return merge(self.parameters, self._base(preset), settings, origin=_origin(preset))

    def value_faults(
        self, preset: str | None, settings: Mapping[str, Any]
    ) -> tuple[dict[str, Any], list[Fault]]:
        """What :meth:`merge` gives, and the faults of single values that no other value could mend."""
        return value_faults(self.parameters, self._base(preset), settings, _origin(preset))

    def _base(self, preset: str | None) -> Mapping[str, Any]:
        return self.preset(preset).settings if preset is not None else {}


def _origin(preset: str | None) -> str:
    return "the defaults" if preset is None else f"the preset '{preset}'"


def _named(kind: str, name: str, known: Mapping[str, T], place: str) -> T:
    if name not in known:
        raise UnknownNameError(kind, name, known, place)
    return known[name]
