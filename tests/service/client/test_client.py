"""Every verb, asked of an application, against the same verb on its store."""

import json
import threading

import pytest

from errors import AbsentError, EditConflictError, IdentityError, InputError, NameTakenError, StateError
from service.app.context import Context
from service.app.services import StoreServices
from service.client import Client
from service.resources.models import EvaluationRequest
from service.resources.studies import StudyEdit
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study
from tests.service.client.conftest import ADDRESS


@pytest.fixture
def define(bnh_study):
    """The small study, under other names."""
    return lambda name="bnh": parse_study(bnh_study.replace('"bnh"\n', f'"{name}"\n', 1))


@pytest.fixture
def local(server):
    return StoreServices(Context(store=server.store))


@pytest.fixture
def done(server, client, define, inline, inline_executor):
    """The small study, finished."""
    client.studies.create(define())
    resume_study(server.store, "bnh", inline(inline_executor))
    return client.studies.get("bnh")


def test_models_are_reported_alike(client, local):
    assert sorted(client.models.list().items, key=lambda m: m.model) == sorted(
        local.models.list().items, key=lambda m: m.model
    )
    assert client.models.get("bnh") == local.models.get("bnh")
    assert client.models.check("bnh").items == local.models.check("bnh").items


def test_a_design_is_evaluated_alike(client, local):
    request = EvaluationRequest(settings={"x1": "2", "x2": 1.5}, metrics=["f1", "c1"])
    found, own = client.models.evaluate("bnh", request), local.models.evaluate("bnh", request)
    assert found.model_copy(update={"seconds": own.seconds}) == own
    assert found.metrics == {"f1": 25.0, "c1": 13.75}


def test_what_is_found_in_a_study_is_reported_alike(client, local, done):
    assert done == local.studies.get("bnh")
    assert client.studies.list().items == local.studies.list().items
    assert client.runs.list("bnh").items == local.runs.list("bnh").items
    assert client.fronts.list("bnh").items == local.fronts.list("bnh").items
    assert client.fronts.list("bnh", "default", 1).items == local.fronts.list("bnh", "default", 1).items
    assert client.comparisons.layouts("bnh") == local.comparisons.layouts("bnh")
    assert client.comparisons.studies(["bnh"]) == local.comparisons.studies(["bnh"])
    assert client.comparisons.figure(["bnh"], "spread") == local.comparisons.figure(["bnh"], "spread")
    assert client.figures.list("bnh").items == local.figures.list("bnh").items
    assert client.figures.get("bnh", "front-1") == local.figures.get("bnh", "front-1")
    for kind in ("csv", "json", "parquet"):
        for only_front in (False, True):
            found = client.exports.table("bnh", kind, only_front=only_front)
            expected = local.exports.table("bnh", kind, only_front=only_front)
            assert found.content == expected.content
            assert found.designs == expected.designs > 0
    assert list(client.events.follow("bnh")) == list(local.events.follow("bnh"))
    key = client.fronts.list("bnh").items[0].key
    assert client.designs.get(key[:12]) == local.designs.get(key)
    assert client.designs.reproduce(key).identical
    assert client.exports.report("bnh")[:5000] == local.exports.report("bnh")[:5000]


def test_a_study_from_draft_to_deletion(client, define):
    assert client.studies.check(define()).runs == 1
    assert client.studies.create(define(), launch=False).state == "draft"
    assert client.studies.create(define(), launch=False).state == "draft"
    assert client.studies.launch("bnh").state == "queued"
    assert client.studies.pause("bnh").state == "paused"
    assert client.studies.stop("bnh").state == "cancelled"
    with pytest.raises(StateError, match="cancelled"):
        client.studies.launch("bnh")
    assert client.studies.branch("bnh", "again").branch_of == "bnh"
    edited = client.studies.edit("again", StudyEdit(description="tried twice", visibility="shared"), 0)
    assert (edited.description, edited.visibility, edited.revision) == ("tried twice", "shared", 1)
    with pytest.raises(EditConflictError):
        client.studies.edit("again", StudyEdit(archived=True), 0)
    assert client.studies.edit("again", StudyEdit(archived=True)).archived
    assert [study.name for study in client.studies.list().items] == ["bnh"]
    assert [study.name for study in client.studies.list("TWICE", archived=True).items] == ["again"]
    cleared = client.studies.edit("again", StudyEdit(description=None))
    assert (cleared.description, cleared.visibility, cleared.archived) == ("", "shared", True)
    assert client.studies.delete("bnh").name == "bnh"
    with pytest.raises(AbsentError, match="unknown study 'bnh'"):
        client.studies.get("bnh")


def test_long_lists_come_in_pages(client, define, monkeypatch):
    monkeypatch.setattr("service.client.requests.PAGE", 2)
    for number in range(5):
        client.studies.create(define(f"bnh-{number}"))
    assert [study.name for study in client.studies.list().items] == [
        f"bnh-{number}" for number in reversed(range(5))
    ]


def test_errors_are_those_of_the_store(client, local, define):
    client.studies.create(define())
    other = define().model_copy(update={"seeds": [7]})
    for act in (
        lambda where: where.studies.create(other),
        lambda where: where.studies.get("bnx"),
        lambda where: where.models.get("bnx"),
        lambda where: where.fronts.list("bnh", "upper").items,
        lambda where: where.fronts.list("bnh", "bnh").items,
        lambda where: where.models.evaluate("bnh", EvaluationRequest(settings={"x1": 9})),
        lambda where: where.models.evaluate("bnh", EvaluationRequest(preset="x")),
        lambda where: where.studies.check(other.model_copy(update={"objectives": {"f9": "minimize"}})),
        lambda where: where.designs.reproduce("abcdef"),
        lambda where: where.studies.branch("bnh", "bnh"),
    ):
        with pytest.raises(InputError) as there:
            act(client)
        with pytest.raises(InputError) as here:
            act(local)
        assert (str(there.value), there.value.place) == (str(here.value), here.value.place)
    with pytest.raises(NameTakenError):
        client.studies.create(other)


def test_unknown_people_learn_how_to_log_in(server):
    with Client(ADDRESS, "tl_nobody_x", server.transport) as stranger, pytest.raises(IdentityError) as caught:
        stranger.models.list()
    assert "tautline token create" in str(caught.value)


def test_the_token_is_looked_for_where_none_is_given(server, monkeypatch, tmp_path):
    monkeypatch.setenv("TAUTLINE_TOKEN", server.token)
    with Client(ADDRESS, transport=server.transport) as client:
        assert client.models.list().items


def test_events_are_reported_while_they_happen(server, client, define, inline, inline_executor):
    client.studies.create(define())
    begun = threading.Event()

    def work():
        begun.wait(30)
        resume_study(server.store, "bnh", inline(inline_executor))

    worker = threading.Thread(target=work)
    worker.start()
    kinds = []
    for event in client.events.follow("bnh"):
        kinds.append(event.kind)
        begun.set()
    worker.join()
    assert kinds[0] == "queued"
    assert kinds[-1] == "done"
    assert kinds.count("generation") == 6


def test_a_study_round_trips_through_json_with_its_digest(client, define):
    definition = define()
    stored = client.studies.create(definition)
    assert parse_study_again(stored.definition).digest() == definition.digest()


def parse_study_again(tree):
    from studies.definition.study_file import define as parse

    return parse(json.loads(json.dumps(tree)))
