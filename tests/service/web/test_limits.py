"""Limits of the size and the number of requests."""

import threading

import pytest

from service.connections import is_among
from service.web.middleware.bodies import MOST, MOST_OF_A_FORM, most_of
from service.web.middleware.rate_limits import Rate, address_prefix
from studies.definition.study_file import MAX_FILE_BYTES
from tests.service.web.test_identity import told

TOKENS = "/api/v1/tokens"
JSON = {"Content-Type": "application/json"}


def parts(count, size=65536):
    sent = []

    def give():
        for i in range(count):
            sent.append(i)
            yield b" " * size

    return sent, give()


def test_paths_take_what_they_need():
    assert most_of("/api/v1/studies") == most_of("/api/v1/studies/check") == MAX_FILE_BYTES == 256 * 1024
    assert most_of("/api/v1/models/arm/evaluate") == MOST == 1024 * 1024
    assert most_of("/login") == MOST_OF_A_FORM


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_body_may_have_so_many_bytes_and_no_more(server, more, streamed):
    text = b'{"name": "x"}'
    body = text + b" " * (MOST - len(text) + more)
    answer = server.as_("").post(
        TOKENS, content=iter([body[:1000], body[1000:]]) if streamed else body, headers=JSON
    )
    if more:
        problem = told(answer, 413, "too-large")
        assert "1048576" in problem["detail"]
    else:
        assert answer.status_code == 201, answer.text


def test_a_length_that_is_stated_is_enough_to_refuse(server):
    headers = {**JSON, "Content-Length": "99999999999999999999999999"}
    told(server.as_("").post(TOKENS, content=b"{}", headers=headers), 413, "too-large")
    for wrong in ("-1", "1e3", "0x10", "\u0661"):
        headers = {**JSON, "Content-Length": wrong.encode()}
        told(server.as_("").post(TOKENS, content=b"{}", headers=headers), 422, "input")


def test_a_body_of_a_stranger_is_not_read(server):
    received = []
    application = server.app

    async def watched(scope, receive, send):
        async def counted():
            message = await receive()
            received.append(message)
            return message

        await application(scope, counted if scope["type"] == "http" else receive, send)

    server.transport._application = watched
    told(server.client().post(TOKENS, content=b" " * 100_000, headers=JSON), 401, "identity")
    assert received == []
    assert server.as_("").post(TOKENS, json={"name": "x"}).status_code == 201
    assert received


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                                  "", "application/jsonx", "text/json", "application/x-yaml"])  # fmt: skip
def test_only_json_and_toml_are_taken(server, kind):
    answer = server.as_("").post(TOKENS, content=b'{"name": "x"}', headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert answer.json()["status"] == 415
    chunked = server.as_("").post(TOKENS, content=iter([b"{}"]), headers={"Content-Type": kind})
    assert chunked.status_code == 415


def test_json_may_state_its_letters(server):
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert server.as_("").post(TOKENS, content=b'{"name": "x"}', headers=headers).status_code == 201


@pytest.mark.parametrize(("client", "expected"), [
    (("192.0.2.7", 1), "192.0.2.7"), (("::ffff:192.0.2.7", 1), "192.0.2.7"), (None, "nowhere"), (("x", 0), "x"),
    (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"), (("2001:db8:1:2::1", 9), "2001:db8:1:2::/64"),
])  # fmt: skip
def test_where_a_request_comes_from(client, expected):
    assert address_prefix({"client": client}) == expected


@pytest.mark.parametrize(("address", "expected"), [
    ("10.0.0.5", True), ("::ffff:10.0.0.5", True), ("10.0.0.6", False), ("2001:db8::9", True), ("x", False),
])  # fmt: skip
def test_addresses_of_proxies(address, expected):
    assert is_among(address, ["10.0.0.5", "2001:db8::/64"]) is expected


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_rate_fills_again_with_time():
    clock = Clock()
    rate = Rate(6, clock)
    assert [rate.take("a") for _ in range(6)] == [0.0] * 6
    assert rate.take("a") == pytest.approx(10.0)
    clock.now += 9.0
    assert rate.take("a") == pytest.approx(1.0)
    assert rate.take("b") == 0.0
    clock.now += 1.001
    assert rate.take("a") == 0.0
    assert rate.take("a") > 9.0
    clock.now += 3600.0
    assert [rate.take("a") for _ in range(7)].count(0.0) == 6, "pauses do not add up"


def test_names_are_forgotten_and_the_memory_is_bounded():
    clock = Clock()
    rate = Rate(2, clock)
    for i in range(10_000):
        rate.take(f"old {i}")
    clock.now += 61.0
    rate.take("new")
    assert len(rate._buckets) == 1
    for i in range(25_000):
        clock.now += 1e-4
        rate.take(f"flood {i}")
        assert len(rate._buckets) <= 10_000
    assert rate.take("flood 24999") == 0.0
    assert rate.take("flood 24999") > 0.0, "the newest are still counted"


def test_a_rate_counts_every_thread():
    rate = Rate(1000, lambda: 0.0)
    passed = []

    def ask():
        passed.extend(rate.take("a") == 0.0 for _ in range(400))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert passed.count(True) == 1000
