"""A store that another program holds, and passwords that are guessed by many: the server goes on."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from errors import StoreBusyError
from service.web.app import create_app
from service.web.routes import session
from studies.store import Store
from tests.inprocess import InProcess
from tests.service.web.conftest import ADDRESS, PASSWORD
from tests.service.web.test_identity import ME

STUDY = """
name = "late"
model = "bnh"
variables.x1 = { lower = 0, upper = 5 }
variables.x2 = { lower = 0, upper = 3 }
objectives.f1 = "minimize"
objectives.f2 = "minimize"
search.algorithm = "nsga2"
search.population = 4
search.generations = 1
"""


@pytest.fixture
def impatient(make_server, settings, kept_password, tmp_path):
    """The lab's server with a store that waits as briefly as a server's should, and the file of it."""
    made = make_server(settings.model_copy(update={"accounts": True}))
    made.store.accounts.add("adam", "admin", kept_password)
    path = str(tmp_path / "tautline.db")
    token = made.token("adam")
    with Store(path, patience=0.3) as store:
        app = create_app(made.settings, store)
        with InProcess(app) as transport, closing(app.state.sandbox):
            made.store, made.app, made.transport = store, app, transport
            yield made, path, token


@pytest.fixture
def locked(impatient):
    """The same while a backup tool has forgotten to commit."""
    server, path, token = impatient
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield server, other, token


def launch(client):
    return client.post("/api/v1/studies", content=STUDY, headers={"Content-Type": "application/toml"})


def test_reads_health_and_login_go_on_while_the_store_is_locked(locked):
    server, other, token = locked
    program = server.client(token)
    assert program.get("/api/v1/studies").status_code == 200
    assert program.get("/ready").status_code == 200
    assert program.get("/health").status_code == 200
    browser = server.client(headers={"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"})
    answer = browser.post("/login", data={"account": "adam", "password": PASSWORD})
    assert answer.status_code == 303
    assert browser.get(ME).json()["account"] == "adam"
    assert browser.get("/").status_code == 200
    other.execute("ROLLBACK")
    assert browser.get(ME).status_code == 200
    assert len(server.store.tokens.sessions("adam")) == 1, "the session is stored once that can be done"
    assert browser.post("/logout").status_code == 303
    assert server.client(cookies=dict(browser.cookies)).get(ME).status_code == 401


def test_a_session_that_could_not_be_stored_ends_like_any_other(locked):
    server, other, _ = locked
    browser = server.client(headers={"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"})
    assert browser.post("/login", data={"account": "adam", "password": PASSWORD}).status_code == 303
    cookies = dict(browser.cookies)
    assert server.client(cookies=cookies).get(ME).status_code == 200
    assert browser.post("/logout").status_code == 303
    assert server.client(cookies=cookies).get(ME).status_code == 401
    assert browser.post("/login", data={"account": "adam", "password": PASSWORD}).status_code == 303
    other.execute("ROLLBACK")
    server.store.accounts.set_password("adam", "argon2's text of another one")  # as the shell does
    assert browser.get(ME).status_code == 401
    assert server.store.tokens.sessions("adam") == []


def test_writes_are_refused_within_seconds_and_take_no_thread_from_reads(locked):
    server, other, token = locked
    client = server.client(token)
    with ThreadPoolExecutor(90) as pool:
        start = time.monotonic()
        writes = [pool.submit(launch, client) for _ in range(80)]
        assert client.get("/api/v1/studies").status_code == 200
        answers = [write.result() for write in writes]
        took = time.monotonic() - start
    assert {answer.status_code for answer in answers} == {503}
    assert {answer.headers["retry-after"] for answer in answers} == {"5"}
    assert {answer.json()["type"] for answer in answers} == {"urn:tautline:problem:store-busy"}
    assert took < 60.0, "each alone would have waited a minute"
    other.execute("ROLLBACK")
    deadline = time.monotonic() + 30
    while (answer := launch(client)).status_code == 503 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert answer.status_code in {201, 202}, answer.text


def test_a_login_link_that_met_a_locked_store_is_still_valid(settings, make_server, tmp_path):
    made = make_server(settings)
    path, link = str(tmp_path / "tautline.db"), made.app.state.sessions.link_text()
    with Store(path, patience=0.3) as store:
        app = create_app(settings, store)
        with InProcess(app) as made.transport, closing(app.state.sandbox):
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                browser = made.client(headers={"Accept": "text/html"})
                refused = browser.get("/login", params={"token": link})
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
                assert "Your login link is still valid. Reload this page in a few seconds." in refused.text
                assert "set-cookie" not in refused.headers
                program = made.client().get("/login", params={"token": link})
                assert program.json()["type"] == "urn:tautline:problem:store-busy"
                other.execute("ROLLBACK")
            assert browser.get("/login", params={"token": link}).status_code == 303
            assert browser.get(ME).json()["role"] == "admin"
            assert made.client().get("/login", params={"token": link}).status_code == 401, "it works once"


def test_a_page_that_meets_a_locked_store_says_when_to_try_again(locked, monkeypatch):
    server, _, token = locked

    def busy(*_):
        raise StoreBusyError("another program holds the store")

    monkeypatch.setattr("studies.store.studies.find", busy)
    answer = server.client(token, headers={"Authorization": f"Bearer {token}", "Accept": "text/html"}).get(
        "/studies/any"
    )
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "Another program has locked the store" in answer.text


def test_guessed_passwords_wait_without_a_thread_of_other_requests(impatient, monkeypatch):
    server, _, token = impatient
    going, let_go = threading.Semaphore(0), threading.Event()

    def slow(_password, _kept):
        going.release()
        assert let_go.wait(60)
        return False

    monkeypatch.setattr("service.access.sessions.password_matches", slow)
    monkeypatch.setattr(session, "MOST_WAITING", 60)
    client = server.client(token)
    browser = server.client(headers={"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"})

    def guess(n):
        return browser.post("/login", data={"account": "adam", "password": f"wrong {n}"}).status_code

    with ThreadPoolExecutor(80) as pool:
        guesses = [pool.submit(guess, n) for n in range(80)]
        try:
            assert going.acquire(timeout=30)
            deadline = time.monotonic() + 30
            while sum(one.done() for one in guesses) < 80 - 60 - 2:  # those that are sent away
                assert time.monotonic() < deadline
                time.sleep(0.01)
            for _ in range(5):
                assert client.get("/api/v1/studies").status_code == 200
                assert client.get("/ready").status_code == 200
        finally:
            let_go.set()
        found = [guess.result() for guess in guesses]
    assert set(found) <= {401, 429}
    assert found.count(429) == 80 - 60 - 2, "more than may wait are sent away, however fast they come"
