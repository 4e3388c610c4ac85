"""Webhooks: what is sent, to whom, how often, and what comes of failures."""

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import httpx
import pytest
import structlog

from errors import InputError
from service import webhooks
from service.settings import Settings, printable
from service.webhooks import GIVE_UP_SECONDS, Delivery, Sender, check_webhooks, secret_text
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.conftest import InlineExecutor

SECRET = bytes(range(32))
SITE = "https://lab.example"


class Receiver:
    """A server that keeps what it is sent, and answers ``status``."""

    def __init__(self, port=0):
        self.got, self.status, self.location = [], 204, ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((self.path, dict(self.headers), body))
                self.send_response(outer.status)
                if outer.location:
                    self.send_header("Location", outer.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hooks/secret-path"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def bodies(self):
        return [json.loads(body) for _, _, body in self.got]


@pytest.fixture
def receiver():
    opened = Receiver()
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def logs():
    with structlog.testing.capture_logs() as found:
        yield found


def verify(secret, headers, body):
    """As the specification of Standard Webhooks has it."""
    sent = {name.lower(): value for name, value in headers.items()}
    assert abs(int(sent["webhook-timestamp"]) - time.time()) < 300
    signed = b".".join([sent["webhook-id"].encode(), sent["webhook-timestamp"].encode(), body])
    expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    assert sent["webhook-signature"] == f"v1,{expected}"
    return sent["webhook-id"]


def working(store, url, *, private=True):
    """A delivery to an address, and a function that takes its steps until it has nothing to do."""
    delivery = Delivery(store, Sender(url, SECRET, private=private), SITE, threading.Event())
    held = store.webhooks.begin(url, webhooks.shown_address(url))
    return SimpleNamespace(delivery=delivery, id=held.id, step=lambda: delivery.step(held.id))


def until_idle(work):
    while work.step() == 0.0:
        pass


def finish(store, text, inline):
    return run_study(store, parse_study(text), inline(InlineExecutor()))


def test_each_end_of_a_run_is_told_once_and_signed(store, bnh_study, inline, receiver, logs):
    finish(store, bnh_study.replace('"bnh"', '"before"', 1), inline)
    work = working(store, receiver.url)
    until_idle(work)
    assert receiver.got == [], "what ended before is no news"
    finish(store, bnh_study.replace("seeds = [1]", "seeds = [1, 2]"), inline)
    until_idle(work)
    until_idle(working(store, receiver.url))
    assert len(receiver.got) == 2
    ids = {verify(SECRET, headers, body) for _, headers, body in receiver.got}
    assert len(ids) == 2
    first, second = receiver.bodies()
    assert first["type"] == "run.done"
    assert first["data"] == {
        "study": "bnh", "layout": "default", "seed": 1, "state": "done", "message": first["data"]["message"],
        "runs_left": 0, "link": f"{SITE}/studies/bnh",
    }  # fmt: skip
    assert "on the front" in first["data"]["message"]
    assert second["data"]["seed"] == 2
    assert receiver.got[0][0] == "/hooks/secret-path"
    (kept,) = store.webhooks.all()
    assert (kept.delivered, kept.attempts, kept.problem) == (2, 0, "")
    assert "secret-path" not in json.dumps([kept.address, *logs], default=str)


def test_a_receiver_that_is_down_is_asked_again_and_told_in_order(store, bnh_study, inline, monkeypatch):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.02)
    first = Receiver()
    work = working(store, first.url)
    first.close()
    finish(store, bnh_study.replace("seeds = [1]", "seeds = [1, 2]"), inline)
    for attempts in (1, 2):
        while work.step() != 0.0:
            time.sleep(0.01)
        kept = store.webhooks.find(work.id)
        assert (kept.attempts, kept.delivered) == (attempts, 0)
        assert kept.due - kept.tried == pytest.approx(0.02 * 2 ** (attempts - 1), abs=1e-6)
    assert "ConnectError" in kept.problem
    again = Receiver(first.port)
    again.status = 503
    while not again.got:
        work.step()
        time.sleep(0.01)
    assert store.webhooks.find(work.id).problem == "the receiver answered 503"
    again.status = 200
    while store.webhooks.find(work.id).delivered < 2:
        work.step()
        time.sleep(0.01)
    again.close()
    assert [body["data"]["seed"] for body in again.bodies()] == [1, 1, 2]
    ids = [headers["webhook-id"] for _, headers, _ in again.got]
    assert ids[0] == ids[1] != ids[2]


