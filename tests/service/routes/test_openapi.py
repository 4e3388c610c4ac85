"""Routes do as their description says, for any input."""

import contextlib
import json
import shutil

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.python import asgi

from service import openapi
from service.settings import Settings
from studies.store import Store
from tests.service.routes.conftest import TOML, study_text
from tests.service.web.conftest import ADDRESS, Server

DESCRIPTION = json.loads(openapi.committed())
STREAM = "stream_events"
OPERATIONS = sorted(
    (path, method.upper(), operation["operationId"])
    for path, item in DESCRIPTION["paths"].items()
    for method, operation in item.items()
)
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


def test_the_committed_description_is_what_the_routes_say(done):
    assert openapi.text(done.app) == openapi.committed(), "run `python -m service.openapi`"


def test_it_is_sent_by_the_server_to_those_whom_it_knows(done, client):
    assert client.get("/api/v1/openapi.json").json() == DESCRIPTION
    assert done.client().get("/api/v1/openapi.json").status_code == 401


def test_every_operation_names_its_problems():
    for path, method, operation_id in OPERATIONS:
        answers = set(DESCRIPTION["paths"][path][method.lower()]["responses"])
        assert {"401", "403", "429"} <= answers, operation_id
        if "{" in path:
            assert "404" in answers, operation_id
        if method != "GET":
            assert answers & {"200", "201", "202", "204"}, operation_id


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory, finished_store):
    """One server for all that is sent, and a client that keeps its loop."""
    folder = tmp_path_factory.mktemp("fuzzed")
    shutil.copy(finished_store, folder)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store(str(folder / "tautline.db")))
        made = Server(Settings(secret_file=folder / "server.key"), store, stack)
        stack.callback(made.app.state.sandbox.close)
        yield made, stack.enter_context(asgi.get_client(made.app))


@pytest.fixture(scope="module")
def described(fuzzed):
    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    schema.app = fuzzed[0].app
    return {
        operation.ok().definition.raw["operationId"]: operation.ok()
        for operation in schema.get_all_operations()
    }


def real_names(server):
    """Values of path parameters with which something is there."""
    study = server.store.study("mixed")
    key = server.store.front(study.runs[0])[0].evaluation.key
    return {
        "name": "mixed", "key": key, "run_id": study.runs[1].id, "model": "bnh", "figure": "front-1", "shape": 0,
    }  # fmt: skip


@pytest.mark.parametrize("count", [3, pytest.param(30, marks=pytest.mark.soak)])
@pytest.mark.parametrize("operation_id", [name for _, _, name in OPERATIONS if name != STREAM])
def test_whatever_is_sent_gets_an_answer_that_is_described(fuzzed, described, operation_id, count):
    server, session = fuzzed
    operation = described[operation_id]
    headers = {"Authorization": f"Bearer {server.token()}"}
    names = real_names(server)

    @examples(
        max_examples=count, derandomize=True, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(), real=st.booleans())
    def send(case, real):
        if real and operation_id == "delete_study":
            made = server.client(server.token()).post(
                "/api/v1/studies", content=study_text("victim"), headers=TOML
            )
            assert made.status_code == 201
            case.path_parameters = {"name": "victim"}
        elif real and "accounts" not in operation.path:
            case.path_parameters = {
                name: names.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
        case.call_and_validate(base_url=ADDRESS, session=session, headers=headers, checks=CHECKS)

    send()
