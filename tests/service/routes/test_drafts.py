"""A study that is still being written: its tree, its file, its faults, and what it would run."""

import json
import tomllib
from pathlib import Path

import pytest

from service.examples import DEMO, examples
from service.new_studies import new_study
from studies.definition.study_file import define, parse_study, read_study
from studies.search.registry import OURS
from tests.service.routes.conftest import MIXED, TOML, study_text
from tests.service.routes.test_hostile import BOMBS, EXCESS, MOST_SECONDS, spent

DRAFT = "/api/v1/studies/draft"
ROOT = Path(__file__).parents[3]


def draft(client, study):
    """Answer of the server to a draft that is given as text or as a tree."""
    sent = {"content": study, "headers": TOML} if isinstance(study, str) else {"json": study}
    answer = client.post(DRAFT, **sent)
    assert answer.status_code == 200, answer.text
    return answer.json()


def places(answer):
    return [(fault["pointer"], fault["line"]) for fault in answer["faults"]]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.example)
def test_a_study_goes_from_file_to_tree_and_back_without_loss(client, example):
    read = draft(client, example.toml)
    assert (read["faults"], read["toml"]) == ([], example.toml)
    assert define(read["definition"]).digest() == parse_study(example.toml).digest()
    written = draft(client, read["definition"])
    assert written["faults"] == []
    assert written["definition"] == read["definition"]
    assert parse_study(written["toml"]).digest() == parse_study(example.toml).digest()
    assert written["layouts"] == read["layouts"]


def test_long_lists_are_written_line_by_line(client):
    cogiro = next(example for example in examples() if example.example == "cogiro")
    written = draft(client, draft(client, cogiro.toml)["definition"])["toml"]
    assert "\n  [-7.1775, -5.4361, 5.3911],\n" in written
    assert max(len(line) for line in written.splitlines() if "description" not in line) < 110


def test_nothing_is_stored(client, done):
    before = [study.name for study in done.store.studies()]
    draft(client, study_text())
    assert [study.name for study in done.store.studies()] == before


def test_a_sound_draft_tells_its_runs_and_how_to_try_a_design_of_each_layout(client):
    told = draft(client, MIXED.replace('"mixed"', '"again"'))
    assert (told["runs"], [layout["layout"] for layout in told["layouts"]]) == (4, ["one", "two"])
    one = told["layouts"][0]
    assert (one["designs"], one["stated"], one["variables"]) == (24, True, 3)
    assert one["middle"]["settings"] == {
        "threshold": 0.9, "fault": "infeasible", "x": 0.5, "y": 0.5, "size": 5,
    }  # fmt: skip
    ends = [[one[end]["settings"][name] for name in ("x", "y", "size")] for end in ("lower", "upper")]
    assert ends == [[0.0, 0.0, 1], [1.0, 1.0, 9]]
    assert one["lower"]["settings"]["threshold"] == 0.9
    tried = client.post("/api/v1/models/faulty/evaluate", json=one["middle"]).json()
    assert tried["status"] == "done"
    assert set(tried["metrics"]) == {"f1", "f2"}


FAULTS = """name = "faults"
model = "bnh"

[variables]
x1 = { lower = 3, upper = 1 }
x2 = { lower = 0, upper = "3 kg" }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 2, upper = 1 }
c2 = { lower = 0 }
[search]
algorithm = "cma-es"
generations = 5
"""


def test_all_faults_are_reported_in_their_places(client):
    told = draft(client, FAULTS)
    assert told["definition"] == tomllib.loads(FAULTS)
    assert (told["runs"], told["layouts"]) == (0, [])
    assert sorted(places(told)) == [
        ("/constraints/c1/lower", 11), ("/search/algorithm", 14), ("/variables/x1/lower", 5),
        ("/variables/x2/upper", 6),
    ]  # fmt: skip


