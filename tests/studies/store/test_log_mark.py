"""A store whose write-ahead log was removed is reported as such, and no other store is."""

import os
import random
import shutil
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from studies.store import Store
from studies.store.database import reading
from studies.store.log_mark import REMOVED, LogMark, log_was_removed
from tests import forked
from tests.repetition import repeated
from tests.studies.store.building_blocks import begun, contents, definition, results

KILLED = """
import os, signal, sys
from studies.store import Store
from tests.studies.store.building_blocks import begun, definition, results
store = Store(sys.argv[1])
claim = begun(store, store.create_study(definition(), ["default"]).runs[0])
for number in range(int(sys.argv[2])):
    store.save_results(claim, results(50, 50 * number))
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(tmp_path, batches=3):
    """The file of a store with a study, whose only process was killed."""
    script, path = tmp_path / "killed.py", tmp_path / "a.db"
    script.write_text(KILLED)
    assert forked.run(tmp_path, path, batches, script=script).returncode == -signal.SIGKILL
    return path


def without_log(path, copy):
    """A copy of the main file alone."""
    return Path(shutil.copy(path, copy))


def reported(path):
    with Store(str(path)) as store:
        return store.lost == REMOVED and store.check() == [REMOVED]


@pytest.mark.parametrize("batches", repeated([0, 3, 40, 200], quick=[0, 200]))
def test_a_removed_log_is_reported_after_a_kill(tmp_path, batches):
    path = killed(tmp_path, batches)
    for companion in ("-wal", "-shm"):
        path.with_name(path.name + companion).unlink()
    assert reported(path)
    assert reported(path), "once more, although the store was opened"
    with Store(str(path)) as store:
        store.create_study(definition("later"), ["default"])
    assert reported(path), "also after it was written to"
    told = forked.run(tmp_path, "store", "check", "--store", path)
    assert (told.returncode, "write-ahead log" in told.stdout) == (1, True)
    assert "warning: the write-ahead log" in forked.run(tmp_path, "study", "list", "--store", path).stderr
    assert forked.run(tmp_path, "store", "check", "--accept-loss", "--store", path).returncode == 0
    with Store(str(path)) as store:
        assert (store.lost, store.check()) == ("", [])
        store.create_study(definition("last"), ["default"])
        assert reported(without_log(path, tmp_path / "copy.db"))


@pytest.mark.parametrize("damage", ["emptied", "cut", "overwritten"])
def test_a_log_that_is_no_longer_whole_is_reported(tmp_path, damage):
    path = killed(tmp_path)
    log = path.with_name(path.name + "-wal")
    size = log.stat().st_size
    if damage == "overwritten":
        log.write_bytes(random.Random(1).randbytes(size))
    else:
        os.truncate(log, 0 if damage == "emptied" else 5000)
    assert reported(path)


BY_OTHERS = {
    "opened and closed": ["SELECT count(*) FROM study"],
    "checkpoint": ["PRAGMA wal_checkpoint(TRUNCATE)"],
    "rollback journal": ["PRAGMA journal_mode=DELETE"],
    "vacuum": ["VACUUM"],
    "change": ["UPDATE study SET note = 'by hand'"],
}


@pytest.mark.parametrize("statements", BY_OTHERS.values(), ids=BY_OTHERS)
def test_what_other_programs_do_to_the_log_of_a_killed_process_is_no_loss(tmp_path, statements):
    path = killed(tmp_path)
    with closing(sqlite3.connect(path)) as other, other:
        for statement in statements:
            other.execute(statement)
    assert not path.with_name(path.name + "-wal").exists()
    with Store(str(path)) as store:
        assert (store.lost, store.check()) == ("", [])
        assert len(contents(store)["evaluation"]) == 150


def test_backups_copies_and_dumps_are_whole(tmp_path):
    path = killed(tmp_path)
    for companion in ("", "-wal"):
        shutil.copy(f"{path}{companion}", tmp_path / f"copy.db{companion}")
    with Store(str(path)) as store:
        store.backup(tmp_path / "backup.db")
        with (
            closing(sqlite3.connect(path)) as other,
            closing(sqlite3.connect(tmp_path / "dump.db")) as dumped,
        ):
            other.execute("VACUUM INTO ?", (str(tmp_path / "vacuum.db"),))
            dumped.executescript("PRAGMA writable_schema=ON;" + "\n".join(other.iterdump()))
    for name in ("copy", "backup", "vacuum", "dump"):
        with Store(str(tmp_path / f"{name}.db")) as store:
            assert (store.lost, store.check()) == ("", []), name
            store.create_study(definition("later"), ["default"])
            assert reported(without_log(store.name, tmp_path / "alone.db")), name


def test_a_clean_end_needs_no_log(tmp_path):
    with Store(str(tmp_path / "a.db")) as store:
        store.create_study(definition(), ["default"])
        assert reported(without_log(store.name, tmp_path / "b.db"))
    assert not reported(without_log(store.name, tmp_path / "b.db"))


def test_reading_changes_nothing(tmp_path):
    path = tmp_path / "a.db"
    Store(str(path)).close()
    before = path.read_bytes()
    with Store(str(path)) as store:
        assert store.studies() == []
        assert not path.with_name("a.db-wal").stat().st_size
    assert path.read_bytes() == before


def test_two_processes_keep_their_locks_and_few_files(tmp_path):
    """SQLite's locks end with the first descriptor of the file that a process closes behind its back."""
    with Store(str(tmp_path / "a.db")) as store:
        claim = begun(store, store.create_study(definition(), ["default"]).runs[0])
        for number in range(100):
            store.save_results(claim, results(50, 50 * number))  # over a log's length of pages
            store._database._mark._written = 0  # looks at the file each time
        assert len(list(Path("/proc/self/fd").iterdir())) < 100
        assert forked.run(tmp_path, "study", "list", "--store", store.name).returncode == 0
        with reading(store._engine) as connection:
            assert not log_was_removed(connection)
        assert (tmp_path / "a.db-wal").exists(), "the other process was not the last one"
        assert store.check() == []


