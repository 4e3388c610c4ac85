"""The motion in time: against scipy on the definition, in free fall, through contacts, and its balances."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models.flexible_arm import integration
from models.flexible_arm.arm import arm_of_links
from models.flexible_arm.chain import energies
from models.flexible_arm.contact import restitution
from models.flexible_arm.event_kernels import land
from models.flexible_arm.ground import ground_of
from models.flexible_arm.integration import Integration
from models.flexible_arm.motion import Touch
from models.flexible_arm.motion_kernels import state_rates as fill_state_rates
from models.jit import entry
from tests.oracles.flexible_arm_equations import gaps, momentum, state_rates

from .arms import FALL, arm, contact, dropped, link

FALL_IN_FLIGHT = (math.sqrt(1.4**2 + 2 * 9.81 * 0.8) - 1.4) / 9.81  # from 0.8 m at 1.4 m/s: 0.286 s


@cache
def drop(*ends, until=0.6, rtol=1e-9, method="dop853", **settings):
    """The paper's arm, dropped."""
    chain = arm(*ends)
    z = dropped(chain)
    run = Integration(chain, contact(**settings), z, 0 * z, rtol=rtol, method=method)
    run.advance_to(until)
    return chain, run.motion()


def test_it_falls_freely_without_bending_until_it_touches():
    _, motion = drop()
    flight = motion.times < FALL - 1e-6
    assert motion.contacts[0].entry == pytest.approx(FALL, abs=1e-9)
    assert np.abs(motion.states[flight, 5:8]).max() < 1e-12
    height = 0.9 - 9.81 / 2 * motion.times[flight] ** 2
    assert motion.points[flight, 0, 1] == pytest.approx(height, abs=1e-10)


def test_the_first_contact_agrees_with_scipy_on_the_definition():
    """Flight, one contact of both outer ends, and flight again, by other code on the numpy equations."""
    chain, motion = drop()
    touch = Touch(np.zeros(4, np.int64), np.zeros(4))
    law, z = contact(), dropped(chain)
    y, time, ends = np.concatenate([z, 0 * z, np.zeros(12)]), 0.0, []
    for _ in range(2):

        def gap(_, state):
            return gaps(chain, law, state)[0]

        gap.terminal, gap.direction = True, -1.0 if not touch.active[0] else 1.0
        found = solve_ivp(
            lambda _, state: state_rates(chain, law, touch, state), (time, 0.6), y, method="DOP853",
            rtol=1e-10, atol=1e-13, events=gap,
        )  # fmt: skip
        time, y = found.t[-1], found.y[:, -1]
        ends.append(time)
        touch.active[[0, 3]] = 1 - touch.active[[0, 3]]
        touch.speeds[[0, 3]] = abs(y[9])
    hit = motion.contacts[0]
    assert [hit.entry, hit.exit] == pytest.approx(ends, abs=2e-10)
    assert hit.impulse == pytest.approx(y[20], rel=1e-7)
    assert hit.friction_impulse == pytest.approx(y[24], rel=1e-7)
    place = np.searchsorted(motion.times, hit.exit)
    assert motion.states[place] == pytest.approx(y[:16], abs=1e-6)


def test_both_pairs_of_formulas_find_the_same_motion():
    (_, fine), (_, other) = drop(), drop(method="rkf45")
    for ours, theirs in zip(fine.contacts, other.contacts, strict=True):
        assert ours.point == theirs.point
        assert ours.entry == pytest.approx(theirs.entry, abs=1e-8)
        assert ours.peak_force == pytest.approx(theirs.peak_force, rel=1e-5)


def test_it_converges_with_the_tolerance():
    """Before 0.6 s the motion is not chaotic."""
    ends = [drop(rtol=rtol)[1].states[-1] for rtol in (1e-6, 1e-8, 1e-10, 1e-12)]
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert errors[2] < 1e-5


def test_every_contact_begins_and_ends_on_the_ground():
    _, motion = drop("ss", "cc", "cs", until=1.0)
    assert len(motion.contacts) > 6
    for hit in motion.contacts:
        for time, speed in ((hit.entry, -hit.approach_speed), (hit.exit, hit.separation_speed)):
            place = np.searchsorted(motion.times, time)
            assert motion.times[place] == time
            assert abs(motion.points[place, hit.point, 1]) <= 1.1e-8 * abs(speed)
            assert motion.velocities[place, hit.point, 1] == pytest.approx(speed, rel=1e-12)
        assert hit.entry < hit.peak_time < hit.exit
        inside = (motion.times > hit.entry) & (motion.times < hit.exit)
        assert hit.peak_force >= motion.normal_forces[inside, hit.point].max() * (1 - 1e-9)
    assert motion.normal_forces.min() >= 0.0
    above = motion.points[:, :, 1] > 1e-7
    assert np.all(motion.normal_forces[above] == 0.0)


