"""Tolerances of a layout, checked; robots drawn from its designs, and the questions of a study to them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from errors import FaultList, InputError, Place, UnknownNameError
from models import Model
from models.fields import field_at, is_numerical, unit_at
from models.parameters import Parameters, difference_to_si, to_si
from studies.definition.derived_quantities import Derived, variables_of
from studies.definition.links import value_at_steps
from studies.definition.objectives import Constraint
from studies.definition.robust_metrics import base_metric, is_robust
from studies.definition.study_definition import StudyDefinition, VariableTable
from studies.definition.tolerance_sampling import Correlated, Limit, Tolerance, Uncertainty, is_number
from studies.definition.tolerance_tables import CorrelatedTable, TolerancesTable, ToleranceTable

MOST_NUMBERS = 1000
GREATEST_WIDTH = 1e100
"""Greatest width in SI: a robot a few times as far off still has finite numbers."""
PLACE = "tolerances"


class ToleranceCheck:
    """Turns the tables of a layout into tolerances of single numbers.

    Parameters
    ----------
    model : Model
    record : Parameters
        A design of the layout, not necessarily a valid one: lists are as long as in the others.
    variables : mapping of str to VariableTable
        What the layout varies.
    place : Place
        Where the tables stand.
    """

    def __init__(
        self,
        model: Model,
        record: Parameters,
        variables: Mapping[str, VariableTable],
        place: Place = (PLACE,),
    ) -> None:
        self._model, self._record, self._variables, self._place = model, record, variables, place
        self._seen: set[str] = set()

    def run(
        self, tables: TolerancesTable, faults: FaultList
    ) -> tuple[tuple[Tolerance, ...], tuple[Correlated, ...]]:
        """The tolerances; what is faulty in the tables is left out, and goes to ``faults``."""
        single: list[Tolerance] = []
        groups: list[Correlated] = []
        for path, table in tables.independent.items():
            with faults.collect():
                single += self._single(path, table, (*self._place, path))
        for number, table in enumerate(tables.correlated):
            with faults.collect():
                groups.append(self._correlated(table, (*self._place, "correlated", number)))
        if len(self._seen) > MOST_NUMBERS:
            text = f"give {len(self._seen)} numbers a tolerance; at most {MOST_NUMBERS} are allowed"
            faults.add(InputError(text, self._place))
        return tuple(single), tuple(groups)

    def _single(self, path: str, table: ToleranceTable, place: Place) -> Iterator[Tolerance]:
        numbers = self._numbers(path, place)
        given = table.normal if table.normal is not None else table.uniform
        key = "normal" if table.normal is not None else "uniform"
        for one in numbers:
            width, relative = self._width(given, one, (*place, key))
            if not width:
                raise InputError("is 0, which is no tolerance; leave the line out", (*place, key))
            cut = None
            if table.truncate is not None:
                cut, share = self._width(table.truncate, one, (*place, "truncate"))
                if share != relative:
                    text = f"is a share of the value, but {key} is not" if share else f"{key} is a share"
                    raise InputError(f"{text}; give both in the same way", (*place, "truncate"))
                if not cut:
                    raise InputError("is 0, which leaves no tolerance; give a distance", (*place, "truncate"))
            yield Tolerance(one, key, width, cut, relative)

    def _correlated(self, table: CorrelatedTable, place: Place) -> Correlated:
        paths: list[str] = []
        for number, path in enumerate(table.parameters):
            inner = (*place, "parameters", number)
            found = self._numbers(path, inner)
            if found != [path]:
                raise InputError(f"'{path}' has {len(found)} numbers; name each of them", inner)
            paths.append(path)
        if table.covariance is not None:
            key, covariance = "covariance", self._matrix(table.covariance, paths, (*place, "covariance"))
        else:
            key, covariance = "correlation", self._from_correlation(table, paths, place)
        _require_positive(covariance, (*place, key))
        return Correlated(tuple(paths), tuple(map(tuple, covariance.tolist())))

    def _from_correlation(self, table: CorrelatedTable, paths: Sequence[str], place: Place) -> Any:
        count = len(paths)
        given = table.normal if isinstance(table.normal, list) else [table.normal] * count
        if len(given) != count:
            text = f"has {len(given)} standard deviations for {count} parameters; give one, or one for each"
            raise InputError(text, (*place, "normal"))
        widths: list[float] = []
        for path, one in zip(paths, given, strict=True):
            width, relative = self._width(one, path, (*place, "normal"))
            if relative or not width:
                raise InputError('must be a distance above 0, as in "2 mm"', (*place, "normal"))
            widths.append(width)
        if isinstance(table.correlation, list):
            matrix = self._matrix(table.correlation, paths, (*place, "correlation"))
        else:
            matrix = np.full((count, count), float(table.correlation or 0))
            np.fill_diagonal(matrix, 1.0)
        if not (np.allclose(np.diag(matrix), 1.0) and (np.abs(matrix) <= 1).all()):
            text = "is no correlation: coefficients lie between -1 and 1, with 1 on the diagonal"
            raise InputError(text, (*place, "correlation"))
        return matrix * np.outer(widths, widths)

    def _matrix(self, rows: Sequence[Sequence[float]], paths: Sequence[str], place: Place) -> Any:
        count = len(paths)
        if len(rows) != count or any(len(row) != count for row in rows):
            raise InputError(f"needs {count} rows of {count} numbers, one for each parameter", place)
        matrix = np.array(rows, dtype=float)
        if not np.array_equal(matrix, matrix.T):
            raise InputError("is not symmetric: number j of row i and number i of row j must be equal", place)
        return matrix

    def _width(self, given: Any, path: str, place: Place) -> tuple[float, bool]:
        """A width in SI, or as a share of the value; raises ``InputError`` for a negative one."""
        text = given.strip() if isinstance(given, str) else ""
        if text.endswith("%"):
            width = 0.01 * float(to_si(text.removesuffix("%").strip() or "?", "1", place))
        else:
            width = float(difference_to_si(given, self._unit(path), place))
        if width < 0:
            raise InputError(f"{given} is negative; a tolerance is a distance, which is above 0", place)
        if width > GREATEST_WIDTH:
            raise InputError(
                f"{given} is too great for a tolerance; give less than {GREATEST_WIDTH:g}", place
            )
        return width, text.endswith("%")

    def _unit(self, path: str) -> str:
        unit = unit_at(self._model.parameters, path)
        return unit if isinstance(unit, str) else "1"

    def _numbers(self, path: str, place: Place) -> list[str]:
        """The paths of all numbers at a path; raises ``InputError`` where there is none, or an option."""
        path = self._model.parameters.present_path(path)
        head = path.partition(".")[0]
        fields = self._model.parameters.model_fields
        if head not in fields:
            raise UnknownNameError("parameter", head, fields, place)
        if is_numerical(field_at(self._model.parameters, path)):
            raise InputError(
                "is a setting of the computation, not a property of the robot; it has no tolerance", place
            )
        self._refuse_options(path, place)
        found = list(_leaves(self._value(path), path))
        if not found:
            raise InputError(
                "is not set, or has no such item; a tolerance needs a number: set it under parameters", place
            )
        for one, value in found:
            if not is_number(value) or unit_at(self._model.parameters, one) is None:
                raise InputError(f"'{one}' is an option, not a number, so it has no tolerance", place)
            if self._is_whole(one):
                raise InputError(f"'{one}' is a whole number, so it has no tolerance", place)
            if one in self._seen:
                raise InputError(f"'{one}' has two tolerances; keep one", place)
        self._seen.update(one for one, _ in found)
        return [one for one, _ in found]

    def _is_whole(self, path: str) -> bool:
        """True if the record takes whole numbers only."""
        kinds = _kinds(field_at(self._model.parameters, path).annotation)
        return int in kinds and float not in kinds

    def _value(self, path: str) -> Any:
        head, *steps = path.split(".")
        value = getattr(self._record, head, None)
        if value is None and head in self._model.implied:
            with suppress(Exception):  # the design may be none that works
                value = self._model.implied[head](self._record)
        return value_at_steps(value, steps)

    def _refuse_options(self, path: str, place: Place) -> None:
        for varied, table in self._variables.items():
            overlaps = varied == path or varied.startswith(f"{path}.") or path.startswith(f"{varied}.")
            if overlaps and (table.options is not None or table.type == "integer"):
                what = "options" if table.options is not None else "whole numbers"
                raise InputError(
                    f"'{varied}' is a variable of {what}, which has no tolerance; only real numbers have",
                    place,
                )


def _kinds(annotation: Any) -> set[Any]:
    """The types that an annotation names."""
    return {annotation, *(kind for inner in get_args(annotation) for kind in _kinds(inner))}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}.{number}")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}")
    elif hasattr(type(value), "model_fields"):
        for name in type(value).model_fields:
            yield from _leaves(getattr(value, name), f"{path}.{name}")
    elif value is not None:
        yield path, value


def _require_positive(covariance: Any, place: Place) -> None:
    """Raise ``InputError`` for a matrix that is no covariance: a variance of some sum would be negative."""
    if np.abs(covariance).max() > GREATEST_WIDTH:
        raise InputError(f"is too great for a covariance; give numbers up to {GREATEST_WIDTH:g}", place)
    least, greatest = np.linalg.eigvalsh(covariance)[[0, -1]]
    if not (np.diag(covariance) > 0).all():
        raise InputError("has a variance on its diagonal that is not above 0", place)
    if least < -1e-9 * greatest:
        raise InputError(
            f"is not positive: its least eigenvalue is {least:.3g}, so that some sum of these errors would "
            "have a negative variance; check signs, and that no coefficient is too large for the others",
            place,
        )


@dataclass(frozen=True, slots=True)
class Goals:
    """Goals of a layout: its constraints, and values that stand for missing metrics.

    ``record`` is a design of the layout, ``free`` are variables that are no parameters.
    """

    record: Parameters
    constraints: Sequence[Constraint]
    absent: Mapping[str, float]
    free: frozenset[str]


def sampled_metrics(model: Model) -> list[str]:
    """The quantities of which a study's back-end lists statistics."""
    names = (base_metric(metric.name) for metric in model.metrics)
    return list(dict.fromkeys(name for name in names if name is not None))


