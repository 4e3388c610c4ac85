"""A connection to a Dask cluster in working order: our own on this machine, or one that a team has."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import fcntl
import logging
import math
import os
import shutil
import signal
import stat
import tempfile
import threading
import time
from collections.abc import Coroutine, Generator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from uuid import uuid4

from dask import config as dask_config
from distributed import Client, Future, LocalCluster, Security

from errors import WorkerError
from studies.execution.channel import MalformedError, read
from studies.execution.code_version import code_version, refuse_other
from studies.execution.messages import REPLY, Reply
from studies.execution.processes import kill_family, secret_names
from studies.execution.worker import TaskChunk, evaluate_on_worker

_PREFIX = "tautline-workers-"
_LOCK = "driver.lock"


class ScratchFolder:
    """A new folder that its owner alone may enter, locked while its driver lives.

    The kernel ends the lock with the process, however it ends. Making a folder removes those of the same user
    whose lock is free.
    """

    def __init__(self) -> None:
        _remove_abandoned(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # The lock has another name until it is held: one that is free belongs to a driver that is gone.
        begun = self.path / f"{_LOCK}.new"
        self._lock = os.open(begun, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        begun.rename(self.path / _LOCK)

    def remove(self) -> None:
        """Delete the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and _is_free(folder / _LOCK):
                shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _is_free(lock: Path) -> bool:
    """True where nobody holds the lock; raises ``OSError`` where somebody does, or where there is none."""
    handle = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(handle)
    return True


ANSWER_SECONDS = 5.0
CHECK_SECONDS = 30.0
"""Longest wait for the code of the workers that are there."""
COUNT_SECONDS = 1.0
"""Time from one question for the number of workers to the next."""
MEMORY_SECONDS = 1.0
"""Longest wait for the workers' memory, asked for where a design needs much."""
POLL_SECONDS = 0.1

Mail = SimpleQueue[tuple[str, "Reply | concurrent.futures.Future[bytes]"]]
"""Mail from workers: the key of a chunk with outcomes that travelled ahead, or with its end."""


class DaskConnection:
    """A client and, where it is ours, the cluster behind it. Never used again once it was lost."""

    def __init__(
        self,
        client: Client,
        cluster: LocalCluster | None,
        threads: int,
        scratch: ScratchFolder | None = None,
    ) -> None:
        self.client = client
        self._threads = threads
        self.topic = f"tautline-{uuid4().hex}"
        self.warm: set[tuple[str, str]] = set()
        """Models and cost classes that some worker has loaded."""
        self._cluster, self._scratch = cluster, scratch
        self._scheduler: Any = client.scheduler if cluster is None else cluster.scheduler
        self._mail: dict[str, Mail] = {}
        self._count: concurrent.futures.Future[Any] | None = None
        self._asked = -math.inf
        self._counted = time.monotonic()
        self._short_since: float | None = None
        self._empty_since: float | None = None
        self._empty_told = False
        self._lock = threading.Lock()
        client.subscribe_topic(self.topic, self._deliver_ahead)

    @property
    def threads(self) -> int:
        """Evaluations that go on at once: those of our workers, or of those that a scheduler has by now.

        What a scheduler has is asked for again and again, and never waited for.
        """
        with self._lock:
            self._listen()
            return self._threads

    def send(
        self, task_chunk: TaskChunk, mail: Mail, *, urgent: bool = True, large: bool = False
    ) -> tuple[str, Future[Any]]:
        """Send a chunk; what becomes of it goes into ``mail``.

        Workers take urgent chunks first, of other runs too; a ``large`` one goes to those with most memory.
        """
        key = f"tautline-{uuid4().hex}"
        roomy = self._roomiest() if large else []
        placed: dict[str, Any] = {"workers": roomy, "allow_other_workers": True} if roomy else {}
        future = self.client.submit(
            evaluate_on_worker, task_chunk, key=key, pure=False, priority=0 if urgent else -1, **placed
        )
        self._mail[key] = mail
        ending = self._soon(self.client.gather(future, asynchronous=True))

        def ended(found: concurrent.futures.Future[bytes]) -> None:
            self._mail.pop(key, None)
            mail.put((key, found))

        ending.add_done_callback(ended)
        return key, future

    def cancel(self, futures: list[Future[Any]]) -> None:
        """Take chunks back; workers end their children when they hear of it."""
        if futures:
            with contextlib.suppress(Exception):
                self._soon(self.client.cancel(futures, asynchronous=True, force=True)).result(1.0)

    @property
    def connected(self) -> bool:
        """True if the client has its scheduler."""
        return self.client.status == "running"

    def short_for(self) -> float:
        """Seconds for which workers of ours have been missing, or the scheduler has not answered."""
        with self._lock:
            if self._is_short():
                self._short_since = self._short_since or time.monotonic()
                return time.monotonic() - self._short_since
            self._short_since = None
            return 0.0

    def _is_short(self) -> bool:
        if self._cluster is not None:
            return len(self._scheduler.workers) < self._threads
        self._listen()
        return time.monotonic() - self._counted > ANSWER_SECONDS + COUNT_SECONDS

    def empty_for(self) -> tuple[float, bool]:
        """Seconds for which a scheduler of others has had no worker; true once each time that it begins."""
        with self._lock:
            if self._cluster is not None or self._listen() > 0:
                self._empty_since, self._empty_told = None, False
                return 0.0, False
            begins, self._empty_told = not self._empty_told, True
            self._empty_since = self._empty_since or time.monotonic()
            return time.monotonic() - self._empty_since, begins

    def _listen(self) -> int:
        """Hear how many threads the workers of a scheduler of others have, and ask again when it is time."""
        if self._cluster is not None:
            return self._threads
        last, now = self._count, time.monotonic()
        if last is not None and last.done():
            self._count = None
            if last.exception() is None:
                self._threads, self._counted = last.result()["total_threads"], now
        if self._count is None and now - self._asked > COUNT_SECONDS:
            self._asked = now
            answer = asyncio.wait_for(self._scheduler.identity(n_workers=0), ANSWER_SECONDS)
            self._count = self._soon(answer)
        return self._threads

    def _roomiest(self) -> list[str]:
        """Addresses of the workers with the most memory; none where all have the same, or nobody answers."""
        if self._cluster is not None:
            return []
        try:
            answer = asyncio.wait_for(self._scheduler.identity(n_workers=-1), MEMORY_SECONDS)
            workers = self._soon(answer).result(2 * MEMORY_SECONDS)["workers"]
        except Exception:  # noqa: BLE001 - then any worker takes it
            return []
        memory = {address: worker["memory_limit"] or math.inf for address, worker in workers.items()}
        most = max(memory.values(), default=0)
        roomy = [address for address, limit in memory.items() if limit == most]
        return roomy if len(roomy) < len(memory) else []

    def _soon(self, work: Any) -> concurrent.futures.Future[Any]:
        loop: Any = self.client.loop
        coroutine: Coroutine[Any, Any, Any] = _awaited(work)
        return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)

    def _deliver_ahead(self, event: Any) -> None:
        _, message = event
        mail = self._mail.get(message["key"])
        if mail is not None:
            with contextlib.suppress(MalformedError):  # the same outcomes come with the end of the chunk
                mail.put((message["key"], read(REPLY, message["reply"])))

    def check_code(self) -> None:
        """Raise ``WorkerError`` when a worker that is there has other code than this process.

        One that ends meanwhile is passed over; each is asked again with every chunk.
        """
        run = self.client.run(code_version, on_error="return", asynchronous=True)
        try:
            found: dict[str, Any] = self._soon(run).result(CHECK_SECONDS)
        except Exception as error:
            raise WorkerError(f"the workers do not answer ({type(error).__name__}: {error})") from error
        for address, version in found.items():
            if isinstance(version, OSError):
                continue
            if isinstance(version, BaseException):
                raise WorkerError(
                    f"the worker at {address} cannot run this version of Tautline ({version}); install "
                    "the same version there"
                )
            refuse_other(version, code_version(), f"the worker at {address}")

    def close(self, *, lost: bool = False) -> None:
        """End the connection, and the cluster if it is ours; a lost one with force."""
        if self._cluster is not None and lost:
            for nanny in list(self._cluster.workers.values()):
                kill_family(nanny.pid)
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=10)
        if self._scratch is not None:
            self._scratch.remove()


