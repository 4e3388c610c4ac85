"""Backup and check: a copy under load is whole, and damage is found."""

import shutil
import sqlite3
import threading
from contextlib import closing

import numpy as np
import pytest

from errors import InputError
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store, back_up_store
from tests import forked
from tests.studies.store.building_blocks import batch, begun, definition, generation, results


@pytest.fixture(scope="module")
def finished(tmp_path_factory, bnh_study, inline, make_executor):
    """The file of a store with a finished study."""
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    with Store(str(path)) as store:
        run_study(store, parse_study(bnh_study), inline(make_executor()))
    return path


@pytest.fixture
def filled(finished, tmp_path):
    """Its store in a folder of the test."""
    with Store(str(shutil.copy(finished, tmp_path))) as store:
        yield store


def front_of(store):
    return [(m.ask_no, m.evaluation) for m in store.front(store.study("bnh").runs[0])]


def test_a_backup_under_load_is_consistent_and_opens(filled, tmp_path):
    claim = begun(filled, filled.create_study(definition(), ["default"]).runs[0])
    written, stop = [0], threading.Event()

    def write():
        while not stop.is_set():
            number = written[0] + 1
            given = results(20, 20 * number)
            front = (list(range(20 * number - 20, 20 * number)), [])
            filled.save_generation(
                claim, batch(number, given), given, generation(number, 20 * number), front, None
            )
            written[0] = number

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = []
        for i in range(5):
            before = written[0]
            filled.backup(tmp_path / f"copy{i}.db")
            copies.append((before, tmp_path / f"copy{i}.db", written[0]))
            while written[0] < before + 3:
                assert writer.is_alive()
    finally:
        stop.set()
        writer.join()
    for before, path, after in copies:
        with Store(str(path)) as copy:
            assert [p for p in copy.check() if "contract" not in p] == []
            run = copy.study("contract").runs[0]
            assert before <= len(copy.log(run)) <= after + 1
            assert len(copy.generations(run)) == len(copy.log(run))
            assert front_of(copy) == front_of(filled)
    assert not list(tmp_path.glob("*.part"))


def test_a_backup_never_replaces_a_file(filled, tmp_path):
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        filled.backup(tmp_path / "there.db")
    with pytest.raises(InputError, match="no folder"):
        filled.backup(tmp_path / "none" / "there.db")
    assert (tmp_path / "there.db").read_text() == "mine"
    with pytest.raises(InputError, match="pg_dump") as refused:
        back_up_store("postgresql://me:secret@host/db", tmp_path / "new.db")
    assert "secret" not in str(refused.value.remedy)
    with pytest.raises(InputError, match="there is no store"):
        back_up_store(str(tmp_path / "none.db"), tmp_path / "new.db")


def test_a_sound_store_has_no_problems(filled):
    assert filled.check() == []


DAMAGES = {
    "UPDATE evaluation SET metrics = '{\"f1\":NaN}' WHERE key = (SELECT min(key) FROM evaluation)": "holds NaN",
    "UPDATE evaluation SET parameters = '{' WHERE key = (SELECT min(key) FROM evaluation)": "unreadable JSON",
    "UPDATE evaluation SET violation = 9e999 WHERE key = (SELECT min(key) FROM evaluation)": "not finite",
    "UPDATE run_evaluation SET point = x'00' WHERE ask_no = 5": "design 5: point has 1 bytes, expected 16",
    "UPDATE run_evaluation SET objectives = x'000000000000F87F000000000000F87F' WHERE ask_no = 5": "not finite",
    "UPDATE run SET reference_point = x'0000000000000000'": "the reference point has 8 bytes",
    "DELETE FROM front_member WHERE ask_no = (SELECT min(ask_no) FROM front_member)": "0 too many, 1 missing",
    "UPDATE front_member SET exited = NULL": "too many, 0 missing",
    "DELETE FROM generation WHERE number = 3": "indicators of a generation are missing",
    "DELETE FROM run_evaluation WHERE ask_no = (SELECT min(ask_no) FROM run_evaluation WHERE ask_no NOT IN (SELECT ask_no FROM front_member))": "lacks "
        "designs",
    "UPDATE generation SET asked = asked - 1 WHERE number = 6": "have different generations",
    "DELETE FROM evaluation WHERE key = (SELECT min(key) FROM evaluation)": "refers to a row of evaluation "
        "that does not exist",
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(filled, tmp_path, damage):
    path = tmp_path / "damaged.db"
    filled.backup(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(damage).rowcount > 0
    with Store(str(path)) as store:
        assert DAMAGES[damage] in " ".join(store.check())


def test_a_page_that_was_overwritten_is_found(filled, tmp_path):
    path = tmp_path / "damaged.db"
    filled.backup(path)
    page = 4096
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ix_run_evaluation_key'"
        ).fetchone()
    with path.open("rb+") as file:
        file.seek((root - 1) * page)
        file.write(np.random.default_rng(1).bytes(page))
    with Store(str(path)) as store:
        assert "the file is damaged" in " ".join(store.check())


def test_the_commands(filled, tmp_path):
    def tautline(*arguments):
        return forked.run(tmp_path, "store", *arguments, "--store", filled.name)

    backup = tautline("backup", "copy.db")
    assert (backup.returncode, "copied the store to copy.db" in backup.stderr) == (0, True), backup.stderr
    assert tautline("backup", "copy.db").returncode == 2
    assert (tautline("check").returncode, tautline("upgrade").returncode) == (0, 0)
    with closing(sqlite3.connect(filled.name)) as connection, connection:
        connection.execute("DELETE FROM generation WHERE number = 3")
    check = tautline("check")
    assert check.returncode == 1
    assert "bnh, default, seed 1: the indicators of a generation are missing" in check.stdout
