"""A back-end: a name, a parameter record, a table of metrics, stages and two more pure functions.

A stage is a part of an evaluation. It is deterministic, does no input or output, keeps no globals and
never raises for a design that the parameter record accepts: it returns an :class:`Evaluation` with its
own metrics, or an :class:`Infeasible`. A cost class names the stages that it runs. :meth:`Model.evaluate`
runs them in order, merges what they return and checks it. Shapes, units and frames: SI throughout, angles
in rad, right-handed frames, points ``(n, 3)``, wrenches ``(6,)`` force first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from errors import Fault, OutcomeError, Place, UnknownNameError
from models.fields import unit_of
from models.html_table import html_table, without_value
from models.mechanism import Mechanism
from models.metrics import Metric, metric_faults, objective_cautions
from models.parameters import Parameters, merge, resolve, value_faults
from models.scalar_grid import GridQuantity, ScalarGrid
from models.scene import PostureCoordinate, Scene
from models.series import Series

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A design that works: every metric of a stage, or of a cost class, in SI units.

    ``metrics`` maps names to finite numbers, or to None where the metric does not exist for this
    design. ``counters`` count the work (cells, iterations); ``warnings`` are sentences.
    """

    metrics: Mapping[str, float | None]
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
    warnings: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        rows = [(name, value) for name, value in self.metrics.items() if value is not None]
        empty = without_value([name for name, value in self.metrics.items() if value is None])
        notes = [*([empty] if empty else []), *(f"warning: {text}" for text in self.warnings)]
        return html_table("Evaluation", ("metric", "value [SI]"), rows, notes)


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

    def _repr_html_(self) -> str:
        """The lines of a notebook."""
        notes = [f"{self.reason} (violation {self.violation:.6g})"]
        return html_table("Infeasible", (), (), [*notes, *(f"warning: {text}" for text in self.warnings)])


Outcome = Evaluation | Infeasible

LEAST_VIOLATION = 1e-9
"""Smallest violation that an infeasible design reports."""

