"""The paper's search at a million cells with fewer and cheaper evaluations: hypervolume and time.

The reference is NSGA-II with 5 000 designs for each layout and nothing else: seed 1, version 6 of the model,
29 November 2026, 10 000 evaluations in full.
"""

import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import Figure
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import read_study
from studies.execution import open_executor
from studies.records import RunRecord
from studies.run.launch import run_study
from studies.search.indicators import hypervolume
from studies.store import Store

SEEDS = [1, 2, 3, 4, 5]
SEARCH = {"population": 50, "generations": 18, "ladder": True, "settings": {"prescreening": 10}}
REFERENCE = {
    "constrained": ((11.774500040354294, 51.79467666719324, 6.074636986748299), 0.6438311994632006),
    "suspended": ((6.466645260637488, 7.344138132482532, 4.097852842192084), 0.3244363917468918),
}
"""Reference point and hypervolume of the reference's front, F1, F2 and F3 minimised."""
_PAPER = Path(__file__).parents[1] / "examples" / "paper-100.toml"


def figures(small: bool) -> list[Figure]:
    """Share of the reference's hypervolume for each layout, and what one seed of both takes."""
    changed: dict[str, Any] = {"seeds": SEEDS[:1] if small else SEEDS}
    definition = read_study(_PAPER)
    search = definition.search.model_copy(update=SEARCH)
    if small:
        changed["parameters"] = {**definition.parameters, "cells": 16}
        search = search.model_copy(update={"population": 8, "generations": 2})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paper.db"
        with Store(str(path)) as store:
            rows = list(_run(store, definition.model_copy(update={**changed, "search": search})))
        with closing(sqlite3.connect(path)) as connection:
            ((took,),) = connection.execute("select sum(seconds) from evaluation").fetchall()
    return [*rows, ("paper-100, evaluations of one seed, all rungs", took / len(changed["seeds"]), "s")]


def _run(store: Store, definition: StudyDefinition) -> Iterator[Figure]:
    before, own = time.perf_counter(), time.process_time()
    study = run_study(store, definition, partial(open_executor, 2))
    seeds = len(definition.seeds)
    yield "paper-100, one seed", (time.perf_counter() - before) / seeds, "s of the clock"
    yield "paper-100, search of one seed", (time.process_time() - own) / seeds, "s of processor"
    for layout in REFERENCE:
        found = [_share(store, run) for run in study.runs if run.layout == layout]
        for label, value in (("median", np.median(found)), ("least", min(found)), ("most", max(found))):
            yield f"paper-100, {layout}, {label}", 100.0 * float(value), "% of the reference's hypervolume"


def _share(store: Store, run: RunRecord) -> float:
    """Hypervolume of a run's front over that of the reference."""
    point, volume = REFERENCE[run.layout]
    found = [[member.evaluation.metrics[name] for name in ("F1", "F2", "F3")] for member in store.front(run)]
    return hypervolume(np.array(found, dtype=np.float64), np.array(point)) / volume
