"""A study as a file: a table of its designs, or a report."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from service.operations import ExportFormat
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}", tags=["results"], route_class=StrictRoute)

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
_REPORT: dict[str, Any] = {
    "description": "The report",
    "content": {"text/html": {"schema": {"type": "string"}}},
}


@router.get("/export", response_class=Response, responses={**problems(404, 422), 200: _TABLE})
def export_study(
    services: Services,
    name: StudyName,
    kind: Annotated[ExportFormat, Query(alias="format")] = "csv",
    front: Annotated[bool, Query(description="only designs on a front")] = False,
) -> Response:
    """All designs of the study, or those on its fronts, as a table for other programs."""
    found = services.exports.table(name, kind, only_front=front)
    headers = {
        **_attached(f"{name}{'-front' if front else '-all'}.{kind}"),
        "Tautline-Designs": str(found.designs),
    }
    return Response(found.content, media_type=_MEDIA[kind], headers=headers)


@router.get("/report", response_class=Response, responses={**problems(404, 422), 200: _REPORT})
def get_report(services: Services, name: StudyName) -> Response:
    """A self-contained report to save and open as a file: its scripts do not run on this server."""
    headers = _attached(f"{name}.html")
    return Response(services.exports.report(name), media_type="text/html; charset=utf-8", headers=headers)


def _attached(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
