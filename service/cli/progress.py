"""Progress of runs, and of what a server's runners evaluate, on stderr: a bar on a terminal, else lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from models.progress import listen
from service.cli.output import SLOW, say
from studies.records import Progress as RunProgress
from studies.records import Report, silent

_LINE_SECONDS = 10.0
_NOTEBOOK_SECONDS = 0.3

LOADING = "loading kernels (the first time on a machine they are compiled, up to a minute)"


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
        self.told: set[str] = set()
        """Messages of runs that were left; each is printed once."""

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
            self._print(LOADING)
        elif report.phase == "waiting":
            self._print(f"{self._name(report)}: waiting {report.message}")
        elif report.phase == "starting":
            self._print("starting workers")
        elif report.phase == "left":
            again = report.message in self.told and report.state != "done"
            reason = "for the same reason" if again else report.message
            self._print(f"{self._name(report)}: {report.state}: {reason}")
            self.told.add(report.message)
        elif self._bars:
            self._move_bar(self._bars, report)
        elif time.monotonic() - self._last_line > _LINE_SECONDS:
            self._last_line = time.monotonic()
            detail = self._detail(report)
            say(f"{self._name(report)}: {_designs(report)}{', ' * bool(detail)}{detail}")

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
        if report.phase in ("searching", "evaluating"):
            run = (report.study, report.layout, report.seed)
            self._searched_from.setdefault(run, (time.monotonic(), report.share, report.asked))

    def _name(self, report: RunProgress) -> str:
        study = f"{report.study}, " if self._name_studies else ""
        if report.job:
            return f"{study}job {report.job} ({report.layout.partition(' ')[0]})"
        return f"{study}{report.layout}, seed {report.seed}"

    def _detail(self, report: RunProgress) -> str:
        """Rate and time left, generation, front and failures."""
        if report.phase == "replaying":
            return "replaying the log"
        now = time.monotonic()
        start, share, before = self._searched_from[report.study, report.layout, report.seed]
        parts = [f"generation {report.generation}"] if report.phase == "searching" else []
        if now > start and report.asked > before:
            rate = (report.asked - before) / (now - start)
            parts.append(f"{rate:.3g}/s")
            if not self._bars and report.share > share:
                left = (now - start) * (1.0 - report.share) / (report.share - share)
                parts.append(f"{left:.0f} s left")
        if report.phase == "searching":
            parts.append(f"{report.front_size} on the front")
        if report.failed:
            parts.append(f"{report.failed} failed")
        return ", ".join(parts)


def _designs(report: RunProgress) -> str:
    """Count the finished designs, of all planned ones where time alone does not end the run."""
    limited = report.asked < 0.99 * report.share * report.planned
    return f"{report.asked} designs" if limited else f"{report.asked}/{report.planned} designs"


class NotebookProgress:
    """Shows the runs of one call as a table with bars, in the output of a notebook's cell.

    ``display`` and ``html`` are IPython's functions of these names.
    """

    def __init__(self, display: Callable[..., Any], html: Callable[[str], Any]) -> None:
        self._html = html
        self._rows: dict[tuple[str, int], RunProgress] = {}
        self._handle = display(html("starting"), display_id=True)
        self._shown = 0.0

    def __call__(self, report: RunProgress) -> None:
        """Show one report; a few times a second are enough, but the last one counts."""
        before = self._rows.get((report.layout, report.seed))
        if report.phase in ("left", "waiting", "compiling", "starting") and before is not None:
            report = replace(before, phase=report.phase, state=report.state, message=report.message)
        self._rows[report.layout, report.seed] = report
        if report.phase == "left" or time.monotonic() - self._shown > _NOTEBOOK_SECONDS:
            self._shown = time.monotonic()
            self._handle.update(self._html(self._table()))

    def _table(self) -> str:
        rows = [
            f"<tr><td>{escape(run.layout)}, seed {run.seed}</td>"
            f'<td><progress value="{run.share:.4f}" max="1"></progress></td>'
            f"<td>{run.asked}/{run.planned} designs</td><td>{run.front_size} on the front</td>"
            f"<td>{escape(run.message if run.phase in ('left', 'waiting') else run.phase)}</td></tr>"
            for run in self._rows.values()
        ]
        return f"<table>{''.join(rows)}</table>"


@contextmanager
def shown_progress() -> Generator[Report]:
    """Shows reports in the notebook or the terminal that this process has; nowhere if it has none."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    if interactive is not None and getattr(shell, "kernel", None) is not None:
        yield NotebookProgress(interactive.display.display, interactive.display.HTML)
    elif sys.stderr.isatty():
        with ProgressDisplay() as show:
            yield show
    else:
        yield silent


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
        if bar.live.is_started:
            bar.stop()


POLL_SECONDS = 0.5


class Answer(Protocol):
    """Answer of a server to a question on which its runners work."""

    @property
    def message(self) -> str:
        """Reason why it waits, or failed."""
        ...


A = TypeVar("A", bound=Answer)


def wait_for(
    ask: Callable[[], A], ask_again: Callable[[A], A], goes_on: Callable[[A], bool], words: Callable[[A], str]
) -> A:
    """Ask until it no longer goes on, and print how far it is; Ctrl-C leaves it going on by the server."""
    said, remarked = "", False
    try:
        found = ask()
        while goes_on(found):
            if found.message and not remarked:
                say(found.message)
            remarked = bool(found.message)
            if words(found) != said:
                said = words(found)
                say(said)
            time.sleep(POLL_SECONDS)
            found = ask_again(found)
    except KeyboardInterrupt:
        say("it goes on without you; the same command waits for it again")
        raise typer.Exit(130) from None
    return found
