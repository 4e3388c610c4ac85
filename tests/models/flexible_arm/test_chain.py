"""Equations of motion: the definition against the energies of points of the links, and against closed forms."""

import math

import numpy as np
import pytest
from autograd import jacobian

from errors import InputError
from models.flexible_arm.arm import modal_counts
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.chain import end_velocities, energies, link_ends
from models.flexible_arm.modal_integrals import require_kinetic_energy
from tests.models.flexible_arm.chains import (
    ARMS,
    GRAVITY,
    TWO_BENT,
    Bodies,
    Link,
    arm_from,
    integrals_of,
    random_state,
)
from tests.oracles.flexible_arm_equations import (
    accelerations,
    bias,
    dissipation,
    end_jacobians,
    equations,
    mass_matrix,
    momentum,
)
from tests.repetition import crossed

EVERY_ARM = {**ARMS, "two bent": TWO_BENT}


def rate(function, z, v, a, h=1e-3):
    """Rate of a function of state and rates while the state moves with v and a."""
    near, far = (
        (np.array(function(z + s * v, v + s * a)) - function(z - s * v, v - s * a)) / (2 * s)
        for s in (h, 2 * h)
    )
    return (4 * near - far) / 3


def near(expected, tolerance=1e-12):
    return pytest.approx(expected, rel=0.0, abs=tolerance * np.abs(expected).max())


# ---------------------------------------------------------------- against energies of points


@pytest.mark.parametrize(("name", "seed"), crossed(EVERY_ARM, range(3)))
def test_the_equations_are_those_of_lagrange(name, seed):
    links = EVERY_ARM[name]
    arm = arm_from(links)
    z, v, _ = random_state(arm, seed)
    M, h = Bodies(links).equations(z, v)
    mass, forces = equations(arm, z, v)
    assert mass == near(M)
    assert forces == near(h)
    assert np.array_equal(mass_matrix(arm, z), mass)
    assert np.array_equal(bias(arm, z, v), forces)


@pytest.mark.parametrize(("name", "pinned"), crossed(EVERY_ARM, [False, True]))
def test_accelerations_solve_the_equations_of_lagrange(name, pinned):
    links = EVERY_ARM[name]
    arm, bodies = arm_from(links, pinned), Bodies(links)
    z, v, forces = random_state(arm)
    M, h = bodies.equations(z, v)
    loads = np.einsum("api,pa->i", jacobian(bodies.ends)(z), forces) - h
    held = 2 if pinned else 0
    found = accelerations(arm, z, v, forces)
    assert not found[:held].any()
    assert (M @ found)[held:] == near(loads[held:])


@pytest.mark.parametrize("name", EVERY_ARM)
def test_link_ends_and_energies_are_those_of_the_points(name):
    links = EVERY_ARM[name]
    arm, bodies = arm_from(links), Bodies(links)
    z, v, _ = random_state(arm)
    J = jacobian(bodies.ends)(z)
    assert link_ends(arm, z) == near(bodies.ends(z).T, 1e-14)
    assert end_velocities(arm, z, v) == near((J @ v).T, 1e-14)
    assert end_jacobians(arm, z) == near(np.moveaxis(J, 0, 1), 1e-14)
    expected = [bodies.kinetic(z, v), bodies.weight(z), bodies.elastic(z)]
    assert np.array(energies(arm, z, v)) == pytest.approx(np.array(expected), rel=1e-12)
    assert np.array(dissipation(arm, v)) == pytest.approx(bodies.powers(v), rel=1e-12)
    linear, angular = bodies.momentum(z, v)
    found = momentum(arm, z, v)
    assert found.linear == pytest.approx(linear, abs=1e-12)
    assert found.angular == pytest.approx(angular, abs=1e-12)


def test_many_states_are_evaluated_as_one_by_one():
    arm = arm_from(ARMS["five"])
    z, v = (
        np.stack(each).reshape(2, 3, -1)
        for each in zip(*(random_state(arm, s)[:2] for s in range(6)), strict=True)
    )
    together = [link_ends(arm, z), end_velocities(arm, z, v), *energies(arm, z, v), *dissipation(arm, v)]
    for at in np.ndindex(2, 3):
        alone = [
            link_ends(arm, z[at]),
            end_velocities(arm, z[at], v[at]),
            *energies(arm, z[at], v[at]),
            *dissipation(arm, v[at]),
        ]
        for many, one in zip(together, alone, strict=True):
            assert many[at] == pytest.approx(one, rel=1e-14)


