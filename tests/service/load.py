"""People at work with a server: clients that read as pages do, and streams that stay open."""

import asyncio
import contextlib
import itertools
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

THINK_SECONDS = 2.0
"""A client asks again so long after an answer: somebody who looks at what came."""

SECONDS = 60.0
"""Time for which an answer is waited for."""


@dataclass
class RunStatistics:
    """Statistics of the answers that clients saw."""

    seconds: list[float] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    streamed: list[int] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)

    def note(self, path, status, seconds):
        self.seconds.append(seconds)
        self.slow.append((seconds, path))
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def quantile(self, share):
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def worst(self, count=8):
        return sorted(self.slow, reverse=True)[:count]


class Caller:
    """One connection that stays open: HTTP as it is needed here, at little cost beside the server."""

    def __init__(self, base, token):
        address = urlsplit(base)
        self._host, self._port, self._root = address.hostname, address.port, address.path
        self._head = f"Host: {address.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._reader = self._writer = None

    async def __aenter__(self):
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self

    async def __aexit__(self, *_):
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()

    async def ask(self, path):
        """Send a request; the status and headers of its answer."""
        self._writer.write(f"GET {self._root}{path} HTTP/1.1\r\n{self._head}".encode())
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = (line.partition(":") for line in lines if line)
        return int(status.split()[1]), {name.lower(): value.strip() for name, _, value in named}

    async def get(self, path):
        """The status of an answer that was read whole."""
        async with asyncio.timeout(SECONDS):
            status, headers = await self.ask(path)
            await self._reader.readexactly(int(headers["content-length"]))
        return status

    async def lines(self):
        """Lines of a stream, the sizes of its parts among them."""
        while line := await self._reader.readline():
            yield line.decode()


async def read_for(base, token, paths, seconds, tally, delay):
    """One person who looks at one thing after the other."""
    await asyncio.sleep(delay)
    end = time.monotonic() + seconds
    async with Caller(base, token) as caller:
        for path in itertools.cycle(paths):
            if time.monotonic() > end:
                return
            begin = time.monotonic()
            status = await caller.get(path)
            tally.note(path, status, time.monotonic() - begin)
            await asyncio.sleep(THINK_SECONDS)


async def follow_for(base, token, study, seconds, tally):
    """One stream that stays open; the ids of what comes, and the longest silence."""
    last, longest = time.monotonic(), 0.0
    async with Caller(base, token) as caller:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                status, _ = await caller.ask(f"/events?study={study}")
                tally.statuses[status] = tally.statuses.get(status, 0) + 1
                async for line in caller.lines():
                    longest, last = max(longest, time.monotonic() - last), time.monotonic()
                    if line.startswith("id:"):
                        tally.streamed.append(int(line[3:]))
    tally.beats.append(max(longest, time.monotonic() - last))


async def work(base, tokens, clients, streams, study, paths, seconds):
    """All of them at once; what they saw."""
    tally = RunStatistics()
    people = [
        read_for(
            base, tokens[number % len(tokens)], rotated(paths, number), seconds, tally,
            THINK_SECONDS * number / clients,
        )
        for number in range(clients)
    ]  # fmt: skip
    open_streams = [
        follow_for(base, tokens[number % len(tokens)], study, seconds, tally) for number in range(streams)
    ]
    await asyncio.gather(*people, *open_streams)
    return tally


def rotated(items, number):
    start = number % len(items)
    return [*items[start:], *items[:start]]