def test_an_old_event_is_given_up_and_the_next_one_told(
    store, bnh_study, inline, receiver, monkeypatch, logs
):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.0)
    work = working(store, receiver.url)
    finish(store, bnh_study.replace("seeds = [1]", "seeds = [1, 2]"), inline)
    receiver.status = 500
    assert work.step() == 0.0
    own = time.time
    monkeypatch.setattr(webhooks.time, "time", lambda: own() + GIVE_UP_SECONDS + 60)
    assert work.step() == 0.0
    kept = store.webhooks.find(work.id)
    assert (kept.dropped, kept.attempts, kept.delivered) == (1, 0, 0)
    assert any(line["event"] == "webhook given up" for line in logs)
    monkeypatch.setattr(webhooks.time, "time", own)
    receiver.status = 200
    until_idle(work)
    assert [body["data"]["seed"] for body in receiver.bodies()] == [1, 1, 2]


def test_two_servers_on_a_store_do_not_both_deliver(store, bnh_study, inline, receiver):
    one, two = (working(store, receiver.url) for _ in range(2))
    finish(store, bnh_study, inline)
    held = store.webhooks.find(one.id)
    assert store.webhooks.claim(held, 30.0)
    assert not store.webhooks.claim(held, 30.0)
    assert two.step() > 0.0
    assert receiver.got == []


def test_a_late_end_of_a_delivery_changes_nothing_once_another_server_has_gone_on(store, receiver):
    """A server that was held up, such as one that slept, ends its delivery after its claim."""
    late = store.webhooks.find(working(store, receiver.url).id)
    store.webhooks.delivered(late, late.event + 7)
    ahead = store.webhooks.find(late.id)
    store.webhooks.failed(late, "late", 60.0)
    store.webhooks.gave_up(late, late.event + 1, "late")
    store.webhooks.delivered(late, late.event + 1)
    store.webhooks.passed(late, late.event + 1)
    assert store.webhooks.find(late.id) == ahead
    assert store.webhooks.claim(ahead, 30.0)
    store.webhooks.passed(ahead, ahead.event + 1)
    assert store.webhooks.find(late.id).event == ahead.event, "its delivery is another server's"


def test_a_receiver_that_answers_drop_by_drop_ends_at_the_deadline(monkeypatch):
    assert webhooks.DEADLINE_SECONDS < webhooks.CLAIM_SECONDS
    monkeypatch.setattr(webhooks, "DEADLINE_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip():
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                for _ in range(200):
                    connection.sendall(b"x")
                    time.sleep(0.05)

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        began = time.monotonic()
        assert Sender(url, SECRET, private=True).send("1", {}) == "the receiver took more than 0.5 s"
        assert time.monotonic() - began < 5.0
        thread.join()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirections_are_not_followed(receiver, status):
    other = Receiver()
    receiver.status, receiver.location = status, other.url
    problem = Sender(receiver.url, SECRET, private=True).send("1", {})
    other.close()
    assert problem == f"the receiver answered {status} (redirections are not followed)"
    assert other.got == []


HOSTILE = [
    "file:///etc/passwd", "gopher://127.0.0.1/", "ftp://example.org/", "example.org/hook", "", "https://",
    "http://example.org/hook", "http://10.0.0.1/hook", "https://a:b@example.org/", "https://example.org/#x", "https://ex ample.org/",
    "https://example.org:0/", "https://example.org:99999/", "https://exämple.org/", "https://example.org/\r\nX: 1",
    "https://169.254.169.254/latest/meta-data", "https://[fe80::1]/", "https://0.0.0.0/", "https://[::]/", "https://224.0.0.1/",
    "https://[::ffff:169.254.169.254]/", "https://[64:ff9b::a9fe:a9fe]/", "https://[2002:7f00:1::]/", "https://240.0.0.1/",
]  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
@pytest.mark.parametrize("private", [False, True])
def test_hostile_addresses_are_refused(url, private):
    with pytest.raises(InputError):
        check_webhooks(Settings(webhooks=[url], webhooks_private=private))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/x",
        "https://10.1.2.3/",
        "https://192.168.0.7/x",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
    ],
)
def test_addresses_of_the_own_network_need_a_setting(url):
    with pytest.raises(InputError, match="webhooks_private"):
        check_webhooks(Settings(webhooks=[url]))
    check_webhooks(Settings(webhooks=[url], webhooks_private=True))


def test_several_addresses_are_limited():
    check_webhooks(Settings(webhooks=["https://example.org/a", "https://example.org/b"]))
    for given in (["https://example.org/a"] * 2, [f"https://example.org/{i}" for i in range(11)]):
        with pytest.raises(InputError):
            check_webhooks(Settings(webhooks=given))


