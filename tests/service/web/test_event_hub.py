"""What happens is read once for all streams, and whose study it is, is not believed for long."""

import asyncio
import time

import pytest

from service.web import event_hub as module
from service.web.event_hub import EventHub
from studies.launch import check
from studies.study_file import parse_study
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
    tide = EventHub(server.store)

    async def ask():
        begun = await tide.level(oldest=0.0)
        assert tide.since(begun - 1) is None, "what was before is to be read by who wants it"
        assert tide.since(begun) == []
        make("one", "anna")
        make("two")
        levels = await asyncio.gather(*(tide.level(oldest=0.1) for _ in range(20)), tide.level(oldest=0.0))
        return begun, levels[-1]

    begun, level = asyncio.run(ask())
    assert level == begun + 2
    assert len(calls) <= 2
    told = tide.since(begun)
    assert [(t.news.event.study, t.news.owner, t.news.visibility) for t in told] == [
        ("one", "anna", "private"), ("two", "", "private"),
    ]  # fmt: skip
    assert told[0].text.startswith(f"id: {begun + 1}\ndata: {{")
    assert [t.news.event.study for t in tide.since(begun + 1)] == ["two"]


def test_more_than_is_read_at_once_is_all_read(server, make, monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    tide = EventHub(server.store)

    async def ask():
        await tide.level(oldest=0.0)
        for number in range(5):
            make(f"study-{number}")
        return await tide.level(oldest=0.0)

    assert asyncio.run(ask()) == 5
    assert [t.news.event.id for t in tide.since(0)] == [1, 2, 3, 4, 5]


def test_what_was_read_long_ago_is_read_again_by_who_is_late(server, make, monkeypatch):
    monkeypatch.setattr(module, "KEPT_SECONDS", 0.3)
    tide = EventHub(server.store)

    async def ask():
        await tide.level(oldest=0.0)
        make("one")
        return await tide.level(oldest=0.0)

    level = asyncio.run(ask())
    assert tide.since(0) != []
    time.sleep(0.4)
    assert tide.since(0) is None
    assert tide.since(level) == []
