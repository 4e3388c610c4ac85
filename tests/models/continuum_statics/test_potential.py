"""Energy, gradient and Hessian: the definition against other ways to differentiate, the kernel against it."""

import math

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from models.continuum.arc import SERIES_UP_TO, arc, arc_functions
from models.continuum_statics import disks, frames, robot_of
from models.continuum_statics.energy_kernels import evaluate
from tests.models.continuum_statics.robots import paper
from tests.oracles.potential import potential, potential_of

ROBOTS = {
    "paper": {},
    "sections": {"tie_disks": (6, 4, 2), "tip_mass": 0.05, "gravity": (1.0, 2.0, -3.0), "pretension": 0.5},
    "arcs": {"disks": 3, "arcs_per_gap": 3, "density": 7800.0},
    "sections of arcs": {"arcs_per_gap": 2, "tie_disks": (3, 6, 1), "gravity": "up"},
    "four cables": {"hole_azimuths": (0.1, 1.0, 2.0, 4.0), "tensions": (0.0,) * 4, "disks": 2},
}
SIZES = [1e-9, 0.5, 1.5]  # [rad]


def state(name, size):
    parameters = paper(**ROBOTS[name])
    rng = np.random.default_rng(len(name))
    q = size * rng.normal(size=(parameters.disks * parameters.arcs_per_gap, 3))
    return parameters, q, rng.uniform(0.0, 10.0, parameters.cables)


def bend_and_twist(q):
    """Rodrigues' formula for the bend, as the paper's equation 1 has it."""
    a, b, c = q[0], q[1], q[2]
    theta, o = anp.sqrt(a * a + b * b), 0.0 * a
    k = anp.array([[o, o, b], [o, o, -a], [-b, a, o]]) / theta
    turn = anp.array([[anp.cos(c), -anp.sin(c), o], [anp.sin(c), anp.cos(c), o], [o, o, o + 1.0]])
    bend = anp.eye(3) + anp.sin(theta) * k + (1.0 - anp.cos(theta)) * anp.dot(k, k)
    sag = (1.0 - anp.cos(theta)) / theta**2
    return anp.dot(bend, turn), anp.array([b * sag, -a * sag, anp.sin(theta) / theta])


def energy_of(parameters, tensions):
    """The energy written down once more, for autograd."""
    r, pulls = robot_of(parameters), np.asarray(tensions) + parameters.pretension

    def energy(angles):
        q, total = anp.reshape(angles, (-1, 3)), 0.0
        P, R = anp.zeros(3), anp.eye(3)
        holes = [anp.array([*hole, 0.0]) for hole in r.holes]
        for i, mass in enumerate(r.masses):
            local, end = bend_and_twist(q[i])
            P, R = P + r.L * anp.dot(R, end), anp.dot(R, local)
            total = total + (r.EI * (q[i, 0] ** 2 + q[i, 1] ** 2) + r.GJ * q[i, 2] ** 2) / (2 * r.L)
            total = total - mass * anp.dot(r.gravity, P)
            if (i + 1) % r.arcs:
                continue
            places = [P + anp.dot(R, hole) for hole in holes]
            if (i + 1) // r.arcs == 1:
                before = [anp.array(hole) for hole in holes]
            for cable, place in enumerate(places):
                if (i + 1) // r.arcs <= r.ties[cable]:
                    across = place - before[cable]
                    total = total + pulls[cable] * anp.sqrt(anp.dot(across, across))
            before = places
        return total

    return energy


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("paper", 0.05),
        pytest.param("paper", 1.5, marks=pytest.mark.soak),
        ("sections", 0.5),
        ("arcs", 0.05),
        pytest.param("sections of arcs", 1.5, marks=pytest.mark.soak),
        ("four cables", 0.5),
    ],
)
def test_gradient_and_hessian_are_those_of_automatic_differentiation(name, size):
    parameters, q, tensions = state(name, size)
    found, energy = potential(parameters, q, tensions), energy_of(parameters, tensions)
    assert found.energy == pytest.approx(energy(q.ravel()), rel=1e-13)
    assert found.gradient == pytest.approx(autograd.grad(energy)(q.ravel()), abs=1e-11)
    assert found.hessian == pytest.approx(autograd.hessian(energy)(q.ravel()), abs=1e-9)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("size", SIZES)
