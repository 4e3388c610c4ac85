"""Commands print the same with a server as with the server's store."""

import json
import re
import time

import pytest

from errors import ForbiddenError
from service.app.models import ModelService
from tests.service.client.conftest import ADDRESS
from tests.service.conftest import TARGETS

ONE = """
name = "one"
model = "bnh"
seeds = [1, 2]
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 5
"""
TWO = """
name = "two"
model = "faulty"
[layouts.one.variables]
x = { lower = 0, upper = 1 }
[layouts.two.variables]
y = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
[search]
algorithm = "lhs"
evaluations = 5
"""
NONE = """
name = "none"
model = "faulty"
parameters.threshold = 0
parameters.fault = "infeasible"
variables.x = { lower = 0.1, upper = 1 }
objectives.f1 = "minimize"
search.algorithm = "lhs"
search.evaluations = 5
"""
THERE = ("--server", ADDRESS)
HERE = ("--store", "tautline.db")


@pytest.fixture
def files(tmp_path):
    for name, text in (("one", ONE), ("two", TWO), ("none", NONE)):
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "bad.toml").write_text(ONE.replace("upper = 5", 'upper = "5 kg"'))


@pytest.fixture(scope="module")
def finished(tmp_path_factory, make_finished):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    make_finished(path, (ONE, TWO, NONE))
    return path


@pytest.fixture
def content(request, empty_store):
    """An empty store, or for tests that ask for it one in which all three studies are finished."""
    return request.getfixturevalue("finished") if hasattr(request, "param") else empty_store


on_finished = pytest.mark.parametrize("content", ["finished"], indirect=True)


READING = [
    "study list", "study list --format json", "study list --format csv", "study list --search two",
    "study list --archived", "study show one", "study show one --format json", "study show two --format csv",
    "study show none", "study show nothing", "study show ../one", "study front one",
    "study front one --format json --seed 2", "study front two --format csv", "study front none",
    "study front one --layout x", "study front one --seed 9", "study compare one", "study compare two",
    "study compare two --format json", "study compare none", "study reproduce ffffff", "study reproduce x",
    "study export one /no/such/folder/all.csv", "study export one all.xls", "study export one two all.csv", "study pause one",
    "study stop one", "study resume one --queue", "study resume one --branch one",
    "study edit one", "study delete nothing --yes",
    "study rank one", "study rank one --format json", "study rank two --format csv --rule knee", "study rank none",
    "study rank one --weight f1=1 --weight f2=3 --top 2 --filter x1<=4", "study rank one --rule judgement",
    "study rank one --weight f1=1", "study rank one --weight f1=x", "study rank one --weight f1",
    "study rank one --weight f1=1 --weight f1=2", "study rank one --filter x1=4", "study rank one --filter x1<=-4",
    "study rank one --rule achievement --aspiration f1=20 --aspiration f2=3_N", "study rank one --rule dice",
    "study rank one --weight f1=nan --weight f2=1", "study rank nothing", "study rank two --layout three",
    "study decisions one", "study decisions one --format json", "study decisions nothing", "study sheet one",
    "study sheet one ffffff", "study decide one ffffff --why x", "study annotations one",
    "study annotations nothing", "study annotations one --remove 7", "study note one text --change 7",
]  # fmt: skip


@on_finished
def test_what_is_read_is_printed_alike(tautline):
    for line in READING:
        words = line.split()
        here, there = tautline(*words, *HERE), tautline(*words, *THERE)
        assert (there.code, there.out, there.err) == (here.code, here.out, here.err), line
        assert here.out or here.err, line


def test_models_are_printed_alike(tautline):
    for line in (
        "models list", "models list --format json", "models show bnh", "models show bnh --format json",
        "models show hybrid-cable-robot --format csv", "models show zdt-1", "models show a/b", "models check bnh",
        "models check bnx", "models check bnh --format json", "evaluate bnh --set x1=2 --metrics f1,c1",
        "evaluate bnh --set x1=9", "evaluate bnh --set x1=9 --set x2=9", "evaluate bnh --set x3=1",
        "evaluate bnh --metrics f9", "evaluate bnh --preset x", "evaluate bnh --set x1", "evaluate nothing",
        "evaluate faulty --set x=1 --set threshold=0.5 --set fault=infeasible",
        "evaluate faulty --set x=1 --set threshold=0.5 --set fault=raise --format csv",
    ):  # fmt: skip
        here, there = tautline(*line.split()), tautline(*line.split(), *THERE)
        assert (there.code, there.out) == (here.code, here.out), line
        slow = "evaluating; the first time"
        errors = [
            [row for row in each.err.splitlines() if not row.startswith(slow)] for each in (here, there)
        ]
        assert errors[0] == errors[1], line


