"""The law of tensions over boxes of rotations: its bounds, and the kernel against the definition in numpy."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.bounds import orientation_kernels, rotation_kernels
from models.hybrid_cable_robot.bounds.orientation_kernels import new_proof
from models.hybrid_cable_robot.cables.geometry import scaled_wrench_matrix
from models.hybrid_cable_robot.robot import robot_of, rotation_matrix
from models.jit import entry
from models.numerics.rotations import rotation_vector, velocity_matrix
from tests.oracles.cable_robot_tension_law import tension_law, wrench_at

PLACES = np.array([[0.05, -0.02, 0.1], [0.0, 0.1, -0.1], [-0.1, -0.05, 0.15]])


@entry
def compiled_verdict(robot, position, place, half, corner, known):
    """Verdict of the kernel on a corner of the wrenches over a box."""
    can = rotation_kernels.fill_turns(robot.spans, place, half, known.turned)
    if not (can and rotation_kernels.fill_cables(robot, position, known.turned)):
        return False
    heft = orientation_kernels._fill_moment(robot, 0, known)
    rotation_kernels.fill_derivatives(robot, known.turned)
    return orientation_kernels._holds(robot, known, 4, corner, heft)


@entry
def fill_together(robot, position, place, half, known, claims):
    """The claims that one law leaves open over a box."""
    can = rotation_kernels.fill_turns(robot.spans, place, half, known.turned)
    if can and rotation_kernels.fill_cables(robot, position, known.turned):
        heft = orientation_kernels._fill_moment(robot, 0, known)
        rotation_kernels.fill_derivatives(robot, known.turned)
        orientation_kernels._settle_together(robot, known, 0, heft, claims)


def proof_of(robot):
    known = new_proof(robot)
    known.starts[:] = known.law.limits.mean(axis=1)
    return known


CASES = {
    "constrained": ("constrained", {"wrench_set": "gravity"}),
    "suspended": ("suspended", {"wrench_set": "gravity", "weight_moment": "ignored"}),
    "box": ("constrained", {"wrench_set": "box", "f_max": 60.0, "f_min": 1.0}),
}
WEAK = ("constrained", {"wrench_set": "box", "f_max": 24.0, "f_min": 1.0})


def robot_with(preset, settings):
    return robot_of(MODEL.resolve(preset, {"orientations": "certified", "rotation_limit": 0.2, **settings}))


def boxes(rng, count):
    """Centres and half sides (3,) as shares of the whole box."""
    halves = 0.5 ** rng.integers(1, 5, count)[:, None] * np.ones(3)
    return rng.uniform(-1, 1, (count, 3)) * (1 - halves), halves


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_says_what_the_definition_says(name):
    robot = robot_with(*CASES[name])
    rng, agreed = np.random.default_rng(3), []
    for place, half in zip(*boxes(rng, 40), strict=True):
        position, known = PLACES[rng.integers(len(PLACES))], proof_of(robot)
        corner = int(rng.integers(len(known.corners)))
        found = compiled_verdict(robot, position, place, half, corner, known)
        law = tension_law(
            robot, position, place @ robot.spans, half[:, None] * robot.spans, known.corners[corner]
        )
        if found or law.holds:
            assert known.law.tensions[:, 0] == pytest.approx(law.tensions, abs=3e-4)
            rates = known.law.rates[:, :, 0].T
            assert rates == pytest.approx(law.rates, abs=3e-4)
        agreed.append(found == law.holds)
    assert np.mean(agreed) >= 0.95  # differences are not exact, and a verdict may hang on them


def test_one_law_for_all_corners_says_what_the_definition_says():
    robot = robot_with(*WEAK)
    rng, agreed, shown = np.random.default_rng(4), [], []
    for place, half in zip(*boxes(rng, 8), strict=True):
        position, known = PLACES[rng.integers(len(PLACES))], proof_of(robot)
        claims = np.ones(len(known.corners), np.bool_)
        fill_together(robot, position, place, half, known, claims)
        for number in rng.integers(0, len(claims), 6):
            corner, steps = known.corners[number], half[:, None] * robot.spans
            law = tension_law(robot, position, place @ robot.spans, steps, corner, together=True)
            assert known.law.tensions[:, number] == pytest.approx(law.tensions, abs=3e-4)
            rates = known.law.rates[:, :, number].T
            assert rates == pytest.approx(law.rates, abs=3e-4)
            agreed.append(claims[number] != law.holds)
            shown.append(law.holds)
    assert np.mean(agreed) >= 0.95
    assert 0.1 < np.mean(shown) < 0.9


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_no_rotation_of_a_box_leaves_its_bounds(name, together):
    robot = robot_with(*CASES[name])
    rng = np.random.default_rng(5)
    for place, half in zip(*boxes(rng, 12), strict=True):
        position, center, steps = (
            PLACES[rng.integers(len(PLACES))],
            place @ robot.spans,
            half[:, None] * robot.spans,
        )
        corner = proof_of(robot).corners[-1]
        law = tension_law(robot, position, center, steps, corner, together=together)
        for shares in np.concatenate([rng.uniform(-1, 1, (20, 3)), rng.choice([-1.0, 1.0], (8, 3))]):
            rotation = rotation_matrix(center + shares @ steps)
            W, w = scaled_wrench_matrix(robot, position, rotation), wrench_at(robot, rotation, corner)
            residual = -w - W @ law.tensions_at(shares)
            assert np.linalg.norm(residual) <= law.lack + 1e-6
            assert np.linalg.norm(W @ law.gains - np.eye(6), 2) <= law.change + 1e-6
            moved = law.tensions_at(shares) - law.tensions
            assert (moved >= law.ranges[0] - 1e-9).all()
            assert (moved <= law.ranges[1] + 1e-9).all()


def test_rotations_of_a_box_stray_no_farther_than_stated():
    rng = np.random.default_rng(6)
    worst = 0.0
    for _ in range(3000):
        center = rng.normal(size=3) * rng.uniform(0.05, 0.8)
        step = rng.normal(size=3)
        step *= rng.uniform(0.05, 0.9) / np.linalg.norm(step)
        turned = rotation_vector(rotation_matrix(center + step) @ rotation_matrix(center).T)
        rho, reach = np.linalg.norm(step), np.linalg.norm(center) + np.linalg.norm(step)
        stray = reach * np.exp(reach) / 12 * rho**2 * np.exp(rho)
        worst = max(worst, np.linalg.norm(turned - velocity_matrix(center) @ step) / stray)
    assert 0.1 < worst <= 1.0
