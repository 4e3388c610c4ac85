"""Default deny: every path but a short public list asks for somebody who is known."""

from __future__ import annotations

from functools import partial

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from errors import IdentityError
from service.access.authenticator import Authenticator
from service.web.identity import recognise

HEALTH = frozenset({"/health", "/ready"})
"""Nobody is recognised here: it must be answered also when the store, or every thread, is busy."""
PUBLIC = HEALTH | {"/", "/login"}
ASSETS = "/static/"
"""Scripts and styles of the pages, the same for everybody."""


class Identities:
    """Recognises who asks, by token or by session cookie, and lets nobody else past.

    A path that does not exist is refused like one that does. A token goes before a cookie; a wrong
    token is refused even where a cookie would do.
    """

    def __init__(self, app: ASGIApp, authenticator: Authenticator, *, secure: bool) -> None:
        self.app = app
        self._authenticator = authenticator
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its identity; raises ``IdentityError``."""
        if scope["type"] == "http":
            identity = None
            try:
                if scope["path"] not in HEALTH and not _is_asset(scope):
                    identity = await run_sync(
                        partial(recognise, HTTPConnection(scope), self._authenticator, secure=self._secure)
                    )
            except IdentityError:
                if scope["path"] not in PUBLIC and not _is_asset(scope):
                    raise
            scope.setdefault("state", {})["identity"] = identity
        elif scope["type"] != "lifespan":
            return  # nothing else is spoken here
        await self.app(scope, receive, send)


def _is_asset(scope: Scope) -> bool:
    return scope["path"].startswith(ASSETS)