def stated_uncertainty(
    definition: StudyDefinition, model: Model, layout: str, record: Parameters, faults: FaultList
) -> Uncertainty | None:
    """The tolerances that a study states, for designs like ``record``; None where it states none.

    Nothing is asked of the samples yet: see :func:`with_questions`.
    """
    if not definition.tolerances:
        return None
    check = ToleranceCheck(model, record, variables_of(definition, layout))
    single, groups = check.run(definition.tolerances, faults)
    robust = definition.robust
    return Uncertainty(single, groups, robust.samples, robust.method, robust.seed)


def searched_uncertainty(
    definition: StudyDefinition,
    model: Model,
    layout: str,
    goals: Goals,
    faults: FaultList,
) -> tuple[Uncertainty | None, tuple[str, ...]]:
    """Uncertainty with which a search evaluates each design, None without robots; needed free variables.

    ``model`` is the study's, whose table has the statistics. Tolerances are checked in any case.
    """
    plan = stated_uncertainty(definition, model, layout, goals.record, faults)
    if plan is None or not any(is_robust(metric.name) for metric in model.metrics):
        return None, ()
    plan = with_questions(plan, definition, model, sampled_metrics(model), goals)
    return plan, tuple(free_names(plan, definition, goals.free))


def with_questions(
    plan: Uncertainty,
    definition: StudyDefinition,
    model: Model,
    metrics: Sequence[str],
    goals: Goals,
) -> Uncertainty:
    """A plan that asks for the statistics of ``metrics``, and whether robots meet the constraints."""
    derived = Derived.of(definition)
    own = [limit for limit in goals.constraints if not is_statistic(derived, limit.metric)]
    texts = {link.path: link.expression.text for link in derived.expressions}
    wanted = {*metrics, *(limit.metric for limit in own)}
    needed = wanted | {name for each in wanted for name in _needs(derived, each)}
    named = {name: texts[name] for name in texts if name in needed}
    senses = {metric.name: metric.sense for metric in model.metrics if metric.name in named}
    return replace(
        plan,
        metrics=tuple(metrics),
        limits=tuple(_limit(limit) for limit in own),
        expressions=named,
        absent={name: value for name, value in goals.absent.items() if named},
        senses=senses,
    )


def is_statistic(derived: Derived, name: str) -> bool:
    """True if a goal is of all robots together, so that no single robot can meet it."""
    return is_robust(name) or any(map(is_robust, derived.names_of(name)))


def _needs(derived: Derived, name: str) -> set[str]:
    """The derived quantities that a derived quantity needs, directly or not."""
    names = {link.path: link.expression.names for link in derived.expressions}
    found: set[str] = set()
    left = [name]
    while left:
        new = [one for one in names.get(left.pop(), ()) if one in names and one not in found]
        found.update(new)
        left += new
    return found


def _limit(constraint: Constraint) -> Limit:
    lower, upper = constraint.lower, constraint.upper
    return Limit(
        constraint.metric,
        lower if math.isfinite(lower) else None,
        upper if math.isfinite(upper) else None,
        constraint.absent,
    )


def free_names(plan: Uncertainty, definition: StudyDefinition, free: frozenset[str]) -> list[str]:
    """The variables that are no parameters and that the expressions of a plan need."""
    derived = Derived.of(definition)
    wanted = {name for link in derived.expressions if link.path in plan.expressions
              for name in link.expression.names}  # fmt: skip
    return sorted(wanted & free)
