"""The child process of the server that carries out one sweep of stored fronts.

It ends with the code 3 after a line on standard output that says what went wrong.
"""

from __future__ import annotations

import json
import os
import sys

from errors import TautlineError
from service.logs import configure_logs, logger
from service.runner_child import StopRequest, machines
from service.settings import Settings
from service.sweep_process import FAILED
from studies.execution import Interrupted
from studies.store import Store
from studies.sweep import carry_out

STDOUT, STDERR = 1, 2


def main() -> None:
    """Compute what is missing of the sweep that standard input names."""
    answer = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)  # a back-end may print
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
