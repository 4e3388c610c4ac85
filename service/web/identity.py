"""The caller of every route that is not public; default deny; and the cookie of a session."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from errors import IdentityError
from service.access.authenticator import Authenticator
from service.access.identity import Identity


def cookie_name(scope: Any, *, secure: bool) -> str:
    """Name of the cookie; on loopback without TLS it holds the port, because ports share cookies."""
    if secure:
        return "__Host-tautline"
    return f"tautline-{(scope.get('server') or ('', 0))[1]}"


def set_session(response: Response, scope: Any, text: str, seconds: int, *, secure: bool) -> None:
    """Let the browser keep the session for this long."""
    response.set_cookie(
        cookie_name(scope, secure=secure), text, max_age=seconds, path="/", secure=secure, httponly=True,
        samesite="strict",
    )  # fmt: skip


def clear_session(response: Response, scope: Any, *, secure: bool) -> None:
    """Let the browser forget the session."""
    response.delete_cookie(
        cookie_name(scope, secure=secure), path="/", secure=secure, httponly=True, samesite="strict"
    )


_BEARER = "bearer "


def recognise(connection: HTTPConnection, authenticator: Authenticator, *, secure: bool) -> Identity:
    """The caller, by token or by session cookie; raises ``IdentityError``.

    A token takes precedence over a cookie; a wrong token is refused even with a valid cookie.
    """
    stated = connection.headers.getlist("authorization")
    if stated:
        if len(stated) > 1 or not stated[0].lower().startswith(_BEARER):
            raise IdentityError("send one token, as `Authorization: Bearer tl_...`")
        return authenticator.authenticate(stated[0][len(_BEARER) :].strip(), "token").identity
    cookie = connection.cookies.get(cookie_name(connection.scope, secure=secure))
    if cookie is None:
        raise IdentityError("log in, or send a token as `Authorization: Bearer ...`")
    return authenticator.authenticate(cookie, "session").identity


async def caller(request: HTTPConnection) -> Identity:
    """Whoever the identity middleware recognised; raises ``IdentityError`` where that was nobody.

    No dependency waits for anything: one that is no coroutine would be handed to a thread and back.
    """
    found = getattr(request.state, "identity", None)
    if not isinstance(found, Identity):
        raise IdentityError("log in, or send a token as `Authorization: Bearer ...`")
    return found


Caller = Annotated[Identity, Depends(caller)]


async def admin(identity: Caller) -> Identity:
    """An admin who asks as such; raises ``ForbiddenError`` for others."""
    identity.require_admin()
    return identity


Admin = Annotated[Identity, Depends(admin)]


async def own_person(identity: Caller) -> Identity:
    """Somebody in person, or by a token that may do all that they may; raises ``ForbiddenError``."""
    identity.require_person()
    return identity


OwnPerson = Annotated[Identity, Depends(own_person)]


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
