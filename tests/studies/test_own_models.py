"""Studies of a model of one's own: on workers, continued, and told when the model has changed."""

import linecache
import re
import sys
from pathlib import Path

import pytest
from distributed import LocalCluster

import tautline
from errors import InputError, ModelLoadError, VersionError
from models import registry
from studies.comparison.conditions import compared_remarks, version_remarks
from studies.definition.study_file import parse_study
from studies.execution import open_executor
from studies.results.fronts import fronts
from studies.results.reevaluation import reproduce
from studies.run.launch import branch_study, resume_study, run_study
from studies.store import Store
from tests.patience import NUMBERS

STUDY = """
name = "own"
model = "own-bar"
seeds = [1]
[variables]
length = { lower = "20 cm", upper = "3 m" }
[objectives]
mass = "minimize"
sag = "minimize"
[search]
population = 8
generations = 2
"""
MODEL = """
import os
import time

from models import Metric, Parameters, model, quantity


class Bar(Parameters):
    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)


@model(
    metrics=[Metric("mass", "kg", "mass", "minimize"), Metric("sag", "m", "sag", "minimize")],
    version=1,
)
def own_bar(bar: Bar):
    time.sleep(PAUSE)
    return {"mass": 2 * bar.length, "sag": 1 / bar.length}
"""
COMMAND = """
from models import Metric, Parameters, command_model, quantity


class Bar(Parameters):
    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)


bar = command_model(
    ["PYTHON", "-S", "solve.py"],
    name="own-bar",
    parameters=Bar,
    metrics=[Metric("mass", "kg", "mass", "minimize"), Metric("sag", "m", "sag", "minimize")],
)
""".replace("PYTHON", sys.executable)
SOLVE = """
import json
length = json.load(open("parameters.json"))["length"]
json.dump({"mass": 2 * length, "sag": 1 / length}, open("metrics.json", "w"))
"""


