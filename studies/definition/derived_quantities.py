"""Derived quantities: the named expressions of a study, on metrics, parameters and variables.

To everything that shows or judges a study, a derived quantity is a metric: :func:`study_model` is the
back-end with these metrics added to its table. An evaluation knows nothing of them: they follow from
what is stored of it, so that studies share evaluations whatever they derive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from errors import FaultList, InputError, Place, UnknownNameError
from models import Metric, Model
from models.fields import unit_at
from studies.definition.expressions import RESERVED, read_expression, unit_of_expression
from studies.definition.links import Link, in_order, value_at_steps
from studies.definition.robust_metrics import (
    PROBABILITY,
    base_metric,
    is_robust,
    robust_metrics,
    robust_names,
)
from studies.definition.stored_model import back_end, free_unit, is_free
from studies.definition.study_definition import StudyDefinition, VariableTable


def named_expressions(definition: StudyDefinition, faults: FaultList) -> tuple[Link, ...]:
    """The named expressions, each after those that it needs; those that cannot be read go to ``faults``."""
    found: list[Link] = []
    for name, text in definition.expressions.items():
        with faults.collect():
            place: Place = ("expressions", name)
            found.append(Link(name, read_expression(text, place), place, parameter=False))
    with faults.collect():
        return in_order(found)
    return ()


@dataclass(frozen=True, slots=True)
class Derived:
    """The derived quantities of a study, each after those that it needs."""

    expressions: tuple[Link, ...] = ()

    @classmethod
    def of(cls, definition: StudyDefinition) -> Derived:
        """Read the derived quantities of a definition, without those that cannot be read."""
        return cls(named_expressions(definition, FaultList()) if definition.expressions else ())

    def names_of(self, name: str) -> tuple[str, ...]:
        """The metrics, parameters and variables from which a derived quantity follows, directly or not."""
        return self._parts(name)[1]

    def closure(self, name: str) -> tuple[str, ...]:
        """A derived quantity and those from which it follows."""
        return self._parts(name)[0]

    def _parts(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The derived quantities in one, with itself, and the other names in them."""
        names = {link.path: link.expression.names for link in self.expressions}
        done, found = dict[str, None](), dict[str, None]()
        left = [name] if name in names else []
        while left:
            one = left.pop()
            if one not in names:
                found[one] = None
            elif one not in done:
                done[one] = None
                left += names[one]
        return tuple(done), tuple(found)

    def values(
        self,
        metrics: Mapping[str, float | None],
        parameters: Mapping[str, Any],
        variables: Mapping[str, Any],
    ) -> dict[str, float | None]:
        """Every derived quantity of a design, None where it does not exist or is no finite number.

        ``parameters`` are stored as plain values, ``variables`` by name; all are in SI. Where a variable does
        not act, and is None, its parameter counts.
        """
        found: dict[str, float | None] = {}

        def lookup(name: str) -> float | None:
            if variables.get(name) is not None:
                return _number(variables[name])
            for known in (found, metrics):
                if name in known:
                    return _number(known[name])
            return _number(value_at_steps(parameters, name.split(".")))

        for link in self.expressions:
            found[link.path] = link.expression.value(lookup)
        return found


def with_absent(metrics: Mapping[str, float | None], absent: Mapping[str, float]) -> dict[str, float | None]:
    """Metrics, with what counts for those that a design does not have."""
    return {name: absent.get(name) if value is None else value for name, value in metrics.items()}


def undefined_text(name: str) -> str:
    """Reason for the failure of a design that has all metrics."""
    return f"the expression '{name}' is no finite number" if name else "an expression is no finite number"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def variables_of(definition: StudyDefinition, layout: str) -> dict[str, VariableTable]:
    """Variables of a layout, by name or dotted path, in the order of the study file."""
    own = definition.layouts[layout].variables if layout in definition.layouts else {}
    return {**definition.variables, **own}


def layouts_of(definition: StudyDefinition) -> list[str]:
    """The layouts of a study, of which there is one at least."""
    return list(definition.layouts) or ["default"]


def study_model(definition: StudyDefinition, faults: FaultList | None = None) -> Model:
    """The back-end of a study with its derived quantities among the metrics.

    Those that are faulty are left out, and go to ``faults``. Of a back-end whose code is not here, the
    tables that the store keeps. Raises ``InputError`` where it keeps none.
    """
    model = _with_foreign(back_end(definition), definition)
    found = FaultList() if faults is None else faults
    derived = Derived(named_expressions(definition, found))
    named = [name for link in derived.expressions for name in link.expression.names]
    robust = [name for name in (*definition.objectives, *definition.constraints, *named) if is_robust(name)]
    late = {link.path for link in derived.expressions if any(map(is_robust, derived.names_of(link.path)))}
    for last in (False, True):  # statistics are of the first, and the last are computed from statistics
        for link in derived.expressions:
            if (link.path in late) == last:
                with found.collect():
                    model = _with_expression(model, definition, derived, link)
        if robust and definition.tolerances and not last:
            model = _with_statistics(model, definition, robust)
    return model


def _with_foreign(model: Model, definition: StudyDefinition) -> Model:
    """A back-end with the metrics that imported results have and it has not."""
    if definition.imported is None or not definition.imported.metrics:
        return model
    source = definition.imported.source
    foreign = tuple(
        Metric(name, each.unit, f"imported from {source}", each.sense)
        for name, each in definition.imported.metrics.items()
    )
    return replace(model, metrics=(*model.metrics, *foreign))


