"""Studies as files: tables of their designs, or a report."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from service.app.exports import MOST_STUDIES
from service.operations import Export, ExportFormat
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.heavy_reads import HeavyRead, HeavyReads
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
async def export_study(
    services: Services,
    heavy: HeavyRead,
    name: StudyName,
    kind: Annotated[ExportFormat, Query(alias="format")] = "csv",
    front: Annotated[bool, Query(description="only designs on a front")] = False,
) -> Response:
    """All designs of the study, or those on its fronts, as a table for other programs."""
    file = f"{name}{'-front' if front else '-all'}.{kind}"
    work = partial(services.exports.table, name, kind, only_front=front)
    return await _download(heavy, work, file, _MEDIA[kind])


@router.get("/exports", response_class=Response, responses={**problems(404, 422), 200: _TABLES})
async def export_studies(
    services: Services,
    heavy: HeavyRead,
    study: Annotated[
        list[Annotated[str, Query(max_length=64)]],
        Query(min_length=1, max_length=MOST_STUDIES, description="a study; given several times for several"),
    ],
    kind: Annotated[ExportFormat, Query(alias="format")] = "csv",
    front: Annotated[bool, Query(description="only designs on a front")] = False,
) -> Response:
    """The designs of several studies, or those on their fronts: a zip file with a table of each."""
    work = partial(services.exports.tables, study, kind, only_front=front)
    return await _download(heavy, work, f"tautline-studies-{datetime.now(UTC).date()}.zip", "application/zip")


@router.get("/studies/{name}/report", response_class=Response, responses={**problems(404, 422), 200: _REPORT})
async def get_report(services: Services, heavy: HeavyRead, name: StudyName) -> Response:
    """A self-contained report to save and open as a file: its scripts do not run on this server."""
    headers = _attached(f"{name}.html")
    text = await heavy.report(partial(services.exports.report, name))
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


async def _download(heavy: HeavyReads, work: Callable[[], Export], file: str, media: str) -> Response:
    """Answer with a file as it is read; an error before its first piece is answered as one."""

    def begin() -> tuple[Export, bytes]:
        found = work()
        return found, next(found.pieces)

    found, first = await heavy.begin(begin)
    headers = {**_attached(file), "Tautline-Designs": str(found.designs)}
    return StreamingResponse(heavy.pieces(found.pieces, first), media_type=media, headers=headers)


def _attached(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
