"""A finished study of any size, written straight to a store: the demo's robots with made-up metrics.

What pages and answers take depends on how many designs there are and on how much is stored of each, and not
on whether their numbers are true. Designs on the front lie on an eighth of a sphere, so that none dominates
another; the others lie behind it, some of them far away, and some are infeasible.
"""

from collections.abc import Iterator
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from studies.definition.study_file import read_study
from studies.problem.problem import INFEASIBLE, Problem, build_problems
from studies.records import EvaluationRecord, GenerationRecord, LoggedBatch, StudyRecord, Task
from studies.run.provenance import provenance
from studies.store import Claim, Store, this_process

Array = NDArray[np.float64]

DESIGNS = 24_000
ON_FRONT = 6_800
BLOCK = 1000
_INFEASIBLE_SHARE = 0.1
_OBJECTIVES = {"workspace_volume": "maximize", "F2": "minimize", "F3": "minimize"}
_ROBOCAB = Path(__file__).parents[1] / "examples" / "robocab.toml"


def store_large_study(
    store: Store, name: str = "large", designs: int = DESIGNS, on_front: int = ON_FRONT
) -> StudyRecord:
    """Store a study of two layouts with so many designs, the same in each, and so many on their fronts."""
    own = {"name": name, "seeds": [1], "objectives": _OBJECTIVES, "constraints": {}}
    definition = read_study(_ROBOCAB).model_copy(update=own)
    problems = build_problems(definition)
    study = store.create_study(definition, problems)
    for number, run in enumerate(study.runs):
        ((_, claim),) = store.claim_runs([run], this_process())
        store.begin_run(claim, provenance(problems[run.layout].model, run.seed, definition.search.algorithm))
        _store_run(store, claim, problems[run.layout], designs // 2, on_front // 2, number)
        store.leave_run(claim, "done", f"{on_front // 2} designs on the front")
    return store.study(name)


def _store_run(store: Store, claim: Claim, problem: Problem, designs: int, on_front: int, seed: int) -> None:
    chance = np.random.default_rng([seed, designs])  # evaluations of equal designs are shared between studies
    points = chance.random((designs, len(problem.space)))
    natural, feasible = _objectives(chance, designs, on_front)
    natural[:, 1:] *= 1.0 + 0.15 * seed
    places, asked = chance.permutation(designs), 0
    for number, part in enumerate(_blocks(designs), 1):
        rows, feasible_rows = places[part], feasible[places[part]]
        records = [
            _record(task, values, chance) if is_feasible else _infeasible(task)
            for task, values, is_feasible in zip(
                problem.tasks(points[part]), natural[rows].tolist(), feasible_rows.tolist(), strict=True
            )
        ]
        minimised = np.where(feasible_rows[:, None], natural[rows] * [-1.0, 1.0, 1.0], 0.0)
        keys = tuple(record.key for record in records)
        violations = np.where(feasible_rows, 0.0, INFEASIBLE + 0.5)
        batch = LoggedBatch(number, keys, points[part], minimised, violations)
        entered = [asked + place for place in np.flatnonzero(rows < on_front).tolist()]
        asked += len(records)
        counts = (
            asked,
            asked,
            int(feasible[places[:asked]].sum()),
            0,
            int((places[:asked] < on_front).sum()),
        )
        record = GenerationRecord(number, *counts, number / (number + 1), 0.0, 0.1, 1e9 + number)
        reference = np.array([0.0, 10.0, 10.0]) if number == 1 else None
        store.save_results(claim, records)
        store.save_generation(claim, batch, records, record, (entered, []), reference)


def _blocks(designs: int) -> Iterator[slice]:
    return map(partial(_block, designs), range(ceil(designs / BLOCK)))


def _block(designs: int, number: int) -> slice:
    return slice(number * BLOCK, min((number + 1) * BLOCK, designs))


def _objectives(chance: np.random.Generator, designs: int, on_front: int) -> tuple[Array, NDArray[np.bool_]]:
    """Workspace volume in m**3, F2 and F3 in m**-1.5 ``(designs, 3)``, and which are feasible.

    The first ``on_front`` are on the front.
    """
    directions = np.abs(chance.normal(size=(designs, 3)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    behind = 1.02 + chance.exponential(0.6, designs) + 40.0 * (chance.random(designs) < 0.02)
    unit = directions * np.where(np.arange(designs) < on_front, 1.0, behind)[:, None]
    values = np.stack([0.3 / (0.2 + unit[:, 0]), 2.0 + 3.0 * unit[:, 1], 2.0 + 3.0 * unit[:, 2]], axis=1)
    feasible = (chance.random(designs) > _INFEASIBLE_SHARE) | (np.arange(designs) < on_front)
    return values, feasible


_NAMES = (
    "stiffness_index",
    "dexterity_index",
    "capacity_margin",
    "capacity_margin_mean",
    "interference_margin",
)


def _record(task: Task, values: list[float], chance: np.random.Generator) -> EvaluationRecord:
    volume, f2, f3 = values
    more = dict(zip(_NAMES, chance.random(len(_NAMES)).tolist(), strict=True))
    bounds = {"workspace_volume_lower": None, "workspace_volume_upper": None}
    metrics = {"workspace_volume": volume, **bounds, "F1": 1.0 / volume, "F2": f2, "F3": f3, **more}
    counters = {"cells": 8000, "poses": 72000}
    return EvaluationRecord(task, "done", "", "", 0.0, metrics, counters, (), 0.01, "here", 1e9)


def _infeasible(task: Task) -> EvaluationRecord:
    reason = "no cell passes every test"
    return EvaluationRecord(task, "infeasible", "", reason, 0.5, {}, {}, (), 0.01, "here", 1e9)
