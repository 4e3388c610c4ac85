"""Logging in and out by a browser, and the identity of the caller."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any
from urllib.parse import parse_qs

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from errors import AbsentError, IdentityError, LimitError, StoreBusyError
from service.access.identity import Identity
from service.access.sessions import Sessions, browser_name
from service.access.tokens import public_id
from service.resources.access import ListResource, SessionResource, TokenResource
from service.web.documents import StrictRoute
from service.web.identity import Caller, OwnPerson, clear_session, cookie_name, set_session
from service.web.page_responses import error_response, html, login_page, next_page, wants_page
from service.web.problems import problems
from service.web.responses import media_type
from studies.records import TokenRecord
from studies.store.accounts import Tokens

api = APIRouter(route_class=StrictRoute)
router = APIRouter(include_in_schema=False)

_SEE_OTHER = 303
_UNAUTHORISED = 401
_FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 8
MOST_WAITING = 40
"""Most logins that wait to have a password checked; more are sent away at once.

Two are checked at a time, in about 0.2 s each: a longer queue would only let a right login wait longer.
"""
_LOGIN_SECONDS = 10.0


class LoginPlaces:
    """Checking a password takes time by design: whoever waits for it takes no thread of other requests.

    Used by the event loop's thread alone.
    """

    def __init__(self) -> None:
        self.checked = CapacityLimiter(2)
        self._inside = 0

    @contextmanager
    def place(self) -> Generator[None]:
        """A place among those who are checked or wait; raises ``LimitError`` when too many wait."""
        if self._inside >= MOST_WAITING + self.checked.total_tokens:
            raise LimitError("too many people log in at this moment; try again", _LOGIN_SECONDS)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1


@router.get("/login")
def open_link(
    request: Request,
    token: Annotated[str, Query(max_length=200)] = "",
    after: Annotated[str, Query(alias="next")] = "/",
) -> Response:
    """Open the session of a login link, which works once; without one, show where to log in."""
    if not token:
        return RedirectResponse(next_page(after), _SEE_OTHER)
    sessions: Sessions = request.app.state.sessions
    try:
        text = sessions.open_by_link(token, _browser(request))
    except IdentityError as error:
        if isinstance(getattr(request.state, "identity", None), Identity):
            return _logged_in_already(request, str(error))
        return login_page(request, str(error), _UNAUTHORISED, next_page(after))
    except StoreBusyError as error:
        return _link_is_still_good(request, error)
    return _logged_in(request, text, after)


def _link_is_still_good(request: Request, error: StoreBusyError) -> Response:
    """Answer to somebody whose link could not be marked as used, because another program locks the store."""
    answer = error_response(request, error)
    if not wants_page(request):
        return answer
    detail = (
        "Another program has locked the store. Your login link is still valid. "
        "Reload this page in a few seconds."
    )
    request_id = getattr(request.state, "request_id", "")
    page = html(
        request, "problem", answer.status_code, title="You are not logged in yet", detail=detail, absent="",
        request_id=request_id,
    )  # fmt: skip
    page.headers["Retry-After"] = answer.headers["Retry-After"]
    return page


def _logged_in_already(request: Request, fault: str) -> Response:
    """Page for somebody whose session goes on: the link does not matter any more."""
    detail = f"You are already logged in, so you do not need a login link. This one had no effect: {fault}."
    return html(request, "problem", title="You are logged in", detail=detail, absent="", request_id="")


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Open the session of an account by the form of the start page."""
    places: LoginPlaces = request.app.state.login_places
    body = await request.body() if media_type(request.headers) == _FORM else b""
    with places.place():
        return await run_sync(_log_in, request, _fields(body), limiter=places.checked)


def _log_in(request: Request, fields: dict[str, str]) -> Response:
    sessions: Sessions = request.app.state.sessions
    try:
        text = sessions.open_by_password(
            fields.get("account", ""), fields.get("password", ""), _browser(request)
        )
    except IdentityError as error:
        return login_page(request, str(error), _UNAUTHORISED, fields.get("next", "/"))
    return _logged_in(request, text, fields.get("next", "/"))


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


def _logged_in(request: Request, text: str, after: str) -> Response:
    answer = RedirectResponse(next_page(after), _SEE_OTHER)
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


# ---------------------------------------------------------------- sessions of an account


def _tokens(request: Request) -> Tokens:
    return request.app.state.store.tokens


@api.get("/sessions", responses=problems())
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


@api.delete("/sessions/{session_id}", status_code=204, responses=problems(404, 422))
def end_session(
    request: Request, identity: OwnPerson, session_id: Annotated[str, Path(max_length=64)]
) -> None:
    """Log a browser out of your account."""
    own = {record.id for record in _tokens(request).sessions(identity.account)}
    if session_id not in own:
        raise AbsentError(f"there is no session '{session_id}' of yours")
    _tokens(request).revoke(session_id, identity.account)
