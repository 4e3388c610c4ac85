"""The caller of every route that is not public, and the cookie of a session."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

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
