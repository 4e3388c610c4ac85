"""The examples of a planar robot and of a crane on four cables, against linear programmes."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from models.hybrid_cable_robot import workspace
from service.examples import FOLDER
from studies.definition.study_file import read_study
from studies.problem.problem import build_problems
from studies.results.fronts import fronts
from studies.run.launch import run_study

EXAMPLES = {"planar-robot": [0, 2, 4], "four-cable-crane": [0, 1, 2]}
"""Names of studies with the rows of a wrench that their platforms have."""
CELLS = 6


def holds(W, lower, upper, wrenches):
    """True if tensions within limits hold every wrench, by a linear programme for each."""
    limits = np.column_stack([lower, upper])
    return all(
        linprog(np.zeros(len(lower)), A_eq=W, b_eq=-wrench, bounds=limits).success for wrench in wrenches
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_cells_of_an_example_are_those_of_linear_programmes(name):
    (problem,) = build_problems(read_study(FOLDER / f"{name}.toml")).values()
    eyelets = {"pulley_radius": 0.0, "length_max": None, "orientations": "nominal", "cells": CELLS}
    design = problem.space.decode(np.full(len(problem.space), 0.4))
    record = problem.model.resolve(None, {**problem.settings, **design, **eyelets})
    rows = EXAMPLES[name]
    center, half = (np.array(each)[rows] for each in (record.wrench_set.center, record.wrench_set.half_range))
    signs = itertools.product(*[(-1.0, 1.0) if size else (0.0,) for size in half])
    wrenches = [center + np.array(sign) * half for sign in signs]
    pulleys, ends = np.array(record.pulleys), np.array(record.attachments)
    # pyrefly: ignore[bad-argument-type]
    found = workspace(record)
    inside = {tuple(point) for point in np.round(found.points, 9).tolist()}
    centers = found.grid.centers()
    for place in centers:
        u = pulleys - place - ends
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        W = np.column_stack([u, np.cross(ends, u)]).T[rows]
        low, high = record.tension_limits
        wanted = holds(W, low, high, wrenches)
        assert wanted == (tuple(np.round(place, 9).tolist()) in inside), place
    assert 0 < len(inside) < len(centers)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_small_search_of_an_example_ends_in_a_front(name, store, inline, make_executor):
    definition = read_study(FOLDER / f"{name}.toml")
    search = definition.search.model_copy(update={"population": 6, "generations": 2})
    small = {**definition.parameters, "cells": CELLS}
    changes = {"search": search, "parameters": small}
    study = run_study(store, definition.model_copy(update=changes), inline(make_executor()))
    front = fronts(store, study)["default"]
    assert front
    assert all(design.metrics["workspace_volume"] > 0 for design in front)
