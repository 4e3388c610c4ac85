"""A program is a model: started in a folder of its own, held to its limits, its files kept when it fails."""

import stat
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import psutil
import pytest

import models
from errors import ModelLoadError, OutcomeError, WorkerError
from models import command_run, registry
from models.contract import Evaluation, Infeasible
from models.own_model import load_file

MODEL = """
from models import Metric, Parameters, command_model, quantity


class Beam(Parameters):
    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)
    parts: int = quantity(2, unit="1", description="number of parts", ge=1, le=9)


beam = command_model(
    COMMAND,
    name="own-beam",
    parameters=Beam,
    metrics=[Metric("mass", "kg", "mass", "minimize"), Metric("sag", "m", "sag", "minimize", absent=1.0)],
    MORE
)
"""
WORKS = """
import json
found = json.load(open("parameters.json"))
json.dump({"mass": 2 * found["length"], "sag": None}, open("metrics.json", "w"))
"""


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_users", {})
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    registry.load.cache_clear()


def load(folder, program, *, command=f'["{sys.executable}", "solve.py", "quick"]', more=""):
    (folder / "solve.py").write_text(program, encoding="utf-8")
    path = folder / "beam.py"
    path.write_text(MODEL.replace("COMMAND", command).replace("MORE", more), encoding="utf-8")
    return load_file(path)


def failure(folder, program, **more):
    """The error of a design, and the folder that is kept of it."""
    model = load(folder, program, **more)
    with pytest.raises(OutcomeError) as caught:
        model.evaluate()
    (kept,) = (folder / "temporary").iterdir()
    assert f"its files are kept in {kept.name}" in str(caught.value)
    assert str(folder) not in str(caught.value)
    return caught.value, kept


def test_a_program_reads_its_parameters_and_writes_its_metrics(tmp_path, temporary):
    model = load(tmp_path, WORKS)
    assert model.evaluate() == Evaluation({"mass": 2.0, "sag": None})
    # pyrefly: ignore[unexpected-keyword]
    assert model.evaluate(model.parameters(length=3)) == Evaluation({"mass": 6.0, "sag": None})
    assert list(temporary.iterdir()) == []


def test_toml_is_read_and_written_as_well(tmp_path):
    program = """
import sys, tomllib
found = tomllib.load(open("parameters.toml", "rb"))
assert found == {"length": 1.0, "parts": 2} and sys.argv[1:] == ["quick"]
print("mass = 2.5\\nsag = 1e-3", file=open("metrics.toml", "w"))
"""
    assert load(tmp_path, program).evaluate() == Evaluation({"mass": 2.5, "sag": 1e-3})


def test_any_plain_value_is_written_as_toml():
    text = command_run._toml({"a b": [1, 2.5, "x\n"], "none": None, "yes": True, "small": 1e-300})
    assert tomllib.loads(f"v = {text}")["v"] == {"a b": [1, 2.5, "x\n"], "yes": True, "small": 1e-300}


def test_a_program_says_that_a_design_is_infeasible(tmp_path):
    text = """open("metrics.json", "w").write('{"infeasible": "it buckles", "violation": VIOLATION}')"""
    assert load(tmp_path, text.replace("VIOLATION", "0.5")).evaluate() == Infeasible("it buckles", 0.5)
    error, _ = failure(tmp_path, text.replace("VIOLATION", '"much"'))
    assert "needs a violation, a number" in str(error)


def write(text):
    return f"open('metrics.json', 'w').write({text!r})"


@pytest.mark.parametrize(
    ("program", "kind", "match"),
    [
        (
            "raise SystemExit('no mesh')",
            "model_error",
            "ended with exit code 1. The end of what it printed:\nno mesh",
        ),
        ("import os\nos.kill(os.getpid(), 11)", "model_error", r"signal 11 (SIGSEGV)"),
        ("print('done')", "model_error", "wrote no metrics.json or metrics.toml"),
        (write("{}") + "\nopen('metrics.toml', 'w')", "model_error", "both metrics.json and metrics.toml"),
        (write("{"), "model_error", "metrics.json cannot be read"),
        (write("[1]"), "model_error", "holds no table of numbers"),
        (write("[" * 100_000), "model_error", "metrics.json cannot be read"),
        (write(" " * 2_000_000), "model_error", "more than 1024 KiB"),
        (write('{"mass": 1}'), "model_error", "left out the metric 'sag'"),
        (
            write('{"mass": 1, "sag": 1, "size": 1}'),
            "model_error",
            "wrote 'size', which is none of its metrics",
        ),
        (write('{"mass": "heavy", "sag": 1}'), "model_error", "gave mass as str, not as one number"),
        (write('{"mass": NaN, "sag": 1}'), "non_finite", "gave mass = nan"),
        (write('{"mass": null, "sag": 1}'), "model_error", "gave no value for 'mass'"),
    ],
)
def test_a_program_that_fails_says_why_and_leaves_its_files(tmp_path, program, kind, match):
    error, kept = failure(tmp_path, program)
    assert match in str(error)
    assert error.kind == kind
    assert {"parameters.json", "parameters.toml", "output.txt"} <= {path.name for path in kept.iterdir()}
    assert len(str(error)) < 1900


def lives(number):
    return psutil.pid_exists(number) and psutil.Process(number).status() != psutil.STATUS_ZOMBIE


