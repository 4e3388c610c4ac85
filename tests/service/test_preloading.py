"""What a server loads before anybody asks."""

import threading

from service import server


def test_everything_is_loaded_in_order_and_a_fault_stops_nothing(monkeypatch):
    done, last = [], threading.Event()

    def fails():
        done.append("fails")
        raise ImportError("a back-end of others")

    steps = [("first", lambda: done.append("first")), ("fails", fails), ("last", last.set)]
    monkeypatch.setattr(server, "_steps", lambda: iter(steps))
    with server.Warming():
        assert last.wait(10)
    assert done == ["first", "fails"]


def test_leaving_waits_for_what_is_being_loaded_and_begins_nothing_more(monkeypatch):
    begun, go_on, done = threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        assert go_on.wait(10)
        done.append("slow")

    monkeypatch.setattr(
        server, "_steps", lambda: iter([("slow", slow), ("next", lambda: done.append("next"))])
    )
    with server.Warming():
        assert begun.wait(10)
        threading.Timer(0.1, go_on.set).start()
    assert done == ["slow"]
