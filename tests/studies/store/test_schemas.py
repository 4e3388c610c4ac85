"""Stores of every schema that was ever released: opened, upgraded, killed while they are upgraded.

``schemas/NNNN.db`` were written by the code of their time: a finished study of two runs (`whole`), one
that was interrupted (`half`) and one that never began (`waiting`).
"""

import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, insert, inspect, select, text

from errors import SchemaError, StoreError
from studies.decision_records import Interval
from studies.records import SweepRecord
from studies.store import Store, open_existing, schema
from studies.store.database import connect, parse_url
from studies.store.schema import head_revision
from studies.store.tables import metadata
from tests import forked
from tests.left_out import reason
from tests.repetition import repeated
from tests.studies.store.old_stores import RECORDED_WITH, extensions, live_on

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.db"))
OLD = [path for path in SCHEMAS if path.stem != head_revision()]
# Searches go on from the oldest and the newest of these; from all of them in the soak.
going_on = pytest.mark.parametrize(
    "searched",
    [pytest.param([OLD[0], OLD[-1]], id="ends"), pytest.param(OLD, id="all", marks=pytest.mark.soak)],
)


@pytest.fixture
def old(request, tmp_path):
    return shutil.copy(request.param, tmp_path)


def rows(path, tables):
    """All rows of ``tables``, a mapping from names to columns."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(f"SELECT {', '.join(columns)} FROM {name} ORDER BY 1, 2").fetchall()  # noqa: S608 - names from the file itself
            for name, columns in tables.items()
        }


def tables_of(path):
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version'"
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute(query)]
        return {
            name: [f'"{column[1]}"' for column in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
        }


CHANGED = {"study", "run_evaluation", "front_member", "token", "sweep_lease"}
"""Tables that are gone, or whose columns have changed, since; what of them shall stay, the tests name."""


def fronts_of(path):
    """The designs on every front of a store, after every generation, as its tables say it."""
    exited = '"left"' if Path(path).stem < "0004" else "exited"
    query = (
        'SELECT m.run_id, g.number, m.ask_no, e."key" FROM front_member m JOIN generation g USING (run_id) '  # noqa: S608 - one of two names
        "JOIN run_evaluation e USING (run_id, ask_no) WHERE m.entered <= g.number "
        f"AND (m.{exited} IS NULL OR m.{exited} > g.number) ORDER BY 1, 2, 3"
    )
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def fronts_in(store):
    runs = sorted((run for study in store.studies() for run in study.runs), key=lambda run: run.id)
    return [
        (run.id, generation.number, member.ask_no, member.evaluation.key)
        for run in runs
        for generation in store.generations(run)
        for member in store.front(run, generation.number)
    ]


def test_every_schema_has_a_fixture():
    assert [path.stem for path in SCHEMAS] == [f"{i:04}" for i in range(1, int(head_revision()) + 1)]


@pytest.mark.parametrize("old", OLD, indirect=True, ids=lambda path: path.stem)
def test_an_old_store_is_refused_until_it_is_upgraded(old):
    before = Path(old).read_bytes()
    with pytest.raises(SchemaError, match="upgrade the store"):
        open_existing(old)
    tables = tables_of(old)
    held = {name: table for name, table in rows(old, tables).items() if name not in CHANGED}
    assert Path(old).stat().st_size == len(before)
    fronts = fronts_of(old)
    with open_existing(old, migrate=True) as store:
        assert store.revision == head_revision()
        assert fronts_in(store) == fronts
    after = rows(old, {name: tables[name] for name in held})
    assert set(held.pop("run_lease")) <= set(after.pop("run_lease")), "runs without a lease get one"
    assert after == held


@pytest.mark.skipif(
    RECORDED_WITH not in extensions(),
    reason=reason("recorded searches", f"the processor has no {RECORDED_WITH}", ""),
)
@going_on
def test_old_fronts_logs_and_searches_live_on(searched, tmp_path):
    live_on(*(shutil.copy(path, tmp_path) for path in searched), shutil.copy(SCHEMAS[-1], tmp_path))


def test_owners_branches_and_bearers_that_are_not_there_become_nobody(tmp_path):
    path = shutil.copy(SCHEMAS[2], tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE study SET owner = 'gone', branch_of = 'gone' WHERE name = 'half'")
        connection.execute("UPDATE study SET branch_of = 'whole' WHERE name = 'waiting'")
        connection.execute(
            "INSERT INTO token SELECT 'orphan', 'gone', kind, name, digest, scope, created, expires, last_used, revoked, used FROM token WHERE account = 'anna'"
        )
        connection.execute("DELETE FROM event WHERE id > 20")
    with open_existing(path, migrate=True) as store:
        assert store.check() == []
        found = {study.name: (study.owner, study.branch_of) for study in store.studies()}
        assert found == {"whole": ("anna", None), "half": ("", None), "waiting": ("anna", "whole")}
        assert [token.account for token in store.tokens.of()] == ["anna"]
        assert store.tokens.find("fedcba9876543210")[0].account == ""
        store.queue_study("half")
        assert store.last_event() > 23, "the numbers of events that were deleted are not given out again"


def test_sweeps_of_an_old_store_keep_their_numbers_and_studies(tmp_path):
    path = shutil.copy(SCHEMAS[6], tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            """INSERT INTO sweep VALUES (7, 1, 'search', '{"f": [0, 2.5]}', 'a', NULL, 5.0), (9, 2, 'search', '{}', 'a', NULL, 6.0)"""
        )
        connection.execute("INSERT INTO sweep_study VALUES (7, 2, 3)")
    with open_existing(path, migrate=True) as store:
        assert store.check() == []
        assert store.sweeps.of("whole") == [
            SweepRecord(7, "whole", "search", {"f": (0, 2.5)}, "a", "", 5.0, {2: "waiting"})
        ]
        store.sweeps.remove("half", 9)
        assert store.sweeps.add("half", "search", {"f": (1,)}, "b").id == 10


def test_a_store_with_a_broken_reference_is_not_upgraded(tmp_path):
    path = shutil.copy(SCHEMAS[2], tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM evaluation WHERE key = (SELECT min(key) FROM run_evaluation)")
    with pytest.raises(StoreError, match="of run_evaluation refers to a row of evaluation"):
        open_existing(path, migrate=True)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]


def checks_of(store):
    """The CHECKs and references of every table, by name."""
    with store._engine.connect() as connection:
        found = inspect(connection)
        return {
            table: (
                sorted(check["name"] for check in found.get_check_constraints(table)),
                sorted(
                    (key["name"], key["options"].get("ondelete")) for key in found.get_foreign_keys(table)
                ),
            )
            for table in metadata.tables
        }


@pytest.mark.parametrize("old", OLD, indirect=True, ids=lambda path: path.stem)
def test_migrations_make_the_checks_and_references_of_the_code(old, tmp_path):
    engine = connect(parse_url(str(tmp_path / "made.db")))
    metadata.create_all(engine)
    engine.dispose()
    with closing(sqlite3.connect(tmp_path / "made.db")) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", (head_revision(),))
        connection.commit()
    with open_existing(old, migrate=True) as migrated, Store(str(tmp_path / "made.db")) as made:
        assert checks_of(migrated) == checks_of(made)


def copied(path, url):
    """An old SQLite store as the PostgreSQL store of the same schema: its tables, then its rows."""
    config = Config()
    config.set_main_option("script_location", str(schema._MIGRATIONS))
    source, target = connect(parse_url(str(path))), connect(parse_url(url))
    with source.connect() as old, target.begin() as new:
        config.attributes["connection"] = new
        command.upgrade(config, path.stem)
        theirs, ours = MetaData(), MetaData()
        theirs.reflect(old)
        ours.reflect(new)
        for table in ours.sorted_tables:
            if table.name != "alembic_version":
                found = [dict(row) for row in old.execute(select(theirs.tables[table.name])).mappings()]
                if found:
                    new.execute(insert(table), found)
        for name in ("study", "run", "event", *(["annotation"] if "annotation" in ours.tables else [])):
            new.execute(text(f"SELECT setval('{name}_id_seq', greatest(max(id), 1)) FROM {name}"))  # noqa: S608
    source.dispose()
    target.dispose()


@pytest.fixture
def old_on_postgresql(postgresql):
    """The URLs of all old stores there, by the path of each."""
    urls = {path: postgresql.new_database() for path in OLD}
    for path, url in urls.items():
        copied(path, url)
    return urls


@pytest.mark.parametrize(
    "paths",
    [pytest.param([OLD[0], OLD[-1]], id="ends"), pytest.param(OLD, id="each", marks=pytest.mark.soak)],
)
def test_old_stores_on_postgresql_are_upgraded_as_those_in_files(postgresql, paths, tmp_path):
    """The oldest goes through every step."""
    for path in paths:
        url = postgresql.new_database()
        copied(path, url)
        upgraded = shutil.copy(path, tmp_path)
        with pytest.raises(SchemaError, match="upgrade the store"):
            open_existing(url)
        with open_existing(upgraded, migrate=True) as here, open_existing(url, migrate=True) as there:
            assert there.check() == []
            assert checks_of(there) == checks_of(here)
            assert fronts_in(there) == fronts_in(here) == fronts_of(path)
            assert there.studies() == here.studies()
            for run in (run for study in here.studies() for run in study.runs):
                assert [m.evaluation for m in there.history(run)] == [m.evaluation for m in here.history(run)]


@pytest.mark.soak
@pytest.mark.skipif(
    RECORDED_WITH not in extensions(),
    reason=reason("recorded searches", f"the processor has no {RECORDED_WITH}", ""),
)
def test_old_stores_on_postgresql_live_on(old_on_postgresql):
    live_on(*old_on_postgresql.values())


def test_broken_text_in_old_warnings_becomes_readable_on_postgresql(postgresql):
    path, url = SCHEMAS[2], postgresql.new_database()
    copied(path, url)
    engine = connect(parse_url(url))
    with engine.begin() as connection:
        connection.execute(
            text(
                """UPDATE evaluation SET warnings = '["NUL \\u0000", "half \\ud800", "whole \\ud83d\\ude00"]'"""
            )
        )
    engine.dispose()
    with open_existing(url, migrate=True) as store:
        run = store.study("whole").runs[0]
        assert store.front(run)[0].evaluation.warnings == ("NUL ?", "half ?", "whole \U0001f600")
        assert store.check() == []


KILLED = """
import os, signal, sys
from sqlalchemy import event
from studies.store import schema
from studies.store.database import Database, connect, parse_url
engine = connect(parse_url(sys.argv[1]))
left = [int(sys.argv[2])]
@event.listens_for(engine, "before_cursor_execute")
def count(conn, cursor, statement, *_):
    if not statement.startswith(("SELECT", "PRAGMA")):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
