"""Fronts for people: joint over seeds, with variables and metrics by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from models.errors import UnknownNameError
from studies.definition import StudyDefinition
from studies.indicators import FloatArray, nondominated
from studies.records import FrontDesign, RunRecord, StudyRecord
from studies.store import Member, Store


def choose_runs(study: StudyRecord, layout: str | None = None, seed: int | None = None) -> list[RunRecord]:
    """The study's runs of a layout and a seed; None means all. Unknown ones raise ``InputError``."""
    layouts = list(dict.fromkeys(run.layout for run in study.runs))
    seeds = sorted({run.seed for run in study.runs})
    if layout is not None and layout not in layouts:
        raise UnknownNameError("layout", layout, layouts, "--layout")
    if seed is not None and seed not in seeds:
        raise UnknownNameError("seed", str(seed), [str(item) for item in seeds], "--seed")
    return [run for run in study.runs if layout in (None, run.layout) and seed in (None, run.seed)]


def fronts(
    store: Store, study: StudyRecord, layout: str | None = None, seed: int | None = None
) -> dict[str, list[FrontDesign]]:
    """The front of each layout, joint over its seeds, each sorted by key."""
    runs = choose_runs(study, layout, seed)
    names = dict.fromkeys(run.layout for run in runs)
    return {name: _joint(store, study, [run for run in runs if run.layout == name]) for name in names}


def _joint(store: Store, study: StudyRecord, runs: Iterable[RunRecord]) -> list[FrontDesign]:
    """What stays nondominated when the seeds' fronts are put together."""
    members: dict[str, Member] = {}
    seeds: dict[str, list[int]] = {}
    layout = ""
    for run in runs:
        layout = run.layout
        for member in store.front(run):
            members.setdefault(member.evaluation.key, member)
            seeds.setdefault(member.evaluation.key, []).append(run.seed)
    keys = sorted(members)
    if not keys:
        return []
    keep = nondominated(np.array([members[key].objectives for key in keys]))
    paths = variable_paths(study, layout)
    return [
        front_design(members[key], layout, seeds[key], paths)
        for key, kept in zip(keys, keep, strict=True)
        if kept
    ]


def front_design(member: Member, layout: str, seeds: Iterable[int], paths: Sequence[str]) -> FrontDesign:
    """A logged design with its variables and metrics by name."""
    evaluation = member.evaluation
    return FrontDesign(
        evaluation.key,
        layout,
        tuple(sorted(set(seeds))),
        {path: value_at(evaluation.task.parameters, path) for path in paths},
        evaluation.metrics,
        member.violation,
        tuple(float(value) for value in member.objectives),
    )


def variable_paths(study: StudyRecord, layout: str) -> list[str]:
    """Dotted paths of what a layout varies, in the order of the study file."""
    definition = StudyDefinition.model_validate(study.definition)
    own = definition.layouts[layout].variables if layout in definition.layouts else {}
    return list({**definition.variables, **own})


def value_at(tree: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path in stored parameters."""
    node: Any = tree
    for step in path.split("."):
        node = node[int(step)] if isinstance(node, list) else node[step]
    return node


def objectives_of(designs: Sequence[FrontDesign], n_objectives: int) -> FloatArray:
    """Minimised objectives ``(n, m)`` of a front."""
    return np.array([design.objectives for design in designs]).reshape(len(designs), n_objectives)