def _with_expression(model: Model, definition: StudyDefinition, derived: Derived, link: Link) -> Model:
    """A back-end with one more derived quantity; raises ``InputError`` for one that is faulty."""
    _refuse_taken(model, definition, link)
    units = {_unit(model, definition, link, layout) for layout in layouts_of(definition)}
    if len(units) > 1:
        shown = " and ".join(sorted(units))
        raise InputError(f"has another unit in each layout: {shown}", link.place)
    return replace(model, metrics=(*model.metrics, _metric(model, definition, derived, link, units.pop())))


def _with_statistics(model: Model, definition: StudyDefinition, robust: Sequence[str]) -> Model:
    """A back-end with the statistics over robots of what the study asks for: of its goals, and by name."""
    wanted = {*definition.objectives, *definition.constraints, *map(base_metric, robust)}
    sampled = [metric for metric in model.metrics if metric.name in wanted]
    return replace(model, metrics=(*model.metrics, *robust_metrics(sampled)))


def without_derived(model: Model, definition: StudyDefinition) -> Model:
    """The back-end that evaluates the designs of a study."""
    own = tuple(m for m in model.metrics if m.name not in definition.expressions and not is_robust(m.name))
    return model if len(own) == len(model.metrics) else replace(model, metrics=own)


def _refuse_taken(model: Model, definition: StudyDefinition, link: Link) -> None:
    """Raise ``InputError`` for a name that means something else already, or an expression without a value."""
    taken = {metric.name: "a metric of the back-end" for metric in back_end(definition).metrics}
    taken |= dict.fromkeys(model.parameters.model_fields, "a parameter of the back-end")
    taken |= dict.fromkeys(RESERVED, "a function or number of the grammar")
    for layout in layouts_of(definition):
        taken |= dict.fromkeys(variables_of(definition, layout), "a variable")
    if link.path in taken:
        raise InputError(f"is the name of {taken[link.path]} already; choose another", link.place)
    require_value(link)


def unknown_statistic(model: Model, definition: StudyDefinition, name: str, place: Place) -> InputError:
    """Make the error for a statistic over robots that a study does not have."""
    if not definition.tolerances:
        text = (
            f"'{name}' is a statistic over the robots that production makes of a design, and no tolerance is "
            'stated; add [tolerances], as in "pulleys.0.2" = { normal = "2 mm" }'
        )
        return InputError(text, place, names=(name, "tolerances"))
    known = [metric.name for metric in without_derived(model, definition).metrics]
    nearest = get_close_matches(name, robust_names([*known, *definition.expressions]), n=1)
    hint = f"did you mean '{nearest[0]}'? " if nearest else ""
    text = (
        f"unknown statistic '{name}'; {hint}Known are robust.METRIC.mean, sd, q05, q50, q95 and worst, the "
        f"standard error of each, as in robust.METRIC.mean.error, and {PROBABILITY}"
    )
    return InputError(text, place, names=(name,))


def require_value(link: Link) -> None:
    """Raise ``InputError`` for an expression of numbers alone that has no finite value."""
    if not link.expression.names and link.expression.value(lambda _: None) is None:
        raise InputError(f"'{link.expression.text}' is not a finite number", link.place)


def _unit(model: Model, definition: StudyDefinition, link: Link, layout: str) -> str:
    tables = variables_of(definition, layout)
    metrics = {metric.name: metric for metric in model.metrics}

    def unit(name: str) -> str:
        if name in tables and is_free(model, name):
            return free_unit(model, tables[name])
        if name in metrics:
            return metrics[name].unit
        if name in definition.expressions:
            raise InputError(f"needs '{name}', which has a fault of its own", link.place, names=(name,))
        if is_robust(name):
            raise unknown_statistic(model, definition, name, link.place)
        return parameter_unit(
            model, name, [*metrics, *filter(lambda v: is_free(model, v), tables)], link.place
        )

    return unit_of_expression(link.expression, unit, link.place)


def parameter_unit(model: Model, name: str, others: Sequence[str], place: Place) -> str:
    """The unit of a number among the parameters; raises ``InputError`` where the name means none.

    ``others`` are the names that may stand for something else.
    """
    fields, present = model.parameters.model_fields, model.parameters.present_path(name)
    if present != name:
        raise InputError(f"'{name}' is called '{present}' now", place, names=(name,))
    if name.partition(".")[0] not in fields:
        raise UnknownNameError("name", name, [*others, *fields], place)
    unit = unit_at(model.parameters, name)
    if not isinstance(unit, str):
        raise InputError(f"needs '{name}', which is not a number", place, names=(name,))
    return unit


def _metric(model: Model, definition: StudyDefinition, derived: Derived, link: Link, unit: str) -> Metric:
    """A derived quantity as a metric of the study."""
    metrics = {metric.name for metric in model.metrics}
    used = tuple(name for name in derived.names_of(link.path) if name in metrics)
    classes = [model.cost_classes_of(model.metric(name)) for name in used]
    held = tuple(c for c in model.cost_classes if c != "all" and all(c in known for known in classes))
    return Metric(
        link.path,
        unit,
        f"{link.path} = {link.expression.text}",
        definition.objectives.get(link.path, "minimize"),
        cost_classes=held if used else (),
        absent=0.0,
        contains=used,
    )