def test_gradient_and_hessian_are_those_of_central_differences(name, size):
    parameters, q, tensions = state(name, size)
    body = robot_of(parameters)
    _, gradient, hessian = evaluate(body, tensions, q)

    def differences(h, which):
        rows = []
        for step in h * np.eye(q.size).reshape(-1, *q.shape):
            ahead, behind = (evaluate(body, tensions, at)[which] for at in (q + step, q - step))
            rows.append((ahead - behind) / (2 * h))
        return np.array(rows)

    def refined(which):  # Richardson: the errors of order h^2 and h^4 are gone
        coarse, middle, fine = (differences(h, which) for h in (4e-3, 2e-3, 1e-3))
        return (64 * fine - 20 * middle + coarse) / 45

    scale = np.abs(hessian).max()
    assert gradient == pytest.approx(refined(0), abs=1e-9 * scale)
    assert hessian == pytest.approx(refined(1), abs=1e-9 * scale)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_kernel_computes_what_the_definition_does(name, size):
    parameters, q, tensions = state(name, size)
    energy, gradient, hessian = evaluate(robot_of(parameters), tensions, q)
    defined = potential_of(robot_of(parameters), q, tensions)
    assert energy == pytest.approx(defined.energy, rel=1e-13)
    assert gradient == pytest.approx(defined.gradient, abs=1e-13)
    assert hessian == pytest.approx(defined.hessian, abs=1e-12)


def test_a_cable_without_tension_adds_nothing():
    parameters, q, _ = state("sections of arcs", 0.4)
    alone = evaluate(robot_of(parameters), np.zeros(3), q)[2]
    assert alone == pytest.approx(potential_of(robot_of(parameters), q, np.zeros(3)).hessian, abs=1e-13)


@pytest.mark.parametrize("u", [0.0, 1e-12, 0.3, 1.0, 9.0, SERIES_UP_TO - 1e-9, SERIES_UP_TO + 1e-9, 30.0])
def test_functions_of_the_bend_and_their_derivatives(u):
    found, theta = arc_functions(u), math.sqrt(u)
    if u > 0:
        assert pytest.approx(math.sin(theta) / theta, abs=1e-14) == found.A
        assert pytest.approx(2 * math.sin(theta / 2) ** 2 / u, abs=1e-14) == found.B
    assert pytest.approx(math.cos(theta), abs=1e-14) == found.C
    assert pytest.approx((1 - found.A) / u if u > 1e-6 else 1 / 6, abs=1e-12) == found.D
    h = 1e-3
    ahead, behind = arc_functions(u + h), arc_functions(u - h)
    assert pytest.approx((ahead.A - behind.A) / (2 * h), abs=1e-8) == found.A1
    assert pytest.approx((ahead.B - behind.B) / (2 * h), abs=1e-8) == found.B1
    assert pytest.approx((ahead.A1 - behind.A1) / (2 * h), abs=1e-8) == found.A2
    assert pytest.approx((ahead.B1 - behind.B1) / (2 * h), abs=1e-8) == found.B2


def test_rotations_turn_as_stated():
    q, h = np.array([0.4, -0.7, 0.9]), 1e-5
    here = arc(q, 0.1)
    assert pytest.approx(np.eye(3), abs=1e-15) == here.R @ here.R.T
    for i, (turn, shift) in enumerate(zip(here.turns, here.shifts, strict=True)):
        step = h * np.eye(3)[i]
        ahead, behind = arc(q + step, 0.1), arc(q - step, 0.1)
        spin = (ahead.R - behind.R) / (2 * h) @ here.R.T
        assert spin == pytest.approx(np.cross(turn, -np.eye(3)), abs=1e-9)
        assert (ahead.p - behind.p) / (2 * h) == pytest.approx(shift, abs=1e-9)


def test_arcs_of_a_gap_that_bend_alike_are_one_arc():
    whole = paper(tip_mass=0.02)
    split = paper(tip_mass=0.02, arcs_per_gap=4)
    bend = np.array([0.3, 0.2, 0.0])
    one = frames(whole, np.tile(bend, (6, 1)))
    many = disks(split, np.tile(bend / 4, (24, 1)))
    assert many.positions == pytest.approx(one.positions, abs=1e-14)
    assert many.rotations == pytest.approx(one.rotations, abs=1e-14)
    lengths = [potential(p, q, (1, 2, 3)).cable_lengths for p, q in ((whole, np.tile(bend, (6, 1))), (split, np.tile(bend / 4, (24, 1))))]  # fmt: skip
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-14)