async def _awaited(work: Any) -> Any:
    return await work


def start_local(workers: int, worker_ttl: float) -> DaskConnection:
    """A cluster of single-threaded processes for this driver alone.

    Dask runs whatever a client sends, and every user of this machine can reach its loopback
    addresses: scheduler and workers talk only to who holds the certificate that is made here, in
    memory, for this cluster. The HTTP servers, which Dask always starts, have no page. Its scratch
    folder belongs to this driver: whoever locks one that users share keeps all of them from starting.
    """
    security = Security.temporary()
    scratch = ScratchFolder()
    own = {
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "temporary-directory": str(scratch.path),
    }
    with _children_deaf_to_interrupts(), dask_config.set(own):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,
            local_directory=str(scratch.path),
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False, "allowed_failures": 0, "worker_ttl": worker_ttl},
            silence_logs=logging.CRITICAL,
            env=dict.fromkeys(secret_names(os.environ), ""),
        )
        try:
            client = Client(cluster, security=security, set_as_default=False)
            return DaskConnection(client, cluster, workers, scratch)
        except BaseException:
            cluster.close(timeout=10)
            scratch.remove()
            raise


def connect(
    scheduler: str, security: Security | None, answer: float, closing: threading.Event
) -> DaskConnection:
    """A new client of a scheduler that answers within ``answer`` s, with workers or without.

    Raises ``OSError``, ``ValueError`` or ``TimeoutError`` when there is none, ``WorkerError`` when
    a worker has other code. A scheduler that takes the connection and then says nothing would
    keep Dask waiting for ever, so that a thread waits in our place; ``closing`` ends the wait.
    """
    found: concurrent.futures.Future[DaskConnection] = concurrent.futures.Future()

    def work() -> None:
        try:
            connection = _connect(scheduler, security, answer)
        except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
            if found.set_running_or_notify_cancel():
                found.set_exception(error)
            return
        if found.set_running_or_notify_cancel():
            found.set_result(connection)
        else:
            connection.close()

    threading.Thread(target=work, name="tautline-connecting", daemon=True).start()
    deadline = time.monotonic() + answer + CHECK_SECONDS + ANSWER_SECONDS
    while not (found.done() or closing.is_set() or time.monotonic() > deadline):
        concurrent.futures.wait([found], POLL_SECONDS)
    if found.cancel():
        raise TimeoutError("it does not answer")
    return found.result()


def _connect(scheduler: str, security: Security | None, answer: float) -> DaskConnection:
    client = Client(scheduler, timeout=answer, security=security, set_as_default=False)
    try:
        threads: Any = client.nthreads()
        connection = DaskConnection(client, None, sum(threads.values()))
        connection.check_code()
    except BaseException:
        client.close(timeout=2)
        raise
    return connection


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
