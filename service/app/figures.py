"""The figures of a study, by name, as Plotly draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dashboards.figures import front_figures, history_figure, hypervolume_histories, parallel_figure
from errors import AbsentError, UnknownNameError
from models import load
from service.resources.studies import FigureResource, FigureSummary
from studies.comparison import Comparison
from studies.records import StudyRecord
from studies.store import Store

Drawn = tuple[str, str, Callable[[], dict[str, Any]]]
"""Name, title, and what makes the figure."""


def figure_names(store: Store, study: StudyRecord, comparison: Comparison) -> list[FigureSummary]:
    """The figures that there are now: none of a front before a design is on it."""
    found = _figures(store, study, comparison)
    return [FigureSummary(figure=name, title=title) for name, title, _ in found]


def draw(store: Store, study: StudyRecord, comparison: Comparison, figure: str) -> FigureResource:
    """One of them; raises ``AbsentError``."""
    known: list[str] = []
    for name, _, made in _figures(store, study, comparison):
        known.append(name)
        if name == figure:
            drawn = made()
            return FigureResource(data=drawn["data"], layout=drawn["layout"])
    raise AbsentError(UnknownNameError("figure", figure, known).message)


def _figures(store: Store, study: StudyRecord, comparison: Comparison) -> Iterator[Drawn]:
    model = load(study.definition["model"])
    if any(comparison.fronts.values()):
        for number, item in enumerate(front_figures(comparison, model), 1):
            yield f"front-{number}", item.title, lambda item=item: item.figure
        lines = parallel_figure(comparison, model)
        if lines is not None:
            yield "parallel", "Variables and objectives", lambda: lines
    yield (
        "history",
        "Hypervolume over evaluations",
        lambda: history_figure(hypervolume_histories(store, comparison)),
    )
