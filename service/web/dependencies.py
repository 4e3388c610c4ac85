"""Dependencies of routes: the services on the store, for the caller."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Query
from starlette.requests import Request

from service.access.identity import Identity
from service.app.cache import Cache
from service.app.context import Context
from service.app.request_limits import RequestLimits
from service.app.sandbox import Sandbox
from service.app.services import StoreServices
from service.settings import Settings
from service.web.event_stream import EventHub
from service.web.heavy_reads import HeavyReads
from service.web.identity import Admin, Caller, OwnPerson
from studies.records import Limits

_MIB = 1024**2


def set_up(app: FastAPI, settings: Settings) -> None:
    """Give the application what routes share: limits, sandbox, cache, event hub.

    Whoever ends the server closes ``sandbox``, which has processes of its own.
    """
    app.state.limits = RequestLimits(
        running_studies=settings.max_running_studies if settings.accounts else None,
        designs=settings.max_designs,
        streams=settings.max_streams,
        computations=1,
        scenes=4,
    )
    most = Limits(timeout=settings.compute_seconds, memory=settings.compute_memory * _MIB)
    app.state.sandbox = Sandbox(most, settings.compute_children)
    app.state.cache = Cache()
    app.state.event_hub = EventHub(app.state.store)
    app.state.heavy_reads = HeavyReads(settings.compute_children)


def context(request: Request, identity: Identity) -> Context:
    """The context of a caller's services."""
    state = request.app.state
    return Context(
        store=state.store,
        identity=identity,
        limits=state.limits,
        sandbox=state.sandbox,
        cache=state.cache,
    )


def services(request: Request, identity: Identity) -> StoreServices:
    """The services for a caller."""
    state = request.app.state
    return StoreServices(
        context(request, identity),
        render_large=state.render_large,
        authenticator=lambda: state.authenticator,
        has_accounts=lambda: state.settings.accounts,
    )


# Coroutines, because a plain function would cost a thread.


async def _for_caller(request: Request, identity: Caller) -> StoreServices:
    return services(request, identity)


async def _for_admin(request: Request, identity: Admin) -> StoreServices:
    return services(request, identity)


async def _for_person(request: Request, identity: OwnPerson) -> StoreServices:
    return services(request, identity)


Services = Annotated[StoreServices, Depends(_for_caller)]
AdminServices = Annotated[StoreServices, Depends(_for_admin)]
"""Services for admins alone: others are refused before what they sent is looked at."""
PersonServices = Annotated[StoreServices, Depends(_for_person)]
"""Services for people, and for tokens that may do all that people may; others are refused likewise."""


# ---------------------------------------------------------------- lists in parts

MOST = 1000
DEFAULT_LIMIT = 100
Limit = Annotated[
    int, Query(ge=1, description=f"most items of one part of the list; more than {MOST} counts as {MOST}")
]
Cursor = Annotated[str, Query(max_length=500, description="`next` of the previous part")]


def capped(limit: int) -> int:
    """Most items that a part of ``limit`` may have."""
    return min(limit, MOST)