def test_the_place_of_a_contact_is_that_of_its_entry():
    """Steps of the flight are longer than the instants that are kept lie apart."""
    chain = arm("rigid")
    z = dropped(chain, 0.9, (10,))
    run = Integration(chain, contact(), z, np.array([3.0, 0.0, 0.0]), rtol=1e-9, interval=1e-2)
    run.advance_to(0.6)
    motion = run.motion()
    assert len(motion.contacts) == 3
    for hit in motion.contacts:
        place = np.searchsorted(motion.times, hit.entry)
        assert hit.x == motion.points[place, hit.point, 0]


@entry
def landed(arm, contact, touch, pair, y, h, most, step, gaps):
    fill_state_rates(arm, contact, touch, y, step.scratch, step.K[0])
    return land(arm, contact, touch, pair, y, h, most, 1e-9, step, gaps)


@pytest.mark.soak  # its kernel takes long to compile; whole motions land by the same code in the tests around it
@pytest.mark.parametrize(("h", "most", "expected"), [
    (0.28, 0.3, FALL_IN_FLIGHT),  # the event is further on, by Newton's method
    (0.29, 0.3, FALL_IN_FLIGHT),  # or back
    (0.05, 0.06, 0.05),  # there is none near
    (0.28, 0.282, 0.28),  # it lies beyond the step, which ends without one
])  # fmt: skip
def test_a_step_that_lands_is_no_longer_than_it_may_be(h, most, expected):
    """The arm falls at 1.4 m/s and is 0.8 m high."""
    chain = arm()
    run = Integration(chain, contact(), dropped(chain, 0.8), 0.0 * dropped(chain), rtol=1e-9)
    run.y[9] = -1.4
    found = landed(
        chain, contact(), run.touch, run.pair, run.y, h, most, run.step, run.gaps
    )  # fmt: skip
    assert found == pytest.approx(expected, abs=1.1e-10)


@pytest.mark.parametrize("method", ["dop853", "rkf45"])
def test_in_free_flight_momentum_and_energy_are_kept(method):
    """Bent, spinning links of several kinds; weight alone takes momentum, and nothing takes energy."""
    kinds = (("cf", 2), ("ss", 1), ("rigid", 0))
    links = [link(ends, count, length=0.8, modulus=2e9, air=0.0, structural=0.0) for ends, count in kinds]
    chain = arm_of_links([0.8] * 3, links, 9.81, False)
    z = np.array([0.0, 50.0, 0.5, -0.2, 0.9, 0.05, -0.02, 0.03])
    v = np.array([1.0, 2.0, 3.0, -2.0, 1.0, 0.4, 0.2, -0.3])
    run = Integration(chain, contact(), z, v, rtol=1e-11, method=method)
    run.advance_to(1.0)
    motion = run.motion()
    total, some = motion.energy_balance.mechanical(), slice(None, None, 20)
    times = motion.times[some]
    assert total == pytest.approx(total[0], rel=1e-9)
    assert np.ptp(motion.energy_balance.elastic) > 0.1
    momenta = [momentum(chain, state[:8], state[8:]) for state in motion.states[some]]
    first, mass = momenta[0], float(chain.m0.sum())
    linear = np.array([each.linear for each in momenta])
    assert linear[:, 0] == pytest.approx(first.linear[0], abs=1e-8)
    assert linear[:, 1] == pytest.approx(first.linear[1] - mass * 9.81 * times, abs=1e-8)
    turning = np.array([-z[1], z[0], 1.0, 1.0, 1.0, 0.0, 0.0, 0.0])  # about the origin
    moment = momentum(chain, z, turning).linear[1]  # mass times x of its centre, which moves evenly
    gained = np.array([each.angular for each in momenta]) - first.angular
    assert gained == pytest.approx(-9.81 * (moment * times + first.linear[0] * times**2 / 2), abs=1e-8)


