"""A process that is suspended for as long as a test wishes, as by an engineer's ctrl-Z or a sleeping machine."""

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path


def suspend_between_writes(pid, database):
    """Suspend a process while it holds no lock of its SQLite store: a lock would be held for as long as it sleeps.

    A signal takes effect some time after it is sent, so the lock is tried once every thread stands still.
    """
    for _ in range(1000):
        os.kill(pid, signal.SIGSTOP)
        while not _stands_still(pid):
            time.sleep(0.001)
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                os.kill(pid, signal.SIGCONT)
                time.sleep(0.01)
            else:
                return
    raise AssertionError(f"process {pid} held a lock of {database} whenever it was suspended")


def _stands_still(pid):
    states = [
        path.read_text().rpartition(")")[2].split()[0] for path in Path(f"/proc/{pid}/task").glob("*/stat")
    ]
    return set(states) == {"T"}
