"""Motion by winches: closed forms, energy, the plain definition, frequencies, an independent simulator."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

from errors import InputError
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, follow_winches
from models.hybrid_cable_robot.arm.dynamics import platform_wrench
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.motion.carried_mass import carried_mass
from models.hybrid_cable_robot.motion.following import moving_robot
from models.hybrid_cable_robot.motion.winch_kernels import rates_into
from models.hybrid_cable_robot.motion.winches import motion_from, plant_of, scratch_of, start_of
from models.hybrid_cable_robot.natural_frequencies import hanging_robot, mass_matrix
from models.hybrid_cable_robot.stiffness import pose_stiffness
from models.hybrid_cable_robot.trajectory import ArmMotion, PlatformMotion, WinchLengths
from models.hybrid_cable_robot.trajectory_sampling import sample
from models.jit import entry
from models.numerics.rotations import rotation_matrix, rotation_vector
from tests.left_out import package
from tests.models.hybrid_cable_robot.robots import PATTERNS
from tests.oracles import winch_motion as plain

HELD = {"times": (0.0, 1.0), "platform_positions": [[0.02, -0.03, -0.05]] * 2,
        "platform_rotations": [[0.05, -0.04, 0.08]] * 2}  # fmt: skip
BRICK = {
    "platform_body": {"mass": 2.0, "inertia": [0.012, 0.015, 0.02, 0, 0, 0]},
    "arm_links": [{"mass": 0.0, "inertia": [0.0] * 6}] * 6,
}


@entry
def fill_rates(plant, t, y, scratch, rates):
    rates_into(plant, t, y, scratch, rates)


def record(**settings):
    return MODEL.resolve("suspended", settings)


def table(parameters, lengths, duration=1.0):
    """The robot with winches that hold lengths (m,) m."""
    return with_lengths(parameters, (0.0, duration), [list(map(float, lengths))] * 2)


def with_lengths(parameters, times, rows):
    given = WinchLengths.model_validate({"times": times, "lengths": rows})
    return parameters.model_copy(update={"winch_lengths": given})


def free_lengths(parameters):
    """Unstretched lengths (m,) m at the start of the record's own trajectory."""
    return start_of(parameters).lengths.coefficients[0, 0]


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@pytest.mark.parametrize("rule", ["minimum-norm", "centroid"])
def test_a_platform_that_starts_at_rest_and_is_held_stays_at_rest(preset, rule):
    found = follow_winches(MODEL.resolve(preset, {"trajectory": HELD, "tension_rule": rule}))
    assert found.positions == pytest.approx(np.tile(found.targets[0], (len(found.times), 1)), abs=1e-10)
    assert np.abs(found.velocities).max() < 1e-8
    assert found.tensions == pytest.approx(np.tile(found.tensions[0], (len(found.times), 1)), abs=1e-6)


def test_a_platform_on_slack_cables_falls_freely_and_turns_about_its_centre_of_mass():
    parameters = record(**BRICK, trajectory=HELD, settling_duration=0.0)
    found = follow_winches(table(parameters, [5.0] * 8, 0.3))
    fallen = -9.81 * found.times**2 / 2
    assert found.positions[:, 2] - found.positions[0, 2] == pytest.approx(fallen, abs=1e-12)
    assert found.positions[:, :2] == pytest.approx(found.positions[:1, :2].repeat(len(fallen), 0), abs=1e-12)
    assert found.slack_share == 1.0
    assert found.peaks.max() == 0.0
    assert np.abs(found.imbalances).max() < 1e-12


