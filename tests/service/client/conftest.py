"""A server in this process, a store beside it, and the command line called as a function."""

import shutil
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import structlog

import service.client.wire
from service.cli.machines import Machines
from service.client import Client
from service.settings import Settings
from service.web.app import create_app
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.inprocess import InProcess
from tests.service.working import runner_at_work

ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture
def settings(tmp_path):
    return Settings(secret_file=tmp_path / "server.key")


@pytest.fixture
def content(empty_store):
    """The store that a test begins with."""
    return empty_store


@pytest.fixture
def server(settings, content, tmp_path):
    """A store in the working folder, an application on it, and a token of the person here."""
    shutil.copy(content, tmp_path / "tautline.db")
    with Store(str(tmp_path / "tautline.db")) as store, structlog.testing.capture_logs() as logs:
        app = create_app(settings, store)
        token = app.state.authenticator.issue("token", "", "test", "admin", 3600.0)[0]
        with InProcess(app) as transport:
            yield SimpleNamespace(app=app, store=store, token=token, transport=transport)
    assert [entry for entry in logs if entry["log_level"] == "error"] == []


@pytest.fixture
def client(server):
    with Client(ADDRESS, server.token, server.transport) as opened:
        yield opened


@pytest.fixture
def runner(server, inline_executor):
    """A runner that works on the server's queue for as long as the test lasts."""
    with runner_at_work(server.store, inline_executor):
        yield


@pytest.fixture
def tautline(server, call, monkeypatch):
    """The command line in an empty folder, where ``--server`` reaches the application in this process.

    What it computes itself is computed in this process, too.
    """
    monkeypatch.setattr(Machines, "open", lambda _: nullcontext(InlineExecutor()))
    monkeypatch.setenv("TAUTLINE_TOKEN", server.token)
    monkeypatch.setattr(service.client.wire, "open_transport", lambda _: Kept(server.transport))
    return call


class Kept:
    """A transport that stays open when a client is through with it."""

    def __init__(self, transport):
        self.handle_request = transport.handle_request

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture(scope="session")
def make_finished(empty_store):
    """Writes a store in which studies are finished, evaluated in this process."""

    def make(path, texts):
        shutil.copy(empty_store, path)
        with Store(str(path)) as store:
            for text in texts:
                run_study(store, parse_study(text), lambda: nullcontext(InlineExecutor()))

    return make
