"""The operations of routes about accounts and tokens, with the rights of the caller."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from service.access.identity import Identity
from service.local.access import LocalAccess
from service.web.identity import Admin, Caller, OwnPerson


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
