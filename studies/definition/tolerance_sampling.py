"""Robots as production makes them: tolerances of parameters, and samples of robots drawn from them.

Samples are drawn once and are the same for all designs (common random numbers): two designs then differ by
what they are, and not by luck. An :class:`Uncertainty` travels with a task as a plain document, and is part
of the evaluation's key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from models import Model
from studies.definition.links import value_at_steps

FloatArray = NDArray[np.float64]
Method = Literal["sobol", "monte-carlo"]

REPLICATES = 8
"""Independent scramblings of a Sobol sequence: the spread of their results is the standard error."""
_HALF_CELL = 2.0**-31
"""Sobol points have 30 bits, so that half a cell more is never 0 or 1, whose quantiles are infinite."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The error of one number, in SI or, if ``relative``, as a share of the nominal value.

    ``width`` is the standard deviation of a normal distribution, or the greatest error of a uniform one.
    """

    path: str
    distribution: Literal["normal", "uniform"]
    width: float
    truncate: float | None = None
    relative: bool = False

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        from scipy import stats

        if self.distribution == "uniform":
            return self.width / 3.0**0.5
        if self.truncate is None or self.width == 0:
            return self.width
        end = self.truncate / self.width
        return self.width * float(stats.truncnorm.std(-end, end))

    def quantile(self, u: FloatArray) -> FloatArray:
        """Errors at shares ``u`` (n,) of the distribution, each above 0 and below 1."""
        from scipy import stats

        if self.distribution == "uniform":
            return self.width * (2 * u - 1)
        if self.truncate is None or self.width == 0:
            return self.width * stats.norm.ppf(u)
        end = self.truncate / self.width
        return self.width * stats.truncnorm.ppf(u, -end, end)


@dataclass(frozen=True, slots=True)
class Correlated:
    """Normal errors of several numbers (SI) with a covariance (k, k), which is positive semidefinite."""

    paths: tuple[str, ...]
    covariance: tuple[tuple[float, ...], ...]

    @property
    def root(self) -> FloatArray:
        """The lower triangle ``L`` (k, k) with ``L L^T`` the covariance; a column of zeros for no new error.

        Cholesky's, which is unique: eigenvectors are not, and samples must not depend on a library's signs.
        """
        covariance = np.array(self.covariance)
        root = np.zeros_like(covariance)
        for j in range(len(covariance)):
            pivot = covariance[j, j] - root[j, :j] @ root[j, :j]
            if pivot > 1e-12 * covariance[j, j]:
                root[j, j] = pivot**0.5
                root[j + 1 :, j] = (covariance[j + 1 :, j] - root[j + 1 :, :j] @ root[j, :j]) / root[j, j]
        return root


@dataclass(frozen=True, slots=True)
class Samples:
    """Errors (n, k) of k numbers in n robots, and the replicate (n,) to which each robot belongs.

    Replicates are independent of each other; None where every sample is.
    """

    errors: FloatArray
    replicates: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True)
class Limit:
    """A constraint of the study on a quantity of each robot (SI); None where there is no bound."""

    name: str
    lower: float | None
    upper: float | None
    absent: float

    def holds(self, values: Mapping[str, float | None]) -> bool:
        """True if a robot with these values meets it."""
        value = values.get(self.name)
        value = self.absent if value is None else value
        return (self.lower is None or value >= self.lower) and (self.upper is None or value <= self.upper)


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Samples to draw, and questions to them.

    ``metrics`` are the quantities whose statistics are wanted, ``expressions`` those among them or under
    limits that are derived, each after those that it needs; ``absent`` stands for metrics that a robot
    does not have where an expression needs them, ``senses`` say of derived quantities which way is better,
    and ``variables`` are those that expressions need and that are no parameters.
    """

    tolerances: tuple[Tolerance, ...]
    correlated: tuple[Correlated, ...] = ()
    samples: int = 64
    method: Method = "sobol"
    seed: int = 0
    metrics: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    expressions: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    absent: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    senses: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    variables: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)

    @property
    def paths(self) -> tuple[str, ...]:
        """The numbers that have an error, in the order of the columns of the samples."""
        return (
            *(one.path for one in self.tolerances),
            *(p for group in self.correlated for p in group.paths),
        )

    @property
    def factors(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Factors that vary independently: a name and the columns that it moves."""
        found: list[tuple[str, tuple[int, ...]]] = [
            (one.path, (column,)) for column, one in enumerate(self.tolerances)
        ]
        start = len(found)
        for group in self.correlated:
            columns = tuple(range(start, start + len(group.paths)))
            found.append((", ".join(group.paths), columns))
            start += len(group.paths)
        return tuple(found)

    @property
    def deviations(self) -> FloatArray:
        """The standard deviation of each number's error (k,), a share of its value where it is relative."""
        own = [one.deviation for one in self.tolerances]
        return np.array([*own, *(group.covariance[i][i] ** 0.5 for group in self.correlated
                                 for i in range(len(group.paths)))])  # fmt: skip

    @property
    def document(self) -> dict[str, Any]:
        """The uncertainty as plain values."""
        return {
            "tolerances": [
                {"path": one.path, "distribution": one.distribution, "width": one.width,
                 "truncate": one.truncate, "relative": one.relative}
                for one in self.tolerances
            ],
            "correlated": [
                {"paths": list(group.paths), "covariance": [list(row) for row in group.covariance]}
                for group in self.correlated
            ],
            "samples": self.samples,
            "method": self.method,
            "seed": self.seed,
            "metrics": list(self.metrics),
            "limits": [[one.name, one.lower, one.upper, one.absent] for one in self.limits],
            "expressions": dict(self.expressions),
            "absent": dict(self.absent),
            "senses": dict(self.senses),
            "variables": dict(self.variables),
        }  # fmt: skip

    def errors_at(self, shares: FloatArray) -> FloatArray:
        """Errors (n, k) at points (n, k) of the open unit cube."""
        from scipy import stats

        columns = [one.quantile(shares[:, column]) for column, one in enumerate(self.tolerances)]
        found = np.column_stack(columns) if columns else np.empty((len(shares), 0))
        start = len(self.tolerances)
        for group in self.correlated:
            normal = stats.norm.ppf(shares[:, start : start + len(group.paths)])
            # A sum of products in a fixed order: BLAS may round differently for other shapes.
            mixed = np.einsum("nj,ij->ni", normal, group.root, optimize=False)
            found = np.column_stack([found, mixed])
            start += len(group.paths)
        return found

    def robot(self, model: Model, plain: Mapping[str, Any], errors: FloatArray) -> dict[str, Any]:
        """The parameters of a robot as plain values: a design's, with errors (k,) added.

        Raises ``InputError`` for a number that the design does not have.
        """
        made = dict(plain)
        relative = [one.relative for one in self.tolerances]
        relative += [False] * (len(self.paths) - len(relative))
        numbers = list(zip(self.paths, errors.tolist(), relative, strict=True))
        heads = {path.partition(".")[0] for path in self.paths}
        implied = {head for head in heads if plain.get(head) is None}
        for some in (heads - implied, implied):  # what others imply follows from their errors, too
            made |= {head: deepcopy(with_implied(model, made, head)) for head in some}
            for path, error, share in numbers:
                if path.partition(".")[0] in some:
                    _add_error(made, path, error, relative=share)
        return made


def _add_error(made: dict[str, Any], path: str, error: float, *, relative: bool) -> None:
    """Change the number at a path; raises ``InputError`` where there is none."""
    *steps, last = path.split(".")
    holder = value_at_steps(made, steps) if steps else made
    nominal = value_at_steps(made, path.split("."))
    if not is_number(nominal):
        raise InputError(f"the tolerance '{path}' is one of a number that this design does not have")
    place: Any = int(last) if isinstance(holder, list) else last
    holder[place] = nominal * (1 + error) if relative else nominal + error


def is_number(value: Any) -> bool:
    """True if a plain value is a number; a switch is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def with_implied(model: Model, plain: Mapping[str, Any], head: str) -> Any:
    """The plain value of a field: as given, or where it is not set, as the others imply it."""
    value = plain.get(head)
    if value is not None or head not in model.implied:
        return value
    return model.implied[head](model.parameters.model_construct(**plain))


@lru_cache(maxsize=32)
def _drawn(text: str) -> Samples:
    plan = uncertainty_of(json.loads(text))
    return _draw(plan)


def samples_of(plan: Uncertainty) -> Samples:
    """The samples of a plan: the same in every process, however often they are drawn."""
    wanted = {"tolerances", "correlated", "samples", "method", "seed"}
    return _drawn(json.dumps({name: value for name, value in plan.document.items() if name in wanted}))


def _draw(plan: Uncertainty) -> Samples:
    if plan.method == "monte-carlo":
        shares = np.random.default_rng(plan.seed).random((plan.samples, len(plan.paths)))
        shares = np.maximum(shares, 2.0**-54)
        return Samples(plan.errors_at(shares), None)
    each = plan.samples // REPLICATES
    shares = np.vstack([
        sobol_points(each, len(plan.paths), seed)
        for seed in np.random.SeedSequence(plan.seed).spawn(REPLICATES)
    ])  # fmt: skip
    return Samples(plan.errors_at(shares), np.repeat(np.arange(REPLICATES), each))


def sobol_points(count: int, dimensions: int, seed: np.random.SeedSequence) -> FloatArray:
    """Scrambled Sobol points (count, dimensions) inside the unit cube; ``count`` is a power of two."""
    from scipy.stats import qmc

    engine = qmc.Sobol(dimensions, scramble=True, rng=np.random.default_rng(seed))
    return engine.random(count) + _HALF_CELL


@lru_cache(maxsize=32)
def _read(text: str) -> Uncertainty:
    return uncertainty_of(json.loads(text))


def read_uncertainty(document: Mapping[str, Any]) -> Uncertainty:
    """The uncertainty that a document states."""
    return _read(json.dumps(document))


def uncertainty_of(document: Mapping[str, Any]) -> Uncertainty:
    """The same, without keeping it; what a document leaves out is not asked for."""
    groups: Sequence[Mapping[str, Any]] = document["correlated"]
    return Uncertainty(
        tuple(Tolerance(**one) for one in document["tolerances"]),
        tuple(Correlated(tuple(g["paths"]), tuple(map(tuple, g["covariance"]))) for g in groups),
        document["samples"],
        document["method"],
        document["seed"],
        tuple(document.get("metrics", ())),
        tuple(Limit(*one) for one in document.get("limits", ())),
        document.get("expressions", {}),
        document.get("absent", {}),
        document.get("senses", {}),
        document.get("variables", {}),
    )
