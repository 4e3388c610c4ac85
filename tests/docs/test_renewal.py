"""Commands that make files of the tree anew leave the tree as it is, unless they are told to replace."""

import math

import pytest

from docs.renewal import Renewal


@pytest.fixture
def stored(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("same", "other"):
        (folder / f"{name}.txt").write_bytes(b"stored")
    return folder


def made_anew(stored, *, update):
    """The same, another and a new file, whose differences are 0, 3 and infinite."""
    renewal = Renewal(
        stored, stored.parent / "build", lambda old, new: 3.0 * (old != new), update=update, limit=2.0
    )
    changes = [
        renewal.put(stored / "same.txt", b"stored"),
        renewal.put(stored / "other.txt", b"drawn"),
        renewal.put(stored / "deep" / "new.txt", b"new"),
    ]
    assert changes == [0.0, 3.0, math.inf]
    return renewal


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_tree_stays_as_it_is_and_the_new_files_lie_beside_it(stored):
    before = contents(stored)
    renewal = made_anew(stored, update=False)
    assert contents(stored) == before
    assert contents(renewal.folder) == {"same.txt": b"stored", "other.txt": b"drawn", "deep/new.txt": b"new"}
    assert "2 not as in" in str(renewal)
    assert str(renewal).startswith("3 files in ")
    assert str(renewal).endswith("(UPDATE=1 replaces them): other.txt, deep/new.txt")


def test_what_differs_is_replaced_where_that_is_asked_for(stored):
    renewal = made_anew(stored, update=True)
    assert contents(stored) == {"same.txt": b"stored", "other.txt": b"drawn", "deep/new.txt": b"new"}
    assert "2 replaced in" in str(renewal)
    again = Renewal(stored, renewal.folder, renewal.difference, update=True)
    again.put(stored / "other.txt", b"drawn")
    assert str(again).startswith("1 file in ")
    assert "none differs from" in str(again)


def test_a_difference_up_to_the_limit_is_none(stored):
    renewal = Renewal(stored, stored.parent / "build", lambda *_: 2.0, update=True, limit=2.0)
    renewal.put(stored / "other.txt", b"drawn by another machine")
    assert (stored / "other.txt").read_bytes() == b"stored"
    assert not renewal.differing
