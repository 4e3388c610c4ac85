"""Answers with results are compressed, and not sent again to a client that has them.

Only answers that hold results, and that were asked for by GET, are packed. Whoever can make somebody's
browser ask, and can see how long the answers are, could guess from their packed length a secret that stands
beside a text of his own (the attack BREACH): no answer of these paths holds a token, a password or a login
link, and pages, sessions, tokens and accounts are never packed. A stream of events is not held back to be
packed either.
"""

from __future__ import annotations

import hashlib
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

RESULTS = re.compile(
    r"/api/v1/(studies|studies/[^/]+/.+|comparison|comparison/.+|designs/.+|models|models/.+|examples|algorithms"
    r"|openapi\.json)"
)
"""Paths whose answers hold results. A study itself is not among them: its ETag is its revision."""
SMALLEST = 1024
_LEVEL = 4
_PACKED = ("application/vnd.apache.parquet",)
_JSON = "application/json"
_OK, _NOT_MODIFIED = 200, 304
_KEPT = frozenset({b"etag", b"vary", b"cache-control"})


def requests_results(scope: Scope) -> bool:
    """True if the answer to a request is one of those that are packed."""
    return scope["type"] == "http" and scope["method"] == "GET" and bool(RESULTS.fullmatch(scope["path"]))


class Compression:
    """Packs results by gzip for clients that take it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        excluded = (*DEFAULT_EXCLUDED_CONTENT_TYPES, *_PACKED)
        self._packing = GZipMiddleware(app, SMALLEST, _LEVEL, exclude_content_types=excluded)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await (self._packing if requests_results(scope) else self.app)(scope, receive, send)


class Conditions:
    """Gives results an ETag, and answers 304 to a client that names it in ``If-None-Match``."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if not requests_results(scope):
            await self.app(scope, receive, send)
            return
        if_none_match = Headers(scope=scope).get("if-none-match", "")
        start: Message | None = None

        async def send_with_etag(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_json(message):
                start = message  # until the body is known
                return
            if start is not None:
                held_start, start = start, None
                if not message.get("more_body", False):
                    etag = etag_of(message.get("body", b""))
                    MutableHeaders(scope=held_start)["ETag"] = etag
                    if is_named(if_none_match, etag):
                        held_start, message = _not_modified(held_start)
                await send(held_start)
            await send(message)

        await self.app(scope, receive, send_with_etag)


def etag_of(content: bytes) -> str:
    """A weak ETag: the answer may be packed or not."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_named(if_none_match: str, etag: str) -> bool:
    """True if the header ``If-None-Match`` names an ETag."""
    named = {text.strip().removeprefix("W/") for text in if_none_match.split(",")}
    return "*" in named or etag.removeprefix("W/") in named


def _is_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    plain = headers.get("content-type", "").startswith(_JSON)
    return start["status"] == _OK and plain and "etag" not in headers


def _not_modified(start: Message) -> tuple[Message, Message]:
    headers = [(name, value) for name, value in start["headers"] if name.lower() in _KEPT]
    return {**start, "status": _NOT_MODIFIED, "headers": headers}, {"type": "http.response.body", "body": b""}