MOST_SECONDS = 600.0
"""Processor time [s] that an evaluation, or a part of one, may take; records that need more are refused."""


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
        """True if the two agree to the tolerance; None when they are not expected to."""
        return None if self.tolerance is None else self.relative_error <= self.tolerance


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a model of the user's own, as the functions that make one note it.

    ``code`` is the file of the code, or what Python calls a notebook's cell. ``files`` are names of files
    beside it on which results depend. ``digest`` is a sha256 of the sources and of these files; it is empty
    until the model was loaded by :mod:`models.own_model`.
    """

    code: str
    files: tuple[str, ...] = ()
    digest: str = ""


Stage = Callable[..., Outcome]
"""``stage(subject)``, ``stage(subject, seed)`` of a stochastic model; see ``subject`` of :class:`Model`."""
ALL = "all"
JOIN = "+"
"""Sign between the cost classes of an evaluation that runs the stages of several."""


def parameters_alone(parameters: Any) -> Any:
    """The subject of stages that share nothing."""
    return parameters


def nothing_to_compile(cost_class: str, evaluate: Callable[[Any], Outcome]) -> None:
    """Compile nothing, for back-ends without kernels."""


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
    metrics : tuple of Metric
    stages : mapping of str to callable (subject) -> Evaluation or Infeasible
        The parts of an evaluation, in the order in which they run. A stage returns the metrics that it
        computes; what its cost class does not list is left out. It can rely on the stages that its cost
        classes run before it: they were feasible. A stage of a stochastic model is called with the
        subject and a seed.
    scene : callable (parameters) -> Scene
        What a 3D view shows of the design. Where the model has a ``posture``, it also takes its values as a
        second argument; without them, it draws the design's own.
    outline : callable (parameters) -> Scene, optional
        The robot from its parameters alone, with nothing that an evaluation computes: what a 3D view shows of
        a design that another version of the model evaluated.
    reference_cases : callable () -> sequence of ReferenceCase
    classes : mapping of str to sequence of str, optional
        The stages that each cost class runs, the cheapest class first; if left out, each stage is a cost
        class. Where there are several, ``all`` is added, which computes every metric: it runs the stages of
        all classes but those whose metrics another class computes as well.
    subject : callable (parameters) -> Any
        What stages are called with: the parameters, if left out. It is made anew for each evaluation, and may
        keep what several stages compute.
    stochastic : bool
        Whether stages draw random numbers, from their seed.
    warm_up : callable (cost_class, evaluate) -> None
        Compiles or loads the kernels of a cost class by calls of ``evaluate(parameters)`` for small designs.
    series : callable (parameters) -> Series, optional
        Quantities of a design over time; raises ``InputError`` for a design that has none.
    mechanism : callable (parameters) -> Mechanism, optional
        The design as rigid links, joints and cables, for robot descriptions (URDF, SDF).
    grid : callable (parameters) -> ScalarGrid, optional
        Quantities at the cells of a grid; raises ``InputError`` for a design that has none.
    grid_quantities : tuple of GridQuantity, optional
        The quantities that ``grid`` gives, in its order: pictures colour the cells of a scene by them.
    posture : callable (parameters) -> tuple of PostureCoordinate, optional
        What pictures of a design may move, such as the joints of an arm whose angles are no property of the
        design; empty where there is nothing.
    ladder : callable (parameters) -> sequence of settings, optional
        Settings under which the same metrics cost less and are less exact, the cheapest first: searches rank
        designs by them. Empty for parameters that are as coarse as they can be.
    certified : callable (rung, parameters, metrics) -> mapping of str to (float, float), optional
        Intervals in which metrics of the full evaluation lie by proof [SI], given the parameters of a rung
        and their metrics. Searches do not evaluate further what such an interval rules out.
    test_problem : bool
        Whether it is a test problem with a known answer, for trying searches, and not a robot.
    implied : mapping of str to callable (parameters) -> plain value, optional
        Fields that may be left unset because other fields imply them, such as pulleys by an arrangement:
        tolerances of their numbers can then be stated all the same.
    title : str
        Plain name for lists and headings, such as "Cable camera"; empty for the name in words.
    origin : Origin, optional
        Where a model of the user's own was defined; None for an installed one.

    Raises
    ------
    ValueError
        When ``classes`` name an unknown stage or ``all``, or a metric names an unknown class.
    """

    name: str
    version: int
    summary: str
    source: str
    parameters: type[Parameters]
    presets: Mapping[str, Preset]
    metrics: tuple[Metric, ...]
    stages: Mapping[str, Stage]
    scene: Callable[..., Scene]
    reference_cases: Callable[[], Sequence[ReferenceCase]]
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    subject: Callable[[Any], Any] = parameters_alone
    stochastic: bool = False
    warm_up: Callable[[str, Callable[[Any], Outcome]], None] = nothing_to_compile
    series: Callable[[Any], Series] | None = None
    mechanism: Callable[[Any], Mechanism] | None = None
    grid: Callable[[Any], ScalarGrid] | None = None
    grid_quantities: tuple[GridQuantity, ...] = ()
    outline: Callable[[Any], Scene] | None = None
    posture: Callable[[Any], tuple[PostureCoordinate, ...]] | None = None
    ladder: Callable[[Any], Sequence[Mapping[str, Any]]] | None = None
    certified: Callable[[Any, Any, Mapping[str, float | None]], Mapping[str, tuple[float, float]]] | None = (
        None
    )
    test_problem: bool = False
    implied: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict[str, Callable[[Any], Any]])
    title: str = ""
    origin: Origin | None = field(default=None, compare=False)
    stages_of: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    """Stages that each cost class runs, ``all`` included, in their order."""

    def __post_init__(self) -> None:
        classes = self.classes or {name: (name,) for name in self.stages}
        unknown = {stage for names in classes.values() for stage in names} - set(self.stages)
        unknown |= {name for metric in self.metrics for name in metric.cost_classes} - set(classes)
        if unknown or (ALL in classes and len(classes) > 1):
            wrong = ", ".join(sorted(unknown)) or ALL
            raise ValueError(
                f"the model {self.name} names {wrong}, which is no stage or cost class of its own"
            )
        found = {name: self._in_order(stages) for name, stages in classes.items()}
        if len(found) > 1:
            found[ALL] = self._in_order([stage for name in self._widest(found) for stage in found[name]])
        object.__setattr__(self, "stages_of", found)

    def _in_order(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(stage for stage in self.stages if stage in names)

    def _widest(self, classes: Mapping[str, object]) -> list[str]:
        """The cost classes that compute something that no other one computes with all the rest of theirs."""
        held = {
            name: {metric.name for metric in self.metrics if name in (metric.cost_classes or classes)}
            for name in classes
        }
        names = list(held)
        return [
            name
            for place, name in enumerate(names)
            if not any(held[name] < held[other] for other in names)
            and not any(held[name] == held[other] for other in names[:place])
        ]

    def _repr_html_(self) -> str:
        """The tables of a notebook: parameters with their units, then metrics."""
        record = self.parameters.model_fields
        parameters = [
            (name, unit if isinstance(unit := unit_of(field), str) else "", field.description or "")
            for name, field in record.items()
        ]
        metrics = [(each.name, each.unit, each.sense or "", each.meaning) for each in self.metrics]
        presets = f"presets: {', '.join(self.presets)}"
        return html_table(
            f"{self.name} (version {self.version}): {self.summary}",
            ("parameter", "unit", "meaning"), parameters, [presets],
        ) + html_table("Metrics", ("metric", "unit", "better", "meaning"), metrics)  # fmt: skip

    @property
    def cost_classes(self) -> tuple[str, ...]:
        """Names of the cost classes, the cheapest first, ``all`` last."""
        return tuple(self.stages_of)

    @property
    def digest(self) -> str:
        """Digest of the sources of a model of the user's own, for the evaluation key; empty for others."""
        return "" if self.origin is None else self.origin.digest

    def evaluate(
        self, parameters: Parameters | None = None, cost_class: str | None = None, seed: int = 0
    ) -> Outcome:
        """Run the stages of a cost class until one is infeasible.

        Without ``parameters`` it is the design of the record's defaults, without ``cost_class`` the class
        that computes every metric.

        Counters of the stages are added, their warnings are joined, each once; both are also those of an
        infeasible design, up to the stage that says so. Where two stages return one metric, the later counts.

        Raises
        ------
        UnknownNameError
            When there is no such cost class.
        OutcomeError
            When a stage returns something else than an outcome, a violation that is not a finite number
            >= 0, or a metric that is in no table, is missing, or is not finite.
        """
        metrics: dict[str, float | None] = {}
        counters: dict[str, int] = {}
        warnings: dict[str, None] = {}
        cost_class = self.cost_classes[-1] if cost_class is None else cost_class
        parameters = self.parameters() if parameters is None else parameters
        subject = self.subject(parameters)
        for name in self.stages_run(cost_class):
            stage = self.stages[name]
            found = stage(subject, seed) if self.stochastic else stage(subject)
            _require_outcome(found)
            for counter, count in found.counters.items():
                counters[counter] = counters.get(counter, 0) + int(count)
            warnings |= dict.fromkeys(found.warnings)
            if isinstance(found, Infeasible):
                _require_violation(found, counters, warnings)
                return Infeasible(found.reason, float(found.violation), counters, tuple(warnings))
            metrics |= found.metrics
        return Evaluation(self._checked(cost_class, metrics, counters, warnings), counters, tuple(warnings))

    def _checked(
        self,
        cost_class: str,
        metrics: Mapping[str, float | None],
        counters: Mapping[str, int],
        warnings: Mapping[str, None],
    ) -> dict[str, float | None]:
        """The metrics of a cost class as floats; raises ``OutcomeError`` for the first that is wrong."""
        table = self.metrics_of(cost_class)
        faults = [fault for metric in table for fault in metric_faults(metric, metrics)]
        for name in sorted(set(metrics) - {metric.name for metric in self.metrics}):
            text = f"the back-end gave '{name}', which is not in its table of metrics"
            faults.append(("model_error", text))
        for kind, text in faults[:1]:
            raise OutcomeError(text, kind, counters, tuple(warnings))
        return {each.name: None if (v := metrics[each.name]) is None else float(v) for each in table}

    @property
    def has_kernels(self) -> bool:
        """True for a back-end that compiles something before its first evaluation."""
        return self.warm_up is not nothing_to_compile

    def prepare(self, cost_class: str) -> None:
        """Compile or load the kernels of a cost class: then the first evaluation is as fast as the others."""
        self.warm_up(cost_class, lambda parameters: self.evaluate(parameters, cost_class, 0))

    def metric(self, name: str, place: Place = ()) -> Metric:
        """The metric called ``name``; raises ``UnknownNameError`` with the nearest name."""
        return _named("metric", name, {metric.name: metric for metric in self.metrics}, place)

    def preset(self, name: str, place: Place = ("preset",)) -> Preset:
        """The preset called ``name``; raises ``UnknownNameError`` with the nearest name."""
        return _named("preset", name, self.presets, place)

    def stages_run(self, cost_class: str) -> tuple[str, ...]:
        """The stages of a cost class, or of several that are joined by ``+``, each once and in their order.

        Raises ``UnknownNameError`` when there is no such cost class.
        """
        parts = cost_class.split(JOIN)
        named = [_named("cost class", part, self.stages_of, ("cost_class",)) for part in parts]
        return self._in_order([stage for stages in named for stage in stages])

    def metrics_of(self, cost_class: str) -> tuple[Metric, ...]:
        """The metrics that an evaluation of ``cost_class``, or of several joined by ``+``, returns."""
        parts = {*cost_class.split(JOIN)}
        return tuple(
            metric
            for metric in self.metrics
            if ALL in parts or not metric.cost_classes or not parts.isdisjoint(metric.cost_classes)
        )

    def cautions(self, names: Iterable[str]) -> list[str]:
        """Cautions for a reader of these metrics as one number each, by name; most have none."""
        wanted = frozenset(names)
        told = [metric for metric in self.metrics if metric.caution and metric.name in wanted]
        return [f"{metric.name}: {metric.caution}" for metric in told]

    def objective_cautions(self, objectives: Iterable[str], others: Iterable[str]) -> list[str]:
        """Cautions about objectives, as :func:`models.metrics.objective_cautions` words them."""
        return objective_cautions(self.metrics, objectives, others)

    def cost_classes_of(self, metric: Metric) -> tuple[str, ...]:
        """The cost classes whose evaluation includes a metric, the cheapest first."""
        named = metric.cost_classes or self.cost_classes
        return tuple(name for name in self.cost_classes if name in named or name == ALL)

    def cost_class_for(self, names: Sequence[str]) -> str:
        """The cheapest evaluation that holds all metrics in ``names``, so that no other stage runs.

        That is a cost class, or the fewest classes that hold them together, joined by ``+``.
        """
        held = [{*self.cost_classes_of(self.metric(name))} for name in names]
        single = [name for name in self.cost_classes if name != ALL] or [ALL]
        joined = (
            some
            for size in range(1, len(single) + 1)
            for some in combinations(single, size)
            if all(classes & {*some} for classes in held)
        )
        found = JOIN.join(next(joined))
        every = self.cost_classes[-1]
        return every if self.stages_run(found) == self.stages_of[every] else found

    def resolve(self, preset: str | None, settings: Mapping[str, Any], place: Place = ()) -> Parameters:
        """The parameter record: defaults, then the preset, then ``settings``.

        ``settings`` maps names (dotted paths reach into tables and lists: ``pulleys.0.2``) to SI
        numbers or to strings with units ("5 mm"). Raises ``InputError`` naming the field.
        """
        return resolve(self.parameters, self._base(preset), settings, place, _origin(preset))

    def resolve_over(
        self, parameters: Mapping[str, Any], settings: Mapping[str, Any], place: Place = ()
    ) -> Parameters:
        """As :meth:`resolve`, with ``settings`` over the plain values of a whole record."""
        return resolve(self.parameters, parameters, settings, place)

    def merge(self, preset: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that :meth:`resolve` would make a record of, before values are checked."""
        return merge(self.parameters, self._base(preset), settings, origin=_origin(preset))

    def value_faults(
        self, preset: str | None, settings: Mapping[str, Any]
    ) -> tuple[dict[str, Any], list[Fault]]:
        """The settings of :meth:`merge`, and the faults of single values that no other value could mend."""
        return value_faults(self.parameters, self._base(preset), settings, _origin(preset))

    def _base(self, preset: str | None) -> Mapping[str, Any]:
        return self.preset(preset).settings if preset is not None else {}


def _origin(preset: str | None) -> str:
    return "the defaults" if preset is None else f"the preset '{preset}'"


def _named(kind: str, name: str, known: Mapping[str, T], place: Place) -> T:
    if name not in known:
        raise UnknownNameError(kind, name, known, place)
    return known[name]


def _require_outcome(found: object) -> None:
    if not isinstance(found, Evaluation | Infeasible):
        raise OutcomeError(f"the back-end returned a {type(found).__name__}")


def _require_violation(found: Infeasible, counters: Mapping[str, int], warnings: Mapping[str, None]) -> None:
    if not (math.isfinite(found.violation) and found.violation >= 0):
        text = (
            f"the back-end gave the violation {found.violation}, which is not a finite number of at least 0"
        )
        raise OutcomeError(text, "non_finite", counters, tuple(warnings))