OWN = [(module, name, getattr(module, name)) for module, name, _ in NUMBERS]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A busy machine makes any model slow: Dask would start where nothing is asked of it."""
    for number in NUMBERS:
        monkeypatch.setattr(*number)


@pytest.fixture
def impatient(patient, monkeypatch):
    """As users have it: what takes long is sent to workers at once."""
    for number in OWN:
        monkeypatch.setattr(*number)


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    monkeypatch.setattr(registry, "_users", {})
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "bar.py"
    path.write_text(MODEL.replace("PAUSE", "0.0"), encoding="utf-8")
    return path


def run(store, text=STUDY):
    return run_study(store, parse_study(text), lambda: open_executor(1))


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_it_runs_in_child_processes_and_on_workers(tmp_path, model, impatient, monkeypatch):
    """A fast model in a child of this process, a slow one on Dask: both get the source and find the same."""
    with monkeypatch.context() as patient:  # a busy machine makes any model slow
        patient.setattr("studies.execution.executor.PATIENCE_SECONDS", 600.0)
        patient.setattr("studies.execution.executor.DEAR_SECONDS", 600.0)
        quick = tautline.run(parse_study(STUDY), store=str(tmp_path / "quick.db"), workers=1, model=model)
    edit(model, "time.sleep(0.0)", "time.sleep(0.3)")
    slow = tautline.run(parse_study(STUDY), store=str(tmp_path / "slow.db"), workers=1, model=model)
    found = []
    for name, study in (("quick", quick), ("slow", slow)):
        assert study.state == "done"
        with Store(str(tmp_path / f"{name}.db")) as store:
            (front,) = fronts(store, study).values()
            found.append({(design.variables["length"], *design.metrics.values()) for design in front})
            workers = {member.evaluation.worker for member in store.history(study.runs[0])}
            assert "driver" in workers if name == "quick" else workers != {"driver"}
            (record,) = store.provenance(study.runs[0])
            assert record["model_package"] == "bar.py"
    assert found[0] == found[1]


def test_workers_of_a_cluster_that_lasts_compute_by_the_source_of_each_run(tmp_path, model, impatient):
    edit(model, "time.sleep(0.0)", "time.sleep(0.3)")
    text = STUDY.replace(
        "population = 8\ngenerations = 2", "algorithm = 'lhs'\npopulation = 4\nevaluations = 2"
    )
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        for factor, before in ((2, 2), (5, 2)):
            edit(model, f"{before} * bar.length", f"{factor} * bar.length")
            path = str(tmp_path / f"{factor}.db")
            study = tautline.run(
                parse_study(text), store=path, scheduler=cluster.scheduler_address, model=model
            )
            with Store(path) as store:
                for member in store.history(study.runs[0]):
                    found = member.evaluation
                    assert found.metrics["mass"] == factor * found.task.parameters["length"]
                    assert found.worker != "driver"


def test_a_changed_file_does_not_change_a_run(tmp_path, store, model, inline, make_executor):
    """A run computes with the source with which it began, also in processes that start later."""
    tautline.use_model(model)
    edit(model, "2 * bar.length", "9 * bar.length")
    run(store)
    (front,) = fronts(store, store.study("own")).values()
    assert all(design.metrics["mass"] == 2 * design.variables["length"] for design in front)


def test_a_study_is_continued_with_the_same_source_alone(store, model, inline, make_executor):
    tautline.use_model(model)
    executor = make_executor(stop_after=8)
    study = run_study(store, parse_study(STUDY), inline(executor))
    assert study.state == "paused"
    before = model.read_text(encoding="utf-8")
    edit(model, "2 * bar.length", "9 * bar.length")
    tautline.use_model(model)
    with pytest.raises(VersionError, match=r"own-bar of source [0-9a-f]{12} \(here of source [0-9a-f]{12}\)"):
        resume_study(store, "own", inline(make_executor()))
    assert len(list(store.history(store.study("own").runs[0]))) == 8
    model.write_text(before, encoding="utf-8")
    tautline.use_model(model)
    assert resume_study(store, "own", inline(make_executor())).state == "done"


@pytest.mark.parametrize("change", [("2 * bar.length", "9 * bar.length"), ("version=1", "version=2")])
def test_a_change_makes_new_evaluations_and_the_user_is_told(store, model, inline, make_executor, change):
    tautline.use_model(model)
    assert run_study(store, parse_study(STUDY), inline(make_executor())).state == "done"
    edit(model, *change)
    tautline.use_model(model)
    with pytest.raises(VersionError, match=r"the model has changed since.*results are kept") as refused:
        run_study(store, parse_study(STUDY), inline(make_executor()))
    assert refused.value.remedy[1:] == ("branch", (parse_study(STUDY).name,), {"model": "FILE"})
    branch_study(store, "own", "own-new")
    executor = make_executor()
    assert resume_study(store, "own-new", inline(executor)).state == "done"
    assert len(executor.keys) > 8, "nothing of the old source counts as a result of the new one"
    assert store.study("own").state == "done"
    old, new = store.study("own"), store.study("own-new")
    across, of_old = compared_remarks(store, [old, new])
    assert re.search(
        r"different versions of own-bar \(own: 1 of source \w{12}, own-new: [12] of source", across
    )
    assert re.search(r"evaluated by version 1 of source \w{12} of own-bar; version [12] of source", of_old)
    assert version_remarks(store, new) == []


def test_an_unchanged_model_finds_its_designs_again(store, model, inline, make_executor):
    tautline.use_model(model)
    run_study(store, parse_study(STUDY), inline(make_executor()))
    executor = make_executor()
    branch_study(store, "own", "own-again")
    assert resume_study(store, "own-again", inline(executor)).state == "done"
    assert executor.keys == []


def test_a_design_is_reproduced_by_the_source_that_evaluated_it(store, model):
    tautline.use_model(model)
    study = run(store)
    key = next(iter(store.history(study.runs[0]))).evaluation.key
    assert reproduce(store, key).identical
    edit(model, "2 * bar.length", "9 * bar.length")
    tautline.use_model(model)
    with pytest.raises(InputError, match="was evaluated by another source of own-bar"):
        reproduce(store, key)


def test_a_command_is_run_by_workers_and_a_changed_program_stops_the_run(tmp_path, store, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where children make the folders of designs
    (tmp_path / "bar.py").write_text(COMMAND, encoding="utf-8")
    solve = tmp_path / "solve.py"
    solve.write_text(SOLVE, encoding="utf-8")
    tautline.use_model(tmp_path / "bar.py")
    solve.write_text(SOLVE.replace("2 *", "3 *"), encoding="utf-8")
    text = STUDY.replace("population = 8\ngenerations = 2", "population = 4\ngenerations = 1")
    with pytest.raises(tautline.WorkerError, match=r"solve.py (has changed|, with which)"):
        run(store, text)
    study = store.study("own")
    assert study.state == "paused"
    assert "solve.py" in study.runs[0].message
    assert list(store.history(study.runs[0])) == []
    solve.write_text(SOLVE, encoding="utf-8")
    tautline.use_model(tmp_path / "bar.py")
    assert run(store, text).state == "done"
    (front,) = fronts(store, study).values()
    assert all(design.metrics["mass"] == 2 * design.variables["length"] for design in front)


def test_a_program_that_hangs_is_ended_by_the_limit_of_the_study(tmp_path, store, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where children make the folders of designs
    (tmp_path / "bar.py").write_text(COMMAND, encoding="utf-8")
    (tmp_path / "solve.py").write_text("import time\ntime.sleep(100)\n", encoding="utf-8")
    tautline.use_model(tmp_path / "bar.py")
    search = 'algorithm = "lhs"\npopulation = 4\nevaluations = 1\n[evaluation]\ntimeout = 0.2\nmax_failure_share = 1'
    text = STUDY.replace("population = 8\ngenerations = 2", search)
    study = run_study(store, parse_study(text), lambda: open_executor(1))
    (member,) = store.history(study.runs[0])
    assert (member.evaluation.kind, member.evaluation.state) == ("timeout", "failed")
    assert "took longer than the limit of 0.2 s (3 tries)" in member.evaluation.reason


def test_a_model_that_prints_megabytes_and_fails_at_times_harms_nothing(tmp_path, store, model, capfd):
    edit(
        model,
        "    time.sleep(0.0)",
        "    print('x' * 1_000_000)\n    os.write(1, b'')\n    1 / (bar.length > 1.5)",
    )
    tautline.use_model(model)
    definition = parse_study(f"{STUDY}[evaluation]\nmax_failure_share = 1")
    study = run_study(store, definition, lambda: open_executor(1))
    assert study.state == "done"
    failed = [m.evaluation for m in store.history(study.runs[0]) if m.evaluation.state == "failed"]
    assert failed
    assert "ZeroDivisionError" in failed[0].reason
    assert "bar.py, line" in failed[0].reason
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err) < 200_000


def test_a_model_that_a_worker_cannot_load_says_why(tmp_path, store, model):
    """The file loads here and not in the process that evaluates."""
    edit(model, "import time\n", f"import time\nopen({str(tmp_path / 'once')!r}, 'x').close()\n")
    tautline.use_model(model)
    with pytest.raises(tautline.WorkerError, match=r"bar.py: line \d+ raised FileExistsError"):
        run(store)
    assert store.study("own").state == "paused"


def test_a_cell_of_a_notebook_is_run_by_other_processes(tmp_path, store):
    text = MODEL.replace("PAUSE", "0.0")
    name, found = "<ipython-input-7>", {"__name__": "__main__"}
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec", dont_inherit=True), found)  # noqa: S102 - a cell of this test
    study = tautline.run(
        parse_study(STUDY), store=str(tmp_path / "cell.db"), workers=1, model=found["own_bar"]
    )
    assert study.state == "done"
    with Store(str(tmp_path / "cell.db")) as opened:
        (record,) = opened.provenance(study.runs[0])
        assert record["model_package"] == "notebook cell"


def test_a_missing_model_file_leaves_no_store_behind(tmp_path):
    with pytest.raises(ModelLoadError, match="cannot be read"):
        tautline.run(parse_study(STUDY), store=str(tmp_path / "no.db"), model=tmp_path / "missing.py")
    assert not Path(tmp_path / "no.db").exists()
