"""Event streams that break, end, fall silent, or come from a server that starts again."""

import httpx
import pytest

from errors import AbsentError, UnreachableError
from service.client import Client, watching, wire
from tests.service.client.test_wire import LOST, Scripted

RUN = (
    '{"id": 1, "layout": "default", "seed": 1, "state": "%s", "generations": 0, "designs": 0, "computed": 0, '
    '"feasible": 0, "failed": 0, "front": 0, "hypervolume": null, "owner": "", "message": "", "reasons": [], '
    '"warnings": []}'
)
STUDY = (
    b'{"name": "bnh", "model": "bnh", "model_title": "Bnh", "description": "", "state": "done", "runs": 1, "done": 1, "created": '
    b'"2026-01-01T00:00:00Z", "owner": "", "visibility": "private", "archived": false, "definition": {}, '
    b'"branch_of": null, "revision": 0}'
)
COMMENT = ": all so far\n\n"


def event(number, kind):
    return (
        f'id: {number}\ndata: {{"id": {number}, "study": "bnh", "layout": "default", "seed": 1, '
        f'"time": "2026-01-01T00:00:00Z", "kind": "{kind}", "message": ""}}\n\n'
    )


class Breaking(httpx.SyncByteStream):
    """A body that may end with an error."""

    def __init__(self, text, error=None):
        self.text, self.error = text, error

    def __iter__(self):
        yield self.text.encode()
        if self.error:
            raise self.error


class Server(httpx.BaseTransport):
    """A study whose run takes these states, look for look, and these streams, one per connection."""

    def __init__(self, states, streams):
        self.states, self.streams = list(states), list(streams)
        self.asked = []

    def handle_request(self, request):
        if request.url.path.endswith("/runs"):
            state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
            if isinstance(state, Exception):
                raise state
            return httpx.Response(200, text=f'{{"items": [{RUN % state}], "next": null}}')
        if request.url.path.endswith("/events"):
            self.asked.append(request.url.params["after"])
            stream = self.streams.pop(0) if len(self.streams) > 1 else self.streams[0]
            if isinstance(stream, Exception):
                raise stream
            return httpx.Response(200, stream=stream)
        return httpx.Response(200, content=STUDY)


@pytest.fixture(autouse=True)
def waited(monkeypatch):
    slept = []
    monkeypatch.setattr(wire.time, "sleep", slept.append)
    monkeypatch.setattr(watching.time, "sleep", slept.append)
    return slept


def told(server, after=0):
    return [(e.id, e.kind) for e in Client("http://127.0.0.1:8000", "t", server).events.follow("bnh", after)]


def test_an_ended_study_is_reported_up_to_the_first_comment():
    server = Server(["done"], [Breaking(event(1, "queued") + event(2, "done") + COMMENT + event(9, "never"))])
    assert told(server) == [(1, "queued"), (2, "done")]
    assert server.asked == ["0"]


def test_a_broken_connection_goes_on_after_the_last_event(waited):
    first = Breaking(event(1, "queued") + event(2, "running") + "id: 3\ndata: {", LOST)
    second = Breaking(event(2, "running") + event(3, "generation"), httpx.ReadTimeout("silence"))
    third = Breaking(event(3, "generation") + event(4, "done"))
    server = Server(["running"] * 3 + ["done"], [first, second, third, Breaking(COMMENT)])
    assert [number for number, _ in told(server)] == [1, 2, 3, 4]
    assert server.asked == ["0", "2", "3", "4"]
    assert waited == [watching.PAUSES[0]] * 2


def test_a_server_that_starts_again_is_waited_for(waited):
    server = Server(
        ["running", *[httpx.ConnectError("refused")] * 10, "running", "done"],
        [Breaking(event(1, "running")), Breaking(event(2, "done")), Breaking(COMMENT)],
    )
    assert told(server) == [(1, "running"), (2, "done")]
    assert sum(waited) > 5


def test_a_server_that_stays_away_is_given_up(waited):
    server = Server(["running"], [httpx.ConnectError("refused")])
    with pytest.raises(UnreachableError, match="cannot be reached"):
        told(server)
    assert 30 < sum(waited) < 300


def test_a_stream_that_always_ends_at_once_is_given_up(waited):
    with pytest.raises(UnreachableError, match="several times in a row"):
        told(Server(["running"], [Breaking("")]))
    assert len(waited) == len(watching.PAUSES)


def test_events_of_a_study_that_is_gone_end_in_the_servers_words():
    gone = (404, b'{"type": "urn:tautline:problem:absent", "detail": "unknown study"}')
    client = Client("http://127.0.0.1:8000", "t", Scripted((200, STUDY), gone))
    with pytest.raises(AbsentError, match="unknown study"):
        list(client.events.follow("bnh"))