def test_an_elastic_cable_catches_a_falling_mass_as_the_closed_form_says():
    """A mass that falls from the pulley by l0 stretches the cable by d + sqrt(d^2 + 2 d l0), d = m g / k."""
    mass, k, free = 2.0, 500.0, 0.4
    above = {"attachments": [[0, 0, 0]] * 6, "pulleys": [[0, 0, 1.0]] * 6, "cable_stiffness": k / 6}
    body = {"platform_body": {"mass": mass, "inertia": [1, 1, 1, 0, 0, 0]}, "arm_links": BRICK["arm_links"]}
    fall = {"times": (0.0, 1.0), "platform_positions": [[0, 0, 0.99]] * 2}
    parameters = MODEL.resolve(None, {
        **above, **body, "trajectory": fall, "cable_damping": 0.0, "trajectory_samples": 2001,
        "settling_duration": 0.0, "winch_lengths": {"times": (0.0, 1.0), "lengths": [[free] * 6] * 2},
    })  # fmt: skip
    found = follow_winches(parameters)
    d, drop = mass * 9.81 / k, free - 0.01
    stretch = d + np.sqrt(d**2 + 2 * d * drop)
    assert 6 * found.peaks[0] == pytest.approx(k * stretch, rel=1e-2)
    assert 0.99 - found.positions[:, 2].min() == pytest.approx(drop + stretch, abs=1e-5)
    assert found.events[:6, 0] == pytest.approx(np.sqrt(2 * drop / 9.81), rel=1e-7)
    assert (found.events[:6, 2] == 1).all()
    assert sorted(found.events[:6, 1].tolist()) == list(range(6))
    assert np.abs(found.imbalances).max() < 1e-8


@pytest.mark.parametrize("axial", [None, 2000.0])
def test_energy_is_kept_without_damping_and_balances_with_it_while_winches_and_arm_move(axial):
    for damping in (0.0, 3.0):
        parameters = record(cable_damping=damping, axial_stiffness=axial, tension_rule="minimum-norm")
        shaken = table(parameters, free_lengths(parameters) * np.linspace(0.97, 1.03, 8), 2.0)
        for found in (follow_winches(parameters), follow_winches(shaken)):
            assert np.abs(found.imbalances).max() < 1e-9
            if damping:
                assert found.losses[-1] > 1e-6
            else:
                assert np.abs(found.losses).max() < 1e-9
            assert (np.diff(found.losses) >= -1e-10).all()
        assert len(found.events) > 0
        assert found.works[-1] == pytest.approx(0.0, abs=1e-12)


def test_energy_converges_with_the_eighth_order(monkeypatch):
    module = "models.hybrid_cable_robot.motion.winches."
    parameters = record(
        tension_rule="centroid", cable_damping=0.0, trajectory_samples=3, settling_duration=0.0
    )
    moved = table(parameters, free_lengths(parameters) * 0.9995, 0.8)
    monkeypatch.setattr(f"{module}TOLERANCE", 1e9)  # steps are as long as they may
    errors = []
    for per_period in (3.0, 6.0):
        monkeypatch.setattr(f"{module}PER_PERIOD", per_period)
        found = follow_winches(moved)
        assert not len(found.events)
        errors.append(np.abs(found.imbalances[-1]))
    assert 7.0 < np.log2(errors[0] / errors[1]) < 10.5


def test_small_oscillations_have_the_natural_frequencies():
    place = np.array(HELD["platform_positions"][0])
    parameters = record(
        trajectory={"times": (0.0, 2.0), "platform_positions": [place.tolist()] * 2}, cable_damping=0.0,
        tension_rule="centroid", settling_duration=0.0, wrench_set="gravity", trajectory_samples=401,
    )  # fmt: skip
    start, M = start_of(parameters), mass_matrix(parameters)
    robot, tensions = hanging_robot(parameters), follow_winches(parameters).tensions[0]
    K = pose_stiffness(robot, place, np.eye(3), tensions)
    values, modes = eigh((K + K.T) / 2, M)
    frequencies = np.sqrt(values) / (2 * np.pi)
    expected = evaluate_pose(parameters, place, np.zeros(3)).natural_frequencies
    assert frequencies == pytest.approx(expected, rel=1e-6)
    for frequency, mode in zip(frequencies, modes.T, strict=True):
        shift = 1e-6 * mode / np.abs(mode).max()
        found = motion_from(
            parameters,
            replace(start, position=place + shift[:3], rotation=rotation_matrix(shift[3:])),
        )
        turns = [rotation_vector(R) for R in found.rotations]
        along = np.concatenate([found.positions - place, turns], axis=1) @ M @ mode
        swing = along[0] * np.cos(2 * np.pi * frequency * found.times)
        assert along == pytest.approx(swing, abs=5e-4 * abs(along[0]))


