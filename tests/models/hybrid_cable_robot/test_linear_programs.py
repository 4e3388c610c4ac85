"""Verdicts of the wrench test on six robots against linear programmes, near-singular poses included.

The programme asks how far one can go from the centre of all wrenches that the cables can hold
towards the corners of the wrench box: a share of 1 is just held. It knows nothing of facets.
A pose is a *tie* when the share is within ``TIE`` of 1, or the capacity margin within ``TIE`` of the
greatest tension of 0: there the solver's own tolerance of 1e-10 decides. Ties are counted and few.
"""

import itertools
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares, linprog

from models.hybrid_cable_robot import MODEL, HybridCableRobot
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.cell_results import WRENCH
from models.hybrid_cable_robot.robot import Robot, changed_robot, loads_at, robot_of, rotation_matrix
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.wrench.capacity_kernels import matrix_margin, wrench_scratch

TIE = 1e-9
GROUP = 25  # poses that share orientation, load and limits
NEARLY_SINGULAR = 5  # every so many groups
PUBLISHED = tomllib.loads((Path(__file__).parent / "robots.toml").read_text())
SPACES = {
    "cogiro": [[-7.0, -5.0, 0.0], [7.0, 5.0, 5.0]],
    "ipanema-1": [[-2.0, -1.5, 0.0], [2.0, 1.5, 2.0]],
    "segesta": [[-0.74, -0.68, 0.0], [0.74, 0.68, 1.0]],
}
ROBOTS = ["constrained", "suspended", "robocab", *SPACES]
STREAMS = {name: 100 + place for place, name in enumerate(ROBOTS)}


@dataclass(frozen=True)
class Group:
    """Poses at one orientation under one load: the robot holds both."""

    robot: Robot
    positions: np.ndarray


def robot_named(name):
    """The robot at its nominal orientation, its mass [kg], centre of mass [m] and space [m]."""
    if name in SPACES:
        data = PUBLISHED[name]
        record = HybridCableRobot.model_validate(
            {
                "pulleys": data["pulleys"],
                "attachments": data["attachments"],
                "cable_stiffness": 1000.0,
                "f_max": data["f_max"],
                "orientations": "nominal",
                "check_platform": False,
                "check_interference": False,
            }
        )
        return robot_of(record), data["mass"], np.array(data["centre_of_mass"]), np.array(SPACES[name])
    settings = {"orientations": "nominal", "check_platform": False, "check_interference": False}
    record = MODEL.resolve(name, settings)
    return robot_of(record), 2.236, np.zeros(3), np.array(record.space)


def scaled_matrix(robot, position, rotation):
    W = wrench_matrix(robot, position, rotation)
    W[3:] /= robot.length_scale
    return W


def loaded(rng, robot, mass, centre_of_mass, rotation):
    """The robot turned, with random tension limits, its weight and random loads beside it."""
    weight = np.array([0.0, 0.0, -9.81 * mass]) * rng.choice([1.0, rng.uniform(0.0, 1.5)])
    reach = 0.5 * robot.f_max * 10.0 ** rng.uniform(-2.0, 0.0)
    scale = reach * np.array([1.0, 1.0, 1.0, *(robot.length_scale,) * 3])
    center = np.concatenate([weight, np.cross(rotation @ centre_of_mass, weight)])
    center += rng.integers(0, 2) * rng.normal(size=6) * 0.5 * scale
    sides = 5 if rng.integers(0, 40) == 0 else int(rng.integers(0, 4))
    half_range = np.zeros(6)
    half_range[rng.permutation(6)[:sides]] = rng.uniform(0.0, 0.3, sides)
    f_min = robot.f_max * float(rng.choice([0.0, 0.0, 0.02, 0.1]))
    return changed_robot(
        robot,
        rotations=rotation[None],
        wrench_center=center,
        wrench_range=half_range * scale,
        first_moments=np.zeros((1, 3)),
        f_min=f_min,
        f_max=robot.f_max * float(rng.choice([1.0, 2.0])),
    )


def ordinary(rng, name):
    robot, mass, centre_of_mass, space = robot_named(name)
    rotation = rotation_matrix(rng.uniform(-0.4, 0.4, 3))
    positions = rng.uniform(*space, (GROUP, 3))
    return Group(loaded(rng, robot, mass, centre_of_mass, rotation), positions)


def singular_pose(rng, robot, space):
    """A pose at which all cables are reciprocal to one direction c: W^T c = 0, |c| = 1."""

    def residual(x):
        W = scaled_matrix(robot, x[:3], rotation_matrix(x[3:6]))
        return np.append(W.T @ x[6:], x[6:] @ x[6:] - 1.0)

    while True:
        start = np.concatenate([rng.uniform(*space), rng.uniform(-2.0, 2.0, 3), rng.normal(size=6)])
        found = least_squares(residual, start, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=200)
        if np.abs(found.fun).max() < 1e-12 and np.abs(found.x[3:6]).max() < np.pi:
            return found.x[:3], rotation_matrix(found.x[3:6])


