"""A server in this process, with people of every role, and clients that log in as them."""

import contextlib
import io
import logging
import shutil

import httpx
import pytest
import structlog

from service.access.passwords import hash_password
from service.logs import configure_logs
from service.settings import Settings
from service.web.app import create_app
from studies.store import Store
from tests.inprocess import InProcess

ADDRESS = "http://127.0.0.1:8000"
PASSWORD = "a good pass phrase"  # noqa: S105 - of accounts that live for one test
ROLES = {"vera": "viewer", "edda": "editor", "adam": "admin", "otto": "editor"}


@pytest.fixture(autouse=True)
def log():
    """Log of the server, as JSON lines; not on stdout, which pytest opens and closes meanwhile."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    configure_logs("json", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def settings(tmp_path):
    return Settings(secret_file=tmp_path / "server.key", logins_per_minute=100_000)


class Server:
    """An application on a store, and clients of it."""

    def __init__(self, settings, store, stack, **wired):
        self.settings, self.store = settings, store
        self.app = create_app(settings, store, **wired)
        stack.callback(self.app.state.sandbox.close)
        self.transport = stack.enter_context(InProcess(self.app))

    def client(self, token=None, **options):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        options = {"base_url": ADDRESS, "headers": headers, "transport": self.transport, **options}
        return httpx.Client(**options)  # it holds nothing that would have to be closed

    def token(self, account="", scope="admin", seconds=3600.0):
        return self.app.state.authenticator.issue("token", account, "test", scope, seconds)[0]

    def as_(self, account, scope="admin"):
        return self.client(self.token(account, scope))

    def browser(self):
        """A client that opened a login link and says where its requests come from."""
        client = self.client(headers={"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"})
        link = client.get("/login", params={"token": self.app.state.sessions.link_text()})
        assert link.status_code == 303
        return client


@pytest.fixture
def make_server(tmp_path, empty_store, log):
    with contextlib.ExitStack() as stack:

        def make(settings, **wired):
            shutil.copy(empty_store, tmp_path)
            store = stack.enter_context(Store(str(tmp_path / "tautline.db")))
            return Server(settings, store, stack, **wired)

        yield make


@pytest.fixture
def server(settings, make_server):
    """A server of one person, without accounts."""
    return make_server(settings)


@pytest.fixture(scope="session")
def kept_password():
    """Hashed once: it takes its time by design."""
    return hash_password(PASSWORD)


@pytest.fixture
def lab(settings, make_server, kept_password):
    """A server of several people with accounts."""
    made = make_server(settings.model_copy(update={"accounts": True}))
    for name, role in ROLES.items():
        made.store.accounts.add(name, role, kept_password if name != "otto" else None)
    return made
