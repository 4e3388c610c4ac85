"""The verbs of who watches: how far studies are, and what became of their designs."""

from __future__ import annotations

from dataclasses import replace

from service.app.cache import kept
from service.app.outcomes import verdicts
from service.app.overview import overviews
from service.app.progress import progress
from service.app.results import MOST_SEARCHED, Reading
from service.resources.progress import ProgressResource, StudyOverview, VerdictsResource
from studies.store.studies import Wanted


class Watching(Reading):
    """See :class:`~service.app.studies.Local`."""

    def overview(self, wanted: Wanted, limit: int) -> tuple[list[StudyOverview], tuple[float, str] | None]:
        """A part of the list of studies with how far each is, and what to give as ``after`` for the next."""
        search = wanted.search[:MOST_SEARCHED]
        found = self._sight.studies(replace(wanted, search=search, limit=limit + 1))
        last = found[limit - 1] if len(found) > limit else None
        return overviews(self._store, found[:limit]), (last.created, last.name) if last else None

    def progress(self, name: str) -> ProgressResource:
        """How far a study is, run by run."""
        return progress(self._store, self._settled(name))

    def verdicts(self, name: str) -> VerdictsResource:
        """What became of its designs, and why some are on no front."""
        study = self._sight.study(name)
        return kept(self._store, "verdicts", study, study.runs, lambda: verdicts(self._store, study))
