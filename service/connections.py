"""Connections to the server: how many an address may have, and how long a request may take to arrive.

Uvicorn limits neither (its ``limit_concurrency`` counts the connections of everybody, its
``timeout_keep_alive`` the time between requests).
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from errors import LimitError
from service.logs import logger
from service.problem_types import MEDIA_TYPE, STATUS_TITLES, problem_type
from service.settings import Settings

_NETWORK_BITS = 64
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
HEAD_SECONDS = 10.0
"""Time limit for the head of a request, from its first byte or from the connection."""
REQUEST_SECONDS = 30.0
"""Time limit for a whole request, head and body, from the same moment."""


class TimedProtocol(H11Protocol):
    """Uvicorn's HTTP, with a limit on the time that a request may take to arrive."""

    _late: asyncio.TimerHandle | None = None
    _began = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for a first request, but not for ever."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request; its time goes on from where it began."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait(HEAD_SECONDS)
        elif self.conn.their_state is h11.SEND_BODY:
            self._wait(REQUEST_SECONDS)
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self, seconds: float) -> None:
        """Close the connection so many seconds after the request began, unless it arrives before."""
        if self._late is None:
            self._began = self.loop.time()
        else:
            self._late.cancel()
        self._late = self.loop.call_at(self._began + seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def network_of(stated: str) -> str:
    """Return an IPv4 address itself, of an IPv6 address the network: one machine may have all of it."""
    address = _parsed(stated)
    if address is None:
        return stated
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), _NETWORK_BITS), strict=False))


def is_among(stated: str, networks: Sequence[str]) -> bool:
    """Tell whether an address lies in one of ``networks``, each an address or a network."""
    address = _parsed(stated)
    return address is not None and any(address in ipaddress.ip_network(network) for network in networks)


def _parsed(stated: str) -> Address | None:
    """Return the address, an IPv4 address that is written as IPv6 as itself; None for any other text."""
    try:
        address = ipaddress.ip_address(stated)
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address


RETRY_SECONDS = 10
_LIMIT = LimitError(
    "too many connections from your address are open; close some, or ask the administrator to raise "
    "--max-connections-per-address"
)


def refusal() -> bytes:
    """Return the answer to a connection too many: a problem, as in every other answer."""
    kind = problem_type(_LIMIT)
    body = json.dumps(
        {
            "type": kind.uri,
            "title": kind.title,
            "status": kind.status,
            "detail": str(_LIMIT),
            "request_id": "",
        }
    )
    head = (
        f"HTTP/1.1 {kind.status} {STATUS_TITLES[kind.status]}\r\nContent-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nRetry-After: {RETRY_SECONDS}\r\nConnection: close\r\n\r\n"
    )
    return (head + body).encode()


class Listener(socket.socket):
    """A socket that listens, and accepts so many connections of one address.

    It closes further ones at once, before TLS and before anything is read. Proxies that the settings name
    have no limit here: their connections are those of many, whose open requests
    :class:`service.web.middleware.rate_limits.OpenRequests` counts.
    """

    def __init__(self, settings: Settings, *kind: int) -> None:
        super().__init__(*kind)
        self._most = settings.max_connections_per_address
        self._proxies = settings.behind_proxy
        self._refusal = b"" if settings.https_cert else refusal()
        self._open: Counter[str] = Counter()
        self._refused: set[str] = set()

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raises ``ConnectionAbortedError`` for one too many, as for one that broke."""
        accepted, address = super().accept()
        caller = network_of(address[0])
        if self._open[caller] >= self._most and not is_among(address[0], self._proxies):
            self._refuse(accepted, caller)
            raise ConnectionAbortedError
        self._open[caller] += 1
        return _Connection(accepted, lambda: self._release(caller)), address

    def _refuse(self, connection: socket.socket, caller: str) -> None:
        if caller not in self._refused:
            self._refused.add(caller)
            logger().warning("connections refused", address=caller, open=self._most)
        with connection:
            if self._refusal:
                connection.send(self._refusal)

    def _release(self, caller: str) -> None:
        self._open[caller] -= 1
        if not self._open[caller]:
            del self._open[caller]
            self._refused.discard(caller)


class _Connection(socket.socket):
    """An accepted connection that tells when it is closed."""

    def __init__(self, accepted: socket.socket, on_close: Callable[[], None]) -> None:
        super().__init__(fileno=accepted.detach())
        self._on_close: Callable[[], None] | None = on_close

    def close(self) -> None:
        """Close it; the second time has no effect."""
        super().close()
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()
