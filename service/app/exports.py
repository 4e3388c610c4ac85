"""A study as a file: a table of its designs, or a report."""

from __future__ import annotations

from datetime import UTC, datetime

from service.app.context import Context
from service.operations import Export, ExportFormat


class ExportService:
    """See :class:`service.operations.ExportOperations`."""

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._authorization = context.authorization

    def table(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        from studies.export import export_bytes

        return Export(
            *export_bytes(self._store, self._authorization.study(name), kind, only_front=only_front)
        )

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        from dashboards.content.report_data import read_report_data
        from dashboards.report import render

        study = self._authorization.study(name)
        return render(read_report_data(self._store, study.name), datetime.now(UTC).timestamp())
