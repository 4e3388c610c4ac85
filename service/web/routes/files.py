"""Answers read in pieces, made by processes or shown by browsers: arrays, tables, reports, sheets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from service.app.exports import MOST_STUDIES
from service.resources.decisions import sheet_file
from service.resources.files import Export, ExportFormat
from service.resources.parameters import (
    DecisionNumber,
    LayoutName,
    SeedNumber,
    StudyName,
)
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.heavy_reads import HeavyRead, HeavyReads
from service.web.middleware.compression import is_named
from service.web.problems import problems
from service.web.responses import ARRAY, array_response

router = APIRouter(route_class=StrictRoute)
_STUDY = "/studies/{name}"

# ---------------------------------------------------------------- the designs of a study

MOST_COLUMNS = 200
Columns = Annotated[
    list[Annotated[str, Query(max_length=200)]],
    Query(
        description="only these columns, one parameter each", max_length=MOST_COLUMNS, default_factory=list
    ),
]
MostRows = Annotated[
    int | None, Query(ge=1, lt=2**31, description="most rows: of more, every second, third and so on")
]
_LOGGED: dict[str, Any] = {
    **ARRAY,
    "headers": {
        **ARRAY["headers"],
        "Tautline-Asked": {"description": "how many designs there are", "schema": {"type": "integer"}},
        "ETag": {"description": "changes when the array does", "schema": {"type": "string"}},
    },
}
_UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "As `If-None-Match` names it"}}


@router.get(
    f"{_STUDY}/evaluations/array",
    response_class=Response,
    responses={**problems(404, 422), **_UNCHANGED, 200: _LOGGED},
)
async def get_evaluations_array(
    services: Services,
    heavy: HeavyRead,
    name: StudyName,
    column: Columns,
    layout: LayoutName = None,
    seed: SeedNumber = None,
    most: MostRows = None,
    if_none_match: Annotated[str, Header(max_length=1000, description="an ETag that you have")] = "",
) -> Response:
    """The same as one array of float32, row by row in the same order.

    Columns: `run` (place in the list of runs), `generation`, `ask_no`, `state` (0 done, 1 infeasible,
    2 failed), `violation`, variables, metrics. A variable that is not a number is given by its place among
    its options. What does not exist is NaN.
    """
    read = services.evaluations.array
    found = await heavy.begin(partial(read, name, layout=layout, seed=seed, columns=column, limit=most))
    if is_named(if_none_match, found.etag):
        return Response(status_code=304, headers={"ETag": found.etag})
    more = {"ETag": found.etag, "Tautline-Asked": str(found.designs)}
    return array_response(found.shape, found.columns, found.units, heavy.pieces(found.pieces()), **more)


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


@router.get(f"{_STUDY}/export", response_class=Response, responses={**problems(404, 422), 200: _TABLE})
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


@router.get(f"{_STUDY}/report", response_class=Response, responses={**problems(404, 422), 200: _REPORT})
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


# ---------------------------------------------------------------- decision sheets

Saved = Annotated[bool, Query(description="whether a browser saves the page as a file instead of showing it")]
_SHEET: dict[str, Any] = {
    "description": "The sheet, which loads nothing, runs no script and prints on one page",
    "content": {"text/html": {"schema": {"type": "string"}}},
}


@router.get(
    f"{_STUDY}/decisions/{{number}}/sheet",
    response_class=Response,
    responses={**problems(404, 422), 200: _SHEET},
)
def get_decision_sheet(
    services: Services, name: StudyName, number: DecisionNumber, download: Saved = False
) -> Response:
    """A printed page about a decision and the design that it chose, also after another one replaced it."""
    return _sheet(services.decisions.sheet(name, number=number), sheet_file(name, number), download=download)


@router.get(f"{_STUDY}/sheet", response_class=Response, responses={**problems(404, 409, 422), 200: _SHEET})
def get_sheet(
    services: Services,
    name: StudyName,
    key: Annotated[
        str, Query(max_length=64, description="key of a design, or its first characters; else the chosen one")
    ] = "",
    download: Saved = False,
) -> Response:
    """A printed page about the decision that stands, or about another design."""
    return _sheet(services.decisions.sheet(name, key), sheet_file(name, key=key), download=download)


def _sheet(content: str, file: str, *, download: bool) -> Response:
    """A sheet that a browser shows under its own policy, or saves."""
    from dashboards.decision_sheet import POLICY

    headers = {
        "Content-Disposition": f'{"attachment" if download else "inline"}; filename="{file}"',
        "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    }
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)
