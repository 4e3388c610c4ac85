"""Probes of the server: it runs, it can work; for supervisors, which have no account."""

from __future__ import annotations

from anyio.to_thread import run_sync
from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request

from errors import NotReadyError
from service.readiness import Readiness

router = APIRouter(include_in_schema=False)


class HealthResource(BaseModel):
    """Everything works; anything else is a problem."""

    status: str


@router.get("/health")
async def health() -> HealthResource:
    """The web process is running; nothing else is checked."""
    return HealthResource(status="alive")


@router.get("/ready")
async def ready(request: Request) -> HealthResource:
    """The store answers and has the right schema, and the server's runner, if it has one, is running.

    It has threads of its own, so it answers also while all others are busy.
    """
    readiness: Readiness = request.app.state.readiness
    problems = await run_sync(readiness.problems, limiter=request.app.state.ready_threads)
    if problems:
        raise NotReadyError("; ".join(problems))
    return HealthResource(status="ready")
