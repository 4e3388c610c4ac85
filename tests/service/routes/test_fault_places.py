"""Places of faults in a request: in its address, its query, its headers or its body."""

import pytest

from service.resources.studies import StudyEdit
from tests.service.routes.conftest import TOML, study_text

MIXED = "/api/v1/studies/mixed"


def problem(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.parametrize(("name", "given"), [("layout", "mixed"), ("layout", "three"), ("seed", "17")])
def test_an_unknown_layout_is_a_fault_of_the_query_even_if_the_study_has_its_name(client, name, given):
    told = problem(client.get(f"{MIXED}/front", params={name: given}), 422)
    assert (told["type"], told["place"], told["path"]) == ("urn:tautline:problem:unknown-name", name, [name])
    assert told["detail"].startswith(f"unknown {name} '{given}'")
    assert "--" not in told["detail"]


def test_a_study_that_is_not_there_is_absent_whatever_the_query_says(client):
    told = problem(client.get("/api/v1/studies/none/front", params={"layout": "none"}), 404)
    assert told["detail"].startswith("unknown study 'none'")


def test_a_place_in_a_list_is_a_path_with_numbers_and_a_pointer(client):
    tree = {"name": "listed", "seeds": [1, "two"]}
    told = problem(client.post("/api/v1/studies", json=tree), 422)
    (fault,) = [one for one in told["errors"] if one["place"] == "seeds.1"]
    assert (fault["path"], fault["pointer"]) == (["seeds", 1], "/seeds/1")


def test_a_header_is_named_as_the_request_writes_it(client):
    headers = {**TOML, "Idempotency-Key": "once"}
    assert client.post("/api/v1/studies", content=study_text("one"), headers=headers).status_code == 201
    told = problem(client.post("/api/v1/studies", content=study_text("two"), headers=headers), 422)
    assert (told["place"], told["path"]) == ("Idempotency-Key", ["Idempotency-Key"])
    assert "errors" not in told


@pytest.mark.parametrize("field", ["visibility", "archived", "owner"])
def test_null_does_not_stand_for_a_field_that_always_has_a_value(client, field):
    before = client.get(MIXED).json()
    told = problem(client.patch(MIXED, json={"description": "new", field: None}), 422)
    assert [fault["pointer"] for fault in told["errors"]] == [f"/{field}"]
    assert client.get(MIXED).json() == before


def test_null_takes_the_description_away_and_what_is_left_out_stays(client, local):
    client.patch(MIXED, json={"description": "worth a look", "archived": True})
    edited = client.patch(MIXED, json={"description": None})
    assert (edited.status_code, edited.json()["description"], edited.json()["archived"]) == (200, "", True)
    local.studies.edit("mixed", StudyEdit(description="again"))
    assert local.studies.edit("mixed", StudyEdit(description=None)).description == ""
    assert local.studies.edit("mixed", StudyEdit(archived=False)).archived is False
