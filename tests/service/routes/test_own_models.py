"""A server never carries out a model of somebody's own, whatever name or path it is sent."""

import sqlite3

import pytest

from models import registry
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from tests.service.own_models import STUDY, write
from tests.service.routes.conftest import TOML

API = "/api/v1"
ADVICE = "a server has installed models only"


@pytest.fixture
def mark(tmp_path, monkeypatch):
    """Place where the code leaves its mark; the model lies in the folder in which the server runs."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path)


@pytest.fixture
def names(tmp_path):
    return [
        "own-bar",
        "bar",
        "bar.py",
        "./bar.py",
        str(tmp_path / "bar.py"),
        f"file://{tmp_path}/bar.py",
        "../bar.py",
    ]


def test_no_name_and_no_path_of_a_model_is_opened(client, mark, names):
    for name in names:
        text = STUDY.replace("own-bar", name)
        for path in ("studies", "studies?launch=true", "studies/check"):
            answer = client.post(f"{API}/{path}", content=text, headers=TOML)
            assert answer.status_code == 422, (name, path, answer.text)
            assert ADVICE in answer.text
        draft = client.post(f"{API}/studies/draft", content=text, headers=TOML)
        assert ADVICE in draft.text
        for path in (name, name.replace("/", "%2F")):
            assert client.get(f"{API}/models/{path}").status_code == 404
            assert client.post(f"{API}/models/{path}/evaluate", json={}).status_code == 404
    assert "own-bar" not in client.get(f"{API}/models").text
    assert not mark.exists(), "no code of the model was carried out"
    assert [study["name"] for study in client.get(f"{API}/studies").json()["items"]] == ["mixed"]


@pytest.mark.parametrize(
    "extra", ['model_file = "bar.py"', 'own_model = "bar.py"', '[own]\nmodel = "bar.py"']
)
def test_no_key_of_a_study_names_a_file_of_code(client, mark, extra):
    text = f"{extra}\n{STUDY}" if "[" not in extra else f"{STUDY}\n{extra}"
    assert client.post(f"{API}/studies/check", content=text, headers=TOML).status_code == 422
    assert not mark.exists()


@pytest.fixture
def own(done, mark, tmp_path, inline, make_executor, monkeypatch):
    """A finished study of an own model whose code the server does not have, and the key of a design."""
    from models.own_model import load_file

    monkeypatch.setattr(registry, "_users", {})
    load_file(tmp_path / "bar.py")
    run_study(done.store, parse_study(STUDY), inline(make_executor()))
    key = next(iter(done.store.history(done.store.study("own").runs[0]))).evaluation.key
    registry._users.clear()
    registry.load.cache_clear()
    mark.unlink()
    return key


def test_results_of_an_own_model_are_read_without_its_code(client, own, mark):
    assert {study["name"] for study in client.get(f"{API}/studies").json()["items"]} == {"mixed", "own"}
    model = client.get(f"{API}/studies/own/model").json()
    assert (model["model"], model["here"]) == ("own-bar", False)
    assert model["parameters"]["properties"]["length"]["unit"] == "m"
    quantities = client.get(f"{API}/studies/own/quantities").json()
    assert [(m["metric"], m["unit"], m["better"]) for m in quantities["metrics"]] == [
        ("mass", "kg", "minimize"), ("sag", "m", "minimize"),
    ]  # fmt: skip
    assert quantities["layouts"][0]["variables"][0]["unit"] == "m"
    assert quantities["layouts"][0]["variables"][0]["lower"] == 0.2
    for path in ("", "/front", "/picks", "/comparison", "/importances", "/decisions"):
        answer = client.get(f"{API}/studies/own{path}")
        assert answer.status_code == 200, (path, answer.text)
    ranked = client.post(f"{API}/studies/own/ranking", json={"rule": "topsis"})
    assert ranked.status_code == 200, ranked.text
    report = client.get("/studies/own/report")
    assert report.status_code == 200
    assert "The code of the model own-bar is not here" in report.text
    assert not mark.exists()


def test_what_needs_the_code_of_an_own_model_says_so(client, own, mark):
    for method, path, body in (
        ("POST", "studies/own/launch", None),
        ("POST", "studies/own/branch", {"name": "twig"}),
        ("GET", f"studies/own/designs/{own}/scene", None),
        ("POST", f"studies/own/designs/{own}/reproduce", None),
        ("POST", f"studies/own/designs/{own}/evaluate", {}),
    ):
        answer = client.request(method, f"{API}/{path}", json=body)
        assert answer.status_code in (409, 422), (path, answer.status_code, answer.text)
        if own in path and "reproduce" not in path:
            assert "tautline serve --model FILE" in answer.text
    assert not mark.exists()


def test_a_study_without_the_tables_of_its_model_says_how_they_come_back(client, own, done, mark, tmp_path):
    from models.own_model import load_file

    with sqlite3.connect(tmp_path / "tautline.db") as database:
        database.execute("update study set definition = json_remove(definition, '$.model_tables')")
    for path in ("model", "quantities", "comparison"):
        answer = client.get(f"{API}/studies/own/{path}")
        assert answer.status_code == 422, (path, answer.text)
        assert "names and units of the model 'own-bar' are missing" in answer.json()["detail"]
        assert "start the server once with the file of the model" in answer.json()["detail"]
    assert client.get(f"{API}/studies/own").status_code == 200
    load_file(tmp_path / "bar.py")
    done.store.keep_models()
    registry._users.clear()
    registry.load.cache_clear()
    assert client.get(f"{API}/studies/own/quantities").status_code == 200
