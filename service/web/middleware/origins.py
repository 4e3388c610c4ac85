"""Other sites may not change anything through somebody's browser: 403."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from models.errors import ForbiddenError
from service.web.middleware.rates import SAFE


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
    told = bool(sites or origins)
    if any(site != "same-origin" for site in sites) or any(not _is_own(o, scope, headers) for o in origins):
        raise ForbiddenError("the request comes from a page of another site")
    if "cookie" in headers and not told:
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
