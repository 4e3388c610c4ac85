"""What kind of body the API takes: JSON, and TOML; a form of another site can send neither."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from service.web.media_type import media_type

TAKEN = frozenset({"application/json", "application/toml"})
_UNSUPPORTED = 415


class Media:
    """Refuses bodies of any other kind, or of an unknown kind, with 415."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``HTTPException``."""
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            headers = Headers(scope=scope)
            sends = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
            if sends and media_type(headers) not in TAKEN:
                raise HTTPException(_UNSUPPORTED)
        await self.app(scope, receive, send)
