"""Responses that are pages, with the security policy of each; ``routes/pages.py`` has their paths."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dashboards.figures import PLOT_SETTINGS
from dashboards.pages import PLOT_PAGES, page
from dashboards.pages.rendering import PageName
from errors import IdentityError
from service.access.identity import Identity
from service.web.problems import problem_of

HOME = "/"
LONGEST = 2000
_PLAIN = re.compile(r"/(?![/\\])[^\x00-\x20\\\x7f-\uffff]*")
"""An absolute path: browsers drop tabs and line ends, and take a backslash for a slash."""
_ACTIONS = ("/login", "/logout", "/api/", "/static/")


def next_page(stated: str) -> str:
    """``stated`` when it is a page of this server, with its query and fragment; else the start page.

    Only a path is taken: no scheme, no host, nothing that a browser might read as one.
    """
    if len(stated) > LONGEST or _PLAIN.fullmatch(stated) is None:
        return HOME
    try:
        parts = urlsplit(stated)
    except ValueError:
        return HOME
    if parts.scheme or parts.netloc or parts.path.startswith(_ACTIONS):
        return HOME
    return stated


PLOT_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Permissions of pages that draw with plotly.js, which compiles code (docs/guide/security.md)."""


def html(request: Request, name: PageName, status: int = 200, **values: Any) -> HTMLResponse:
    """The page called ``name``, for the caller."""
    identity = getattr(request.state, "identity", None)
    who = identity.account if isinstance(identity, Identity) else None
    headers = {"Content-Security-Policy": PLOT_POLICY} if name in PLOT_PAGES else {}
    by_password = request.app.state.settings.accounts
    text = page(name, who=who, plot_settings=PLOT_SETTINGS, by_password=by_password, **values)
    return HTMLResponse(text, status, headers)


def login_page(request: Request, message: str = "", status: int = 200, after: str = "") -> HTMLResponse:
    """The login page, with the fault of the last try; ``after`` is where the login leads to.

    That is the page that was asked for, where none is given. What follows a # in its address is known to
    the browser alone, whose script adds it.
    """
    current = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    accounts = request.app.state.settings.accounts
    return html(
        request, "login", status, accounts=accounts, message=message, next_page=next_page(after or current)
    )


def error_response(request: Request, error: Exception) -> Response:
    """The answer to a request that ended with ``error``: a page to who asked for one, else a problem."""
    problem = problem_of(request, error)
    if request.method != "GET" or not wants_page(request):
        return problem
    if isinstance(error, IdentityError):
        return login_page(request, status=problem.status_code)
    body = json.loads(bytes(problem.body))
    absent = request.url.path if problem.status_code == HTTPStatus.NOT_FOUND else ""
    answer = html(
        request, "problem", problem.status_code, title=body["title"], detail=body.get("detail", ""),
        absent=absent, request_id=body["request_id"],
    )  # fmt: skip
    if "Retry-After" in problem.headers:
        answer.headers["Retry-After"] = problem.headers["Retry-After"]
    return answer


def wants_page(request: Request) -> bool:
    """True if a browser asks for something to look at."""
    path = request.url.path
    return not path.startswith(("/api/", "/static/")) and "text/html" in request.headers.get("accept", "")
