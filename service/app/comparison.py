"""The verbs that set studies against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from errors import InputError
from service.app.cache import kept
from service.app.review import Reviewing
from service.resources.comparison import ContestResource
from service.resources.studies import FigureResource
from studies.records import StudyRecord

if TYPE_CHECKING:
    from service.app.comparison_view import Show

T = TypeVar("T")

MOST_COMPARED = 6
"""Most studies in one comparison: the fronts of more could not be distinguished."""


class Comparing(Reviewing):
    """See :class:`~service.app.studies.Local`."""

    def compare_studies(self, names: Sequence[str]) -> ContestResource:
        """Studies, or the layouts of one, against each other."""
        from service.app.comparison_view import contest_resource

        studies = self._compared(names)
        return self._kept("contest", studies, lambda: contest_resource(self._show(studies)))

    def comparison_figure(self, names: Sequence[str], figure: str) -> FigureResource:
        """One of the comparison's figures; raises ``AbsentError``."""
        from service.app.comparison_view import drawn_figure

        studies = self._compared(names)
        return self._kept(
            f"contest figure {figure}", studies, lambda: drawn_figure(self._show(studies), figure)
        )

    def _show(self, studies: Sequence[StudyRecord]) -> Show:
        from dashboards.content.comparison_data import contest_of
        from service.app.comparison_view import show_of
        from studies.comparison import compare_studies

        comparison = self._kept("compared", studies, lambda: compare_studies(self._store, studies))
        return show_of(self._store, contest_of(self._store, comparison))

    def _kept(self, what: str, studies: Sequence[StudyRecord], compute: Callable[[], T]) -> T:
        """Kept as long as no run goes on, for these studies as they are: by name, time and state."""
        of = [(study.name, study.created, [run.state for run in study.runs]) for study in studies]
        runs = [run for study in studies for run in study.runs]
        return kept(self._store, f"{what} {of}", studies[0], runs, compute)

    def _compared(self, names: Sequence[str]) -> list[StudyRecord]:
        wanted = list(dict.fromkeys(names))
        if not wanted:
            raise InputError("is missing: name one study or more", ("of",))
        if len(wanted) > MOST_COMPARED:
            raise InputError(f"names {len(wanted)} studies; at most {MOST_COMPARED} can be compared", ("of",))
        return [self._sight.study(name) for name in wanted]
