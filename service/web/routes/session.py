"""Logging in and out of the server by a browser, and who one is."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from models.errors import IdentityError
from service.access.browsers import browser_name
from service.access.resources import IdentityResource
from service.access.sessions import Sessions
from service.web.access import CallerAccess
from service.web.cookies import clear_session, cookie_name, set_session
from service.web.described import problems
from service.web.identity import Caller
from service.web.media_type import media_type
from service.web.pages import login_page

api = APIRouter(tags=["access"])
router = APIRouter(include_in_schema=False)

_SEE_OTHER = 303
_UNAUTHORISED = 401
_FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 8


@api.get("/me", responses=problems())
def who_am_i(access: CallerAccess) -> IdentityResource:
    """Who asks, and what they may do."""
    return access.me()


@router.get("/login")
def open_link(request: Request, token: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Open the session of a login link, which works once; without one, show where to log in."""
    if not token:
        return RedirectResponse("/", _SEE_OTHER)
    sessions: Sessions = request.app.state.sessions
    try:
        text = sessions.open_by_link(token, _browser(request))
    except IdentityError as error:
        return login_page(request, str(error), _UNAUTHORISED)
    return _logged_in(request, text)


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Open the session of an account by the form of the start page."""
    body = await request.body() if media_type(request.headers) == _FORM else b""
    return await run_sync(_log_in, request, _fields(body))


def _log_in(request: Request, fields: dict[str, str]) -> Response:
    sessions: Sessions = request.app.state.sessions
    try:
        text = sessions.open_by_password(
            fields.get("account", ""), fields.get("password", ""), _browser(request)
        )
    except IdentityError as error:
        return login_page(request, str(error), _UNAUTHORISED)
    return _logged_in(request, text)


@router.post("/logout")
def log_out(request: Request, identity: Caller) -> Response:
    """End the session of this browser."""
    del identity
    sessions: Sessions = request.app.state.sessions
    sessions.end(request.cookies.get(cookie_name(request.scope, secure=request.app.state.secure), ""))
    answer = RedirectResponse("/", _SEE_OTHER)
    clear_session(answer, request.scope, secure=request.app.state.secure)
    return answer


def _browser(request: Request) -> str:
    return browser_name(request.headers.get("user-agent", ""))


def _logged_in(request: Request, text: str) -> Response:
    answer = RedirectResponse("/", _SEE_OTHER)
    state: Any = request.app.state
    set_session(answer, request.scope, text, int(state.sessions.seconds), secure=state.secure)
    return answer


def _fields(body: bytes) -> dict[str, str]:
    """The fields of a form, each given once; nothing of a form that is none."""
    try:
        found = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in found.items() if len(values) == 1}
