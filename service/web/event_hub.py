"""New events, read from the store once for all streams."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

import anyio
from anyio.to_thread import run_sync

from service.app.events import POLL_SECONDS
from service.resources.studies import EventResource
from studies.store import Store
from studies.store.events import News

CACHE_SECONDS = 0.9
"""Time for which an event is cached, and with it the owner of its study."""
_AT_ONCE = 1000


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
            more = len(found) == _AT_ONCE
            if found:
                self._level = found[-1].news.event.id

    def _forget(self, now: float) -> None:
        while self._events and now - self._events[0].read > CACHE_SECONDS:
            self._since = self._events.popleft().news.event.id


def _read_news(store: Store, after: int, now: float) -> list[StreamedEvent]:
    return [
        StreamedEvent(news, event_text(EventResource.model_validate(news.event)), now)
        for news in store.news(after, _AT_ONCE)
    ]


def event_text(event: EventResource) -> str:
    """An event in the format of a stream."""
    return f"id: {event.id}\ndata: {event.model_dump_json()}\n\n"