def test_a_program_that_hangs_is_ended_with_all_that_it_started(tmp_path):
    program = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""
    begin = time.monotonic()
    error, kept = failure(tmp_path, program, more='timeout="1 s",')
    assert error.kind == "timeout"
    assert "longer than its limit of 1 s" in str(error)
    assert time.monotonic() - begin < 10
    child = int((kept / "output.txt").read_text())
    while lives(child) and time.monotonic() - begin < 20:
        time.sleep(0.02)
    assert not lives(child)


def test_a_program_is_held_to_its_memory(tmp_path):
    program = "held = b'x' * 300_000_000\nimport time\ntime.sleep(30)"
    error, _ = failure(tmp_path, program, more='memory="100 MiB",')
    assert error.kind == "out_of_memory"
    assert "more than its limit of 100 MiB" in str(error)


def test_a_program_that_prints_without_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(command_run, "MOST_OUTPUT", 2_000_000)
    error, _ = failure(tmp_path, "while True:\n    print('x' * 100_000)")
    assert "printed more than" in str(error)
    assert len(str(error)) < 1900


def test_only_some_folders_of_failed_designs_are_kept(tmp_path, temporary, monkeypatch):
    monkeypatch.setattr(command_run, "MOST_KEPT", 2)
    model = load(tmp_path, "raise SystemExit(3)", command='["false"]')
    for _ in range(4):
        with pytest.raises(OutcomeError, match="exit code 1"):
            model.evaluate()
    assert len(list(temporary.iterdir())) == 2


def test_a_file_that_changes_while_a_study_runs_is_no_result(tmp_path, temporary):
    model = load(tmp_path, WORKS)
    (tmp_path / "solve.py").write_text(WORKS.replace("2 *", "3 *"), encoding="utf-8")
    with pytest.raises(WorkerError, match=r"solve.py, with which 'own-beam' computes, has changed meanwhile"):
        model.evaluate()
    (tmp_path / "solve.py").unlink()
    with pytest.raises(WorkerError, match="has changed meanwhile"):
        model.evaluate()
    assert list(temporary.iterdir()) == []


def test_a_program_that_changes_its_own_file_is_no_result(tmp_path, temporary):
    model = load(tmp_path, "open('solve.py', 'a').write('#')\n" + WORKS)
    with pytest.raises(WorkerError, match="has changed meanwhile"):
        model.evaluate()
    assert list(temporary.iterdir()) == []


def test_the_program_is_part_of_the_identity(tmp_path):
    first = load(tmp_path, WORKS).digest
    assert load(tmp_path, WORKS.replace("2 *", "3 *")).digest != first
    assert load(tmp_path, WORKS).digest == first
    assert models.load("own-beam").origin.files == ("solve.py",)


def test_an_executable_file_is_started_by_its_name(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text('#!/bin/sh\necho "mass = 4.0\nsag = 2" > metrics.toml\n', encoding="utf-8")
    with pytest.raises(ModelLoadError, match=r"'./run.sh' is not executable; allow it by chmod \+x"):
        load(tmp_path, "", command='["./run.sh"]')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    for command in ('["./run.sh"]', '["run.sh"]'):
        assert load(tmp_path, "", command=command).evaluate() == Evaluation({"mass": 4.0, "sag": 2.0})
    script.write_text("\x7fELF no program", encoding="utf-8")
    error, _ = failure(tmp_path, "", command='["./run.sh"]')
    assert "cannot be started: Exec format error" in str(error)


@pytest.mark.parametrize(
    ("command", "more", "match"),
    [
        ('["no-such-program"]', "", "there is no program 'no-such-program'"),
        ('["./missing"]', "", "there is no program './missing'"),
        ('["./temporary"]', "", "is a folder, not a program"),
        ('"solve.py"', "", "write a list of words"),
        ("[]", "", "write a list of words"),
        ('["false", 3]', "", "write a list of words"),
        ('["false"]', 'files=["mesh.txt"],', "there is no file 'mesh.txt'"),
        ('["false"]', 'files=["../solve.py"],', "'../solve.py' does not lie beside the model"),
        ('["false"]', 'files=["/etc/hostname"],', "'/etc/hostname' does not lie beside the model"),
        ('["false"]', 'files=["./metrics.json"],', "'metrics.json' is a name that each design writes anew"),
        ('["false"]', 'timeout="5 kg",', "'5 kg' cannot be used here"),
        ('["false"]', "timeout=0,", "must be more than 0 s"),
        ('["false"]', 'memory="1 kB",', "must be more than"),
        ('["false"]', "version=0,", "version 0; give a whole number"),
    ],
)
def test_a_command_that_cannot_work_is_refused_when_it_is_declared(tmp_path, command, more, match):
    with pytest.raises(ModelLoadError, match=match) as caught:
        load(tmp_path, WORKS, command=command, more=more)
    assert "beam.py" in str(caught.value)


def test_files_in_folders_are_there_for_the_program(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "load.txt").write_text("7", encoding="utf-8")
    program = WORKS.replace("2 *", "float(open('data/load.txt').read()) *")
    model = load(tmp_path, program, more='files=["data/load.txt"],')
    assert model.evaluate().metrics["mass"] == 7.0
    assert Path(model.origin.files[-1]) == Path("data/load.txt")
