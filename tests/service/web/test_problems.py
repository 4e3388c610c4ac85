"""Problems: one table from errors to statuses, pointers into what was sent, and nothing that is secret."""

import inspect
import json

import pytest
from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request

import errors
from errors import (
    AbsentError,
    Fault,
    FaultsError,
    InputError,
    LimitError,
    StoreError,
    TautlineError,
    UnknownNameError,
)
from service.client.wire import error_of
from service.problem_types import PROBLEMS, pointer, problem_type
from service.web.problems import problem_of
from tests.service.web.test_identity import told

SERVER_ONLY = {"fault"}


def an_error(kind):
    if kind is UnknownNameError:
        return UnknownNameError("metric", "F3", ["F2"], ("objectives", "F3"))
    if kind is FaultsError:
        return FaultsError([Fault(("variables", "x"), "is nothing"), Fault(("variables", "y"), "is nothing")])
    if issubclass(kind, InputError):
        return kind("is nothing", ("variables", "x"))
    if kind is LimitError:
        return LimitError("too many", 2.5)
    return kind("it is so")


def request_of(**state):
    return Request(
        {
            "type": "http",
            "headers": [],
            "path": "/",
            "path_params": {},
            "query_string": b"",
            "state": {"request_id": "r", **state},
        }
    )


