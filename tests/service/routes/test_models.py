import pytest

from service.app.study_checks import StorelessServices
from service.resources.models import EvaluationRequest


def test_models_are_listed_in_parts_and_described(client):
    whole = client.get("/api/v1/models").json()
    assert whole["next"] is None
    assert whole["items"] == [model.model_dump() for model in StorelessServices().models.list().items]
    built_in = {model["model"]: model["built_in"] for model in whole["items"]}
    assert (built_in["hybrid-cable-robot"], built_in["bnh"]) == (True, False)
    first = client.get("/api/v1/models", params={"limit": 1}).json()
    rest = client.get("/api/v1/models", params={"cursor": first["next"]}).json()
    assert first["items"] + rest["items"] == whole["items"]
    shown = client.get("/api/v1/models/bnh").json()
    assert shown == StorelessServices().models.get("bnh").model_dump()
    absent = client.get("/api/v1/models/bhn")
    assert (absent.status_code, absent.json()["type"]) == (404, "urn:tautline:problem:absent")
    assert "did you mean 'bnh'" in absent.json()["detail"]


def test_a_design_is_evaluated_beside_the_server_as_it_is_here(client):
    wanted = {"settings": {"x1": 2, "x2": 1.5}, "metrics": ["f1", "c1"]}
    answer = client.post("/api/v1/models/bnh/evaluate", json=wanted)
    assert answer.status_code == 200, answer.text
    here = StorelessServices().models.evaluate("bnh", EvaluationRequest(**wanted)).model_dump()
    told = answer.json()
    assert told.pop("seconds") >= 0
    del here["seconds"]
    assert told == here
    cases = client.post("/api/v1/models/bnh/check").json()["items"]
    assert [case["agrees"] for case in cases] == [True, True]


@pytest.mark.parametrize(
    ("body", "pointer", "told"),
    [
        ({"settings": {"x1": 9}}, "/settings/x1", "must be at most 5"),
        ({"settings": {"x1": "2 kg"}}, "/settings/x1", "kg"),
        ({"settings": {"x9": 1}}, "/settings", "unknown parameter 'x9'"),
        ({"metrics": ["f9"]}, "/metrics", "unknown metric 'f9'"),
        ({"seed": 1}, "/seed", "the model bnh draws no random numbers"),
        ({"seed": 1.5}, "/seed", "whole number"),
        ({"seed": 2**32}, "/seed", "less than 4294967296"),
        ({"preset": "none"}, "/preset", "unknown preset"),
        ({"sittings": {}}, "/sittings", "is not known here"),
        ({"settings": []}, "/settings", "must be a table"),
        ([], "", "must be a table"),
    ],
)
def test_faults_point_into_the_request(client, body, pointer, told):
    answer = client.post("/api/v1/models/bnh/evaluate", json=body)
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["errors"][0]["pointer"] == pointer
    assert told in problem["detail"]


def test_a_design_that_names_a_file_is_refused_and_no_file_is_opened(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("x,y\n0.1,0.1\n")
    monkeypatch.setattr("studies.exchange.csv_rows._text", lambda *_: pytest.fail("a file was opened"))
    body = {"settings": {"targets": {"csv": "t.csv"}}}
    answer = client.post("/api/v1/models/continuum-statics/evaluate", json=body)
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == "/settings/targets"
    assert fault["detail"].startswith("names a file, and no file is opened here: write the rows")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"settings": {"x1": 1, "x1": 2}}', "'x1' is given twice"),
        (b'{"settings": {"x1": NaN}}', "NaN"),
        (b'{"settings": {"x1": -Infinity}}', "Infinity"),
        (b'{"settings": {"x1": 1e999}}', "too large"),
        (b'{"settings": ' + b"[" * 200_000, "nested too deeply"),
        (b'{"settings": {"x1": ' + b'{"a":' * 30 + b"1" + b"}" * 32, "more than 24 levels"),
        (b'{"settings": {"x1": ' + b"9" * 100_000 + b"}}", "not JSON"),
        (b'{"settings": {"x1": "\xff"}}', "not UTF-8"),
        (b'{"settings": {"\\ud800": 1}}', "half a character"),
        (b'{"settings": {"x1": "\\udfff"}}', "half a character"),
        (b"", "JSON"),
        (b"{", "not JSON"),
    ],
)
def test_what_is_no_strict_json_is_refused(client, content, told):
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/v1/models/bnh/evaluate", content=content, headers=headers)
    assert answer.status_code in {415, 422}
    if content:
        assert told in answer.json()["detail"]


def test_other_kinds_of_bodies_are_refused(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = client.post("/api/v1/models/bnh/evaluate", content=b"{}", headers={"Content-Type": kind})
        assert answer.status_code == 415
