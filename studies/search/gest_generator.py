"""Our searches as generators of gest-api, which libEnsemble, Xopt and optimas drive.

A generator suggests points of a problem that is given as VOCS (variables, objectives, constraints), and
ingests results: https://github.com/campa-consortium/gest-api. Importing this module needs that package.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from gest_api import Generator
from gest_api.vocs import (
    VOCS,
    BoundsConstraint,
    ContextualVariable,
    ContinuousVariable,
    DiscreteVariable,
    GreaterThanConstraint,
    LessThanConstraint,
    MaximizeObjective,
    MinimizeObjective,
)
from pydantic import ValidationError

from errors import GeneratorError, InputError
from models.messages import explain
from studies.definition.objectives import Constraint
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable, Variable
from studies.definition.study_definition import SearchTable
from studies.records import FAILED
from studies.search.algorithm import Algorithm
from studies.search.base import FloatArray, Learner, Search, SteadySearch
from studies.search.checks import check_fit, check_search, create_search, create_steady_search
from studies.search.registry import load

LARGEST = 1e60
"""Objectives are told within this size, as a run tells them."""
_STRICT = 1e-300
"""Violation at a bound that must not be met."""


class TautlineGenerator(Generator):
    """A search of Tautline as a generator.

    The same seed, and the same calls with the same results, give the same points to the last bit. Results may
    come in any order where the algorithm works in the steady state; by generations, a further one begins when
    all results of the last one are there.

    Parameters
    ----------
    vocs : VOCS
        The problem. Continuous variables are real numbers, whole ones where their ``dtype`` is ``int``;
        discrete variables are options, in the order of numbers or letters.
    algorithm : str
        A name as study files have it.
    seed : int
        Seed of all random numbers.
    population : int, optional
        Designs per generation or batch.
    evaluations : int, optional
        Number of designs of a sample; other searches go on for as long as they are asked.
    points : int, optional
        Values per real variable of a grid.
    settings : mapping, optional
        Settings of the algorithm.
    asynchronous : bool, optional
        Whether to work in the steady state; if not given, where the algorithm can.

    Raises
    ------
    GeneratorError
        A ``ValueError``, for a problem that the algorithm cannot take and for values that it cannot have.
    """

    def __init__(
        self,
        vocs: VOCS,
        algorithm: str = "nsga2",
        *,
        seed: int = 0,
        population: int | None = None,
        evaluations: int | None = None,
        points: int | None = None,
        settings: Mapping[str, Any] | None = None,
        asynchronous: bool | None = None,
    ) -> None:
        with _as_value_error():
            found = load(algorithm)
        given = {
            "algorithm": algorithm, "population": population, "points": points, "settings": settings,
            "evaluations": found.most_designs if evaluations is None and found.learns else evaluations,
            "asynchronous": found.asynchronous if asynchronous is None else asynchronous,
        }  # fmt: skip
        self._table = _search_table({name: value for name, value in given.items() if value is not None})
        super().__init__(vocs)
        self._vocs = vocs
        self._space = space_of(vocs)
        self._source = _source(found, self._table, self._space, vocs.n_objectives, seed)
        self._ready: deque[tuple[int, FloatArray]] = deque()
        self._pending: dict[tuple[Any, ...], deque[int]] = {}

    def _validate_vocs(self, vocs: VOCS) -> None:
        """Raise ``GeneratorError`` for a problem that the algorithm cannot take."""
        space = space_of(vocs)
        for name, objective in vocs.objectives.items():
            if not isinstance(objective, MinimizeObjective | MaximizeObjective):
                raise GeneratorError(f"{name}: objectives are minimised or maximised, not explored")
        if not vocs.objectives:
            raise GeneratorError("has no objective; name at least one", ("vocs",))
        for name, constraint in vocs.constraints.items():
            _constraint(name, constraint)
        with _as_value_error():
            check_search(self._table)
            check_fit(self._table, space, vocs.n_objectives, vocs.n_constraints)

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        """Return ``num_points`` points, or as many as are ready; none when every design was suggested.

        Raises ``GeneratorError`` where there are not so many before more results come.
        """
        wanted = self._table.population if num_points is None else num_points
        if wanted < 1:
            raise GeneratorError(f"{wanted}: at least one point can be asked for", ("num_points",))
        while len(self._ready) < wanted and (asked := self._source.next()) is not None:
            self._ready.append(asked)
        if num_points is not None and len(self._ready) < num_points:
            raise GeneratorError(self._source.shortage(num_points, len(self._ready)), ("num_points",))
        taken = [self._ready.popleft() for _ in range(min(wanted, len(self._ready)))]
        return [self._suggested(number, point) for number, point in taken]

    def _suggested(self, number: int, point: FloatArray) -> dict[str, Any]:
        values = self._space.named_values(point)
        self._pending.setdefault(tuple(values.values()), deque()).append(number)
        return {**values, **{name: constant.value for name, constant in self._vocs.constants.items()}}

    def ingest(self, results: list[dict[str, Any]]) -> None:
        """Take results, those of points that were not suggested too.

        A result with an objective or constraint that is no finite number counts as a failed design. Raises
        ``GeneratorError`` for a result without a variable, or outside the space; nothing is taken then.
        """
        read = [(*self._point(result), *_goals(self._vocs, result)) for result in results]
        for values, point, objectives, violation in read:
            waiting = self._pending.get(values)
            if waiting:
                self._source.tell(waiting.popleft(), objectives, violation)
                if not waiting:
                    del self._pending[values]
            else:
                self._source.learn(point, objectives, violation)

    def _point(self, result: Mapping[str, Any]) -> tuple[tuple[Any, ...], FloatArray]:
        """The values of a result's variables, and its point of the unit cube."""
        try:
            values = tuple(result[variable.path] for variable in self._space.variables)
        except KeyError as error:
            raise GeneratorError(f"a result has no variable {error}", ("results",)) from None
        pairs = zip(self._space.variables, values, strict=True)
        return values, np.array([_encoded(variable, value) for variable, value in pairs])


