"""The figures of a study, by name, as Plotly draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dashboards.figures import front_figures, history_figure, hypervolume_histories, parallel_figure
from errors import AbsentError, UnknownNameError
from service.app.comparisons import compared_layouts
from service.app.context import Context
from service.resources.figures import FigureResource, FigureSummary
from service.resources.models import Page
from service.resources.parameters import ShortName, StudyName
from studies.comparison.comparison import Comparison
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import StudyRecord
from studies.store import Store


class FigureService:
    """The figures of a study."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def list(self, name: StudyName) -> Page[FigureSummary]:
        """The figures that are available now."""
        study = self._context.authorization.study(name)
        found = _figures(self._context.store, study, compared_layouts(self._context, study))
        return Page(items=[FigureSummary(figure=figure, title=title) for figure, title, _ in found])

    def get(self, name: StudyName, figure: ShortName) -> FigureResource:
        """A figure as Plotly draws it."""
        study = self._context.authorization.study(name)
        return self._context.cached(f"figure {figure}", study, study.runs, lambda: self._draw(study, figure))

    def _draw(self, study: StudyRecord, figure: str) -> FigureResource:
        known: list[str] = []
        for name, _, make in _figures(self._context.store, study, compared_layouts(self._context, study)):
            if name == figure:
                return FigureResource.model_validate(make())
            known.append(name)
        raise AbsentError(UnknownNameError("figure", figure, known).message)


NamedFigure = tuple[str, str, Callable[[], dict[str, Any]]]
"""Name, title, and what makes the figure."""


def _figures(store: Store, study: StudyRecord, comparison: Comparison) -> Iterator[NamedFigure]:
    model = study_model(stored_definition(study))
    if any(comparison.fronts.values()):
        for number, item in enumerate(front_figures(comparison, model), 1):
            yield f"front-{number}", item.title, lambda item=item: item.figure
    yield (
        "history",
        "Hypervolume over evaluations",
        lambda: history_figure(hypervolume_histories(store, comparison)),
    )
    lines = parallel_figure(comparison, model)  # looks into the variables of all designs
    if lines is not None:
        yield "parallel", "Variables and objectives", lambda: lines
