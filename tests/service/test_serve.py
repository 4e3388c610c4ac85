"""``tautline serve``: a way in, a runner that lives, readiness, and an orderly end."""

import os
import re
import signal
import socket
import ssl
import stat
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from studies.store import Store
from tests.service.own_models import STUDY as STUDY_OF_OWN
from tests.service.own_models import write
from tests.service.serving import is_gone

STUDY = """
name = "slow"
model = "zdt1"
seeds = [5, 6]
[parameters]
x = [0.0, 0.0, 0.0, 0.0]
delay = 0.02
[variables]
"x.0" = { lower = 0, upper = 1 }
"x.1" = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 10
generations = 200
"""


def wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def designs(path):
    with Store(str(path)) as store:
        return sum(len(store.history(run)) for study in store.studies() for run in study.runs)


def test_the_printed_link_opens_a_session_once(serve):
    server = serve("--no-runner")
    with httpx.Client(base_url=server.address) as stranger:
        assert stranger.get("/health").json() == {"status": "alive"}
        assert stranger.get("/ready").json() == {"status": "ready"}
        assert stranger.get("/api/v1/me").status_code == 401
        assert stranger.get("/api/v1/me", headers={"Host": "evil.example"}).status_code == 400
    with server.browser() as browser:
        assert browser.get("/api/v1/me").json()["role"] == "admin"
        assert browser.get("/").status_code == 200
    with httpx.Client() as second:
        assert second.get(server.link).status_code == 401
        assert second.get(f"{server.address}/api/v1/me").status_code == 401
    code, _ = server.stop(signal.SIGINT)
    assert code == 0
    token = re.search(r"token=tl_\w+?_(\S+)", server.link)[1]
    after_the_link = server.text().split("works once", 1)[1]
    assert token not in after_the_link
    assert "Traceback" not in server.text()


def test_what_a_server_and_its_runner_write_is_their_owners_alone(serve, tautline, tmp_path):
    before = os.umask(0o022)
    try:
        Store(str(tmp_path / "tautline.db")).close()
        (tmp_path / "tautline.db").chmod(0o644)
        server = serve("--workers", 1)
        assert server.address
    finally:
        os.umask(before)
    for pid in (server.process.pid, server.runner):
        assert "Umask:\t0077" in Path(f"/proc/{pid}/status").read_text()
    assert "could be read by all users of this machine" in server.text()
    written = [*tmp_path.glob("tautline.db*"), tmp_path / "server.key"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in written} == {0o600}


def test_a_dead_runner_is_replaced_and_ready_says_so_meanwhile(serve):
    server = serve("--workers", 1)
    with httpx.Client(base_url=server.address, timeout=20) as client:
        wait_until(lambda: client.get("/ready").status_code == 200)
        first = server.runner
        os.kill(first, signal.SIGSTOP)
        wait_until(lambda: client.get("/ready").status_code == 503)
        held = client.get("/ready")
        assert held.headers["content-type"] == "application/problem+json"
        assert "runner" in held.json()["detail"]
        assert client.get("/health").status_code == 200
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: server.runner != first)
        wait_until(lambda: client.get("/ready").status_code == 200)
    second = server.runner
    code, seconds = server.stop()
    assert (code, seconds < 30) == (0, True)
    assert is_gone(second)
    assert "SIGKILL" in server.text()


def test_stopped_in_the_middle_it_leaves_runs_in_the_queue_and_goes_on_when_started_again(
    serve, tautline, tmp_path
):
    (tmp_path / "slow.toml").write_text(STUDY)
    server = serve("--workers", 1)
    assert server.address
    tautline("study", "run", "slow.toml", "--queue", check=0)
    wait_until(lambda: designs(tmp_path / "tautline.db") > 10, 60)
    code, seconds = server.stop()
    assert (code, seconds < 30) == (0, True)
    with Store(str(tmp_path / "tautline.db")) as store:
        study = store.study("slow")
    assert {run.state for run in study.runs} == {"queued"}
    left = [line for line in server.text().splitlines() if '"run left"' in line]
    assert left
    assert all(f'"run": {study.runs[0].id}' in line or f'"run": {study.runs[1].id}' in line for line in left)
    assert all('"study": "slow"' in line for line in left)
    before = designs(tmp_path / "tautline.db")
    again = serve("--workers", 1)
    wait_until(lambda: designs(tmp_path / "tautline.db") > before, 60)
    assert again.stop()[0] == 0


def test_it_and_its_runner_compute_with_a_model_that_its_operator_names(serve, tautline, tmp_path):
    write(tmp_path)
    server = serve("--workers", 1, "--model", "bar.py")
    with server.browser() as browser:
        evaluated = browser.post("/api/v1/models/own-bar/evaluate", json={"settings": {"length": "2 m"}})
        assert evaluated.json()["metrics"] == {"mass": 4.0, "sag": 0.5}
        toml = {"Content-Type": "application/toml"}
        made = browser.post("/api/v1/studies?launch=true", content=STUDY_OF_OWN, headers=toml)
        assert made.status_code == 202, made.text
        wait_until(lambda: browser.get("/api/v1/studies/own").json()["state"] == "done", 120)