class Strangers:
    """Random steps of several programs on one store; after each of them it is whole."""

    def __init__(self, folder, seed):
        self.path, self.folder, self.random, self.number = folder / "a.db", folder, random.Random(seed), 0
        self.store = Store(str(self.path))
        self.claim = begun(self.store, self.store.create_study(definition(), ["default"]).runs[0])
        self.mark = LogMark(self.path)
        self.readers = []

    def write(self):
        count = self.random.choice([1, 10, 600])
        self.store.save_results(self.claim, results(count, self.number))
        self.number += count

    def mark_elsewhere(self):
        self.mark._written = 0
        self.mark.renew()

    def begin_reading(self):
        self.readers.append(sqlite3.connect(self.path, isolation_level=None))
        self.readers[-1].execute("BEGIN")
        self.readers[-1].execute("SELECT count(*) FROM evaluation").fetchone()

    def end_reading(self):
        if self.readers:
            self.readers.pop(self.random.randrange(len(self.readers))).close()

    def checkpoint(self):
        mode = self.random.choice(["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
        with closing(sqlite3.connect(self.path, timeout=0.0)) as other, suppress(sqlite3.OperationalError):
            other.execute(f"PRAGMA wal_checkpoint({mode})")

    def assert_whole(self):
        for companion in ("", "-wal"):
            shutil.copy(f"{self.path}{companion}", self.folder / f"copy.db{companion}")
        with closing(sqlite3.connect(self.folder / "copy.db")) as copy:
            copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # as whoever comes next does it
        with Store(str(self.folder / "copy.db")) as copy:
            assert copy.lost == ""
            assert len(contents(copy)["evaluation"]) == self.number


@pytest.mark.parametrize("seed", repeated(range(40), quick=range(3)))
def test_no_order_of_commits_readers_and_checkpoints_is_taken_for_a_loss(tmp_path, seed):
    all_ = Strangers(tmp_path, seed)
    steps = [
        all_.write,
        all_.write,
        all_.mark_elsewhere,
        all_.begin_reading,
        all_.end_reading,
        all_.checkpoint,
    ]
    for _ in range(25):
        all_.random.choice(steps)()
        all_.assert_whole()
    while all_.readers:
        all_.end_reading()
    all_.store.save_results(all_.claim, results(600, all_.number))
    all_.store.save_results(all_.claim, results(1, all_.number + 600))
    with Store(str(without_log(all_.path, tmp_path / "alone.db"))) as alone:
        assert alone.lost
    all_.store.close()
