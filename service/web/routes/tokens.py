"""Tokens and sessions: everybody makes, lists and revokes their own tokens; admins all tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from errors import AbsentError
from service.access.tokens import public_id
from service.resources.access import (
    ListResource,
    NewTokenResource,
    SessionResource,
    TokenRequest,
    TokenResource,
)
from service.web.dependencies import PersonServices
from service.web.documents import StrictRoute
from service.web.identity import OwnPerson, cookie_name
from service.web.problems import problems
from studies.records import TokenRecord
from studies.store.tokens import Tokens

router = APIRouter(tags=["access"], route_class=StrictRoute)
TokenId = Annotated[str, Path(max_length=64)]


def _tokens(request: Request) -> Tokens:
    return request.app.state.store.tokens


@router.get("/tokens", responses=problems(404, 422))
def list_tokens(
    services: PersonServices,
    account: Annotated[str | None, Query(max_length=64)] = None,
    everybody: Annotated[bool, Query(description="for admins: those of all accounts, and of none")] = False,
) -> ListResource[TokenResource]:
    """Your tokens, newest first; for admins also those of another account, or all."""
    return ListResource(items=services.tokens.list(account, everybody=everybody).items)


@router.post("/tokens", status_code=201, responses=problems(404, 409, 413, 415, 422))
def make_token(response: Response, services: PersonServices, wanted: TokenRequest) -> NewTokenResource:
    """Make a token, which is shown in this answer and never again. Only admins make tokens for others.

    A token that is made with a token ends with that token at the latest. There is none for an
    account that is disabled.
    """
    made = services.tokens.create(wanted)
    response.headers["Location"] = f"/api/v1/tokens/{made.id}"
    return made


@router.delete("/tokens/{token_id}", status_code=204, responses=problems(404, 422))
def revoke_token(services: PersonServices, token_id: TokenId) -> None:
    """Revoke a token: it is refused from now on."""
    services.tokens.revoke(token_id)


@router.get("/sessions", responses=problems())
def list_sessions(request: Request, identity: OwnPerson) -> ListResource[SessionResource]:
    """The browsers that are logged in to your account, newest first."""
    secure = request.app.state.secure
    current = public_id(request.cookies.get(cookie_name(request.scope, secure=secure), ""))
    found = _tokens(request).sessions(identity.account)
    return ListResource(items=[_session(record, current) for record in found])


def _session(record: TokenRecord, current: str | None) -> SessionResource:
    """A session as its owner sees it, whose browser has the session ``current``."""
    token = TokenResource.model_validate(record)
    return SessionResource(
        id=token.id, name=token.name, created=token.created, expires=token.expires,
        last_used=token.last_used, current=token.id == current,
    )  # fmt: skip


@router.delete("/sessions/{session_id}", status_code=204, responses=problems(404, 422))
def end_session(
    request: Request, identity: OwnPerson, session_id: Annotated[str, Path(max_length=64)]
) -> None:
    """Log a browser out of your account."""
    own = {record.id for record in _tokens(request).sessions(identity.account)}
    if session_id not in own:
        raise AbsentError(f"there is no session '{session_id}' of yours")
    _tokens(request).revoke(session_id, identity.account)
