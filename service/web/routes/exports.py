"""Studies as files: tables of their designs, or a report."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from service.app.exports import MOST_STUDIES
from service.operations import Export, ExportFormat
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(tags=["results"], route_class=StrictRoute)

_MEDIA: dict[ExportFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_TABLE: dict[str, Any] = {
    "description": "The table, with units in its headers",
    "content": {
        **{_MEDIA[kind].partition(";")[0]: _BINARY for kind in ("csv", "parquet")},
        _MEDIA["json"]: {"schema": {"type": "array", "items": {"type": "object"}}},
    },
    "headers": {"Tautline-Designs": {"description": "how many rows", "schema": {"type": "integer"}}},
}
_TABLES: dict[str, Any] = {
    "description": "A zip file with a table of each study",
    "content": {"application/zip": _BINARY},
    "headers": _TABLE["headers"],
}
_REPORT: dict[str, Any] = {
    "description": "The report",
    "content": {"text/html": {"schema": {"type": "string"}}},
}


@router.get("/studies/{name}/export", response_class=Response, responses={**problems(404, 422), 200: _TABLE})
def export_study(
    services: Services,
    name: StudyName,
    kind: Annotated[ExportFormat, Query(alias="format")] = "csv",
    front: Annotated[bool, Query(description="only designs on a front")] = False,
) -> Response:
    """All designs of the study, or those on its fronts, as a table for other programs."""
    from studies.export import table_file  # with pandas, for which no start of a server waits

    found = services.exports.table(name, kind, only_front=front)
    return _download(found, table_file(name, kind, only_front=front), _MEDIA[kind])


@router.get("/exports", response_class=Response, responses={**problems(404, 422), 200: _TABLES})
def export_studies(
    services: Services,
    study: Annotated[
        list[Annotated[str, Query(max_length=64)]],
        Query(min_length=1, max_length=MOST_STUDIES, description="a study; given several times for several"),
    ],
    kind: Annotated[ExportFormat, Query(alias="format")] = "csv",
    front: Annotated[bool, Query(description="only designs on a front")] = False,
) -> Response:
    """The designs of several studies, or those on their fronts: a zip file with a table of each."""
    found = services.exports.tables(study, kind, only_front=front)
    return _download(found, f"tautline-studies-{datetime.now(UTC).date()}.zip", "application/zip")


@router.get("/studies/{name}/report", response_class=Response, responses={**problems(404, 422), 200: _REPORT})
def get_report(services: Services, name: StudyName) -> Response:
    """A self-contained report to save and open as a file: its scripts do not run on this server."""
    headers = _attached(f"{name}.html")
    return Response(services.exports.report(name), media_type="text/html; charset=utf-8", headers=headers)


def _download(found: Export, file: str, media: str) -> Response:
    headers = {**_attached(file), "Tautline-Designs": str(found.designs)}
    return Response(found.content, media_type=media, headers=headers)


def _attached(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
