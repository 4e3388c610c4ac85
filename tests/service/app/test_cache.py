"""Kept results are those of the store as it is now, computed once for all who ask meanwhile."""

import itertools
import threading
import time
import tracemalloc
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from service.app import cache as module
from service.app.cache import held, kept
from service.app.studies import Local
from service.resources.studies import Page
from studies.launch import check, run_study
from studies.store import Store
from studies.study_file import parse_study


@dataclass(frozen=True, slots=True)
class Told:
    name: str
    values: dict[str, float]


@pytest.fixture
def searched(store, bnh_study, inline, inline_executor):
    return store, run_study(store, parse_study(bnh_study), inline(inline_executor))


def test_it_is_computed_once_for_all_who_ask_at_a_time(searched):
    store, study = searched
    calls, got = [], []

    def slow():
        calls.append(1)
        time.sleep(0.2)
        return object()

    threads = [
        threading.Thread(target=lambda: got.append(kept(store, "test", study, study.runs, slow)))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(set(map(id, got))) == 1


def test_of_a_study_that_goes_on_all_the_time_waiters_take_what_began_after_they_asked(searched, monkeypatch):
    store, study = searched
    numbers, calls, got = itertools.count(), [], []
    monkeypatch.setattr(store, "asked_counts", lambda _: {1: next(numbers)})
    looks, begun, all_asked = [], threading.Event(), threading.Event()

    def look():
        looks.append(1)
        if len(looks) == 2 + 4:  # the first asked and began, the others asked
            all_asked.set()
        return time.monotonic()

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=look))

    def slow():
        calls.append(1)
        begun.set()
        assert all_asked.wait(30)
        return len(calls)

    threads = [
        threading.Thread(target=lambda: got.append(kept(store, "test", study, study.runs, slow)))
        for _ in range(5)
    ]
    threads[0].start()
    assert begun.wait(30)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [1, 2, 2, 2, 2]


def test_a_run_that_goes_on_is_seen(store, bnh_study, inline, make_executor):
    definition = parse_study(bnh_study)
    store.create_study(definition, check(definition))
    local = Local(store)
    assert local.front("bnh") == []
    run_study(store, definition, inline(make_executor(stop_after=30)), lambda: False)
    first = local.front("bnh")
    assert first
    run_study(store, definition, inline(make_executor()))
    with Store(store._engine.url.database) as fresh:
        assert local.front("bnh") == Local(fresh).front("bnh")
        assert local.front("bnh") != first
        assert local.indicators("bnh") == Local(fresh).indicators("bnh")


def test_what_is_given_out_may_be_changed_without_harm(searched):
    store, _ = searched
    local = Local(store)
    local.front("bnh").clear()
    assert local.front("bnh")


def test_a_study_of_the_same_name_is_another_one(searched, bnh_study, inline, inline_executor):
    store, _ = searched
    local = Local(store)
    assert local.front("bnh")
    store.delete_study("bnh")
    other = parse_study(bnh_study.replace("upper = 3", "upper = 2"))
    run_study(store, other, inline(inline_executor))
    assert all(design.variables["x2"] <= 2 for design in local.front("bnh"))


def test_only_so_many_are_kept(searched, monkeypatch):
    store, study = searched
    monkeypatch.setattr(module, "MOST", 2)
    for what in ("a", "b", "c"):
        assert kept(store, what, study, study.runs, lambda what=what: what) == what
    assert kept(store, "c", study, study.runs, lambda: "new") == "c"
    assert kept(store, "a", study, study.runs, lambda: "new") == "new"


def test_only_so_much_is_kept(searched, monkeypatch):
    store, study = searched
    monkeypatch.setattr(module, "MOST_BYTES", 25_000)

    def made(what, value):
        return kept(store, what, study, study.runs, lambda: value)

    first, second, third, large = (np.full(size, 1.0) for size in (1000, 1000, 1000, 5000))
    for what, value in (("first", first), ("second", second), ("third", third)):
        assert made(what, value) is value
    assert made("first", None) is first
    assert made("large", large) is large, "what is too large to be kept is given out all the same"
    assert made("large", None) is None


@pytest.mark.parametrize("count", [1000, 50_000])
def test_memory_is_told_well_enough(count):
    tracemalloc.start()
    try:
        value = {"rows": [Told(f"name {number}", {"x": number / 7.0}) for number in range(count)]}
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 0.5 * taken < held(value) < 2.0 * taken


def test_arrays_and_models_are_weighed():
    assert held(np.zeros((100, 10))) == 8000
    page = Page[str](items=["x" * 1000])
    assert 1000 < held(page) < 5000
    assert held([]) > 0
