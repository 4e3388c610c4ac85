"""One interface: the store's services and the client have every method of it, and every route is reached."""

import inspect
import re
from contextlib import suppress

import httpx
import pytest
from starlette.routing import Match

from docs.code_blocks import ROOT
from errors import TautlineError
from service import operations
from service.access.identity import HERE
from service.app.context import Context
from service.app.services import StoreServices
from service.client import Client
from service.operations import Operations
from service.resources.access import AccountEdit, AccountRequest, PasswordRequest, TokenRequest
from service.resources.annotations import AnnotationEdit, AnnotationRequest
from service.resources.decisions import DecisionRequest, PreferencesRequest
from service.resources.drafts import EditedDraft, NewStudyRequest
from service.resources.models import EvaluationRequest, FigureRequest, SettingsRequest
from service.resources.studies import ExtensionRequest, StudyEdit
from service.resources.sweeps import SweepRequest
from service.web.app import api
from studies.study_file import parse_study

ADDRESS = "http://127.0.0.1:8000"
NOUNS = {
    name: getattr(operations, member.fget.__annotations__["return"])
    for name, member in vars(Operations).items()
    if isinstance(member, property)
}
NO_VERB = {
    "list_sessions": "browsers that are logged in: a program has a token, and no session",
    "end_session": "the same",
}
"""Routes of the API without a verb, and why."""


def verbs(noun):
    """The methods of a noun's protocol, also those that it inherits."""
    return {
        name: method
        for kind in reversed(NOUNS[noun].__mro__)
        for name, method in vars(kind).items()
        if not name.startswith("_") and inspect.isfunction(method)
    }


def parameters(method):
    """Names, kinds and defaults, without the instance."""
    found = list(inspect.signature(method).parameters.values())
    return [(each.name, each.kind, each.default) for each in found if each.name != "self"]


@pytest.fixture
def sides(store):
    with Client(ADDRESS, "t", httpx.MockTransport(lambda _: httpx.Response(500))) as client:
        yield StoreServices(Context(store=store, identity=HERE)), client


@pytest.mark.parametrize("noun", NOUNS)
def test_store_and_client_have_the_methods_of_the_interface_and_no_others(sides, noun):
    assert verbs(noun)
    for side in sides:
        service = getattr(side, noun)
        own = {name for name, _ in inspect.getmembers(service, inspect.ismethod) if not name.startswith("_")}
        assert own == set(verbs(noun)), type(service).__name__
        for name, method in verbs(noun).items():
            assert parameters(getattr(service, name)) == parameters(method), (type(service).__name__, name)


def test_every_route_is_reached_by_a_verb(bnh_study):
    requests = sent_by_all_verbs(bnh_study)
    routes = api().routes
    reached = {found.name for method, path in requests if (found := route_of(routes, method, path))}
    assert {route.name for route in routes} - reached == set(NO_VERB)


def route_of(routes, method, path):
    """The first route that answers a request, as the application chooses it."""
    scope = {"type": "http", "method": method, "path": path.removeprefix("/api/v1")}
    return next((route for route in routes if route.matches(scope)[0] is Match.FULL), None)


def sent_by_all_verbs(bnh_study):
    """Method and path of every request that the client sends when each verb is used once."""
    sent = []

    def answer(request):
        sent.append((request.method, request.url.path))
        if request.url.path == "/api/v1/studies/one":
            return httpx.Response(200, json=STUDY)
        if request.url.path == "/api/v1/studies/one/runs":
            return httpx.Response(200, json={"items": [], "next": None})
        return httpx.Response(404, json={"type": "about:blank", "title": "nothing is here"})

    given = {
        "name": "one", "new": "two", "key": "abcdef", "study": "one", "run_id": 1, "sweep_id": 1, "ask_no": 0, "shape": 0,
        "figure": "front-1", "metric": "f1", "variable": "x1", "names": ["one"], "kind": "csv", "toml": "name = 1", "tree": {}, "token_id": "abc",
        "number": 1, "annotation_id": 1, "annotation": AnnotationRequest(kind="favourite"),
        "chosen": DecisionRequest(key="abcdef", reason="good"), "wanted": PreferencesRequest(),
        "definition": parse_study(bnh_study), "budget": ExtensionRequest(generations=3),
        "edited": EditedDraft(definition={}, toml=""),
    }  # fmt: skip
    requests = {
        ("drafts", "begin"): NewStudyRequest(), ("models", "evaluate"): EvaluationRequest(), ("models", "figure"): FigureRequest(), ("models", "export"): SettingsRequest(), ("designs", "evaluate"): EvaluationRequest(),
        ("sweeps", "start"): SweepRequest(over={"x1": [1]}),
        ("accounts", "add"): AccountRequest(name="a", role="viewer"),
        ("accounts", "set_password"): PasswordRequest(password="x" * 12),
        ("tokens", "create"): TokenRequest(name="t"),
        ("annotations", "edit"): AnnotationEdit(text="new"),
        ("studies", "edit"): StudyEdit(archived=True), ("accounts", "edit"): AccountEdit(role="viewer"),
    }  # fmt: skip
    with Client(ADDRESS, "t", httpx.MockTransport(answer)) as client:
        for noun in NOUNS:
            for name, method in verbs(noun).items():
                needed = [
                    each for each, _, default in parameters(method) if default is inspect.Parameter.empty
                ]
                values = {each: given.get(each, requests.get((noun, name))) for each in needed}
                use(getattr(getattr(client, noun), name), values)
                optional = {each for each, _, _ in parameters(method)} - set(needed)
                for each in sorted(optional & {"study", "number"}):  # with it, another address
                    use(getattr(getattr(client, noun), name), {**values, each: given[each]})
    return sent


def use(method, values):
    """Send what a verb sends; the answer does not matter."""
    with suppress(TautlineError, StopIteration):
        next(iter(method(**values)))


STUDY = {
    "name": "one", "model": "bnh", "description": "", "state": "done", "runs": 1, "done": 1,
    "created": "2026-01-01T00:00:00Z", "owner": "", "visibility": "private", "archived": False,
    "definition": {}, "branch_of": None, "revision": 0, "remarks": [],
}  # fmt: skip


def test_the_page_on_python_lists_every_noun_with_its_methods():
    rows = [
        line.split("|")[1:3] for line in (ROOT / "docs" / "python.md").read_text().splitlines() if "|" in line
    ]
    named = {row[0].strip(" `"): re.findall(r"`(\w+)`", row[1]) for row in rows if len(row) == 2}
    for noun in NOUNS:
        assert set(named[noun]) == set(verbs(noun)), noun
