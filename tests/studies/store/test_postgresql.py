"""The store on PostgreSQL: the conformance suite, and what only a server does."""

import builtins
import threading
import time

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event, select, text

from errors import InputError, StoreError, StoreFullError
from studies.store import Store, studies, this_process
from studies.store.database import Database, connect, parse_url, reading
from studies.store.schema import upgrade
from studies.store.tables import metadata, run_lease
from tests.repetition import repeated
from tests.studies.store.building_blocks import (
    batch,
    begun,
    contents,
    definition,
    generation,
    results,
    tables_of,
)
from tests.studies.store.contract import StoreContract
from tests.studies.store.contract_accounts import AccountContract
from tests.studies.store.contract_decisions import DecisionContract
from tests.studies.store.contract_jobs import JobContract
from tests.studies.store.contract_leases import LeaseContract
from tests.studies.store.contract_states import StateContract
from tests.studies.store.contract_statistics import StatisticsContract
from tests.studies.store.contract_sweeps import SweepContract
from tests.studies.store.contract_trials import AskedContract


class OnPostgreSQL:
    @pytest.fixture
    def url(self, postgresql_url):
        return postgresql_url


class OnPostgreSQLOnce(OnPostgreSQL):
    """Acknowledgements that get lost are in the soak; quick tests see them on SQLite."""

    @pytest.fixture(params=["once", pytest.param("twice", marks=pytest.mark.soak)])
    def written(self, request):
        return request.param


class TestStore(OnPostgreSQL, StoreContract):
    pass


class TestLeases(OnPostgreSQL, LeaseContract):
    pass


class TestAccounts(OnPostgreSQLOnce, AccountContract):
    pass


class TestDecisions(OnPostgreSQLOnce, DecisionContract):
    pass


class TestJobs(OnPostgreSQL, JobContract):
    pass


class TestSweeps(OnPostgreSQL, SweepContract):
    pass


class TestAsked(OnPostgreSQL, AskedContract):
    pass


class TestStatistics(OnPostgreSQL, StatisticsContract):
    pass


class TestStates(OnPostgreSQL, StateContract):
    pass


@pytest.fixture
def pg_store(postgresql_url):
    with Store(postgresql_url) as opened:
        yield opened


def setting(store, name):
    with reading(store._engine) as connection:
        return connection.execute(text(f"SHOW {name}")).scalar()


def test_every_connection_is_durable_and_never_waits_for_ever(pg_store):
    for _ in range(2):
        assert setting(pg_store, "fsync") == "on"
        assert setting(pg_store, "synchronous_commit") == "on"
        assert setting(pg_store, "lock_timeout") == "10s"
        assert setting(pg_store, "statement_timeout") == "5min"
        assert setting(pg_store, "idle_in_transaction_session_timeout") == "20s"
        pg_store._engine.dispose()


def test_migrations_make_exactly_the_tables_of_a_new_store(pg_store, postgresql):
    migrated = connect(parse_url(postgresql.new_database()))
    upgrade(Database(migrated))
    with migrated.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    assert tables_of(migrated) == tables_of(pg_store._engine)
    migrated.dispose()


def test_times_come_from_the_servers_clock(pg_store):
    run = pg_store.create_study(definition(), ["default"]).runs[0]
    begun(pg_store, run)
    with reading(pg_store._engine) as connection:
        server = float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    told = pg_store.events()[-1].time
    assert 0.0 <= server - told < 60.0
    assert pg_store._database._asks_server


def test_a_commit_that_does_not_wait_for_the_disk_is_put_right(postgresql):
    url = postgresql.new_database()
    postgresql.sql("ALTER DATABASE " + url.split("/")[3].split("?")[0] + " SET synchronous_commit = off")
    with Store(url) as store:
        assert setting(store, "synchronous_commit") == "on"


def test_a_server_that_loses_what_it_acknowledged_is_refused(postgresql):
    def synchronise(wanted):
        postgresql.sql(f"ALTER SYSTEM SET fsync = {wanted}")
        postgresql.sql("SELECT pg_reload_conf()")
        while postgresql.sql("SHOW fsync").strip() != wanted:
            time.sleep(0.01)

    synchronise("off")
    try:
        with pytest.raises(StoreError, match="fsync = off"):
            Store(postgresql.new_database())
    finally:
        synchronise("on")


def test_a_database_of_another_program_is_refused(postgresql):
    url = postgresql.new_database()
    name = url.split("/")[3].split("?")[0]
    postgresql.sql("CREATE TABLE mine (a integer)", name)
    with pytest.raises(StoreError, match="another program"):
        Store(url)
    assert postgresql.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name).strip() == "1"


