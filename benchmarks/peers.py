"""``make bench-peers``: the same work by the programs of others and by ours, in one session; ratios of time.

Each comparison states the work, the time of both and how far both are from the truth: seconds of processor,
of the clock where results go to a store. Figures, not tests.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.integrate import solve_bvp

from benchmarks.engine import opener
from benchmarks.engine import study as zdt1_study
from benchmarks.hybrid_cable_robot import record
from benchmarks.machine import machine
from benchmarks.other_programs import zdt1
from benchmarks.timing import best_seconds
from models.continuum_dynamics import ContinuumDynamics, static_solution
from models.hybrid_cable_robot import follow_winches
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.robot import load_case, robot_of
from models.hybrid_cable_robot.wrench.capacity import capacity_margin
from studies.execution import open_executor
from studies.run.launch import run_study
from studies.store import Store

OUTPUT = Path("bench-peers.json")
Array = NDArray[np.float64]

processor_seconds = partial(best_seconds, clock=time.process_time)


@dataclass(frozen=True)
class Comparison:
    """Seconds for the same work here and there, and the error of both against what ``truth`` names."""

    peer: str
    work: str
    ours: float
    theirs: float
    truth: str
    our_error: str
    their_error: str

    @property
    def ratio(self) -> float:
        """Their time over ours: above 1, ours is faster."""
        return self.theirs / self.ours


def pymoo(small: bool) -> Comparison:
    """NSGA-II on ZDT1: our ask and tell around it, and its own run; the same operators, seeds apart."""
    from benchmarks import searches

    generations = 2 if small else searches.GENERATIONS
    ours, theirs = searches.alternate("nsga2", 2, generations, 1 if small else 3)
    designs = searches.POPULATION * generations
    work = f"NSGA-II, ZDT1, {designs} evaluations"
    same = "the same algorithm"
    return Comparison("pymoo", work, ours * designs / 1e3, (theirs or 0.0) * designs / 1e3, "", same, same)


def optuna_store(small: bool) -> Comparison:
    """NSGA-II with every result in an SQLite file, evaluated in the driver."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    generations = 1 if small else 10
    definition = zdt1_study(0.0, generations)
    trials = 10 if small else 1000

    def objective(trial: optuna.Trial) -> tuple[float, float]:
        return zdt1([trial.suggest_float(f"x{i}", 0, 1) for i in range(12)], 0.0)

    with tempfile.TemporaryDirectory() as folder:
        with Store(str(Path(folder) / "ours.db")) as store, open_executor(1) as executor:
            warm = definition.model_copy(update={"name": "warm-up", "seeds": [0]})
            run_study(store, warm, opener(executor))
            ours = best_seconds(lambda: run_study(store, definition, opener(executor)), 1)
        study = optuna.create_study(
            storage=f"sqlite:///{Path(folder) / 'theirs.db'}",
            directions=["minimize", "minimize"],
            sampler=optuna.samplers.NSGAIISampler(population_size=100, seed=1),
        )
        theirs = best_seconds(lambda: study.optimize(objective, n_trials=trials), 1)
    theirs *= 100 * generations / trials
    work = f"NSGA-II, ZDT1, {100 * generations} evaluations kept in SQLite"
    return Comparison("optuna", work, ours, theirs, "", "stored in batches", "stored one by one")


def pycapacity(small: bool) -> Comparison:
    """Distance of the weight from the nearest facet of what eight cables can bear, pose by pose."""
    from pycapacity.algorithms import hyper_plane_shift_method

    robot = robot_of(record("constrained", wrench_set="gravity", cells=20))
    turn = robot.rotations[0]
    weight = load_case(robot, 0)
    places = np.random.default_rng(1).uniform(-0.3, 0.3, (3 if small else 100, 3))
    scale = np.repeat([1.0, 1.0 / robot.length_scale], 3)[:, None]
    matrices = [scale * wrench_matrix(robot, place, turn) for place in places]
    low, high = (np.broadcast_to(each, 8).astype(np.float64) for each in (weight.f_min, weight.f_max))

    def theirs_at(W: Array) -> float:
        H, d = hyper_plane_shift_method(W, low, high)
        norms = np.linalg.norm(H, axis=1)
        return float(((np.ravel(d) - H @ -weight.center) / norms).min())

    ours = [capacity_margin(W, weight) for W in matrices]
    theirs = [theirs_at(W) for W in matrices]
    span = max(np.abs(ours))
    apart = f"{max(np.abs(np.subtract(ours, theirs))) / span:.1g} apart, of the greatest"
    work = f"wrench margin, eight cables, {len(places)} poses"
    return Comparison(
        "pycapacity", work, processor_seconds(lambda: [capacity_margin(W, weight) for W in matrices]),
        processor_seconds(lambda: [theirs_at(W) for W in matrices]), "each other", apart, apart,
    )  # fmt: skip


