"""Friction that sticks: closed forms on a plane, other code on the definition, balances, numbers of steps."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models.flexible_arm.contact import friction_of
from models.flexible_arm.ground import LEVEL, ground_of
from models.flexible_arm.integration import Integration
from models.flexible_arm.motion import Touch
from tests.oracles.flexible_arm_equations import state_rates

from .arms import arm, contact, dropped

GRAVITY = 9.81
LAWS = ("ambrosio", "coulomb", "stribeck")


def rough(law="ambrosio", kinetic=2.0, static=2.5, velocities=(1e-4, 1e-3), restitution=0.8, ground=LEVEL):
    """Contact with high friction."""
    friction = friction_of(law, kinetic, static, velocities=velocities)
    return contact(restitution=restitution, ground=ground)._replace(friction=friction)


def block(rule, speed=0.0, slope=0.0, method="dop853"):
    """A rigid link that lies along the ground with both ends, as deep as its weight presses them."""
    chain = arm("rigid")
    depth = (GRAVITY * math.cos(slope) / 2 / rule.stiffness) ** (2 / 3)
    z = np.array([-depth * math.sin(slope), -depth * math.cos(slope), -slope])
    v = speed * np.array([math.cos(slope), -math.sin(slope), 0.0])
    run = Integration(chain, rule, z, v, rtol=1e-9, method=method)
    run.touch.active[:], run.touch.speeds[:] = 1, 1.0
    return run


def falling(slope):
    """Ground that falls evenly towards +x."""
    places = np.linspace(-10.0, 10.0, 41)
    return ground_of(np.stack([places, -math.tan(slope) * places], axis=1))


@cache
def drop(law="ambrosio", ends=("ss",) * 3, until=1.0, rtol=1e-9, method="dop853", **settings):
    """The paper's arm, dropped on rough ground."""
    chain = arm(*ends)
    z = dropped(chain)
    run = Integration(chain, rough(law, **settings), z, 0 * z, rtol=rtol, method=method)
    assert run.advance_to(until)
    return run.motion()


@pytest.mark.parametrize("method", ["dop853", "rkf45"])
def test_a_block_slides_to_rest_by_the_closed_form(method):
    """It slows evenly down to the end of the ramp, v0, and exponentially after that."""
    start, mu, v0 = 0.02, 0.5, 1e-4
    run = block(rough("coulomb", mu), start, method=method)
    slowing = mu * GRAVITY
    until = (start - v0) / slowing
    assert run.advance_to(until / 2)
    assert run.motion().velocities[-1, 0, 0] == pytest.approx(start - slowing * until / 2, rel=1e-9)
    assert run.advance_to(until + 1.0)
    motion = run.motion()
    way = (start**2 - v0**2) / (2 * slowing) + v0**2 / slowing
    assert motion.points[-1, :, 0] - motion.points[0, :, 0] == pytest.approx([way, way], rel=1e-8)
    assert motion.velocities[-1, :, 0] == pytest.approx([0.0, 0.0], abs=1e-10)
    late = motion.times > until
    speeds = v0 * np.exp(-slowing / v0 * (motion.times[late] - until))
    assert motion.velocities[late, 0, 0] == pytest.approx(speeds, abs=3e-9)
    assert motion.energy_balance.friction[-1] == pytest.approx(start**2 / 2, rel=1e-8)


@pytest.mark.parametrize(("law", "creep"), [("coulomb", (0.0, 1e-4)), ("ambrosio", (1e-4, 1e-3))])
def test_on_a_slope_below_mu_it_sticks(law, creep):
    """It creeps at the speed at which the ramp holds its weight."""
    slope = math.radians(20)
    run = block(rough(law, 0.6, ground=falling(slope)), slope=slope)
    assert run.advance_to(1.0)
    share = math.tan(slope) / 0.6
    speed = creep[0] + share * (creep[1] - creep[0])
    along = run.motion().velocities[-1] @ [math.cos(slope), -math.sin(slope)]
    assert along == pytest.approx([speed, speed], rel=1e-6)
    assert run.motion().steps < 1000  # 10 000 of the pair alone


@pytest.mark.parametrize("law", ["coulomb", "ambrosio"])
def test_on_a_slope_above_mu_it_slides(law):
    slope, mu = math.radians(20), 0.2
    run = block(rough(law, mu, ground=falling(slope)), speed=0.01, slope=slope)
    assert run.advance_to(0.5)
    along = run.motion().velocities[-1] @ [math.cos(slope), -math.sin(slope)]
    speed = 0.01 + GRAVITY * (math.sin(slope) - mu * math.cos(slope)) * 0.5
    assert along == pytest.approx([speed, speed], rel=1e-6)


