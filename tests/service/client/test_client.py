"""Every verb, asked of an application, against the same verb on its store."""

import json
import threading

import pytest

from errors import AbsentError, EditConflictError, IdentityError, InputError, NameTakenError, StateError
from service.app.studies import Local
from service.client import Client
from service.operations import Operations
from service.resources.studies import EvaluationRequest, StudyEdit
from studies.launch import resume_study
from studies.study_file import parse_study
from tests.service.client.conftest import ADDRESS


@pytest.fixture
def define(bnh_study):
    """The small study, under other names."""
    return lambda name="bnh": parse_study(bnh_study.replace('"bnh"\n', f'"{name}"\n', 1))


@pytest.fixture
def local(server):
    return Local(server.store)


@pytest.fixture
def done(server, client, define, inline, inline_executor):
    """The small study, finished."""
    client.create(define())
    resume_study(server.store, "bnh", inline(inline_executor))
    return client.study("bnh")


def test_client_and_store_have_the_same_verbs():
    verbs = {name for name in vars(Operations) if not name.startswith("_")}
    verbs |= {name for base in Operations.__mro__ for name in vars(base) if not name.startswith("_")}
    assert len(verbs) > 20
    for kind in (Client, Local):
        assert {verb for verb in verbs if not callable(getattr(kind, verb, None))} == set()


def test_models_are_told_alike(client, local):
    assert sorted(client.models(), key=lambda m: m.model) == sorted(local.models(), key=lambda m: m.model)
    assert client.model("bnh") == local.model("bnh")
    assert client.check_model("bnh") == local.check_model("bnh")


def test_a_design_is_evaluated_alike(client, local):
    request = EvaluationRequest(settings={"x1": "2", "x2": 1.5}, metrics=["f1", "c1"])
    found, own = client.evaluate("bnh", request), local.evaluate("bnh", request)
    assert found.model_copy(update={"seconds": own.seconds}) == own
    assert found.metrics == {"f1": 25.0, "c1": 13.75}


def test_what_is_found_in_a_study_is_told_alike(client, local, done):
    assert done == local.study("bnh")
    assert client.studies() == local.studies()
    assert client.runs("bnh") == local.runs("bnh")
    assert client.front("bnh") == local.front("bnh")
    assert client.front("bnh", "default", 1) == local.front("bnh", "default", 1)
    assert client.compare("bnh") == local.compare("bnh")
    assert client.compare_studies(["bnh"]) == local.compare_studies(["bnh"])
    assert client.comparison_figure(["bnh"], "spread") == local.comparison_figure(["bnh"], "spread")
    assert client.figures("bnh") == local.figures("bnh")
    assert client.figure("bnh", "front-1") == local.figure("bnh", "front-1")
    for kind in ("csv", "json", "parquet"):
        for only_front in (False, True):
            found = client.export("bnh", kind, only_front=only_front)
            assert found == local.export("bnh", kind, only_front=only_front)
            assert found.designs > 0
    assert list(client.events("bnh")) == list(local.events("bnh"))
    key = client.front("bnh")[0].key
    assert client.design(key[:12]) == local.design(key)
    assert client.reproduce(key).identical
    assert client.report("bnh")[:5000] == local.report("bnh")[:5000]


def test_a_study_from_draft_to_deletion(client, define):
    assert client.check(define()).runs == 1
    assert client.create(define(), launch=False).state == "draft"
    assert client.create(define(), launch=False).state == "draft"
    assert client.launch("bnh").state == "queued"
    assert client.pause("bnh").state == "paused"
    assert client.stop("bnh").state == "cancelled"
    with pytest.raises(StateError, match="cancelled"):
        client.launch("bnh")
    assert client.branch("bnh", "again").branch_of == "bnh"
    edited = client.edit("again", StudyEdit(description="tried twice", visibility="shared"), 0)
    assert (edited.description, edited.visibility, edited.revision) == ("tried twice", "shared", 1)
    with pytest.raises(EditConflictError):
        client.edit("again", StudyEdit(archived=True), 0)
    assert client.edit("again", StudyEdit(archived=True)).archived
    assert [study.name for study in client.studies()] == ["bnh"]
    assert [study.name for study in client.studies("TWICE", archived=True)] == ["again"]
    cleared = client.edit("again", StudyEdit(description=None))
    assert (cleared.description, cleared.visibility, cleared.archived) == ("", "shared", True)
    assert client.delete("bnh").name == "bnh"
    with pytest.raises(AbsentError, match="unknown study 'bnh'"):
        client.study("bnh")


def test_long_lists_come_in_pages(client, define, monkeypatch):
    monkeypatch.setattr("service.client.client.PAGE", 2)
    for number in range(5):
        client.create(define(f"bnh-{number}"))
    assert [study.name for study in client.studies()] == [f"bnh-{number}" for number in reversed(range(5))]


def test_errors_are_those_of_the_store(client, local, define):
    client.create(define())
    other = define().model_copy(update={"seeds": [7]})
    for act in (
        lambda where: where.create(other),
        lambda where: where.study("bnx"),
        lambda where: where.model("bnx"),
        lambda where: where.front("bnh", "upper"),
        lambda where: where.front("bnh", "bnh"),
        lambda where: where.evaluate("bnh", EvaluationRequest(settings={"x1": 9})),
        lambda where: where.evaluate("bnh", EvaluationRequest(preset="x")),
        lambda where: where.check(other.model_copy(update={"objectives": {"f9": "minimize"}})),
        lambda where: where.reproduce("abcdef"),
        lambda where: where.branch("bnh", "bnh"),
    ):
        with pytest.raises(InputError) as there:
            act(client)
        with pytest.raises(InputError) as here:
            act(local)
        assert (str(there.value), there.value.place) == (str(here.value), here.value.place)
    with pytest.raises(NameTakenError):
        client.create(other)


def test_who_is_not_known_is_told_how_to_be(server):
    with Client(ADDRESS, "tl_nobody_x", server.transport) as stranger, pytest.raises(IdentityError) as caught:
        stranger.models()
    assert "tautline token create" in str(caught.value)


def test_the_token_is_looked_for_where_none_is_given(server, monkeypatch, tmp_path):
    monkeypatch.setenv("TAUTLINE_TOKEN", server.token)
    with Client(ADDRESS, transport=server.transport) as client:
        assert client.models()


def test_events_are_told_while_they_happen(server, client, define, inline, inline_executor):
    client.create(define())
    begun = threading.Event()

    def work():
        begun.wait(30)
        resume_study(server.store, "bnh", inline(inline_executor))

    worker = threading.Thread(target=work)
    worker.start()
    kinds = []
    for event in client.events("bnh"):
        kinds.append(event.kind)
        begun.set()
    worker.join()
    assert kinds[0] == "queued"
    assert kinds[-1] == "done"
    assert kinds.count("generation") == 6


def test_a_study_round_trips_through_json_with_its_digest(client, define):
    definition = define()
    stored = client.create(definition)
    assert parse_study_again(stored.definition).digest() == definition.digest()


def parse_study_again(tree):
    from studies.study_file import define as parse

    return parse(json.loads(json.dumps(tree)))
