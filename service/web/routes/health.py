"""Whether the server lives, and whether it can do its work: for supervisors, who have no account."""

from __future__ import annotations

from anyio.to_thread import run_sync
from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request

from models.errors import NotReadyError
from service.readiness import Readiness

router = APIRouter(include_in_schema=False)


class HealthResource(BaseModel):
    """That all is well; what is not is told as a problem."""

    status: str


@router.get("/health")
async def health() -> HealthResource:
    """The web process lives; nothing else is asked."""
    return HealthResource(status="alive")


@router.get("/ready")
async def ready(request: Request) -> HealthResource:
    """The store answers and has the right schema, and the runner lives unless there shall be none.

    It has threads of its own, so that it is answered while every other one is busy.
    """
    readiness: Readiness = request.app.state.readiness
    problems = await run_sync(readiness.problems, limiter=request.app.state.ready_threads)
    if problems:
        raise NotReadyError("; ".join(problems))
    return HealthResource(status="ready")