# ---------------------------------------------------------------- balances


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("name", EVERY_ARM)
def test_energy_changes_by_forces_and_damping_alone(name, pinned):
    arm = arm_from(EVERY_ARM[name], pinned)
    z, v, forces = random_state(arm)
    a = accelerations(arm, z, v, forces)
    change = rate(lambda at, going: sum(energies(arm, at, going)), z, v, a)
    power = (forces * end_velocities(arm, z, v)).sum() - sum(dissipation(arm, v))
    assert change == pytest.approx(power, abs=1e-8 * (1.0 + np.abs(a).max()))


@pytest.mark.parametrize("name", EVERY_ARM)
def test_momentum_changes_by_gravity_and_forces_alone(name):
    links = EVERY_ARM[name]
    arm = arm_from(links)
    z, v, forces = random_state(arm)
    a, ends = accelerations(arm, z, v, forces), link_ends(arm, z)
    mass, (x, _) = Bodies(links).centre(z)
    change = rate(lambda at, going: momentum(arm, at, going).linear, z, v, a)
    spin = rate(lambda at, going: momentum(arm, at, going).angular, z, v, a)
    moment = (ends[:, 0] * forces[:, 1] - ends[:, 1] * forces[:, 0]).sum() - mass * GRAVITY * x
    scale = 1e-9 * (1.0 + np.abs(a).max())
    assert change == pytest.approx(forces.sum(axis=0) - [0.0, mass * GRAVITY], abs=scale)
    assert spin == pytest.approx(moment, abs=scale)


# ---------------------------------------------------------------- mirrors


@pytest.mark.parametrize("name", EVERY_ARM)
def test_mirrored_states_have_mirrored_accelerations(name):
    arm = arm_from(EVERY_ARM[name])
    z, v, forces = random_state(arm)
    n = len(arm.lengths)
    signs, shift = np.ones(len(z)), np.zeros(len(z))
    signs[1], shift[2 : 2 + n] = -1.0, math.pi
    mirror = -signs  # X1, all angles and all modal coordinates change their sign
    expected = mirror * accelerations(arm, z, v, forces)
    found = accelerations(arm, mirror * z + shift, mirror * v, forces * [-1.0, 1.0])
    assert found == near(expected, 1e-11)


@pytest.mark.parametrize("order", [("cs", "ss", "sc"), ("sc", "cc", "cs"), ("ss", "ss", "cs")])
def test_an_arm_that_is_mirrored_from_end_to_end_moves_as_a_mirror_image(order):
    """The last end becomes the first one, so cs becomes sc; angles change their sign, bends do not."""
    swap = {"cs": "sc", "sc": "cs"}
    arm = arm_from([Link(ends, 1) for ends in order])
    other = arm_from([Link(swap.get(ends, ends), 1) for ends in reversed(order)])
    z, v, forces = random_state(arm)
    mirror = np.array([-1.0, 1.0])

    def mirrored(x, first):
        return np.concatenate([first, -x[4:1:-1], x[:4:-1]])

    a = accelerations(arm, z, v, forces)
    h = 1e-3
    ends = [end_velocities(arm, z + s * v, v + s * a)[-1] for s in (-2 * h, -h, h, 2 * h)]
    last = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)
    start = mirrored(z, mirror * link_ends(arm, z)[-1])
    going = mirrored(v, mirror * end_velocities(arm, z, v)[-1])
    found = accelerations(other, start, going, forces[::-1] * mirror)
    assert found[2:] == near(mirrored(a, mirror * last)[2:], 1e-11)
    assert found[:2] == pytest.approx(mirror * last, abs=1e-8 * np.abs(a).max())


# ---------------------------------------------------------------- closed forms


