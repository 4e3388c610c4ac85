"""What goes wrong before or outside the routes becomes a problem; what nobody foresaw is logged."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import logger
from service.web.pages import told

_SERVER_FAULT = 500


class Faults:
    """Turns every exception into a problem or a page; details that neither shows go to the log."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            began = began or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except Exception as error:
            answer = told(Request(scope), error)
            if answer.status_code >= _SERVER_FAULT:
                logger().error("request failed", path=scope["path"], exc_info=error)
            if began:
                raise
            await answer(scope, receive, send)