def test_a_connection_that_fails_is_reported_without_the_password(postgresql):
    postgresql.sql("CREATE ROLE locked LOGIN PASSWORD 'right-one'")
    here = str(postgresql.folder)
    cases = {
        f"postgresql://{postgresql.role}@/absent?host={here}": "make it with `createdb absent`",
        f"postgresql://locked:wrong-secret@/postgres?host={here}": "check user and password",
        "postgresql://me:wrong-secret@127.0.0.1:1/db": "that the server runs",
        f"postgresql:///db?host={here}/nowhere&password=wrong-secret": "that the server runs",
        "postgres://me:wrong-secret@no-such-host.invalid/db": "that the server runs",
        "postgresql://me:wrong-secret@[::1/db": "is not a database URL",
        "postgresql://me:wrong-secret@host/db?nonsense=1": "that the server runs",
    }
    for url, told in cases.items():
        begin = time.monotonic()
        with pytest.raises(InputError) as caught:
            Store(url)
        assert told in str(caught.value), caught.value
        assert time.monotonic() - begin < 30
        chain, error = [], caught.value
        while error is not None and not error.__suppress_context__:
            chain.append(error)
            error = error.__cause__ or error.__context__
        assert "wrong-secret" not in " ".join(map(repr, [caught.value, *chain]))


def test_the_name_of_a_store_holds_no_password(postgresql):
    postgresql.sql("CREATE ROLE named LOGIN SUPERUSER PASSWORD 'right-one'")
    url = postgresql.new_database().replace(f"{postgresql.role}@", "named:right-one@")
    with Store(url) as store:
        assert store.name.startswith("postgresql://named@/store")
        assert "right-one" not in store.name + repr(store._engine)


def test_without_psycopg_it_is_reported_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *arguments, **named):
        if name.split(".")[0] == "psycopg":
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(InputError, match=r"pip install 'psycopg\[binary\]'"):
        Store("postgresql://me@host/db")


@pytest.mark.parametrize("mode", repeated(["kill", "fast", "immediate"], quick=["kill"]))
def test_writers_outlast_a_restart_of_the_server(mode, postgresql):
    """Every result that was acknowledged is there afterwards, and no generation twice."""
    with Store(postgresql.new_database()) as store:
        claim = begun(store, store.create_study(definition(), ["default"]).runs[0])
        acknowledged, stop, failed = [], threading.Event(), []

        def write():
            number = 0
            try:
                while not stop.is_set():
                    number += 1
                    given = results(5, 5 * number)
                    store.save_results(claim, given)
                    last = generation(number, 5 * number)
                    store.save_generation(claim, batch(number, given), given, last, ([], []), None)
                    acknowledged.append(number)
            except Exception as error:  # noqa: BLE001 - told below
                failed.append(error)

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(2):
            before = len(acknowledged)
            while len(acknowledged) < before + 5:
                assert writer.is_alive(), failed
                time.sleep(0.01)
            if mode == "kill":
                postgresql.kill()
            else:
                postgresql.stop(mode)
            time.sleep(0.5)
            postgresql.start()
            begin, before = time.monotonic(), len(acknowledged)
            while len(acknowledged) == before:
                assert writer.is_alive(), failed
                assert time.monotonic() - begin < 60
                time.sleep(0.01)
        stop.set()
        writer.join()
        assert not failed
        run = store.study("contract").runs[0]
        assert [item.number for item in store.generations(run)] == acknowledged
        assert [m.evaluation for m in store.history(run)] == results(5 * len(acknowledged), 5)


def test_a_server_that_stays_away_is_reported_after_the_patience(monkeypatch, postgresql):
    monkeypatch.setattr("studies.store.database.PATIENCE_SECONDS", 2.0)
    with Store(postgresql.new_database()) as store:
        claim = begun(store, store.create_study(definition(), ["default"]).runs[0])
        postgresql.stop()
        begin = time.monotonic()
        with pytest.raises(StoreError, match="could not be written to or reached"):
            store.save_results(claim, results(1))
        assert 0.3 < time.monotonic() - begin < 20.0
        postgresql.start()
        store.save_results(claim, results(1))


