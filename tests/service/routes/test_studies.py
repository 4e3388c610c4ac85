import io
import json
import re
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from errors import InputError
from service.app.runs import search_notes
from service.web.routes import studies
from studies.definition.study_file import parse_study
from tests.service.routes.conftest import MIXED, TOML, study_text

STUDIES = "/api/v1/studies"


def test_a_study_is_stored_launched_paused_branched_and_deleted(client):
    made = client.post(STUDIES, content=study_text(), headers=TOML)
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == f"{STUDIES}/new"
    assert made.headers["ETag"] == '"0"'
    assert made.json()["state"] == "draft"
    launched = client.post(f"{STUDIES}/new/launch")
    assert (launched.status_code, launched.headers["Location"]) == (202, f"{STUDIES}/new")
    assert launched.json()["state"] == "queued"
    assert client.post(f"{STUDIES}/new/pause").json()["state"] == "paused"
    branch = client.post(f"{STUDIES}/new/branch", json={"name": "twig", "launch": False})
    assert (branch.status_code, branch.headers["Location"]) == (201, f"{STUDIES}/twig")
    assert branch.json()["branch_of"] == "new"
    assert client.post(f"{STUDIES}/new/branch", json={"name": "leaf"}).status_code == 202
    assert client.post(f"{STUDIES}/new/stop").json()["state"] == "cancelled"
    again = client.post(f"{STUDIES}/new/launch")
    assert (again.status_code, again.json()["type"]) == (409, "urn:tautline:problem:state")
    assert client.delete(f"{STUDIES}/new").json() == {"name": "new", "evaluations": 0}
    assert client.get(f"{STUDIES}/new").status_code == 404


def test_json_of_the_same_shape_is_the_same_study(client):
    definition = parse_study(study_text())
    first = client.post(STUDIES, params={"launch": True}, json=definition.model_dump(mode="json"))
    assert first.status_code == 202
    again = client.post(STUDIES, params={"launch": True}, content=study_text(), headers=TOML)
    assert (again.status_code, again.json()) == (202, first.json())
    other = client.post(STUDIES, content=study_text(population=16), headers=TOML)
    assert (other.status_code, other.json()["type"]) == (409, "urn:tautline:problem:name-taken")


def test_a_study_is_checked_and_nothing_is_stored(client):
    checked = client.post(f"{STUDIES}/check", content=MIXED, headers=TOML).json()
    assert (checked["name"], checked["runs"]) == ("mixed", 4)
    assert [layout["designs"] for layout in checked["layouts"]] == [24, 24]
    assert [study["name"] for study in client.get(STUDIES).json()["items"]] == ["mixed"]


@pytest.mark.parametrize(
    ("old", "new", "pointer", "told"),
    [
        ("lower = 0, upper = 5", "lower = 5, upper = 0", "/variables/x1/lower", "swapped"),
        ('f1 = "minimize"', 'f1 = "minimal"', "/objectives/f1", "minimize"),
        ("population = 12", "population = 3", "/search/population", ">= 4"),
        ("population = 12", "popolation = 12", "/search", "did you mean 'population'"),
        ("x1 =", "x9 =", "/variables/x9", "unknown parameter"),
        ('model = "bnh"', 'model = "bhn"', "/model", "did you mean 'bnh'"),
        ('name = "new"', 'name = "../etc"', "/name", "1 to 64 characters"),
        ("c1 = { lower = 0 }", "c1 = { lower = nan }", "/constraints/c1/lower", "finite"),
        ("c1 = { lower = 0 }", 'c1 = { lower = "2 kg" }', "/constraints/c1/lower", "kg"),
    ],
)
def test_faults_point_into_the_file(client, old, new, pointer, told):
    for path in (STUDIES, f"{STUDIES}/check"):
        answer = client.post(path, content=study_text().replace(old, new), headers=TOML)
        assert answer.status_code == 422, answer.text
        problem = answer.json()
        assert problem["errors"][0]["pointer"] == pointer
        assert told in problem["detail"]


NAMES_A_FILE = study_text("named").replace('model = "bnh"', 'model = "hybrid-cable-robot"')
NAMES_A_FILE += (
    '\n[parameters]\npulleys = { csv = "p.csv" }\n[parameters.wrench_set]\ncenter = { csv = "p.csv" }'
)


