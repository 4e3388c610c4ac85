"""A queue, runners, and wishes from another terminal."""

import json
import os
import signal
import time
from contextlib import nullcontext

import pytest

from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.run.runner import Runner
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.fault_injection.ledger import at_once
from tests.suspension import suspend_between_writes

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
generations = 8
"""
SHORT = STUDY.replace("generations = 8", "generations = 2")
"""Just enough for designs on a front."""


@pytest.fixture
def long_study_file(tmp_path):
    """Long enough for whoever meddles with it."""
    (tmp_path / "slow.toml").write_text(STUDY.replace("generations = 8", "generations = 60"))
    return "slow.toml"


@pytest.fixture
def lasting_study_file(tmp_path):
    """Some seconds longer than a busy machine needs to stop it."""
    (tmp_path / "slow.toml").write_text(STUDY.replace("generations = 8", "generations = 15"))
    return "slow.toml"


def work_here(store):
    """A runner in this process, for which designs take no time."""
    with at_once():
        Runner(store, lambda: nullcontext(InlineExecutor()), once=True, complain=print).run()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    with Store(str(path)) as store, at_once():
        run_study(store, parse_study(SHORT), lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture
def finished_study(finished, tmp_path):
    """A store in the working folder, in which the short study is finished."""
    (tmp_path / "tautline.db").write_bytes(finished.read_bytes())


def states(folder):
    with Store(str(folder / "tautline.db")) as store:
        return [run.state for run in store.study("slow").runs]


def shown_states(tautline):
    shown = tautline("study", "show", "slow", "--format", "json", check=0)
    return [run["state"] for run in json.loads(shown.stdout)["runs"]]


def designs(path):
    if not path.exists():
        return 0
    with Store(str(path)) as store:
        return sum(len(store.history(run)) for study in store.studies() for run in study.runs)


def wait_for_designs(path, count, process):
    deadline = time.monotonic() + 300
    while designs(path) < count:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


def test_a_queued_study_is_run_by_a_runner(tautline, finished, tmp_path):
    (tmp_path / "slow.toml").write_text(SHORT)
    queued = tautline("study", "run", "slow.toml", "--queue", check=0)
    assert "2 of 2 runs of 'slow' are queued" in queued.stderr
    assert shown_states(tautline) == ["queued", "queued"]
    tautline("runner", "--once", "--workers", 2, check=0)
    assert shown_states(tautline) == ["done", "done"]
    fronts = [
        tautline("study", "front", "slow", "--format", "json", "--store", store, check=0).stdout
        for store in ("tautline.db", finished)
    ]
    assert fronts[0] == fronts[1]


def test_a_runner_that_is_shut_down_puts_its_run_back_and_another_one_goes_on(
    tautline, start, lasting_study_file, tmp_path
):
    tautline("study", "run", lasting_study_file, "--queue", check=0)
    runner = start("runner", "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", 10, runner)
    runner.send_signal(signal.SIGTERM)
    _, problem = runner.communicate(timeout=300)
    assert runner.returncode == 0, problem
    assert "Traceback" not in problem
    assert states(tmp_path) == ["queued", "queued"]
    with Store(str(tmp_path / "tautline.db")) as store:
        work_here(store)
    assert states(tmp_path) == ["done", "done"]


@pytest.mark.soak
def test_a_killed_runner_is_followed_by_another(tautline, start, lasting_study_file, tmp_path):
    tautline("study", "run", lasting_study_file, "--queue", check=0)
    runner = start("runner", "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", 10, runner)
    os.killpg(runner.pid, signal.SIGKILL)
    runner.communicate()
    assert "running" in states(tmp_path)
    tautline("runner", "--once", "--workers", 2, check=0)
    assert states(tmp_path) == ["done", "done"]


def test_one_of_two_processes_wins_a_run_and_another_terminal_pauses_and_resumes_it(
    tautline, start, long_study_file, tmp_path
):
    worker = start("study", "run", long_study_file, "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", 5, worker)
    second = tautline("study", "resume", "slow", check=1)
    assert "being worked on by process" in second.stderr
    tautline("runner", "--once", check=0)
    assert worker.poll() is None
    begin = time.monotonic()
    paused = tautline("study", "pause", "slow", check=0)
    assert time.monotonic() - begin < 45, "it was waited for until patience ended"
    assert "slow" not in paused.stdout
    _, problem = worker.communicate(timeout=300)
    assert worker.returncode == 130, problem
    assert states(tmp_path) == ["paused", "paused"]
    before = designs(tmp_path / "tautline.db")
    again = start("study", "resume", "slow", "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", before + 5, again)
    assert "running" in states(tmp_path)
    os.killpg(again.pid, signal.SIGKILL)
    again.communicate()


def test_stop_is_for_good(tautline, start, long_study_file, tmp_path):
    worker = start("study", "run", long_study_file, "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", 10, worker)
    tautline("study", "stop", "slow", check=0)
    _, problem = worker.communicate(timeout=300)
    assert worker.returncode == 1, problem
    assert states(tmp_path) == ["cancelled", "cancelled"]
    again = tautline("study", "resume", "slow", check=1)
    assert "cancelled" in again.stderr + again.stdout
    tautline("runner", "--once", check=0)
    assert states(tmp_path) == ["cancelled", "cancelled"]


def test_stop_survives_everybody_being_killed(tautline, start, long_study_file, tmp_path):
    worker = start("study", "run", long_study_file, "--workers", 1)
    wait_for_designs(tmp_path / "tautline.db", 10, worker)
    suspend_between_writes(worker.pid, tmp_path / "tautline.db")  # it cannot hear the wish
    tautline("study", "stop", "slow", "--no-wait", check=0)
    os.killpg(worker.pid, signal.SIGKILL)
    worker.communicate()
    tautline("runner", "--once", check=0)
    assert states(tmp_path) == ["cancelled", "cancelled"]


@pytest.mark.usefixtures("finished_study")
def test_a_branch_starts_anew_and_finds_its_designs(tautline, tmp_path):
    branched = tautline(
        "study", "resume", "slow", "--branch", "slow-again", "--workers", 1, "--format", "json", check=0
    )
    runs = json.loads(branched.stdout)["runs"]
    assert [run["computed"] for run in runs] == [0, 0]
    assert {run["state"] for run in runs} == {"done"}
    assert states(tmp_path) == ["done", "done"]


@pytest.mark.usefixtures("finished_study")
def test_a_stored_design_is_reproduced_to_the_last_bit(tautline):
    front = json.loads(tautline("study", "front", "slow", "--format", "json", check=0).stdout)
    again = tautline("study", "reproduce", front[0]["key"][:10], check=0)
    assert "every bit is the same" in again.stderr
    tautline("study", "reproduce", "ffffffffffff", check=2)