schema.upgrade(Database(engine))
"""


@pytest.mark.parametrize("statements", repeated([0, 1, 3, 6, 15, 21], quick=[3]))
@pytest.mark.parametrize("old", OLD, indirect=True, ids=lambda path: path.stem)
def test_a_killed_upgrade_leaves_the_old_store(old, statements, tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    tables = tables_of(old)
    held = rows(old, tables)
    status = forked.run(tmp_path, old, statements, script=script).returncode
    if status == 0 and statements >= 3:  # the last migrations are short, and were through before
        with open_existing(old) as store:
            assert store.revision == head_revision()
        return
    assert status == -signal.SIGKILL
    assert tables_of(old) == tables
    assert rows(old, tables) == held
    with pytest.raises(SchemaError):
        open_existing(old)
    with open_existing(old, migrate=True) as store:
        assert store.check() == []
        assert len(store.front(store.study("whole").runs[0])) > 10


def test_decisions_and_annotations_are_read_from_the_store_of_their_time(tmp_path):
    with open_existing(shutil.copy(SCHEMAS[4], tmp_path), migrate=True) as store:
        assert store.check() == []
        second, first = store.decisions.of("whole")
        assert (second.rule, second.replaces, second.reason) == ("judgement", 1, "easier to build")
        assert first.preferences.filters == {"f1": Interval(None, 1000.0)}
        assert [one.rank for one in first.candidates] == [1, 2, 3, 4]
        assert [one.kind for one in store.annotations.of("whole")] == ["note", "tag"]
        assert store.annotations.of("half")[0].author == "anna"
