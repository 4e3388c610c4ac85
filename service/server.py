"""The server: a web process with a runner beside it, and how both end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from service.connections import TimedProtocol
from service.logs import logger
from service.runner_process import RunnerProcess
from service.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI


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
        try:
            server = WebServer(_configured(app, settings), should_stop, on_stop)
            asyncio.run(server.serve([listener]))
            if server.force_exit:
                raise KeyboardInterrupt
        finally:
            app.state.sandbox.close()
    logger().info("server ended")


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
