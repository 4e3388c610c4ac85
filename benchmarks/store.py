"""Costs of the store: writing a generation of 100, listing a front, many writers, deleting."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.timing import Figure
from studies.records import EvaluationRecord, GenerationRecord, LoggedBatch
from studies.store import Claim, Store
from tests.studies.store.building_blocks import batch, begun, definition, generation, results

GENERATION = 100
LARGE = 100_000
BLOCK = 10_000


def figures(small: bool = False) -> list[Figure]:
    generations, count = (2, 2_000) if small else (20, LARGE)
    with stores() as opened:
        return [
            row
            for name, store in opened
            for row in (*_commits(name, store, generations), *_large(name, store, count))
        ]


@contextmanager
def stores() -> Iterator[list[tuple[str, Store]]]:
    """A store on SQLite and, where the server is installed, one on a temporary PostgreSQL."""
    from tests.postgresql import Server, find_binaries

    binaries = find_binaries()
    with tempfile.TemporaryDirectory() as folder:
        opened = [("SQLite", Store(str(Path(folder) / "bench.db")))]
        server = Server(binaries) if binaries else None
        try:
            if server:
                server.start()
                opened.append(("PostgreSQL", Store(server.new_database())))
            yield opened
        finally:
            for _, store in opened:
                store.close()
            if server:
                server.close()


def _commits(name: str, store: Store, generations: int) -> list[Figure]:
    """The two writes of a generation, best of several."""
    claim = begun(store, store.create_study(definition("commits"), ["default"]).runs[0])
    best = {"wall": [np.inf, np.inf], "cpu": [np.inf, np.inf]}
    for number in range(1, generations + 1):
        given = results(GENERATION, GENERATION * number)
        logged, told = batch(number, given), generation(number, GENERATION * number)
        first = GENERATION * (number - 1)
        front = (list(range(first, first + 15)), list(range(first - GENERATION, first - 85)) if first else [])
        writes = (
            lambda given=given: store.save_results(claim, given),
            lambda given=given, logged=logged, told=told, front=front: store.save_generation(
                claim, logged, given, told, front, None
            ),
        )
        for i, write in enumerate(writes):
            wall, cpu = time.perf_counter(), time.process_time()
            write()
            best["wall"][i] = min(best["wall"][i], time.perf_counter() - wall)
            best["cpu"][i] = min(best["cpu"][i], time.process_time() - cpu)
    rows = [
        (f"{name}: {what} of {GENERATION}, {kind}", 1e3 * best[kind][i], "ms")
        for i, what in enumerate(("save_results", "save_generation"))
        for kind in ("wall", "cpu")
    ]
    return [*rows, (f"{name}: both together, cpu", 1e3 * sum(best["cpu"]), "ms")]


def fill(store: Store, count: int = LARGE, members: int = 500) -> None:
    """A study of ``count`` designs with ``members`` on its front and three times as many that left it."""
    claim = begun(store, store.create_study(definition("large"), ["default"]).runs[0])
    block = min(BLOCK, count // 2)
    for number in range(1, count // block + 1):
        first = block * (number - 1)
        given = results(block, 10**6 + first)
        store.save_results(claim, given)
        _log(store, claim, number, first, given, members)
    store.leave_run(claim, "done")


def _log(
    store: Store, claim: Claim, number: int, first: int, given: list[EvaluationRecord], members: int
) -> None:
    asked = first + len(given)
    logged: LoggedBatch = batch(number, given)
    told = GenerationRecord(number, asked, asked, asked, 0, members, 1.0, 0.0, 0.1, 1.0)
    left = list(range(first - len(given), first - len(given) + members)) if first else []
    store.save_generation(claim, logged, given, told, (list(range(first, first + members)), left), None)


def _large(name: str, store: Store, count: int) -> list[Figure]:
    fill(store, count)
    rows: list[Figure] = []
    run = store.study("large").runs[0]
    middle = count // (2 * min(BLOCK, count // 2))
    for what, action in (
        (f"front of 500 out of {count} evaluations", lambda: store.front(run)),
        (
            "one generation's front of the same",
            lambda: store.front(run, generation=middle),
        ),
        ("list of studies", store.studies),
        (f"delete {count} evaluations", lambda: store.delete_study("large")),
    ):
        begin = time.perf_counter()
        action()
        rows.append((f"{name}: {what}", time.perf_counter() - begin, "s"))
    return rows
