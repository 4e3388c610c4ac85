"""Small motions of a single link in the chain: a pendulum, and the vibrations of a free and of a pinned beam."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import brentq

from models.flexible_arm.arm import arm_of_links
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.modal_integrals import link_integrals, rigid_integrals
from tests.oracles import flexible_arm_equations

GRAVITY = 9.81  # [m/s^2]


def one_link(section, ends, count, gravity, pinned):
    link = (
        link_integrals(section, beam_modes(section, ends, count), section.J, 0.0, 0.0)
        if count
        else rigid_integrals(section, section.J)
    )
    return arm_of_links([section.length], [link], gravity, pinned)


def section(EI, length=0.8, mu=1.3, height=0.02):
    return Section(length, EI, 12 * EI / height**2 / 3.12, mu, mu * height**2 / 12)


def period(arm, angle):
    """Period [s] of the rigid pinned link after release at rest, at an angle [rad] from where it hangs."""
    N = int(arm.offsets[-1])
    begin = np.zeros(2 * N)
    begin[2] = angle - math.pi / 2

    def rates(_, y):
        return np.concatenate(
            [y[N:], flexible_arm_equations.accelerations(arm, y[:N], y[N:], np.zeros((2, 2)))]
        )

    def hangs(_, y):
        return y[2] + math.pi / 2

    hangs.direction = -1.0
    solution = solve_ivp(rates, (0.0, 3.0), begin, "DOP853", events=hangs, rtol=1e-11, atol=1e-14)
    first, second = solution.t_events[0][:2]
    return second - first


@pytest.mark.parametrize("angle", [1e-3, 0.3])
def test_a_rigid_link_swings_as_the_compound_pendulum(angle):
    """Period 4 K(sin(angle / 2)) / omega by the arithmetic-geometric mean; omega^2 = m g l / 2 over m l^2 / 3 + J l."""
    beam = section(1e3)
    mass, inertia = beam.mu * beam.length, beam.mu * beam.length**3 / 3 + beam.J * beam.length
    small = 2 * math.pi * math.sqrt(inertia / (mass * GRAVITY * beam.length / 2))
    a, b = 1.0, math.cos(angle / 2)
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    assert period(one_link(beam, "ss", 0, GRAVITY, pinned=True), angle) == pytest.approx(small / a, rel=1e-10)


def test_a_stiff_link_swings_nearly_as_a_rigid_one():
    """Bending lets it swing slower, by a share that falls with the stiffness."""
    shares = []
    for EI in (50.0, 200.0):
        rigid, elastic = (
            slowest_swing(one_link(section(EI), "ss", count, GRAVITY, pinned=True)) for count in (0, 3)
        )
        shares.append(1.0 - elastic / rigid)
    assert 0.0 < shares[0] < 1e-3
    assert shares[0] / shares[1] == pytest.approx(4.0, rel=0.02)


def slowest_swing(arm):
    """The lowest frequency [rad/s] about the hanging link, by central differences of the bias."""
    N, h = int(arm.offsets[-1]), 1e-4
    hanging, still = np.zeros(N), np.zeros(N)
    hanging[2] = -math.pi / 2
    slopes = [
        (
            flexible_arm_equations.bias(arm, hanging + h * way, still)
            - flexible_arm_equations.bias(arm, hanging - h * way, still)
        )
        / (2 * h)
        for way in np.eye(N)
    ]
    squares = eigh(
        np.array(slopes)[2:, 2:], flexible_arm_equations.mass_matrix(arm, hanging)[2:, 2:], eigvals_only=True
    )
    return math.sqrt(squares[0])


def frequencies(arm):
    """Frequencies of small vibrations of the straight link [rad/s], rising, without its rigid motions."""
    N = int(arm.offsets[-1])
    M, K = flexible_arm_equations.mass_matrix(arm, np.zeros(N)), np.zeros((N, N))
    k = N - 3
    K[3:, 3:] = arm.stiffness[0, :k, :k]
    free = slice(2 if arm.pinned else 0, N)
    squares = eigh(K[free, free], M[free, free], eigvals_only=True)
    return np.sqrt(squares[1 if arm.pinned else 3 :])


@pytest.mark.parametrize("height", [0.02, 0.3])
def test_a_free_link_vibrates_as_a_free_beam(height):
    """Whatever frame its modes belong to: the frequencies fall towards those of the beam with the ends ff.

    Modes ff contain them. With the others the error falls with a high power of the number of modes, and with
    a lower one in a thick beam.
    """
    beam = section(100.0, height=height)
    exact = beam_modes(beam, "ff", 3).frequencies
    for ends in ("ss", "cf", "ff"):
        errors = [
            frequencies(one_link(beam, ends, count, 0.0, pinned=False))[:3] / exact - 1.0 for count in (6, 18)
        ]
        if ends == "ff":
            assert np.abs(errors).max() < 1e-12
        else:
            assert (errors[1] > 0.0).all()
            assert errors[1].max() < (5e-5 if height < 0.1 else 1e-3)
            assert (errors[0] > (20 if height < 0.1 else 9) * errors[1]).all()


@pytest.mark.parametrize("ends", ["ss", "cf", "ff"])
def test_a_pinned_link_vibrates_as_a_beam_that_is_supported_at_one_end(ends):
    """Slender: tan x = tanh x."""
    beam = section(100.0, height=1e-3)
    root = brentq(lambda x: math.tan(x) - math.tanh(x), 3.6, 4.2)
    exact = root**2 * math.sqrt(beam.EI / beam.mu) / beam.length**2
    found = frequencies(one_link(beam, ends, 16, 0.0, pinned=True))[0]
    assert found == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("ends", ["cc", "sc", "cs"])
def test_modes_with_more_supports_than_a_frame_has_are_too_stiff(ends):
    """They leave no end to turn against the chord, or only one: no number of them comes to the free beam."""
    beam = section(100.0)
    exact = beam_modes(beam, "ff", 1).frequencies[0]
    found = [frequencies(one_link(beam, ends, count, 0.0, pinned=False))[0] / exact for count in (6, 20)]
    assert found[1] > 1.1
    assert found[1] == pytest.approx(found[0], rel=0.05)
