"""The cluster of an executor: its address, checked first; started when needed, anew when lost, shared.

Dask is imported with the first connection: studies of cheap models end before they would need it.

Dask tries an address for as long as it is told to, and a client that could not be made waits 20 s for its own
end.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from errors import InputError, WorkerError

if TYPE_CHECKING:
    from distributed import Security

    from studies.execution.dask_client import DaskConnection


PLACE = ("scheduler",)
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
_PROBED = ("tcp", "tls", "ws", "wss")
_PATIENCE = 5.0
"""Seconds within which a machine that is there takes a connection."""


def require_address(scheduler: str) -> None:
    """Raise ``InputError`` unless the text is an address that Dask knows."""
    scheme, host, port = _parts(scheduler)
    if scheme not in SCHEMES:
        raise InputError(
            f"'{scheduler}' begins with '{scheme}://', which is not the address of a Dask scheduler; write "
            "tcp://host:port or tls://host:port",
            PLACE,
        )
    if scheme in _PROBED and (not host or port is None):
        raise InputError(f"'{scheduler}' needs a host and a port, as in tcp://127.0.0.1:8786", PLACE)


def require_listener(scheduler: str) -> None:
    """Raise ``InputError`` unless somebody listens at the address."""
    scheme, host, port = _parts(scheduler)
    if scheme not in _PROBED or host is None or port is None:
        return
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except TimeoutError:
        raise _nobody(scheduler, f"no answer within {_PATIENCE:g} s") from None
    except OSError as error:
        raise _nobody(scheduler, error.strerror or str(error)) from None


def _nobody(scheduler: str, cause: str) -> InputError:
    return InputError(
        f"no Dask scheduler answers at '{scheduler}' ({cause}); start one with `dask scheduler`, or give "
        "none to use this machine",
        PLACE,
    )


def _parts(scheduler: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port; an address without a scheme is one of TCP."""
    split = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    try:
        return split.scheme, split.hostname, split.port
    except ValueError:
        return split.scheme, split.hostname, None


def tls_security(ca: str | None, cert: str | None, key: str | None) -> Security | None:
    """The security of a ``tls://`` scheduler from three PEM files; None when none is given.

    Raises ``InputError`` that names the missing file.
    """
    files = {"tls_ca": ca, "tls_cert": cert, "tls_key": key}
    if not any(files.values()):
        return None
    for argument, name in files.items():
        if not name:
            raise InputError(
                "is missing; TLS needs the authority's certificate, the client's certificate and its key",
                (argument,),
            )
        if not Path(name).is_file():
            raise InputError(f"there is no file '{name}'; give the path of a PEM file", (argument,))
    from distributed import Security

    return Security(tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True)


def check_scheme(scheduler: str, security: Security | None) -> None:
    """Refuse an address and files that do not belong together."""
    encrypted = scheduler.startswith("tls://")
    if encrypted and security is None:
        raise InputError(
            f"'{scheduler}' needs the cluster's certificates: the authority's, the client's and its key",
            ("scheduler",),
        )
    if security is not None and not encrypted:
        raise InputError(
            f"'{scheduler}' is not an encrypted address, but TLS files are given; write tls://host:port",
            ("scheduler",),
        )


