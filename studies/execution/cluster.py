"""Where evaluations run: a Dask cluster on this machine, or one that a team already has."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from distributed import Client, LocalCluster

from models.errors import InputError


@contextmanager
def open_cluster(workers: int | None, scheduler: str | None) -> Generator[Client]:
    """A client of ``scheduler``, or of a new local cluster of ``workers`` single-threaded processes.

    The local cluster listens on loopback only and shows no dashboard.
    """
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at '{scheduler}' ({error})", "--scheduler") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=30)
            except TimeoutError:
                raise InputError(f"the scheduler at '{scheduler}' has no worker", "--scheduler") from None
            yield client
        return
    with _children_deaf_to_interrupts():
        cluster = LocalCluster(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # the HTTP server cannot be left out; it shows no page
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )
    with cluster, Client(cluster) as client:
        yield client


@contextmanager
def _children_deaf_to_interrupts() -> Generator[None]:
    """Threads and processes started inside never see Ctrl-C: the driver alone decides what it means.

    The signal is blocked, not ignored: one that comes meanwhile reaches the driver afterwards. The
    resource tracker is started first because its start would unblock the signal.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
