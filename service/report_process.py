"""Reports on many designs, each in a child process: it leaves the server's time and memory to others.

The server has a :class:`ReportProcess`; the child carries out :func:`main`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable

from errors import TautlineError, WorkerError
from service.child_process import FAILED, StopRequest, start_child, take_stdout, wait_for
from service.logs import configure_logs, logger
from service.settings import Settings
from studies.execution import Interrupted
from studies.execution.processes import describe_end, kill_tree
from studies.store import Store

MOST_SECONDS = 900.0
"""Time limit for a report; one on 20 000 designs takes 20 s of processor time."""
_MAIN = "from service.report_process import main; main()"


class ReportProcess:
    """Renders reports; several threads may call one.

    Parameters
    ----------
    settings : Settings
        Of the server.
    should_stop : callable () -> bool
        Whether the server ends.
    """

    def __init__(self, settings: Settings, should_stop: Callable[[], bool]) -> None:
        self._settings = settings
        self._should_stop = should_stop

    def __call__(self, study: str, reader: str) -> str:
        """Return the report of a study for the account ``reader``; raises ``WorkerError``."""
        deadline = time.monotonic() + MOST_SECONDS
        with tempfile.TemporaryFile() as file:
            process = start_child(_MAIN, self._settings, {"study": study, "reader": reader}, file)
            try:
                code = wait_for(process, lambda: self._should_stop() or time.monotonic() > deadline)
            except Interrupted:
                logger().warning("a report did not end in time and is stopped", study=study)
                raise WorkerError(f"the report of '{study}' did not end in time") from None
            finally:
                kill_tree(process)
                if process.stdin is not None:
                    process.stdin.close()
            file.seek(0)
            text = file.read().decode()
        if code != 0:
            raise WorkerError(
                json.loads(text) if code == FAILED else f"the report ended by {describe_end(code)}"
            )
        return text


def main() -> None:
    """Render the report that standard input names."""
    answer = take_stdout()
    settings = Settings.model_validate_json(sys.stdin.buffer.readline())
    order = json.loads(sys.stdin.buffer.readline())
    configure_logs(settings.log_format)
    StopRequest()  # for the end of the server
    from dashboards.report import report_text

    code = 0
    try:
        with Store(settings.store.get_secret_value()) as store:
            text = report_text(store, order["study"], order["reader"])
    except TautlineError as error:
        text, code = json.dumps(str(error)), FAILED
    with os.fdopen(answer, "wb") as file:
        file.write(text.encode())
    sys.exit(code)
