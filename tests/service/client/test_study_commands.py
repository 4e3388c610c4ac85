"""Commands about stored studies, on a store and by a server alike."""

import io
import json
import re

import pytest
from rich.console import Console

from errors import ConditionsDifferError, EditConflictError
from service.cli import output
from service.resources.decisions import DecisionRequest
from tests.service.client.test_remote_cli import HERE, ONE, THERE, TWO

BROKEN = """
name = "broken"
model = "faulty"
parameters.threshold = 0.5
parameters.fault = "raise"
variables.x = { lower = 0, upper = 1 }
objectives.f1 = "minimize"
search.algorithm = "sobol"
search.evaluations = 8
evaluation.max_failure_share = 1
"""

WHERE = pytest.mark.parametrize("where", [HERE, THERE], ids=["here", "there"])


@pytest.fixture(scope="module")
def finished(tmp_path_factory, make_finished):
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    make_finished(path, (ONE, TWO, BROKEN))
    return path


@pytest.fixture
def content(finished):
    return finished


@pytest.fixture
def narrow(monkeypatch):
    """A terminal of 80 columns; what is printed on it."""
    file = io.StringIO()
    monkeypatch.setattr(
        output, "Console", lambda **_: Console(file=file, width=80, force_terminal=True, color_system=None)
    )
    return file


def rows(answer):
    return json.loads(answer.out)


@WHERE
def test_a_front_is_sorted_by_its_first_objective_with_the_key_last(tautline, where):
    lines = [line.split() for line in tautline("study", "front", "one", *where).out.splitlines()]
    head, table = lines[1], [line for line in lines[3:] if line]
    assert head[0] == "f1"
    assert head[-1] == "key"
    values = [float(line[0]) for line in table]
    assert values == sorted(values)
    assert len(values) > 5


@WHERE
def test_json_keeps_the_order_of_keys_unless_another_is_asked_for(tautline, where):
    plain = rows(tautline("study", "front", "one", "--format", "json", *where))
    assert [row["key"] for row in plain] == sorted(row["key"] for row in plain)
    by_f2 = rows(tautline("study", "front", "one", "--format", "json", "--sort", "f2", *where))
    assert [row["metrics"]["f2"] for row in by_f2] == sorted(row["metrics"]["f2"] for row in plain)
    by_x1 = rows(tautline("study", "front", "one", "--format", "json", "--sort", "x1", "--top", 3, *where))
    assert [row["variables"]["x1"] for row in by_x1] == sorted(row["variables"]["x1"] for row in plain)[:3]
    best = rows(tautline("study", "front", "one", "--format", "json", "--top", 1, *where))
    assert best[0]["metrics"]["f1"] == min(row["metrics"]["f1"] for row in plain)


def test_what_is_maximised_comes_with_its_greatest_value_first(tautline):
    plain = rows(tautline("study", "front", "one", "--format", "json", "--sort", "c1"))
    values = [row["metrics"]["c1"] for row in plain]
    assert values == sorted(values, reverse=True) != sorted(values)


def test_an_order_by_nothing_known_is_refused(tautline):
    wrong = tautline("study", "front", "one", "--sort", "f3")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--sort: unknown metric 'f3'" in wrong.err


@WHERE
def test_the_knee_is_the_design_that_the_review_begins_with(tautline, client, where):
    (knee,) = rows(tautline("study", "front", "one", "--knee", "--format", "json", *where))
    assert knee["key"] == next(pick.key for pick in client.fronts.picks("one").items if pick.kind == "knee")
    for options, said in ((("two",), "two objectives or more"), (("one", "--seed", 1), "leave --seed out")):
        wrong = tautline("study", "front", *options, "--knee", *where)
        assert wrong.code == 2
        assert said in wrong.err


def test_a_narrow_terminal_keeps_units_objectives_and_keys(narrow, capsys):
    numbers = {
        "workspace_volume [m³]": 0.123456,
        "capacity_margin_mean [N]": 12.3456,
        "F2 [1/m^1.5]": 1.23456,
    }
    variables = {f"attachments.{i}.z [mm]": 12.3456 for i in range(5)}
    row = {**numbers, **variables, "key": "3f2a9c0112"}
    output.emit([row, row], "table", spare=list(variables))
    shown = narrow.getvalue()
    assert max(map(len, shown.splitlines())) <= 80
    for text in ("[m³]", "[N]", "[1/m^1.5]", "0.1235", "3f2a9c0112"):
        assert text in shown
    said = re.search(r"too narrow for (.*); a wider one", capsys.readouterr().err)
    left_out = said.group(1).split(", ")
    assert left_out == [name.split()[0] for name in variables][-len(left_out) :]
    assert len(left_out) < len(variables)


