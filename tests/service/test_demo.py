"""The main job end to end, small: both robots searched, stored, compared and reported."""

import sqlite3

import pytest

SMALL = ["--population", "8", "--generations", "3", "--cells", "8", "--workers", "2"]


def rows(path, table):
    with sqlite3.connect(path) as connection:
        count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    connection.close()
    return count


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder in which the demo has run."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def shown(tautline_in, folder):
    """Output of the demo."""
    return tautline_in(folder)("demo", *SMALL, check=0)


def test_demo_stores_every_design_and_reports_both_robots(tautline_in, folder, shown):
    store = folder / "tautline-demo" / "tautline.db"
    assert rows(store, "run") == 2 * 5
    assert rows(store, "run_evaluation") == 2 * 5 * 8 * 3
    designs = rows(store, "evaluation")
    assert rows(store, "generation") == 2 * 5 * 3
    assert rows(store, "front_member") >= 5
    report = (folder / "tautline-demo" / "report.html").read_text(encoding="utf-8")
    assert report.count("constrained") > 5
    assert report.count("suspended") > 5
    assert "hypervolume" in shown.stdout
    assert "best workspace volume" in shown.stdout
    again = tautline_in(folder)("demo", *SMALL, check=0)
    assert "starting workers" not in again.stderr
    assert rows(store, "evaluation") == designs


@pytest.mark.usefixtures("shown")
def test_the_study_that_demo_leaves_behind_can_be_run(tautline_in, folder):
    assert "10 runs" in tautline_in(folder)("study", "check", "tautline-demo/study.toml", check=0).stderr
