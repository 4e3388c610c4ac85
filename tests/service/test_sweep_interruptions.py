"""What kills a sweep must not change its map: kill -9, Ctrl-C, other numbers of workers."""

import json
import signal

import pytest

from tests.service.test_interruptions import computed, kill, wait_for_rows

pytestmark = pytest.mark.usefixtures("clusters")

STUDY = """
name = "lines"
model = "zdt1"
seeds = [1, 2]
[parameters]
x = [0.0, 0.0, 0.0, 0.0]
[layouts.low.variables]
"x.0" = { lower = 0, upper = 0.5 }
[layouts.high.variables]
"x.0" = { lower = 0.5, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 2
"""
SLOWLY = (
    "study",
    "sweep",
    "lines",
    "--over",
    "delay=20 ms, 21 ms",
    "--over",
    "x.2=0, 0.5",
    "--format",
    "json",
)


@pytest.fixture(scope="module")
def searched(tautline_in, tmp_path_factory):
    folder = tmp_path_factory.mktemp("searched")
    (folder / "lines.toml").write_text(STUDY)
    tautline_in(folder)("study", "run", "lines.toml", "--workers", 1, check=0)
    return folder / "tautline.db"


@pytest.fixture
def path(searched, tmp_path):
    (tmp_path / "tautline.db").write_bytes(searched.read_bytes())
    return tmp_path / "tautline.db"


def test_killed_and_interrupted_it_computes_the_rest_and_finds_the_same(
    path, searched, tautline, start, tmp_path
):
    first = computed(path)
    process = start(*SLOWLY, "--workers", 2)
    wait_for_rows(path, len(first) + 10, process)
    assert kill(process), "it was through before it could be killed"
    killed = computed(path)
    assert first.items() < killed.items()
    process = start(*SLOWLY, "--workers", 2)
    wait_for_rows(path, len(killed) + 5, process)
    process.send_signal(signal.SIGINT)
    _, problem = process.communicate()
    assert process.returncode == 130, problem
    assert "the same command again computes the rest" in problem
    stopped = computed(path)
    assert killed.items() < stopped.items()
    done = tautline(*SLOWLY, "--workers", 1, check=0)
    found = json.loads(done.stdout)
    assert found["complete"]
    assert stopped.items() < computed(path).items(), "what was stored is as it was"
    assert "were stored before" in done.stderr
    again = tautline(*SLOWLY, "--scheduler", "tcp://127.0.0.1:1", check=0)  # asks nobody
    assert json.loads(again.stdout) == found
    (tmp_path / "whole.db").write_bytes(searched.read_bytes())
    whole = tautline(*SLOWLY, "--store", "whole.db", "--workers", 2, check=0)
    assert json.loads(whole.stdout) == found, "two workers that nobody interrupted find the same"