def test_a_part_that_is_faulty_hides_no_other_part_and_invents_none(client):
    """The initial designs name a variable that is left out meanwhile."""
    text = """
name = "initial"
model = "bnh"
[variables]
x1 = { lower = 3, upper = 1 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
[search]
generations = 2
initial = [ { x1 = 1, x2 = 1 } ]
[layouts.a]
preset = "nothing"
[layouts.b]
"""
    told = draft(client, text)
    assert [fault["pointer"] for fault in told["faults"]] == ["/layouts/a/preset", "/variables/x1/lower"]
    sound = draft(client, text.replace("lower = 3", "lower = 0").replace("nothing", "origin"))
    assert sound["faults"] == []


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('name = "x"\nmodel = \n', 2, "TOML"),
        ('name = "x"\nname = "y"\n', 2, "TOML"),
        ("a = [\n1,\n", 2, "TOML"),
        (f"name = 'x'\n{'a.' * 30}b = 1\n", 2, "parts"),
    ],
)
def test_a_text_that_is_no_toml_names_the_line(client, text, line, told):
    answer = draft(client, text)
    assert (answer["definition"], places(answer)) == (None, [("", line)])
    assert told in answer["faults"][0]["detail"]


@pytest.mark.parametrize(
    ("change", "pointer", "line", "told"),
    [
        ("popluation = 3", "/search", 4, "did you mean 'population'"),
        ('population = "many"', "/search/population", 4, "whole number"),
        ("wall_time = 1979-05-27", "/search/wall_time", 4, "1979"),
        ("wall_time = inf", "/search/wall_time", 4, "inf"),
    ],
)
def test_what_no_form_can_show_leaves_the_form_as_it_was(client, change, pointer, line, told):
    answer = draft(client, f'name = "x"\nmodel = "bnh"\n[search]\n{change}\n')
    assert answer["definition"] is None
    found = {fault["pointer"]: fault for fault in answer["faults"]}
    assert told in found[pointer]["detail"]
    assert found[pointer]["line"] == line


def test_a_tree_that_lacks_most_is_written_and_what_it_lacks_reported(client):
    answer = draft(client, {"model": "bnh", "objectives": {}})
    assert answer["definition"] == {"model": "bnh", "objectives": {}}
    assert {fault["pointer"] for fault in answer["faults"]} == {"/name", "/objectives"}
    assert tomllib.loads(answer["toml"])["model"] == "bnh"
    assert draft(client, {})["definition"] == {}


def test_a_name_that_is_taken_is_reported_unless_the_study_is_the_same(client):
    assert draft(client, MIXED)["faults"] == []
    told = draft(client, MIXED.replace("generations = 3", "generations = 4"))
    assert [(fault["pointer"], fault["line"]) for fault in told["faults"]] == [("/name", 2)]
    assert "another name" in told["faults"][0]["detail"]


def test_another_description_alone_takes_no_name_as_when_it_is_stored(client):
    text = f'description = "once more"\n{MIXED}'
    assert draft(client, text)["faults"] == []
    stored = client.post("/api/v1/studies", content=text, headers=TOML)
    assert (stored.status_code, stored.json()["description"]) == (201, "once more")


def test_the_same_study_of_somebody_else_takes_its_name(lab):
    adam, edda = lab.as_("adam"), lab.as_("edda")
    text = study_text("shared")
    assert edda.post("/api/v1/studies", content=text, headers=TOML).status_code == 201
    edda.patch("/api/v1/studies/shared", json={"visibility": "shared"})
    otto = lab.as_("otto")
    told = otto.post(DRAFT, content=text, headers=TOML).json()["faults"]
    assert [fault["pointer"] for fault in told] == ["/name"]
    assert otto.post("/api/v1/studies", content=text, headers=TOML).status_code == 409
    assert adam.post(DRAFT, content=text, headers=TOML).json()["faults"] == [], "an admin may change it"


def test_a_variable_of_all_layouts_is_at_fault_where_it_stands(client):
    text = MIXED.replace('name = "mixed"', 'name = "home"').replace("x = { lower = 0", "x = { lower = 7")
    told = draft(client, text)
    assert [fault["pointer"] for fault in told["faults"]] == ["/variables/x/lower"]
    text = MIXED.replace("upper = 9", "upper = 90")
    assert [fault["pointer"] for fault in draft(client, text)["faults"]][-1] == (
        "/layouts/one/variables/size/upper"
    )


def test_an_empty_key_is_a_fault_like_another(client):
    for told in (draft(client, {"": 1}), draft(client, '"" = 1\n')):
        assert any("unknown key ''" in fault["detail"] for fault in told["faults"])


def test_json_that_no_file_can_say_is_refused(client):
    for tree in ({"name": None}, {"seeds": [1, None]}):
        answer = client.post(DRAFT, json=tree)
        assert answer.status_code == 422
        assert "cannot be used in a study" in answer.json()["detail"]
    assert client.post(DRAFT, content="[]", headers={"Content-Type": "application/json"}).status_code == 422


