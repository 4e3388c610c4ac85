"""RE24 and RE33 of the real-world problems of Tanabe and Ishibuchi, Appl. Soft Comput. 89 (2020) 106078.

Both state their constraints as one further objective, the sum of violations. Objectives are divided by the
published ideal and nadir points; the reference point is 1.1 in each. The extremes of RE24 and the ideal
point of RE33 that long runs of NSGA-II find are the published ones.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems import Problem
from studies.definition.space import DesignSpace, RealVariable

Array = NDArray[np.float64]


def hatch_cover(x: Array) -> Array:
    """RE24: weight, and the sum of violations of bending, shear, deflection and buckling; ``(n, 2)``."""
    flange, beam = x.T
    bending = 4500.0 / (flange * beam)
    buckling = 7e5 * flange**2 / 100.0
    deflection = 56.2e4 / (7e5 * flange * beam**2)
    limits = [1 - bending / 700, 1 - 1800 / beam / 450, 1 - deflection / 1.5, 1 - bending / buckling]
    return np.stack([flange + 120.0 * beam, _violated(limits)], axis=1)


def disc_brake(x: Array) -> Array:
    """RE33: mass, stopping time, and the sum of violations of four limits; ``(n, 3)``."""
    inner, outer, force, surfaces = x.T
    area, cubes = outer**2 - inner**2, outer**3 - inner**3
    limits = [
        outer - inner - 20.0,
        0.4 - force / (3.14 * area),
        1.0 - 2.22e-3 * force * cubes / area**2,
        2.66e-2 * force * surfaces * cubes / area - 900.0,
    ]
    time = 9.82e6 * area / (force * surfaces * cubes)
    return np.stack([4.9e-5 * area * (surfaces - 1.0), time, _violated(limits)], axis=1)


def _violated(limits: list[Array]) -> Array:
    return np.maximum(-np.array(limits), 0.0).sum(axis=0)


def space(*bounds: tuple[float, float]) -> DesignSpace:
    return DesignSpace(tuple(RealVariable(f"x{i}", "1", *pair) for i, pair in enumerate(bounds)))


def _problem(
    evaluate: Callable[[Array], Array],
    bounds: Sequence[tuple[float, float]],
    ideal: Sequence[float],
    nadir: Sequence[float],
) -> Problem:
    least, range_ = np.array(bounds)[:, 0], np.ptp(np.array(bounds), axis=1)

    def normalised(points: Array) -> tuple[Array, Array]:
        found = evaluate(least + points * range_)
        return (found - np.array(ideal)) / (np.array(nadir) - np.array(ideal)), np.zeros(len(points))

    return Problem(space(*bounds), len(ideal), constrained=False, evaluate=normalised)


RE24 = _problem(hatch_cover, [(0.5, 4.0), (0.5, 50.0)], (60.5, 0.0), (481.608088535, 44.2819047619))
RE33 = _problem(
    disc_brake, [(55.0, 80.0), (75.0, 110.0), (1000.0, 3000.0), (11.0, 20.0)],
    (-0.721525, 1.13907203907, 0.0), (5.3067, 3.12833430979, 25.0),
)  # fmt: skip
VOLUMES = {"re24": 1.17141, "re33": 1.02799}
"""Hypervolumes of all nondominated designs of three runs of NSGA-II, 400 designs by 300 generations each."""
