"""The cookie of a session: for this server alone, out of reach of scripts and of other sites."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response


def cookie_name(scope: Any, *, secure: bool) -> str:
    """Its name; on loopback without TLS it holds the port, because cookies are shared between ports."""
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
