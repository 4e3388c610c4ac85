"""Contact forces: impacts against the closed form of restitution, friction's shapes and signs, the kernels."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from errors import InputError, UnknownNameError
from models.flexible_arm.contact import (
    CONTACT_LAWS,
    FRICTION_LAWS,
    LEAST_ENTRY_SPEED,
    contact_of,
    damping_factor,
    effective_restitution,
    friction_of,
    restitution,
)
from models.flexible_arm.contact_kernels import contact_slopes as compiled_slopes
from models.flexible_arm.ground import LEVEL, ground_at, ground_of
from models.jit import entry
from tests.models.flexible_arm.kernel_entries import fill_contact_forces
from tests.oracles.contact_forces import (
    contact_forces,
    contact_slopes,
    friction_force,
    gap_gradient,
    normal_force,
)

STIFFNESS = 1.4e8
HILLS = ground_of([(-1.0, 0.0), (-0.2, 0.3), (0.4, 0.3), (0.9, -0.2), (2.0, 0.1)])


def impact(chi, mass=1.0, speed=2.0):
    """Depths, rates and forces of a mass that hits the ground with nothing else acting on it."""

    def motion(_, state):
        return [state[1], -float(normal_force(STIFFNESS, chi, state[0], state[1], speed)) / mass]

    def out(_, state):
        return state[0]

    out.terminal, out.direction = True, -1.0
    scale = (mass / STIFFNESS) ** 0.4 * speed**0.8  # [m]; of the depth
    found = solve_ivp(
        motion,
        (0.0, 2000 * scale / speed),
        [1e-13 * scale, speed],
        method="DOP853",
        rtol=1e-11,
        atol=[1e-14 * scale, 1e-13 * speed],
        events=out,
        max_step=0.02 * scale / speed,
    )
    return found.y[0], found.y[1], normal_force(STIFFNESS, chi, found.y[0], found.y[1], speed)


@pytest.mark.parametrize("law", CONTACT_LAWS)
@pytest.mark.parametrize("coefficient", [0.3, 0.8, 0.95])
def test_an_impact_has_the_restitution_of_the_closed_form(law, coefficient):
    depths, rates, forces = impact(damping_factor(law, coefficient))
    assert depths[-1] == pytest.approx(0.0, abs=1e-12)
    assert -rates[-1] / rates[0] == pytest.approx(restitution(law, coefficient), abs=2e-8)
    assert forces.min() >= 0.0


@pytest.mark.parametrize(("mass", "speed"), [(0.1, 2.0), (20.0, 0.01)])
def test_restitution_depends_on_neither_mass_nor_speed(mass, speed):
    _, rates, _ = impact(damping_factor("hu-guo", 0.8), mass, speed)
    assert -rates[-1] / speed == pytest.approx(restitution("hu-guo", 0.8), abs=2e-8)


@pytest.mark.parametrize("chi", [1e-6, 1e-4, 1.01e-4, 0.01, 0.375, 0.8999, 0.9001, 1.0, 3.0, 10.0])
def test_the_effective_restitution_solves_the_closed_form(chi):
    e = effective_restitution(chi)
    assert chi * (1 + e) == pytest.approx(math.log((1 + chi) / (1 - chi * e)), rel=1e-8)
    assert 0.0 < e < 1.0


def test_an_elastic_impact_and_a_heavily_damped_one():
    assert effective_restitution(0.0) == 1.0
    assert effective_restitution(1e6) == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("law", "effective"),
    [("hu-guo", 0.799), ("flores", 0.789), ("hunt-crossley", 0.833), ("lankarani-nikravesh", 0.847)],
)
def test_what_the_laws_make_of_a_coefficient_of_0_8(law, effective):
    assert restitution(law, 0.8) == pytest.approx(effective, abs=5e-4)
    assert restitution(law, 1.0) == 1.0


def test_the_normal_force_only_pushes():
    depths, rates = np.array([-1e-3, 0.0, 1e-4, 1e-4]), np.array([1.0, 1.0, 0.5, -9.0])
    forces = normal_force(STIFFNESS, 0.375, depths, rates, 1.0)
    assert forces == pytest.approx([0.0, 0.0, STIFFNESS * 1e-6 * 1.1875, 0.0])
    assert np.isfinite(normal_force(STIFFNESS, 0.375, 1e-4, 1.0, 0.0))
    slow = normal_force(STIFFNESS, 0.375, 1e-4, LEAST_ENTRY_SPEED, 0.0)
    assert slow == pytest.approx(STIFFNESS * 1e-6 * 1.375)


def test_ambrosios_friction_begins_at_v0_and_is_whole_at_v1():
    friction = friction_of("ambrosio", 0.1)
    speeds = np.array([0.0, 1e-4, 5.5e-4, 1e-3, 2.0])
    expected = -np.array([0.0, 0.0, 0.5, 1.0, 1.0]) * 0.1 * 50.0
    assert friction_force(friction, 50.0, speeds) == pytest.approx(expected, abs=1e-12)
    assert friction_force(friction, 50.0, -speeds) == pytest.approx(-expected, abs=1e-12)


def test_coulombs_friction_is_whole_at_v0():
    friction = friction_of("coulomb", 0.1)
    speeds = np.array([0.0, 5e-5, 1e-4, 2.0])
    expected = -np.array([0.0, 0.5, 1.0, 1.0]) * 0.1 * 50.0
    assert friction_force(friction, 50.0, speeds) == pytest.approx(expected, abs=1e-12)
    assert friction_force(friction, 50.0, -speeds) == pytest.approx(-expected, abs=1e-12)


def test_stribecks_friction_falls_from_the_static_to_the_kinetic_coefficient():
    friction = friction_of("stribeck", 0.1, 0.15, 0.01, (1e-6, 1e-5))
    speeds = np.array([1e-6, 0.01, 1.0])
    expected = -50.0 * np.array([0.15, 0.1 + 0.05 / math.e, 0.1])
    assert friction_force(friction, 50.0, speeds) == pytest.approx(expected, rel=1e-8)
    steps = np.abs(friction_force(friction, 50.0, np.geomspace(1e-6, 1.0, 200)))
    assert (np.diff(steps) <= 1e-12).all()


def random_points(seed, count=2000):
    rng = np.random.default_rng(seed)
    points = np.column_stack([rng.uniform(-2.0, 3.0, count), rng.uniform(-0.3, 0.4, count)])
    velocities = rng.normal(size=(count, 2)) * 10.0 ** rng.uniform(-6, 1, (count, 1))
    return points, velocities, np.where(rng.random(count) < 0.1, 0.0, rng.uniform(0.0, 3.0, count))


def compiled(contact, points, velocities, entry_speeds):
    gaps, out = np.empty(len(points)), np.empty((len(points), 6))
    fill_contact_forces(contact, points, velocities, entry_speeds, gaps, out)
    return gaps, out


@pytest.mark.parametrize("law", FRICTION_LAWS)
@pytest.mark.parametrize("ground", [LEVEL, HILLS], ids=["level", "hills"])
def test_the_kernels_are_the_definition(law, ground):
    contact = contact_of("flores", 0.7, STIFFNESS, friction_of(law), ground)
    state = random_points(3)
    found = contact_forces(contact, *state)
    parts = (found.normal, found.tangential, found.power_normal, found.power_friction)
    twin = np.column_stack([found.force, *parts])
    assert (found.normal > 0).sum() > 300
    assert compiled(contact, *state)[1] == pytest.approx(twin, rel=1e-12, abs=1e-12 * np.abs(twin).max())


@pytest.mark.parametrize("law", FRICTION_LAWS)
@pytest.mark.parametrize("ground", [LEVEL, HILLS], ids=["level", "hills"])
def test_slopes_are_differences_of_the_forces(law, ground):
    """Away from the edges of the ramp and from the depth at which the ground lets go."""
    contact = contact_of("flores", 0.7, STIFFNESS, friction_of(law), ground)
    points, velocities, entry_speeds = random_points(6)
    slopes = contact_slopes(contact, points, velocities, entry_speeds)
    surface = ground_at(ground, points[:, 0])
    tangent = np.stack([surface.cosine, surface.sine], axis=1)
    up = gap_gradient(ground, points[:, 0], points[:, 1])
    across = up - (up * tangent).sum(axis=1)[:, None] * tangent  # leaves the speed along the ground
    across /= (across * up).sum(axis=1)[:, None]
    along = tangent - (tangent * up).sum(axis=1)[:, None] * across  # leaves the speed up
    step = 1e-6 * np.abs(velocities).max(axis=1)[:, None]
    ends = [
        [contact_forces(contact, points, velocities + sign * step * way, entry_speeds) for sign in (1, -1)]
        for way in (along, across)
    ]
    columns = [
        (getattr(more, name) - getattr(less, name)) / (2 * step[:, 0])
        for name, (more, less) in (("tangential", ends[0]), ("tangential", ends[1]), ("normal", ends[1]))
    ]
    differences = np.column_stack(columns)
    force = contact_forces(contact, points, velocities, entry_speeds).normal
    error = np.abs(differences - slopes).max(axis=1) / (np.abs(slopes).max(axis=1) + force + 1e-3)
    assert (slopes != 0).any(axis=1).sum() > 300
    assert np.quantile(error, 0.99) < 1e-4


@entry
def fill_slopes(contact, points, velocities, entry_speeds, out):
    for k in range(len(points)):
        found = compiled_slopes(
            contact, points[k, 0], points[k, 1], velocities[k, 0], velocities[k, 1], entry_speeds[k]
        )
        for i in range(3):
            out[k, i] = found[i]


@pytest.mark.parametrize("law", FRICTION_LAWS)
@pytest.mark.parametrize("ground", [LEVEL, HILLS], ids=["level", "hills"])
def test_the_compiled_slopes_are_the_definition(law, ground):
    contact = contact_of("flores", 0.7, STIFFNESS, friction_of(law), ground)
    state = random_points(3)
    out, twin = np.empty((len(state[0]), 3)), contact_slopes(contact, *state)
    fill_slopes(contact, *state, out)
    assert out == pytest.approx(twin, rel=1e-10, abs=1e-12 * np.abs(twin).max())


@pytest.mark.parametrize("law", FRICTION_LAWS)
@pytest.mark.parametrize("ground", [LEVEL, HILLS], ids=["level", "hills"])
def test_friction_only_takes_and_the_powers_are_those_of_the_force(law, ground):
    contact = contact_of("hu-guo", 0.8, STIFFNESS, friction_of(law), ground)
    points, velocities, entry_speeds = random_points(4)
    gaps, out = compiled(contact, points, velocities, entry_speeds)
    assert (out[:, 2] >= 0.0).all()
    assert (out[gaps >= 0.0] == 0.0).all()
    assert (out[:, 5] <= 0.0).all()
    assert (np.abs(out[:, 3]) <= contact.friction.static * out[:, 2]).all()
    work = (out[:, :2] * velocities).sum(axis=1)
    assert out[:, 4] + out[:, 5] == pytest.approx(work, rel=1e-10, abs=1e-9 * np.abs(work).max())


def test_mirrored_points_have_mirrored_forces_to_the_last_bit():
    contact = contact_of("hu-guo", 0.8, STIFFNESS, friction_of("stribeck"))
    points, velocities, entry_speeds = random_points(5)
    mirror = np.array([-1.0, 1.0])
    _, out = compiled(contact, points, velocities, entry_speeds)
    _, mirrored = compiled(contact, points * mirror, velocities * mirror, entry_speeds)
    assert np.array_equal(mirrored, out * np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0]))


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda: damping_factor("hu-guo", 0.0), "restitution"),
        (lambda: damping_factor("hunt-crossley", -0.1), "restitution"),
        (lambda: damping_factor("flores", 1.1), "restitution"),
        (lambda: damping_factor("flores", math.nan), "restitution"),
        (lambda: friction_of(kinetic=-0.1), "friction_coefficient"),
        (lambda: friction_of(static=-0.1), "static_friction_coefficient"),
        (lambda: friction_of("stribeck", 0.2, 0.1), "static_friction_coefficient"),
        (lambda: friction_of(stribeck_speed=0.0), "stribeck_velocity"),
        (lambda: friction_of(velocities=(1e-3, 1e-4)), "friction_velocities"),
        (lambda: friction_of(velocities=(0.0, 1e-4)), "friction_velocities"),
        (lambda: contact_of("hu-guo", 0.8, 0.0, friction_of()), "contact_stiffness"),
    ],
)
def test_numbers_that_no_law_takes(call, place):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.place == (place,)


def test_unknown_laws_are_named_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="hu-guo"):
        damping_factor("hu-go", 0.8)
    with pytest.raises(UnknownNameError, match="coulomb"):
        friction_of("coulom")


def test_a_coefficient_of_0_is_possible_where_the_law_does_not_divide_by_it():
    assert damping_factor("hunt-crossley", 0.0) == 1.5
    assert damping_factor("lankarani-nikravesh", 0.0) == 0.75
