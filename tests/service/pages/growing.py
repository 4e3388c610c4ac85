"""A study that goes on while somebody looks at it."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from threading import Event

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study
from studies.store import Store
from tests.service.pages.conftest import Here

GROWING = """
name = "growing"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 8
generations = 8
"""
HALT = 3
"""Generations before it halts."""


class Halting(Here):
    """Evaluates so many generations, then waits until it may go on."""

    def __init__(self):
        self.left, self.go_on = HALT, Event()

    def evaluate(self, tasks, sink, should_stop, limits, **said):
        if self.left == 0:
            assert self.go_on.wait(100)
        self.left = max(self.left - 1, 0)
        super().evaluate(tasks, sink, should_stop, limits)


class Growing:
    """The study of that name: it begins, halts after some generations, and goes on to its end, when told."""

    def __init__(self, folder, local, pool):
        self.local = local
        self._folder, self._pool = folder, pool
        self._executor, self._working = Halting(), None

    def begin(self):
        self._working = self._pool.submit(self._work)

    def wait_until_it_halts(self):
        """Until all that was found before is stored, which goes on beside the evaluation of the next designs."""
        deadline = time.monotonic() + 100
        while [run.generations for run in self.local.runs.list("growing").items] != [HALT]:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def finish(self):
        self._executor.go_on.set()
        if self._working is not None:
            self._working.result(100)

    def _work(self):
        with Store(str(self._folder / "tautline.db")) as store:
            resume_study(store, "growing", lambda: nullcontext(self._executor))


@contextmanager
def growing(folder):
    """A study that has not begun; it is deleted in the end."""
    with Store(str(folder / "tautline.db")) as store, ThreadPoolExecutor(1) as pool:
        study = Growing(folder, StoreServices(Context(store=store)), pool)
        study.local.studies.create(parse_study(GROWING))
        try:
            yield study
        finally:
            study.finish()
        study.local.studies.delete("growing")
