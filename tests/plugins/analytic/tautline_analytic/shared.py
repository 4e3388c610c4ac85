"""Parts of all problems here: objectives, constraints, a scene of nothing and checks at known points."""

from collections.abc import Mapping

import numpy as np

from models import Evaluation, Metric, Model, Parameters, ReferenceCase
from models.scene import Points, Scene


def objective(name: str, meaning: str = "objective of the test problem") -> Metric:
    return Metric(name, "1", meaning, "minimize")


def constraint(name: str) -> Metric:
    return Metric(name, "1", "constraint of the test problem, satisfied when >= 0", "maximize")


def no_scene(_: Parameters) -> Scene:
    return Scene((Points("origin", np.zeros((1, 3))),), "an analytic problem has no shape")


def cases(
    problem: Model, settings: Mapping[str, object], optimum: Mapping[str, float], source: str
) -> list[ReferenceCase]:
    """One design of the known front."""
    outcome = problem.evaluate(problem.resolve(None, settings), "plain", 0)
    assert isinstance(outcome, Evaluation)
    return [
        ReferenceCase(name, "1", value, outcome.metrics[name] or 0.0, 1e-9, source)
        for name, value in optimum.items()
    ]
