"""Studies as files: tables of their designs, or a report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from errors import InputError
from service.app.context import Context
from service.operations import Export, ExportFormat

MOST_STUDIES = 100
"""Studies whose tables are exported at once."""


class ExportService:
    """See :class:`service.operations.ExportOperations`."""

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._authorization = context.authorization
        self._account = context.identity.account

    def table(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        from studies.export import export_bytes

        return Export(
            *export_bytes(self._store, self._authorization.study(name), kind, only_front=only_front)
        )

    def tables(self, names: Sequence[str], kind: ExportFormat, *, only_front: bool = False) -> Export:
        """The same of several studies: a zip file with a table of each."""
        from studies.export import export_archive

        unique = list(dict.fromkeys(names))
        if not 1 <= len(unique) <= MOST_STUDIES:
            given = f"{len(unique)} studies are given"
            raise InputError(f"{given}; 1 to {MOST_STUDIES} can be exported at once", ("study",))
        found = [self._authorization.study(name) for name in unique]
        return Export(*export_archive(self._store, found, kind, only_front=only_front))

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        from dashboards.content.report_data import read_report_data
        from dashboards.report import render

        study = self._authorization.study(name)
        report_data = read_report_data(self._store, study.name, self._account)
        return render(report_data, datetime.now(UTC).timestamp())
