"""Events of runs, sent as they happen."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Header, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from errors import InputError
from service.app.events import EventFeed
from service.web.dependencies import context
from service.web.event_stream import MEDIA_TYPE, streamed
from service.web.identity import Caller, recognise
from service.web.problems import problems

router = APIRouter()

_STREAM: dict[str, Any] = {
    "description": "Events (`id`, and `data` with an EventResource as JSON), and a comment from time to time",
    "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
}
_MOST_DIGITS = 15


@router.get("/events", response_class=Response, responses={**problems(404, 422), 200: _STREAM})
async def stream_events(
    request: Request,
    identity: Caller,
    study: Annotated[str | None, Query(max_length=64, description="only its events")] = None,
    after: Annotated[
        int,
        Query(ge=-1, lt=10**_MOST_DIGITS, description="number of the last event you have; -1: only new ones"),
    ] = 0,
    last_event_id: Annotated[
        str, Header(max_length=64, description="takes precedence over `after`; browsers send it")
    ] = "",
) -> Response:
    """Events of runs after a given one, then new ones as they are stored; the stream does not end by itself.

    Read by `EventSource` in a browser, which reconnects by itself after a connection broke. Each event has a
    growing number. A comment follows all earlier events, and comes every 15 s without an event.
    """
    after_id = _number(last_event_id) if last_event_id else after
    if study is not None:
        await run_sync(context(request, identity).authorization.study, study)
    return streamed(request, partial(_open_feed, request), study, after_id)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise InputError("is not the number of an event", ("Last-Event-ID",))
    return int(text)


def _open_feed(request: Request) -> EventFeed:
    """The feed of the caller, with the access that the caller has now."""
    state = request.app.state
    identity = recognise(HTTPConnection(request.scope), state.authenticator, secure=state.secure)
    return EventFeed(context(request, identity))
