"""Connections that fail, or are given up."""

import concurrent.futures
import contextlib
import http.client
import socket
import stat
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import dask
import psutil
import pytest
from distributed import Client, Security

from errors import WorkerError
from studies.execution import dask_client
from studies.execution.cluster import Cluster
from studies.execution.code_version import code_version
from studies.execution.dask_client import DaskConnection


def test_closing_gives_up_a_connection_that_is_being_tried(monkeypatch):
    monkeypatch.setattr(Cluster, "_first_connection", lambda _self, _scheduler: None)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        cluster = Cluster(scheduler=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        cluster._connection = None
        assert cluster.current() is None
        attempt = cluster._connection
        time.sleep(0.3)
        start = time.monotonic()
        cluster.close()
        assert time.monotonic() - start < 8.0
        with pytest.raises(WorkerError, match="connection to the scheduler was closed"):
            attempt.result()


@pytest.mark.usefixtures("forked_workers")
def test_workers_of_two_drivers_leave_the_users_dask_as_it_was():
    before = dask.config.get("scheduler", None)
    first, second = (dask_client.start_local(1, worker_ttl=60.0) for _ in range(2))
    try:
        assert dask.config.get("scheduler", None) == before
    finally:
        first.close()
        second.close()
    assert dask.config.get("scheduler", None) == before


def test_an_executor_closes_at_once_although_workers_still_start(monkeypatch):
    starting, started, closed = threading.Event(), threading.Event(), threading.Event()

    class Late:
        def close(self):
            closed.set()

    def start_late(_workers, _worker_ttl):
        starting.set()
        assert started.wait(60)
        return Late()

    monkeypatch.setattr(dask_client, "start_local", start_late)
    cluster = Cluster(workers=1)
    assert cluster.current() is None
    assert starting.wait(60)
    cluster.close()
    assert not closed.is_set(), "it did not wait"
    started.set()
    assert closed.wait(60), "what came late is closed all the same"


def test_a_connection_that_failed_is_tried_again_by_whoever_asks_next(monkeypatch):
    answers = [OSError("no workers"), "connection"]

    def start(_workers, _worker_ttl):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def answer():
        while (found := cluster.current()) is None:
            time.sleep(0.01)
        return found

    monkeypatch.setattr(dask_client, "start_local", start)
    cluster = Cluster(workers=1)
    with pytest.raises(WorkerError, match="could not be started: no workers"):
        answer()
    assert answer() == "connection"
    assert answer() == "connection", "it is kept"


def test_a_worker_that_is_lost_while_it_is_asked_for_its_code_is_passed_over(monkeypatch):
    found = {"tcp://127.0.0.1:1": OSError("Stream is closed"), "tcp://127.0.0.1:2": code_version()}
    connection = DaskConnection.__new__(DaskConnection)
    connection.client = SimpleNamespace(run=lambda *_, **__: None)
    answered = concurrent.futures.Future()
    answered.set_result(found)
    monkeypatch.setattr(DaskConnection, "_soon", lambda _self, _work: answered)
    connection.check_code()
    found["tcp://127.0.0.1:1"] = ModuleNotFoundError("No module named 'studies'")
    with pytest.raises(WorkerError, match=r"127\.0\.0\.1:1 cannot run this version of Tautline"):
        connection.check_code()


def test_a_local_cluster_without_a_client_is_closed(monkeypatch):
    closed = threading.Event()

    class FakeCluster:
        def __init__(self, **_):
            pass

        def close(self, timeout):
            closed.set()

    def refuse(_cluster, **_):
        raise OSError("no more files")

    monkeypatch.setattr(dask_client, "LocalCluster", FakeCluster)
    monkeypatch.setattr(dask_client, "Client", refuse)
    with pytest.raises(OSError, match="no more files"):
        dask_client.start_local(1, worker_ttl=30.0)
    assert closed.is_set()


@pytest.fixture(scope="module")
def local():
    opened = dask_client.start_local(1, worker_ttl=60.0)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "security",
    [None, Security.temporary(), Security(require_encryption=True)],
    ids=["none", "another certificate", "no certificate"],
)
def test_a_local_cluster_refuses_whoever_has_not_its_certificate(local, security):
    address = local.client.scheduler.addr
    assert address.startswith("tls://127.0.0.1:")
    given = address if security is not None else address.replace("tls://", "tcp://")
    with pytest.raises((OSError, TypeError)):
        Client(given, security=security, timeout=5, set_as_default=False)
    (worker,) = local.client.nthreads()
    assert worker.startswith("tls://")
    with socket.create_connection(("127.0.0.1", int(worker.rsplit(":", 1)[1]))) as plain:
        plain.settimeout(30)
        plain.sendall(b"\x00" * 64)
        with contextlib.suppress(ConnectionResetError):
            assert b"tcp" not in plain.recv(4096)
            assert plain.recv(4096) == b"", "it ends the conversation"
    assert local.client.submit(abs, -1).result(30) == 1


def status(port, path):
    """Status that an HTTP server answers there; None where none listens."""
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10).status
    except urllib.error.HTTPError as refused:
        return refused.code
    except (OSError, http.client.HTTPException):
        return None


def test_processes_of_a_local_cluster_show_no_page_and_no_key(local, listening_addresses):
    assert local.client.submit(abs, -2).result(30) == 2
    ports = {address.port for address in listening_addresses()}
    paths = ("/info/main/workers.html", "/json/counts.json", "/metrics", "/proxy/1/127.0.0.1/")
    answers = [status(port, path) for port in ports for path in paths]
    assert set(answers) <= {404, None}
    assert answers.count(404) >= len(paths), "the scheduler's HTTP server was asked"
    family = psutil.process_iter(["cmdline"])
    assert not [p for p in family if "PRIVATE KEY" in " ".join(p.info["cmdline"] or ())]


def test_the_scratch_folder_belongs_to_the_cluster_and_goes_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    opened = dask_client.start_local(1, worker_ttl=60.0)
    try:
        folders = list(tmp_path.iterdir())
        assert [folder.name.startswith("tautline-") for folder in folders] == [True], (
            "a folder that users share"
        )
        assert stat.S_IMODE(folders[0].stat().st_mode) == 0o700
        worker = opened.client.run(lambda dask_worker: dask_worker.local_directory)
        assert [Path(used).is_relative_to(folders[0]) for used in worker.values()] == [True]
    finally:
        opened.close()
    assert list(tmp_path.iterdir()) == []
