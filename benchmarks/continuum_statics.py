"""Equilibria per second of the continuum robot, with a verdict on each, and what they are made of."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Figure, best_seconds
from models.continuum_statics import ContinuumStatics, Robot, equilibrium, rest, robot_of
from models.continuum_statics.continuation_kernels import follow_rays
from models.continuum_statics.energy_kernels import evaluate
from models.continuum_statics.equilibrium_kernels import judge, settle
from models.continuum_statics.rays import centred_rays
from tests.oracles.potential import potential_of

CALLS = 2000
NUMPY_CALLS = 50


def figures(small: bool = False) -> list[Figure]:
    calls, steps = (2, 5) if small else (CALLS, None)
    start = time.perf_counter()
    equilibrium(ContinuumStatics(), np.zeros(3))
    rows: list[Figure] = [
        ("continuum robot, first equilibrium, kernels loaded or compiled", _since(start), "s")
    ]
    rows += _single(calls)
    robots: tuple[tuple[str, dict[str, object]], ...] = (
        ("6 segments", {}),
        ("6 segments, 50 g", {"tip_mass": 0.05}),
        ("6 segments, in the plane", {"planar": True}),
        ("12 segments", {"disks": 12, "length": 0.48}),
        ("6 segments of 2 arcs", {"arcs_per_gap": 2}),
    )
    shorter = {"tension_steps": steps} if steps else {}
    for told, settings in robots:
        rows.append(
            (f"{told}: stable equilibria with mu_min along rays", _rate({**settings, **shorter}), "1/s")
        )
    return rows


def _since(start: float) -> float:
    return time.perf_counter() - start


def _single(count: int) -> list[Figure]:
    """One call each, from Python, of a bent robot with six segments."""
    parameters = ContinuumStatics(tip_mass=0.03)
    body, tensions = robot_of(parameters), np.array([6.0, 2.0, 0.0])
    q = equilibrium(parameters, tensions).q
    away = q + 0.2
    calls: list[tuple[str, Callable[[], object], int]] = [
        (
            "energy, gradient and Hessian, numpy",
            lambda: potential_of(body, q, tensions),
            min(count, NUMPY_CALLS),
        ),
        ("energy, gradient and Hessian, compiled", lambda: evaluate(body, tensions, q), count),
        ("the same and both smallest eigenvalues", lambda: judge(body, tensions, q), count),
        ("equilibrium from a start 0.2 rad away", lambda: settle(body, tensions, away), count),
        ("the same with eigenvalues, as a record", lambda: equilibrium(parameters, tensions, away), count),
        ("equilibrium along the straight robot's branch", lambda: equilibrium(parameters, tensions), count),
    ]
    return [(f"6 segments, {told}", _micro(call, times), "us") for told, call, times in calls]


def _micro(call: Callable[[], object], calls: int) -> float:
    def many() -> None:
        for _ in range(calls):
            call()

    call()
    return 1e6 * best_seconds(many) / calls


def _rate(settings: dict[str, object]) -> float:
    """Stable equilibria per second along 96 rays of 161 tensions, each with its mu_min."""
    parameters = ContinuumStatics.model_validate(settings)
    body, rates, start = robot_of(parameters), centred_rays(parameters).rates, rest(parameters).q
    loads = np.linspace(0.0, parameters.max_tension, parameters.tension_steps)
    states = np.empty((len(rates), len(loads), *start.shape))
    mus, ends = np.empty(states.shape[:2]), np.empty(len(rates))
    reached, reasons = np.zeros(len(rates), np.int64), np.zeros(len(rates), np.int64)

    def run(body: Robot = body) -> None:
        follow_rays(body, np.zeros(3), rates, loads, start, states, mus, reached, ends, reasons)

    run()
    return int(reached.sum()) / best_seconds(run)
