import dataclasses
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from models import load
from models.errors import InputError, LeaseError, SchemaError, StoreError, UnknownNameError
from studies.definition import parse_study
from studies.execution.evaluation import evaluate_task, lost, task_of
from studies.records import GenerationRecord, LoggedBatch
from studies.store import Owner, Store, open_existing, this_process
from studies.store.database import connect, parse_url, reading
from studies.store.lease import LEASE_SECONDS
from studies.store.schema import head_revision, require_schema, upgrade
from studies.store.tables import metadata
from studies.store.testing import StoreContract
from studies.store.testing_leases import LeaseContract
from studies.store.testing_states import StateContract


def records(count):
    model = load("faulty")
    plain = [model.resolve(None, {"x": i / count}).model_dump(mode="json") for i in range(count)]
    return [evaluate_task(task_of(model, p, "plain", 0), "here") for p in plain]


def generation(number, asked):
    return GenerationRecord(number, asked, asked, asked, 0, 1, 1.0, 0.0, 0.1, time.time())


def batch(number, keys):
    n = len(keys)
    return LoggedBatch(
        number, tuple(keys), np.random.default_rng(1).random((n, 2)), np.ones((n, 2)) / 3, np.zeros(n)
    )


def begun(store, run, owner):
    """A claim under which the run is at work; None when there is nothing to do."""
    claims = store.claim_runs([run], owner)
    if not claims:
        return None
    store.begin_run(claims[0][1], {})
    return claims[0][1]


class OnSQLite:
    @pytest.fixture
    def url(self, tmp_path):
        return str(tmp_path / "a.db")


class TestStore(OnSQLite, StoreContract):
    pass


class TestLeases(OnSQLite, LeaseContract):
    pass


class TestStates(OnSQLite, StateContract):
    pass


@pytest.fixture
def study(store, bnh_study):
    return store.create_study(parse_study(bnh_study), ["default"])


def someone(**changes):
    return dataclasses.replace(this_process(), id="someone", **changes)


def test_every_connection_is_durable_and_waits(store):
    for _ in range(3):
        with reading(store._engine) as connection:
            values = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
        assert values == ["wal", 2, 1, 10_000]
        store._engine.dispose()


def test_migrations_make_exactly_the_tables_of_the_code(store):
    with store._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_store_of_another_version_is_refused_untouched(tmp_path):
    path = str(tmp_path / "a.db")
    Store(path).close()
    engine = connect(parse_url(path))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for migrate in (False, True):
        with pytest.raises(SchemaError, match="schema 9999"):
            Store(path, migrate=migrate)
    engine.dispose()


def test_upgrade_is_idempotent(tmp_path):
    with Store(str(tmp_path / "a.db"), migrate=True) as store:
        assert store.revision == head_revision()
        upgrade(store._database)
        require_schema(store._database)


def test_foreign_files_are_refused(tmp_path):
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (a INTEGER)")
    with pytest.raises(StoreError, match="another program"):
        Store(str(other))
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"this is no database" * 100)
    before = other.read_bytes()
    for migrate in (False, True):
        with pytest.raises(StoreError, match="cannot be opened"):
            Store(str(noise), migrate=migrate)
        with pytest.raises(StoreError, match="another program"):
            Store(str(other), migrate=migrate)
    assert noise.read_bytes() == b"this is no database" * 100
    assert other.read_bytes() == before


@pytest.mark.parametrize(
    "url", ["mysql://x", "://", "postgres://host/db", "", "sqlite://", ":memory:", "/no/such/folder/a.db"]
)
def test_unusable_urls_are_bad_input(url):
    with pytest.raises(InputError):
        Store(url)


def test_reading_commands_do_not_create_a_store(tmp_path):
    with pytest.raises(InputError, match="there is no store"):
        open_existing(str(tmp_path / "none.db"))
    with pytest.raises(InputError, match="there is no store"):
        open_existing(str(tmp_path / "none.db"), migrate=True)
    assert list(tmp_path.iterdir()) == []


def test_a_finished_run_is_not_taken_up_again(store, study):
    claim = begun(store, study.runs[0], this_process())
    store.leave_run(claim, "failed", "because")
    assert begun(store, study.runs[0], this_process()) is None
    assert store.run(study.runs[0]).message == "because"


def test_results_come_back_exactly_and_twice_is_once(store, study):
    claim = begun(store, study.runs[0], this_process())
    results = records(25)
    for order in (results, list(reversed(results)), results[::2]):
        store.save_results(claim, order)
    found = store.evaluations([r.key for r in results] + ["0" * 64])
    assert found == {r.key: r for r in results}


def test_a_lost_workers_verdict_gives_way_and_a_final_one_stays(store, study):
    claim = begun(store, study.runs[0], this_process())
    result = records(1)[0]
    store.save_results(claim, [lost(result.task, "killed")])
    assert not store.evaluations([result.key])[result.key].final
    store.save_results(claim, [result])
    store.save_results(claim, [lost(result.task, "killed")])
    assert store.evaluations([result.key])[result.key] == result


def test_nan_is_never_stored(store, study):
    claim = begun(store, study.runs[0], this_process())
    poison = dataclasses.replace(records(1)[0], metrics={"f1": float("nan")})
    with pytest.raises(Exception, match="not JSON compliant"):
        store.save_results(claim, [poison])
    assert store.evaluations([poison.key]) == {}


