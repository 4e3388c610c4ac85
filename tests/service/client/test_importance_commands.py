"""``tautline study importances``, on a store and by a server alike."""

import json

import pytest

from docs.code_blocks import ROOT, commands
from service.app.context import Context
from service.app.services import StoreServices
from tests.service.client.test_remote_cli import HERE, THERE

WHERE = pytest.mark.parametrize("where", [HERE, THERE], ids=["here", "there"])
STUDY = """
name = "NAME"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "lhs"
evaluations = COUNT
"""


LAYOUTS = """
name = "robocab"
model = "bnh"
[layouts.constrained.variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[layouts.suspended.variables]
x1 = { lower = 0, upper = 2 }
x2 = { lower = 0, upper = 2 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "lhs"
evaluations = 40
"""
"""In the place of the study of two layouts that the documentation speaks of."""


@pytest.fixture(scope="module")
def content(tmp_path_factory, make_finished):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    counts = {"built": "60", "small": "8"}
    studies = [STUDY.replace("NAME", name).replace("COUNT", count) for name, count in counts.items()]
    make_finished(path, [*studies, LAYOUTS])
    return path


def test_a_store_and_a_server_say_the_same(tautline):
    words = ("study", "importances", "built", "--format", "json")
    there, here = tautline(*words, *THERE), tautline(*words, *HERE)
    assert (there.code, here.code) == (0, 0), there.err + here.err
    assert json.loads(there.out) == json.loads(here.out)
    assert json.loads(here.out)["designs"] == 60


@WHERE
def test_rows_begin_with_the_most_important_variable(tautline, where):
    told = tautline("study", "importances", "built", "--metrics", "f1", "--format", "csv", *where)
    assert told.code == 0, told.err
    head, *rows = [line.split(",") for line in told.out.splitlines()]
    assert head[:3] == ["metric", "variable", "importance"]
    assert [row[1] for row in rows] == ["x1", "x2"], "f1 = 4 x1^2 + 4 x2^2, and x1 has the wider range"
    assert float(rows[0][2]) > float(rows[1][2])


@WHERE
def test_too_few_designs_and_unknown_names_are_said(tautline, where):
    told = tautline("study", "importances", "small", *where)
    assert "f1: 8 different designs have this metric; at least 30 are needed" in told.err
    told = tautline("study", "importances", "built", "--metrics", "f9", *where)
    assert told.code == 2
    assert "--metrics" in told.err
    assert "'f9'" in told.err
    assert tautline("study", "importances", "built", "--layout", "left", *where).code == 2


def test_the_lines_of_the_documentation_work_for_a_study_of_two_layouts(tautline):
    lines = [line for line in commands(ROOT / "docs" / "guide" / "comparing.md") if " importances " in line]
    assert len(lines) == 2
    for line in lines:
        told = tautline(*line.replace("F1,F2", "f1,f2").split()[1:])
        assert (told.code, told.out.count("x1")) == (0, 2), told.err
    refused = tautline("study", "importances", "robocab")
    assert refused.code == 2
    assert "--layout: the study has several layouts; name one: constrained, suspended" in refused.err


def test_a_slice_comes_from_a_server_as_from_a_store(client, server):
    here = StoreServices(Context(store=server.store)).importances.slice("built", "f1", "x1", "x2")
    assert client.importances.slice("built", "f1", "x1", "x2") == here
