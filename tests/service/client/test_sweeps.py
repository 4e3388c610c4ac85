"""Sweeps by a server: in the background, over REST, by the client and the command line, in each face the same."""

import json

import pytest

from errors import AbsentError, InputError
from service import figures
from service.resources.sweeps import SweepRequest
from studies.results.evaluation_plan import count_missing
from studies.uncertainty.sweep import read_plan
from tests.studies.uncertainty.sweep_studies import TWO_LAYOUTS

OVER = {"x2": [0.5, 1.0, 2.0]}
COMMAND = ("study", "sweep", "sides", "--over", "x2=0.5, 1.0, 2.0")
BY_SERVER = ("--server", "http://127.0.0.1:8000")


@pytest.fixture(scope="module")
def made(tmp_path_factory, make_finished):
    path = tmp_path_factory.mktemp("made") / "tautline.db"
    make_finished(path, [TWO_LAYOUTS])
    return path


@pytest.fixture
def content(made):
    return made


def test_here_and_by_a_server_the_map_is_the_same(tautline, client, runner):
    there = tautline(*COMMAND, "--format", "json", *BY_SERVER)
    assert there.code == 0, there.err
    assert "evaluations" in there.err
    here = tautline(*COMMAND, "--format", "json", "--workers", 1)
    assert here.code == 0, here.err
    assert json.loads(here.out) == json.loads(there.out)
    found = client.sweeps.map("sides", 1)
    assert json.loads(there.out) == found.model_dump(mode="json", exclude={"table"})
    assert (found.complete, found.seeds, found.layouts) == (True, 2, ["near", "far"])
    assert [each.values for each in found.conditions] == [{"x2": x2} for x2 in (0.5, 1, 2)]
    for criterion in found.criteria:
        assert " ".join(criterion.sentences) in there.err
    listed = client.sweeps.list("sides").items
    assert [(each.sweep, each.state, each.done, each.over) for each in listed] == [
        (1, "done", listed[0].wanted, {"x2": [0.5, 1, 2]})
    ]


def test_a_sweep_is_shown_drawn_and_deleted(tautline, client, server):
    tautline(*COMMAND, "--workers", 1)
    shown = tautline("study", "sweeps", "sides", "1", "--format", "csv")
    head, *rows = shown.out.splitlines()
    assert head == "x2,criterion,near,far,winner,margin,outcome,p_value"
    assert len(rows) == 3 * 6
    assert "best f1" in tautline("study", "sweeps", "sides", "1").out
    listed = json.loads(tautline("study", "sweeps", "sides", "--format", "json").out)
    assert [(each["sweep"], each["state"]) for each in listed] == [(1, "done")]
    drawn = client.sweeps.figure("sides", 1, "best f1")
    assert drawn.data[0]["type"] == "heatmap"
    assert figures.verdict_map(client, "sides", 1, "best f1")["data"] == drawn.data
    assert figures.verdict_map(server.store, "sides", 1)["data"] == client.sweeps.figure("sides", 1).data
    with pytest.raises(InputError, match="unknown criterion 'best'"):
        client.sweeps.figure("sides", 1, "best")
    plan = read_plan(server.store, server.store.sweeps.find("sides", 1))
    assert "its evaluations and studies stay" in tautline("study", "sweeps", "sides", "1", "--delete").err
    assert count_missing(plan, server.store) == 0
    with pytest.raises(AbsentError, match="unknown sweep '1'"):
        client.sweeps.get("sides", 1)


def test_a_runner_searches_under_each_condition(client, runner, tautline):
    found = tautline(
        "study", "sweep", "sides", "--over", "x2=0.5,2", "--search", "--format", "json", *BY_SERVER
    )
    assert found.code == 0, found.err
    sweep = client.sweeps.get("sides", 1)
    assert (sweep.state, sweep.done, sweep.wanted) == ("done", 2, 2)
    assert [study.name for study in client.studies.list().items] == ["sides"]
    assert {study.name for study in client.studies.list("sweep").items} == set(sweep.studies.values())
    assert [each["study"] for each in json.loads(found.out)["conditions"]] == list(sweep.studies.values())


def test_what_is_begun_and_not_worked_on_is_waiting(client):
    found = client.sweeps.start("sides", SweepRequest(over={"x2": [0.5]}, mode="search"))
    assert (found.state, found.done, found.wanted) == ("queued", 0, 1)
    assert client.sweeps.map("sides", found.sweep).complete is False
    client.studies.stop(found.studies[1])
    assert client.sweeps.get("sides", found.sweep).done == 1, "what was stopped for good searches no more"


BAD_GRIDS = [
    (("--over", "x2"), "is not of the form PATH=VALUES"),
    (("--over", "x2=1", "--over", "x2=2"), "names 'x2' twice"),
    (("--over", "x2=1,1.0"), "has the value 1 twice"),
    (("--over", "x2=9"), "must be at most 3"),
    (("--over", "x1=1"), "varies in the layout 'near'"),
    ((), "name a parameter and its values"),
    (("--over", f"x2={','.join(map(str, range(1001)))}"), "1001 conditions; at most 1000"),
]


@pytest.mark.parametrize("where", [(), BY_SERVER], ids=["here", "there"])
def test_a_bad_grid_is_refused_and_nothing_is_stored(tautline, server, where):
    for options, said in BAD_GRIDS:
        found = tautline("study", "sweep", "sides", *options, *where)
        assert found.code == 2, options
        assert said in found.err
    assert server.store.sweeps.of("sides") == []


def test_progress_is_a_line_only_where_something_is_new(capsys, monkeypatch):
    from service.cli import machines
    from studies.run.questions import Count

    monkeypatch.setattr(machines, "_LINE_SECONDS", 0.0)
    with machines.Display() as show:
        for done in (0, 0, 0, 2, 2, 4, 4):
            show(Count(done, 4))
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(", ")[0] for line in lines] == [f"{done} of 4 evaluations" for done in (0, 2, 4)]


def test_values_of_the_command_line_are_read_as_people_write_them():
    from service.cli.sweeps import grid_of

    assert grid_of(["f=0, 2.5,4", "s=box, gravity", "l=1 mm, 5 mm", 'w="a,b", "c"', "b=true,false", "v=[1,2],[3,4]"]) == {
        "f": [0, 2.5, 4], "s": ["box", "gravity"], "l": ["1 mm", "5 mm"], "w": ["a,b", "c"], "b": [True, False],
        "v": [[1, 2], [3, 4]],
    }  # fmt: skip
