"""Whatever is sent to a route gets an answer of ours: no fault of the server, and only finite numbers."""

import json
from urllib.parse import quote

import pytest

from service.app.drafts import read_table
from tests.fuzzing.mutation import VALUES, budgets, fuzz, mutated_text, mutated_tree, plain
from tests.service.routes.conftest import client, done, finished_store, study_text
from tests.service.web.conftest import log

__all__ = ["client", "done", "finished_store", "log"]

STUDY = "/api/v1/studies/mixed"
CHOICE = {
    "rule": "topsis", "weights": {"f1": 2, "f2": 1}, "aspirations": {"f1": 0.3}, "layout": None,
    "filters": {"f2": {"lower": 0.1, "upper": 5.0}, "x": {"upper": 1.0}},
}  # fmt: skip


def bodies(key):
    """A good request of each kind: method, address and body."""
    draft = read_table(study_text("fresh"))
    return [
        ("POST", f"{STUDY}/ranking", CHOICE),
        ("POST", f"{STUDY}/decisions", {**CHOICE, "key": key, "reason": "light"}),
        ("POST", f"{STUDY}/designs/{key}/evaluate", {"variables": {"x": 0.5, "y": 0.25, "size": 3}}),
        ("POST", f"{STUDY}/designs/{key}/robust", {"tolerances": {"x": {"normal": 0.01}}, "samples": 16}),
        ("POST", f"{STUDY}/annotations", {"key": key, "text": "good", "tags": ["a"]}),
        ("POST", f"{STUDY}/extend", {"generations": 5}),
        ("POST", f"{STUDY}/branch", {"name": "twig"}),
        ("PATCH", STUDY, {"description": "x"}),
        ("POST", "/api/v1/studies/check", draft),
        ("POST", "/api/v1/studies/draft", draft),
        ("POST", "/api/v1/studies/draft/edited", {"text": study_text("fresh"), "study": draft}),
        ("POST", "/api/v1/studies/draft/new", {"model": "bnh", "name": "fresh"}),
        ("POST", "/api/v1/models/bnh/evaluate", {"settings": {"x1": 1.0, "x2": 2.0}, "preset": None}),
        ("POST", "/api/v1/tokens", {"name": "mine", "scope": "read", "days": 3}),
    ]  # fmt: skip


def require_an_answer(answer):
    assert answer.status_code < 500, f"{answer.status_code}: {answer.text[:500]}"
    if answer.headers.get("content-type", "").startswith("application/json"):
        json.loads(answer.content, parse_constant=pytest.fail)


@pytest.mark.parametrize("budget", budgets(400, 0.3))
def test_bodies(budget, done, client):
    key = done.store.front(done.store.study("mixed").runs[0])[0].evaluation.key
    good = bodies(key)
    for method, path, body in good:
        assert client.request(method, path, json=body).status_code != 404, path

    def case(chance):
        method, path, body = chance.choice(good)
        sent = mutated_tree(chance, body)

        def send():
            content = json.dumps(sent).encode()
            if chance.random() < 0.1:
                content = mutated_text(chance, content.decode()).encode("utf-8", "surrogatepass")
            answer = client.request(
                method, path, content=content, headers={"Content-Type": "application/json"}
            )
            require_an_answer(answer)

        return [method, path, sent], send

    fuzz(case, budget)


@pytest.mark.parametrize("budget", budgets(200, 0.1))
def test_addresses(budget, done, client):
    """Parameters of reading routes, by the OpenAPI description."""
    described = client.get("/api/v1/openapi.json").json()["paths"]
    study = done.store.study("mixed")
    real = {
        "name": "mixed", "model": "bnh", "key": done.store.front(study.runs[0])[0].evaluation.key, "run_id": study.runs[0].id,
        "figure": "front-1", "metric": "f1", "variable": "x", "metrics": "f1", "column": "f1", "of": "mixed", "study": "mixed",
    }  # fmt: skip
    read = [
        (path, item["get"])
        for path, item in described.items()
        if "get" in item and not path.endswith("/events")
    ]
    words = [str(value) for value in VALUES if plain(value) and len(str(value)) < 500]

    def case(chance):
        path, operation = chance.choice(read)
        query = {}
        for parameter in operation.get("parameters", []):
            name, place = parameter["name"], parameter["in"]
            value = real.get(name, "0") if chance.random() < 0.6 else chance.choice(words)
            if place == "path":
                path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
            elif place == "query" and chance.random() < 0.5:
                query[name] = value
        return [path, query], lambda: require_an_answer(client.get(path, params=query))

    fuzz(case, budget)
