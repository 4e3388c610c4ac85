"""Access to every operation of the application, for every role, on every kind of study.

The operations come from the application itself: one that has no line in the tables here fails, and one
that forgets to ask for identity as well.
"""

import contextlib
import json
import shutil

import pytest

from service.access.identity import ROLES
from service.settings import Settings
from service.web.app import create_app
from service.web.identity import PUBLIC
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.repetition import repeated
from tests.service.web.conftest import Server

ASSETS = "/static/{version}/{name:path}"
OUTSIDE_THE_API = {
    ("GET", "/"), ("GET", "/login"), ("POST", "/login"), ("POST", "/logout"), ("GET", "/health"),
    ("GET", "/ready"), ("GET", "/api/v1/openapi.json"), ("GET", ASSETS),
}  # fmt: skip
STUDY = """
name = "{name}"
model = "bnh"
seeds = [1]
[variables]
x1 = {{ lower = 0, upper = 5 }}
x2 = {{ lower = 0, upper = 3 }}
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 4
generations = 2
"""
TOML = {"content": STUDY.format(name="bnh").encode(), "headers": {"Content-Type": "application/toml"}}
NEW_TOML = {"content": STUDY.format(name="new").encode(), "headers": {"Content-Type": "application/toml"}}

TOLERANCES = {"json": {"tolerances": {"x1": {"normal": 0.01}}, "samples": 16}}

