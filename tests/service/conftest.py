import sys
from functools import cache, partial
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher

from service.access import passwords
from service.cli import main
from tests.forked import Begun, run
from tests.service.serving import Serving

TARGETS = """name = "targets"
model = "continuum-statics"
[parameters]
targets = { csv = "targets.csv" }
[variables]
backbone_diameter = { lower = "1 mm", upper = "2 mm" }
[objectives]
required_tension = "minimize"
[search]
algorithm = "lhs"
evaluations = 4
"""


@pytest.fixture(scope="session", autouse=True)
def own_hasher():
    """The product's hasher, in whose place passwords cost next to nothing in this process."""
    own = passwords._hasher
    with pytest.MonkeyPatch.context() as patch:
        cheap = cache(lambda: PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
        patch.setattr(passwords, "_hasher", cheap)
        yield own


@pytest.fixture(scope="session")
def tautline_in():
    """Makes what runs the command line in a folder."""
    return partial(partial, run)


@pytest.fixture
def tautline(tautline_in, tmp_path):
    """Runs the command line in an empty folder, as a user does."""
    return tautline_in(tmp_path)


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Calls the command line as a function in an empty folder: for what needs no process of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments, check=None):
        monkeypatch.setattr(sys, "argv", ["tautline", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        out, err = capsys.readouterr()
        assert check in {None, code}, out + err
        return SimpleNamespace(code=code, out=out, err=err)

    return run


@pytest.fixture
def start(tmp_path):
    """Starts the command line in an empty folder and does not wait."""
    return lambda *arguments: Begun(tmp_path, arguments)


@pytest.fixture
def serve(tmp_path):
    """Starts servers that do not outlive the test."""
    started = []

    def start(*flags, **options):
        started.append(Serving(tmp_path, *flags, number=len(started), **options))
        return started[-1]

    yield start
    for server in started:
        server.close()
