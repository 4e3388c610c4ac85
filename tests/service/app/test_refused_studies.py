"""Studies stored under rules that the installed model no longer has: every result stays readable."""

import html
import re
import shutil
from contextlib import nullcontext
from dataclasses import replace

import pytest

import models.hybrid_cable_robot.parameter_checks as cable_checks
from errors import InputError
from models import load
from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.problem import layout_check
from studies.problem.problem import check
from studies.run.launch import run_study
from studies.store import Store
from tests.conftest import InlineExecutor

COARSE = """
name = "coarse"
model = "hybrid-cable-robot"
seeds = [1]
[parameters]
wrench_set = "gravity"
weight_moment = "ignored"
orientations = "nominal"
[variables]
beta1 = { lower = "20 deg", upper = "70 deg" }
[layouts.upper.variables]
cells = { options = [4, 6] }
[layouts.fixed.parameters]
cells = 6
[objectives]
F1 = "minimize"
dexterity_index = "maximize"
[constraints]
capacity_margin = { lower = 0 }
[search]
population = 4
generations = 2
"""


def plain_text(page):
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).replace("\N{NO-BREAK SPACE}", " ").split())


def search(store, text):
    """Run a study without the rule that refuses numerical settings as variables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout_check, "is_numerical", lambda field: False)
        study = run_study(store, parse_study(text), lambda: nullcontext(InlineExecutor()))
    assert study.state == "done"
    return study.name


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    with Store(str(path)) as store:
        search(store, COARSE)
    return path


@pytest.fixture
def coarse(finished, tmp_path):
    """A store in which the coarse study is finished."""
    with Store(str(shutil.copy(finished, tmp_path))) as opened:
        yield opened


def readings(local, name):
    """Everything that shows a study, by what it is called."""
    front = local.fronts.list(name).items
    assert front
    seen = {
        "show": local.studies.get(name),
        "file": local.studies.file(name),
        "runs": local.runs.list(name).items,
        "front": front,
        "compare": local.comparisons.layouts(name),
        "page": local.comparisons.studies([name]),
        "indicators": local.runs.indicators(name),
        "report": local.exports.report(name),
        "quantities": local.studies.quantities(name),
        "picks": local.fronts.picks(name).items,
        "verdicts": local.progress.verdicts(name),
        "figures": [local.figures.get(name, each.figure) for each in local.figures.list(name).items],
        "design": local.designs.get(front[0].key, name),
    }
    for kind in ("csv", "json", "parquet"):
        seen[f"export {kind}"] = local.exports.table(name, kind).content
    for each in seen["page"].figures:
        seen[f"drawn {each.figure}"] = local.comparisons.figure([name], each.figure)
    return seen


def test_a_numerical_variable_that_was_once_allowed_is_shown_everywhere(coarse):
    name, local = "coarse", StoreServices(Context(store=coarse))
    with pytest.raises(InputError, match="is a setting of the computation"):
        check(parse_study(COARSE))
    seen = readings(local, name)
    why = "would not run study coarse: layouts.upper.variables.cells: is a setting of the computation"
    assert any(why in remark for remark in seen["compare"].unequal)
    assert any(why in sentence for sentence in seen["page"].conditions)
    text = plain_text(seen["report"])
    assert why in text
    assert "4 or 6" in text  # the range of the refused variable
    assert "Conditions in numbers" in text
    assert {design.layout for design in seen["front"]} == {"upper", "fixed"}
    assert local.designs.scene(seen["front"][0].key, name).shapes


def test_a_constraint_of_a_refused_study_is_counted(store):
    name = search(store, COARSE.replace("lower = 0 }", "lower = 1000 }"))
    found = StoreServices(Context(store=store)).progress.verdicts(name)
    assert [(g.reason, g.designs) for g in found.groups if g.verdict == "constraint broken"] == [
        ("capacity_margin", found.constraint_broken)
    ]
    assert found.constraint_broken > 0


def test_designs_that_a_size_guard_refuses_keep_their_numbers_and_say_why_they_are_not_drawn(
    coarse, monkeypatch
):
    name, local = "coarse", StoreServices(Context(store=coarse))
    before = local.fronts.list(name).items
    monkeypatch.setattr(cable_checks, "cell_seconds", lambda cells, *others, **named: 1e9 * (cells < 1000))
    seen = readings(local, name)
    assert [design.metrics for design in seen["front"]] == [design.metrics for design in before]
    text = plain_text(seen["report"])
    assert "No view: version" in text
    assert "refuses the design: 'cells'" in text
    assert "Picked designs of fixed" in text  # with their numbers
    assert "Conditions in numbers" not in text
    with pytest.raises(InputError, match=r"no view of this design: .* refuses it: 'cells'"):
        local.designs.scene(before[0].key, name)


def test_parameters_and_presets_that_are_gone_are_left_out(store, monkeypatch):
    with_preset = COARSE.replace(
        'model = "hybrid-cable-robot"', 'model = "hybrid-cable-robot"\npreset = "robocab"'
    )
    name, local = search(store, with_preset), StoreServices(Context(store=store))
    model = load("hybrid-cable-robot")
    fewer = replace(model, presets={"constrained": model.presets["constrained"]})
    monkeypatch.setattr("studies.definition.stored_model.load", lambda name: fewer)
    seen = readings(local, name)
    assert any("unknown preset 'robocab'" in remark for remark in seen["compare"].unequal)