def test_mass_matrix_and_bias_are_those_of_the_recursion_over_the_arm():
    parameters = HybridCableRobot()
    path = sample(parameters.path, 401)
    carried = carried_mass(parameters, path.times, path.arm)
    rng, place = np.random.default_rng(3), 123
    lift, w, alpha = rng.normal(size=(3, 3))
    level = PlatformMotion(np.zeros(3), np.eye(3), np.zeros(3), lift + GRAVITY, w, alpha)
    arm = ArmMotion(*(each[place] for each in (path.arm.angles, path.arm.velocities, path.arm.accelerations)))
    expected = platform_wrench(parameters, level, arm).wrench
    c, step = carried.moments.coefficients[:, place], path.times[1] - path.times[0]
    value, rate, second = c[0], c[1] / step, 2 * c[2] / step**2
    s, h = value[:3], value[9:]
    inertia, change = (
        np.array([[v[3], v[6], v[7]], [v[6], v[4], v[8]], [v[7], v[8], v[5]]]) for v in (value, rate)
    )
    spin = np.cross(w, np.cross(w, s)) + 2 * np.cross(w, rate[:3]) + second[:3]
    force = carried.mass * lift + np.cross(alpha, s) + spin
    torque = np.cross(s, lift) + inertia @ alpha + np.cross(w, inertia @ w + h) + change @ w + rate[9:]
    assert [*force, *torque] == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("axial", [None, 3000.0])
def test_the_kernel_moves_the_platform_as_the_plain_definition_does(axial):
    parameters = record(axial_stiffness=axial, cable_damping=np.linspace(1, 4, 8).tolist())
    robot, start = moving_robot(parameters), start_of(parameters)
    plant, scratch, rng = (
        plant_of(parameters, robot, start),
        scratch_of(robot, start),
        np.random.default_rng(1),
    )
    path = sample(parameters.path, 401)
    for place in (0, 150, 310):
        t, q = path.times[place], rng.normal(size=4)
        y = np.concatenate([rng.uniform(-0.1, 0.1, 3), q, rng.uniform(-0.5, 0.5, 6), [0.0, 0.0]])
        rates = np.zeros(15)
        fill_rates(plant, t, y, scratch, rates)
        scratch.taut[:] = scratch.margins > 0
        fill_rates(plant, t, y, scratch, rates)
        R = Rotation.from_quat(q, scalar_first=True).as_matrix()
        twist = np.concatenate([y[7:10], R @ y[10:13]])
        free, paid_out = scratch.unstretched[:2]
        tensions = plain.cable_tensions(robot, plant.damping, free, paid_out, y[:3], R, twist)
        assert scratch.tensions == pytest.approx(tensions, abs=1e-10)
        arm = ArmMotion(*(e[place] for e in (path.arm.angles, path.arm.velocities, path.arm.accelerations)))
        wrench = wrench_matrix(robot, y[:3], R) @ tensions
        change = plain.accelerations(parameters, arm, y[:3], R, twist, wrench)
        assert rates[7:10] == pytest.approx(change[:3], rel=1e-9, abs=1e-9)
        assert R @ rates[10:13] == pytest.approx(change[3:], rel=1e-9, abs=1e-8)


def test_a_motion_through_slack_cables_is_that_of_another_integrator():
    parameters = record(trajectory=HELD, cable_damping=1.5, settling_duration=0.0, trajectory_samples=11)
    free = free_lengths(parameters) * np.linspace(0.97, 1.03, 8)
    shaken = table(parameters, free, 0.3)
    found = follow_winches(shaken)
    start, robot = start_of(shaken), moving_robot(shaken)
    arm = ArmMotion.at_rest(rest_posture(shaken))
    positions, rotations, twists = plain.integrate(
        shaken, robot, np.full(8, 1.5), lambda _: (free, np.zeros(8)), lambda _: arm,
        (start.position, start.rotation), found.times, max_step=3e-3,
    )  # fmt: skip
    assert len(found.events) > 3
    assert found.positions == pytest.approx(positions, abs=2e-6)
    assert found.rotations == pytest.approx(rotations, abs=2e-5)
    assert found.velocities == pytest.approx(twists[:, :3], abs=2e-4)


