"""Study files and names that are meant to harm: each is refused at once, and nothing grows."""

import os
import time

import psutil
import pytest

from tests.service.routes.conftest import TOML, study_text

STUDIES = "/api/v1/studies"
ROOM = 256 * 1024 - 600
MOST_SECONDS = 3.0
"""Most seconds of this process. One second on an idle machine; a shared core counts slower, and what
these files are after takes minutes."""
MOST_GROWTH = 100 * 1024**2


def filled(unit, before="", after=""):
    """A text of nearly as many bytes as are read, made of one piece."""
    return before + unit * ((ROOM - len(before) - len(after)) // len(unit)) + after


BOMBS = {
    "nested lists": filled("[", "a = "),
    "nested tables": filled("{a=", "a = "),
    "dotted key": filled("a.", after="a = 1"),
    "dotted key with spaces": filled("a . ", after="a = 1"),
    "dotted key of quotes": filled("''.", after="a = 1"),
    "dotted key of escapes": filled('"\\"".', after="a = 1"),
    "dotted header": filled("a.", "[", "a]"),
    "deep headers": "\n".join(f"[{'a.' * 23}b{i}]" for i in range(4500)),
    "deep keys": "\n".join(f"{'a.' * 23}b{i} = 1" for i in range(4500)),
    "many tables": filled("[[a]]\n[[a.b]]\n"),
    "many keys": "\n".join(f"k{i} = 1" for i in range(20_000)),
    "many numbers": filled("1,", "a = [", "]"),
    "long number": filled("9", "a = "),
    "long hexadecimal": filled("f", "a = 0x"),
    "long text": filled("x", 'a = "', '"'),
    "open text": filled('\\"', 'a = "'),
    "backslashes": filled("\\\n", 'a = """', '"""'),
    "comments": filled("#\n"),
    "zeros": filled("\0"),
    "spaces": "a" + " " * ROOM,
    "words": filled("a b "),
    "no letters": b"\xff\xfe" * 1000,
    "half a letter": 'a = "ä'.encode()[:-1],
    "mark of order": "\ufeff" + study_text(),
    "twice": study_text() + "\n[search]",
    "twice in a table": study_text().replace("x1 =", "x1 = 1\nx1 ="),
}


def lists(count):
    return ", ".join(str(i) for i in range(count))


EXCESS = {
    "population": study_text(population=10_001),
    "generations": study_text(generations=10**9),
    "evaluations": study_text(evaluations=1_000_001),
    "hexadecimal population": study_text(population="0x" + "f" * 30_000),
    "not a number": study_text(population="nan"),
    "infinite": study_text().replace("upper = 5", "upper = inf"),
    "no number of seconds": study_text(wall_time="nan"),
    "seeds": study_text().replace("[variables]", f"seeds = [{lists(1001)}]\n[variables]", 1),
    "one seed twice": study_text().replace("[variables]", "seeds = [1, 1]\n[variables]", 1),
    "large seed": study_text().replace("[variables]", "seeds = [4294967296]\n[variables]", 1),
    "runs": study_text().replace("[variables]", f"seeds = [{lists(1000)}]\n[variables]", 1)
    + "\n".join(f"\n[layouts.l{i}]" for i in range(6)),
    "layouts": study_text() + "\n".join(f"\n[layouts.l{i}]" for i in range(101)),
    "variables": study_text() + "\n[layouts.a.variables]\n"
    + "\n".join(f"v{i} = {{ lower = 0, upper = 1 }}" for i in range(1001)),
    "objectives": study_text().replace("[constraints]", "\n".join(f'g{i} = "minimize"' for i in range(15)) + "\n[constraints]"),
    "options": study_text() + f"\n[layouts.a.variables]\nx1 = {{ options = [{lists(1001)}] }}",
    "options in all layouts": study_text() + "".join(
        f"\n[layouts.l{i}.variables]\nx1 = {{ options = [{lists(200)}] }}" for i in range(99)
    ),
    "whole numbers": study_text() + "\n[layouts.a.variables]\nx1 = { lower = 0, upper = 1000000000000, type = 'integer' }",
    "grid": study_text(algorithm='"grid"', points=1_000_000),
    "grid of all": study_text(algorithm='"grid"', points=2000),
    "directions": study_text(algorithm='"nsga3"', population=10_000, generations=10_000),
    "designs": study_text(population=10_000, generations=101),
    "memory": study_text() + '\n[evaluation]\nmemory = "1 byte"',
    "time": study_text() + '\n[evaluation]\ntimeout = "-1 s"',
    "quantity": study_text().replace("upper = 5", 'upper = "9**9**9**9"'),
    "quantity of units": study_text().replace("upper = 5", f'upper = "1 {"m*" * 5000}m"'),
    "code": study_text().replace("upper = 5", "upper = \"__import__('os').system('id')\""),
    "long key of a variable": study_text().replace("x1 =", f'"{"x" * 50_000}" ='),
    "long path of variables": study_text() + "\n[layouts.a.variables]\n"
    + "\n".join(f"{'a' * 90}.{'b' * 90}.{'c' * 90}.v{i} = {{ lower = 0, upper = 1 }}" for i in range(200)),
    "path of a variable": study_text().replace("x1 =", f'"x1{".0" * 20_000}" ='),
    "index": study_text().replace("x1 =", '"x1.99999999999999999999" ='),
    "date": study_text().replace("upper = 5", "upper = 1979-05-27"),
    "table as number": study_text().replace("upper = 5", "upper = {}"),
    "description": study_text().replace("[variables]", f'description = "{"x" * 4001}"\n[variables]', 1),
    "unknown key": study_text() + '\n[webhook]\nurl = "http://169.254.169.254/"',
    "plugin": study_text().replace('model = "bnh"', 'model = "os:system"'),
}  # fmt: skip
NAMES = {
    "parent": "../../etc/passwd",
    "encoded": "%2e%2e%2fpasswd",
    "encoded twice": "%252e%252e%252f",
    "windows": "..\\\\..\\\\windows",
    "absolute": "/etc/passwd",
    "drive": "C:evil",
    "zero": "a\\u0000b",
    "slash of another kind": "a\uff0fb",
    "turned": "\u202eelif",
    "capitals": "New",
    "long": "a" * 65,
    "empty": "",
    "sql": "x'; DROP TABLE study; --",
    "script": "<script>alert(1)</script>",
    "template": "{{7*7}}${7*7}",
    "formula": "=cmd|' /C calc'!A0",
    "line": "a\\nb",
}


def spent(send):
    """Answer to a request, and the processor's time of this process for it."""
    begun = time.process_time()
    answer = send()
    return answer, time.process_time() - begun


@pytest.mark.parametrize("path", [STUDIES, pytest.param(f"{STUDIES}/check", marks=pytest.mark.soak)])
def test_hostile_files_are_refused_in_bounded_time_and_memory_and_leave_nothing(done, client, path):
    client.post(path, content=study_text("warm"), headers=TOML)
    names = [study.name for study in done.store.studies()]
    query = {"launch": True} if path == STUDIES else None
    process = psutil.Process(os.getpid())
    before = process.memory_info().rss
    slow, accepted = {}, {}
    for name, content in {**BOMBS, **EXCESS}.items():
        answer, seconds = spent(
            lambda content=content: client.post(path, params=query, content=content, headers=TOML)
        )
        if answer.status_code not in {413, 422}:
            accepted[name] = (answer.status_code, answer.text[:200])
        if seconds > MOST_SECONDS:
            slow[name] = seconds
        assert len(answer.content) < 20_000, name
    assert accepted == {}
    assert slow == {}
    assert process.memory_info().rss - before < MOST_GROWTH
    assert [study.name for study in done.store.studies()] == names
    assert done.store.check() == []


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_are_labels_and_nothing_else(done, client, name):
    answer = client.post(STUDIES, content=study_text(name), headers=TOML)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] in {"/name", ""}
    layout = study_text().replace("[variables]", f'[layouts."{name}"]\n[variables]', 1)
    assert client.post(STUDIES, content=layout, headers=TOML).status_code == 422
    assert [study.name for study in done.store.studies()] == ["mixed"]


