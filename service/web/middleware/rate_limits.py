"""Limits of one address: open requests, and login attempts; 429 and when to come again."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from errors import LimitError
from service.connections import network_of
from service.settings import Settings

_MINUTE = 60.0
_OPEN_WAIT = 10.0
_MOST_BUCKETS = 10_000


class Rate:
    """Rate of requests a minute for each name; after a pause, a whole minute's worth at once.

    Every process of a server counts for itself. Names that have not asked for a minute are forgotten.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> float:
        """Take one request; 0 when it may pass, else the seconds after which it may."""
        with self._lock:
            now = self._clock()
            left, seen = self._buckets.get(name, (self._most, now))
            left = min(self._most, left + (now - seen) * self._most / _MINUTE)
            passes = left >= 1.0
            self._buckets[name] = (left - 1.0 if passes else left, now)
            if len(self._buckets) > _MOST_BUCKETS:
                self._forget(now)
            return 0.0 if passes else (1.0 - left) * _MINUTE / self._most

    def _forget(self, now: float) -> None:
        """Drop the full buckets; when there are none, the half that was seen longest ago."""
        recent = {name: item for name, item in self._buckets.items() if now - item[1] < _MINUTE}
        if len(recent) > _MOST_BUCKETS:
            newest = sorted(recent.items(), key=lambda pair: pair[1][1])[_MOST_BUCKETS // 2 :]
            recent = dict(newest)
        self._buckets = recent


class OpenRequests:
    """Limits the requests of one address that are open at once.

    Behind a proxy, all connections are the proxy's, and a stranger's slow requests would take all of them.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._most = settings.max_connections_per_address
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``LimitError``."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caller = address_prefix(scope)
        if self._open[caller] >= self._most:
            raise LimitError("too many requests from your address are open; wait for some to end", _OPEN_WAIT)
        self._open[caller] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]


class Logins:
    """Limits login attempts by address: by account, a stranger could lock somebody out."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._attempts = Rate(settings.logins_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``LimitError``."""
        if scope["type"] == "http" and is_login_attempt(scope):
            wait = self._attempts.take(address_prefix(scope))
            if wait > 0.0:
                raise LimitError("too many login attempts; wait before the next one", wait)
        await self.app(scope, receive, send)


def address_prefix(scope: Scope) -> str:
    """Return the address that a request comes from, of IPv6 the network."""
    return network_of(str((scope.get("client") or ("nowhere",))[0]))


def is_login_attempt(scope: Scope) -> bool:
    """True if a request carries a password or a login link."""
    return scope["path"] == "/login" and (scope["method"] == "POST" or bool(scope["query_string"]))
