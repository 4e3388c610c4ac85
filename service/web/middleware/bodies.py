"""Bodies that a request may send: their kinds and sizes; bytes are counted while they come."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errors import InputError, TooLargeError
from service.web.problems import problem_of
from service.web.responses import media_type
from studies.definition.study_file import MAX_FILE_BYTES

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


MOST = 1024 * 1024
MOST_OF_A_FORM = 8 * 1024
MOST_OF_A_TABLE = 16 * 1024 * 1024


class Bodies:
    """Refuses larger bodies with 413 before they are read whole: 1 MiB, files 256 KiB, tables 16 MiB."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``TooLargeError``, also while the body is read."""
        if scope["type"] == "http":
            most = most_of(scope["path"])
            _check_length(Headers(scope=scope).get("content-length"), most)
            counted = _Counted(scope, receive, send, most)
            receive, send = counted.receive, counted.send
        await self.app(scope, receive, send)


class _Counted:
    """One request, whose bytes are counted."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._most = most
        self._count = 0
        self._answered = False

    async def receive(self) -> Message:
        """The next part of the body; raises ``TooLargeError`` when it is one too many."""
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._count > self._most:
            raise _too_large(self._most)
        return message

    async def send(self, message: Message) -> None:
        """Pass the answer on; that of a route which took our exception for a broken body is replaced."""
        if self._count <= self._most or self._answered:
            self._answered = True
            await self._send(message)
        elif message["type"] == "http.response.start":
            answer = problem_of(Request(self._scope), _too_large(self._most))
            await answer(self._scope, self._receive, self._send)


def most_of(path: str) -> int:
    """Most bytes that may be sent to a path."""
    if path in {"/login", "/logout"}:
        return MOST_OF_A_FORM
    if path == "/api/v1/studies/import":
        return MOST_OF_A_TABLE
    return MAX_FILE_BYTES if path.startswith("/api/v1/studies") else MOST


def _check_length(stated: str | None, most: int) -> None:
    if stated is None:
        return
    if not (stated.isascii() and stated.isdecimal()):
        raise InputError("is not a number", ("Content-Length",))
    if len(stated) > len(str(most)) or int(stated) > most:
        raise _too_large(most)


def _too_large(most: int) -> TooLargeError:
    return TooLargeError(f"more than {most} bytes were sent; no more than that are allowed here")
