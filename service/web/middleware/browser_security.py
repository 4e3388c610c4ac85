"""Headers that tell a browser to be strict; no changes from other sites, and no other names of the server."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errors import ForbiddenError
from service.settings import Settings

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_BAD_REQUEST = 400


class Hosts:
    """Refuses a request whose Host header is not a name of this server (DNS rebinding) with 400.

    Its names are this machine's own, the address that it listens on, the one that the connection came
    in by, and those that the settings allow.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        named = {_without_brackets(name) for name in (settings.host, *settings.allowed_hosts)}
        self._names = _HERE | {name.lower().rstrip(".") for name in named if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``HTTPException``."""
        if scope["type"] == "http":
            stated = Headers(scope=scope).getlist("host")
            name = host_name(stated[0]) if len(stated) == 1 else None
            if name is None or not (name in self._names or name == _arrived_at(scope)):
                raise HTTPException(
                    _BAD_REQUEST,
                    "this server is not known under the name in the Host "
                    "header; its administrator can add the name to --allowed-hosts",
                )
        await self.app(scope, receive, send)


def host_name(stated: str) -> str | None:
    """The name in a Host header, without port; None where it is none."""
    name, found, rest = stated.partition("]")
    if found:
        sound = name.startswith("[") and (not rest or rest.startswith(":"))
        return name[1:].lower() if sound and _is_number(rest[1:]) else None
    name, _, port = stated.partition(":")
    return name.lower().rstrip(".") or None if _is_number(port) else None


def _is_number(port: str) -> bool:
    return not port or (port.isascii() and port.isdecimal())


def _without_brackets(name: str) -> str:
    return name.removeprefix("[").removesuffix("]")


def _arrived_at(scope: Scope) -> str | None:
    """The address that a connection came in by, when it is a number: no name can be pointed at that."""
    server: Any = scope.get("server")
    try:
        return str(ipaddress.ip_address(server[0])) if server else None
    except ValueError:
        return None


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
