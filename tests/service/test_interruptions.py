"""Interruptions do not change the result of a run: kill -9, Ctrl-C, other numbers of workers."""

import json
import os
import random
import signal
import sqlite3
import time
from contextlib import closing, nullcontext

import pytest
from sqlalchemy import text

from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from studies.store.database import reading
from tests.conftest import InlineExecutor
from tests.fault_injection.ledger import at_once

pytestmark = pytest.mark.usefixtures("clusters")

SLOW = """
name = "slow"
model = "zdt1"
seeds = [5]
[parameters]
x = [0.0, 0.0, 0.0, 0.0]
delay = 0.01
[variables]
"x.0" = { lower = 0, upper = 1 }
"x.1" = { lower = 0, upper = 1 }
"x.2" = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
generations = 15
"""


@pytest.fixture
def study_file(tmp_path):
    (tmp_path / "slow.toml").write_text(SLOW)
    return "slow.toml"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The store of a run in this process that nobody interrupted."""
    path = tmp_path_factory.mktemp("whole") / "tautline.db"
    with Store(str(path)) as store, at_once():
        run_study(store, parse_study(SLOW), lambda: nullcontext(InlineExecutor()))
    return path


def front_of(tautline, store):
    return tautline("study", "front", "slow", "--store", store, "--format", "json", check=0).stdout


def computed(path):
    """Time at which each stored evaluation was written, by its key."""
    with Store(str(path)) as store, reading(store._engine) as connection:
        moments = connection.execute(text("SELECT key, finished FROM evaluation")).all()
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    return dict(moments)


def stored_rows(path):
    """Number of stored evaluations; 0 before there is a schema."""
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if "evaluation" not in tables:
            return 0
        return connection.execute("SELECT count(*) FROM evaluation").fetchone()[0]


def wait_for_rows(path, rows, process):
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and stored_rows(path) >= rows:
            return
        time.sleep(0.05)


def kill(process, send=os.killpg):
    """Kill a process with its workers, or alone; False when it had ended by itself, its study done."""
    alive = process.poll() is None  # until somebody asks, an ended process keeps its number
    if alive:
        send(process.pid, signal.SIGKILL)
    _, problem = process.communicate()
    assert alive or process.returncode == 0, problem
    return alive


@pytest.mark.parametrize(
    ("rounds", "starts"), [(1, 2), pytest.param(10, 6, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])]
)
def test_killed_at_any_moment_the_front_is_the_uninterrupted_one(
    tautline, start, study_file, tmp_path, whole, rounds, starts
):
    chance = random.Random(1)
    reference, keys = front_of(tautline, whole), computed(whole).keys()
    for number in range(rounds):
        path = tmp_path / f"killed-{number}.db"
        before, kills = {}, 0
        for wanted in range(starts):
            process = start("study", "run", study_file, "--store", path.name, "--workers", 2)
            if wanted == 0:
                time.sleep(chance.uniform(0.3, 1.5))  # while the store or the cluster comes up
            else:
                wait_for_rows(path, len(before) + chance.randrange(1, 40), process)
            killed = kill(process, os.kill if wanted == starts - 1 else os.killpg)
            if path.exists():
                after = computed(path)
                assert before.items() <= after.items(), "a stored evaluation was computed again"
                before = after
            if not killed:
                break
            kills += 1
        assert kills >= min(starts, 3)
        begin = time.monotonic()
        tautline("study", "resume", "slow", "--store", path.name, "--workers", 1, check=0)
        assert time.monotonic() - begin < 25, "the dead owner's lease was waited for"
        assert front_of(tautline, path.name) == reference
        after = computed(path)
        assert before.items() <= after.items()
        assert after.keys() == keys


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)])
def test_a_wish_to_stop_leaves_a_paused_run_and_exit_code_130(tautline, start, study_file, tmp_path, number):
    # Long enough for whoever sends the wish on a busy machine.
    (tmp_path / study_file).write_text(SLOW.replace("generations = 15", "generations = 60"))
    process = start("study", "run", study_file, "--workers", 2, "--format", "json")
    store = tmp_path / "tautline.db"
    wait_for_rows(store, 30, process)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # a terminal sends it to the whole group
    else:
        process.send_signal(number)
    begin = time.monotonic()
    out, problem = process.communicate(timeout=30)
    assert process.returncode == 130, problem
    assert time.monotonic() - begin < 25
    assert "Traceback" not in problem
    assert json.loads(out)["state"] == "paused"
    assert "tautline study resume slow" in problem
    before = stored_rows(store)
    again = start("study", "resume", "slow", "--workers", 1)
    wait_for_rows(store, before + 1, again)
    assert kill(again), "it has some seconds of work left"
    assert stored_rows(store) > before


@pytest.mark.soak
def test_one_and_two_workers_give_the_same_front(tautline, study_file, whole):
    for workers in (1, 2):
        store = f"{workers}.db"
        tautline("study", "run", study_file, "--store", store, "--workers", workers, check=0)
        assert front_of(tautline, store) == front_of(tautline, whole)


LADDER = SLOW.replace("[search]", "[search]\nladder = [{ delay = 0.002 }]")
KINDS = {
    "steady": LADDER.replace("[search]", "[search]\nasynchronous = true"),
    "screened": LADDER.replace("[search]", "[search]\nsettings = { prescreening = 5 }"),
}


@pytest.mark.parametrize(
    ("kind", "kills"),
    [
        ("steady", 2),
        pytest.param("steady", 10, marks=[pytest.mark.soak, pytest.mark.timeout(1800)]),
        pytest.param("screened", 10, marks=[pytest.mark.soak, pytest.mark.timeout(1800)]),
    ],
)
def test_killed_searches_of_several_fidelities_replay_their_logs(tautline, start, tmp_path, kind, kills):
    """One by generations ends as if nobody had killed it; the log of the other gives its front again."""
    (tmp_path / "slow.toml").write_text(KINDS[kind])
    chance, path, found = random.Random(2), tmp_path / "killed.db", {}
    for _ in range(kills):
        process = start("study", "run", "slow.toml", "--store", path.name, "--workers", 2)
        wait_for_rows(path, len(found) + chance.randrange(5, 40), process)
        if not kill(process):
            break
        after = computed(path)
        assert found.items() <= after.items(), "a stored evaluation was computed again"
        found = after
    tautline("study", "run", "slow.toml", "--store", path.name, "--workers", 1, check=0)
    front = front_of(tautline, path.name)
    if kind == "screened":
        tautline("study", "run", "slow.toml", "--store", "whole.db", "--workers", 2, check=0)
        assert front == front_of(tautline, "whole.db")
        return
    with Store(str(path)) as store:
        (run,) = store.study("slow").runs
        log, members = store.log(run), [(each.ask_no, each.evaluation.key) for each in store.front(run)]
    tautline("study", "extend", "slow", "--store", path.name, "--generations", "+1", "--workers", 1, check=0)
    with Store(str(path)) as store:
        again = store.log(run)[: len(log)]
        assert [batch.points.tobytes() for batch in again] == [batch.points.tobytes() for batch in log]
        assert [batch.origins for batch in again] == [batch.origins for batch in log]
        asked = sum(len(batch.keys) for batch in log)
        kept = [(each.ask_no, each.evaluation.key) for each in store.front(run) if each.ask_no < asked]
        assert set(kept) <= set(members)
