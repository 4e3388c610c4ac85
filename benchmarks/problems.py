"""Test problems on the unit cube, by which algorithms are compared with each other and with pymoo.

Objectives and inequalities are those of pymoo's problems; the mixed one, which pymoo has not, is ZDT1
whose distance from the front also hangs on a whole number and an option.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.core.problem import ElementwiseProblem
from pymoo.core.variable import Choice, Integer, Real
from pymoo.problems import get_problem

from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.definition.study_definition import SearchTable
from studies.search import create_search
from studies.search.dominance import nondominated
from studies.search.indicators import hypervolume

Array = NDArray[np.float64]

REFERENCES: dict[str, tuple[float, ...]] = {
    "zdt1": (1.1, 6.0), "zdt2": (1.1, 6.5), "zdt3": (1.1, 6.0), "zdt4": (1.1, 120.0),
    "dtlz2": (2.0, 2.0, 2.0), "bnh": (140.0, 55.0), "osy": (0.0, 90.0), "mixed": (1.1, 6.0),
}  # fmt: skip
"""Points that poor designs beat already, so that every algorithm has something to show."""
OPTIONS = ("steel", "dyneema", "aramid")


@dataclass(frozen=True)
class Problem:
    """``evaluate`` maps points ``(n, d)`` to objectives ``(n, m)`` and violations ``(n,)``."""

    space: DesignSpace
    n_objectives: int
    constrained: bool
    evaluate: Callable[[Array], tuple[Array, Array]]


def of_pymoo(name: str, **settings: int) -> Problem:
    theirs = get_problem(name, **settings)
    bounds = zip(theirs.xl.tolist(), theirs.xu.tolist(), strict=True)
    space = DesignSpace(tuple(RealVariable(f"x{i}", "1", low, high) for i, (low, high) in enumerate(bounds)))

    def evaluate(points: Array) -> tuple[Array, Array]:
        found = theirs.evaluate(theirs.xl + points * (theirs.xu - theirs.xl), return_as_dictionary=True)
        broken = np.maximum(found["G"], 0.0).sum(axis=1) if theirs.n_ieq_constr else np.zeros(len(points))
        return np.asarray(found["F"], dtype=np.float64), broken

    return Problem(space, theirs.n_obj, theirs.n_ieq_constr > 0, evaluate)


def mixed_objectives(x: Array, number: Array, option: Array) -> Array:
    """Reals ``(n, 6)``, whole numbers 0 to 9 and options 0 to 2: the front is ZDT1's, at 7 and option 1."""
    distance = x[:, 1:].sum(axis=1) / 5 + np.abs(number - 7) / 9 + np.abs(option - 1) / 2
    g = 1 + 3 * distance
    return np.stack([x[:, 0], g * (1 - np.sqrt(x[:, 0] / g))], axis=1)


def _mixed() -> Problem:
    reals = tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(6))
    choices = (ChoiceVariable("number", "1", range(10)), ChoiceVariable("option", "", OPTIONS))

    def evaluate(points: Array) -> tuple[Array, Array]:
        number, option = np.floor(points[:, 6] * 10), np.floor(points[:, 7] * 3)
        return mixed_objectives(points[:, :6], number, option), np.zeros(len(points))

    return Problem(DesignSpace((*reals, *choices)), 2, constrained=False, evaluate=evaluate)


class MixedOfPymoo(ElementwiseProblem):
    """The mixed problem as pymoo declares such."""

    def __init__(self) -> None:
        reals = {f"x{i}": Real(bounds=(0.0, 1.0)) for i in range(6)}
        choices = {"number": Integer(bounds=(0, 9)), "option": Choice(options=list(OPTIONS))}
        super().__init__(vars={**reals, **choices}, n_obj=2)

    def _evaluate(self, x: dict[str, Any], out: dict[str, Array], *_: object, **__: object) -> None:
        reals = np.array([[x[f"x{i}"] for i in range(6)]])
        option = np.array([OPTIONS.index(x["option"])])
        out["F"] = mixed_objectives(reals, np.array([x["number"]]), option)[0]


def problem(name: str) -> Problem:
    return _mixed() if name == "mixed" else of_pymoo(name)


def front(objectives: Array) -> Array:
    return objectives[nondominated(objectives)] if len(objectives) else objectives


def search(
    algorithm: str, asked: Problem, seed: int, population: int, evaluations: int, **settings: float
) -> Array:
    """The front of all that one of our searches found with a budget."""
    table = SearchTable(
        algorithm=algorithm, population=population, evaluations=evaluations, settings=settings
    )
    ours = create_search(table, asked.space, asked.n_objectives, seed)
    best, left = np.empty((0, asked.n_objectives)), evaluations
    while left > 0 and len(points := ours.ask()[:left]):
        left -= len(points)
        objectives, violations = asked.evaluate(points)
        best = front(np.concatenate([best, objectives[violations == 0.0]]))
        if left > 0:
            ours.tell(objectives, violations)
    return best


def volume(name: str, objectives: Array) -> float:
    return hypervolume(objectives, np.array(REFERENCES[name]))
