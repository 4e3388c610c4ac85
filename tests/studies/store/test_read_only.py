"""A store that may not be written or read says what stops it: a mode, another owner, a read-only file system."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from errors import StoreError, StoreReadOnlyError
from studies.store import Store
from tests.studies.store.building_blocks import definition

PROGRAM = """
import sys
from pathlib import Path
from errors import StoreError
from studies.store import Store, back_up_store, open_existing
from tests.studies.store.building_blocks import definition
way, path, *target = sys.argv[1:]
try:
    if way == "back up":
        back_up_store(path, Path(*target))
    with (open_existing if way == "open" else Store)(path) as store:
        print(len(store.studies()), "studies")
        store.create_study(definition(name="new"), ["default"])
except StoreError as error:
    print(error)
"""
ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "folder" / "a.db"
    file.parent.mkdir()
    with Store(str(file)) as store:
        store.create_study(definition(), ["default"])
    yield file
    file.parent.chmod(0o700)


def told(path, *before, way="open", target=()):
    """Output of a process that the modes of files bind, also where the tests run as root."""
    found = subprocess.run(
        [*before, sys.executable, "-c", PROGRAM, way, str(path), *target],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture
def bound():
    """The beginning of a command whose process has no rights but those that modes give."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv to give up the rights of root")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def test_a_file_without_the_right_to_write_is_read_and_names_its_mode(path, bound):
    path.chmod(0o444)
    text = told(path, *bound)
    assert text.startswith(
        f"1 studies\n{path} is read-only: it has mode 0444 and belongs to {path.owner()}; "
    )
    assert f"run `chmod u+w {path}`" in text
    assert text.endswith("Nothing of this step was written\n")


def test_a_file_without_the_right_to_read_names_its_mode(path, bound):
    path.chmod(0o200)
    text = told(path, *bound)
    assert f"{path} may not be read: it has mode 0200" in text
    assert f"run `chmod u+rw {path}`" in text


def test_a_folder_without_the_right_to_write_is_named_with_its_mode(path, bound):
    path.parent.chmod(0o555)
    text = told(path, *bound)
    assert f"{path} is read-only: its folder {path.parent} has mode 0555" in text
    assert f"run `chmod u+w {path.parent}`" in text
    new = told(path.with_name("new.db"), *bound, way="make")
    assert f"new.db cannot be made: its folder {path.parent} has mode 0555" in new


def test_a_backup_says_why_it_cannot_be_made(path, tmp_path, bound):
    path.parent.chmod(0o555)
    for target in (tmp_path / "copy.db", path.with_name("copy.db")):
        text = told(path, *bound, way="back up", target=[str(target)])
        assert text.startswith("no backup was made: ")
        assert f"its folder {path.parent} has mode 0555" in text


def test_a_folder_that_keeps_out_is_named(path, bound):
    path.parent.chmod(0o600)
    for way in ("open", "make"):
        text = told(path, *bound, way=way)
        assert text.startswith(f"{path} cannot be reached: the folder {path.parent} has mode 0600")
        assert f"run `chmod u+rwx {path.parent}`" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
@pytest.mark.parametrize(("mode", "remedy"), [(0o644, "or copy the store"), (0o600, "for the right\n")])
def test_others_are_sent_to_the_owner(path, bound, mode, remedy):
    path.chmod(mode)
    os.chown(path, 65534, -1)
    text = told(path, *bound)
    assert f"has mode {mode:04o} and belongs to {path.owner()}; ask its owner for the right" in text
    assert remedy in text


def test_a_read_only_file_system_is_named(path):
    folder = path.parent
    mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}' && "
    alone = [shutil.which("unshare") or "unshare", "--map-root-user", "--mount", "sh", "-c"]
    try:
        subprocess.run([*alone, f"{mount} true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets no user mount a folder")
    text = told(path, *alone, f'{mount} exec "$0" "$@"')
    assert text.startswith(f"{path} is read-only: its file system is mounted read-only; copy the store")


def test_what_sqlite_alone_refuses_is_told_with_its_words(path):
    with (
        Store(str(path)) as store,
        pytest.raises(StoreReadOnlyError, match=r"is read-only \(attempt to write"),
    ):
        store._database.write(_only_read)


def _only_read(connection):
    connection.exec_driver_sql("PRAGMA query_only=ON")
    try:
        connection.exec_driver_sql("CREATE TABLE mine (a INTEGER)")
    finally:
        connection.exec_driver_sql("PRAGMA query_only=OFF")


def test_other_errors_of_sqlite_are_no_question_of_rights(path):
    path.chmod(0o444)
    with Store(str(path)) as store:
        with pytest.raises(StoreError, match="no such table") as found:
            store._database.read(lambda c: c.exec_driver_sql("SELECT a FROM b"))
        assert type(found.value) is StoreError
