"""Headers that tell a browser to be strict, and no changes through it from other sites."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errors import ForbiddenError

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Permissions of pages: only what this server itself sends, no script or style inside a page."""

_ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_A_YEAR = "max-age=31536000"

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityHeaders:
    """Adds what is always right; a route may set a policy of its own, and then keeps it.

    Nothing of the API, and no page with a session, is kept by a browser or a proxy.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", STRICT)
                headers.setdefault("Cache-Control", "no-store")
                if self._secure:
                    headers["Strict-Transport-Security"] = _A_YEAR
            await send(message)

        await self.app(scope, receive, strict)


class Origins:
    """Lets an unsafe request pass if it comes from this server's own pages, or from no browser at all.

    A browser says where a request comes from (``Sec-Fetch-Site``, ``Origin``). Whatever is said must be
    this server; a request with a cookie must say something.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``ForbiddenError``."""
        if scope["type"] == "http" and scope["method"] not in SAFE:
            _check(scope, Headers(scope=scope))
        await self.app(scope, receive, send)


def _check(scope: Scope, headers: Headers) -> None:
    sites, origins = headers.getlist("sec-fetch-site"), headers.getlist("origin")
    has_origin = bool(sites or origins)
    if any(site != "same-origin" for site in sites) or any(not _is_own(o, scope, headers) for o in origins):
        raise ForbiddenError("the request comes from a page of another site")
    if "cookie" in headers and not has_origin:
        raise ForbiddenError(
            "a request with a cookie must name the page that it comes from in an Origin header"
        )


def _is_own(origin: str, scope: Scope, headers: Headers) -> bool:
    try:
        stated = urlsplit(origin)
        own = urlsplit(f"{scope['scheme']}://{headers.get('host', '')}")
        return (stated.scheme, stated.hostname, _port(stated.scheme, stated.port)) == (
            own.scheme,
            own.hostname,
            _port(own.scheme, own.port),
        )
    except ValueError:  # no port
        return False


def _port(scheme: str, port: int | None) -> int | None:
    return {"http": 80, "https": 443}.get(scheme) if port is None else port
