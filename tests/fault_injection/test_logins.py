"""Many wrong logins at once from many addresses: a real server goes on answering everybody else."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from service.access.authenticator import Authenticator
from service.access.passwords import hash_password
from service.access.secret import server_key
from studies.store import Store
from tests.service.serving import Serving
from tests.service.web.conftest import PASSWORD

PATHS = ("/health", "/ready", "/api/v1/studies")
PER_MINUTE, GREEDY = 5, 20
"""Tries to log in that one address may make in a minute, and those that a greedy one makes."""
STORMS = [1, pytest.param(54, marks=pytest.mark.soak)]
"""Addresses that log in as often as each may, besides the greedy one."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def lab(tmp_path):
    """A server with one account, and a token of it."""
    with Store(str(tmp_path / "tautline.db")) as store:
        store.accounts.add("adam", "admin", hash_password(PASSWORD))
        authenticator = Authenticator(store, server_key(tmp_path / "server.key"), accounts=True)
        token = authenticator.issue("token", "adam", "test", "read", 3600.0)[0]
    with Serving(tmp_path, "--accounts", "--no-runner", "--logins-per-minute", str(PER_MINUTE)) as serving:
        yield serving, token
        assert serving.stop()[0] == 0, serving.text()


@dataclass(frozen=True)
class Answer:
    status: int
    retry_after: str | None
    detail: str
    seconds: float


def ask(address, source, method, path, body=None, headers=None):
    """The answer to a request that comes from the address ``source``."""
    place = urlsplit(address)
    start = time.monotonic()
    connection = HTTPConnection(place.hostname, place.port, timeout=120, source_address=(source, 0))
    try:
        connection.request(method, path, body, {"Origin": address, **(headers or {})})
        found = connection.getresponse()
        text = found.read()
        detail = json.loads(text)["detail"] if found.status == 429 else ""
        return Answer(found.status, found.headers["Retry-After"], detail, time.monotonic() - start)
    finally:
        connection.close()


def log_in(address, source, password):
    body = urlencode({"account": "adam", "password": password})
    return ask(address, source, "POST", "/login", body, FORM)


def log_in_at_last(address):
    """The answer to a right login, from another address each time that too many log in at that moment."""
    for number in range(1, 250):
        found = log_in(address, f"127.0.2.{number}", PASSWORD)
        if found.status != 429:
            return found
        time.sleep(0.5)
    return found


@pytest.mark.parametrize("addresses", STORMS)
def test_a_storm_of_wrong_logins_keeps_nobody_else_waiting(addresses, lab):
    sources = ["127.0.1.1"] * GREEDY + [f"127.0.1.{2 + n % addresses}" for n in range(addresses * PER_MINUTE)]
    serving, token = lab
    address, bearer = serving.address, {"Authorization": f"Bearer {token}"}
    others, start = [], time.monotonic()
    with ThreadPoolExecutor(len(sources) + 1) as pool:
        guesses = [pool.submit(log_in, address, source, f"wrong {n}") for n, source in enumerate(sources)]
        right = pool.submit(log_in_at_last, address)
        while not all(login.done() for login in [*guesses, right]):
            others += [ask(address, "127.0.0.2", "GET", path, headers=bearer) for path in PATHS]
        took = time.monotonic() - start
        found = [guess.result() for guess in guesses]
    assert {one.status for one in others} == {200}
    assert max(one.seconds for one in others) < 15.0
    assert right.result().status == 303
    assert right.result().seconds < 150.0, "it waits for those before it, and they are few"
    assert {one.status for one in found} == {401, 429}
    refused = [(source, one) for source, one in zip(sources, found, strict=True) if one.status == 429]
    assert all(one.retry_after is not None for _, one in refused)
    by_rate = [source for source, one in refused if one.detail.startswith("too many login attempts")]
    assert set(by_rate) == {sources[0]}, "of the others, each keeps to what an address may"
    assert len(by_rate) >= GREEDY - PER_MINUTE - took * PER_MINUTE / 60.0 - 1
