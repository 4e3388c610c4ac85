"""Stores of every schema that was ever released: opened, upgraded, killed while they are upgraded.

``schemas/NNNN.db`` were written by the code of their time: a finished study of two runs (`whole`), one
that was interrupted (`half`) and one that never began (`waiting`).
"""

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from errors import SchemaError
from studies.store import open_existing
from studies.store.schema import head_revision
from tests.studies.living_on import RECORDED_WITH, extensions, live_on

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.db"))
OLD = [path for path in SCHEMAS if path.stem != head_revision()]


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


def test_every_schema_has_a_fixture():
    assert [path.stem for path in SCHEMAS] == [f"{i:04}" for i in range(1, int(head_revision()) + 1)]


@pytest.mark.parametrize("old", OLD, indirect=True, ids=lambda path: path.stem)
def test_an_old_store_is_refused_until_it_is_upgraded(old):
    before = Path(old).read_bytes()
    with pytest.raises(SchemaError, match="tautline store upgrade"):
        open_existing(old)
    tables = tables_of(old)
    held = rows(old, tables)
    assert Path(old).stat().st_size == len(before)
    with open_existing(old, migrate=True) as store:
        assert store.revision == head_revision()
    after = rows(old, tables)
    assert set(held.pop("run_lease")) <= set(after.pop("run_lease")), "runs without a lease get one"
    assert after == held


@pytest.mark.skipif(RECORDED_WITH not in extensions(), reason=f"needs a processor with {RECORDED_WITH}")
@pytest.mark.parametrize("old", SCHEMAS, indirect=True, ids=lambda path: path.stem)
def test_old_fronts_logs_and_searches_live_on(old, tmp_path):
    live_on(old, str(tmp_path / "new.db"))


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


@pytest.mark.parametrize("statements", [0, 1, 3, 5, 7, 9])
@pytest.mark.parametrize("old", OLD, indirect=True, ids=lambda path: path.stem)
def test_a_killed_upgrade_leaves_the_old_store(old, statements):
    tables = tables_of(old)
    held = rows(old, tables)
    killed = subprocess.run([sys.executable, "-c", KILLED, old, str(statements)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert tables_of(old) == tables
    assert rows(old, tables) == held
    with pytest.raises(SchemaError):
        open_existing(old)
    with open_existing(old, migrate=True) as store:
        assert store.check() == []
        assert len(store.front(store.study("whole").runs[0])) > 10
