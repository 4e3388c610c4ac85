"""``make bench`` tells what it measured, on what, in JSON; its figures are not judged."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as bench
from docs import speed_page
from tests.dashboards.conftest import path_of_chromium

REPEATED = {"engine"}
"""Groups with rows that say *the same again*."""


def test_figures_and_machine_are_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(bench.GROUPS, "model", lambda small: [("a thing", 12.5, "cells/s")])
    target = tmp_path / "figures.json"
    monkeypatch.setattr(sys, "argv", ["bench", "--only", "model", "--json", str(target)])
    bench.main()
    told = json.loads(target.read_text(encoding="utf-8"))
    assert told["figures"] == [{"what": "a thing", "figure": 12.5, "unit": "cells/s"}]
    assert told["processor"]
    assert told["cores"] >= 1
    assert set(told["versions"]) >= {"numpy", "numba", "tautline"}
    assert len(told["load_before"]) == len(told["load_after"]) == 3
    assert "a thing" in capsys.readouterr().out


@pytest.mark.parametrize("group", bench.GROUPS)
def test_each_group_runs_at_a_small_size(group):
    rows = bench.GROUPS[group](True)
    if group == "pages" and not path_of_chromium():
        pytest.skip("no Chromium on this machine")
    assert rows
    assert all(np.isfinite(figure) and figure >= 0 and unit for _, figure, unit in rows)
    assert len({name for name, *_ in rows}) == len(rows) or group in REPEATED


def test_default_output_is_ignored_by_git():
    root = Path(bench.__file__).resolve().parent.parent
    assert f"/{bench.OUTPUT}" in (root / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_a_fresh_process_tells_its_memory_and_time():
    command = [sys.executable, "-m", "benchmarks.fresh", "constrained"]
    root = Path(bench.__file__).resolve().parent.parent
    told = json.loads(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)
    assert 20 < told["imported"] < told["peak"] < 2000  # MiB
    assert told["after"] == pytest.approx(0.0, abs=250)


def test_the_page_of_speed_is_made_from_the_stored_figures():
    assert speed_page.PAGE.read_text(encoding="utf-8") == speed_page.page()
    assert len(speed_page.page().split()) <= 600
    known = {row["what"] for row in json.loads(speed_page.FIGURES.read_text(encoding="utf-8"))["figures"]}
    assert {what for rows in speed_page.ROWS.values() for what in rows.values()} <= known