def test_a_pinned_rigid_link_is_a_compound_pendulum():
    link = Link("rigid", 0)
    length, _, _, mu, _ = link.section
    arm, angle = arm_from([link], pinned=True), 0.4
    mass = mu * length
    inertia = mass * length**2 / 3 + link.rotary_inertia * length
    found = accelerations(arm, np.array([0.3, 0.7, angle]), np.array([0.0, 0.0, 2.0]), np.zeros((2, 2)))
    assert found == pytest.approx(
        [0.0, 0.0, -mass * GRAVITY * length / 2 * math.cos(angle) / inertia], rel=1e-14
    )


def test_a_free_arm_that_is_straight_and_at_rest_falls():
    arm = arm_from(ARMS["five"])
    z = np.zeros(int(arm.offsets[-1]))
    found = accelerations(arm, z, z, np.zeros((6, 2)))
    assert found == pytest.approx([0.0, -GRAVITY, *np.zeros(len(z) - 2)], abs=1e-11)


def frequencies(link):
    """Frequencies of one free link without gravity and damping, those of its rigid motions (3) first."""
    arm = arm_from([link._replace(rotary_inertia=link.section.J)], gravity=0.0)
    z = np.zeros(int(arm.offsets[-1]))
    stiffness = np.zeros((len(z), len(z)))
    stiffness[3:, 3:] = arm.stiffness[0]
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass_matrix(arm, z), stiffness)).real.clip(0.0)))


def test_a_free_link_vibrates_with_the_frequencies_of_a_free_beam():
    """Cantilever modes and the frame that moves with them are a basis of all motions of the link."""
    section = Section(1.0, 1.0, 200.0, 1.0, 0.003)
    expected = beam_modes(section, "ff", 2).frequencies
    assert frequencies(Link("ff", 2, section))[3:] == pytest.approx(expected, rel=1e-9)
    errors = np.array([frequencies(Link("cf", count, section))[3:5] / expected - 1.0 for count in (4, 8, 16)])
    assert np.all(errors > -1e-9)
    assert np.all(errors[1:] < 0.5 * errors[:-1])
    assert errors[-1] == pytest.approx(0.0, abs=1e-3)


def test_stiffer_links_come_to_rigid_ones_at_first_order():
    """With the deflections that inertia and weight call for, which are as small as 1/E."""
    errors = []
    for stiffness in (1e4, 1e5, 1e6):
        sections = [Section(length, stiffness, 200 * stiffness, 1.0, 0.01) for length in (0.8, 1.0, 0.6)]
        kinds = [("cf", 2), ("ss", 1), ("cs", 2)]
        links = [Link(ends, k, section) for (ends, k), section in zip(kinds, sections, strict=True)]
        arm = arm_from(links)
        rigid = arm_from([Link("rigid", 0, section) for section in sections])
        (z, v, forces), count = random_state(rigid), int(arm.offsets[-1]) - 5
        expected = accelerations(rigid, z, v, forces)
        bent, going = np.zeros(5 + count), np.concatenate([v, np.zeros(count)])
        bent[:5] = z
        for _ in range(4):
            M, h = equations(arm, bent, going)
            loads = np.einsum("pai,pa->i", end_jacobians(arm, bent), forces) - h
            missing = (loads - M[:, :5] @ expected)[5:]
            for i, k in enumerate(modal_counts(arm)):
                own = slice(arm.offsets[i], arm.offsets[i + 1])
                bent[own] += np.linalg.solve(arm.stiffness[i, :k, :k], missing[own.start - 5 : own.stop - 5])
        found = accelerations(arm, bent, going, forces)
        errors.append(np.abs(found[:5] - expected).max() / np.abs(expected).max())
    assert errors[0] < 1e-2
    assert np.array(errors[:-1]) / errors[1:] == pytest.approx(10.0, rel=0.1)


# ---------------------------------------------------------------- arms that cannot be


def test_a_link_without_mass_is_refused():
    massless = integrals_of(Link("ss", 1))._replace(m2=0.0)
    with pytest.raises(InputError, match="link 1 has a motion without kinetic energy") as error:
        require_kinetic_energy([massless])
    assert error.value.place == ("integrals", 0)
