"""The designs of a stored study by name: variables, linked parameters, metrics and derived quantities."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from errors import InputError, TautlineError
from models import Model
from models.fields import unit_at
from studies.deferred import Deferred
from studies.definition.derived_quantities import Derived, undefined_text, variables_of, with_absent
from studies.definition.link_tables import LinkTables
from studies.definition.links import value_at_steps
from studies.definition.stored_model import definition_of, free_unit, is_free
from studies.definition.study_definition import StudyDefinition
from studies.problem.layout import Layout, stated_layouts
from studies.records import EvaluationState, FrontDesign, StudyRecord
from studies.search.indicators import FloatArray


class DesignValues(NamedTuple):
    """Values of a design, in SI; derived quantities are among the metrics.

    Variables and linked parameters are looked up when somebody asks for one. Metrics that are goals have the
    values by which the design was judged. A variable that does not act is None.
    """

    variables: Mapping[str, Any]
    linked: Mapping[str, Any]
    metrics: Mapping[str, float | None]


def unit_of_variable(model: Model, design: FrontDesign, path: str) -> str | list[str] | None:
    """The unit of what a design on a front varies."""
    return design.free_units[path] if path in design.free_units else unit_at(model.parameters, path)


def meaning_of_path(model: Model, path: str) -> str:
    """The description of the parameter to which a path leads; empty for a name of a study's own."""
    field = model.parameters.model_fields.get(path.partition(".")[0])
    return (field.description or "") if field else ""


class DesignReader:
    """Reads the designs of one layout of a study from what is stored of them.

    A variable that is a parameter stands among the parameters. Any other is read from the point of the
    unit cube that the search chose; that takes the back-end. Without it such a variable is None.
    """

    def __init__(self, study: StudyRecord, layout: str) -> None:
        definition = definition_of(study)
        self.paths = list(variables_of(definition, layout))
        """Names and dotted paths of what the layout varies, in the order of the study file."""
        goals = (*definition.objectives, *definition.constraints)
        self.conditional = any(table.when for table in variables_of(definition, layout).values())
        """True if there are variables that do not always act."""
        self._goals = [name for name in definition.expressions if name in goals]
        self._derived = Derived.of(definition)
        stated = _stated(definition, layout) if _needs_model(definition, layout) else None
        self._space = None if stated is None else stated.space
        self._absent: Mapping[str, float] = {} if stated is None else stated.absent
        self.linked = [] if self._space is None else list(self._space.links.paths)
        """Dotted paths of the parameters that follow from variables."""
        self.free = frozenset[str]() if self._space is None else self._space.links.free
        """Variables that are no parameters themselves."""
        model = None if stated is None else stated.model
        self.free_units = {
            path: unit_of_path(model, definition, layout, path) for path in self.free if model is not None
        }
        """The unit of each of them."""

    def read(
        self, parameters: Mapping[str, Any], metrics: Mapping[str, float | None], point: FloatArray
    ) -> DesignValues:
        """The values of a design that is stored with these, at a point ``(d,)`` of the unit cube."""
        named = Deferred(partial(self._named, parameters, point))
        variables, linked = (Deferred(partial(named.__getitem__, each)) for each in ("variables", "linked"))
        if not (self._derived.expressions and metrics):
            return DesignValues(variables, linked, metrics)
        derived = self._derived.values(metrics, parameters, variables)
        judged = self._derived.values(with_absent(metrics, self._absent), parameters, variables)
        goals = {name: judged[name] for name in self._goals if name in judged}
        return DesignValues(variables, linked, {**metrics, **derived, **goals})

    def _named(self, parameters: Mapping[str, Any], point: FloatArray) -> dict[str, dict[str, Any]]:
        """Both parts at once: afterwards nobody holds all parameters, which are far more."""
        free = self._free_values(point)
        acting = {path: free[path] if path in free else value_at(parameters, path) for path in self.paths}
        linked = {path: _number(value_at(parameters, path)) for path in self.linked}
        return {"variables": acting | dict.fromkeys(self.idle(point)), "linked": linked}

    def undefined(self, state: EvaluationState, metrics: Mapping[str, float | None]) -> str:
        """Reason for the failure in this study of a design that has all metrics; empty for any other."""
        if state != "failed" or not metrics:
            return ""
        return undefined_text(next((name for name in self._goals if metrics.get(name) is None), ""))

    def idle(self, point: FloatArray) -> list[str]:
        """The variables that do not act at a point ``(d,)``; unknown without the back-end."""
        known = self._space is not None and len(self._space) == len(point)
        return self._space.idle(np.asarray(point)) if known and self._space is not None else []

    def _free_values(self, point: FloatArray) -> dict[str, Any]:
        if self._space is None or not self.free:
            return {}
        if len(self._space) != len(point):  # the installed back-end has no name for some of them
            return dict.fromkeys(self.free)
        values = self._space.named_values(np.asarray(point))
        return {path: values[path] for path in self.free}


def unit_of_path(model: Model, definition: StudyDefinition, layout: str, path: str) -> str:
    """The unit of a variable or parameter; ``""`` for names, switches, and lists of several units."""
    tables = variables_of(definition, layout)
    if path in tables and is_free(model, path):
        with suppress(InputError):
            return free_unit(model, tables[path])
    unit = unit_at(model.parameters, path)
    return unit if isinstance(unit, str) else ""


def values_of_condition(definition: StudyDefinition, layout: str, path: str) -> dict[str, list[Any]]:
    """The values of other variables, in SI, at which a variable acts; none of one that always does."""
    if not variables_of(definition, layout)[path].when:
        return {}
    stated = _stated(definition, layout)
    return {} if stated is None else stated.space.condition_of(path)


def _needs_model(definition: StudyDefinition, layout: str) -> bool:
    """True if parameters follow from variables, or goals are derived, or variables do not always act."""
    tables = LinkTables.of(definition, layout)
    conditional = any(table.when for table in tables.variables.values())
    return bool(definition.expressions) or conditional or tables.link_count > 0


def _stated(definition: StudyDefinition, layout: str) -> Layout | None:
    """A layout as its definition says it; None where the back-end is not installed."""
    try:
        return stated_layouts(definition)[layout]
    except (TautlineError, KeyError):
        return None


def _number(value: Any) -> float | None:
    """A linked parameter; None for one that is no number, of a design that is none."""
    return value if isinstance(value, int | float) else None


def value_at(tree: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path in stored parameters; None where nothing stands there."""
    return value_at_steps(tree, path.split("."))
