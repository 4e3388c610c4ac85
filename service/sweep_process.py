"""Sweeps of stored fronts on the server's workers: each in a child process, as the runner is one.

The server has a :class:`SweepProcess`; the child carries out :func:`main`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

from errors import TautlineError, WorkerError
from service.child_process import FAILED, StopRequest, machines, start_child, take_stdout, wait_for
from service.logs import configure_logs, logger
from service.settings import Settings
from studies.execution import Interrupted
from studies.execution.processes import describe_end, kill_tree
from studies.records import SweepRecord
from studies.store import Store
from studies.uncertainty.sweep import carry_out

STOP_SECONDS = 20.0
"""A child that still works after this time is killed; the same sweep, asked for again, goes on."""
_MAIN = "from service.sweep_process import main; main()"


class SweepProcess:
    """Carries out sweeps; several threads may call one.

    Parameters
    ----------
    settings : Settings
        Of the server: its store, and its ``workers`` or ``scheduler``.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, record: SweepRecord, should_stop: Callable[[], bool]) -> None:
        """Compute what is missing of a stored sweep; what is computed is stored at once.

        Raises ``WorkerError`` with the reason when it fails, and ``Interrupted`` when ``should_stop()``
        becomes true.
        """
        order = {"study": record.study, "sweep": record.id}
        process = start_child(_MAIN, self._settings, order, subprocess.PIPE)
        logger().info("sweep started", study=record.study, sweep=record.id, pid=process.pid)
        try:
            code = wait_for(process, should_stop)
        finally:
            _end(process)
        if code == FAILED and process.stdout is not None:
            raise WorkerError(json.loads(process.stdout.readline()))
        if code != 0:
            text = f"the process that computes it ended by {describe_end(code)}; the server's log says more"
            raise WorkerError(text)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Tell the child to leave, and kill it where it does not."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        logger().warning("a sweep did not stop in time and is killed", pid=process.pid)
        kill_tree(process)


def main() -> None:
    """Compute what is missing of the sweep that standard input names."""
    answer = take_stdout()
    settings = Settings.model_validate_json(sys.stdin.buffer.readline())
    order = json.loads(sys.stdin.buffer.readline())
    configure_logs(settings.log_format)
    should_stop = StopRequest()
    try:
        with Store(settings.store.get_secret_value()) as store:
            record = store.sweeps.find(order["study"], order["sweep"])
            carry_out(store, record, lambda: machines(settings), should_stop)
    except Interrupted:
        logger().info("sweep left", **order)
    except TautlineError as error:
        os.write(answer, json.dumps(str(error)).encode() + b"\n")
        sys.exit(FAILED)
