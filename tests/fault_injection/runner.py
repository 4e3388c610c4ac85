"""``python -m tests.fault_injection.runner STORE LEDGER SCHEDULER [LEASE]``: a runner that keeps an outside ledger.

Each line of the ledger was written after the store had confirmed what it says, so none of it may be
missing from the store afterwards, whatever was killed meanwhile. ``SCHEDULER`` is an address or
``local``; ``LEASE`` shortens the lease to some seconds.
"""

import os
import sys

from service.cli.output import say
from studies.execution import open_executor
from studies.execution.cluster import ClusterTimeouts
from studies.run.heartbeat import Heartbeat
from studies.run.runner import Runner
from studies.store import Store, lease

CLUSTER_TIMEOUTS = ClusterTimeouts(lost=3.0, reconnect=60.0)


class AcknowledgingStore(Store):
    """Writes a line to ``ledger`` after every confirmed transaction of results or of a generation."""

    ledger: int

    def save_results(self, claim, records, *others):
        records = list(records)
        super().save_results(claim, records, *others)
        self._note(_evaluations(records))

    def save_generation(self, claim, batch, results, record, *others):
        super().save_generation(claim, batch, results, record, *others)
        self._note(f"generation {claim.run_id} {record.number}\n")

    def _note(self, lines):
        os.write(self.ledger, lines.encode())


def _evaluations(records):
    return "".join(f"evaluation {record.key} {record.finished!r}\n" for record in records)


def shorten_leases(seconds):
    lease.LEASE_SECONDS = seconds
    Heartbeat.__init__.__defaults__ = (seconds / 10, seconds)


def main(store, ledger, scheduler, seconds=None):
    if seconds is not None:
        shorten_leases(float(seconds))
    address = None if scheduler == "local" else scheduler
    with AcknowledgingStore(store) as opened:
        opened.ledger = os.open(ledger, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        Runner(
            opened, lambda: open_executor(1, address, timeouts=CLUSTER_TIMEOUTS), once=True, complain=say
        ).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
