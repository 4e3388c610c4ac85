"""``tautline design robust`` and ``tautline study sensitivity``, on a store and by a server alike."""

import json
import re

import pytest

from service.app.robustness import RobustnessService
from service.cli import robustness
from service.resources.robustness import RobustResource
from tests.service.client.test_remote_cli import HERE, THERE
from tests.studies.definition.test_tolerances import BNH

pytestmark = pytest.mark.usefixtures("runner")
WHERE = pytest.mark.parametrize("where", [HERE, THERE], ids=["here", "there"])


@pytest.fixture(scope="module")
def finished(tmp_path_factory, make_finished):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    make_finished(path, (BNH,))
    return path


@pytest.fixture
def content(finished):
    return finished


@pytest.fixture
def key(tautline):
    return json.loads(tautline("study", "front", "built", "--format", "json").out)[0]["key"]


def test_a_store_and_a_server_say_the_same(tautline, key):
    words = ("design", "robust", key[:12], "--indices", "16", "--format", "json")
    there, here = tautline(*words, *THERE), tautline(*words, *HERE)
    assert (there.code, here.code) == (0, 0), there.err + here.err
    assert json.loads(there.out) == json.loads(here.out)
    assert json.loads(here.out)["done"]
    words = ("study", "sensitivity", "built", "--rows", "16", "--format", "json")
    assert json.loads(tautline(*words, *THERE).out) == json.loads(tautline(*words, *HERE).out)


def test_a_tornado_says_how_many_bars_it_leaves_out(tautline, key, monkeypatch):
    told = tautline("design", "robust", key, "--metrics", "c1", *HERE)
    assert "the widest first" in " ".join(told.out.split())
    monkeypatch.setattr(robustness, "_MOST_BARS", 1)
    told = tautline("design", "robust", key, "--metrics", "c1", *HERE)
    assert "the widest 1 of 2" in " ".join(told.out.split())


def test_a_tornado_shows_changes_and_leaves_out_what_has_no_effect(tautline, key, monkeypatch):
    whole = json.loads(tautline("design", "robust", key, "--metrics", "c1", "--format", "json", *HERE).out)
    (metric,) = whole["metrics"]
    metric["tornado"][0] |= {"lower": metric["nominal"], "upper": metric["nominal"]}
    moves, still = metric["tornado"][1], metric["tornado"][0]
    monkeypatch.setattr(RobustnessService, "design", lambda *_, **__: RobustResource.model_validate(whole))
    told = tautline("design", "robust", key, "--metrics", "c1", *HERE)
    _, table = told.out.split("c1: change from ")
    assert still["path"] not in table
    assert "c1: 1 of 2 numbers have no effect by themselves" in told.err
    (row,) = [line.split() for line in table.splitlines() if line.strip().startswith(moves["path"])]
    changes = [moves[end] - metric["nominal"] for end in ("lower", "upper")]
    assert [float(text) for text in row[1:]] == pytest.approx(changes, rel=1e-3)
    assert {text[0] for text in row[1:]} == {"-", "+"}


@WHERE
def test_indices_of_few_rows_are_shown_with_a_caution(tautline, where):
    words = ("study", "sensitivity", "built", "--rows", "4", *where)
    found = json.loads(tautline(*words, "--format", "json").out)["indices"]
    cautions = [f"caution, {one['metric']}: {one['caution']}" for one in found if one["caution"]]
    assert cautions
    told = tautline(*words)
    assert [line for line in told.err.splitlines() if line.startswith("caution")] == cautions


@WHERE
def test_what_has_no_indices_is_said_without_an_empty_table(tautline, where, monkeypatch):
    monkeypatch.setattr("studies.uncertainty.global_sensitivity.sobol_indices", lambda *_: None)
    told = tautline("study", "sensitivity", "built", "--rows", "4", *where)
    assert (told.code, told.out) == (0, "")
    assert "nothing to show" not in told.err
    reason = r"f2: no indices; it (has no value in|is the same in|varies in hardly)"
    assert re.search(reason, told.err)
    found = json.loads(
        tautline("study", "sensitivity", "built", "--rows", "4", "--format", "json", *where).out
    )
    assert all(f"{one['metric']}: no indices; {one['reason']}" in told.err for one in found["indices"])


@WHERE
def test_tables_have_statistics_with_errors_bars_and_indices(tautline, key, where):
    told = tautline("design", "robust", key, "--indices", "16", *where)
    assert told.code == 0, told.err
    assert "16 of 16 robots work" in told.out
    assert all(
        head in told.out for head in ("nominal", "mean +-", "q95", "worst", "less", "more", "first order")
    )
    table = tautline("study", "sensitivity", "built", "--rows", "16", *where)
    assert table.code == 0, table.err
    assert "layout default" in table.out
    rows = tautline("design", "robust", key, "--metrics", "f2", "--format", "csv", *where).out.splitlines()
    assert rows[0].startswith("metric,unit,nominal,mean,")
    assert [row.split(",")[0] for row in rows[1:]] == ["f2"]


FAULTY = [
    (["--tolerance", "x1={ normal = -1 }"], "negative"),
    (["--tolerance", "x1=2 mm"], "write it as in"),
    (["--tolerance", "x9={ normal = 1 }"], "x9"),
    (["--samples", "100"], "power of two"),
    (["--samples", "1"], "16"),
    (["--indices", "3"], "power of two"),
    (["--metrics", "f9"], "f9"),
]


@WHERE
def test_faulty_questions_are_refused(tautline, key, where):
    for options, words in FAULTY:
        told = tautline("design", "robust", key, *options, *where)
        assert (told.code, told.out) == (2, ""), options
        assert words in told.err


def test_a_design_that_is_not_there_is_named(tautline):
    assert "0123456789" in tautline("design", "robust", "0123456789", *HERE).err