def test_a_lock_that_is_not_given_is_waited_for_and_then_reported(pg_store, monkeypatch):
    monkeypatch.setattr("studies.store.database.PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr("studies.store.postgresql._SESSION", ("SET SESSION lock_timeout = '1s'",))
    pg_store._engine.dispose()
    claim = begun(pg_store, pg_store.create_study(definition(), ["default"]).runs[0])
    with pg_store._engine.connect() as other, other.begin():
        other.execute(text("SELECT * FROM run_lease FOR UPDATE"))
        begin = time.monotonic()
        with pytest.raises(StoreError, match="lock timeout"):
            pg_store.renew([claim])
        assert 1.0 < time.monotonic() - begin < 25
    assert pg_store.renew([claim]) == {claim: "running"}


def test_a_run_that_is_just_being_taken_is_passed_over(pg_store):
    runs = pg_store.create_study(definition(seeds=[1, 2]), ["default"]).runs
    with pg_store._engine.connect() as other, other.begin():
        other.execute(select(run_lease).where(run_lease.c.run_id == runs[0].id).with_for_update())
        begin = time.monotonic()
        found = pg_store.claim_next(this_process())
        assert time.monotonic() - begin < 5
    assert found is not None
    assert found[0].seed == 2


def test_a_full_disk_is_reported(postgresql):
    with Store(postgresql.new_database()) as store:
        claim = begun(store, store.create_study(definition(), ["default"]).runs[0])
        with store._engine.begin() as connection:
            connection.execute(text(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$"
            ))  # fmt: skip
            for table in ("evaluation", "event"):
                connection.execute(text(
                    f"CREATE TRIGGER full_disk BEFORE INSERT ON {table} EXECUTE FUNCTION full_disk()"
                ))  # fmt: skip
        with pytest.raises(StoreFullError, match="No space left"):
            store.save_results(claim, results(1))
        store.leave_run(claim, "paused", "the disk is full")
        run = store.study("contract").runs[0]
        assert (run.state, run.message) == ("paused", "the disk is full")
        assert [e.kind for e in store.events()] == ["queued", "running"], "there was no room for the third"


def test_a_deletion_and_a_generation_at_once_leave_no_hole(pg_store):
    """Two studies share their designs; one is deleted again and again while the other logs them."""
    given = results(30)
    claim = begun(pg_store, pg_store.create_study(definition("stays"), ["default"]).runs[0])
    failed = []

    def churn():
        try:
            for i in range(12):
                mine = begun(pg_store, pg_store.create_study(definition(f"goes{i}"), ["default"]).runs[0])
                pg_store.save_results(mine, given)
                pg_store.save_generation(mine, batch(1, given), given, generation(1, 30), ([], []), None)
                pg_store.leave_run(mine, "done")
                pg_store.delete_study(f"goes{i}")
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(error)

    other = threading.Thread(target=churn)
    other.start()
    number = 0
    while other.is_alive():
        number += 1
        last = generation(number, 30 * number)
        pg_store.save_generation(claim, batch(number, given), given, last, ([], []), None)
    other.join()
    assert not failed
    assert len(contents(pg_store)["run_evaluation"]) == 30 * number
    assert len(pg_store.history(pg_store.study("stays").runs[0])) == 30 * number


def test_nobody_else_waits_for_a_deletion(pg_store):
    """Others log their own designs while 30 are being deleted, and none of a third study's goes."""
    given, shared = results(30), results(30, 100)
    goes, stays, works = (
        pg_store.create_study(definition(name), ["default"]).runs[0] for name in ("goes", "stays", "works")
    )
    for run, records in ((goes, given + shared), (stays, shared)):
        claim = begun(pg_store, run)
        pg_store.save_results(claim, records)
        last = generation(1, len(records))
        pg_store.save_generation(claim, batch(1, records), records, last, ([], []), None)
        pg_store.leave_run(claim, "done")
    claim, own = begun(pg_store, works), results(30, 200)
    with pg_store._engine.connect() as connection, connection.begin():
        assert studies.remove(connection, "goes", None, "here", 0.0) == 30
        pg_store._database._patience = 0.0
        pg_store.save_results(claim, own)
        pg_store.save_generation(claim, batch(1, own), own, generation(1, 30), ([], []), None)
    assert [m.evaluation for m in pg_store.history(stays)] == shared
    assert pg_store.evaluations([record.key for record in given]) == {}


def test_a_sweep_that_somebody_else_deletes_is_read_before_it_goes(pg_store, postgresql_url):
    """Asking for a stored sweep again holds it, so that its deletion waits until it was read."""
    pg_store.create_study(definition("mine"), ["default"])
    made = pg_store.sweeps.add("mine", "reevaluate", {"f": (1,)}, "a" * 64)
    waiting = text(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    deleter = threading.Thread(target=lambda: other.sweeps.remove("mine", made.id))

    def delete(connection, cursor, statement, *_):
        if statement.startswith("INSERT INTO sweep ("):
            deleter.start()
            while deleter.is_alive():
                with reading(other._engine) as watching:
                    if watching.execute(waiting).first():
                        return

    with Store(postgresql_url) as other:
        event.listen(pg_store._engine, "after_cursor_execute", delete)
        again = pg_store.sweeps.add("mine", "reevaluate", {"f": (1,)}, "a" * 64)
        deleter.join()
    assert again == made
    assert pg_store.sweeps.of("mine") == []
