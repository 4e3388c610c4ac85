"""Connections that fail, or are given up."""

import socket
import threading
import time

import pytest

from models.errors import WorkerError
from studies.execution import link
from studies.execution.cluster import Cluster


def test_closing_gives_up_a_connection_that_is_being_tried(monkeypatch):
    monkeypatch.setattr(Cluster, "_first_connection", lambda _self, _scheduler: None)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        cluster = Cluster(scheduler=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        cluster._link = None
        assert cluster.current() is None
        attempt = cluster._link
        time.sleep(0.3)
        start = time.monotonic()
        cluster.close()
        assert time.monotonic() - start < 8.0
        with pytest.raises(WorkerError, match="given up"):
            attempt.result()


def test_a_local_cluster_without_a_client_is_closed(monkeypatch):
    closed = threading.Event()

    class FakeCluster:
        def __init__(self, **_):
            pass

        def close(self, timeout):
            closed.set()

    def refuse(_cluster):
        raise OSError("no more files")

    monkeypatch.setattr(link, "LocalCluster", FakeCluster)
    monkeypatch.setattr(link, "Client", refuse)
    with pytest.raises(OSError, match="no more files"):
        link.start_local(1, worker_ttl=30.0)
    assert closed.is_set()
