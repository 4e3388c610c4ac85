"""The server: a web process with a runner beside it, and how both end."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self

import psutil
import uvicorn

from service.child_process import start_child
from service.connections import TimedProtocol
from service.logs import logger
from service.settings import Settings
from studies.execution.processes import describe_end, kill_tree

if TYPE_CHECKING:
    from fastapi import FastAPI


STOP_SECONDS = 20.0
"""A runner that still works after this time is killed; the next runner continues its runs."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
_LIVED_WELL = 60.0
_MAIN = "from service.runner_child import main; main()"


class RunnerProcess:
    """Keeps one runner alive; use as a context manager.

    The end of its standard input tells it to leave: see :func:`service.child_process.start_child`.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._supervise, name="tautline-runner")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        try:
            if kind is not KeyboardInterrupt:
                self._thread.join(STOP_SECONDS)
                self._warn_of_late_runner()
        finally:
            self._end()
            self._thread.join()

    @property
    def alive(self) -> bool:
        """True if a runner is there and not held still by somebody."""
        process = self._process
        if process is None or process.poll() is not None:
            return False
        try:
            return psutil.Process(process.pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_STOPPED)
        except psutil.NoSuchProcess:
            return False

    def stop(self) -> None:
        """Tell the runner to leave its runs in the queue and to end; returns at once."""
        self._stopping.set()
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()

    def _supervise(self) -> None:
        """Start a runner, wait for its end, start another; pauses grow while they die young."""
        pause = FIRST_PAUSE
        while (process := self._start()) is not None:
            began = time.monotonic()
            code = process.wait()
            if self._stopping.is_set():
                return
            lived = time.monotonic() - began
            pause = FIRST_PAUSE if lived > _LIVED_WELL else pause
            logger().error("runner ended", pid=process.pid, how=describe_end(code), again_in_seconds=pause)
            if self._stopping.wait(pause):
                return
            pause = min(2.0 * pause, LONGEST_PAUSE)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """A new runner with its settings; None when the server is stopping."""
        with self._lock:
            if self._stopping.is_set():
                return None
            self._process = process = start_child(_MAIN, self._settings)
        logger().info("runner started", pid=process.pid)
        return process

    def _warn_of_late_runner(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            logger().warning("runner did not stop in time and is killed", pid=process.pid)

    def _end(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            kill_tree(process)


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
        # What is loaded by now stays; searching it for garbage takes a third of a comparison's time.
        gc.collect()
        gc.freeze()
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
