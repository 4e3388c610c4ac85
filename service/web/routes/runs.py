"""Runs of a study: progress, generations, provenance, and everything that they asked for."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response

from service.resources.models import Page
from service.resources.results import AskedDesignResource
from service.resources.studies import GenerationResource, RunResource
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.heavy_reads import HeavyRead
from service.web.middleware.compression import is_named
from service.web.problems import problems
from service.web.responses import ARRAY, array_response
from service.web.routes.studies import StudyName

MOST_COLUMNS = 200
router = APIRouter(prefix="/studies/{name}", tags=["runs"], route_class=StrictRoute)

RunId = Annotated[int, Path(ge=0, lt=2**63, description="`id` of a run")]
LayoutName = Annotated[str | None, Query(max_length=64, description="only this layout")]
SeedNumber = Annotated[int | None, Query(ge=0, lt=2**32, description="only this seed")]
State = Annotated[
    Literal["done", "infeasible", "failed"] | None, Query(description="only designs that ended in this state")
]

Kind = Annotated[
    Literal["model_error", "non_finite", "timeout", "out_of_memory", "worker_lost", "cancelled"] | None,
    Query(description="only designs that failed in this way"),
]


@router.get("/runs", responses=problems(404, 422))
def list_runs(
    services: Services, name: StudyName, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Page[RunResource]:
    """The runs, in the order of layouts and seeds in the study file."""
    return services.runs.list(name, cursor=cursor, limit=capped(limit))


@router.get("/runs/{run_id}", responses=problems(404, 422))
def show_run(services: Services, name: StudyName, run_id: RunId) -> RunResource:
    """One run with its counts."""
    return services.runs.get(name, run_id)


@router.get("/runs/{run_id}/generations", responses=problems(404, 422))
def list_generations(
    services: Services, name: StudyName, run_id: RunId, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Page[GenerationResource]:
    """The run's indicators after each generation."""
    return services.runs.generations(name, run_id, cursor=cursor, limit=capped(limit))


@router.get("/runs/{run_id}/provenance", responses=problems(404, 422))
def show_provenance(services: Services, name: StudyName, run_id: RunId) -> Page[dict[str, Any]]:
    """What worked on the run: versions, commit, host; an item for each process that took it up."""
    return services.runs.provenance(name, run_id)


@router.get("/evaluations", responses=problems(404, 422))
def list_evaluations(
    services: Services,
    name: StudyName,
    layout: LayoutName = None,
    seed: SeedNumber = None,
    state: State = None,
    kind: Kind = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[AskedDesignResource]:
    """Every design that the runs asked for, in the order of runs and of asking."""
    return services.evaluations.list(
        name, layout=layout, seed=seed, state=state, kind=kind, cursor=cursor, limit=capped(limit)
    )


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
    "/evaluations/array",
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


@router.get("/runs/{run_id}/evaluations/{ask_no}", responses=problems(404, 422))
def show_asked(
    services: Services,
    name: StudyName,
    run_id: RunId,
    ask_no: Annotated[int, Path(ge=0, lt=2**31, description="`ask_no` of a design")],
) -> AskedDesignResource:
    """One design that a run asked for, with its key, which the array does not have."""
    return services.evaluations.get(name, run_id, ask_no)
