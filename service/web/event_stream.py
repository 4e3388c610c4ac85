"""Events as a stream (server-sent events): what happened, then what happens, fed from the store alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event

import anyio
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from errors import TautlineError
from service.app.events import POLL_SECONDS, EventFeed
from service.app.request_limits import RequestLimits
from service.resources.studies import EventResource
from studies.store import Store
from studies.store.events import News

CACHE_SECONDS = 0.9
"""Time for which an event is cached, and with it the owner of its study."""
_READ_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class StreamedEvent:
    """An event in the format of a stream, and the owner of its study."""

    news: News
    text: str
    read: float


class EventHub:
    """The newest events of a store, and the number of the last one; for any number of streams."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = anyio.Lock()
        self._refreshed = 0.0
        self._level = 0
        self._since = 0
        self._events: deque[StreamedEvent] = deque()

    async def level(self, *, oldest: float = POLL_SECONDS) -> int:
        """The number of the newest event, known for at most ``oldest`` seconds."""
        async with self._lock:
            if time.monotonic() - self._refreshed >= oldest:
                await self._refresh()
            return self._level

    def since(self, after: int) -> list[StreamedEvent] | None:
        """Events with a number above ``after``; None where some of them are no longer known."""
        self._forget(time.monotonic())
        if after < self._since:
            return None
        return [event for event in self._events if event.news.event.id > after]

    async def _refresh(self) -> None:
        now = time.monotonic()
        if now - self._refreshed > CACHE_SECONDS:  # nobody asked for long
            self._level = await run_sync(self._store.last_event)
            self._since = self._level
            self._events.clear()
        else:
            await self._read(now)
        self._forget(now)
        self._refreshed = now

    async def _read(self, now: float) -> None:
        """Read what is new, all of it."""
        more = True
        while more:
            found = await run_sync(_read_news, self._store, self._level, now)
            self._events += found
            more = len(found) == _READ_AT_ONCE
            if found:
                self._level = found[-1].news.event.id

    def _forget(self, now: float) -> None:
        while self._events and now - self._events[0].read > CACHE_SECONDS:
            self._since = self._events.popleft().news.event.id


def _read_news(store: Store, after: int, now: float) -> list[StreamedEvent]:
    return [
        StreamedEvent(news, event_text(EventResource.model_validate(news.event)), now)
        for news in store.news(after, _READ_AT_ONCE)
    ]


def event_text(event: EventResource) -> str:
    """An event in the format of a stream."""
    return f"id: {event.id}\ndata: {event.model_dump_json()}\n\n"


MEDIA_TYPE = "text/event-stream"
COMMENT_SECONDS = 15.0
CHECK_SECONDS = 0.9
"""Time between checks that the caller still has access and still sees the study."""
SEND_SECONDS = 30.0
"""A reader that takes nothing for this long is disconnected."""
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a stream's events.

    ``open_feed`` gives the feed of whoever opened the stream; it raises when they have lost access.
    """

    open_feed: Callable[[], EventFeed]
    event_hub: EventHub
    study: str | None
    after: int
    stopping: Event
    limits: RequestLimits
    account: str


class EventStream(Response):
    """Sends each event as soon as it is stored, and a comment when there was no event for long.

    A comment also says that all earlier events were sent. Ends when the server stops, the
    caller is no longer let in, or the study may no longer be seen.
    """

    media_type = MEDIA_TYPE

    def __init__(self, source: Source) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - of ASGI
        """Send until somebody ends it; raises ``LimitError`` when the account has enough streams."""
        with self._source.limits.stream(self._source.account):
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_until_disconnected, receive, tasks.cancel_scope)
                await _Sender(self._source, send).send_all()
                tasks.cancel_scope.cancel()
            with anyio.move_on_after(SEND_SECONDS, shield=False):
                await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_disconnected(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


class _Sender:
    """One stream at work."""

    def __init__(self, source: Source, send: Send) -> None:
        self._source = source
        self._send = send
        self._after = source.after
        self._level = 0
        self._written = -COMMENT_SECONDS
        self._checked = 0.0
        self._feed: EventFeed | None = None

    async def send_all(self) -> None:
        """Send events until the stream ends."""
        source = self._source
        level = await source.event_hub.level(oldest=0.0)
        if self._after < 0:
            self._after = level
        while not source.stopping.is_set() and await self._may_read():
            if level > self._level:
                taken = await self._send_new(level)
            elif time.monotonic() - self._written > COMMENT_SECONDS:
                taken = await self._write(": that is all so far\n\n")
                self._written = time.monotonic()
            else:
                taken = True
                await anyio.sleep(POLL_SECONDS)
            if not taken:
                return
            level = await source.event_hub.level()

    async def _may_read(self) -> bool:
        """True if the caller has access and sees the study; checked again from time to time."""
        if time.monotonic() - self._checked < CHECK_SECONDS:
            return True
        try:
            self._feed = await run_sync(self._open_feed)
        except TautlineError:
            return False
        self._checked = time.monotonic()
        return True

    def _open_feed(self) -> EventFeed:
        feed = self._source.open_feed()
        if self._source.study is not None:
            feed.require_study(self._source.study)
        return feed

    async def _send_new(self, level: int) -> bool:
        """Send some of what is new, up to all; whether the reader took it."""
        assert self._feed is not None  # noqa: S101 - admitted
        recent = self._source.event_hub.since(self._after)
        if recent is not None:
            # More may have come than the level which was looked at: it is sent now, and not again.
            self._level = max(level, recent[-1].news.event.id) if recent else level
            self._after = max(self._after, self._level)
            wanted = [event.text for event in recent if self._wants(self._feed, event.news)]
            return not wanted or await self._write("".join(wanted))
        found = await run_sync(partial(self._feed.since, self._after, _AT_ONCE, self._source.study))
        self._after = found.last
        if not found.more:
            self._level = level
        return not found.events or await self._write("".join(map(event_text, found.events)))

    def _wants(self, feed: EventFeed, news: News) -> bool:
        return self._source.study in (None, news.event.study) and feed.may_read(news)

    async def _write(self, text: str) -> bool:
        """Send; False when the reader does not take it."""
        with anyio.move_on_after(SEND_SECONDS):
            await self._send({"type": "http.response.body", "body": text.encode(), "more_body": True})
            return True
        return False


def streamed(
    request: Request, open_feed: Callable[[], EventFeed], study: str | None, after: int
) -> EventStream:
    """The stream of a request, of one study or of all that the caller sees, after an event's number."""
    state = request.app.state
    account = request.state.identity.account
    return EventStream(
        Source(open_feed, state.event_hub, study, after, state.stopping, state.limits, account)
    )
