"""The stream of events: in order, nothing twice, nothing missed, whoever writes them."""

import json
import subprocess
import sys
import threading
import time

import pytest

from service.app.context import Context
from service.app.request_limits import RequestLimits
from service.app.services import StoreServices
from service.web import event_stream
from studies.definition.study_file import parse_study
from tests.service.routes.conftest import TOML, study_text, work_on

EVENTS = "/api/v1/events"


class Reader:
    """Reads a stream in a thread: frames as they come, each a dictionary of its fields."""

    def __init__(self, client, **options):
        self.frames, self.ended = [], threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(client, options), daemon=True)
        self._thread.start()

    def _read(self, client, options):
        with client.stream("GET", EVENTS, **options) as answer:
            self.status = answer.status_code
            assert answer.headers["content-type"].startswith("text/event-stream")
            frame = {}
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(":")
                    frame[name] = value.strip()
                else:
                    self.frames.append(frame)
                    frame = {}
                if self._stop.is_set():
                    break
        self.ended.set()

    @property
    def events(self):
        return [json.loads(frame["data"]) for frame in self.frames if "data" in frame]

    @property
    def comments(self):
        return [frame for frame in self.frames if "" in frame]

    def until(self, what, seconds=30):
        deadline = time.monotonic() + seconds
        while not what(self):
            assert time.monotonic() < deadline, self.frames
            time.sleep(0.02)
        return self

    def stop(self):
        self._stop.set()


def test_all_that_happened_is_reported_then_a_comment_then_what_happens(done, client, local):
    past = done.store.events(0)
    reader = Reader(client, params={"study": "mixed"}).until(lambda r: r.comments)
    assert [event["id"] for event in reader.events] == [event.id for event in past]
    assert [frame["id"] for frame in reader.frames if "data" in frame] == [str(e.id) for e in past]
    assert set(reader.frames[-1]) == {""}, "the comment comes last"
    local.studies.create(parse_study(study_text("other")))
    local.studies.branch("mixed", "twig")
    both = Reader(client).until(lambda r: r.comments)
    assert {event["study"] for event in both.events} == {"mixed", "other", "twig"}
    assert {event["study"] for event in reader.events} == {"mixed"}
    reader.stop()
    both.stop()


def test_two_processes_write_and_every_reader_sees_all_in_one_order(done, client, tmp_path):
    for name in ("here", "there"):
        made = client.post(
            "/api/v1/studies", params={"launch": True}, content=study_text(name, generations=12), headers=TOML
        )
        assert made.status_code == 202
    start = done.store.last_event()
    readers = [Reader(client, params={"after": start}) for _ in range(3)]
    readers.append(Reader(client, headers={"Last-Event-ID": str(start)}, params={"after": 0}))
    code = """
import sys
from studies.store import Store
from tests.service.routes.conftest import work_on
with Store(sys.argv[1]) as store:
    work_on(store, "there")
"""
    other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "tautline.db")])
    work_on(done.store, "here")
    assert other.wait(60) == 0
    written = [event.id for event in done.store.events(start)]
    assert {event.study for event in done.store.events(start)} == {"here", "there"}
    for reader in readers:
        reader.until(lambda r: len(r.events) >= len(written))
        assert [event["id"] for event in reader.events] == written
        reader.stop()
    resumed = Reader(client, headers={"Last-Event-ID": str(written[4])}).until(lambda r: r.comments)
    assert [event["id"] for event in resumed.events] == written[5:]
    kinds = [event["kind"] for event in readers[0].events if event["study"] == "there"]
    assert kinds == ["running", *["generation"] * 12, "done"]


def test_a_stream_may_begin_with_what_comes(done, client, local):
    reader = Reader(client, params={"after": -1}).until(lambda r: r.comments)
    assert reader.events == []
    local.studies.branch("mixed", "twig")
    reader.until(lambda r: len(r.events) == 4)
    assert {(event["study"], event["kind"]) for event in reader.events} == {("twig", "queued")}
    reader.stop()


def test_silence_is_broken_by_comments(done, client, monkeypatch):
    monkeypatch.setattr(event_stream, "COMMENT_SECONDS", 0.3)
    Reader(client, params={"study": "mixed"}).until(lambda r: len(r.comments) > 3).stop()


def test_streams_end_when_the_server_stops(done, client):
    readers = [Reader(client).until(lambda r: r.comments) for _ in range(3)]
    done.app.state.stopping.set()
    for reader in readers:
        assert reader.ended.wait(30)


def test_an_account_keeps_so_many_streams_open_and_no_more(done, client):
    done.app.state.limits = RequestLimits(streams=2)
    readers = [Reader(client).until(lambda r: r.comments) for _ in range(2)]
    refused = client.get(EVENTS)
    assert (refused.status_code, refused.json()["type"]) == (429, "urn:tautline:problem:limit")
    done.app.state.stopping.set()
    assert all(reader.ended.wait(30) for reader in readers)
    done.app.state.stopping.clear()
    Reader(client).until(lambda r: r.comments).stop()


def test_a_stream_ends_when_its_study_is_gone_or_its_token_revoked(done, client, local):
    token = done.token()
    other = done.client(token)
    watching = Reader(other, params={"study": "mixed"}).until(lambda r: r.comments)
    everything = Reader(other).until(lambda r: r.comments)
    mine = Reader(client).until(lambda r: r.comments)
    local.studies.delete("mixed")
    assert watching.ended.wait(30)
    assert not everything.ended.is_set()
    done.store.tokens.revoke(token.split("_")[1])
    assert everything.ended.wait(30)
    assert not mine.ended.is_set()
    assert client.get(EVENTS, params={"study": "mixed"}).status_code == 404
    mine.stop()


@pytest.mark.parametrize(
    ("params", "headers"),
    [
        ({"after": "x"}, {}),
        ({"after": -2}, {}),
        ({"after": 10**30}, {}),
        ({}, {"Last-Event-ID": "x"}),
        ({}, {"Last-Event-ID": "-1"}),
        ({}, {"Last-Event-ID": "9" * 40}),
    ],
)
def test_what_is_no_number_of_an_event_is_refused(client, params, headers):
    assert client.get(EVENTS, params=params, headers=headers).status_code == 422


def test_events_of_foreign_studies_are_not_reported(lab):
    text = study_text("hers")
    edda, otto, adam = (lab.as_(name) for name in ("edda", "otto", "adam"))
    assert (
        edda.post("/api/v1/studies", params={"launch": True}, content=text, headers=TOML).status_code == 202
    )
    assert otto.get(EVENTS, params={"study": "hers"}).status_code == 404
    seen = [Reader(one).until(lambda r: r.comments) for one in (edda, adam)]
    blind = Reader(otto).until(lambda r: r.comments)
    StoreServices(Context(store=lab.store)).studies.pause("hers")
    for reader in seen:
        reader.until(lambda r: [event["kind"] for event in r.events] == ["queued", "paused"])
    assert edda.patch("/api/v1/studies/hers", json={"visibility": "shared"}).status_code == 200
    StoreServices(Context(store=lab.store)).studies.launch("hers")
    blind.until(lambda r: r.events)
    assert [event["kind"] for event in blind.events] == ["queued"]
    for reader in (*seen, blind):
        reader.stop()
