"""The operations of a route on the store, with the rights of the caller."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI
from starlette.requests import Request

from service.local.aside import Aside
from service.local.limits import Allowance
from service.local.reevaluations import Reevaluations
from service.local.studies import Local
from service.settings import Settings
from service.web.identity import Caller
from service.web.tide import Tide
from studies.execution.base import Limits

_MIB = 1024**2


def set_up(app: FastAPI, settings: Settings) -> None:
    """Give the application what routes work with: ``allowance``, ``work``, ``reevaluations``, ``tide``.

    Whoever ends the server closes ``reevaluations``, and ``work``, which has processes of its own.
    """
    app.state.allowance = Allowance(
        running_studies=settings.max_running_studies if settings.accounts else None,
        designs=settings.max_designs,
        streams=settings.max_streams,
        computations=1,
        scenes=4,
    )
    most = Limits(timeout=settings.compute_seconds, memory=settings.compute_memory * _MIB)
    app.state.work = Aside(most, settings.compute_children)
    app.state.reevaluations = Reevaluations(app.state.store)
    app.state.tide = Tide(app.state.store)


def desk(request: Request, identity: Caller) -> Local:
    """The verbs, for the caller."""
    state = request.app.state
    return Local(state.store, identity, state.allowance, state.work, state.reevaluations)


async def _desk(request: Request, identity: Caller) -> Local:
    """See :func:`desk`; as a coroutine it costs no thread."""
    return desk(request, identity)


Desk = Annotated[Local, Depends(_desk)]
