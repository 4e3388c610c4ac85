"""The application: middleware and routes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache

from anyio import CapacityLimiter
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from errors import TautlineError
from service.access.authenticator import Authenticator
from service.access.secret import server_key, server_key_or_passing
from service.access.sessions import Sessions
from service.app.exports import RenderReport
from service.settings import Settings
from service.verbs import VERBS
from service.web.dependencies import set_up
from service.web.identity import Identities
from service.web.middleware.bodies import Bodies, Media
from service.web.middleware.browser_security import Hosts, Origins, SecurityHeaders
from service.web.middleware.compression import Compression, Conditions
from service.web.middleware.rate_limits import Logins, OpenRequests
from service.web.middleware.request_log import ErrorResponses, RequestIds
from service.web.page_responses import error_response
from service.web.problems import describe
from service.web.routes import events, files, health, pages, session, studies
from service.web.routes.health import Readiness
from service.web.verb_routes import add_routes
from studies.store import Store

BY_HAND = (session.api, studies.router, files.router, events.router)
"""Routers of the API whose routes are written by hand."""

OUTSIDE = (session.router, pages.router, health.router)
"""Routers that are not part of the API: logging in, pages, health."""


def api() -> APIRouter:
    """The routes under ``/api/v1``, in the order of the table of verbs."""
    router = APIRouter()
    add_routes(router, VERBS, [route for each in BY_HAND for route in each.routes])
    return router


@cache
def _routes() -> list[BaseRoute]:
    """All routes; FastAPI prepares each at its first request, once for all applications of a process."""
    routes = APIRouter(generate_unique_id_function=lambda route: route.name)
    routes.include_router(api(), prefix="/api/v1")
    for router in OUTSIDE:
        routes.include_router(router)
    return routes.routes


def create_app(
    settings: Settings,
    store: Store,
    *,
    runner_lives: Callable[[], bool] | None = None,
    render_large: RenderReport | None = None,
) -> FastAPI:
    """The application on a store, whose schema must be up to date.

    ``app.state`` holds ``settings``, ``store``, ``sessions``, ``authenticator``, ``readiness`` and
    ``stopping``, an event that is set when streams shall end, and what
    :func:`service.web.dependencies.set_up` adds.

    Parameters
    ----------
    settings : Settings
        The server's settings.
    store : Store
        Used by all requests; the caller closes it.
    runner_lives : callable () -> bool, optional
        Whether the server's runner is running; None when the server has none.
    render_large : RenderReport, optional
        Renders reports on many designs; if not given, this process does.
    """
    # Without accounts, nobody else makes tokens that the server must know.
    read_key = server_key if settings.accounts else server_key_or_passing
    authenticator = Authenticator(store, read_key(settings.secret_file), accounts=settings.accounts)
    secure = settings.https_cert is not None or bool(settings.behind_proxy)
    app = FastAPI(
        title="Tautline",
        version="1",
        description="Design optimisation and experiment management for cable-driven and continuum robots.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
        routes=_routes(),
        middleware=_middleware(settings, authenticator, secure=secure),
        exception_handlers=dict.fromkeys((TautlineError, RequestValidationError, HTTPException), _answer),
    )
    app.state.settings = settings
    app.state.store = store
    app.state.authenticator = authenticator
    app.state.sessions = Sessions(store, authenticator, settings)
    app.state.secure = secure
    app.state.readiness = Readiness(store, runner_lives)
    app.state.stopping = threading.Event()
    app.state.render_large = render_large
    app.state.ready_threads = CapacityLimiter(2)
    app.state.login_places = session.LoginPlaces()
    set_up(app, settings)
    app.openapi = describe(app)  # pyrefly: ignore[method-assign] - as FastAPI has it
    return app


def _middleware(settings: Settings, authenticator: Authenticator, *, secure: bool) -> list[Middleware]:
    """Layers that a request passes, outermost first; nothing reads a body before its sender is known."""
    return [
        Middleware(RequestIds),
        Middleware(SecurityHeaders, secure=secure),
        Middleware(Compression),
        Middleware(Conditions),
        Middleware(ErrorResponses),
        Middleware(OpenRequests, settings=settings),
        Middleware(Hosts, settings=settings),
        Middleware(Bodies),
        Middleware(Origins),
        Middleware(Identities, authenticator=authenticator, secure=secure),
        Middleware(Logins, settings=settings),
        Middleware(Media),
    ]


async def _answer(request: Request, error: Exception) -> Response:
    return error_response(request, error)
