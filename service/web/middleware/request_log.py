"""An id and a log line for every request; an exception outside the routes becomes a problem."""

from __future__ import annotations

import secrets
import time

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import logger
from service.web.page_responses import error_response

_SERVER_FAULT = 500


class ErrorResponses:
    """Turns every exception into a problem or a page; the log gets the details that neither shows."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = False

        async def send_noting_start(message: Message) -> None:
            nonlocal began
            began = began or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noting_start)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except Exception as error:
            answer = error_response(Request(scope), error)
            if answer.status_code >= _SERVER_FAULT:
                logger().error("request failed", path=scope["path"], exc_info=error)
            if began:
                raise
            await answer(scope, receive, send)


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

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, send_with_id)
            finally:
                # The path alone: a query may hold the token of a login link.
                seconds = round(time.monotonic() - began, 4)
                logger().info(
                    "request", method=scope["method"], path=scope["path"], status=status, seconds=seconds
                )
