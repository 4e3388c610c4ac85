"""Fifty people and twenty streams at one server: quick answers, no errors, flat memory."""

import asyncio
import json

import psutil
import pytest

from service.access.authenticator import Authenticator
from service.access.secret import server_key
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.run.launch import run_study
from studies.store import Store
from tests.service.load import work
from tests.service.serving import Serving

STUDY = """
name = "NAME"
model = "zdt1"
seeds = [1, 2]
[parameters]
x = [0.0, 0.0, 0.0, 0.0]
delay = DELAY
[variables]
"x.0" = { lower = 0, upper = 1 }
"x.1" = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
generations = GENERATIONS
"""
MEGABYTE = 1024**2
# Clients, streams, seconds; then limits: 95 % of the answers within [s], growth of memory [MiB]. Tests run
# beside others, so that little can be said of times there.
SIZES = [
    pytest.param(8, 4, 1, 5.0, 100, id="short"),
    pytest.param(50, 20, 120, 0.3, 50, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
]


def study(name, delay, generations):
    text = STUDY.replace("NAME", name).replace("DELAY", str(delay)).replace("GENERATIONS", str(generations))
    return parse_study(text)


@pytest.fixture
def furnished(tmp_path, inline, inline_executor):
    """A store with a finished study, one that will run all the time, and ten accounts; their tokens."""
    with Store(str(tmp_path / "tautline.db")) as store:
        run_study(store, study("finished", 0.0, 30), inline(inline_executor))
        running = study("running", 0.02, 2000)
        store.create_study(running, check(running))
        authenticator = Authenticator(store, server_key(tmp_path / "server.key"), accounts=True)
        tokens = []
        for number in range(10):
            store.accounts.add(f"person-{number}", "editor", None)
            tokens.append(authenticator.issue("token", f"person-{number}", "load", "run", 3600.0)[0])
        for name in ("finished", "running"):
            store.edit_study(name, {"owner": "person-0", "visibility": "shared"})
    return tokens


def paths_of(tmp_path):
    """Paths that pages ask for while somebody looks at two studies."""
    with Store(str(tmp_path / "tautline.db")) as store:
        key = store.front(store.study("finished").runs[0])[0].evaluation.key
    watching = ["/studies/running", "/studies/running/runs", "/studies/running/front"]
    looking = [
        "/studies", "/studies/finished", "/studies/finished/front", "/studies/finished/evaluations?limit=100",
        f"/studies/finished/designs/{key}", "/studies?search=run", "/models/zdt1",
        "/studies/finished/evaluations/array", "/studies/finished/indicators", "/me",
    ]  # fmt: skip
    return [path for one in looking for path in (one, *watching)]


@pytest.mark.parametrize(("clients", "streams", "seconds", "p95", "growth"), SIZES)
def test_many_read_and_follow_while_a_study_runs(furnished, tmp_path, clients, streams, seconds, p95, growth):
    paths = paths_of(tmp_path)
    with Serving(tmp_path, "--accounts", "--workers", 1) as server:
        base = f"{server.address}/api/v1"
        process = psutil.Process(server.process.pid)
        # Modules are loaded, and every thread has had its share of memory, before the measurement.
        asyncio.run(work(base, furnished, clients, streams, "running", paths, seconds / 4))
        before, began = process.memory_info().rss, process.cpu_times()
        tally = asyncio.run(work(base, furnished, clients, streams, "running", paths, seconds))
        after, ended = process.memory_info().rss, process.cpu_times()
        code, took = server.stop()
    told = {
        "requests": len(tally.seconds), "statuses": tally.statuses, "p50": tally.quantile(0.5),
        "p95": tally.quantile(0.95), "worst": tally.worst(), "silence": max(tally.beats),
        "growth": (after - before) / MEGABYTE, "events": len(tally.streamed),
        "cores": (ended.user + ended.system - began.user - began.system) / seconds,
    }  # fmt: skip
    (tmp_path / "load.json").write_text(json.dumps(told))
    assert set(tally.statuses) == {200}, told
    assert tally.statuses[200] == len(tally.seconds) + streams
    assert len(tally.seconds) > 0.2 * clients * seconds, told
    assert tally.quantile(0.95) < p95, told
    assert tally.streamed, told
    assert max(tally.beats) < 16 + 2, told
    assert after - before < growth * MEGABYTE, told
    assert (code, took < 30) == (0, True)
