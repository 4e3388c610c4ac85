"""Child processes of the server: started with orders on standard input, told to stop by its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import IO

from models.registry import names, own_source
from service.settings import Settings
from studies.execution import Executor, Interrupted, open_executor, tls_security

STDIN, STDOUT, STDERR = 0, 1, 2
_LOAD = "from service.operator_models import load_given; load_given()"
FAILED = 3
"""Exit code of a child that has written a line that says what went wrong; Python itself ends with 1."""
POLL_SECONDS = 0.5
LEAVE_SECONDS = 60.0
"""A child whose server has ended kills itself and all its processes after this time."""

# ------------------------------------------------------------------ in the server


def start_child(
    main: str, settings: Settings, order: object = None, stdout: int | IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """Start a Python process that runs ``main``.

    Its standard input brings a line with the models of the operator's own, one with the settings, so that no
    other process can read the store's password, and one with ``order`` where there is any. The end of that
    pipe tells it to leave, also when this process was killed outright.
    """
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-c", f"{_LOAD}; {main}"],
        stdin=subprocess.PIPE,
        stdout=stdout,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(part or str(Path.cwd()) for part in sys.path)},
        start_new_session=True,  # Ctrl-C is for the server, which stops its children
    )
    values = {**settings.model_dump(mode="json"), "store": settings.store.get_secret_value()}
    own = [asdict(source) for source in map(own_source, names()) if source is not None]
    lines = [own, values] if order is None else [own, values, order]
    assert process.stdin is not None  # noqa: S101 - it was asked for
    try:
        process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        process.stdin.flush()
    except BrokenPipeError:
        pass  # it has died already, which is noticed where its end is waited for
    return process


def wait_for(process: subprocess.Popen[bytes], should_stop: Callable[[], bool]) -> int:
    """Wait for a child's exit code; raises ``Interrupted`` when ``should_stop()`` becomes true before."""
    while True:
        try:
            return process.wait(POLL_SECONDS)
        except subprocess.TimeoutExpired:
            if should_stop():
                raise Interrupted from None


# ------------------------------------------------------------------ in the child


class StopRequest:
    """True after a request to stop: the other end of standard input was closed, or a signal came."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        threading.Thread(target=self._wait, name="tautline-lifeline", daemon=True).start()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def __call__(self) -> bool:
        """True if a stop was requested."""
        return self._stop.is_set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - of signal
        self._stop.set()

    def _wait(self) -> None:
        while os.read(STDIN, 1):  # past Python's buffer, which a thread must not hold when Python ends
            pass
        self._stop.set()
        time.sleep(LEAVE_SECONDS)
        os.killpg(0, signal.SIGKILL)


def take_stdout() -> int:
    """Return a descriptor for this child's answer; what else is printed, by back-ends too, goes to stderr."""
    answer = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    return answer


@contextmanager
def machines(settings: Settings, say: Callable[[str], None]) -> Generator[Executor]:
    """Open the executor for evaluations that the settings name; ``say`` is told when it has no workers."""
    files = (settings.tls_ca, settings.tls_cert, settings.tls_key)
    security = tls_security(*(str(file) if file else None for file in files))
    with open_executor(settings.workers, settings.scheduler, security, say=say) as executor:
        yield executor
