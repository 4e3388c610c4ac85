"""Masses and inertias as parameters: weight, wrenches, metric, and tensors of no body."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import InputError, place_text
from models.contract import Infeasible
from models.fields import unit_at
from models.hybrid_cable_robot import (
    ARM_LINKS,
    MODEL,
    PLATFORM_BODY,
    ArmMotion,
    Body,
    HybridCableRobot,
    PlatformMotion,
    platform_wrench,
)
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.wrench_sets import suspended_mass, weight
from models.numerics.rotations import angular_motion, rotation_matrices
from tests.oracles.arm_dynamics import platform_wrench_by_numpy

CUBE = {"mass": 2.0, "centre_of_mass": [0.01, -0.02, 0.03], "inertia": [0.01, 0.01, 0.01, 0, 0, 0]}
LEVEL = PlatformMotion.at_rest((0, 0, 0), (0, 0, 0)), ArmMotion.at_rest((0, 0, 0, 0, 0, 0))


def random_motion(rng, n):
    r, rate, second = rng.uniform(-2, 2, (3, n, 3))
    w, alpha = angular_motion(r, rate, second)
    p, v, a = rng.normal(size=(3, n, 3))
    platform = PlatformMotion(p, rotation_matrices(r), v, a, w, alpha)
    return platform, ArmMotion(*rng.uniform(-3, 3, (3, n, 6)))


@pytest.mark.parametrize("preset", MODEL.presets)
def test_the_printed_masses_weigh_what_they_always_did(preset):
    parameters = MODEL.resolve(preset, {})
    assert weight(parameters) == pytest.approx(21.93516, abs=1e-12)
    assert suspended_mass(parameters) == pytest.approx(
        0.374 + sum(link.mass for link in ARM_LINKS), rel=1e-14
    )
    for name in ("gravity", "box"):
        robot = robot_of(parameters.model_copy(update={"wrench_set": name}))
        assert robot.wrench_center.tolist() == [0, 0, -weight(parameters), 0, 0, 0]


def test_weight_metric_and_wrench_sets_follow_the_masses():
    settings = {"cells": 6, "wrench_set": "gravity", "orientations": "nominal"}
    heavy = MODEL.resolve(None, {"platform_body.mass": "774 g", "arm_links.2.mass": 0.485, **settings})
    assert suspended_mass(heavy) == pytest.approx(2.736)
    assert weight(heavy) == pytest.approx(9.81 * 2.736, rel=5e-5)
    assert MODEL.evaluate(heavy, "motion", 0).metrics["mass"] == pytest.approx(2.736)
    assert robot_of(heavy).wrench_center[2] == -weight(heavy)
    needed = platform_wrench(heavy, *LEVEL)
    assert needed.wrench[2] == pytest.approx(9.81 * 2.736)
    light = MODEL.resolve(None, settings)
    volumes = [MODEL.evaluate(p, "workspace", 0).metrics["workspace_volume"] for p in (light, heavy)]
    assert volumes[1] < volumes[0]


def test_a_robot_without_mass_has_no_weight_and_needs_no_tension():
    nothing = {"mass": 0, "inertia": [0] * 6}
    parameters = MODEL.resolve(
        None, {"platform_body": nothing, "arm_links": [nothing] * 6, "wrench_set": "gravity", "cells": 4}
    )
    assert weight(parameters) == 0
    assert MODEL.evaluate(parameters, "all", 0).metrics["max_tension"] == pytest.approx(0, abs=1e-12)


def test_the_platforms_centre_of_mass_moves_the_moment_of_its_weight():
    base = platform_wrench(
        MODEL.resolve(None, {"platform_body": {**CUBE, "centre_of_mass": [0, 0, 0]}}), *LEVEL
    )
    off = platform_wrench(MODEL.resolve(None, {"platform_body": CUBE}), *LEVEL)
    expected = np.cross(CUBE["centre_of_mass"], [0, 0, 2 * 9.81])
    np.testing.assert_allclose(off.wrench[3:] - base.wrench[3:], expected, atol=1e-13)


def random_record(rng):
    def body():
        return {
            "mass": rng.uniform(0, 3),
            "centre_of_mass": rng.uniform(-0.2, 0.2, 3).tolist(),
            "inertia": rng.uniform(-0.01, 0.01, 6).tolist(),
        }

    return MODEL.resolve(None, {"platform_body": body(), "arm_links": [body() for _ in range(6)]})


def test_kernel_and_definition_agree_for_any_bodies():
    rng = np.random.default_rng(4)
    for _ in range(20):
        parameters, motion = random_record(rng), random_motion(rng, 7)
        ours, theirs = (
            platform_wrench(parameters, *motion),
            platform_wrench_by_numpy(parameters, *motion),
        )
        scale = np.abs(theirs.wrench).max()
        np.testing.assert_allclose(ours.wrench, theirs.wrench, rtol=0, atol=1e-13 * scale)
        np.testing.assert_allclose(ours.torques, theirs.torques, rtol=0, atol=1e-13 * scale)


def test_leading_dimensions_broadcast_or_are_refused():
    rng = np.random.default_rng(1)
    platform, arm = random_motion(rng, 6)
    whole = platform_wrench(HybridCableRobot(), platform, arm)
    one = ArmMotion(arm.angles[2], arm.velocities[2], arm.accelerations[2])
    spread = platform_wrench(HybridCableRobot(), platform, one)
    assert spread.wrench.shape == (6, 6)
    np.testing.assert_allclose(spread.wrench[2], whole.wrench[2])
    four = ArmMotion(arm.angles[:4], arm.velocities[:4], arm.accelerations[:4])
    with pytest.raises(InputError, match="do not agree"):
        platform_wrench(HybridCableRobot(), platform, four)
    with pytest.raises(InputError, match="angles"):
        platform_wrench(
            HybridCableRobot(), platform, ArmMotion(arm.angles[:, :5], arm.velocities, arm.accelerations)
        )


# ------------------------------------------------------------ what is refused, what is doubted


@pytest.mark.parametrize(
    ("settings", "place", "words"),
    [
        ({"platform_body.mass": -1}, "platform_body.mass", "must be at least 0"),
        ({"arm_links.3.mass": float("nan")}, "arm_links[3].mass", "finite"),
        ({"arm_links.3.inertia.0": float("inf")}, "arm_links[3].inertia[0]", "finite"),
        ({"platform_body": {"mass": 1}}, "platform_body.inertia", "is missing"),
        ({"arm_links.6.mass": 1}, "arm_links[6].mass", "items are 0 to 5"),
        ({"arm_links.1.mas": 1}, "arm_links[1]", "did you mean 'mass'"),
        ({"platform_body": {**CUBE, "mas": 1}}, "platform_body", "unknown key 'mas'"),
        ({"platform_body.mass": "3 m"}, "platform_body.mass", "length"),
    ],
)
def test_bodies_that_make_no_sense_are_refused_by_place(settings, place, words):
    with pytest.raises(InputError, match=words) as caught:
        MODEL.resolve(None, settings)
    assert place_text(caught.value.place) == place


def test_tables_of_bodies_take_units():
    body = {
        "mass": "200 g",
        "centre_of_mass": ["1 cm", 0, "-5 mm"],
        "inertia": ["100 kg*mm**2", "120 kg*mm**2", "130 kg*mm**2", 0, 0, 0],
    }
    parameters = MODEL.resolve(None, {"arm_links": [body] * 6, "platform_body": body})
    expected = Body(mass=0.2, centre_of_mass=(0.01, 0, -0.005), inertia=(1e-4, 1.2e-4, 1.3e-4, 0, 0, 0))
    assert parameters.arm_links[5].mass == pytest.approx(expected.mass)
    for link in (*parameters.arm_links, parameters.platform_body):
        np.testing.assert_allclose(link.centre_of_mass, expected.centre_of_mass)
        np.testing.assert_allclose(link.inertia, expected.inertia)
    assert unit_at(HybridCableRobot, "arm_links.2.mass") == "kg"
    assert unit_at(HybridCableRobot, "platform_body.inertia.3") == "kg*m**2"


@pytest.mark.parametrize("cost_class", MODEL.cost_classes)
def test_tensors_of_no_body_are_warned_of_and_used(cost_class):
    def warnings(settings):
        return MODEL.evaluate(MODEL.resolve(None, {"cells": 4, **settings}), cost_class, 0).warnings

    assert warnings({}) == ()
    assert warnings({"platform_body": CUBE}) == ()
    assert warnings({"arm_links.4.mass": 1}) == ()  # the printed tensor, another mass
    (flat,) = warnings({"arm_links.4.inertia": [1e-3, 1e-3, 3e-3, 0, 0, 0]})
    assert "arm_links.4.inertia" in flat
    assert "0.003 kg m^2" in flat
    (negative,) = warnings({"platform_body.inertia": [1e-3, 1e-3, 1e-3, 2e-3, 0, 0]})
    assert "negative principal moment of inertia -0.001" in negative


def test_infeasible_designs_carry_their_warnings():
    settings = {"cells": 4, "f_max": 1, "platform_body.inertia": [1, 1, 3, 0, 0, 0]}
    for cost_class in MODEL.cost_classes:
        outcome = MODEL.evaluate(MODEL.resolve(None, settings), cost_class, 0)
        assert isinstance(outcome, Infeasible)
        assert len(outcome.warnings) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 8))
def test_the_tensor_of_any_cloud_of_points_is_of_a_body(seed, count):
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(count, 3)) * [1, 1, rng.integers(2)], rng.uniform(0.1, 1, count)
    points -= masses @ points / masses.sum()
    tensor = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    body = Body(mass=masses.sum(), inertia=(*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]))
    assert body.fault == ""
    np.testing.assert_allclose(body.tensor, tensor)
    least, middle, _ = np.linalg.eigvalsh(tensor)
    assert Body(mass=1, inertia=(least, middle, 1.01 * (least + middle), 0, 0, 0)).fault != ""


def test_printed_tensors_are_kept_though_two_are_of_no_body():
    faults = [bool(body.fault) for body in (PLATFORM_BODY, *ARM_LINKS)]
    assert faults == [True, False, False, False, False, True, False]
    np.testing.assert_array_equal(PLATFORM_BODY.inertia, [1.11e-4, 9.47e-4, 1.256e-3, 3.6e-5, 8.4e-5, 2.8e-5])
    assert PLATFORM_BODY.tensor[0, 1] == 3.6e-5


def test_evaluate_prints_warnings_beside_the_table(capsys):
    from typer.testing import CliRunner

    from service.cli import app

    arguments = ["evaluate", "hybrid-cable-robot", "--set", "cells=12", "--metrics", "mass"]
    odd = ["--set", "platform_body.inertia=[1, 1, 3, 0, 0, 0]"]
    result = CliRunner().invoke(app, [*arguments, *odd])
    assert result.exit_code == 0
    assert "warning: 'platform_body.inertia'" in result.stderr
    assert "warning" not in CliRunner().invoke(app, arguments).stderr


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"mass": "2 m", "inertia": [1, 1, 1, 0, 0, 0]}, "platform_body.mass"),
        ({"mass": 2, "inertia": [1, "1 kg", 1, 0, 0, 0]}, "platform_body.inertia[1]"),
    ],
)
def test_a_wrong_unit_inside_a_body_is_one_fault(body, place):
    with pytest.raises(InputError) as caught:
        MODEL.resolve(None, {"platform_body": body})
    assert [place_text(fault.place) for fault in caught.value.faults] == [place]
    assert "is missing" not in str(caught.value)
    _, found = MODEL.value_faults(None, {"platform_body": body})
    assert [place_text(fault.place) for fault in found] == [place]


def test_a_value_that_is_missing_beside_a_wrong_unit_is_reported():
    with pytest.raises(InputError) as caught:
        MODEL.resolve(None, {"platform_body": {"mass": "2 m"}})
    places = {fault.place for fault in caught.value.faults}
    assert places == {("platform_body", "mass"), ("platform_body", "inertia")}