def _encoded(variable: Variable, value: Any) -> float:
    """The snapped coordinate of a value; raises ``GeneratorError`` for one outside the space."""
    try:
        if isinstance(variable, ChoiceVariable):
            return variable.encode(value)
        if variable.lower <= value <= variable.upper:
            return variable.encode(float(value))
    except (TypeError, ValueError):
        pass
    raise GeneratorError(f"{variable.path}: {value!r} is outside the space of this generator", ("results",))


def space_of(vocs: VOCS) -> DesignSpace:
    """The variables of a problem; raises ``GeneratorError`` for one that no search can vary."""
    if not vocs.variables:
        raise GeneratorError("has no variable; name at least one", ("vocs",))
    return DesignSpace(tuple(_variable(name, each) for name, each in vocs.variables.items()))


def _variable(name: str, given: Any) -> Variable:
    if isinstance(given, DiscreteVariable):
        values = sorted(given.values, key=lambda value: (isinstance(value, str), value))
        return ChoiceVariable(name, "1", tuple(values))
    if not isinstance(given, ContinuousVariable) or isinstance(given, ContextualVariable):
        raise GeneratorError(f"{name}: variables of the type {type(given).__name__} cannot be searched")
    lower, upper = given.domain
    if not (math.isfinite(lower) and math.isfinite(upper)):
        raise GeneratorError(f"{name}: the range from {lower} to {upper} is not finite")
    if given.dtype in (int, "int", "int32", "int64"):
        return ChoiceVariable(name, "1", range(math.ceil(lower), math.floor(upper) + 1), stepped=True)
    if given.dtype not in (None, float, "float", "float32", "float64"):
        raise GeneratorError(f"{name}: values of the type {given.dtype} cannot be searched")
    return RealVariable(name, "1", lower, upper)


def _constraint(name: str, given: Any) -> Constraint:
    """A constraint as ours; raises ``GeneratorError``."""
    bounds = {
        LessThanConstraint: lambda: (-math.inf, given.value),
        GreaterThanConstraint: lambda: (given.value, math.inf),
        BoundsConstraint: lambda: tuple(given.range),
    }.get(type(given))
    if bounds is None:
        raise GeneratorError(f"{name}: constraints of the type {type(given).__name__} are not known")
    return Constraint(name, "1", *bounds(), absent=math.nan)


def _goals(vocs: VOCS, result: Mapping[str, Any]) -> tuple[FloatArray, float]:
    """Objectives ``(m,)`` to be minimised, and the violation, of a result."""
    missing = [name for name in (*vocs.objectives, *vocs.constraints) if name not in result]
    if missing:
        raise GeneratorError(f"a result has no value of {', '.join(missing)}", ("results",))
    numbers = {name: _number(result[name]) for name in (*vocs.objectives, *vocs.constraints)}
    if not all(map(math.isfinite, numbers.values())):
        return np.zeros(len(vocs.objectives)), FAILED
    signs = [-1.0 if isinstance(each, MaximizeObjective) else 1.0 for each in vocs.objectives.values()]
    minimised = [sign * numbers[name] for sign, name in zip(signs, vocs.objectives, strict=True)]
    violation = math.fsum(
        _constraint(name, each).violation(numbers) or (0.0 if each.check(numbers[name]) else _STRICT)
        for name, each in vocs.constraints.items()
    )
    return np.clip(np.array(minimised), -LARGEST, LARGEST), min(violation, FAILED / 2.0)