@pytest.mark.parametrize(
    "name",
    ["%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%252e%252e%252f", "..%5c..%5c", "%00", "a%00b", "%c0%ae%c0%ae",
     "%ff", "x'%3B%20DROP%20TABLE%20study%3B--", "%3Cscript%3E", "%EF%BC%8F", "a" * 64, "A", "mixed%20", "-"],
)  # fmt: skip
def test_names_in_addresses_are_not_there(done, client, name):
    for path in (
        "",
        "/runs",
        "/front",
        "/export",
        "/file",
        "/report",
        "/evaluations/array",
        "/figures/front-1",
    ):
        answer = client.get(f"{STUDIES}/{name}{path}")
        assert answer.status_code == 404, path
    assert client.delete(f"{STUDIES}/{name}").status_code in {404, 405}
    assert client.get("/api/v1/events", params={"study": "x\0y"}).status_code == 404
    assert client.get(f"{STUDIES}/mixed/figures/{name}").status_code == 404
    assert client.get(f"/api/v1/models/{name}").status_code == 404
    assert done.store.study("mixed").name == "mixed"


SEARCHES = ["' OR 1=1 --", "%", "_", "\\", "%' ESCAPE '", "x\0y", "💥", '"', "a" * 200, "; DROP TABLE study"]


def test_searches_are_texts(done, client):
    for search in SEARCHES:
        answer = client.get(STUDIES, params={"search": search})
        assert (answer.status_code, answer.json()["items"]) == (200, []), search
    assert len(done.store.studies()) == 1