def test_files_are_read_here_and_their_rows_are_sent(tautline, client, tmp_path, monkeypatch):
    (tmp_path / "targets.csv").write_text("x [mm],y\n125,0.25\n")
    (tmp_path / "targets.toml").write_text(TARGETS)
    assert tautline("study", "check", "targets.toml", *THERE).code == 0
    assert tautline("study", "run", "targets.toml", "--queue", *THERE).code == 0
    assert client.studies.get("targets").definition["parameters"] == {"targets": [[0.125, 0.25]]}
    assert "csv" not in client.studies.file("targets")
    (tmp_path / "targets.csv").write_text("x [mm],y\n125,0.25\n1e9,0\n")
    line = ["evaluate", "continuum-statics", "--set", 'targets={csv="targets.csv"}']
    for words in (["study", "check", "targets.toml"], line):
        here, there = tautline(*words), tautline(*words, *THERE)
        assert (there.code, there.err) == (here.code, here.err)
        assert "targets.csv, line 3, column 'x [mm]': 1000000.0: must be" in here.err


def test_an_evaluation_as_json_is_the_same_but_for_its_time(tautline):
    line = ["evaluate", "bnh", "--set", "x1=2", "--format", "json"]
    here, there = (json.loads(tautline(*line, *where).out) for where in ((), THERE))
    assert here.pop("seconds") > 0
    assert there.pop("seconds") > 0
    assert list(there.items()) == list(here.items())


def test_a_study_run_by_a_server_ends_as_one_that_ran_here(tautline, files, runner, make_finished, tmp_path):
    make_finished(tmp_path / "own.db", (ONE, TWO, NONE))
    codes = {}
    for name in ("one", "two", "none"):
        there = tautline("study", "run", f"{name}.toml", *THERE)
        here = tautline("study", "run", f"{name}.toml", "--store", "own.db")
        assert (there.code, there.out) == (here.code, here.out), there.err
        assert there.err, "it is told what goes on; that it waits only where the runner was not quicker"
        told = [each.err.splitlines()[-2:] if each.code else [] for each in (here, there)]
        assert told[0] == told[1]
        codes[name] = there.code
        fronts = [tautline("study", "front", name, "--format", "json", *where).out
                  for where in (THERE, ("--store", "own.db"))]  # fmt: skip
        assert fronts[0] == fronts[1]
        again = tautline("study", "run", f"{name}.toml", *THERE)
        assert (again.code, again.out) == (there.code, there.out)
        assert "waiting" not in again.err
    assert codes == {"one": 0, "two": 0, "none": 3}


def test_a_study_that_ends_while_the_command_looks_is_shown_as_any_other(
    tautline, files, client, request, monkeypatch
):
    def list_before_the_end(self, name, **options):
        found = look(self, name, **options)
        request.getfixturevalue("runner")
        while client.studies.get(name).state != "done":
            time.sleep(0.02)
        return found

    look = type(client.runs).list
    monkeypatch.setattr(type(client.runs), "list", list_before_the_end)
    there = tautline("study", "run", "one.toml", *THERE)
    assert (there.code, there.out.split()[0]) == (0, "one"), there.err


def without_times(text):
    return re.sub(r"[0-9.]+ (µs|ms|s|min)\b", "a time", text)


def test_a_study_file_is_checked_alike(tautline, files):
    for name in ("one", "two", "bad", "missing"):
        here, there = (
            tautline("study", "check", f"{name}.toml"),
            tautline("study", "check", f"{name}.toml", *THERE),
        )
        assert (there.code, without_times(there.err)) == (here.code, without_times(here.err))
    assert tautline("study", "run", "bad.toml", *THERE).code == 2
    assert tautline("study", "list", *THERE).err == "nothing to show\n"