def test_impulses_are_those_of_the_momentum():
    chain, motion = drop()
    hits = [hit for hit in motion.contacts if hit.exit is not None]
    N = len(motion.states[0]) // 2
    last = momentum(chain, motion.states[-1, :N], motion.states[-1, N:]).linear
    weight = float(chain.m0.sum()) * 9.81 * motion.times[-1]
    assert sum(hit.impulse for hit in hits) - weight == pytest.approx(last[1], abs=1e-8)
    assert sum(hit.friction_impulse for hit in hits) == pytest.approx(last[0], abs=1e-8)


@pytest.mark.parametrize("ends", [("ss",) * 3, ("cf", "cc", "sc"), ("rigid", "ss", "ff")])
def test_energies_and_losses_balance(ends):
    _, motion = drop(*ends)
    scale = motion.energy_balance.mechanical()[0]
    assert np.abs(motion.energy_balance.imbalance()).max() < 2e-8 * scale
    for loss in (motion.energy_balance.friction, motion.energy_balance.air, motion.energy_balance.structure):
        assert np.diff(loss).min() >= -1e-12 * scale
    assert motion.energy_balance.contact[-1] > 0.05 * scale


def test_a_symmetric_arm_stays_symmetric():
    _, motion = drop("cs", "ss", "sc")
    mirrored = motion.points[:, ::-1] * [-1.0, 1.0]
    assert motion.points == pytest.approx(mirrored, abs=1e-9)
    assert len(motion.contacts) % 2 == 0


@pytest.mark.parametrize("law", ["hu-guo", "flores", "hunt-crossley", "lankarani-nikravesh"])
def test_a_level_rigid_link_rebounds_by_the_closed_form(law):
    """It falls on both ends at once, so that it does not turn: a free mass, but for its weight."""
    chain = arm("rigid")
    z = dropped(chain, 20.0, (0,))
    run = Integration(chain, contact(law), z, 0 * z, rtol=1e-10)
    run.advance_to(2.1)
    first, second = run.contacts()[:2]
    assert (first.point, second.point, first.entry) == (0, 1, second.entry)
    assert first.separation_speed / first.approach_speed == pytest.approx(restitution(law, 0.8), abs=1e-4)


def test_stiffer_links_move_like_rigid_ones():
    """The difference vanishes in proportion to the compliance."""
    ends = []
    for chain in (arm("rigid", "rigid", "rigid"), *(arm(modulus=modulus) for modulus in (2e14, 2e15))):
        z = dropped(chain)
        run = Integration(chain, contact(), z, 0 * z, rtol=1e-9)
        run.advance_to(0.45)
        ends.append(run.motion().points[-1])
        assert len(run.contacts()) == 2
    soft, stiff = (np.abs(end - ends[0]).max() for end in ends[1:])
    assert stiff < 3e-4
    assert soft / stiff == pytest.approx(10, rel=0.1)


def test_a_graze_inside_a_long_step_is_found():
    """The end of a rigid link that spins passes 1 um below the ground for 3 ms; steps take 0.1 s and more."""
    chain = arm_of_links([1.0], [link("rigid")], 0.0, True)
    z, v = np.array([0.0, 1.0 - 1e-6, -2.0]), np.array([0.0, 0.0, 1.0])
    run = Integration(chain, contact(restitution=1.0, kinetic=0.0), z, v, rtol=1e-6, interval=10.0)
    run.advance_to(1.0)
    (hit,) = run.contacts()
    half = math.acos(1 - 1e-6)
    assert hit.entry == pytest.approx(2.0 - math.pi / 2 - half, abs=2e-5)
    assert hit.exit == pytest.approx(2.0 - math.pi / 2 + half, abs=1e-4)
    assert hit.approach_speed == pytest.approx(math.sin(half), rel=1e-3)


def test_on_sloping_ground_it_slides_down():
    slope = math.radians(20)
    places = np.linspace(-10.0, 10.0, 41)
    ground = ground_of(np.stack([places, -math.tan(slope) * places], axis=1))
    chain = arm("rigid")
    z = dropped(chain, 0.0, (-20,))
    z[1] += 1.0
    run = Integration(chain, contact(kinetic=0.0, ground=ground), z, 0 * z, rtol=1e-9)
    run.advance_to(0.6)
    motion = run.motion()
    along = np.array([math.cos(slope), -math.sin(slope)])
    speeds = motion.velocities[:, 0] @ along
    assert len(motion.contacts) >= 2
    assert speeds == pytest.approx(9.81 * math.sin(slope) * motion.times, abs=2e-2)
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-6


