"""Studies that burn, the ledger of what was acknowledged, and the proof that nothing of it was lost."""

import hashlib
import json
import time
from contextlib import contextmanager
from unittest import mock

from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.store import Store
from tests.fault_injection import processes

STUDY = """
name = "NAME"
model = "zdt1"
seeds = [1, 2]
[parameters]
x = [0.0, 0.0, 0.0, 0.0]
delay = 0.02
[variables]
"x.0" = { lower = 0, upper = 1 }
"x.1" = { lower = 0, upper = 1 }
"x.2" = { lower = 0, upper = 1 }
"x.3" = { lower = SHIFT, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
generations = 10
"""
SHORT = 5


def definition(number, generations=10):
    """Studies that share no design, so that each one is work."""
    text = STUDY.replace("NAME", f"fire-{number}").replace("SHIFT", str(0.001 * number))
    return parse_study(text.replace("generations = 10", f"generations = {generations}"))


@contextmanager
def at_once():
    """Designs take no time in this process; their keys and results stay those of slow ones."""
    with mock.patch("tautline_analytic.zdt.time"):
        yield


def assert_calm_front(calm_url, url, study, opener):
    """A study ended with the front of one that nobody disturbed."""
    with Store(calm_url) as calm, Store(url) as store, at_once():
        run_study(calm, study, opener)
        assert digest(store, study.name) == digest(calm, study.name)


def digest(store, name):
    """sha256 of a study's front: keys, variables, metrics and violations, to the last bit."""
    rows = [
        [d.key, d.layout, d.seeds, sorted(d.variables.items()), sorted(d.metrics.items()), d.violation]
        for front in fronts(store, store.study(name)).values()
        for d in front
    ]
    assert rows
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def queue(url, study):
    with Store(url) as store:
        store.create_study(study, check(study))


def verify(url, ledger):
    """Everything in the ledger is in the store, once and unchanged; the store is sound."""
    lines = [line.split() for line in ledger.read_text().splitlines()]
    with Store(url) as store:
        assert store.check() == []
        keys = [line[1] for line in lines if line[0] == "evaluation"]
        stored = store.evaluations(keys)
        for _, key, finished in (line for line in lines if line[0] == "evaluation"):
            assert repr(stored[key].finished) == finished, f"{key} was lost or computed again"
        generations = {
            (run.id, generation.number)
            for study in store.studies()
            for run in study.runs
            for generation in store.generations(run)
        }
        assert {(int(line[1]), int(line[2])) for line in lines if line[0] == "generation"} <= generations
    assert len(set(keys)) == len(keys), "an acknowledged evaluation was acknowledged twice"


class Fire:
    """A queue of studies, the processes that work on it, and the ledger of what was acknowledged."""

    def __init__(self, url, folder, server=None):
        port = processes.free_port()
        self.url = url
        self.server = server
        self.ledger = folder / "ledger.txt"
        self.scheduler = processes.scheduler(port, folder)
        self.workers = [processes.worker(port, folder, number, nanny=number > 0) for number in range(2)]
        self.runner = processes.runner(url, self.ledger, f"tcp://127.0.0.1:{port}", folder)
        self.queued = 0

    @property
    def all(self):
        return [self.scheduler, *self.workers, self.runner]

    @contextmanager
    def burning(self):
        """Everything is killed in the end, and the database is up again for whoever comes next."""
        try:
            yield
        finally:
            for process in self.all:
                process.kill()
            if self.server is not None and not self.server.running:
                self.server.start()

    def queue_study(self):
        self.queued += 1
        queue(self.url, definition(self.queued, SHORT))

    def tend(self):
        if self.server is not None and not self.server.running:
            self.server.start()
        for process in self.all:
            process.tend()

    def unfinished(self):
        with Store(self.url) as store:
            return [run for study in store.studies() for run in study.runs if run.state != "done"]

    def lines(self):
        return len(self.ledger.read_bytes().splitlines()) if self.ledger.exists() else 0

    def wait_for_lines(self, count):
        """Until work goes on, or for so long that a kill while nothing goes on is worth a try too."""
        deadline = time.monotonic() + 20
        while self.lines() < count and self.unfinished() and time.monotonic() < deadline:
            self.tend()
            time.sleep(0.05)

    @property
    def victims(self):
        """Names of the processes that can be killed."""
        return ["runner", "worker", "scheduler", *(["database"] if self.server else [])]

    def kill(self, victim, chance):
        if victim == "runner":
            self.runner.kill_one(chance)
        elif victim == "worker":
            chance.choice(self.workers).kill_one(chance)
        elif victim == "scheduler":
            self.scheduler.kill()
        else:
            self.server.kill()

    def wait(self, seconds):
        deadline = time.monotonic() + seconds
        while self.unfinished():
            assert time.monotonic() < deadline, "the studies did not end"
            self.tend()
            time.sleep(0.2)

    def verify_fronts(self, calm_url, opener):
        for number in range(1, self.queued + 1):
            assert_calm_front(calm_url, self.url, definition(number, SHORT), opener)

    def verify(self):
        verify(self.url, self.ledger)
