"""The server: a web process with its runner, and how both end."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import uvicorn

from service.connections import TimedProtocol
from service.logs import logger
from service.processes import RunnerProcess
from service.settings import Settings
from service.warming import Warming

if TYPE_CHECKING:
    from fastapi import FastAPI

STREAM_SECONDS = 5.0
"""Time that open requests have to finish after a request to stop; then they are broken off."""
LAST_SECONDS = 29.0
"""Longest time from a request to stop to the end of the server, even if a thread hangs."""
KEEP_ALIVE_SECONDS = 20


class WebServer(uvicorn.Server):
    """Uvicorn that ends when ``should_stop()`` says so, and calls ``on_stop`` before it closes anything."""

    def __init__(
        self, config: uvicorn.Config, should_stop: Callable[[], bool], on_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._should_stop = should_stop
        self._on_stop = on_stop

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are heard by whoever gave ``should_stop``."""
        yield

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
        last = threading.Timer(LAST_SECONDS, _leave_behind)
        last.daemon = True
        last.start()
        app.state.stopping.set()
        if runner is not None:
            runner.stop()

    with runner or nullcontext():
        _settle_memory()
        try:
            with Warming() if settings.warm else nullcontext():
                asyncio.run(WebServer(_configured(app, settings), should_stop, on_stop).serve([listener]))
        finally:
            app.state.reevaluations.close()
            app.state.work.close()
    logger().info("server ended")


def _settle_memory() -> None:
    """What was loaded stays for good: it need not be looked through each time memory is tidied up."""
    gc.collect()
    gc.freeze()


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
        timeout_graceful_shutdown=STREAM_SECONDS,  # pyright: ignore[reportArgumentType] - it takes parts, too
    )


def _leave_behind() -> None:
    logger().error("a thread did not end in time; the server ends without it")
    os._exit(1)