@pytest.mark.parametrize("spread", [0.0, 0.03])
def test_mujoco_moves_the_platform_the_same_way(spread):
    """Spatial tendons with a dead band; with a spread some cables go slack."""
    mujoco = package("mujoco", "the motion by winches beside MuJoCo")
    parameters = record(trajectory=HELD, cable_damping=0.0, settling_duration=0.0, trajectory_samples=51)
    free = free_lengths(parameters)
    last = free * (np.linspace(1 - spread, 1 + spread, 8) if spread else 0.99)
    parameters = with_lengths(parameters, (0.0, 1.0), [free.tolist(), last.tolist()])
    found, start, robot = follow_winches(parameters), start_of(parameters), moving_robot(parameters)
    model = mujoco.MjModel.from_xml_string(mjcf(robot, start))
    data = mujoco.MjData(model)
    for before, after in itertools.pairwise(found.times):
        while data.time < after - 1e-9:
            share = (data.time - before + model.opt.timestep / 2) / (after - before)
            place = np.searchsorted(found.times, after)
            now = found.unstretched[place - 1] * (1 - share) + found.unstretched[place] * share
            model.tendon_lengthspring[:, 1] = now
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        way = np.linalg.norm(found.positions - found.positions[0], axis=1).max()
        assert data.qpos[:3] == pytest.approx(found.positions[place], abs=0.01 * way)
        tensions = -data.qfrc_spring  # generalised; the wrench of the cables
        wrench = wrench_matrix(robot, found.positions[place], found.rotations[place]) @ found.tensions[place]
        assert -tensions[:3] == pytest.approx(wrench[:3], abs=0.01 * 2.236 * 9.81)
    assert (found.slack_share > 0) == (spread > 0)


def mjcf(robot, start):
    """The platform on tendons, its arm locked, in MuJoCo's format."""
    c = start.carried.moments.coefficients[0, 0]
    s, m = c[:3], start.carried.mass
    centre = s / m
    inertia = np.array([[c[3], c[6], c[7]], [c[6], c[4], c[8]], [c[7], c[8], c[5]]])
    inertia -= m * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    entries = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

    def text(values):
        return " ".join(f"{value:.17g}" for value in np.ravel(values))

    sites = zip(robot.pulleys, robot.attachments, strict=True)
    fixed, moving, tendons = "", "", ""
    for i, (pulley, attachment) in enumerate(sites):
        fixed += f'<site name="p{i}" pos="{text(pulley)}"/>'
        moving += f'<site name="a{i}" pos="{text(attachment)}"/>'
        tendons += (
            f'<spatial name="c{i}" stiffness="{robot.stiffness[i]}" springlength="0 1">'
            f'<site site="p{i}"/><site site="a{i}"/></spatial>'
        )
    quaternion = Rotation.from_matrix(start.rotation).as_quat(scalar_first=True)
    return (
        '<mujoco><compiler balanceinertia="true" boundmass="1e-9" inertiafromgeom="false"/>'
        '<option timestep="0.0002" integrator="RK4" gravity="0 0 -9.81"/>'
        f"<worldbody>{fixed}"
        f'<body pos="{text(start.position)}" quat="{text(quaternion)}"><freejoint/>'
        f'<inertial pos="{text(centre)}" mass="{m}" fullinertia="{text(entries)}"/>{moving}</body>'
        f"</worldbody><tendon>{tendons}</tendon></mujoco>"
    )