def nearly_singular(rng, name):
    """Around a singular pose, near and nearer, with a load that the cables hold there."""
    robot, mass, centre_of_mass, space = robot_named(name)
    position, rotation = singular_pose(rng, robot, space)
    rotation = rotation @ rotation_matrix(10.0 ** rng.uniform(-8.0, -2.0) * rng.normal(size=3))
    robot = loaded(rng, robot, mass, centre_of_mass, rotation)
    away = robot.length_scale * 10.0 ** rng.uniform(-8.0, -1.0, (GROUP, 1)) * rng.normal(size=(GROUP, 3))
    if rng.integers(0, 2):
        tensions = rng.uniform(robot.f_min, robot.f_max, len(robot.pulleys))
        held = -wrench_matrix(robot, position, rotation) @ tensions
        robot = changed_robot(
            robot, wrench_center=held, wrench_range=0.1 * robot.wrench_range * rng.integers(0, 2)
        )
    return Group(robot, position + away)


def share_held(W, load, counts):
    """Least over the corners of the box of the share that tensions can follow; what is below 1 is enough."""
    sides = [(0.0,) if half == 0.0 else (-half, half) for half in load.half_range]
    low = load.f_min / load.f_max
    middle = -W @ np.full(W.shape[1], (low + 1.0) / 2)
    least = 2.0
    for offset in itertools.product(*sides):
        corner = (load.center + offset) / load.f_max
        share = greatest_share(W, middle, corner - middle, low)
        if share is None:  # rows of very different size: the same equations in orthogonal rows
            counts["solved in orthogonal rows"] += 1
            U, values, V = np.linalg.svd(W, full_matrices=False)
            scaled = U.T / np.maximum(values, 1e-14)[:, None]
            share = greatest_share(V, scaled @ middle, scaled @ (corner - middle), low)
        assert share is not None
        least = min(least, share)
        if least < 1.0 - TIE:
            break
    return least


def greatest_share(W, middle, way, low):
    """Greatest s in [0, 2] for which tensions within [low, 1] hold ``middle + s way``, or None."""
    cables = W.shape[1]
    cost = np.zeros(cables + 1)
    cost[-1] = -1.0
    result = linprog(
        cost,
        A_eq=np.column_stack([W, way]),
        b_eq=-middle,
        bounds=[(low, 1.0)] * cables + [(0.0, 2.0)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return float(result.x[-1]) if result.status == 0 else None


def compare(group, counts):
    """Hold the verdicts of the workspace's own kernels beside the programmes."""
    rotation = group.robot.rotations[0]
    load = loads_at(group.robot, rotation)[0]
    scratch = wrench_scratch(group.robot)
    verdicts = evaluate_cells(group.robot, group.positions, every_index=False).verdicts
    for position, verdict in zip(group.positions, verdicts, strict=True):
        W = scaled_matrix(group.robot, position, rotation)
        values = np.linalg.svd(W, compute_uv=False)
        scratch.W[:] = W
        margin, share = matrix_margin(load, -np.inf, scratch), share_held(W, load, counts)
        counts["poses"] += 1
        counts["held"] += int(verdict != WRENCH)
        counts["nearly singular"] += int(values[-1] < 1e-3 * values[0])
        if min(abs(share - 1.0), abs(margin) / load.f_max) < TIE:
            counts["ties"] += 1
        elif (verdict != WRENCH) != (share > 1.0):
            counts["disagreements"] += 1
            print(f"margin {margin:.6g} N, share {share:.12g}, 1/cond {values[-1] / values[0]:.3g}")  # noqa: T201


def verdicts_beside_programmes(name, poses):
    rng = np.random.default_rng(STREAMS[name])
    counts = Counter()
    for index in range(-(-poses // GROUP)):
        kind = nearly_singular if index % NEARLY_SINGULAR == 0 else ordinary
        compare(kind(rng, name), counts)
    return counts


@pytest.mark.parametrize(
    "poses",
    [450, pytest.param(100_000, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])],
)
@pytest.mark.parametrize("name", ROBOTS)
def test_no_verdict_disagrees_with_a_linear_programme(name, poses):
    counts = verdicts_beside_programmes(name, -(-poses // len(ROBOTS)))
    print(name, dict(counts))  # noqa: T201
    assert counts["disagreements"] == 0
    assert counts["poses"] >= poses / len(ROBOTS)
    assert counts["ties"] <= 0.02 * counts["poses"]
    assert 0.03 * counts["poses"] < counts["held"] < 0.97 * counts["poses"]
    assert counts["nearly singular"] > 0.05 * counts["poses"]


@pytest.mark.parametrize("name", ROBOTS)
def test_verdict_turns_where_the_linear_programme_says(name):
    """A single wrench a millionth short of the farthest that tensions can follow is held, one beyond is not."""
    rng = np.random.default_rng(STREAMS[name])
    scale = np.ones(6)
    for _ in range(2):
        group = ordinary(rng, name)
        robot, rotation = changed_robot(group.robot, wrench_range=np.zeros(6)), group.robot.rotations[0]
        scale[3:] = robot.length_scale
        for position in group.positions:
            W, load = scaled_matrix(robot, position, rotation), loads_at(robot, rotation)[0]
            low = load.f_min / load.f_max
            middle = -W @ np.full(W.shape[1], (low + 1.0) / 2)
            way = 10.0 * rng.normal(size=6)  # beyond what the cables can hold
            share = greatest_share(W, middle, way, low)
            for nearly, held in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
                wrench = robot.f_max * (middle + nearly * share * way) * scale
                turned = changed_robot(robot, wrench_center=wrench)
                verdicts = evaluate_cells(turned, position[None], every_index=False).verdicts
                assert (verdicts[0] != WRENCH) == held
