"""The child process of the server that works on queued runs.

It leaves its runs in the queue when it is told to stop: see :class:`service.child_process.StopRequest`.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from errors import TautlineError
from service.child_process import StopRequest, machines
from service.logs import configure_logs, logger
from service.settings import Settings
from studies.records import Progress
from studies.run.runner import Runner
from studies.store import Store

PROGRESS_SECONDS = 10.0


class ProgressLog:
    """Writes the progress of runs to the log, with the ids of study and run; rarely while all goes well."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids: dict[tuple[str, str, int], int] = {}
        self._last: dict[int, tuple[str, float]] = {}

    def __call__(self, report: Progress) -> None:
        """Write one report down."""
        run = report.job or self._id(report)
        log = logger().bind(study=report.study, run=run, layout=report.layout, seed=report.seed)
        if report.phase == "left":
            log.info("run left", state=report.state, reason=report.message)
            self._last.pop(run, None)
        elif self._is_news(run, report.phase):
            counts = {"generation": report.generation, "designs": report.asked, "failed": report.failed}
            log.info("run continues", phase=report.phase, **counts)

    def _is_news(self, run: int, phase: str) -> bool:
        """True if a run does something else than when it was last written of, or that was long ago."""
        before, when = self._last.get(run, ("", 0.0))
        if before == phase and time.monotonic() - when < PROGRESS_SECONDS:
            return False
        self._last[run] = (phase, time.monotonic())
        return True

    def _id(self, report: Progress) -> int:
        key = (report.study, report.layout, report.seed)
        if key not in self._ids:
            with suppress(TautlineError):  # a line without an id is better than a run that ends for its log
                runs = self._store.study(report.study).runs
                self._ids |= {(run.study, run.layout, run.seed): run.id for run in runs}
        return self._ids.get(key, 0)


def main() -> None:
    """Work until stopped."""
    settings = Settings.model_validate_json(sys.stdin.buffer.readline())
    configure_logs(settings.log_format)
    should_stop = StopRequest()
    try:
        with Store(settings.store.get_secret_value()) as store:
            Runner(
                store, lambda: machines(settings, _note), should_stop, ProgressLog(store), complain=_complain
            ).run()
    except TautlineError as error:
        _complain(str(error))
        sys.exit(1)
    logger().info("runner left its runs in the queue")


def _note(message: str) -> None:
    logger().warning("runner waits", reason=message)


def _complain(message: str) -> None:
    logger().error("runner reports an error", reason=message)
