"""The hub reads each event once for all streams, and asks again before long whose study it is."""

import asyncio
import time

import pytest

from service.web import event_stream as module
from service.web.event_stream import EventHub
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from tests.service.routes.conftest import study_text


@pytest.fixture
def make(server):
    """Makes studies of one run each, whose first event is that they are drafts."""

    def make(name, owner=""):
        definition = parse_study(study_text(name))
        if owner:
            server.store.accounts.add(owner, "editor")
        return server.store.create_study(definition, check(definition), owner=owner, launch=False)

    return make


def test_many_ask_and_the_store_is_asked_once(server, make, monkeypatch):
    calls = []
    whole = server.store.news
    monkeypatch.setattr(server.store, "news", lambda *given: calls.append(given) or whole(*given))
    make("before")
    hub = EventHub(server.store)

    async def ask():
        begun = await hub.level(oldest=0.0)
        assert hub.since(begun - 1) is None, "what was before is to be read by who wants it"
        assert hub.since(begun) == []
        make("one", "anna")
        make("two")
        levels = await asyncio.gather(*(hub.level(oldest=0.1) for _ in range(20)), hub.level(oldest=0.0))
        return begun, levels[-1]

    begun, level = asyncio.run(ask())
    assert level == begun + 2
    assert len(calls) <= 2
    told = hub.since(begun)
    assert [(t.news.event.study, t.news.owner, t.news.visibility) for t in told] == [
        ("one", "anna", "private"), ("two", "", "private"),
    ]  # fmt: skip
    assert told[0].text.startswith(f"id: {begun + 1}\ndata: {{")
    assert [t.news.event.study for t in hub.since(begun + 1)] == ["two"]


def test_more_than_is_read_at_once_is_all_read(server, make, monkeypatch):
    monkeypatch.setattr(module, "_READ_AT_ONCE", 2)
    hub = EventHub(server.store)

    async def ask():
        await hub.level(oldest=0.0)
        for number in range(5):
            make(f"study-{number}")
        return await hub.level(oldest=0.0)

    assert asyncio.run(ask()) == 5
    assert [t.news.event.id for t in hub.since(0)] == [1, 2, 3, 4, 5]


def test_what_was_read_long_ago_is_read_again_by_who_is_late(server, make, monkeypatch):
    monkeypatch.setattr(module, "CACHE_SECONDS", 0.3)
    hub = EventHub(server.store)

    async def ask():
        await hub.level(oldest=0.0)
        make("one")
        return await hub.level(oldest=0.0)

    level = asyncio.run(ask())
    assert hub.since(0) != []
    time.sleep(0.4)
    assert hub.since(0) is None
    assert hub.since(level) == []
