import csv
import io
import json
import re
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

import pytest

from service import cli
from service.app import runs
from service.cli import output, tables
from studies.records import GenerationRecord, RunRecord
from studies.store import Store
from tests.service.conftest import TARGETS


@pytest.fixture
def study_file(tmp_path, bnh_study):
    (tmp_path / "bnh.toml").write_text(bnh_study)
    return "bnh.toml"


def test_models_are_listed_and_described(call):
    rows = json.loads(call("models", "list", "--format", "json", check=0).out)
    assert "hybrid-cable-robot" in [row["model"] for row in rows]
    shown = json.loads(call("models", "show", "hybrid-cable-robot", "--format", "json", check=0).out)
    assert {m["metric"] for m in shown["metrics"]} >= {
        "workspace_volume",
        "F1",
        "F2",
        "F3",
        "capacity_margin",
    }
    assert "did you mean 'zdt1'" in call("models", "show", "zdt-1", check=2).err


def test_reference_cases_are_checked(call):
    rows = list(csv.DictReader(io.StringIO(call("models", "check", "bnh", "--format", "csv", check=0).out)))
    assert [row["agrees"] for row in rows] == ["yes", "yes"]


def test_moments_are_in_utc_which_tables_name_once(capsys):
    rows = [
        {"study": "one", "created": datetime(2026, 11, 25, 0, 30, 7, 900_000, timezone(timedelta(hours=2)))}
    ]
    output.emit(rows, "table")
    head, *_, row, _ = capsys.readouterr().out.splitlines()[1:]
    assert head.split() == ["study", "created", "[UTC]"]
    assert row.split() == ["one", "2026-11-24", "22:30"]
    output.emit(rows, "json")
    assert json.loads(capsys.readouterr().out) == [{"study": "one", "created": "2026-11-24T22:30:07Z"}]
    output.emit(rows, "csv")
    assert capsys.readouterr().out == "study,created\none,2026-11-24T22:30:07Z\n"


def test_slow_preparations_are_announced_on_stderr_and_quick_ones_are_not(monkeypatch, capsys):
    monkeypatch.setattr(output, "SLOW", 0.05)
    told, deadline = "", time.monotonic() + 20
    with output.message_if_slow("compiling"):
        while not told.endswith("\n") and time.monotonic() < deadline:
            time.sleep(0.01)
            told += capsys.readouterr().err
    assert told == "compiling\n"
    monkeypatch.setattr(output, "SLOW", 3600.0)
    before = set(threading.enumerate())
    with output.message_if_slow("compiling"):
        (timer,) = set(threading.enumerate()) - before
    timer.join(60)  # nothing is left that could print
    assert not timer.is_alive()
    assert not capsys.readouterr().err


def test_evaluate_writes_the_motion_of_a_design(call, tmp_path):
    small = ["--set", "disks=2", "--set", "duration=0.5", "--set", "drive_time=0.3"]
    call("evaluate", "continuum-dynamics", *small, "--series", "motion.csv", check=0)
    head, *rows = (tmp_path / "motion.csv").read_text().splitlines()
    assert head.startswith("time [s],cable_1_tension [N],cable_1_pull [m],")
    assert len(rows) == 101


def test_evaluate_says_that_there_are_more_metrics(call):
    short = call("evaluate", "continuum-dynamics", "--set", "duration=0.05")
    assert "17 more metrics take longer: `tautline models show continuum-dynamics`" in short.err
    named = call("evaluate", "continuum-dynamics", "--metrics", "mass", "--set", "duration=0.05")
    assert "more metrics" not in named.err


def test_evaluate_shows_the_error_of_a_named_metric(call):
    shown = call(
        "evaluate",
        "hybrid-cable-robot",
        "--set",
        "cells=6",
        "--metrics",
        "workspace_volume",
        "--format",
        "json",
    )
    assert set(json.loads(shown.out)["metrics"]) == {"workspace_volume", "workspace_volume_error"}


