"""Times of answers from a store of a million evaluations: 50 finished studies of 20 000 designs.

One study is written through the store; the others are copies of its rows under other names and keys, since
writing each would take ten minutes. A page asks for its HTML and then for JSON; both are timed, for a study
that the server has not been asked about. Answers about another one have loaded its code before.
"""

import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import httpx

from benchmarks.large_study import store_large_study
from benchmarks.timing import Figure
from studies.store import Store
from tests.service.serving import Serving

STUDIES, DESIGNS, ON_FRONT = 50, 20_000, 4_000
ANSWERS = {
    "list of studies": "/api/v1/studies",
    "Overview": "/studies/{}",
    "Review": "/studies/{}/review",
    "Analyse": "/studies/{}/analyse",
    "Compare": "/compare?of={}",
    "Decide": "/studies/{}/decide",
    "study": "/api/v1/studies/{}",
    "progress": "/api/v1/studies/{}/progress",
    "front": "/api/v1/studies/{}/front",
    "100 evaluations": "/api/v1/studies/{}/evaluations?limit=100",
    "verdicts": "/api/v1/studies/{}/verdicts",
    "comparison": "/api/v1/studies/{}/comparison",
    "comparison of the page": "/api/v1/comparison?of={}",
    "figure of the front": "/api/v1/studies/{}/figures/front-1",
    "figure of the history": "/api/v1/studies/{}/figures/history",
    "importances": "/api/v1/studies/{}/importances?layout=constrained&metrics=workspace_volume",
}
REPEATED = 5
_OF_RUN = ("generation", "front_member", "provenance", "run_lease")


def figures(small: bool) -> list[Figure]:
    """First and least later time of each answer [ms], and the size of the store."""
    studies, designs, front = (3, 400, 100) if small else (STUDIES, DESIGNS, ON_FRONT)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tautline.db"
        with Store(str(path)) as store:
            store_large_study(store, "large", designs, front)
        with closing(sqlite3.connect(path)) as connection:
            for number in range(1, studies):
                _copy(connection, number)
            (count,) = connection.execute("select count(*) from evaluation").fetchone()
        size = path.stat().st_size / 2**30
        with Serving(Path(folder), "--no-runner") as server:
            rows = _times_of_answers(server, f"large-{studies // 2}")
    return [("large store", float(count), "evaluations"), ("large store, size", size, "GiB"), *rows]


def _times_of_answers(server: Serving, study: str) -> list[Figure]:
    rows: list[Figure] = []
    with httpx.Client(base_url=server.address, follow_redirects=True, timeout=120) as client:
        client.get(server.link).raise_for_status()
        for path in ANSWERS.values():
            _time(client, path.format("large"))
        for name, path in ANSWERS.items():
            times = [_time(client, path.format(study)) for _ in range(REPEATED)]
            rows.append((f"large store: {name}, first answer", times[0], "ms"))
            rows.append((f"large store: {name}, later answers", min(times[1:]), "ms"))
    return rows


def _time(client: httpx.Client, path: str) -> float:
    before = time.perf_counter()
    client.get(path).raise_for_status()
    return 1e3 * (time.perf_counter() - before)


def _copy(connection: sqlite3.Connection, number: int) -> None:
    """Copy the first study under another name, each evaluation under another key."""
    key = {"key": f"'{number:02x}z' || substr(key, 4)"}  # no key of an evaluation has a z
    ((study,),) = connection.execute("select min(id) from study").fetchall()
    runs = connection.execute("select id from run where study_id = ? order by id", (study,)).fetchall()
    ((last,),) = connection.execute("select max(id) from run").fetchall()
    copied = {
        "id": str(study + number),
        "name": f"name || '-{number}'",
        "digest": f"'{number:02x}' || substr(digest, 3)",
    }
    _insert(connection, "study", "id = ?", study, copied)
    for place, (run,) in enumerate(runs, 1):
        to = {"run_id": str(last + place)}
        _insert(connection, "run", "id = ?", run, {"id": str(last + place), "study_id": copied["id"]})
        within = "key in (select key from run_evaluation where run_id = ?)"
        _insert(connection, "evaluation", within, run, key)
        _insert(connection, "run_evaluation", "run_id = ?", run, {**to, **key})
        for table in _OF_RUN:
            _insert(connection, table, "run_id = ?", run, to)
        _insert(connection, "event", "run_id = ?", run, {**to, "id": "null"})
    connection.commit()


def _insert(connection: sqlite3.Connection, table: str, where: str, of: int, changed: dict[str, str]) -> None:
    """Copy rows of a table, some columns changed by an expression."""
    columns = [name for _, name, *_ in connection.execute(f"pragma table_info({table})")]
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(changed.get(name, f'"{name}"') for name in columns)
    copied = f"insert into {table} ({names}) select {values} from {table} where {where}"  # noqa: S608 - names of this file and the schema
    connection.execute(copied, (of,))
