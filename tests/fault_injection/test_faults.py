"""Single faults of runs: a stopped owner, a restarted database, a full disk."""

import signal
import time

import pytest
from sqlalchemy import event

from studies.run.launch import resume_study, run_study
from studies.store import Store
from tests.fault_injection import processes
from tests.fault_injection.ledger import SHORT, assert_calm_front, at_once, definition, queue, verify
from tests.suspension import suspend_between_writes

pytestmark = pytest.mark.timeout(900)

LEASE = 2.0
BRIEF = 3
"""Generations that outlast the moment in which an owner is stopped or a database shut down."""
HANGING = 300
"""Seconds after which a wait is given up: only what hangs takes so long."""


@pytest.fixture
def url(tmp_path):
    return str(tmp_path / "fire.db")


def wait_until(condition):
    deadline = time.monotonic() + HANGING
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def lines(ledger):
    return len(ledger.read_bytes().splitlines()) if ledger.exists() else 0


def test_an_owner_stopped_past_its_lease_writes_nothing_when_it_wakes(tmp_path, url, inline, inline_executor):
    study = definition(1, BRIEF)
    queue(url, study)
    ledgers = [tmp_path / "first.txt", tmp_path / "second.txt"]
    first, second = (processes.runner(url, ledger, "local", tmp_path, LEASE) for ledger in ledgers)
    try:
        first.tend()
        wait_until(lambda: lines(ledgers[0]) > 20)
        suspend_between_writes(first.pid, url)
        with Store(url) as store:
            wait_until(lambda: second.tend() or store.study("fire-1").state == "done")
            before = lines(ledgers[0])
            first.signal(signal.SIGCONT)
            first.wait(HANGING)
            assert lines(ledgers[0]) == before, "a stale write was acknowledged"
            assert max(len(store.provenance(run)) for run in store.study("fire-1").runs) > 1
        assert_calm_front(str(tmp_path / "calm.db"), url, study, inline(inline_executor))
        for ledger in ledgers:
            verify(url, ledger)
    finally:
        first.kill()
        second.kill()


@pytest.mark.soak
def test_of_two_runners_one_wins_each_run(tmp_path, url):
    queue(url, definition(1, SHORT))
    ledgers = [tmp_path / "first.txt", tmp_path / "second.txt"]
    both = [processes.runner(url, ledger, "local", tmp_path) for ledger in ledgers]
    try:
        for one in both:
            one.tend()
        for one in both:
            one.wait(HANGING)
        with Store(url) as store:
            study = store.study("fire-1")
            assert study.state == "done"
            assert [len(store.provenance(run)) for run in study.runs] == [1, 1]
        for ledger in ledgers:
            if ledger.exists():
                verify(url, ledger)
    finally:
        for one in both:
            one.kill()


@pytest.mark.parametrize("mode", [pytest.param("fast", marks=pytest.mark.soak), "immediate"])
def test_a_restarted_database_is_worked_with_again_within_a_minute(
    mode, tmp_path, postgresql, inline, inline_executor
):
    url = postgresql.new_database()
    study = definition(2, BRIEF)
    queue(url, study)
    ledger = tmp_path / "ledger.txt"
    runner = processes.runner(url, ledger, "local", tmp_path)
    try:
        runner.tend()
        wait_until(lambda: lines(ledger) > 20)
        postgresql.stop(mode)
        time.sleep(1.5)
        before = lines(ledger)
        postgresql.start()
        wait_until(lambda: lines(ledger) > before)
        runner.wait(HANGING)
    finally:
        runner.kill()
        if not postgresql.running:
            postgresql.start()
    with Store(url) as store:
        assert [len(store.provenance(run)) for run in store.study("fire-2").runs] == [1, 1]
    assert_calm_front(str(tmp_path / "calm.db"), url, study, inline(inline_executor))
    verify(url, ledger)


def test_a_full_disk_pauses_the_run_and_room_lets_it_go_on(url, tmp_path, inline, make_executor):
    limit = {"pages": 0}

    def confine(connection, _):
        if limit["pages"]:
            connection.execute(f"PRAGMA max_page_count={limit['pages']}")

    with Store(url) as store:
        limit["pages"] = store._engine.raw_connection().execute("PRAGMA page_count").fetchone()[0] + 20
    with Store(url) as store, at_once():
        event.listen(store._engine, "connect", confine)
        store._engine.dispose()
        study = run_study(store, definition(3), inline(make_executor()))
        assert study.state == "paused"
        assert "disk is full" in study.runs[0].message
        assert "resume" in study.runs[0].message
        told = sum(generation.asked for run in study.runs for generation in store.generations(run)[-1:])
        assert resume_study(store, "fire-3", inline(make_executor())).state == "paused"
    with Store(url) as store, at_once():
        assert told == sum(g.asked for run in study.runs for g in store.generations(run)[-1:])
        assert resume_study(store, "fire-3", inline(make_executor())).state == "done"
    assert_calm_front(str(tmp_path / "calm.db"), url, definition(3), inline(make_executor()))
