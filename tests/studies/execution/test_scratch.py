"""Scratch folders: of living drivers they stay, of killed ones they go, of others they are left alone."""

import signal
import stat
import tempfile

import pytest

from studies.execution.dask_client import ScratchFolder
from tests import forked

KILLED = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from studies.execution.dask_client import ScratchFolder
(ScratchFolder().path / "file").write_text("left")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def parent(tmp_path, monkeypatch):
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def folders(parent):
    return set(parent.glob("tautline-workers-*"))


def test_the_folder_of_a_killed_driver_goes_and_that_of_a_living_one_stays(parent, tmp_path):
    living = ScratchFolder()
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    assert forked.run(tmp_path, parent, script=script).returncode == -signal.SIGKILL
    (left,) = folders(parent) - {living.path}
    assert (left / "file").read_text() == "left"
    mine = ScratchFolder()
    assert folders(parent) == {living.path, mine.path}
    assert stat.S_IMODE(mine.path.stat().st_mode) == 0o700
    mine.remove()
    living.remove()
    assert folders(parent) == set()


def test_a_folder_without_a_lock_or_behind_a_link_is_left_alone(parent, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "driver.lock").touch()
    (parent / "tautline-workers-link").symlink_to(elsewhere)
    begun = parent / "tautline-workers-begun"
    begun.mkdir()
    (begun / "driver.lock.new").touch()
    ScratchFolder().remove()
    assert (elsewhere / "driver.lock").exists()
    assert begun.exists()
