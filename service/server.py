"""The server: a web process with a runner beside it, and how both end.

Back-ends bring numba and a library of searches, which take seconds to load. The server answers meanwhile;
a page that needs none of it waits for nothing, and one that does waits for what is still missing. A server
whose setting ``warm`` is false loads each of it when somebody first asks for it.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from dashboards.pages import asset_version
from models import load, names
from models.units import parse_quantity
from service.connections import TimedProtocol
from service.logs import logger
from service.runner_process import RunnerProcess
from service.settings import Settings
from studies.store.studies import Wanted

if TYPE_CHECKING:
    from fastapi import FastAPI

    from studies.store import Store


_MODULES = (
    "service.app.comparison_view",
    "studies.comparison",
    "scipy.stats",
    "studies.search.registry",
    "dashboards.report",
)
_LOOKED_AT = 20
"""The newest studies: children load their back-ends."""


class Preloader:
    """Loads it in a thread of its own, from entering to leaving."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._ends = threading.Event()
        # No daemon: it would be cut off in the middle of a library's own code when the server ends.
        self._thread = threading.Thread(target=self._load, name="tautline-warming")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        """What is being loaded is loaded to its end, and nothing after it."""
        self._ends.set()
        self._thread.join()

    def _load(self) -> None:
        for what, step in _steps(self._app, self._ends.is_set):
            if self._ends.is_set():
                return
            try:
                step()
            except Exception as error:  # noqa: BLE001 - a back-end may fail in any way: the caller gets the error
                if not self._ends.is_set():
                    logger().warning("not loaded", what=what, exc_info=error)
        gc.freeze()  # as for what was there before: it stays for good


def _steps(app: FastAPI, should_stop: Callable[[], bool]) -> Iterator[tuple[str, Callable[[], object]]]:
    """In the order in which pages ask for them."""
    yield "scripts", asset_version
    for module in _MODULES:
        yield module, lambda module=module: import_module(module)
    yield "units", lambda: parse_quantity("1 mm", "m")
    yield "pictures", lambda: app.state.sandbox.warm(_models_of(app.state.store), should_stop)
    for name in names():
        yield name, lambda name=name: load(name)


def _models_of(store: Store) -> list[str]:
    """The back-ends of the newest studies, as far as they are installed."""
    newest = store.studies(Wanted(limit=_LOOKED_AT))
    return [name for name in dict.fromkeys(study.definition["model"] for study in newest) if name in names()]


STREAM_SECONDS = 5.0
"""Time that open requests have to finish after a request to stop; then they are broken off."""
LAST_SECONDS = 29.0
"""Longest time from a request to stop to the end of the server, even if a thread hangs."""
KEEP_ALIVE_SECONDS = 20


class WebServer(uvicorn.Server):
    """Uvicorn that ends when ``should_stop()`` says so, and calls ``on_stop`` before it closes anything.

    A signal after that breaks off open requests. An exception in the middle of the loop would do so with a
    traceback, and uvicorn logs another one where it leaves out the end of its lifespan.
    """

    def __init__(
        self, config: uvicorn.Config, should_stop: Callable[[], bool], on_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._should_stop = should_stop
        self._on_stop = on_stop

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Hand the first signal to the caller's handler, behind ``should_stop``; quit at once at the next."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        outer = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def heard(number: int, frame: FrameType | None) -> None:
            handler = outer[signal.Signals(number)]
            if self._should_stop():
                self.force_exit = True
                loop.call_soon_threadsafe(self._break_connections_off)
            elif callable(handler):
                handler(number, frame)

        for number in outer:
            signal.signal(number, heard)
        try:
            yield
        finally:
            for number, handler in outer.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close connections, then end the lifespan in any case."""
        await super().shutdown(sockets)
        if self.force_exit:
            logger().warning("server quits at once")
            await self.lifespan.shutdown()

    def _break_connections_off(self) -> None:
        """End open connections, for which a closed server waits from Python 3.12 on."""
        logging.getLogger("uvicorn.error").disabled = True  # a request that is now cut off is no error
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()

    async def on_tick(self, counter: int) -> bool:
        """Look ten times a second whether to end."""
        if not self.should_exit and self._should_stop():
            self.should_exit = True
            self._on_stop()
        return await super().on_tick(counter)


def run_server(
    app: FastAPI,
    settings: Settings,
    listener: socket.socket,
    runner: RunnerProcess | None,
    should_stop: Callable[[], bool],
) -> None:
    """Serve until ``should_stop()``; streams end then, and the runner leaves its runs in the queue."""

    def on_stop() -> None:
        logger().info("server is stopping")
        last = threading.Timer(LAST_SECONDS, _exit_at_once)
        last.daemon = True
        last.start()
        app.state.stopping.set()
        if runner is not None:
            runner.stop()

    with runner or nullcontext():
        _freeze_memory()
        _limit_heaps()
        try:
            with Preloader(app) if settings.warm else nullcontext():
                server = WebServer(_configured(app, settings), should_stop, on_stop)
                asyncio.run(server.serve([listener]))
                if server.force_exit:
                    raise KeyboardInterrupt
        finally:
            app.state.jobs.close()
            app.state.sandbox.close()
    logger().info("server ended")


def _freeze_memory() -> None:
    """Exempt what is loaded from garbage collection: it stays until the process ends."""
    gc.collect()
    gc.freeze()


_M_ARENA_MAX = -8  # malloc.h
_HEAPS = 2


def _limit_heaps() -> None:
    """Let threads share heaps: with one for each thread, glibc holds what none of them needs any more.

    With fifty clients and twenty streams the server grew by 100 MB in four minutes; with two heaps by 15 MB,
    and answers take as long.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries do without it
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, _HEAPS)


def _configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=TimedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.behind_proxy),
        forwarded_allow_ips=settings.behind_proxy,
        ssl_certfile=settings.https_cert,
        ssl_keyfile=settings.https_key,
        limit_concurrency=settings.max_connections,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STREAM_SECONDS,  # pyrefly: ignore[bad-argument-type] - it takes parts, too
    )


def _exit_at_once() -> None:
    logger().error("a thread did not end in time; the server ends without it")
    os._exit(1)