class ChunkLock:
    """Lets chunks of all runs be at the workers together, but a suspect chunk only alone.

    Otherwise a worker that another run's design kills could be blamed on the suspect.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = 0
        self._claimant: object = None

    def acquire(self) -> bool:
        """True if a chunk may be sent now; not while anyone is, or wants to be, alone."""
        with self._lock:
            free = self._claimant is None
            self._out += free
            return free

    def acquire_alone(self, who: object) -> bool:
        """True if ``who`` may send a suspect now; if not, others send nothing until it could."""
        with self._lock:
            if self._claimant is None:
                self._claimant = who
            free = self._claimant is who and self._out == 0
            self._out += free
            return free

    def release(self) -> None:
        """A chunk, or a suspect, has come back."""
        with self._lock:
            self._out -= 1

    def withdraw(self, who: object) -> None:
        """``who`` has no suspect out, and wants none out."""
        with self._lock:
            if self._claimant is who:
                self._claimant = None


@dataclass(frozen=True, slots=True)
class ClusterTimeouts:
    """Times to wait for others, in s."""

    lost: float = 30.0
    """Nothing comes back and workers are missing: the cluster counts as lost."""
    reconnect: float = 60.0
    """Longest time for which the scheduler may be unreachable."""
    worker_ttl: float = 30.0
    """Longest time for which one of our workers may be silent."""
    workers: float = 600.0
    """Longest time for which a joined cluster may have no worker: an adaptive one starts them late."""


CLUSTER_TIMEOUTS = ClusterTimeouts()
AHEAD = 100
"""Chunks that a joined cluster holds at least, so that an adaptive one sees how much there is to do."""

Say = Callable[[str], None]


def say_nothing(_: str) -> None:
    """Drop a message."""


class Cluster:
    """Gives the connection in use; safe to use from several threads."""

    def __init__(
        self,
        workers: int | None = None,
        scheduler: str | None = None,
        security: Security | None = None,
        timeouts: ClusterTimeouts = CLUSTER_TIMEOUTS,
        say: Say = say_nothing,
    ) -> None:
        self.timeouts = timeouts
        self._say = say
        self.chunk_lock = ChunkLock()
        """Keeps designs that may have killed a worker apart from all others."""
        self._workers = workers or os.cpu_count() or 1
        self._scheduler = scheduler
        self._security = security
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._opener = ThreadPoolExecutor(1, "tautline-cluster")
        self._connection: Future[DaskConnection] | None = None
        if scheduler is not None:
            require_address(scheduler)
            check_scheme(scheduler, security)
            self._connection = Future()
            self._connection.set_result(self._first_connection(scheduler))

    @property
    def workers(self) -> int:
        """Number of evaluations that can go on at once, as far as was heard; at least one."""
        connection = _opened(self._connection)
        return self._workers if connection is None else max(1, connection.threads)

    @property
    def ahead(self) -> int:
        """Number of chunks that one call may have in flight; those beyond two per worker are not urgent."""
        return 2 * self.workers if self._scheduler is None else max(2 * self.workers, AHEAD)

    def require_workers(self, connection: DaskConnection) -> str:
        """Return the text that a cluster without a worker is waited for; empty while it has some.

        It is said once each time that this begins. Raises ``WorkerError`` after too long a time.
        """
        empty, begins = connection.empty_for()
        patience = self.timeouts.workers
        if empty > patience:
            raise WorkerError(
                f"the scheduler at '{self._scheduler}' had no worker for {patience:g} s; start workers, then "
                "resume the run"
            )
        waits = (
            f"waiting for workers: the scheduler at '{self._scheduler}' has none now; without one for "
            f"{patience:g} s the run stops, and can be resumed"
        )
        if begins:
            self._say(waits)
        return waits if empty else ""

    def current(self) -> DaskConnection | None:
        """The connection, or None while it is being opened; raises ``WorkerError`` when it cannot be.

        Who asks after that has it tried again.
        """
        with self._lock:
            connection = self._connection or self._opener.submit(self._open)
            failed = connection.done() and connection.exception() is not None
            self._connection = None if failed else connection
        return connection.result() if connection.done() else None

    def lost(self, connection: DaskConnection) -> None:
        """Say that a connection is of no use any more; it is closed, and another opened when asked for."""
        with self._lock:
            if _opened(self._connection) is connection:
                threading.Thread(target=connection.close, kwargs={"lost": True}, daemon=True).start()
                self._connection = None

    def close(self) -> None:
        """Close what is open; a connection that is being tried is given up, and not waited for.

        Workers that fail to start keep Dask busy for a minute, in which a runner has better to do.
        """
        self._closing.set()
        with self._lock:
            connection, self._connection = self._connection, None
        opened = _opened(connection)
        if opened is not None:
            opened.close()
        elif connection is not None and not connection.cancel():
            connection.add_done_callback(_close_late)
        self._opener.shutdown(wait=False)

    def _first_connection(self, scheduler: str) -> DaskConnection:
        require_listener(scheduler)
        from studies.execution.dask_client import connect

        try:
            return connect(scheduler, self._security, 10.0, self._closing)
        except (OSError, ValueError, TypeError) as error:  # a timeout is an OSError
            raise InputError(
                f"no Dask scheduler answers at '{scheduler}' ({error})", ("scheduler",)
            ) from None

    def _open(self) -> DaskConnection:
        from studies.execution.dask_client import connect, start_local

        if self._scheduler is None:
            try:
                return start_local(self._workers, self.timeouts.worker_ttl)
            except Exception as error:
                raise WorkerError(f"the local workers could not be started: {error}") from error
        deadline = time.monotonic() + self.timeouts.reconnect
        while True:
            try:
                return connect(self._scheduler, self._security, 5.0, self._closing)
            except (OSError, ValueError) as error:
                if time.monotonic() > deadline:
                    raise WorkerError(
                        f"the scheduler at '{self._scheduler}' was lost and did not come back "
                        f"within {self.timeouts.reconnect:g} s ({error}); the run can be resumed"
                    ) from error
                if self._closing.wait(0.5):
                    raise WorkerError("the connection to the scheduler was closed") from error


def _opened(connection: Future[DaskConnection] | None) -> DaskConnection | None:
    """The connection, None while it is being opened or where that failed."""
    if connection is None or not connection.done() or connection.cancelled():
        return None
    return connection.result() if connection.exception() is None else None


def _close_late(connection: Future[DaskConnection]) -> None:
    """Close a connection that was opened after its executor had been closed."""
    opened = _opened(connection)
    if opened is not None:
        opened.close()
