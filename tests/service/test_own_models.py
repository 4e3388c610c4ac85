"""Models of one's own on the command line, and what a server's queue makes of them."""

import csv
import io
import json
from functools import partial

import pytest

from models import registry
from studies.run.runner import Runner
from studies.store import Store
from tests.service.own_models import write


@pytest.fixture
def mark(tmp_path):
    return write(tmp_path)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_design_is_evaluated_and_the_model_is_shown(tautline, mark):
    found = json.loads(
        tautline("evaluate", "--model", "bar.py", "--set", "length=2 m", "--format", "json", check=0).stdout
    )
    assert (found["model"], found["metrics"]) == ("own-bar", {"mass": 4.0, "sag": 0.5})
    shown = json.loads(tautline("models", "show", "--model", "bar.py", "--format", "json", check=0).stdout)
    assert shown["summary"] == "A bar."
    assert tautline("models", "show", "own-bar", "--model", "bar.py", check=0).stdout
    assert (
        "is 'own-bar' and MODEL is 'bnh'" in tautline("evaluate", "bnh", "--model", "bar.py", check=2).stderr
    )
    assert "give --model FILE" in tautline("evaluate", check=2).stderr


def test_a_study_is_checked_run_shown_and_told_of_a_change(tautline, mark, tmp_path):
    assert "is a valid study" in tautline("study", "check", "own.toml", "--model", "bar.py", check=0).stderr
    ran = tautline(
        "study", "run", "own.toml", "--model", "bar.py", "--workers", "1", "--format", "json", check=0
    )
    assert json.loads(ran.stdout)["state"] == "done"
    front = json.loads(tautline("study", "front", "own", "--format", "json", check=0).stdout)
    assert all(design["metrics"]["mass"] == 2 * design["variables"]["length"] for design in front)
    assert tautline("study", "show", "own", check=0).stdout
    assert rows(tautline("study", "compare", "own", "--format", "csv", check=0).stdout)
    tautline("study", "report", "own", check=0)
    assert "own-bar" in (tmp_path / "own.html").read_text(encoding="utf-8")
    tautline("study", "export", "own", "own.csv", check=0)
    assert len((tmp_path / "own.csv").read_text(encoding="utf-8").splitlines()) == 17
    key = front[0]["key"]
    assert "every bit is the same" in tautline("study", "reproduce", key, "--model", "bar.py", check=0).stderr
    bar = tmp_path / "bar.py"
    bar.write_text(bar.read_text(encoding="utf-8").replace("2 *", "3 *"), encoding="utf-8")
    told = tautline("study", "run", "own.toml", "--model", "bar.py", check=1).stderr
    assert "the model has changed since" in told
    assert "--branch NEW-NAME" in told
    again = tautline(
        "study", "resume", "own", "--model", "bar.py", "--branch", "own-2", "--workers", "1", check=0
    )
    assert "'own-2' is a branch of 'own'" in again.stderr
    assert "every bit" not in tautline("study", "reproduce", key, "--model", "bar.py", check=2).stderr
    assert "unknown model 'own-bar'" in tautline("study", "resume", "own-2", check=2).stderr


def test_a_variable_of_the_environment_names_the_file_once(tautline, mark):
    tautline = partial(tautline, env={"TAUTLINE_MODEL": "bar.py"})
    assert json.loads(tautline("evaluate", "--format", "json", check=0).stdout)["model"] == "own-bar"
    assert "is a valid study" in tautline("study", "check", "own.toml", check=0).stderr
    tautline("study", "run", "own.toml", "--workers", "1", check=0)
    assert "mass [kg]" in tautline("study", "front", "own", check=0).stdout
    assert "0 faults" in tautline("models", "check", "own-bar", check=0).stderr
    other = tautline("evaluate", "bnh", "--format", "json", check=0)  # what the command names goes first
    assert json.loads(other.stdout)["model"] == "bnh"
    assert "missing.py: cannot be read" in tautline("evaluate", "--model", "missing.py", check=2).stderr


def test_a_variable_that_names_no_model_is_named_and_a_server_does_without_it(tautline, mark):
    told = tautline("evaluate", check=2, env={"TAUTLINE_MODEL": "missing.py"}).stderr
    assert "(the variable TAUTLINE_MODEL names this file)" in told
    mark.unlink(missing_ok=True)
    address, model = {"TAUTLINE_SERVER": "http://127.0.0.1:1"}, {"TAUTLINE_MODEL": "bar.py"}
    for command, env in ((("--server", "http://127.0.0.1:1"), model), ((), {**address, **model})):
        told = tautline("evaluate", "own-bar", *command, check=1, env=env).stderr
        assert "cannot be reached" in told
    assert not mark.exists(), "the file of the variable was read for a server"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("missing.py", None, "missing.py: cannot be read: No such file or directory; name a Python file"),
        ("broken.py", "def f(:\n", "broken.py: is no Python: "),
        ("empty.py", "", "empty.py: defines no model; one file defines one"),
        ("raises.py", "\n1 / 0\n", "raises.py: line 2 raised ZeroDivisionError"),
        (".", None, ".: is a folder; name the Python file"),
    ],
)
def test_a_bad_file_is_one_message_and_leaves_no_store_behind(tautline, mark, tmp_path, name, text, told):
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    refused = tautline("study", "run", "own.toml", "--model", name, check=2)
    assert told in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "tautline.db").exists()


@pytest.mark.parametrize(
    "command",
    [("study", "run", "own.toml"), ("study", "check", "own.toml"), ("study", "resume", "own"), ("evaluate",)],
)
def test_no_server_is_given_a_model(tautline, mark, command):
    for options in (
        ("--model", "bar.py", "--server", "http://127.0.0.1:1"),
        ("--server", "http://127.0.0.1:1", "--model", "bar.py"),
    ):
        told = tautline(*command, *options, check=2).stderr
        assert "--model: a model of your own runs on your own machine" in told


def test_the_queue_of_a_server_leaves_it_and_a_runner_takes_it_where_its_operator_says_so(
    tautline, mark, tmp_path, inline, make_executor
):
    tautline("study", "run", "own.toml", "--model", "bar.py", "--queue", check=0)
    mark.unlink()
    complaints = []
    with Store(str(tmp_path / "tautline.db")) as store:
        Runner(store, inline(make_executor()), once=True, complain=complaints.append).run()
        (run,) = store.study("own").runs
        assert run.state == "paused"
        assert "this machine cannot run it: model: unknown model 'own-bar'" in run.message
        assert "a server has installed models only" in run.message
    assert not mark.exists(), "no code of the model was carried out"
    assert "own-bar" not in registry.names()
    tautline("study", "resume", "own", "--model", "bar.py", "--queue", check=0)
    tautline("runner", "--once", "--workers", "1", "--model", "bar.py", check=0)
    with Store(str(tmp_path / "tautline.db")) as store:
        assert store.study("own").state == "done"