def test_every_error_is_in_the_table_after_those_that_are_kinds_of_it():
    tree = [
        kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, TautlineError)
    ]
    assert len(tree) > 20
    for kind in tree:
        entry = problem_type(an_error(kind))
        assert issubclass(kind, entry.error)
        exact = [item for item in PROBLEMS if item.error is kind]
        assert not exact or exact == [entry], f"{kind.__name__} is hidden by {entry.name}"
    names = [entry.name for entry in PROBLEMS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("entry", PROBLEMS, ids=lambda entry: entry.name)
def test_the_client_gets_the_error_back(entry):
    error = an_error(entry.error)
    answer = problem_of(request_of(), error)
    assert answer.status_code == entry.status
    back = error_of(answer.status_code, answer.headers, answer.body, "http://there")
    if entry.name in SERVER_ONLY:
        assert isinstance(back, errors.ServerError)
        return
    kept = InputError if entry.error is UnknownNameError else entry.error
    assert type(back) is kept
    if entry.shows_message:
        assert str(back).startswith(str(error))
    if entry.error is LimitError:
        assert answer.headers["retry-after"] == "3"
        assert back.retry_after == 3.0


def test_what_is_wrong_with_the_store_stays_in_the_log():
    answer = problem_of(request_of(), StoreError("the store refused: host=db.example password=geheim"))
    assert answer.status_code == 503
    assert b"db.example" not in answer.body


@pytest.mark.parametrize(("place", "document", "expected"), [
    (("variables", "x", "lower"), {"variables": {"x": {}}}, "/variables/x/lower"),
    (("variables", "pulleys.0.2", "lower"), {"variables": {"pulleys.0.2": {"lower": 1}}}, "/variables/pulleys.0.2/lower"),
    (("variables", "pulleys", 0, 2), {"variables": {"pulleys": [[1]]}}, "/variables/pulleys/0/2"),
    (("seeds", 1), {"seeds": [1, 2]}, "/seeds/1"),
    (("name",), {}, "/name"),
    (("layouts", "a/b", "variables", "c~d"), {"layouts": {}}, "/layouts/a~1b/variables/c~0d"),
    (("a.b",), {"a.b": 1, "a": {"b": 2}}, "/a.b"),
    (("a", "b"), None, "/a/b"),
])  # fmt: skip
def test_places_become_pointers(place, document, expected):
    assert pointer(place, document) == expected


def test_a_fault_in_a_document_is_pointed_at():
    error = InputError("must be above 0", ("search", "population"))
    with_document = problem_of(request_of(document={"search": {}}), error)
    assert b'"pointer":"/search/population"' in with_document.body
    assert b"pointer" not in problem_of(request_of(), error).body
    asked = request_of(document={})
    asked.scope.update(path_params={"key": "abcdef"}, query_string=b"layout=a")
    for place in (("key",), ("layout",), ()):
        assert b"pointer" not in problem_of(asked, InputError("no", place)).body
    asked.state.document = {"key": "a"}
    assert b'"pointer":"/key"' in problem_of(asked, InputError("no", ("key",))).body
    assert b"pointer" not in problem_of(request_of(document={}), InputError("no", ("request_key",))).body


class Body(BaseModel):
    numbers: list[float]
    password: int = 0


SECRETS = ["geheim", "db.example", "Traceback", "RuntimeError", ".py"]


@pytest.fixture
def faulty(server):
    router = APIRouter()

    @router.get("/fails")
    def fails():
        raise RuntimeError("postgresql://user:geheim@db.example/tautline")

    @router.get("/refuses")
    def refuses():
        raise StoreError("postgresql://user:geheim@db.example/tautline")

    @router.post("/takes")
    def takes(body: Body, count: int = 0):
        return {}

    @router.get("/named/{name}")
    def named(name: str, layout: str = ""):
        if layout:
            raise UnknownNameError("layout", layout, ["one"], ("layout",))
        raise AbsentError(f"unknown study '{name}'")

    server.app.include_router(router, prefix="/api/v1")
    return server.as_("")


def test_a_fault_of_the_server_tells_only_an_id_and_the_log_the_rest(faulty, log):
    answer = faulty.get("/api/v1/fails")
    problem = told(answer, 500, "fault")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    (line,) = [line for line in lines if line["event"] == "request failed"]
    assert line["request_id"] == problem["request_id"]
    assert "RuntimeError" in line["exception"]
    assert "geheim" not in log.getvalue()
    problem = told(faulty.get("/api/v1/refuses"), 503, "store")
    for secret in SECRETS:
        assert secret not in answer.text + str(problem)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert faulty.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize(("content", "pointers"), [
    (b"{", {""}),
    (b'{"numbers": [1, "x"]}', {"/numbers/1"}),
    (b'{"password": "geheim"}', {"/numbers", "/password"}),
    (b"[]", {""}),
    (b"", {""}),
    (b'"' + b"x" * 1000 + b'"', {""}),
    (b"\xff\xfe", {""}),
])  # fmt: skip
def test_a_body_that_does_not_fit_is_pointed_at_and_not_repeated(faulty, content, pointers):
    headers = {"Content-Type": "application/json"}
    answer = faulty.post("/api/v1/takes", content=content, headers=headers)
    problem = told(answer, 422, "input")
    assert {fault["pointer"] for fault in problem["errors"]} == pointers
    assert "geheim" not in answer.text
    assert "xxxx" not in answer.text


def test_a_body_that_is_too_deep_is_no_fault_of_the_server(faulty):
    answer = faulty.post(
        "/api/v1/takes", content=b"[" * 100_000, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_thousand_faults_are_not_all_reported(faulty):
    answer = faulty.post("/api/v1/takes", json={"numbers": ["x"] * 1000})
    assert len(told(answer, 422, "input")["errors"]) == 20
    assert len(answer.content) < 10_000


def test_a_parameter_that_does_not_fit_is_named(faulty):
    answer = faulty.post("/api/v1/takes?count=x", json={"numbers": []})
    (fault,) = told(answer, 422, "input")["errors"]
    assert fault["parameter"] == "count"


def test_what_is_not_there_is_a_404_and_an_unknown_name_beside_it_is_not(faulty):
    told(faulty.get("/api/v1/named/two"), 404, "absent")
    problem = told(faulty.get("/api/v1/named/two", params={"layout": "two"}), 422, "unknown-name")
    assert (problem["place"], problem["path"]) == ("layout", ["layout"])


def test_other_methods_and_paths_are_problems_too(faulty):
    answer = faulty.put("/api/v1/me")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    assert answer.headers["content-type"] == "application/problem+json"
    assert faulty.get("/api/v1/nothing").json()["title"] == "Not Found"
    assert faulty.get("/api/v1/me/").status_code == 404, "no other spelling leads anywhere"
