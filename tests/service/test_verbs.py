"""The table of verbs: it names all methods of the services, and the client reaches every route of it."""

import inspect
import json
import re
from contextlib import suppress
from typing import get_type_hints

import httpx
import pytest
from starlette.routing import Match

from docs.references import nouns
from errors import InputError, TautlineError
from service.app.services import Services
from service.client import Client
from service.openapi import committed
from service.resources.access import AccountEdit, AccountRequest, PasswordRequest, TokenRequest
from service.resources.decisions import DecisionRequest, PreferencesRequest
from service.resources.drafts import EditedDraft, NewStudyRequest
from service.resources.models import EvaluationRequest, FigureRequest, SettingsRequest
from service.resources.studies import (
    AnnotationEdit,
    AnnotationRequest,
    ExtensionRequest,
    ProposalRequest,
    StudyEdit,
)
from service.resources.sweeps import SweepRequest
from service.verbs import VERBS
from service.web.app import BY_HAND, api
from studies.definition.study_file import parse_study

ADDRESS = "http://127.0.0.1:8000"
NOUNS = get_type_hints(Services)
NO_VERB = {verb.operation for verb in VERBS if not verb.noun}
"""Routes that no program asks for: browsers that are logged in."""


NOT_ASKED = {"download", "if-none-match", "last-event-id"}
"""Parameters that only browsers send."""


def verbs(noun):
    """The public methods of a noun's service."""
    found = inspect.getmembers(NOUNS[noun], inspect.isfunction)
    return {name: method for name, method in found if not name.startswith("_")}


def parameters(method):
    """Names, kinds and defaults, without the instance."""
    found = list(inspect.signature(method).parameters.values())
    return [(each.name, each.kind, each.default) for each in found if each.name != "self"]


@pytest.fixture
def client():
    with Client(ADDRESS, "t", httpx.MockTransport(lambda _: httpx.Response(500))) as opened:
        yield opened


@pytest.mark.parametrize("noun", NOUNS)
def test_the_table_names_every_method_of_the_services_and_the_client_has_it(client, noun):
    assert set(verbs(noun)) == {verb.name for verb in VERBS if verb.noun == noun}
    for name, method in verbs(noun).items():
        asked = getattr(getattr(client, noun), name)
        assert parameters(asked) == parameters(method)
        assert asked.__doc__ == method.__doc__


@pytest.mark.parametrize(
    ("noun", "verb", "given"),
    [
        ("robustness", "design", ("abcdef",)), ("robustness", "variables", ("one",)),
        ("studies", "launch", ("one",)), ("reevaluations", "start", ("one",)), ("sweeps", "start", ("one", SweepRequest(over={"x1": [1]}))),
    ],
)  # fmt: skip
def test_a_server_is_given_no_machines(client, noun, verb, given):
    with pytest.raises(InputError, match="machines of its own"):
        getattr(getattr(client, noun), verb)(*given, machines=object())


def test_routes_that_are_written_by_hand_are_those_of_the_table():
    written = {
        (route.name, method, route.path)
        for router in BY_HAND
        for route in router.routes
        for method in route.methods
    }
    assert written == {(verb.operation, verb.method, verb.path) for verb in VERBS if verb.problems is None}
    assert len(written) <= 12, "what a row can say is no route of its own"


def test_every_route_is_reached_with_all_that_it_takes(bnh_study):
    routes = api().routes
    described = {
        one["operationId"]: {each["name"] for each in one.get("parameters", ()) if each["in"] != "path"}
        for path in json.loads(committed())["paths"].values()
        for one in path.values()
    }
    asked = {}
    for request in sent_by_all_verbs(bnh_study):
        if route := route_of(routes, request.method, request.url.path):
            known = {each.lower(): each for each in described[route.name]}
            headers = {known[each] for each in request.headers if each in known}
            asked.setdefault(route.name, set()).update(request.url.params, headers)
    assert {route.name for route in routes} - set(asked) == NO_VERB
    for name, sent in asked.items():
        assert sent == described[name] - NOT_ASKED, name


NOT_SENT = {"study", "number", "machines", "request"}


def route_of(routes, method, path):
    """The first route that answers a request, as the application chooses it."""
    scope = {"type": "http", "method": method, "path": path.removeprefix("/api/v1")}
    return next((route for route in routes if route.matches(scope)[0] is Match.FULL), None)


def sent_by_all_verbs(bnh_study):
    """Every request that the client sends when each verb is used: with what it needs, and with all it takes."""
    sent = []

    def answer(request):
        sent.append(request)
        if request.url.path == "/api/v1/studies/one":
            return httpx.Response(200, json=STUDY)
        if request.url.path == "/api/v1/studies/one/runs":
            return httpx.Response(200, json={"items": [], "next": None})
        return httpx.Response(404, json={"type": "about:blank", "title": "nothing is here"})

    given = {
        "name": "one", "new": "two", "key": "abcdef", "study": "one", "run_id": 1, "job_id": 1, "sweep_id": 1, "ask_no": 0, "shape": 0,
        "figure": "front-1", "metric": "f1", "variable": "x1", "names": ["one"], "kind": "csv", "toml": "name = 1", "tree": {}, "token_id": "abc",
        "number": 1, "annotation_id": 1, "proposal_id": 1, "annotation": AnnotationRequest(kind="favourite"),
        "chosen": DecisionRequest(key="abcdef", reason="good"), "wanted": PreferencesRequest(),
        "definition": parse_study(bnh_study), "budget": ExtensionRequest(generations=3),
        "edited": EditedDraft(definition={}, toml=""), "proposal": ProposalRequest(design={"x1": 1}),
    }  # fmt: skip
    more = {
        "layout": "default", "seed": 1, "state": "done", "cursor": "abc", "limit": 5, "search": "b", "columns": ["f1"], "field": "f", "posture": [0.5],
        "criterion": "c", "other": "x2", "metrics": ["f1"], "account": "a", "replaces": "b", "revision": 3, "after": 1, "part": "values",
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
                all_of_it = {each: {**given, **more}.get(each, True) for each in optional - NOT_SENT}
                use(getattr(getattr(client, noun), name), {**values, **all_of_it})
    return sent


def use(method, values):
    """Send what a verb sends; the answer does not matter."""
    with suppress(TautlineError, StopIteration):
        next(iter(method(**values)))


STUDY = {
    "name": "one", "model": "bnh", "model_title": "Bnh", "description": "", "state": "done", "runs": 1, "done": 1,
    "created": "2026-01-01T00:00:00Z", "owner": "", "visibility": "private", "archived": False,
    "definition": {}, "branch_of": None, "revision": 0, "remarks": [],
}  # fmt: skip


def test_the_reference_of_python_lists_every_noun_with_its_methods():
    rows = [line.split(" | ") for line in nouns().splitlines()]
    named = {row[0].strip("| `"): re.findall(r"`(\w+)`", row[2]) for row in rows}
    for noun in NOUNS:
        assert set(named[noun]) == set(verbs(noun)), noun