LENGTH, RADIUS, MODULUS, DENSITY, GRAVITY = 0.3, 0.01, 1e7, 1000.0, 9.81
"""A soft rod, clamped level, that bends under its weight."""


def elastica_tip() -> Array:
    """Tip (x, z) [m] of the rod without stretch and shear: boundary values of Euler's elastica."""
    area, stiffness = np.pi * RADIUS**2, MODULUS * np.pi * RADIUS**4 / 4
    weight = DENSITY * area * GRAVITY

    def change(s: Array, y: Array) -> Array:
        curving = -weight * (LENGTH - s) * np.cos(y[0]) / stiffness
        return np.array([y[1], curving, np.cos(y[0]), np.sin(y[0])])

    def ends(first: Array, last: Array) -> Array:
        return np.array([first[0], last[1], first[2], first[3]])

    s = np.linspace(0, LENGTH, 50)
    return solve_bvp(change, ends, s, np.zeros((4, 50)), tol=1e-8).y[2:, -1]


def pyelastica(small: bool) -> Comparison:
    """A soft rod at rest under its weight: damped to rest there, solved at once here."""
    seconds = 0.02 if small else 3.0
    disks = 20
    parameters = ContinuumDynamics.model_validate({
        "disks": disks, "length": LENGTH, "backbone_diameter": 2 * RADIUS, "youngs_modulus": MODULUS,
        "density": DENSITY, "disk_mass": 1e-6, "gravity": (GRAVITY, 0.0, 0.0),
    })  # fmt: skip
    slack = [-0.1] * len(parameters.drives)
    rest = static_solution(parameters, slack)
    ours = processor_seconds(lambda: static_solution(parameters, slack))
    truth, tip = elastica_tip(), rest.positions[-1]
    _damped_rod(disks, 0.001)  # compiles
    start = time.process_time()
    their_tip = _damped_rod(disks, seconds)
    theirs = time.process_time() - start
    here = np.array([tip[2], abs(tip[0])])
    missed = [f"{np.linalg.norm(each - truth) / LENGTH:.1g} of the length" for each in (here, their_tip)]
    work = f"a soft rod of {disks} elements at rest under its weight: solved here, swung to rest there"
    return Comparison("pyelastica", work, ours, theirs, "Euler's elastica", *missed)


def _damped_rod(elements: int, seconds: float) -> Array:
    import elastica as ea

    class System(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
        """Parts of PyElastica that the rod needs."""

    system = System()
    step = (
        0.2 * LENGTH / elements / np.sqrt(MODULUS / DENSITY)
    )  # a fifth of what sound takes through an element
    rod = ea.CosseratRod.straight_rod(
        elements, np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), LENGTH, RADIUS, DENSITY,
        youngs_modulus=MODULUS, shear_modulus=MODULUS / 3,
    )  # fmt: skip
    system.append(rod)
    system.constrain(rod).using(
        ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
    )
    system.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([GRAVITY, 0.0, 0.0]))
    system.dampen(rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=10.0, time_step=step)
    system.finalize()
    stepper, now = ea.PositionVerlet(), np.float64(0.0)
    for _ in range(round(seconds / step)):
        now = stepper.step(system, now, step)
    tip = rod.position_collection[:, -1]
    return np.array([tip[2], abs(tip[0])])


