"""Filling the holes of merged settings is the same as merging a design anew."""

from pathlib import Path

import numpy as np
import pytest

from errors import InputError
from studies.definition.study_file import parse_study, read_study
from studies.execution.evaluation import task_of
from studies.problem.problem import check

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
HARD = {
    "items and options": """
        name = "hard"
        model = "hybrid-cable-robot"
        preset = "constrained"
        [parameters]
        "attachments.0.2" = "-40 mm"
        wrench_set = { center = [0, 0, -30, 0, 0, 0], half_range = [5, 5, 5, 0.2, 0.2, 0.2] }
        [variables]
        attachments.0.0 = { lower = "-5 cm", upper = "5 cm" }
        attachments.3.1 = { lower = "-5 cm", upper = "5 cm" }
        f_max = { lower = 20, upper = 30 }
        wrench_set.center.2 = { lower = -50, upper = 0 }
        tension_rule = { options = ["minimum-norm", "centroid"] }
        cable_order = { options = [[1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 4, 5, 6, 7, 8]] }
        """,
    "a path into an option": """
        name = "inner"
        model = "hybrid-cable-robot"
        preset = "constrained"
        [variables]
        "attachments.0" = { options = [[0.05, 0.05, 0.04], [0.05, 0.04, 0.04]] }
        "attachments.0.2" = { lower = "3 cm", upper = "5 cm" }
        """,
    "values that exclude each other": """
        name = "clash"
        model = "hybrid-cable-robot"
        [variables]
        f_min = { lower = "1 N", upper = "22 N" }
        f_max = { lower = "8 N", upper = "40 N" }
        """,
}
GOALS = """
        [objectives]
        workspace_volume = "maximize"
        dexterity_index = "maximize"
        [search]
        generations = 1
        """


def slow_task(problem, u):
    """As written down in the design: resolve every design from scratch."""
    settings = {**problem.settings, **problem.space.decode(u)}
    try:
        plain = problem.model.resolve(problem.preset, settings).model_dump(mode="json")
    except InputError:
        plain = problem.model.merge(problem.preset, settings)
    robots = problem.robots_of(problem.space.named_values(u))
    return task_of(problem.model, plain, problem.cost_class, problem.evaluation_seed, robots)


def assert_same_tasks(definition, count=40):
    for problem in check(definition).values():
        points = np.random.default_rng(1).random((count, len(problem.space)))
        points = np.vstack(
            [problem.space.snap(points), np.zeros(len(problem.space)), np.ones(len(problem.space))]
        )
        for u, task in zip(points, problem.tasks(points), strict=True):
            assert repr(task) == repr(slow_task(problem, u))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_give_the_same_tasks(path):
    assert_same_tasks(read_study(path), count=8)


@pytest.mark.parametrize("case", HARD)
def test_hard_cases_give_the_same_tasks(case):
    assert_same_tasks(parse_study(HARD[case] + GOALS))


def test_designs_do_not_write_into_each_other():
    problem = next(iter(check(parse_study(HARD["items and options"] + GOALS)).values()))
    (first,) = problem.tasks(np.zeros((1, 6)))
    before = repr(first)
    problem.tasks(np.ones((1, 6)))
    assert repr(first) == before
