"""Progress of runs on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from models.progress import listen
from service.cli.output import SLOW, say
from studies.records import Progress as RunProgress

_LINE_SECONDS = 10.0


class ProgressDisplay:
    """Shows :class:`studies.records.Progress` reports; use as a context manager and call it.

    ``name_studies`` puts the study before each run, for a runner that works on many.
    """

    def __init__(self, *, name_studies: bool = False) -> None:
        self._name_studies = name_studies
        self._bars = (
            Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[designs]}"),
                TextColumn("{task.fields[detail]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            if sys.stderr.isatty()
            else None
        )
        self._ids: dict[tuple[str, str, int], TaskID] = {}
        self._searched_from: dict[tuple[str, str, int], tuple[float, float, int]] = {}
        self._last_line = 0.0

    def __enter__(self) -> Self:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()

    def __call__(self, report: RunProgress) -> None:
        """Show one report."""
        self._start_clock(report)
        if report.phase == "compiling":
            self._print("loading kernels (the first time on a machine they are compiled, up to a minute)")
        elif report.phase == "waiting":
            self._print(f"waiting: {report.message}")
        elif report.phase == "starting":
            self._print("starting workers")
        elif report.phase == "left":
            self._print(f"{self._name(report)}: {report.state}: {report.message}")
        elif self._bars:
            self._move_bar(self._bars, report)
        elif time.monotonic() - self._last_line > _LINE_SECONDS:
            self._last_line = time.monotonic()
            say(f"{self._name(report)}: {_designs(report)}, {self._detail(report)}")

    def _print(self, text: str) -> None:
        if self._bars:
            self._bars.console.print(text, markup=False, highlight=False)
        else:
            say(text)

    def _move_bar(self, bars: Progress, report: RunProgress) -> None:
        run = (report.study, report.layout, report.seed)
        if run not in self._ids:
            self._ids[run] = bars.add_task(self._name(report), total=1.0, designs="", detail="")
        bars.update(
            self._ids[run], completed=report.share, designs=_designs(report), detail=self._detail(report)
        )

    def _start_clock(self, report: RunProgress) -> None:
        """Rates count from a run's first report of searching."""
        if report.phase == "searching":
            run = (report.study, report.layout, report.seed)
            self._searched_from.setdefault(run, (time.monotonic(), report.share, report.asked))

    def _name(self, report: RunProgress) -> str:
        study = f"{report.study}, " if self._name_studies else ""
        return f"{study}{report.layout}, seed {report.seed}"

    def _detail(self, report: RunProgress) -> str:
        """Rate and time left, generation, front and failures."""
        if report.phase == "replaying":
            return "replaying the log"
        now = time.monotonic()
        start, share, before = self._searched_from[report.study, report.layout, report.seed]
        parts = [f"generation {report.generation}"]
        if now > start and report.asked > before:
            rate = (report.asked - before) / (now - start)
            parts.append(f"{rate:.3g}/s")
            if not self._bars and report.share > share:
                left = (now - start) * (1.0 - report.share) / (report.share - share)
                parts.append(f"{left:.0f} s left")
        parts.append(f"{report.front_size} on the front")
        if report.failed:
            parts.append(f"{report.failed} failed")
        return ", ".join(parts)


def _designs(report: RunProgress) -> str:
    """How many designs are finished, of how many where time alone does not end the run."""
    limited = report.asked < 0.99 * report.share * report.planned
    return f"{report.asked} designs" if limited else f"{report.asked}/{report.planned} designs"


@contextmanager
def show_share(words: str) -> Generator[None]:
    """Show how far a computation in the block is, once it takes longer than ``SLOW`` seconds."""
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task, begin = bar.add_task(words, total=1.0), time.monotonic()
    shown = begin

    def show(share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - begin < SLOW:
            return
        if sys.stderr.isatty():
            bar.start()
            bar.update(task, completed=share)
        elif now - shown > _LINE_SECONDS:
            shown = now
            say(f"{words}: {share:.0%}")

    try:
        with listen(show):
            yield
    finally:
        bar.stop()