def test_the_log_comes_back_bit_for_bit(store, study):
    claim = begun(store, study.runs[0], this_process())
    results = records(8)
    store.save_results(claim, results)
    batches = [batch(1, [r.key for r in results[:5]]), batch(2, [r.key for r in results[5:]])]
    store.save_generation(claim, batches[0], results, generation(1, 5), ([0, 1], []), np.array([1.0, 2.0]))
    store.save_generation(claim, batches[1], results, generation(2, 8), ([6], [0]), None)
    run = store.study("bnh").runs[0]
    for stored, given in zip(store.log(run), batches, strict=True):
        assert stored.keys == given.keys
        assert stored.points.tobytes() == given.points.tobytes()
        assert stored.objectives.tobytes() == given.objectives.tobytes()
    assert run.reference_point.tolist() == [1.0, 2.0]
    assert [m.ask_no for m in store.front(run)] == [1, 6]
    assert [m.ask_no for m in store.front(run, generation=1)] == [0, 1]
    assert [m.ask_no for m in store.history(run)] == list(range(8))


def test_a_generation_is_stored_whole_or_not_at_all(store, study):
    claim = begun(store, study.runs[0], this_process())
    result = records(1)
    store.save_results(claim, result)
    with pytest.raises(StoreError):
        store.save_generation(
            claim, batch(1, [result[0].key, "f" * 64]), result, generation(1, 2), ([0], []), None
        )
    assert store.log(study.runs[0]) == []
    assert store.generations(study.runs[0]) == []


def test_a_late_writer_is_refused_and_writes_nothing(store, study):
    run = study.runs[0]
    gone = someone(pid=2**22 + 1)
    late = begun(store, run, gone)
    now = begun(store, run, this_process())
    assert now.epoch == late.epoch + 1
    result = records(1)
    for attempt in (
        lambda: store.save_results(late, result),
        lambda: store.save_generation(
            late, batch(1, [result[0].key]), result, generation(1, 1), ([], []), None
        ),
        lambda: store.leave_run(late, "done"),
    ):
        with pytest.raises(LeaseError, match="taken over"):
            attempt()
    assert store.renew([late, now]) == {now: "running"}
    assert store.evaluations([result[0].key]) == {}
    assert store.study("bnh").runs[0].state == "running"


def test_leases_bind_the_living_and_free_the_dead(tmp_path, bnh_study):
    moment = [1000.0]
    with Store(str(tmp_path / "a.db"), clock=lambda: moment[0]) as store:
        run = store.create_study(parse_study(bnh_study), ["default"]).runs[0]
        begun(store, run, someone())  # this very process, alive
        with pytest.raises(LeaseError, match="being worked on"):
            begun(store, run, this_process())
        moment[0] += LEASE_SECONDS + 1
        begun(store, run, this_process())
        moment[0] += LEASE_SECONDS + 1
        begun(store, run, someone(started=1.0))  # a pid that was given out anew
        begun(store, run, this_process())
        moment[0] += LEASE_SECONDS + 1
        begun(store, run, Owner("far", "another-host", 1, 1.0))
        with pytest.raises(LeaseError, match="another-host"):
            begun(store, run, this_process())
        moment[0] += LEASE_SECONDS + 1
        begun(store, run, this_process())


def test_a_left_run_can_be_claimed_at_once(store, study):
    claim = begun(store, study.runs[0], someone())
    store.leave_run(claim, "paused", "for a while")
    assert store.study("bnh").runs[0].message == "for a while"
    assert begun(store, study.runs[0], this_process()).epoch == 2


def test_deleting_keeps_what_other_studies_use(store, bnh_study, inline, make_executor):
    from studies.launch import run_study

    run_study(store, parse_study(bnh_study), inline(make_executor()))
    longer = bnh_study.replace('"bnh"', '"longer"', 1).replace("generations = 6", "generations = 8")
    run_study(store, parse_study(longer), inline(make_executor()))
    assert store.delete_study("bnh") == 0
    with pytest.raises(UnknownNameError):
        store.study("bnh")
    assert len(store.history(store.study("longer").runs[0])) == 96
    assert store.delete_study("longer") == 96


def test_a_study_at_work_cannot_be_deleted(store, study):
    begun(store, study.runs[0], this_process())
    with pytest.raises(LeaseError, match="being worked on"):
        store.delete_study("bnh")


def test_a_full_disk_is_told_and_harms_nothing(store, study):
    claim = begun(store, study.runs[0], this_process())
    store.save_results(claim, records(5))
    with reading(store._engine) as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    from sqlalchemy import event

    event.listen(store._engine, "connect", lambda c, _: c.execute(f"PRAGMA max_page_count={pages}"))
    store._engine.dispose()
    with pytest.raises(StoreError, match="full"):
        store.save_results(claim, records(3000))
    assert len(store.evaluations([r.key for r in records(5)])) == 5


WRITER = """
import sys
from models import load
from studies.execution.evaluation import evaluate_task, task_of
from studies.store import Store, this_process
from studies.definition import parse_study
path, name, text = sys.argv[1:]
model = load("faulty")
with Store(path) as store:
    study = store.create_study(parse_study(text.replace('"bnh"', f'"{name}"', 1)), ["default"])
    claim = store.claim_runs(study.runs, this_process())[0][1]
    for i in range(40):
        plain = model.resolve(None, {"x": i / 40, "y": float(name[1:]) / 10}).model_dump(mode="json")
        store.save_results(claim, [evaluate_task(task_of(model, plain, "plain", 0), name)])
"""


def test_writers_in_four_processes_wait_for_each_other(tmp_path, bnh_study):
    path = str(tmp_path / "a.db")
    Store(path).close()
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, f"w{i}", bnh_study], stderr=subprocess.PIPE, text=True
        )
        for i in range(4)
    ]
    for writer in writers:
        _, problem = writer.communicate(timeout=120)
        assert writer.returncode == 0, problem
    with Store(path) as store, reading(store._engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM evaluation")).scalar() == 160
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
