"""What a route works with: the verbs on the store, for whoever asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI
from starlette.requests import Request

from service.access.identity import Identity
from service.app.access import LocalAccess
from service.app.reevaluations import Reevaluations
from service.app.request_limits import Allowance
from service.app.sandbox import Sandbox
from service.app.studies import Local
from service.settings import Settings
from service.web.event_hub import EventHub
from service.web.identity import Admin, Caller, OwnPerson
from studies.execution.base import Limits


def _access(request: Request, identity: Identity) -> LocalAccess:
    state = request.app.state
    return LocalAccess(state.store, identity, lambda: state.gate, accounts=state.settings.accounts)


async def _for_caller(request: Request, identity: Caller) -> LocalAccess:
    return _access(request, identity)


async def _for_admin(request: Request, identity: Admin) -> LocalAccess:
    return _access(request, identity)


async def _for_person(request: Request, identity: OwnPerson) -> LocalAccess:
    return _access(request, identity)


CallerAccess = Annotated[LocalAccess, Depends(_for_caller)]
AdminAccess = Annotated[LocalAccess, Depends(_for_admin)]
"""For admins alone: others are refused before what they sent is looked at."""
PersonAccess = Annotated[LocalAccess, Depends(_for_person)]
"""For people, and for tokens that may do all that they may; others are refused like that, too."""


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
    app.state.work = Sandbox(most, settings.compute_children)
    app.state.reevaluations = Reevaluations(app.state.store)
    app.state.tide = EventHub(app.state.store)


def desk(request: Request, identity: Caller) -> Local:
    """The verbs, for the caller."""
    state = request.app.state
    return Local(state.store, identity, state.allowance, state.work, state.reevaluations)


async def _desk(request: Request, identity: Caller) -> Local:
    """See :func:`desk`; as a coroutine it costs no thread."""
    return desk(request, identity)


Desk = Annotated[Local, Depends(_desk)]
