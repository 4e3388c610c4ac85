"""Variables and goals of a study, in SI, from its definition and its back-end's tables.

Read, not checked again: that takes the search libraries, and a review of an old study needs no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from errors import FaultList, InputError
from models import Model
from models.fields import unit_at
from models.parameter_names import factor_words, parameter_words
from models.parameters import to_si
from service.app.models import metric_resource
from service.resources.review import (
    ConstraintResource,
    LayoutVariables,
    ObjectiveResource,
    QuantitiesResource,
    VariableResource,
)
from studies.definition.derived_quantities import study_model, variables_of
from studies.definition.link_tables import LinkTables, fixed_settings, links_of
from studies.definition.study_definition import StudyDefinition, VariableTable
from studies.problem.problem import stored_definition
from studies.records import StudyRecord
from studies.results.design_values import meaning_of_path, unit_of_path


def quantities_resource(study: StudyRecord) -> QuantitiesResource:
    """Variables of each layout, objectives, constraints and metrics; all layouts share the last three."""
    definition = stored_definition(study)
    model = study_model(definition)
    layouts = list(dict.fromkeys(run.layout for run in study.runs))
    return QuantitiesResource(
        study=study.name,
        model=model.name,
        layouts=[
            LayoutVariables(layout=layout, variables=_variables(model, definition, layout))
            for layout in layouts
        ],
        objectives=[
            ObjectiveResource(metric=name, sense=s, counts_as=_counts_as(model, definition, name, layouts))
            for name, s in definition.objectives.items()
        ],
        constraints=[
            ConstraintResource(
                metric=name,
                lower=_bound(bound.lower, model.metric(name).unit),
                upper=_bound(bound.upper, model.metric(name).unit),
            )
            for name, bound in definition.constraints.items()
        ],
        metrics=[metric_resource(model, metric) for metric in model.metrics],
        labels={path: factor_words(model.parameters, path) for path in _named(model, definition, layouts)},
    )


def _named(model: Model, definition: StudyDefinition, layouts: Sequence[str]) -> dict[str, None]:
    """The paths of what layouts vary, of what follows from that, and of what has a tolerance."""
    found: dict[str, None] = {}
    for layout in layouts:
        found |= dict.fromkeys(variables_of(definition, layout))
        links = links_of(model, definition, LinkTables.of(definition, layout), FaultList())
        found |= dict.fromkeys(link.path for link in links.links)
    found |= dict.fromkeys(definition.tolerances.independent)
    return found | dict.fromkeys(", ".join(each.parameters) for each in definition.tolerances.correlated)


def _counts_as(
    model: Model, definition: StudyDefinition, name: str, layouts: Sequence[str]
) -> dict[str, float]:
    """Value of a design without the metric, by layout (:func:`studies.definition.objectives.objectives`)."""
    absent = model.metric(name).absent
    if not isinstance(absent, str):
        return dict.fromkeys(layouts, 0.0 if absent is None else absent)
    found: dict[str, float] = {}
    for layout in layouts:
        tables = LinkTables.of(definition, layout)
        try:
            found[layout] = float(getattr(model.resolve(tables.preset, fixed_settings(tables)), absent))
        except InputError:  # the back-end no longer takes these settings; the review shows what is stored
            continue
    return found


def _variables(model: Model, definition: StudyDefinition, layout: str) -> list[VariableResource]:
    return [
        _variable(
            path,
            parameter_words(model.parameters, path),
            table,
            unit_at(model.parameters, path) or unit_of_path(model, definition, layout, path) or None,
            meaning_of_path(model, path),
        )
        for path, table in variables_of(definition, layout).items()
    ]


def _variable(
    path: str, label: str, table: VariableTable, unit: str | list[str] | None, meaning: str
) -> VariableResource:
    shown = unit if isinstance(unit, str) else "1"
    if table.options is not None:
        options = [_si(option, unit) for option in table.options]
        return VariableResource(path=path, label=label, unit=shown, options=options, meaning=meaning)
    return VariableResource(
        path=path,
        label=label,
        unit=shown,
        lower=_bound(table.lower, shown),
        upper=_bound(table.upper, shown),
        meaning=meaning,
    )


def _bound(value: Any, unit: str) -> float | None:
    return None if value is None else float(to_si(value, unit, ()))


def _si(value: Any, unit: str | list[str] | None) -> Any:
    return value if unit is None else to_si(value, unit, ())