@on_finished
def test_files_that_are_written_are_the_same(tautline, tmp_path):
    for name in ("all.csv", "all.json", "all.parquet"):
        for option in ((), ("--front",)):
            told = [tautline("study", "export", "one", name, *option, "--force", *HERE).err]
            here = (tmp_path / name).read_bytes()
            told.append(tautline("study", "export", "one", name, *option, "--force", *THERE).err)
            assert (tmp_path / name).read_bytes() == here
            assert told[0] == told[1]
            assert "designs to" in told[0]
    said = tautline("study", "report", "two", "--output", "a.html", *THERE).err.splitlines()
    assert "study two" in said[0]
    assert said[1:] == ["wrote a.html"]
    assert "</html>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_queue_is_worked_with_alike(tautline, files):
    steps = [
        "study run one.toml --queue", "study run one.toml --queue", "study pause one", "study show one",
        "study resume one --queue", "study stop one --no-wait", "study resume one --queue",
        "study resume one --branch copy --queue", "study edit copy --description tried --shared",
        "study edit copy --archive", "study list --archived --format csv", "study edit copy --owner nobody",
        "study delete copy --yes", "study delete one --yes", "study delete one --yes",
    ]  # fmt: skip
    told = []
    for where in (THERE, ("--store", "own.db")):
        lines = [tautline(*step.split(), *where) for step in steps]
        told.append([(line.code, line.out[:20], line.err) for line in lines])
    assert told[0] == told[1]
    assert [code for code, _, _ in told[0]].count(0) == len(steps) - 2


def test_ctrl_c_leaves_a_study_running_there(tautline, files, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("service.cli.running._show_until_ended", interrupted)
    left = tautline("study", "run", "one.toml", *THERE)
    assert left.code == 130
    assert f"tautline study show one --server {ADDRESS}" in left.err
    assert json.loads(tautline("study", "show", "one", "--format", "json", *THERE).out)["state"] == "queued"


def test_what_is_paused_there_is_gone_on_with_there(tautline, files):
    tautline("study", "run", "one.toml", "--queue", *THERE)
    tautline("study", "pause", "one", *THERE)
    shown = tautline("study", "run", "one.toml", "--queue", *THERE)
    assert "2 of 2 runs of 'one' are queued" in shown.err


@pytest.mark.parametrize(
    "option", ["--workers 2", "--scheduler tcp://a:1", "--tls-ca a", "--tls-cert a", "--tls-key a"]
)
def test_machines_are_the_servers_own(tautline, files, option):
    commands = "study run one.toml", "study resume one", "design robust abcdef", "study sensitivity one"
    for command in commands:
        refused = tautline(*command.split(), *option.split(), *THERE)
        assert refused.code == 2
        assert refused.err.startswith(f"error: {option.split()[0]}: has no effect with --server")


def test_a_store_and_a_server_are_one_too_many(tautline, files, monkeypatch):
    for line in ("study list", "study run one.toml", "study delete one --yes"):
        assert "one of --store and --server" in tautline(*line.split(), *HERE, *THERE).err
    monkeypatch.setenv("TAUTLINE_SERVER", ADDRESS)
    assert tautline("study", "list", *HERE).code == 2
    monkeypatch.setenv("TAUTLINE_STORE", "elsewhere.db")
    assert tautline("study", "list").err == "nothing to show\n"


def test_a_server_is_asked_by_the_variable_too(tautline, monkeypatch):
    monkeypatch.setenv("TAUTLINE_SERVER", "http://127.0.0.1:8000/")
    assert tautline("study", "list").code == 0
    monkeypatch.setenv("TAUTLINE_TOKEN", "tl_wrong_token")
    refused = tautline("models", "list")
    assert refused.code == 1
    assert "TAUTLINE_TOKEN" in refused.err
    assert "tl_wrong_token" not in refused.err
    monkeypatch.setenv("TAUTLINE_SERVER", "lab")
    assert tautline("models", "list").code == 2


def test_a_study_is_checked_for_an_account_that_may_not_compute(tautline, files, monkeypatch):
    def refuse(*_):
        raise ForbiddenError("viewers compute nothing")

    monkeypatch.setattr(ModelService, "evaluate", refuse)
    told = tautline("study", "check", "one.toml")
    assert told.code == 0
    assert "was not tried: viewers compute nothing" in told.err