def test_evaluate_prints_the_contracts_fields_and_touches_no_store(call, tmp_path):
    result = call(
        "evaluate",
        "bnh",
        "--set",
        "x1=2",
        "--set",
        "x2=1.5",
        "--metrics",
        "f1,c1",
        "--format",
        "json",
        check=0,
    )
    assert result.err == ""
    answer = json.loads(result.out)
    assert list(answer) == [
        "model",
        "version",
        "status",
        "parameters",
        "metrics",
        "warnings",
        "counters",
        "seconds",
    ]
    assert answer["status"] == "done"
    assert answer["metrics"] == {"f1": 25.0, "c1": 13.75}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["evaluate", "bnh", "--set", "x3=1"], "error: --set: unknown parameter 'x3'"),
        (["evaluate", "bnh", "--set", "x1"], "error: --set: 'x1' is not of the form PATH=VALUE"),
        (["evaluate", "bnh", "--set", "x1=9"], "error: --set x1: 9: must be at most 5"),
        (["evaluate", "bnh", "--set", "x1=nan"], "finite"),
        (["evaluate", "bnh", "--set", "x1=NaN"], "finite"),
        (["evaluate", "bnh", "--set", "x1=2 kg"], "kg"),
        (["evaluate", "bnh", "--metrics", "f3"], "error: --metrics: unknown metric 'f3'"),
        (["evaluate", "bnh", "--seed", "-1"], "error: --seed: -1: must be at least 0"),
        (["evaluate", "bnh", "--seed", "0"], "error: --seed: the model bnh draws no random numbers"),
        (["evaluate", "bnh", "--preset", "x"], "error: --preset: unknown preset 'x'"),
        (["evaluate", "bnh", "--series", "a.csv"], "error: --series: the model bnh has no quantities over"),
        (["evaluate", "continuum-dynamics", "--series", "a.txt"], "unknown ending of a series file 'txt'"),
        (["evaluate", "bnh", "--set", "x1=" + "[" * 3000], "not a quantity"),
        (["evaluate", "bnh", "--set", "x1=" + "9" * 5000], "not a quantity"),
        (["study", "list", "--store", "/no/such/folder/a.db"], "error: --store: there is no store"),
        (["evaluate", "nothing"], "error: model: unknown model 'nothing'"),
        (["evaluate", "bnh", "--set", "preset=x"], "error: --set: 'preset' is not a parameter"),
        (["study", "show", "bnh"], "error: --store: there is no store"),
        (["study", "front", "bnh", "--store", "mysql://x"], "error: --store: 'mysql' is not supported"),
    ],
)
def test_bad_input_is_one_error_and_exit_code_2(call, tmp_path, arguments, told):
    result = call(*arguments, check=2)
    assert told in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_list_is_read_from_a_file_beside_the_study(call, tmp_path):
    """It is stored, and written as a study file again, with its numbers."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "study.toml").write_text(TARGETS)
    (tmp_path / "mine" / "targets.csv").write_text("x [mm],y\n125,0.25\n-500,1e-3\n")
    assert "'targets' is a valid study" in call("study", "check", "mine/study.toml").err
    call("study", "run", "mine/study.toml", "--queue")
    with Store(str(tmp_path / "tautline.db")) as store:
        stored = store.study("targets").definition
    assert stored["parameters"] == {"targets": [[0.125, 0.25], [-0.5, 1e-3]]}
    assert "csv" not in json.dumps(stored)
    (tmp_path / "mine" / "targets.csv").write_text("x [mm],y\n125,0.25\n-500,\n1,2\n90000 , 3 \n")
    told = call("study", "check", "mine/study.toml", check=2).err
    assert told == (
        "error: mine/study.toml: line 4: parameters.targets: targets.csv, line 3, column 'y': is empty; write a value\n"
    )
    (tmp_path / "mine" / "targets.csv").unlink()
    told = call("study", "run", "mine/study.toml", check=2).err
    assert "line 4: parameters.targets: there is no file 'targets.csv' in the folder" in told


def test_a_design_takes_a_list_from_a_file_in_the_working_folder(call, tmp_path):
    (tmp_path / "k.csv").write_text("stiffness [N/mm]\n" + "1\n" * 8)
    words = ["evaluate", "hybrid-cable-robot", "--set", "cells=2", "--format", "json"]
    found = json.loads(call(*words, "--set", 'cable_stiffness={csv="k.csv"}').out)
    assert found["parameters"]["cable_stiffness"] == [1000.0] * 8
    (tmp_path / "k.csv").write_text("stiffness [N/mm]\n" + "1\n" * 7 + "\n-1\n")
    told = call(*words, "--set", 'cable_stiffness={csv="k.csv"}', check=2).err
    assert "--set cable_stiffness.7: k.csv, line 10, column 'stiffness [N/mm]': -1000.0: must be" in told
    told = call(*words, "--set", 'cable_stiffness={csv="../k.csv"}', check=2).err
    assert "--set cable_stiffness: '../k.csv' leads out of the folder" in told


def test_infeasible_and_failed_designs_have_their_exit_codes(call):
    common = ["evaluate", "faulty", "--set", "x=1", "--set", "threshold=0.5", "--format", "json"]
    infeasible = call(*common, "--set", "fault=infeasible", check=3)
    assert json.loads(infeasible.out)["reason"] == "too far right"
    assert json.loads(call(*common, "--set", "fault=raise", check=1).out)["status"] == "failed"


MIXED = """
name = "mixed"
model = "faulty"
[layouts.one.parameters]
threshold = 0.9
[layouts.two.parameters]
threshold = 0.8
shape = "flat"
[variables]
x = { lower = 0, upper = 0.5 }
y = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 4
generations = 1
"""


def test_layouts_that_differ_in_several_ways_are_reported_before_and_after_they_run(tautline, call, tmp_path):
    (tmp_path / "mixed.toml").write_text(MIXED)
    told = "layouts one and two also differ in"
    checked = call("study", "check", "mixed.toml", check=0).err
    assert told in checked
    assert "fix it under parameters" in checked
    tautline("study", "run", "mixed.toml", "--workers", 1, check=0)
    compared = call("study", "compare", "mixed", check=0)
    assert told in compared.err
    assert "under the same conditions" not in compared.out
    whole = json.loads(call("study", "compare", "mixed", "--format", "json", check=0).out)
    assert len(whole["unequal"]) == 1
    assert "threshold (0.9 in one; 0.8 in two)" in whole["unequal"][0]


def test_a_study_from_file_to_export(tautline, call, tmp_path, study_file, monkeypatch):
    checked = call("study", "check", study_file, check=0).err
    assert "valid study of 1 run" in checked
    assert re.search(r"stages of bnh: .*; the design at mid-range takes .* on one worker", checked)
    assert not (tmp_path / "tautline.db").exists()
    first = tautline("study", "run", study_file, "--workers", 1, "--format", "json", check=0)
    assert json.loads(first.stdout)["state"] == "done"
    listed = call("study", "list", check=0).out
    assert "bnh" in listed
    assert "created [UTC]" in listed
    assert "+00:00" not in listed
    assert (
        json.loads(call("study", "show", "bnh", "--format", "json", check=0).out)["runs"][0]["designs"] == 72
    )
    front = json.loads(call("study", "front", "bnh", "--format", "json", check=0).out)
    assert [set(d) for d in front] == [
        {"key", "layout", "seeds", "variables", "linked", "metrics", "violation", "unsafe"}
    ] * len(front)
    assert [d["key"] for d in front] == sorted(d["key"] for d in front)
    compared = call("study", "compare", "bnh", check=0)
    assert "hypervolume" in compared.out
    assert "measured against one point: f1 " in compared.err
    assert "under the same conditions" in compared.out
    whole = json.loads(call("study", "compare", "bnh", "--format", "json", check=0).out)
    assert set(whole["reference_point"]) == {"f1", "f2"}
    assert set(whole["seed_hypervolumes"]["default"]) == {"1"}
    call("study", "export", "bnh", "all.csv", check=0)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 73
    again = call("study", "run", study_file, check=0)
    assert "starting workers" not in again.err
    (tmp_path / "other.toml").write_text((tmp_path / study_file).read_text().replace("12", "16"))
    assert "another study named 'bnh'" in call("study", "run", "other.toml", check=2).err
    call("study", "decide", "bnh", front[0]["key"], "--why", "the lightest", check=0)
    assert "holds 1 decision" in call("study", "delete", "bnh", "--yes", check=1).err
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    refused = call("study", "delete", "bnh", check=1)
    assert "and 1 decision about it, which cannot be brought back" in refused.err + refused.out
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    call("study", "delete", "bnh", check=0)
    assert "unknown study 'bnh'" in call("study", "show", "bnh", check=2).err
    call("store", "upgrade", check=0)


BAD_FILES = {
    "unknown key": ("[search]", "[serch]"),
    "wrong unit": ("upper = 5 }", 'upper = "5 kg" }'),
    "lower above upper": ("lower = 0, upper = 5", "lower = 5, upper = 0"),
    "unknown metric": ("f1 =", "f9 ="),
    "unknown model": ('model = "bnh"', 'model = "bnx"'),
    "unknown preset": ("seeds = [1]", 'preset = "x"'),
    "unknown parameter": ("x1 =", "x9 ="),
    "unknown algorithm": ('"nsga2"', '"genetic"'),
    "nan bound": ("upper = 5 }", "upper = nan }"),
    "no objectives": ('f1 = "minimize"\n    f2 = "minimize"', ""),
    "a path as a name": ('name = "bnh"', 'name = "../../bnh"'),
    "no toml": ("[objectives]", "{[objectives"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_study_file_leaves_nothing_behind(call, tmp_path, bnh_study, case):
    old, new = BAD_FILES[case]
    assert old in bnh_study
    (tmp_path / "bad.toml").write_text(bnh_study.replace(old, new, 1))
    result = call("study", "run", "bad.toml", check=2)
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err
    assert [p.name for p in tmp_path.iterdir()] == ["bad.toml"]


@pytest.mark.parametrize("cells", ["10000", "1e12", "'1e4'", "-1", "nan", "2.5"])
def test_absurd_numbers_of_cells_are_refused_before_anything_runs(call, tmp_path, cells):
    (tmp_path / "bad.toml").write_text(
        f'name = "a"\nmodel = "hybrid-cable-robot"\n[parameters]\ncells = {cells}\n'
        '[variables]\nbeta1 = { lower = "0 deg", upper = "90 deg" }\n'
        '[objectives]\nworkspace_volume = "maximize"\n[search]\ngenerations = 2\n'
    )
    assert "cells" in call("study", "run", "bad.toml", check=2).err
    assert [p.name for p in tmp_path.iterdir()] == ["bad.toml"]


def test_a_study_without_feasible_designs_exits_with_3(tautline, call, tmp_path):
    (tmp_path / "a.toml").write_text(
        'name = "a"\nmodel = "faulty"\n[parameters]\nthreshold = 0\nfault = "infeasible"\n'
        '[variables]\nx = { lower = 0.1, upper = 1 }\n[objectives]\nf1 = "minimize"\n'
        '[search]\nalgorithm = "lhs"\nevaluations = 5\n'
    )
    assert "no feasible design" in tautline("study", "run", "a.toml", "--workers", 1, check=3).stderr
    empty = call("study", "front", "a", "--format", "json", check=0)
    assert json.loads(empty.out) == []
    other = call("study", "front", "a", "--layout", "a", check=2).err
    assert other.startswith("error: --layout: unknown layout 'a' (known: default)")
    assert "tautline study export a all.csv" in empty.err
    call("study", "export", "a", "all.csv", check=0)
    assert "too far right" in (tmp_path / "all.csv").read_text()


def test_a_failing_model_ends_the_study_with_1(tautline, tmp_path):
    (tmp_path / "a.toml").write_text(
        'name = "a"\nmodel = "faulty"\n[parameters]\nthreshold = 0\nfault = "raise"\n'
        '[variables]\nx = { lower = 0.1, upper = 1 }\n[objectives]\nf1 = "minimize"\n'
        '[search]\nalgorithm = "lhs"\nevaluations = 5\n'
    )
    result = tautline("study", "run", "a.toml", "--workers", 1, check=1)
    assert "the back-end gave up" in result.stderr


def test_fronts_of_layouts_that_vary_different_things_are_listed(tautline, call, tmp_path):
    (tmp_path / "a.toml").write_text(
        'name = "a"\nmodel = "faulty"\n[layouts.one.variables]\nx = { lower = 0, upper = 1 }\n'
        '[layouts.two.variables]\ny = { lower = 0, upper = 1 }\n[objectives]\nf1 = "minimize"\n'
        '[search]\nalgorithm = "lhs"\nevaluations = 5\n'
    )
    tautline("study", "run", "a.toml", "--workers", 1, check=0)
    for kind in ("table", "csv", "json"):
        assert "two" in call("study", "front", "a", "--format", kind, check=0).out


def test_warnings_of_designs_on_the_front_are_reported_below_the_table(capsys):
    store = SimpleNamespace(warnings=lambda run, most: [("thin", 2), ("long", 1)][:most])
    context = SimpleNamespace(store=store, cached=lambda what, study, runs, compute, stamp: compute())
    study = SimpleNamespace(created=0.0)
    last = GenerationRecord(1, 2, 2, 2, 0, 2, 1.0, 0.0, 0.1, 0.0)
    run = RunRecord(1, "bnh", "a", 1, "done", "", None)
    found = runs._run_resource(context, study, run, last, runs.Hypervolumes())
    assert found.warnings == ["2 on the front: thin", "1 on the front: long"]
    tables.emit_runs([found], "table", "runs")
    assert "warning, a, seed 1: 2 on the front: thin" in capsys.readouterr().err


def test_evaluate_loads_neither_search_nor_database_nor_server(tmp_path):
    code = (
        "import sys\n"
        "sys.argv = ['tautline', 'evaluate', 'bnh', '--format', 'json']\n"
        "from service.cli import app; app(standalone_mode=False)\n"
        "heavy = {'sqlalchemy', 'httpx', 'fastapi', 'starlette', 'pymoo', 'distributed', 'pandas', 'service.resources.studies'}\n"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_a_command_that_cannot_be_imported_is_not_taken_for_an_unknown_one(monkeypatch, tmp_path):
    (tmp_path / "broken_command.py").write_text("{}['absent']")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(cli.COMMANDS, "demo", ("broken_command:demo", "Broken."))
    monkeypatch.setattr("sys.argv", ["tautline", "demo"])
    with pytest.raises(ImportError, match="broken_command"):
        cli.main()