def test_texts_come_back_as_they_were_and_do_no_harm(client):
    text = "<img src=x onerror=alert(1)> \"'; DROP TABLE study;-- =cmd ${7*7} \u202e 💥"
    described = study_text().replace("[variables]", f"description = '''{text}'''\n[variables]", 1)
    assert client.post(STUDIES, content=described, headers=TOML).status_code == 201
    assert client.get(f"{STUDIES}/new").json()["description"] == text
    assert "<img src=x" not in client.get(f"{STUDIES}/new/report").text
    assert client.patch(f"{STUDIES}/new", json={"description": text * 2}).json()["description"] == text * 2
    answer = client.post(f"{STUDIES}/new/branch", json={"name": "../x"})
    assert answer.json()["errors"][0]["pointer"] == "/name"


@pytest.mark.parametrize("size", [256 * 1024 + 1, 30 * 1024**2])
def test_larger_files_are_not_read(client, size):
    answer, seconds = spent(lambda: client.post(STUDIES, content=b"#" * size, headers=TOML))
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:tautline:problem:too-large")
    assert seconds < MOST_SECONDS


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30, 10**309, 10**400, -(10**400)])
def test_whole_numbers_beyond_64_bits_are_floats_or_refused(done, client, number):
    key = done.store.front(done.store.study("mixed").runs[0])[0].evaluation.key
    choice = {"rule": "topsis", "weights": {"f1": 1, "f2": 1}}
    bodies = {
        "ranking": [{**choice, "weights": {"f1": number}}, {**choice, "filters": {"x": {"upper": number}}},
                    {"rule": "achievement", "aspirations": {"f1": number, "f2": 1}}],
        "decisions": [{**choice, "key": key, "reason": "x", "weights": {"f1": number}}],
        f"designs/{key}/evaluate": [{"variables": {"x": number}}, {"variables": {"size": number}}],
    }  # fmt: skip
    for path, tried in bodies.items():
        for body in tried:
            answer = client.post(f"{STUDIES}/mixed/{path}", json=body)
            assert answer.status_code < 500, (path, answer.text)
            if abs(number) > 1e308:
                assert answer.status_code == 422
                assert "is too large" in answer.text
    lower = study_text().replace("upper = 5", f"upper = {number}")
    assert client.post(f"{STUDIES}/check", content=lower, headers=TOML).status_code == 422


@pytest.mark.parametrize("value", ["[1]", "{ a = 1 }", "99999999999999999999", "1e400", '"x"', "true"])
def test_a_parameter_of_a_wrong_kind_in_the_place_of_an_absent_metric_is_refused(client, value):
    text = "\n".join([
        'name = "a"', 'model = "continuum-dynamics"', "[parameters]", f"duration = {value}", "[variables]",
        'disk_mass = { lower = "1 g", upper = "2 g" }', "[objectives]", 'settling_time = "minimize"',
    ])  # fmt: skip
    for path in (STUDIES, f"{STUDIES}/check", f"{STUDIES}/draft"):
        answer = client.post(path, content=text, headers=TOML)
        assert answer.status_code == (200 if path.endswith("draft") else 422), answer.text
