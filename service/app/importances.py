"""Importance of variables, from the stored evaluations of a study."""

from __future__ import annotations

from dashboards.figures.importance import importance_figure
from dashboards.figures.slice import slice_caption, slice_figure
from errors import InputError, UnknownNameError
from models.parameter_names import parameter_words
from models.parameters import Parameters
from service.app.context import Context
from service.resources.figures import FigureResource
from service.resources.parameters import LayoutName, LongName, MetricNames, OtherVariable, StudyName
from service.resources.results import (
    ImportanceResource,
    ImportancesResource,
    MetricImportancesResource,
    SliceResource,
)
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import StudyRecord
from studies.results.variable_importance import (
    LayoutImportances,
    MetricImportances,
    StoredDesigns,
    check_metric,
    sense_of,
    stored_designs,
    variable_importances,
)


class ImportanceService:
    """Importances of variables for metrics, from the stored evaluations of a study; nothing is evaluated."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def get(
        self, name: StudyName, layout: LayoutName = None, metrics: MetricNames = ()
    ) -> ImportancesResource:
        """Rank correlation and importance of a layout's variables, from the stored evaluations.

        Nothing is evaluated. ``layout`` may be left out where there is one only. ``POST .../sensitivity`` has
        the Sobol indices over the whole design space.
        """
        study = self._context.authorization.study(name)

        def compute() -> ImportancesResource:
            record = study_model(stored_definition(study)).parameters
            found = variable_importances(self._store, study.name, layout, metrics)
            return importances_resource(study.name, found, record)

        what = f"importances {layout} {tuple(metrics)}"
        return self._context.cached(what, study, study.runs, compute)

    def slice(
        self,
        name: StudyName,
        metric: LongName,
        variable: LongName,
        other: OtherVariable = None,
        layout: LayoutName = None,
    ) -> SliceResource:
        """A metric over one or two variables: the stored designs as points, with the medians of bins."""
        study = self._context.authorization.study(name)
        model = study_model(stored_definition(study))
        check_metric(model, metric, ("metric",))
        designs = self._designs(study, layout)
        _check_variables(designs, variable, other)
        figure = slice_figure(
            designs, model.parameters, metric, model.metric(metric).unit, sense_of(study, model, metric),
            variable, other,
        )  # fmt: skip
        return SliceResource(
            study=study.name,
            layout=designs.layout,
            metric=metric,
            variable=variable,
            other=other,
            figure=FigureResource(**figure),
            caption=slice_caption(designs, metric, other),
        )

    def _designs(self, study: StudyRecord, layout: str | None) -> StoredDesigns:
        def compute() -> StoredDesigns:
            return stored_designs(self._store, study, layout)

        return self._context.cached(f"stored designs {layout}", study, study.runs, compute)


def _check_variables(designs: StoredDesigns, variable: str, other: str | None) -> None:
    known = [one.path for one in designs.space.variables]
    for field, path in (("variable", variable), ("other", other)):
        if path is not None and path not in known:
            raise UnknownNameError("variable", path, known, (field,))
    if variable == other:
        raise InputError(f"is '{variable}' once more; name another variable, or none", ("other",))


def importances_resource(
    study: str, found: LayoutImportances, record: type[Parameters]
) -> ImportancesResource:
    """The importances of a layout, with a figure for each metric; ``record`` is that of the back-end."""
    return ImportancesResource(
        study=study,
        layout=found.layout,
        designs=found.designs,
        metrics=[_metric(one, record) for one in found.metrics],
    )


def _metric(found: MetricImportances, record: type[Parameters]) -> MetricImportancesResource:
    return MetricImportancesResource(
        metric=found.metric,
        unit=found.unit,
        better=found.sense,
        designs=found.designs,
        variables=[
            ImportanceResource(
                variable=one.variable,
                label=parameter_words(record, one.variable),
                correlation=one.correlation,
                importance=one.importance,
            )
            for one in found.variables
        ],
        remark=found.remark,
        figure=FigureResource(**importance_figure(found, record)),
    )