@pytest.mark.parametrize("path", [STUDIES, f"{STUDIES}/check", f"{STUDIES}/draft"])
@pytest.mark.parametrize("as_json", [False, True])
def test_a_study_that_names_a_file_is_refused_and_no_file_is_opened(
    client, tmp_path, monkeypatch, path, as_json
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("x,y,z\n" + "1,2,3\n" * 8)
    monkeypatch.setattr("studies.exchange.csv_rows._text", lambda *_: pytest.fail("a file was opened"))
    sent = {"json": tomllib.loads(NAMES_A_FILE)} if as_json else {"content": NAMES_A_FILE, "headers": TOML}
    answer = client.post(path, **sent)
    found = answer.json()["faults" if path.endswith("draft") else "errors"]
    assert answer.status_code == (200 if path.endswith("draft") else 422)
    told = {fault["pointer"]: fault["detail"] for fault in found if "file" in fault["detail"]}
    assert set(told) == {"/parameters/pulleys", "/parameters/wrench_set/center"}
    assert all(
        text.startswith("names a file, and no file is opened here: write the rows") for text in told.values()
    )
    assert [study["name"] for study in client.get(STUDIES).json()["items"]] == ["mixed"]


def test_pointers_go_through_nested_tables(client):
    text = MIXED.replace("[layouts.one.variables]", '[layouts.one]\npreset = "none"\n[layouts.one.variables]')
    answer = client.post(STUDIES, content=text, headers=TOML)
    assert answer.json()["errors"][0]["pointer"] == "/layouts/one/preset"


def test_metadata_is_edited_by_its_etag(client):
    shown = client.get(f"{STUDIES}/mixed")
    before = shown.headers["ETag"]
    match = {"If-Match": before}
    edit = {"description": "worth a look", "archived": True}
    edited = client.patch(f"{STUDIES}/mixed", json=edit, headers=match)
    assert edited.status_code == 200, edited.text
    assert (edited.json()["description"], edited.json()["archived"]) == ("worth a look", True)
    assert edited.headers["ETag"] != before
    for stale in (
        before,
        "W/" + before,
        "w/" + edited.headers["ETag"],
        "W/",
        "nonsense",
        '"99999999999"',
        '""',
    ):
        for method in ("PATCH", "DELETE"):
            late = client.request(
                method,
                f"{STUDIES}/mixed",
                headers={"If-Match": stale},
                json={} if method == "PATCH" else None,
            )
            assert (late.status_code, late.json()["type"]) == (412, "urn:tautline:problem:edit-conflict"), (
                stale
            )
    assert client.get(STUDIES).json()["items"] == []
    assert [s["name"] for s in client.get(STUDIES, params={"archived": True}).json()["items"]] == ["mixed"]
    for fresh in (edited.headers["ETag"], "W/" + edited.headers["ETag"], "*"):
        assert client.patch(f"{STUDIES}/mixed", json={}, headers={"If-Match": fresh}).status_code == 200
    assert client.delete(f"{STUDIES}/mixed", headers={"If-Match": edited.headers["ETag"]}).status_code == 200


def test_studies_are_listed_in_parts_newest_first_and_searched(client):
    for number in range(7):
        client.post(STUDIES, content=study_text(f"s{number}"), headers=TOML)
    seen, cursor = [], ""
    while cursor is not None:
        page = client.get(STUDIES, params={"limit": 3, "cursor": cursor}).json()
        assert len(page["items"]) <= 3
        seen += [study["name"] for study in page["items"]]
        if len(seen) == 3:
            client.delete(f"{STUDIES}/{seen[-1]}")  # where the next part begins
        cursor = page["next"]
    assert seen == [*(f"s{number}" for number in reversed(range(7))), "mixed"]
    assert [s["name"] for s in client.get(STUDIES, params={"search": "S3"}).json()["items"]] == ["s3"]
    assert [s["name"] for s in client.get(STUDIES, params={"search": "FAULTY"}).json()["items"]] == ["mixed"]
    assert len(client.get(STUDIES, params={"limit": 10**9}).json()["items"]) == 7


CURSORS = (
    ["x", "ä", "bnVsbA", "WzFd", "W05hTiwiYSJd", "WzFlOTk5LCJhIl0", "W1tdLHt9XQ", "WzEuMCwiXHUwMDAwIl0",
     "WzEuMCwiXHVkODAwIl0", "WzFlMzAwLCJhIl0", "WzEuMCwxXQ", "W3RydWUsImEiXQ", "W" * 400]
)  # fmt: skip


@pytest.mark.parametrize("path", [STUDIES, f"{STUDIES}/mixed/evaluations", f"{STUDIES}/mixed/front"])
def test_cursors_that_we_did_not_make_are_refused(client, path):
    for cursor in CURSORS:
        answer = client.get(path, params={"cursor": cursor})
        assert (answer.status_code, answer.json()["place"]) == (422, "cursor"), cursor


def test_the_file_declares_the_same_study(client, local):
    answer = client.get(f"{STUDIES}/mixed/file")
    assert answer.headers["content-type"].startswith("application/toml")
    assert answer.headers["content-disposition"] == 'attachment; filename="mixed.toml"'
    assert tomllib.loads(answer.text)["name"] == "mixed"
    assert parse_study(answer.text).digest() == parse_study(MIXED).digest()


def test_exports_and_reports_are_downloads_and_hold_what_the_store_holds(client, local):
    for kind, reader in (("csv", pd.read_csv), ("parquet", pd.read_parquet)):
        answer = client.get(f"{STUDIES}/mixed/export", params={"format": kind})
        assert answer.headers["content-disposition"] == f'attachment; filename="mixed-all.{kind}"'
        assert answer.content == local.exports.table("mixed", kind).content
        assert len(reader(io.BytesIO(answer.content))) == int(answer.headers["Tautline-Designs"]) == 96
    front = client.get(f"{STUDIES}/mixed/export", params={"format": "json", "front": True})
    assert len(json.loads(front.content)) == len(local.fronts.list("mixed").items)
    report = client.get(f"{STUDIES}/mixed/report")
    assert report.headers["content-disposition"] == 'attachment; filename="mixed.html"'
    assert "'unsafe" not in report.headers["content-security-policy"]
    assert "<html" in report.text


def test_tables_of_several_studies_are_one_zip_file(client, local):
    client.post(STUDIES, content=study_text(), headers=TOML)  # a draft: no designs yet
    for kind in ("csv", "json"):
        answer = client.get("/api/v1/exports", params={"study": ["mixed", "new", "mixed"], "format": kind})
        assert answer.headers["content-type"] == "application/zip"
        named = answer.headers["content-disposition"]
        assert re.fullmatch(r'attachment; filename="tautline-studies-20\d\d-\d\d-\d\d\.zip"', named)
        tables = {name: local.exports.table(name, kind) for name in ("mixed", "new")}
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert archive.testzip() is None
            assert archive.namelist() == [f"mixed-all.{kind}", f"new-all.{kind}"]
            for name, table in tables.items():
                assert archive.read(f"{name}-all.{kind}") == table.content
        assert int(answer.headers["Tautline-Designs"]) == sum(table.designs for table in tables.values())
        assert answer.content == local.exports.tables(["mixed", "new"], kind).content


def test_a_zip_file_of_no_or_too_many_or_unknown_studies_is_refused(client, local):
    assert client.get("/api/v1/exports").status_code == 422
    names = [f"s{number}" for number in range(101)]
    assert client.get("/api/v1/exports", params={"study": names}).status_code == 422
    for given in ([], names):
        with pytest.raises(InputError, match="1 to 100 can be exported at once"):
            local.exports.tables(given, "csv")
    answer = client.get("/api/v1/exports", params={"study": ["mixed", "nothing"]})
    assert (answer.status_code, "nothing" in answer.json()["detail"]) == (404, True)


def test_a_draft_that_is_sent_again_to_be_launched_is_queued(client):
    text = study_text("again")
    assert client.post(STUDIES, content=text, headers=TOML).json()["state"] == "draft"
    launched = client.post(STUDIES, params={"launch": True}, content=text, headers=TOML)
    assert (launched.status_code, launched.json()["state"]) == (202, "queued")


def test_a_launch_that_was_stored_but_never_answered_is_answered_the_second_time(done, client, monkeypatch):
    """The server dies between storing the study and answering; its client asks again under its key."""

    def die(*_, **__):
        raise RuntimeError("the server dies here")

    headers = {**TOML, "Idempotency-Key": "once"}
    with monkeypatch.context() as dying:
        dying.setattr(studies, "_made", die)
        lost = client.post(STUDIES, params={"launch": True}, content=study_text(), headers=headers)
        assert lost.status_code == 500
    client.post(f"{STUDIES}/new/pause")
    again = client.post(STUDIES, params={"launch": True}, content=study_text(), headers=headers)
    assert (again.status_code, again.headers["Location"]) == (202, f"{STUDIES}/new")
    assert again.json()["state"] == "paused", "what became of it since is not undone"
    assert len(done.store.studies()) == 2
    for other in (study_text("other"), study_text(population=16)):
        refused = client.post(STUDIES, params={"launch": True}, content=other, headers=headers)
        assert refused.status_code == 422
    assert len(done.store.studies()) == 2


def test_twins_of_one_request_at_the_same_moment_make_one_study(done, client):
    headers = {**TOML, "Idempotency-Key": "twins"}

    def send(_):
        return client.post(STUDIES, params={"launch": True}, content=study_text(), headers=headers)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert {(answer.status_code, answer.json()["name"]) for answer in answers} == {(202, "new")}
    assert len(done.store.studies()) == 2


def test_a_design_is_proposed_to_a_study_at_work(client):
    client.post(STUDIES, params={"launch": True}, content=study_text(), headers=TOML)
    place = f"{STUDIES}/new/proposals"
    made = client.post(place, json={"design": {"x1": 1, "x2": 2.5}})
    assert (made.status_code, made.headers["Location"]) == (201, place)
    assert made.json()["design"] == {"x1": 1.0, "x2": 2.5}
    assert (made.json()["taken"], made.json()["evaluated"], made.json()["key"]) == (False, [], None)
    assert client.get(place).json()["items"] == [made.json()]
    outside = client.post(place, json={"design": {"x1": 9, "x2": 0}})
    assert (outside.status_code, outside.json()["errors"][0]["pointer"]) == (422, "/design/x1")
    assert "not within 0 and 5" in outside.text
    lacking = client.post(place, json={"design": {"x1": 1}})
    assert "has no value for 'x2'" in lacking.text
    nowhere = client.post(place, json={"layout": "left", "design": {"x1": 1, "x2": 2}})
    assert nowhere.json()["errors"][0]["pointer"] == "/layout"
    client.post(f"{STUDIES}/new/stop")
    late = client.post(place, json={"design": {"x1": 1, "x2": 2}})
    assert (late.status_code, late.json()["type"]) == (409, "urn:tautline:problem:state")


def test_a_proposal_that_no_run_has_taken_is_withdrawn(client):
    client.post(STUDIES, params={"launch": True}, content=study_text(), headers=TOML)
    place = f"{STUDIES}/new/proposals"
    first, second = (client.post(place, json={"design": {"x1": 1, "x2": x}}).json()["id"] for x in (1, 2))
    assert client.delete(f"{place}/{first}").status_code == 204
    assert [each["id"] for each in client.get(place).json()["items"]] == [second]
    again = client.delete(f"{place}/{first}")
    assert again.status_code == 404
    assert f"study 'new' has no proposal {first}" in again.text
    assert client.delete(f"{STUDIES}/bnh/proposals/{second}").status_code == 404, "it is of another study"
    assert len(client.get(place).json()["items"]) == 1


def test_a_run_says_how_many_designs_were_evaluated_in_full_and_how_good_its_surrogate_is():
    ladder = {
        "evaluated in full": 12.0,
        "of designs": 40.0,
        "ruled out by proof": 3.0,
        "rung 1 takes": 0.0123,
        "the full evaluation takes": 1.5,
        "rung 1 differs in F1 by": 0.0125,
        "rung 1 differs in F2 by": 2.0,
    }
    surrogate = {"surrogate": "on", "surrogate_error_1": 0.1, "surrogate_error_violation": 0.5}
    assert search_notes({**ladder, **surrogate}) == [
        "12 of 40 designs evaluated in full, 3 ruled out by proof",
        "median times: rung 1 0.012 s, the full evaluation 1.5 s",
        "rung 1 differs in F1 by 0.0125, F2 by 2 (SI)",
        "surrogate on, leave-one-out errors 0.10, 0.50 of each goal's spread",
    ]
    assert search_notes({"surrogate": "waiting"}) == ["surrogate waiting"]
    assert search_notes({}) == []
