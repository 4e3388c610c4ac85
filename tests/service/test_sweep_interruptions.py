"""Interruptions do not change the map of a sweep: kill -9, Ctrl-C, other numbers of workers."""

import json
import signal
from contextlib import nullcontext

import pytest

from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.run.questions import sweep
from studies.store import Store
from studies.uncertainty.sweep import store_sweep
from tests.conftest import InlineExecutor
from tests.fault_injection.ledger import at_once
from tests.service.test_interruptions import computed, kill, wait_for_rows

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
OVER = {"delay": ["20 ms", "21 ms"], "x.2": [0, 0.5]}
SLOWLY = (
    "study", "sweep", "lines", "--over", "delay=20 ms, 21 ms", "--over", "x.2=0, 0.5", "--format", "json",
)  # fmt: skip
NOBODY = ("--scheduler", "tcp://127.0.0.1:1")
"""For what evaluates nothing."""


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    path = tmp_path_factory.mktemp("searched") / "tautline.db"
    with Store(str(path)) as store:
        run_study(store, parse_study(STUDY), lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture(scope="module")
def whole(searched, tmp_path_factory):
    """The store of a sweep in this process that nobody interrupted."""
    path = tmp_path_factory.mktemp("whole") / "tautline.db"
    path.write_bytes(searched.read_bytes())
    with Store(str(path)) as store, at_once():
        sweep(store, "lines", OVER, lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture
def path(searched, tmp_path):
    (tmp_path / "tautline.db").write_bytes(searched.read_bytes())
    return tmp_path / "tautline.db"


def test_killed_and_interrupted_it_computes_the_rest_and_finds_the_same(path, whole, tautline, start):
    first = computed(path)
    process = start(*SLOWLY, "--workers", 1)
    wait_for_rows(path, len(first) + 10, process)
    assert kill(process), "it was through before it could be killed"
    killed = computed(path)
    assert first.items() < killed.items()
    process = start(*SLOWLY, "--workers", 1)
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
    again = tautline(*SLOWLY, "--store", whole, *NOBODY, check=0)
    assert json.loads(again.stdout) == found, "a sweep that nobody interrupted finds the same"


@pytest.mark.soak
@pytest.mark.usefixtures("clusters", "path")
def test_two_workers_find_the_same(tautline, whole):
    found = [
        json.loads(tautline(*SLOWLY, *options, check=0).stdout)
        for options in (("--workers", 2), ("--store", whole, *NOBODY))
    ]
    assert found[0] == found[1]


def test_a_runner_that_is_killed_loses_nothing_of_a_job(path, whole, tautline, start):
    """The next runner evaluates the rest, and only that."""
    with Store(str(path)) as store:
        record = store_sweep(store, "lines", OVER)
        job = store.jobs.ask("lines", "sweep", {"sweep": record.id})
    first = computed(path)
    process = start("runner", "--workers", 1)
    wait_for_rows(path, len(first) + 10, process)
    assert kill(process), "it was through before it could be killed"
    killed = computed(path)
    assert first.items() < killed.items()
    tautline("runner", "--once", "--workers", 1, check=0)
    with Store(str(path)) as store:
        assert store.jobs.find("lines", job.id).state == "done"
    assert killed.items() < computed(path).items(), "what was stored is as it was"
    assert computed(path).keys() == computed(whole).keys()
