"""Kept results are those of the store as it is now, computed once for all who ask meanwhile."""

import threading

import pytest

from service.app.cache import Cache
from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.run.launch import run_study
from studies.store import Store


@pytest.fixture
def searched(store, bnh_study, inline, inline_executor):
    return store, run_study(store, parse_study(bnh_study), inline(inline_executor))


def test_it_is_computed_once_for_all_who_need_it_at_a_time():
    cache, calls, got = Cache(), [], []
    begun, release = threading.Event(), threading.Event()

    def slow():
        calls.append(1)
        begun.set()
        assert release.wait(30)
        return object()

    threads = [threading.Thread(target=lambda: got.append(cache.get("test", 1, slow))) for _ in range(5)]
    threads[0].start()
    assert begun.wait(30)
    for thread in threads[1:]:
        thread.start()
    release.set()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(set(map(id, got))) == 1


def test_another_stamp_is_computed_anew_and_waits_for_no_other():
    cache, release = Cache(), threading.Event()
    begun = threading.Event()

    def slow():
        begun.set()
        assert release.wait(30)
        return "old"

    thread = threading.Thread(target=lambda: cache.get("test", 1, slow))
    thread.start()
    assert begun.wait(30)
    assert cache.get("test", 2, lambda: "new") == "new"
    assert cache.get("other", 1, lambda: "other") == "other"
    release.set()
    thread.join()
    assert cache.get("test", 2, lambda: "newer") == "newer", "of a key, what was computed last is kept"


def test_what_fails_is_computed_again():
    cache = Cache()
    with pytest.raises(ZeroDivisionError):
        # pyrefly: ignore[division-by-zero]
        cache.get("test", 1, lambda: 1 / 0)
    assert cache.get("test", 1, lambda: "found") == "found"


def test_of_several_keys_those_that_are_missing_are_computed_together():
    cache, asked = Cache(), []

    def compute(missing):
        asked.append(missing)
        return {key: key.upper() for key in missing}

    assert cache.get_all({"a": 1, "b": 1}, compute) == {"a": "A", "b": "B"}
    assert cache.get_all({"a": 1, "b": 2, "c": 1}, compute) == {"a": "A", "b": "B", "c": "C"}
    assert cache.get_all({"a": 1}, compute) == {"a": "A"}
    assert asked == [["a", "b"], ["b", "c"]]


def test_a_run_that_goes_on_is_seen(store, bnh_study, inline, make_executor):
    definition = parse_study(bnh_study)
    store.create_study(definition, check(definition))
    local = StoreServices(Context(store=store))
    assert local.fronts.list("bnh").items == []
    run_study(store, definition, inline(make_executor(stop_after=30)), lambda: False)
    first = local.fronts.list("bnh").items
    assert first
    run_study(store, definition, inline(make_executor()))
    with Store(store._engine.url.database) as fresh:
        assert local.fronts.list("bnh").items == StoreServices(Context(store=fresh)).fronts.list("bnh").items
        assert local.fronts.list("bnh").items != first
        assert local.runs.indicators("bnh") == StoreServices(Context(store=fresh)).runs.indicators("bnh")


def test_what_is_given_out_may_be_changed_without_harm(searched):
    store, _ = searched
    local = StoreServices(Context(store=store))
    local.fronts.list("bnh").items.clear()
    assert local.fronts.list("bnh").items


def test_a_study_of_the_same_name_is_another_one(searched, bnh_study, inline, inline_executor):
    store, _ = searched
    local = StoreServices(Context(store=store))
    assert local.fronts.list("bnh").items
    store.delete_study("bnh")
    other = parse_study(bnh_study.replace("upper = 3", "upper = 2"))
    run_study(store, other, inline(inline_executor))
    assert all(design.variables["x2"] <= 2 for design in local.fronts.list("bnh").items)


def test_only_so_much_is_kept():
    cache = Cache(2)

    def made(what, value):
        return cache.get(what, 1, lambda: value)

    assert made("first", 1) == 1
    assert made("second", 2) == 2
    assert made("first", None) == 1
    assert made("third", 3) == 3
    assert made("first", None) == 1
    assert made("second", None) is None, "what was not needed for the longest time went first"


def test_a_comparison_says_how_runs_stand_now(store, bnh_study):
    """A run that ends without another design changes states alone."""
    definition = parse_study(bnh_study)
    name = store.create_study(definition, check(definition)).name
    services = StoreServices(Context(store=store))
    services.studies.launch(name)
    assert services.comparisons.layouts(name)
    before = services.comparisons.studies([name]).verdict
    services.studies.stop(name)
    after = services.comparisons.studies([name]).verdict
    assert "Not finished" in before[0]
    assert "Ended early" in after[0]