# Effects of a study's operations, with the body that is sent. "read": whoever sees it; "compute" and "copy":
# whoever sees it and may work; "compute if missing": as "compute", and "read" once it is stored; "change": its
# owner, who may work.
OF_A_STUDY = {
    ("GET", "/api/v1/studies/{name}"): ("read", {}),
    ("PATCH", "/api/v1/studies/{name}"): ("change", {"json": {"description": "new"}}),
    ("DELETE", "/api/v1/studies/{name}"): ("change", {}),
    ("POST", "/api/v1/studies/{name}/launch"): ("change", {}),
    ("POST", "/api/v1/studies/{name}/pause"): ("change", {}),
    ("POST", "/api/v1/studies/{name}/stop"): ("change", {}),
    ("POST", "/api/v1/studies/{name}/extend"): ("change", {"json": {"generations": 7}}),
    ("POST", "/api/v1/studies/{name}/proposals"): ("change", {"json": {"design": {"x1": 1, "x2": 1}}}),
    ("GET", "/api/v1/studies/{name}/proposals"): ("read", {}),
    ("DELETE", "/api/v1/studies/{name}/proposals/{proposal_id}"): ("change", {}),
    ("POST", "/api/v1/studies/{name}/reevaluate"): ("change", {}),
    ("GET", "/api/v1/studies/{name}/reevaluation"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/reevaluation/designs"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/branch"): ("copy", {"json": {"name": "branch", "launch": False}}),
    ("GET", "/api/v1/studies/{name}/file"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/model"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/runs"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/runs/{run_id}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/runs/{run_id}/generations"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/runs/{run_id}/provenance"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/progress"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/verdicts"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/evaluations"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/evaluations/array"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/designs/{key}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/runs/{run_id}/evaluations/{ask_no}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/picks"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/quantities"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/designs/{key}/figure"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/designs/{key}/scene"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/designs/{key}/scene/{shape}"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/designs/{key}/evaluate"): ("compute", {"json": {}}),
    ("POST", "/api/v1/studies/{name}/designs/{key}/figure"): ("compute", {"json": {}}),
    ("POST", "/api/v1/studies/{name}/designs/{key}/reproduce"): ("compute", {}),
    ("GET", "/api/v1/designs/{key}"): ("read", {}),
    ("POST", "/api/v1/designs/{key}/reproduce"): ("compute", {}),
    ("GET", "/api/v1/studies/{name}/front"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/indicators"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/comparison"): ("read", {}),
    ("GET", "/api/v1/comparison"): ("read", {"params": {"of": "bnh"}}),
    ("GET", "/api/v1/comparison/figures/{figure}"): ("read", {"params": {"of": "bnh"}}),
    ("GET", "/api/v1/studies/{name}/figures"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/figures/{figure}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/export"): ("read", {"params": {"format": "csv"}}),
    ("GET", "/api/v1/exports"): ("read", {"params": {"study": "bnh"}}),
    ("GET", "/api/v1/studies/{name}/report"): ("read", {}),
    ("GET", "/api/v1/designs/{key}/export"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/designs/{key}/export"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/ranking"): ("read", {"json": {"rule": "topsis"}}),
    ("GET", "/api/v1/studies/{name}/decisions"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/decisions/{number}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/decisions/{number}/sheet"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/decisions"): ("change", {"json": {"key": "0" * 64, "reason": "good"}}),
    ("GET", "/api/v1/studies/{name}/sheet"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/annotations"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/annotations"): ("copy", {"json": {"kind": "tag", "text": "paper"}}),
    ("PATCH", "/api/v1/studies/{name}/annotations/{annotation_id}"): ("compute", {"json": {"text": "new"}}),
    ("DELETE", "/api/v1/studies/{name}/annotations/{annotation_id}"): ("compute", {}),
    ("GET", "/api/v1/studies/{name}/importances"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/slice"): ("read", {"params": {"metric": "f1", "variable": "x1"}}),
    ("GET", "/api/v1/studies/{name}/jobs"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/jobs/{job_id}"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/jobs/{job_id}/pause"): ("compute", {}),
    ("POST", "/api/v1/studies/{name}/jobs/{job_id}/resume"): ("compute", {}),
    ("POST", "/api/v1/studies/{name}/jobs/{job_id}/stop"): ("compute", {}),
    ("GET", "/api/v1/studies/{name}/sweeps"): ("read", {}),
    ("POST", "/api/v1/studies/{name}/sweeps"): ("change", {"json": {"over": {"x9": [1, 2]}}}),
    ("GET", "/api/v1/studies/{name}/sweeps/{sweep_id}"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/sweeps/{sweep_id}/map"): ("read", {}),
    ("GET", "/api/v1/studies/{name}/sweeps/{sweep_id}/figure"): ("read", {}),
    ("DELETE", "/api/v1/studies/{name}/sweeps/{sweep_id}"): ("change", {}),
    ("POST", "/api/v1/designs/{key}/robust"): ("compute if missing", TOLERANCES),
    ("POST", "/api/v1/studies/{name}/designs/{key}/robust"): ("compute if missing", TOLERANCES),
    ("POST", "/api/v1/studies/{name}/sensitivity"): ("compute if missing", {"json": {"rows": 16}}),
    ("GET", "/api/v1/events"): ("read", {"params": {"study": "bnh"}}),
    ("GET", "/studies/{name}"): ("read", {}),
    ("GET", "/studies/{name}/review"): ("read", {}),
    ("GET", "/studies/{name}/analyse"): ("read", {}),
    ("GET", "/studies/{name}/decide"): ("read", {}),
    ("GET", "/studies/{name}/report"): ("read", {}),
}
THEIRS = {
    "table": "x1,x2,f1\n1,1,8\n", "source": "N.N.", "name": "theirs", "model": "bnh", "objectives": {"f1": "minimize"}
}  # fmt: skip
# Operations without a study. "everybody", "writers" (make studies and compute), "admins", "in person" (not by a narrow token).
OF_NO_STUDY = {
    ("GET", "/api/v1/me"): ("everybody", {}),
    ("GET", "/api/v1/models"): ("everybody", {}),
    ("GET", "/api/v1/models/{model}"): ("everybody", {}),
    ("POST", "/api/v1/models/{model}/check"): ("writers", {}),
    ("POST", "/api/v1/models/{model}/evaluate"): ("writers", {"json": {"settings": {"x1": 1.0}}}),
    ("POST", "/api/v1/models/{model}/figure"): ("writers", {"json": {"settings": {"x1": 1.0}}}),
    ("POST", "/api/v1/models/{model}/export"): ("writers", {"json": {"settings": {"x1": 1.0}}}),
    ("GET", "/api/v1/overview"): ("everybody", {}),
    ("GET", "/api/v1/studies"): ("everybody", {}),
    ("POST", "/api/v1/studies"): ("writers", NEW_TOML),
    ("POST", "/api/v1/studies/check"): ("everybody", NEW_TOML),
    ("POST", "/api/v1/studies/import"): ("writers", {"json": THEIRS}),
    ("POST", "/api/v1/studies/draft"): ("everybody", NEW_TOML),
    ("POST", "/api/v1/studies/draft/edited"): ("everybody", {"json": {"definition": {}, "toml": ""}}),
    ("GET", "/api/v1/algorithms"): ("everybody", {}),
    ("GET", "/api/v1/algorithms/{algorithm}"): ("everybody", {}),
    ("GET", "/api/v1/decision-rules"): ("everybody", {}),
    ("POST", "/api/v1/studies/draft/new"): ("everybody", {"json": {"sources": ["robocab"]}}),
    ("GET", "/api/v1/examples"): ("everybody", {}),
    ("GET", "/api/v1/accounts"): ("admins", {}),
    ("POST", "/api/v1/accounts"): ("admins", {"json": {"name": "nina", "role": "viewer"}}),
    ("GET", "/api/v1/accounts/{account}"): ("everybody", {}),
    ("PATCH", "/api/v1/accounts/{account}"): ("admins", {"json": {}}),
    ("PUT", "/api/v1/accounts/{account}/password"): (
        "in person",
        {"json": {"password": "a new pass phrase"}},
    ),
    ("GET", "/api/v1/tokens"): ("in person", {}),
    ("POST", "/api/v1/tokens"): ("in person", {"json": {"name": "x"}}),
    ("DELETE", "/api/v1/tokens/{token_id}"): ("in person", {}),
    ("GET", "/api/v1/sessions"): ("in person", {}),
    ("DELETE", "/api/v1/sessions/{session_id}"): ("in person", {}),
    ("GET", "/new"): ("everybody", {}),
    ("GET", "/compare"): ("everybody", {}),
    ("GET", "/account"): ("everybody", {}),
}
# Role and scope of whoever asks, and the rank that comes of it: 0 reads, 1 also works on their own, 2 all.
PEOPLE = {
    "viewer": ("viewer", "admin", 0), "editor": ("editor", "admin", 1), "admin": ("admin", "admin", 2),
    "editor who reads": ("editor", "read", 0), "admin who runs": ("admin", "run", 1),
    "viewer who runs": ("viewer", "run", 0), "admin who reads": ("admin", "read", 0),
}  # fmt: skip
# Answers to those who may do it, where this study has nothing of the kind.
ABSENT = {
    operation: 422 if operation == ("POST", "/api/v1/studies/{name}/sweeps") else 404
    for operation in OF_A_STUDY
    if any(
        part in operation[1]
        for part in ("{shape}", "{number}", "{annotation_id}", "{sweep_id}", "{job_id}", "{proposal_id}")
    )
    or operation in {("POST", f"/api/v1/studies/{{name}}/{noun}") for noun in ("sweeps", "decisions")}
}
STUDIES = ["own", "own shared", "private of another", "shared of another", "private of nobody"]


def walk(routes, prefix=""):
    """Every method and path that the application knows, also those that are in no description."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from walk(inner.routes, prefix + route.include_context.prefix)
        else:
            yield from ((method, prefix + route.path) for method in route.methods or ())


@pytest.fixture(scope="module")
def operations(tmp_path_factory, empty_store):
    folder = tmp_path_factory.mktemp("walk")
    shutil.copy(empty_store, folder)
    with Store(str(folder / "tautline.db")) as store:
        app = create_app(Settings(secret_file=folder / "key"), store)
        app.state.sandbox.close()
        found = set(walk(app.routes))
    return {(method, path) for method, path in found if method != "HEAD"}


def normal(operation):
    """An operation with the names of its parameters as the tables here have them."""
    method, path = operation
    if path.startswith("/api/v1/accounts/"):
        path = path.replace("{name}", "{account}")
    return method, path


def test_every_operation_has_a_line_here(operations):
    inside = {normal(operation) for operation in operations - OUTSIDE_THE_API}
    assert inside == set(OF_A_STUDY) | set(OF_NO_STUDY)
    assert operations >= OUTSIDE_THE_API
    assert {path for _, path in OUTSIDE_THE_API} >= PUBLIC


def test_every_operation_asks_for_identity(operations, server):
    stranger = server.client()
    for method, path in sorted(operations):
        answer = stranger.request(method, path.replace("{", "").replace("}", ""))
        expected = {200, 303, 401} if (path in PUBLIC and method == "GET") or path == "/login" else {401}
        if path == ASSETS:
            expected = {404}  # scripts and styles are for everybody; this one is of no version
        assert answer.status_code in expected, f"{method} {path} answers {answer.status_code}"
    assert len(operations) > 50


@pytest.fixture(scope="module")
def finished_file(tmp_path_factory, empty_store):
    """A store with people and a study that has run; made once."""

    @contextlib.contextmanager
    def inline():
        yield InlineExecutor()

    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    shutil.copy(empty_store, path)
    with Store(str(path)) as store:
        run_study(store, parse_study(STUDY.format(name="bnh")), inline)
        for role in ROLES:
            store.accounts.add(role, role)
        store.accounts.add("another", "editor")
        store.accounts.add("spare", "admin")
    return path


class Lab:
    """The server of the matrix, whose one study is given to whom the test wants."""

    def __init__(self, server):
        self.server, self.store = server, server.store
        self.clients, self.prepared = {}, {}
        for person, (role, scope, _) in PEOPLE.items():
            self.clients[person] = server.client(server.token(role, scope))
        self.run = self.store.study("bnh").runs[0]
        self.key = self.store.front(self.run)[0].evaluation.key

    def prepare(self, person, study, *, queued):
        """Make the study what the test wants; without its designs where it will be worked on."""
        name = "waiting" if queued else "bnh"
        if self.prepared.get(name) == (person, study):
            return name
        self.prepared[name] = (person, study)
        role = PEOPLE[person][0]
        owner = {"own": role, "own shared": role, "private of nobody": ""}.get(study, "another")
        for made in ("branch", "new"):
            if any(item.name == made for item in self.store.studies()):
                self.store.delete_study(made)
        if queued:
            if any(item.name == name for item in self.store.studies()):
                self.store.delete_study(name)
            self.store.create_study(parse_study(STUDY.format(name=name)), ["default"])
        visibility = "shared" if "shared" in study else "private"
        self.store.edit_study(name, {"owner": owner, "visibility": visibility})
        return name

    def ask(self, person, operation, sent, name):
        method, path = operation
        role = PEOPLE[person][0]
        shape = 99
        filled = path.format(
            name=name, key=self.key, run_id=self.run.id, figure="history", shape=shape, model="bnh", account=role,
            ask_no=0, number=9, annotation_id=9, sweep_id=9, job_id=9, proposal_id=9, algorithm="nsga2",
            token_id=self.server.token(role).split("_")[1] if "{token_id}" in path else "",
            session_id=self.session_of(role) if "{session_id}" in path else "",
        )  # fmt: skip
        if path == "/api/v1/events":
            sent = {"params": {"study": name}}
        if path.endswith("{name}/sheet"):
            sent = {"params": {"key": self.key}}
        if path.startswith("/api/v1/comparison"):
            sent = {"params": {"of": name}}
        with self.clients[person].stream(method, filled, **sent) as answer:
            if path == "/api/v1/events" and answer.status_code == 200:
                return answer.status_code, {}
            answer.read()
        if method != "GET" and answer.is_success:
            self.prepared.clear()
        is_problem = answer.headers.get("content-type") == "application/problem+json"
        return answer.status_code, answer.json() if is_problem else {}

    def session_of(self, account):
        """The number of a browser's session that was just opened."""
        return self.server.app.state.authenticator.issue("session", account, "browser", "admin", 60.0)[1].id

    def said_of_nothing(self, person, operation, sent, name):
        """Text about a study or design that is not there, with the names of one that is."""
        assert self.store.study(name).name == name, "it is there"
        key, nothing = self.key, "0" * 64
        self.key = key if "{name}" in operation[1] else nothing
        try:
            _, told = self.ask(person, operation, sent, "nothing")
        finally:
            self.key = key
        return {k: v.replace("nothing", name).replace(nothing, key) for k, v in said(told).items()}


def said(problem):
    return {key: str(value) for key, value in problem.items() if key != "request_id"}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory, finished_file):
    folder = tmp_path_factory.mktemp("matrix")
    shutil.copy(finished_file, folder)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store(str(folder / "tautline.db")))
        plenty = {"max_streams": 1000, "max_running_studies": 1000}
        settings = Settings(secret_file=folder / "key", accounts=True, **plenty)
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr("service.app.robustness._SECONDS", 0.0)  # no runner answers here
        yield Lab(Server(settings, store, stack))


def expected(action, rank, study):
    """Status by the design of the roles: hidden is 404, seen but not one's own is 403."""
    mine = study.startswith("own")
    seen = mine or "shared" in study or rank == 2
    if not seen:
        return 404
    if action == "read":
        return 200
    if action == "compute if missing" and rank == 0:
        return None
    if action in {"copy", "compute", "compute if missing"}:
        return (201 if action == "copy" else 200) if rank >= 1 else 403
    return 200 if rank == 2 or (mine and rank >= 1) else 403


QUICK = {"viewer": (0, 2, 3), "editor": (0, 2, 3), "admin": (2,)}
"""The studies with which a role is tested each time; a narrower scope with one, and the others in the soak."""


def pairs():
    for number, person in enumerate(PEOPLE):
        for place, study in enumerate(STUDIES):
            quick = place in QUICK.get(person, (number % len(STUDIES),))
            yield pytest.param(person, study, marks=() if quick else pytest.mark.soak)


@pytest.mark.parametrize(("person", "study"), list(pairs()))
def test_studies_are_seen_and_changed_by_whom_they_may_be(matrix, person, study):
    rank = PEOPLE[person][2]
    for operation, (action, sent) in OF_A_STUDY.items():
        name = matrix.prepare(person, study, queued=action == "change")
        status, told = matrix.ask(person, operation, sent, name)
        wanted = expected(action, rank, study)
        if wanted == 200 and operation[0] == "POST" and action == "change":
            wanted = 201 if operation[1].endswith("/proposals") else 202
        if operation in ABSENT and wanted in {200, 202}:
            wanted = ABSENT[operation]
        what = f"{person}, study {study}: {operation[0]} {operation[1]} answers {status} {json.dumps(told)[:300]}"
        assert status == wanted or (wanted is None and status in {200, 403}), what
        if status == 404 and operation not in ABSENT:
            assert said(told) == matrix.said_of_nothing(person, operation, sent, name), what


@pytest.mark.parametrize("person", PEOPLE)
def test_what_is_of_no_study_is_for_whom_it_is(matrix, person):
    role, scope, rank = PEOPLE[person]
    matrix.prepare(person, "private of another", queued=False)
    for operation, (who, sent) in OF_NO_STUDY.items():
        status, told = matrix.ask(person, operation, sent, "bnh")
        allowed = {
            "everybody": True, "writers": rank >= 1, "admins": rank == 2, "in person": scope == "admin",
        }[who]  # fmt: skip
        what = f"{person}: {operation[0]} {operation[1]} answers {status} {json.dumps(told)[:300]}"
        if "password" in operation[1] and allowed and role != "admin":
            assert status == 403, what  # their accounts have no password: an admin sets the first one
        elif not allowed:
            assert status == 403, what
        elif operation == ("POST", "/api/v1/accounts") and status == 409:
            assert matrix.store.accounts.find("nina").role == "viewer"
        elif operation == ("POST", "/api/v1/studies/import") and status == 409:
            assert matrix.store.study("theirs").source == "N.N."  # another person's, of before
        else:
            assert status in {200, 201, 204}, what


@pytest.mark.parametrize("person", repeated(PEOPLE, quick=[*QUICK, "admin who reads"]))
def test_lists_show_what_may_be_seen(matrix, person):
    rank = PEOPLE[person][2]
    client = matrix.clients[person]
    for study in STUDIES:
        matrix.prepare(person, study, queued=False)
        seen = study.startswith("own") or "shared" in study or rank == 2
        for query in ({}, {"search": "bn"}):
            for path in ("/api/v1/studies", "/api/v1/overview"):
                names = [item["name"] for item in client.get(path, params=query).json()["items"]]
                assert ("bnh" in names) == seen, (person, study, path, query)
        named = client.get("/api/v1/overview", params={"name": ["bnh", "nothing"]}).json()["items"]
        assert [item["name"] for item in named] == ["bnh"] * seen


@pytest.mark.parametrize("person", [name for name, (_, _, rank) in PEOPLE.items() if rank < 2])
def test_a_name_that_is_taken_tells_nothing_about_who_has_it(matrix, person):
    matrix.prepare(person, "private of another", queued=False)
    rank = PEOPLE[person][2]
    same = matrix.ask(person, ("POST", "/api/v1/studies"), TOML, "bnh")
    changed = {**TOML, "content": TOML["content"].replace(b"population = 4", b"population = 5")}
    other = matrix.ask(person, ("POST", "/api/v1/studies"), changed, "bnh")
    assert same[0] == other[0] == (409 if rank else 403)
    for told in (same[1], other[1]):
        told.pop("request_id")
        assert "another'" not in told["detail"]
    assert same[1] == other[1], "not even whether it is the same study"
    assert matrix.store.study("bnh").owner == "another"


def test_a_study_can_be_given_away_by_admins_alone(matrix):
    for person, (_, _, rank) in PEOPLE.items():
        name = matrix.prepare(person, "own", queued=True)
        status, _ = matrix.ask(
            person, ("PATCH", "/api/v1/studies/{name}"), {"json": {"owner": "another"}}, name
        )
        assert status == (200 if rank == 2 else 403), person


def test_an_account_that_is_disabled_keeps_nothing_open(matrix):
    matrix.prepare("editor", "own", queued=False)
    client = matrix.clients["editor"]
    assert client.get("/api/v1/studies/bnh").status_code == 200
    matrix.store.accounts.set_disabled("editor", disabled=True)
    try:
        assert client.get("/api/v1/studies/bnh").status_code == 401
    finally:
        matrix.store.accounts.set_disabled("editor", disabled=False)
