"""Exports, reports and arrays of all designs: few of an account at a time, by few threads in all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Depends
from starlette.requests import Request

from errors import LimitError
from service.web.identity import Caller

OF_AN_ACCOUNT = 2
"""Heavy reads of an account at a time, until the last byte of each is sent."""
THREADS = 2
"""Threads that read pages of exports and arrays, one page after the other of whose turn it is."""
WAIT_SECONDS = 20.0
"""Time that a further read waits for its turn before it is refused."""
T = TypeVar("T")


class HeavyReads:
    """Keeps heavy reads from taking the threads, the processor and the memory of all other requests.

    Whoever waits for a turn holds no thread.
    """

    def __init__(self, reports: int) -> None:
        self._accounts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._threads = CapacityLimiter(THREADS)
        self._reports = asyncio.Semaphore(reports)

    @asynccontextmanager
    async def of(self, account: str) -> AsyncGenerator[None]:
        """Hold one of the account's places; raises ``LimitError`` when none gets free in time."""
        places = self._accounts.setdefault(account, asyncio.Semaphore(OF_AN_ACCOUNT))
        text = f"{OF_AN_ACCOUNT} exports, reports or arrays of yours are still running; ask again later"
        async with _turn(places, text):
            yield

    async def begin(self, work: Callable[[], T]) -> T:
        """Return the value of ``work``, which runs in one of the threads."""
        return await run_sync(work, limiter=self._threads)

    async def report(self, work: Callable[[], T]) -> T:
        """Return the value of ``work``, which makes a report; raises ``LimitError`` like :meth:`of`."""
        async with _turn(
            self._reports, "the server is busy with the reports of others; ask again in a moment"
        ):
            return await run_sync(work)

    async def pieces(self, rest: Iterator[bytes], first: bytes = b"") -> AsyncIterator[bytes]:
        """Yield ``first``, then pieces of a file, each taken in one of the threads."""
        piece: bytes | None = first
        while piece is not None:
            yield piece
            piece = await self.begin(lambda: next(rest, None))


@asynccontextmanager
async def _turn(places: asyncio.Semaphore, refusal: str) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            await places.acquire()
    except TimeoutError:
        raise LimitError(refusal, WAIT_SECONDS) from None
    try:
        yield
    finally:
        places.release()


async def _heavy_read(request: Request, identity: Caller) -> AsyncGenerator[HeavyReads]:
    reads: HeavyReads = request.app.state.heavy_reads
    async with reads.of(identity.account):
        yield reads


HeavyRead = Annotated[HeavyReads, Depends(_heavy_read)]
"""Place of an account that reads much; the route holds it until the answer is sent."""