def test_meanings_of_metrics_are_shown_in_any_width(tautline, narrow):
    assert tautline("models", "show", "bnh").code == 0
    text = " ".join(narrow.getvalue().split())
    metrics = rows(tautline("models", "show", "bnh", "--format", "json"))["metrics"]
    assert all(metric["meaning"] in text for metric in metrics)


@WHERE
def test_an_export_writes_over_a_file_only_on_request(tautline, tmp_path, where):
    (tmp_path / "all.csv").write_text("mine")
    refused = tautline("study", "export", "one", "all.csv", *where)
    assert refused.code == 2
    assert "all.csv: already exists" in refused.err
    assert (tmp_path / "all.csv").read_text() == "mine"
    assert tautline("study", "export", "one", "all.csv", "--force", *where).code == 0
    assert (tmp_path / "all.csv").read_text() != "mine"


def test_a_runner_does_not_make_a_store_of_a_mistyped_name(tautline, tmp_path):
    refused = tautline("runner", "--once", "--store", "typo.db")
    assert refused.code == 2
    assert "there is no store at 'typo.db'" in refused.err
    assert "tautline study run FILE" in refused.err
    assert not (tmp_path / "typo.db").exists()


@WHERE
def test_studies_are_compared_as_on_the_page(tautline, client, where):
    asked = ("study", "compare", "one", "two", *where)
    refused = tautline(*asked)
    assert (refused.code, refused.out) == (2, "")
    assert "--across-conditions: the studies were searched under different conditions" in refused.err
    with pytest.raises(ConditionsDifferError, match=r"the back-end \(bnh in one; faulty in two\)"):
        client.comparisons.studies(["one", "two"])
    told = tautline(*asked, "--format", "json", "--across-conditions")
    assert told.code == 0, told.err
    found, shown = rows(told), client.comparisons.studies(["one", "two"], across_conditions=True)
    assert (found["across"], found["headline"]) == (shown.across, shown.headline.model_dump())
    assert [row["name"] for row in found["criteria"]] == [row.name for row in shown.criteria]
    assert found["conditions"] == shown.conditions
    assert found["same_conditions"] is False
    table = tautline(*asked, "--across-conditions")
    assert f"{shown.across}.\n{shown.headline.which}.\n" in table.err
    assert "one, two: studies compared" in table.out
    assert "under the same conditions" not in table.out
    assert all(label in table.out for label in ("one", "two: one", "two: two"))
    assert all(sentence in table.err for sentence in shown.conditions)
    assert "unknown study 'nine'" in tautline("study", "compare", "one", "nine", *where).err


@WHERE
def test_a_finished_study_goes_on_with_more_generations(tautline, request, where):
    if where == THERE:  # here the command computes, and a runner of the same store could be first
        request.getfixturevalue("runner")
    before = rows(tautline("study", "show", "one", "--format", "json", *where))
    assert {run["generations"] for run in before["runs"]} == {5}
    wrong = tautline("study", "extend", "one", "--generations", "many", *where)
    assert (wrong.code, "write a total, such as 55" in wrong.err) == (2, True)
    fixed = tautline("study", "extend", "two", "--evaluations", "+5", *where)
    assert (fixed.code, "draws other designs" in fixed.err) == (2, True)
    workers = () if where == THERE else ("--workers", 1)
    ended = tautline("study", "extend", "one", "--generations", "+2", "--format", "json", *workers, *where)
    assert ended.code == 0, ended.err
    assert "continues with generations = 7 per run" in ended.err
    assert {run["generations"] for run in rows(ended)["runs"]} == {7}


@WHERE
def test_a_description_is_edited_by_a_command_or_by_the_file(tautline, tmp_path, where):
    said = tautline("study", "describe", "one", "two pulleys", *where)
    assert (said.code, said.err) == (0, "'one': two pulleys\n")
    assert rows(tautline("study", "list", "--search", "pulleys", "--format", "json", *where))
    (tmp_path / "one.toml").write_text(
        ONE.replace('model = "bnh"', 'model = "bnh"\ndescription = "of the file"')
    )
    assert tautline("study", "run", "one.toml", *where).code == 0
    assert rows(tautline("study", "list", "--search", "of the file", "--format", "json", *where))


@WHERE
def test_runs_of_one_layout_are_shown_against_one_point_with_their_spread(tautline, where):
    shown = tautline("study", "show", "one", *where)
    assert "hypervolumes are measured against one point: f1 " in shown.err
    assert "default: over 2 seeds least " in shown.err
    found = rows(tautline("study", "show", "one", "--format", "json", *where))
    first, second = (run["reference_point"] for run in found["runs"])
    assert first == second
    assert all(run["hypervolume"] > 0 for run in found["runs"])