def test_a_motion_can_be_continued():
    chain, whole = drop()
    z = dropped(chain)
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-9)
    heard = []
    for until in (0.2, 0.4286, 0.6):
        assert run.advance_to(until, heard.append)
        assert run.time == until
    parts = run.motion()
    assert parts.states[-1] == pytest.approx(whole.states[-1], abs=1e-5)
    assert [hit.point for hit in parts.contacts] == [hit.point for hit in whole.contacts]
    assert heard[-1] == 0.6
    assert np.all(np.diff(parts.times) > 0.0)


def test_a_contact_that_lasts_is_reported_without_an_end():
    _, motion = drop(until=FALL + 3e-4)
    assert [(hit.point, hit.exit) for hit in motion.contacts] == [(0, None), (3, None)]
    assert motion.contacts[0].impulse > 0.1


def test_instants_lie_no_further_apart_than_asked():
    chain = arm("rigid")
    z = dropped(chain, 5.0, (10,))
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-6, interval=1e-4)
    run.advance_to(0.9)
    times = run.motion().times
    assert len(times) > 9000
    assert np.diff(times).max() <= 1.0001e-4


def test_an_endless_motion_is_given_up_with_a_reason(monkeypatch):
    monkeypatch.setattr(integration, "MOST_STEPS", 50)
    chain = arm()
    z = dropped(chain)
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-9)
    assert not run.advance_to(1.5)
    motion = run.motion()
    assert not motion.completed
    assert "50 steps" in motion.reason
    assert len(motion.times) >= 50


def test_a_pinned_arm_swings_like_a_compound_pendulum():
    """A rigid link, released level from its pin, has the speed that its lost height gives."""
    chain = arm("rigid", pinned=True)
    z = np.array([0.0, 3.0, 0.0])
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-10)
    run.advance_to(2.0)
    motion = run.motion()
    spin, angle = motion.states[:, 5], motion.states[:, 2]
    expected = -2 * 9.81 * float(chain.m1[0]) * np.sin(angle) / float(chain.m2[0])
    assert spin**2 == pytest.approx(expected, abs=1e-7)
    assert not motion.contacts
    start = energies(chain, motion.states[0, :3], motion.states[0, 3:])
    assert start.kinetic == 0.0


@pytest.mark.parametrize("place", [-0.12, -0.08, -0.02, 0.02, 0.08, 0.12])
def test_a_narrow_hill_below_a_long_step_is_met(place):
    """A pendulum passes 5 cm above the ground in steps of half a metre; the hill is 2 cm wide."""
    path = 0.05 + 1 - math.sqrt(1 - place * place)
    top = path + 0.004
    ground = ground_of([(place - 0.01, 0.0), (place, top), (place + 0.01, 0.0)])
    chain = arm("rigid", pinned=True)
    z = np.array([0.0, 1.05, 0.0])
    run = Integration(chain, contact(ground=ground), z, 0 * z, rtol=1e-9, interval=1.0)
    run.advance_to(0.8)
    (hit, *_) = run.contacts()
    assert hit.point == 1
    assert -0.01 < hit.x - place < 0.01
    assert hit.peak_force > 0.0


def test_a_motion_of_many_steps_keeps_what_fits_in_memory(monkeypatch):
    chain, whole = drop()
    monkeypatch.setattr(integration, "DENSE_VALUES", 0)
    z = dropped(chain)
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-9, spacing=5e-4)
    run.advance_to(0.6)
    motion = run.motion()
    assert motion.contacts == whole.contacts
    assert np.array_equal(motion.states[-1], whole.states[-1])
    assert len(motion.times) < len(whole.times) - 100
    events = {time for hit in motion.contacts for time in (hit.entry, hit.exit)}
    assert events <= set(motion.times)
    apart = np.diff([time for time in motion.times if time not in events])
    assert apart.min() > 0.0
    assert len(motion.times) <= 2 * 0.6 / 5e-4 + len(events)
    assert np.diff(motion.times).max() <= 1.5e-3


def test_a_motion_that_is_continued_often_holds_no_more_for_it():
    """A first touch is waited for in steps of `early_time`, up to an hour long."""
    chain = arm("rigid")
    z = dropped(chain, 900.0, (10,))
    run = Integration(chain, contact(), z, 0 * z, rtol=1e-6, interval=10.0)
    for instant in range(1, 200):
        run.advance_to(0.02 * instant)
    assert len(run._hits) == 1
    assert run.contacts() == ()
