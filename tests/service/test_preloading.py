"""What a server loads before anybody asks."""

import subprocess
import sys
import threading
from types import SimpleNamespace

from service import server
from studies.launch import check
from studies.study_file import parse_study


def test_everything_is_loaded_in_order_and_a_fault_stops_nothing(monkeypatch):
    done, last = [], threading.Event()

    def fails():
        done.append("fails")
        raise ImportError("a back-end of others")

    steps = [("first", lambda: done.append("first")), ("fails", fails), ("last", last.set)]
    monkeypatch.setattr(server, "_steps", lambda *_: iter(steps))
    with server.Preloader(None):
        assert last.wait(10)
    assert done == ["first", "fails"]


def test_leaving_waits_for_what_is_being_loaded_and_begins_nothing_more(monkeypatch):
    begun, go_on, done = threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        assert go_on.wait(10)
        done.append("slow")

    monkeypatch.setattr(
        server, "_steps", lambda *_: iter([("slow", slow), ("next", lambda: done.append("next"))])
    )
    with server.Preloader(None):
        assert begun.wait(10)
        threading.Timer(0.1, go_on.set).start()
    assert done == ["slow"]


class Pictures:
    """A sandbox that notes what it is to load."""

    def __init__(self):
        self.models = None

    def warm(self, models, should_stop):
        self.models = models
        assert not should_stop()


def test_children_load_the_back_ends_of_the_newest_studies_before_the_server_loads_its_own(store, bnh_study):
    study = parse_study(bnh_study)
    store.create_study(study, check(study))
    pictures = Pictures()
    app = SimpleNamespace(state=SimpleNamespace(store=store, sandbox=pictures))
    steps = dict(server._steps(app, lambda: False))
    steps["pictures"]()
    assert pictures.models == ["bnh"]
    assert list(steps).index("pictures") < list(steps).index("hybrid-cable-robot")


def test_a_warm_server_has_loaded_what_a_first_comparison_imports():
    """In an interpreter of its own, as this one has loaded everything long ago."""
    script = """
import sys
from types import SimpleNamespace
from service import server
for what, step in server._steps(SimpleNamespace(state=SimpleNamespace()), lambda: False):
    if what == "pictures":
        break
    step()
print(*(name in sys.modules for name in ("scipy.stats", "moocore", "pint", "scipy.stats._mannwhitneyu")))
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["True"] * 4
