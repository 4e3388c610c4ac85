"""An id for every request, and one line about it in the log."""

from __future__ import annotations

import secrets
import time

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import logger

HEADER = "X-Request-Id"


class RequestIds:
    """Gives each request an id that the answer, its problem and all log lines about it carry.

    Ids are made here; one that a client sends is ignored.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        began, status = time.monotonic(), 0

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, told)
            finally:
                # The path alone: a query may hold the token of a login link.
                seconds = round(time.monotonic() - began, 4)
                logger().info(
                    "request", method=scope["method"], path=scope["path"], status=status, seconds=seconds
                )