def test_ten_seconds_of_eight_cables_settle_and_say_so():
    parameters = record(trajectory=HELD, settling_duration=9.0)
    still = follow_winches(parameters)
    assert still.settling_time(1e-3) == 0.0
    moved = table(parameters, free_lengths(parameters) * 0.99)
    damped = follow_winches(moved)
    free = follow_winches(moved.model_copy(update={"cable_damping": 0.0}))
    assert 0 < damped.settling_time(1e-4) < 9.0
    assert free.settling_time(1e-5) > 8.9
    assert damped.times[-1] == pytest.approx(10.0)


def test_a_motion_that_cannot_start_says_why():
    with pytest.raises(InputError, match="no tensions within the limits"):
        follow_winches(record(f_max=1.0))
    with pytest.raises(InputError, match=r"cable \d stretches by more than its length"):
        follow_winches(record(cable_stiffness=0.5))
    steep = with_lengths(record(), (0.0, 0.1, 1.0, 1.1), [[3.0] * 8, [1e-3] * 8, [1e-3] * 8, [3.0] * 8])
    with pytest.raises(InputError, match=r"cable \d shorter than nothing between its rows"):
        follow_winches(steep)
    massless = {**BRICK, "platform_body": {"mass": 2.0, "inertia": [0.0] * 6}}
    with pytest.raises(InputError, match="move no mass"):
        follow_winches(record(**massless))


def test_a_platform_that_no_cable_catches_is_lost():
    parameters = record(**BRICK, trajectory=HELD, settling_duration=5.0)
    found = follow_winches(
        table(parameters.model_copy(update={"cable_stiffness": 1e-6, "cable_damping": 0.0}), [0.3] * 8)
    )
    assert "do not hold the platform" in found.fault
    assert 0 < found.fault_size < 1
    assert found.times[-1] < 3.0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"winch_lengths": {"times": (0, 1), "lengths": [[1.0] * 8, [1.0] * 7]}}, "row 2 of 'winch_lengths' has 7"),
        ({"winch_lengths": {"times": (1, 0), "lengths": [[1.0] * 8] * 2}}, "'times' must rise"),
        ({"winch_lengths": {"times": (0, 1), "lengths": [[1.0] * 8]}}, "'lengths' has 1 rows"),
        ({"cable_damping": [1.0, 2.0]}, "'cable_damping' lists 2 values for 8 cables"),
        ({"cable_damping": -1.0}, "greater than or equal to 0"),
    ],
)  # fmt: skip
def test_wrong_winches_are_refused(settings, words):
    with pytest.raises(ValidationError, match=words):
        HybridCableRobot(**settings)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_platforms_with_fewer_freedoms_follow_their_winches_and_keep_their_energy(pattern):
    ends = [[0.0, 0.0, 0.0], [0.1, 0.1 * (pattern != "1R2T"), 0.05 * (pattern != "2T")]]
    turns = {"platform_rotations": [[0, 0, 0], [0, 0.1, 0]]} if pattern == "1R2T" else {}
    motion = follow_winches(
        HybridCableRobot(
            **{**PATTERNS[pattern], "f_max": 1e4, "f_min": 1.0, "wrench_set": "gravity"},
            cable_damping=0.0, cable_stiffness=5e3, settling_duration=0.5,
            trajectory={"times": [0.0, 1.0], "platform_positions": ends, **turns},
        )
    )  # fmt: skip
    assert not motion.fault
    assert motion.path_errors.max() < 1e-4
    assert np.abs(motion.imbalances).max() < 1e-9
    if pattern != "2R3T":  # a bar turns about itself as it likes
        angle = 0.1 * (pattern == "1R2T")
        np.testing.assert_allclose(
            motion.rotations[-1], Rotation.from_rotvec([0, angle, 0]).as_matrix(), atol=1e-4
        )


def test_cables_over_wheels_are_paid_out_with_their_arcs():
    parameters = HybridCableRobot(tension_rule="centroid", pulley_radius=0.03, cable_damping=0.0)
    motion = follow_winches(parameters)
    assert motion.path_errors.max() < 1e-5
    assert np.abs(motion.imbalances).max() < 1e-9
    eyelets = follow_winches(HybridCableRobot(tension_rule="centroid", cable_damping=0.0))
    assert np.abs(motion.unstretched - eyelets.unstretched).min() > 0.005
