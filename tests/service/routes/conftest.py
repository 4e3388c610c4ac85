"""A server whose store holds a finished study of two layouts, and clients of it."""

import contextlib
import shutil
from contextlib import contextmanager

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.settings import Settings
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.service.web.conftest import (
    Server,
    kept_password,
    lab,
    log,
    make_server,
    server,
    settings,
)  # fmt: skip

__all__ = ["kept_password", "lab", "log", "make_server", "server", "settings"]

TOML = {"Content-Type": "application/toml"}

MIXED = """
name = "mixed"
model = "faulty"
seeds = [1, 2]
[parameters]
threshold = 0.9
fault = "infeasible"
[layouts.one.variables]
size = { lower = 1, upper = 9, type = "integer" }
[layouts.two.variables]
shape = { options = ["round", "square", "flat"] }
[variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 8
generations = 3
"""


def study_text(name="new", **changes):
    """A small study file; numbers of its search may be changed."""
    numbers = {"population": 12, "generations": 6, **changes}
    lines = [f"{key} = {value}" for key, value in numbers.items()]
    return "\n".join([
        f'name = "{name}"', 'model = "bnh"', "[variables]", "x1 = { lower = 0, upper = 5 }",
        "x2 = { lower = 0, upper = 3 }", "[objectives]", 'f1 = "minimize"', 'f2 = "minimize"',
        "[constraints]", "c1 = { lower = 0 }", "c2 = { lower = 0 }", "[search]", *lines,
    ])  # fmt: skip


@contextmanager
def inline():
    yield InlineExecutor()


def work_on(store, name):
    """Bring a queued study to its end in this process."""
    return resume_study(store, name, inline)


@pytest.fixture(scope="session")
def finished_store(tmp_path_factory):
    """Made once: a study with designs of every state but failed, over two layouts and two seeds."""
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    with Store(str(path)) as store:
        StoreServices(Context(store=store)).studies.create(parse_study(MIXED))
        work_on(store, "mixed")
    return path


@pytest.fixture
def done(tmp_path, finished_store):
    """A server of one person, with the finished study."""
    with contextlib.ExitStack() as stack:
        shutil.copy(finished_store, tmp_path)
        store = stack.enter_context(Store(str(tmp_path / "tautline.db")))
        settings = Settings(secret_file=tmp_path / "server.key")
        made = Server(settings, store, stack)
        stack.callback(made.app.state.sandbox.close)
        yield made


@pytest.fixture
def client(done):
    """The one person of that server."""
    return done.client(done.token())


@pytest.fixture
def local(done):
    """The same person at the store."""
    return StoreServices(Context(store=done.store))
