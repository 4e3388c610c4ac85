"""The identity of the caller, for every route that is not public."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from models.errors import IdentityError
from service.access.gate import Gate
from service.access.identity import Identity
from service.web.cookies import cookie_name

_BEARER = "bearer "


def recognise(connection: HTTPConnection, gate: Gate, *, secure: bool) -> Identity:
    """The caller, by token or by session cookie; raises ``IdentityError``.

    A token takes precedence over a cookie; a wrong token is refused even with a valid cookie.
    """
    stated = connection.headers.getlist("authorization")
    if stated:
        if len(stated) > 1 or not stated[0].lower().startswith(_BEARER):
            raise IdentityError("send one token, as `Authorization: Bearer tl_...`")
        return gate.admit(stated[0][len(_BEARER) :].strip(), "token").identity
    cookie = connection.cookies.get(cookie_name(connection.scope, secure=secure))
    if cookie is None:
        raise IdentityError("log in, or send a token as `Authorization: Bearer ...`")
    return gate.admit(cookie, "session").identity


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