def test_streams_end_when_it_is_stopped(serve):
    server = serve("--no-runner")
    with server.browser() as browser, browser.stream("GET", "/api/v1/events") as answer:
        assert answer.status_code == 200
        server.process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        for _ in answer.iter_lines():
            pass
        assert time.monotonic() - begin < 25
    assert server.process.wait(30) == 0
    assert "Cancel" not in server.text(), "the stream had to be broken off"


@pytest.mark.soak
def test_a_runner_that_hangs_is_ended(serve):
    server = serve("--workers", 1)
    runner = server.runner
    os.kill(runner, signal.SIGSTOP)
    code, seconds = server.stop()
    assert (code, seconds < 30) == (0, True)
    assert is_gone(runner)


def test_a_second_signal_ends_it_at_once(serve):
    server = serve("--workers", 1)
    runner = server.runner
    os.kill(runner, signal.SIGSTOP)
    server.process.send_signal(signal.SIGINT)
    server.wait_for("server is stopping")
    code, seconds = server.stop(signal.SIGINT)
    assert (code, seconds < 18) == (130, True)
    assert is_gone(runner)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_breaks_off_open_requests_with_one_line(serve, number):
    server = serve("--workers", 1)
    assert server.runner
    host, port = re.fullmatch(r"http://(.*):(\d+)", server.address).groups()
    with socket.create_connection((host, int(port))) as unfinished:
        head = f"POST /login HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {server.address}\r\n"
        form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"
        unfinished.sendall(f"{head}{form}token=".encode())
        server.process.send_signal(number)
        server.wait_for("server is stopping")
        assert server.stop(number)[0] == 130
    *_, told = server.text().partition("server is stopping")
    assert told.count("server quits at once") == 1
    assert not re.search("Traceback|error", told)


def test_with_a_certificate_it_speaks_https_alone(serve, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    server = serve("--no-runner", "--https-cert", "cert.pem", "--https-key", "key.pem")
    trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    with httpx.Client(base_url=server.address, verify=trusting) as client:
        assert server.address.startswith("https://")
        opened = client.get(server.link)
        assert opened.headers["set-cookie"].startswith("__Host-")
        assert "Secure" in opened.headers["set-cookie"]
        assert client.get("/api/v1/me").status_code == 200
    with pytest.raises(httpx.TransportError):
        httpx.get(server.address.replace("https", "http") + "/health")


def test_a_server_killed_outright_takes_its_runner_along(serve):
    server = serve("--workers", 1)
    runner = server.runner
    server.kill()
    assert is_gone(runner)


def test_a_port_that_is_taken_is_reported_plainly(serve, tautline):
    server = serve("--no-runner")
    port = server.address.rsplit(":", 1)[1]
    refused = tautline("serve", "--no-runner", "--port", port, check=2)
    assert "name another port with --port" in refused.stderr


def test_a_store_of_another_version_is_refused_at_the_start(tautline, tmp_path):
    with Store(str(tmp_path / "tautline.db")) as store, store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    refused = tautline("serve", "--no-runner", check=1)
    assert "tautline store upgrade" in refused.stderr


def test_it_is_not_ready_when_the_schema_changes_under_it_or_the_store_goes_away(serve, tmp_path):
    server = serve("--no-runner")
    with httpx.Client(base_url=server.address, timeout=20) as client:
        wait_until(lambda: client.get("/ready").status_code == 200)
        with Store(str(tmp_path / "tautline.db")) as store, store._engine.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        wait_until(lambda: client.get("/ready").status_code == 503)
        assert "9999" in client.get("/ready").json()["detail"]
        assert client.get("/health").status_code == 200


def test_accounts_are_needed_on_this_machine_too_and_the_first_one_is_explained(serve, tautline):
    server = serve("--no-runner", "--accounts", "--store", "lab.db")
    told = server.wait_for(r"nobody can log in yet: make an account with `tautline (.*)`\n")[1]
    assert told == "account add NAME --role admin --store lab.db"
    assert "login?token=" not in server.text(), "no link beside accounts"
    words = told.replace("NAME", "ada").split()
    tautline(*words, "--no-password", check=0)
    made = tautline(
        "token",
        "create",
        "x",
        "--account",
        "ada",
        "--store",
        "lab.db",
        "--secret-file",
        "server.key",
        check=0,
    )
    headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
    me = httpx.get(f"{server.address}/api/v1/me", headers=headers).json()
    assert (me["account"], me["role"]) == ("ada", "admin"), "the server goes on and knows it"
    assert server.stop()[0] == 0
    again = serve("--no-runner", "--accounts", "--store", "lab.db")
    assert again.address
    assert again.stop()[0] == 0
    assert "nobody can log in" not in again.text()
