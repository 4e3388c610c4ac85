"""Pages on working with a server, carried out with a real server, runner and network."""

import shlex
import signal
import time

import pytest

from docs.code_blocks import ROOT, code_blocks
from service.client import Client
from tests.forked import Begun, run
from tests.service.serving import Serving

SMALL = """
name = "first"
model = "bnh"
seeds = [1, 2]
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 5
"""


def block(page, language):
    """The one block of a page that is for somebody who has a server."""
    (found,) = [each for each in code_blocks(ROOT / "docs" / page, language) if each.title == "with a server"]
    return found.text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def there(folder):
    """The surroundings in which a server is known, and its token only by a file."""
    with Serving(folder, "--workers", "1") as serving:
        address = serving.address
        made = run(folder, "token", "create", "test", "--secret-file", folder / "server.key", check=0)
        token = folder / "token"
        token.touch(0o600)
        token.write_text(made.stdout)
        yield {"TAUTLINE_SERVER": address, "TAUTLINE_TOKEN_FILE": str(token)}
        code, _ = serving.stop()
        assert code == 0, serving.text()
        assert made.stdout.strip() not in serving.text()


def test_the_commands_for_a_server_do_what_they_say(there, folder):
    (folder / "first.toml").write_text(SMALL)
    lines = block("reference/cli.md", "bash").splitlines()
    printed = {}
    for line in lines:
        done = run(folder, *shlex.split(line)[1:], env=there)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed[line] = done.stdout
    own = run(folder, "study", "run", "first.toml", "--store", "own.db", "--workers", "1")
    assert printed["tautline study run first.toml"] == own.stdout
    assert len((folder / "first.csv").read_text().splitlines()) == 2 * 72 + 1, "with the sixth generation"
    assert "stays" in printed["tautline study reevaluate first"]


@pytest.mark.soak
def test_the_script_for_a_server_does_what_it_says(there, folder):
    (folder / "script.py").write_text(block("guide/python.md", "python"))
    script = run(folder, env=there, script="script.py")
    assert script.returncode == 0, script.stderr
    assert script.stdout.count("generation") == 5
    assert "done default 1" in script.stdout


def test_ctrl_c_leaves_the_study_running_there(there, folder):
    long = SMALL.replace('"first"', '"long"').replace("generations = 5", "generations = 4000")
    (folder / "long.toml").write_text(long.replace("seeds = [1, 2]", "seeds = [1]"))
    following = Begun(folder, ["study", "run", "long.toml"], there)
    with Client(there["TAUTLINE_SERVER"], (folder / "token").read_text().strip()) as server:
        wait_until(lambda: any(study.state == "running" for study in server.studies.list().items), following)
        following.send_signal(signal.SIGINT)
        _, told = following.communicate(timeout=60)
        assert following.returncode == 130
        assert "'long' continues on the server" in told
        assert "Traceback" not in told
        assert server.studies.get("long").state == "running"
    paused = run(folder, "study", "pause", "long", env=there)
    assert paused.stdout == ""
    assert "default, seed 1: paused" in paused.stderr


def wait_until(true, process):
    deadline = time.monotonic() + 100
    while not true():
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.2)
