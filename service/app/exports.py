"""Studies as files: tables of their designs, or a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from errors import InputError
from service.app.context import Context
from service.resources.files import Export, ExportFormat
from service.resources.parameters import StudyName

MOST_STUDIES = 100
"""Studies whose tables are exported at once."""
MOST_DESIGNS_HERE = 2000
"""A report on more designs is left to a process of its own, where there is one: its memory ends with it."""
RenderReport = Callable[[str, str], str]
"""Renders the report of a study for an account."""


class ExportService:
    """Studies as files.

    ``render_large`` renders reports on many designs; if not given, this process does.
    """

    def __init__(self, context: Context, render_large: RenderReport | None = None) -> None:
        self._store = context.store
        self._authorization = context.authorization
        self._account = context.identity.account
        self._render_large = render_large

    def table(self, name: StudyName, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        from studies.results.export import export_stream

        found = export_stream(self._store, self._authorization.study(name), kind, only_front=only_front)
        return Export(found.pieces, found.designs)

    def tables(self, names: Sequence[str], kind: ExportFormat, *, only_front: bool = False) -> Export:
        """The same of several studies, at most 100: a zip file with a table of each."""
        from studies.results.export import archive_stream

        unique = list(dict.fromkeys(names))
        if not 1 <= len(unique) <= MOST_STUDIES:
            given = f"{len(unique)} studies are given"
            raise InputError(f"{given}; 1 to {MOST_STUDIES} can be exported at once", ("study",))
        studies = [self._authorization.study(name) for name in unique]
        found = archive_stream(self._store, studies, kind, only_front=only_front)
        return Export(found.pieces, found.designs)

    def report(self, name: StudyName) -> str:
        """A self-contained HTML report."""
        study = self._authorization.study(name)
        designs = sum(self._store.trial_counts(study.runs).values())
        if self._render_large is not None and designs > MOST_DESIGNS_HERE:
            return self._render_large(study.name, self._account)
        from dashboards.report import report_text

        return report_text(self._store, study.name, self._account)
