"""A runner as a child of the server: started again when it dies, stopped when the server ends."""

from __future__ import annotations

import subprocess
import threading
import time
from types import TracebackType
from typing import Self

import psutil

from service.child_process import start_child
from service.logs import logger
from service.settings import Settings
from studies.execution.processes import describe_end, kill_tree

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
