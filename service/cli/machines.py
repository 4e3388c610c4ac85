"""Machines on which commands evaluate, as options name them, their progress, and how a signal stops them."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Self, TypeVar

import typer

from service.cli.connect import works_here
from service.cli.output import say
from service.cli.progress import ProgressDisplay

if TYPE_CHECKING:
    from rich.progress import Progress

    from service.app.jobs import OpenExecutor
    from studies.execution import Executor
    from studies.execution.evaluation_call import ShouldStop
    from studies.records import Report
    from studies.run.questions import Count, ReportCount


STDERR = 2


@contextmanager
def stop_on_signals(left: str = "the run is left paused") -> Generator[Callable[[], bool]]:
    """A function that says whether a stop was requested; a second Ctrl-C interrupts at once.

    ``left`` says how what is at hand will be left.
    """
    requested = False

    def request_stop(number: int, frame: FrameType | None) -> None:
        nonlocal requested
        if requested:
            signal.default_int_handler(number, frame)
        requested = True
        _write(f"stopping: {left} (press again to quit at once; nothing that is stored is lost)\n")

    before = {number: signal.signal(number, request_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: requested
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write(message: str) -> None:
    """Past Python's buffer, which the signal may have interrupted and must not be entered twice."""
    with contextlib.suppress(OSError):
        os.write(STDERR, message.encode())


T = TypeVar("T")
_LINE_SECONDS = 10.0
_LEFT = "what is computed is kept; the same command again computes the rest"


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines that evaluate designs, as the options say."""

    workers: int | None
    scheduler: str | None
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None
    told: set[str] = field(default_factory=set[str])
    """Messages of runs that were printed while they were searched."""

    @contextmanager
    def open(self) -> Generator[Executor]:
        """The executor on these machines."""
        from studies.execution import open_executor, tls_security

        security = tls_security(self.tls_ca, self.tls_cert, self.tls_key)
        with open_executor(self.workers, self.scheduler, security, say=say) as executor:
            yield executor

    def work(self, evaluate: Callable[[OpenExecutor, ShouldStop, ReportCount], T]) -> T:
        """Evaluate on these machines; a signal ends the command with 130."""
        from studies.execution import Interrupted

        with stop_on_signals(_LEFT) as should_stop, Display() as show:
            try:
                return evaluate(self.open, should_stop, show)
            except Interrupted:
                raise typer.Exit(130) from None

    def search(self, run: Callable[[OpenExecutor, ShouldStop, Report], T]) -> T:
        """Search on these machines; a signal leaves the runs paused."""
        with stop_on_signals() as should_stop, ProgressDisplay() as show:
            found = run(self.open, should_stop, show)
        self.told.update(show.told)
        return found

    def say(self, text: str) -> None:
        """Print a message."""
        say(text)


def own_machines(
    context: typer.Context,
    server: str | None,
    workers: int | None,
    scheduler: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
) -> Machines | None:
    """Return the machines of a command, None by a server; raises ``InputError`` for options with one."""
    return Machines(workers, scheduler, tls_ca, tls_cert, tls_key) if works_here(context, server) else None


class Display:
    """Shows how far a question is on stderr: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._last_line = -math.inf
        self._shown = -1
        self._found: int | None = None
        self._begin = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, now: Count) -> None:
        """Show one report."""
        if now.message:
            say(now.message)
        if self._found is None:
            self._found = now.done
        if sys.stderr.isatty():
            self._move(now)
        elif now.done > self._shown and (
            now.done == now.wanted or time.monotonic() - self._last_line > _LINE_SECONDS
        ):
            self._last_line, self._shown = time.monotonic(), now.done
            before = f" ({self._found} were stored before)" if self._found else ""
            say(f"{now.done} of {now.wanted} {now.of}{before}{self._left(now, self._found)}")

    def _left(self, now: Count, found: int) -> str:
        """The time that is left at the rate so far."""
        done = now.done - found
        if not done:
            return ""
        seconds = (time.monotonic() - self._begin) / done * (now.wanted - now.done)
        return f", {seconds:.0f} s left" if seconds else ""

    def _move(self, now: Count) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        if self._bar is None:
            self._bar = Progress(
                TextColumn(now.of), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                console=Console(stderr=True),
            )  # fmt: skip
            self._bar.add_task("", total=now.wanted)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=now.done)
