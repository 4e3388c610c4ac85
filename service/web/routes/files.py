"""Answers that are no records: study files, designs for other programs, arrays, tables, reports, sheets."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response, StreamingResponse

from service.app.exports import MOST_STUDIES
from service.resources.decisions import sheet_file
from service.resources.files import Export, ExportFormat
from service.resources.models import SettingsRequest
from service.resources.parameters import (
    DecisionNumber,
    DesignKey,
    LayoutName,
    ModelName,
    SeedNumber,
    StudyName,
)
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.heavy_reads import HeavyRead, HeavyReads
from service.web.middleware.compression import is_named
from service.web.problems import problems
from service.web.responses import ARRAY, DESIGN_FILE, FileKind, array_response, design_file_response
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format
from studies.execution.evaluation_key import short_key

router = APIRouter(route_class=StrictRoute)
_STUDY = "/studies/{name}"
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The study file", "content": {"application/toml": {"schema": {"type": "string"}}}}
}


@router.get(
    f"{_STUDY}/file",
    response_class=Response,
    responses={**problems(404, 422), **_FILE},
)
def show_file(services: Services, name: StudyName) -> Response:
    """The study as a file that anybody can run."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(services.studies.file(name), media_type="application/toml", headers=headers)


# ---------------------------------------------------------------- designs

_OF_STUDY = f"{_STUDY}/designs/{{key}}"
_ANSWERS: dict[int | str, dict[str, Any]] = {**problems(404, 422, 503), 200: DESIGN_FILE}


@router.post(
    "/models/{model}/export",
    response_class=Response,
    responses={**problems(404, 413, 415, 422, 503), 200: DESIGN_FILE},
)
def export_robot(
    services: Services, model: ModelName, wanted: SettingsRequest, kind: FileKind = "json"
) -> Response:
    """One design as a file for other programs, within limits of time and memory; nothing is stored.

    JSON has the numbers of a robot: its parameters, and ends, length and stiffness of each cable.
    """
    name = f"{re.sub('[^A-Za-z0-9-]', '', model)[:64]}-design"
    return design_file_response(services.models.export(model, wanted, kind), kind, name)


@router.get("/designs/{key}/export", response_class=Response, responses=_ANSWERS)
def export_found_design(services: Services, key: DesignKey, kind: FileKind = "json") -> Response:
    """A stored design as a file for other programs: CAD, simulators, viewers."""
    return _file(services.designs.export(key, kind), key, kind)


@router.get(f"{_OF_STUDY}/export", response_class=Response, responses=_ANSWERS)
def export_design(services: Services, name: StudyName, key: DesignKey, kind: FileKind = "json") -> Response:
    """The design as a file for other programs: CAD, simulators, viewers."""
    return _file(services.designs.export(key, kind, name), key, kind)


def _file(found: DesignFile, key: str, kind: Format) -> Response:
    return design_file_response(found, kind, f"design-{short_key(re.sub('[^0-9a-f]', '', key))}")


@router.get(
    f"{_OF_STUDY}/scene/{{shape}}",
    response_class=Response,
    responses={**problems(404, 422, 503), 200: ARRAY},
)
def get_shape(
    services: Services,
    name: StudyName,
    key: DesignKey,
    shape: Annotated[int, Path(ge=0, lt=2**31, description="`shape` of the scene")],
    part: Annotated[
        Literal["points", "triangles", "values", "moments"],
        Query(description="what of a surface, of points, or of a line that moves"),
    ] = "points",
) -> Response:
    """The points of a shape in m, the triangles of a surface as places in its points, or values of points.

    Of a line that moves also the points at all moments, one moment after the other.
    """
    table = services.designs.shape(key, name, shape, part)
    return array_response(
        (len(table.values), len(table.columns)), table.columns, table.units, [table.values.tobytes()]
    )


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