@WHERE
def test_designs_that_failed_are_shown_with_the_lines_that_raised(tautline, where):
    found = rows(tautline("study", "show", "broken", "--failures", "--format", "json", *where))
    assert len(found) == 4
    for row in found:
        assert row["kind"] == "model_error"
        assert row["variables"]["x"] > 0.5
        first, *lines = row["reason"].splitlines()
        assert first.startswith("RuntimeError: the back-end gave up")
        assert lines[-1].startswith("  tautline_analytic/faulty.py, line ")
        assert lines[-1].endswith('raise RuntimeError("the back-end gave up <img src=x onerror=alert(1)>")')
    shown = tautline("study", "show", "broken", "--failures", *where)
    assert shown.code == 0
    for row in found:
        assert row["key"][:10] in shown.out
    assert shown.err.count("RuntimeError: the back-end gave up") == 1, "what designs share is said once"
    head, *lines = tautline(
        "study", "show", "broken", "--failures", "--format", "csv", *where
    ).out.splitlines()
    assert head == "layout,seed,generation,key,kind,reason"
    assert lines


@WHERE
def test_a_study_without_failures_says_so(tautline, where):
    shown = tautline("study", "show", "one", "--failures", *where)
    assert (shown.code, shown.out, shown.err) == (0, "", "no design failed\n")
    assert rows(tautline("study", "show", "one", "--failures", "--format", "json", *where)) == []
    assert "unknown study 'nine'" in tautline("study", "show", "nine", "--failures", *where).err


@WHERE
def test_who_decides_again_is_told_the_option_that_replaces(tautline, client, where):
    key = rows(tautline("study", "front", "one", "--format", "json", *where))[0]["key"]
    decide = ("study", "decide", "one", key, "--why", "stiff", *where)
    assert tautline(*decide).err.startswith(f"decision 1 of 'one': design {key[:10]} of default")
    again = tautline(*decide)
    assert (again.code, again.out) == (1, "")
    assert again.err == (
        f"error: decision 1 of study 'one' stands: it chose design {key[:10]}. Another one can only replace it; "
        "give --replace 1\n"
    )
    second = tautline(*decide, "--replace", "1")
    assert second.err.startswith("decision 2 of")
    assert second.err.endswith("`tautline study sheet one --decision 2` writes its sheet\n")
    with pytest.raises(EditConflictError, match=r"; give replaces = 2$") as caught:
        client.decisions.add("one", DecisionRequest(key=key, reason="stiff", replaces=1))
    assert caught.value.needed == ("replaces", 2)


@WHERE
def test_a_sheet_is_of_the_decision_with_the_number(tautline, where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keys = [one["key"] for one in rows(tautline("study", "front", "one", "--format", "json", *where))[:2]]
    for number, key in enumerate(keys, 1):
        replaced = ("--replace", "1") if number == 2 else ()
        assert (
            tautline("study", "decide", "one", key, "--why", f"reason {number}", *replaced, *where).code == 0
        )
    assert tautline("study", "sheet", "one", "--decision", "1", *where).err == "wrote one-decision-1.html\n"
    text = (tmp_path / "one-decision-1.html").read_text("utf-8")
    assert "Decision 1, replaced by decision 2." in text
    assert "reason 1" in text
    assert tautline("study", "sheet", "one", *where).err == "wrote one-sheet.html\n"
    assert "Decision 2, which stands." in (tmp_path / "one-sheet.html").read_text("utf-8")
    written = tautline("study", "sheet", "one", keys[0], *where).err
    assert written == f"wrote one-{keys[0][:10]}.html\n", "sheets of several designs lie side by side"
    told = tautline("study", "sheet", "one", "--decision", "3", *where)
    assert "study 'one' has no decision 3; it has 2, from 1 on" in told.err
    told = tautline("study", "sheet", "one", keys[0], "--decision", "1", *where)
    assert (told.code, "name one of them" in told.err) == (2, True)


@WHERE
def test_faults_of_a_decision_name_its_options(tautline, where):
    key = rows(tautline("study", "front", "one", "--format", "json", *where))[0]["key"]
    told = tautline("study", "decide", "one", key, "--why", " ", *where)
    assert (told.code, told.err) == (
        2,
        "error: --why: is empty; say in a sentence why this design is chosen\n",
    )
    told = tautline("study", "decide", "one", key, "--why", "x", "--rule", "achievment", *where)
    assert told.code == 2
    assert "for '--rule': 'achievment' is not one of 'topsis', 'achievement'" in told.err
    told = tautline("study", "front", "one", "--top", "0", *where)
    assert "for '--top': must be greater than or equal to 1" in told.err
