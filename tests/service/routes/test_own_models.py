"""A server never carries out a model of somebody's own, whatever name or path it is sent."""

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


def test_a_stored_study_of_an_own_model_is_listed_and_says_what_is_missing(
    client, done, mark, tmp_path, inline, make_executor, monkeypatch
):
    from models.own_model import load_file

    monkeypatch.setattr(registry, "_users", {})
    load_file(tmp_path / "bar.py")
    run_study(done.store, parse_study(STUDY), inline(make_executor()))
    key = next(iter(done.store.history(done.store.study("own").runs[0]))).evaluation.key
    registry._users.clear()
    registry.load.cache_clear()
    mark.unlink()
    found = {study["name"] for study in client.get(f"{API}/studies").json()["items"]}
    assert found == {"mixed", "own"}
    assert client.get(f"{API}/studies/own").status_code == 200
    for method, path, body in (
        ("POST", "studies/own/launch", None),
        ("POST", "studies/own/branch", {"name": "twig"}),
        ("GET", "studies/own/comparison", None),
        ("GET", f"studies/own/designs/{key}/scene", None),
        ("POST", f"studies/own/designs/{key}/reproduce", None),
        ("POST", f"studies/own/designs/{key}/evaluate", {}),
    ):
        answer = client.request(method, f"{API}/{path}", json=body)
        assert answer.status_code in (409, 422), (path, answer.status_code, answer.text)
    assert not mark.exists()