def test_algorithms_say_what_they_suit_and_take(client):
    items = client.get("/api/v1/algorithms").json()["items"]
    assert [item["algorithm"] for item in items] == list(OURS)
    found = {item["algorithm"]: item for item in items}
    assert found["cma-es"]["objectives"] == [1, 1]
    assert (found["moead"]["constraints"], found["grid"]["budget"]) == (False, [])
    assert "draws other designs" in found["lhs"]["fixed"]
    assert found["nsga2"]["fixed"] == found["sobol"]["fixed"] == ""
    page = (ROOT / "docs" / "guide" / "algorithms.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    for item in items:
        assert any(row[0] == item["suits"] and f"`{item['algorithm']}`" in row[1] for row in rows), item


def test_examples_are_those_of_the_sources(client):
    items = client.get("/api/v1/examples").json()["items"]
    assert items[0]["example"] == DEMO
    files = (ROOT / "examples").glob("*.toml")
    assert sorted(item["example"] for item in items) == sorted(file.stem for file in files)
    for item in items:
        assert item["toml"] == (ROOT / "examples" / f"{item['example']}.toml").read_text(encoding="utf-8")
    assert json.dumps(items).count("hybrid-cable-robot") > 1


@pytest.mark.soak  # as test_hostile sends them to be stored
def test_hostile_files_are_refused_in_bounded_time(client):
    client.post(DRAFT, content=study_text("warm"), headers=TOML)
    slow, sound = {}, []
    for name, content in {**BOMBS, **EXCESS}.items():
        answer, seconds = spent(lambda content=content: client.post(DRAFT, content=content, headers=TOML))
        assert answer.status_code in {200, 413, 422}, name
        if answer.status_code == 200 and not answer.json()["faults"]:
            sound.append(name)
        if seconds > MOST_SECONDS:
            slow[name] = seconds
    assert (slow, sound) == ({}, [])


def test_a_tree_is_put_into_a_file_whose_comments_stay(client):
    text = f"# mine\n{study_text('edited')}"
    tree = client.post(DRAFT, content=text, headers=TOML).json()["definition"]
    tree["search"]["population"] = 14
    answer = client.post(f"{DRAFT}/edited", json={"definition": tree, "toml": text}).json()
    assert answer["toml"].startswith("# mine\n")
    assert (answer["definition"], answer["faults"], answer["comments_lost"]) == (tree, [], 0)
    anew = client.post(f"{DRAFT}/edited", json={"definition": tree, "toml": "# lost\nno toml"}).json()
    assert (anew["definition"], anew["comments_lost"]) == (tree, 1)


def test_a_draft_is_replaced_by_what_was_made_of_it_and_nothing_else_is(client):
    send = lambda text, **query: client.post("/api/v1/studies", content=text, headers=TOML, params=query)  # noqa: E731
    assert send(study_text("first")).status_code == 201
    changed = study_text("first").replace("f2 =", "# f2 =")
    assert send(changed).status_code == 409
    draft = client.post(DRAFT, content=changed, headers=TOML, params={"replaces": "first"}).json()
    assert draft["faults"] == []
    assert send(changed, replaces="first").status_code == 201
    assert list(client.get("/api/v1/studies/first").json()["definition"]["objectives"]) == ["f1"]
    assert send(study_text("second"), replaces="first").status_code == 201
    assert client.get("/api/v1/studies/first").status_code == 404
    key = {"Idempotency-Key": "one-key"}
    for _ in range(2):
        answer = client.post(
            "/api/v1/studies",
            content=study_text("third"),
            headers={**TOML, **key},
            params={"replaces": "second"},
        )
        assert (answer.status_code, answer.json()["name"]) == (201, "third")
    client.post("/api/v1/studies/third/launch")
    refused = send(study_text("fourth"), replaces="third")
    assert refused.status_code == 412
    assert "no longer a draft" in refused.json()["detail"]
    assert client.get("/api/v1/studies/fourth").status_code == 404
    client.post("/api/v1/studies/third/stop")


def test_what_layouts_differ_in_is_data_of_a_draft_and_a_remark_of_a_check(client):
    """The form draws boxes of the data; it need not know the remark by its words."""
    own = '[layouts.{}.parameters]\nthreshold = {}\nshape = "{}"\n'
    text = MIXED.replace('"mixed"', '"apart"').replace("threshold = 0.9\n", "")
    text = text.replace(
        "[layouts.one.variables]\n", own.format("one", 0.9, "round") + "[layouts.one.variables]\n"
    )
    text = text.replace(
        'shape = { options = ["round", "square", "flat"] }',
        "size = { lower = 2, upper = 4, type = 'integer' }",
    )
    text = text.replace(
        "[layouts.two.variables]\n", own.format("two", 0.8, "flat") + "[layouts.two.variables]\n"
    )
    told = draft(client, text)
    assert told["faults"] == []
    assert "threshold" in [one["parameter"] for one in told["unequal"]]
    assert not [remark for remark in told["remarks"] if "also differ" in remark]
    checked = client.post("/api/v1/studies/check", content=text, headers=TOML).json()
    (remark,) = set(checked["remarks"]) - set(told["remarks"])
    assert "also differ in" in remark


@pytest.mark.parametrize(
    ("text", "line"), [("name = 'a'\nmodel = ", 2), ("a = 1\nb = 2\na = 3\n", 3), ("a = " + "[" * 5000, None)]
)
def test_a_text_that_is_no_toml_has_one_fault_in_its_line(client, text, line):
    (fault,) = draft(client, text)["faults"]
    assert (fault["pointer"], fault["line"]) == ("", line)
    assert fault["detail"].startswith("is not TOML: ")


HEAD = "pulley_x [mm],pulley_y [mm],pulley_z [mm],attachment_x [mm],attachment_y [mm],attachment_z [mm]\n"
SIX = HEAD + (
    "800,500,900,80,60,60\n0,900,900,0,60,-60\n-800,500,900,-80,60,60\n"
    "800,-500,900,80,-60,60\n0,-900,900,0,-60,-60\n-800,-500,900,-80,-60,60\n"
)


def begin(client, **wanted):
    return client.post("/api/v1/studies/draft/new", json=wanted)


def test_a_study_begins_with_tables_of_robots_and_holds_their_rows(client, tmp_path):
    told = begin(
        client, name="own", tables={"six.csv": SIX, "other.csv": "\ufeff" + SIX.replace(",", ";")}
    ).json()
    assert told["faults"] == []
    assert told["runs"] == 10
    assert "csv" not in "\n".join(line for line in told["toml"].splitlines() if not line.startswith("#"))
    assert "# 6 cables" in told["toml"]
    (tmp_path / "six.csv").write_text(SIX, encoding="utf-8")
    text = new_study((), [tmp_path / "six.csv"], tmp_path, "own")
    local = read_study(write(tmp_path / "own.toml", text))
    pulleys = parse_study(told["toml"]).layouts["six"].parameters["pulleys"]
    assert pulleys == local.parameters["pulleys"]


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_study_begins_with_presets_or_an_example(client):
    told = begin(client, name="two", sources=["constrained", "suspended"]).json()
    assert (told["faults"], [each["layout"] for each in told["layouts"]]) == (
        [],
        ["constrained", "suspended"],
    )
    assert (
        begin(client, name="mine", sources=["cogiro"])
        .json()["toml"]
        .startswith("# Asks how tall the platform of")
    )


@pytest.mark.parametrize(
    ("wanted", "pointer", "detail"),
    [
        ({"tables": {"../six.csv": SIX}}, "/tables", "cannot be the name of a table"),
        ({"tables": {"/etc/passwd": SIX}}, "/tables", "cannot be the name of a table"),
        (
            {"tables": {"six.csv": SIX.replace("800", "nan", 1)}},
            "/tables",
            "line 2, column 'pulley_x [mm]': 'nan'",
        ),
        ({"tables": {"six.csv": HEAD}}, "/tables", "six.csv"),
        ({"tables": {"six.csv": SIX}, "sources": ["cogiro"]}, "/tables", "give one of the two"),
        ({"sources": ["/etc/passwd"]}, "/sources", "unknown example or preset"),
        ({}, "/sources", "gives nothing to begin with"),
        ({"sources": ["cogiro"], "name": "A"}, "/name", "cannot be used as a name"),
    ],
)
def test_what_no_study_can_begin_with_is_a_fault_at_its_field(client, wanted, pointer, detail):
    answer = begin(client, **wanted)
    assert answer.status_code == 422
    told = answer.json()
    faults = told.get("errors") or [told]
    assert any(fault["pointer"] == pointer and detail in fault["detail"] for fault in faults), told