@pytest.mark.parametrize("law", LAWS)
def test_an_impact_that_sticks_agrees_with_an_explicit_pair_on_the_definition(law):
    """A tilted link hits with one end; scipy's DOP853 goes on by steps of one to two microseconds."""
    velocities = (3e-4, 2e-3) if law == "ambrosio" else (3e-4, 1.0)
    chain, rule = arm("rigid"), rough(law, 1.0, 1.3, velocities)
    z, v = np.array([0.0, 0.0, 0.4]), np.array([0.05, -1.0, 0.0])
    run = Integration(chain, rule, z, v, rtol=1e-10)
    run.advance_to(5e-4)
    motion = run.motion()
    touch = Touch(np.array([1, 0]), np.array([1.0, 0.0]))
    y = np.concatenate([z, v, np.zeros(4 + 2 * 2)])
    found = solve_ivp(
        lambda _, state: state_rates(chain, rule, touch, state), (0.0, 5e-4), y, method="DOP853",
        rtol=1e-11, atol=1e-13,
    )  # fmt: skip
    assert np.abs(motion.velocities[:, 0, 0]).min() < 1e-2
    assert motion.states[-1] == pytest.approx(found.y[:6, -1], abs=1e-8)
    assert motion.energy_balance.friction[-1] == pytest.approx(found.y[7, -1], rel=1e-7)
    assert motion.contacts[0].friction_impulse == pytest.approx(found.y[12, -1], rel=1e-7)
    assert run.step.method[0] == 1
    assert 2 * motion.steps < len(found.t)


@pytest.mark.parametrize("law", LAWS)
def test_it_converges_with_the_tolerance(law):
    """Up to the end of the first contact."""
    ends = [drop(law, until=0.46, rtol=rtol).states[-1] for rtol in (1e-6, 1e-8, 1e-10, 1e-12)]
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[0] > 10 * errors[2]
    assert errors[1] < 1e-5
    assert errors[2] < 1e-7


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("ends", [("ss",) * 3, ("rigid", "ss", "ff")])
def test_energies_and_losses_balance(law, ends):
    balance = drop(law, ends).energy_balance
    scale = balance.mechanical()[0]
    assert np.abs(balance.imbalance()).max() < 2e-8 * scale
    assert np.diff(balance.friction).min() >= -1e-12 * scale


def test_impulses_are_those_of_the_momentum():
    motion = drop()
    hits = [hit for hit in motion.contacts if hit.exit is not None]
    assert sum(hit.friction_impulse for hit in hits) == pytest.approx(0.0, abs=1e-8)
    assert min(abs(hit.friction_impulse) for hit in hits) > 1e-3
    for hit in hits:
        inside = (motion.times > hit.entry) & (motion.times < hit.exit)
        forces, times = motion.friction_forces[inside, hit.point], motion.times[inside]
        assert np.trapezoid(forces, times) == pytest.approx(hit.friction_impulse, rel=0.05)


def test_a_symmetric_arm_that_sticks_stays_symmetric():
    motion = drop(until=0.9)
    assert motion.points == pytest.approx(motion.points[:, ::-1] * [-1.0, 1.0], abs=1e-8)


@pytest.mark.parametrize("law", LAWS)
def test_an_arm_that_sticks_needs_about_as_many_steps_as_one_that_slides(law):
    """With steps of the pair alone it needed 15 (ambrosio) and 6 times as many in impacts."""
    sticks, slides = drop(law, until=1.5), drop(kinetic=0.1, until=1.5)
    assert sticks.steps < 2 * slides.steps


@pytest.mark.parametrize("law", LAWS)
def test_an_arm_at_rest_needs_few_steps(law):
    """With steps of the pair alone it needed 35 000 a second (coulomb): friction and damping both are stiff."""
    chain = arm()
    z = dropped(chain, 0.001, (0, 0, 0))
    run = Integration(chain, rough(law, 1.0, 1.5, restitution=0.05), z, 0 * z, rtol=1e-9)
    assert run.advance_to(1.0)
    assert all(run.touch.active)
    before = run.motion().steps
    assert run.advance_to(1.2)
    assert run.motion().steps - before < 1000
    assert np.abs(run.motion().velocities[-1]).max() < 1e-4