@pytest.mark.parametrize(
    "found",
    [
        "127.0.0.1",
        "127.1.2.3",
        "10.0.0.5",
        "169.254.169.254",
        "::1",
        "fe80::1%2",
        "::ffff:127.0.0.1",
        "fd00::1",
    ],
)
def test_a_public_name_that_leads_inside_is_refused_when_it_is_used(monkeypatch, found):
    """DNS may say something else at each question: every address is looked at, and the one that was is used."""
    answers = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (found, 443))]
    monkeypatch.setattr(webhooks.socket, "getaddrinfo", lambda *_, **__: answers)
    monkeypatch.setattr(httpx.AsyncClient, "stream", None)  # whoever connects fails otherwise
    problem = Sender("https://example.org/x", SECRET, private=False).send("1", {})
    assert "webhooks_private" in problem or "to which nothing is sent" in problem


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch, receiver):
    asked, own = [], socket.getaddrinfo

    def once(host, *given, **named):
        if host != "receiver.invalid":
            return own(host, *given, **named)
        asked.append(host)
        return own("127.0.0.1", *given, **named)

    monkeypatch.setattr(webhooks.socket, "getaddrinfo", once)
    url = f"http://receiver.invalid:{receiver.port}/x?y=1"
    assert Sender(url, SECRET, private=True).send("1", {"type": "test"}) == ""
    assert asked == ["receiver.invalid"]
    ((path, headers, body),) = receiver.got
    assert (path, headers["Host"]) == ("/x?y=1", f"receiver.invalid:{receiver.port}")
    assert verify(SECRET, headers, body) == "1"


@pytest.mark.parametrize(
    "table", ['webhooks = ["https://evil.example"]', '[notify]\nurl = "https://evil.example"']
)
def test_a_study_file_cannot_name_an_address(bnh_study, table):
    with pytest.raises(InputError, match="unknown key"):
        parse_study(table + "\n" + bnh_study if "[" not in table.split("=")[0] else bnh_study + table)


def test_settings_are_shown_without_paths():
    shown = printable(Settings(webhooks=["https://chat.example.org/services/T0/B0/secret"]))
    assert shown["webhooks"] == ["https://chat.example.org/..."]


def test_commands_list_test_and_give_secrets(call, tmp_path, store, bnh_study, inline, receiver, monkeypatch):
    assert "no address is set" in call("webhooks", "test", check=2).err
    assert (
        "169.254.169.254"
        in call_with(call, monkeypatch, "https://169.254.169.254/", "webhooks", "test", check=2).err
    )
    monkeypatch.setenv("TAUTLINE_SECRET_FILE", str(tmp_path / "server.key"))
    monkeypatch.setenv("TAUTLINE_WEBHOOKS_PRIVATE", "yes")
    assert "delivered" in call_with(call, monkeypatch, receiver.url, "webhooks", "test", check=0).err
    address, secret = call("webhooks", "secret", check=0).out.split()
    assert address == f"http://127.0.0.1:{receiver.port}/..."
    assert secret == secret_text(base64.b64decode(secret.removeprefix("whsec_")))
    _, headers, body = receiver.got[0]
    verify(base64.b64decode(secret.removeprefix("whsec_")), headers, body)
    assert json.loads(body)["type"] == "test"
    receiver.status = 404
    assert "answered 404" in call("webhooks", "test", check=1).err
    work = working(store, receiver.url)
    finish(store, bnh_study, inline)
    work.step()
    (row,) = json.loads(call("webhooks", "list", "--format", "json", check=0).out)
    assert (row["to"], row["attempts"], row["reason"]) == (address, 1, "the receiver answered 404")


def call_with(call, monkeypatch, url, *arguments, check):
    monkeypatch.setenv("TAUTLINE_WEBHOOKS", url)
    return call(*arguments, check=check)


def test_a_server_that_was_killed_delivers_after_its_next_start(serve, tmp_path, bnh_study):
    first = Receiver()
    url, port = first.url, first.port
    first.close()
    flags = ("--webhooks", url, "--webhooks-private", "--workers", "1", "--site", SITE)
    server = serve(*flags)
    with server.browser() as browser:
        sent = browser.post(
            "/api/v1/studies?launch=true", content=bnh_study, headers={"Content-Type": "application/toml"}
        )
        assert sent.status_code == 202, sent.text
    server.wait_for("webhook failed")
    server.kill()
    again = Receiver(port)
    other = serve(*flags)
    other.wait_for("webhook delivered")
    other.stop()
    again.close()
    (body,) = again.bodies()
    assert (body["data"]["study"], body["data"]["state"]) == ("bnh", "done")
    with Store(str(tmp_path / "tautline.db")) as store:
        (kept,) = store.webhooks.all()
    assert (kept.delivered, kept.dropped) == (1, 0)
    assert "secret-path" not in server.text() + other.text()