def exudyn(small: bool) -> Comparison:
    """A continuum robot that one cable bends: relative coordinates here, exact beams there."""
    from models.continuum_dynamics import Drive
    from models.continuum_dynamics.relative.simulation import simulate
    from tests.models.continuum_dynamics.relative import test_exudyn as there

    robot, duration = there.ours(10, there.HANGING), 0.02 if small else 2.0
    motion = simulate(robot, [Drive(pull=there.PULL)], duration, step=0.001)
    ours = processor_seconds(lambda: simulate(robot, [Drive(pull=there.PULL)], duration))
    start = time.process_time()
    times, tips, _ = there.motion_there(robot, duration, 4)
    theirs = time.process_time() - start
    at = np.round(times / 0.001).astype(int)
    missed = np.linalg.norm(tips - motion.positions[at, -1], axis=1).max() / there.LENGTH
    apart = f"tips at most {missed:.1g} of the length apart"
    work = f"{duration:g} s of a continuum robot of 10 disks"
    return Comparison("exudyn", work, ours, theirs, "each other", apart, apart)


def mujoco(small: bool) -> Comparison:
    """A platform on eight elastic cables whose free lengths shrink by one per cent in a second."""
    mujoco: Any = import_module("mujoco")  # compiled, without types
    from tests.models.hybrid_cable_robot import test_winch_motion as there

    samples = 3 if small else 51
    given = there.record(
        trajectory=there.HELD, cable_damping=0.0, settling_duration=0.0, trajectory_samples=samples
    )
    free = there.free_lengths(given)
    given = there.with_lengths(given, (0.0, 1.0), [free.tolist(), (0.99 * free).tolist()])
    found = follow_winches(given)
    model = mujoco.MjModel.from_xml_string(there.mjcf(there.moving_robot(given), there.start_of(given)))
    last: Array = np.empty(3)

    def theirs() -> None:
        data = mujoco.MjData(model)
        while data.time < 1.0 - 1e-9:
            share = data.time + model.opt.timestep / 2
            model.tendon_lengthspring[:, 1] = free * (1 - 0.01 * share)
            mujoco.mj_step(model, data)
        last[:] = data.qpos[:3]

    ours_seconds, their_seconds = processor_seconds(lambda: follow_winches(given)), processor_seconds(theirs)
    way = np.linalg.norm(found.positions - found.positions[0], axis=1).max()
    apart = f"{np.linalg.norm(last - found.positions[-1]) / way:.1g} of the way apart"
    work = "1 s of a platform on eight elastic cables"
    return Comparison("mujoco", work, ours_seconds, their_seconds, "each other", apart, apart)


PEERS: dict[str, Callable[[bool], Comparison]] = {
    "pymoo": pymoo, "optuna": optuna_store, "pycapacity": pycapacity, "pyelastica": pyelastica,
    "exudyn": exudyn, "mujoco": mujoco,
}  # fmt: skip
"""By the name of the package."""
MODULES = {"pyelastica": "elastica"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--json", type=Path, default=OUTPUT, help=f"where the figures go (default {OUTPUT})")
    parser.add_argument(
        "--small", action="store_true", help="small sizes: does it run? The figures mean nothing"
    )
    options = parser.parse_args()
    before = os.getloadavg()
    absent = [name for name in PEERS if find_spec(MODULES.get(name, name)) is None]
    found = [compare(options.small) for name, compare in PEERS.items() if name not in absent]
    table = Table("peer", "work", "ours", "theirs", "theirs / ours", "error of ours", "error of theirs")
    for each in found:
        name = f"{each.peer} {version(each.peer)}"
        seconds = (f"{each.ours:.3g} s", f"{each.theirs:.3g} s", f"{each.ratio:.3g}")
        table.add_row(name, each.work, *seconds, each.our_error, each.their_error)
    Console().print(table)
    for name in absent:
        print(f"{name} is left out: not installed, or without a wheel for this Python")
    rows = [{**asdict(each), "ratio": each.ratio, "version": version(each.peer)} for each in found]
    told = {**machine(), "load_before": before, "absent": absent, "comparisons": rows}
    options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
