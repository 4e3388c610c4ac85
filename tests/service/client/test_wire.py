"""Requests that are sent again, others that are not, and the error when nobody answers."""

import httpx
import pytest

from errors import InputError, LimitError, ServerError, UnreachableError
from service.client import Client, wire
from service.resources.models import EvaluationRequest
from service.resources.studies import StudyEdit
from studies.definition.study_file import parse_study

ADDRESS = "http://127.0.0.1:8000"


class Scripted(httpx.BaseTransport):
    """Answers, or fails, as it was told; the last thing again and again."""

    def __init__(self, *script):
        self.script = list(script)
        self.requests = []

    def handle_request(self, request):
        request.read()
        self.requests.append(request)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(step, Exception):
            raise step
        status, body, *headers = step
        return httpx.Response(status, content=body, headers=dict(*headers))


MODELS = (200, b'{"items": [], "next": null}')
LOST = httpx.ReadError("connection reset")
REFUSED = httpx.ConnectError("connection refused")
BUSY = (503, b'{"type": "urn:tautline:problem:not-ready", "title": "t", "detail": "no", "request_id": "1"}')


@pytest.fixture(autouse=True)
def waited(monkeypatch):
    """Seconds that were slept, without sleeping."""
    slept = []
    monkeypatch.setattr(wire.time, "sleep", slept.append)
    return slept


def client_of(*script):
    transport = Scripted(*script)
    return Client(ADDRESS, "secret", transport), transport.requests


@pytest.mark.parametrize("trouble", [LOST, REFUSED, BUSY, (502, b"<html>")])
def test_what_only_reads_is_asked_again(trouble):
    client, requests = client_of(trouble, trouble, MODELS)
    assert client.models.list().items == []
    assert len(requests) == 3


def test_in_the_end_the_trouble_is_reported():
    for trouble, kind in ((LOST, UnreachableError), (REFUSED, UnreachableError), ((500, b""), ServerError)):
        client, _ = client_of(trouble)
        with pytest.raises(kind, match=r"127\.0\.0\.1:8000"):
            client.models.list()


@pytest.mark.parametrize("trouble", [LOST, BUSY])
def test_a_change_that_may_have_happened_is_not_asked_for_again(trouble):
    for change in (
        lambda c: c.studies.delete("bnh"),
        lambda c: c.studies.edit("bnh", StudyEdit(description="x"), 3),
    ):
        client, requests = client_of(trouble)
        with pytest.raises(Exception, match=r"cannot be reached|no"):
            change(client)
        assert len(requests) == 1


def test_a_change_that_cannot_have_arrived_is_asked_for_again():
    client, requests = client_of(REFUSED, (200, b'{"name": "bnh", "evaluations": 3}'))
    assert client.studies.delete("bnh").evaluations == 3
    assert len(requests) == 2


def test_a_study_is_created_under_one_key_however_often_it_is_sent(bnh_study):
    client, requests = client_of(LOST, LOST, (422, b'{"type": "urn:tautline:problem:input", "detail": "x"}'))
    for _ in range(2):
        with pytest.raises(InputError):
            client.studies.create(parse_study(bnh_study))
    keys = [request.headers["Idempotency-Key"] for request in requests]
    assert len(keys) == 4
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert requests[0].content == requests[1].content


def test_a_full_queue_is_waited_for_as_long_as_it_says_but_not_for_ever(waited):
    limited = b'{"type": "urn:tautline:problem:limit", "detail": "too many"}'
    client, requests = client_of((429, limited, {"Retry-After": "7"}), MODELS)
    assert client.models.list().items == []
    assert waited == [7.0]
    client, requests = client_of((429, limited, {"Retry-After": "600"}))
    with pytest.raises(LimitError) as caught:
        client.models.list()
    assert caught.value.retry_after == 600.0
    assert len(requests) == 1


def test_an_answer_that_takes_too_long_is_given_up():
    client, requests = client_of(httpx.ReadTimeout("slow"))
    with pytest.raises(UnreachableError, match="in time"):
        client.models.list()
    assert len(requests) == 1


def test_a_certificate_that_nobody_trusts_is_reported_as_that():
    client, _ = client_of(httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate"))
    with pytest.raises(UnreachableError, match="SSL_CERT_FILE"):
        client.models.list()


@pytest.mark.parametrize(
    "body", [b"<html>", b"{}", b'{"items": [{"model": 1}]}', b'{"items": [], "more": 1}']
)
def test_an_answer_of_another_version_is_reported_as_that(body):
    client, _ = client_of((200, body))
    with pytest.raises(ServerError, match="same version"):
        client.models.list()


def test_the_token_stands_in_the_header_of_every_request_and_goes_nowhere_else():
    client, requests = client_of((302, b"", {"Location": "https://elsewhere.example.org/"}))
    with pytest.raises(ServerError):
        client.models.list()
    assert [request.url.host for request in requests] == ["127.0.0.1"]
    assert requests[0].headers["Authorization"] == "Bearer secret"
    assert "secret" not in str(requests[0].url)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a?b", "a#b", "A", "%2e", "a" * 65, "ä", "a\n"])
def test_a_name_that_no_study_can_have_is_not_put_into_an_address(name):
    client, requests = client_of(MODELS)
    for ask in (
        client.studies.get, client.studies.delete, client.exports.report, client.studies.pause, client.runs.list
    ):  # fmt: skip
        with pytest.raises(InputError, match="unknown study"):
            ask(name)
    assert {request.url.path for request in requests} == {"/api/v1/studies"}
    for ask in (client.models.get, client.models.check):
        with pytest.raises(InputError, match="unknown model"):
            ask(f"{name}/")
    for ask in (client.designs.reproduce, client.designs.get):
        with pytest.raises(InputError, match="is not a key"):
            ask(name)


def test_numbers_that_json_cannot_hold_are_refused_before_anything_is_sent():
    client, requests = client_of(MODELS)
    with pytest.raises(InputError, match="finite"):
        client.models.evaluate("bnh", EvaluationRequest(settings={"x1": [1.0, float("nan")]}))
    assert requests == []