def _number(value: Any) -> float:
    """A number; NaN for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


class _as_value_error:  # noqa: N801 - read as a statement
    """Raises errors of ours as ``ValueError``, as the interface wants."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and not isinstance(error, GeneratorError):
            raise GeneratorError(error.message, error.place) from None


def _search_table(given: Mapping[str, Any]) -> SearchTable:
    try:
        return SearchTable.model_validate(given)
    except ValidationError as error:
        with _as_value_error():
            raise explain(error, (), SearchTable) from None
        raise


class _Source(Protocol):
    """Numbered designs of a search, and their results."""

    def next(self) -> tuple[int, FloatArray] | None:
        """The next design; None while there is none."""
        ...

    def tell(self, number: int, objectives: FloatArray, violation: float) -> None:
        """Result of a design."""
        ...

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        """Result of a design that was not asked for."""
        ...

    def shortage(self, wanted: int, ready: int) -> str:
        """Reason why there are no more designs now."""
        ...


def _source(
    algorithm: Algorithm, table: SearchTable, space: DesignSpace, n_objectives: int, seed: int
) -> _Source:
    nothing = np.empty((0, len(space)))
    if table.asynchronous:
        return _Steady(create_steady_search(table, space, n_objectives, seed, nothing))
    search = create_search(table, space, n_objectives, seed)
    return _Generations(search, n_objectives, learns=algorithm.learns)


_ENDED = "{wanted} designs are wanted and {ready} are left: every design of the search was suggested"


class _Steady:
    """A search in the steady state, which always has a further design."""

    def __init__(self, search: SteadySearch) -> None:
        self._search = search
        self._asks = 0
        self._early: list[tuple[FloatArray, FloatArray, float]] = []

    def next(self) -> tuple[int, FloatArray] | None:
        points = self._search.ask()
        if len(points) == 0:
            return None
        self._asks += 1
        while self._early:
            self._search.learn(*self._early.pop(0))
        return self._asks - 1, points[0]

    def tell(self, number: int, objectives: FloatArray, violation: float) -> None:
        self._search.tell(number, objectives, violation)

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        if self._asks:
            self._search.learn(point, objectives, violation)
        else:  # a search begins by its first ask
            self._early.append((point, objectives, violation))

    def shortage(self, wanted: int, ready: int) -> str:
        return _ENDED.format(wanted=wanted, ready=ready)


class _Generations:
    """A search by generations: a further one begins when all results of the last one are there.

    One that does not learn is asked for the next batch at any time.
    """

    def __init__(self, search: Search, n_objectives: int, *, learns: bool) -> None:
        self._search = search
        self._n_objectives = n_objectives
        self._learns = learns
        self._points: FloatArray = np.empty((0, 0))
        self._given = 0
        self._first = 0
        self._told: dict[int, tuple[FloatArray, float]] = {}
        self._others: list[tuple[FloatArray, FloatArray, float]] = []
        self._ended = False

    @property
    def _outstanding(self) -> int:
        return len(self._points) - len(self._told) if self._learns else 0

    def next(self) -> tuple[int, FloatArray] | None:
        if self._given == len(self._points):
            if self._ended or self._outstanding:
                return None
            self._begin()
        if self._ended:
            return None
        self._given += 1
        return self._first + self._given - 1, self._points[self._given - 1]

    def _begin(self) -> None:
        """Tell the last batch, and ask for the next one."""
        if len(self._points):
            self._tell_batch()
        self._first += len(self._points)
        self._told = {}
        self._points = self._search.ask()
        self._given = 0
        self._ended = len(self._points) == 0

    def _tell_batch(self) -> None:
        count = len(self._points)
        objectives, violations = np.zeros((count, self._n_objectives)), np.zeros(count)
        for number, (values, violation) in self._told.items():
            objectives[number - self._first], violations[number - self._first] = values, violation
        if self._others and isinstance(self._search, Learner):
            points, values, broken = zip(*self._others, strict=True)
            self._search.learn(np.array(points), np.array(values), np.array(broken))
        self._others = []
        self._search.tell(objectives, violations)

    def tell(self, number: int, objectives: FloatArray, violation: float) -> None:
        if number >= self._first:  # a sample may have gone on
            self._told[number] = (objectives, violation)

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        self._others.append((point, objectives, violation))

    def shortage(self, wanted: int, ready: int) -> str:
        if self._outstanding:
            return (
                f"{wanted} designs are wanted and {ready} are left of this generation; the next one begins "
                f"when {self._outstanding} more results are ingested: ask for fewer, or choose an "
                "asynchronous algorithm"
            )
        return _ENDED.format(wanted=wanted, ready=ready)
