"""Strain, stress and safety factor of the rod, by closed forms and by differences of the shape."""

import math

import numpy as np
import pytest

from models.continuum.arc import arc
from models.continuum.chain import chain_frames, chains_of_states
from models.continuum_statics import ContinuumStatics, equilibrium, frames, max_payload, stable_workspace
from models.continuum_statics.model import MODEL
from models.continuum_statics.robot import robot_of
from models.continuum_statics.scene import backbone
from models.continuum_statics.strength import axial_forces, strains_and_stresses
from models.contract import Evaluation, Infeasible
from tests.models.continuum_statics.robots import PAPER, paper

D, E, G = 0.0015, 210e9, 72e9
LIMIT = 0.78 * 2211e6 * 1.5**-0.145  # [Pa] of wire of 1.5 mm
WEIGHTLESS = {"gravity": (0.0, 0.0, 0.0)}


def strained(parameters, q, tensions=(0.0, 0.0, 0.0)):
    """Strain and stress of one state."""
    found = strains_and_stresses(parameters, robot_of(parameters), np.array([tensions]), np.array(q)[None])
    return float(found[0][0]), float(found[1][0])


def evaluate(cost_class, **settings):
    small = {**PAPER, "rays": 3, "tension_steps": 21}
    return MODEL.evaluate(MODEL.resolve(None, {**small, **settings}), cost_class, 0)


# ---------------------------------------------------------------- closed forms


def test_pure_bending_has_the_strain_of_its_curvature():
    q = np.zeros((6, 3))
    q[2, :2] = 0.3, -0.4
    kappa = 0.5 / 0.08
    strain, stress = strained(paper(**WEIGHTLESS), q)
    assert strain == pytest.approx(D / 2 * kappa, rel=1e-12)
    assert stress == pytest.approx(E * D / 2 * kappa, rel=1e-12)


def test_pure_torsion_has_the_shear_of_its_twist():
    q = np.zeros((6, 3))
    q[4, 2] = -0.7
    shear = D / 2 * 0.7 / 0.08
    strain, stress = strained(paper(**WEIGHTLESS), q)
    assert strain == pytest.approx(shear / math.sqrt(3), rel=1e-12)
    assert stress == pytest.approx(math.sqrt(3) * G * shear, rel=1e-12)


def test_bending_and_torsion_add_as_von_mises_has_it():
    q = np.zeros((6, 3))
    q[0] = 0.2, 0.0, 0.5
    sigma, tau = E * D / 2 * 0.2 / 0.08, G * D / 2 * 0.5 / 0.08
    assert strained(paper(**WEIGHTLESS), q)[1] == pytest.approx(math.sqrt(sigma**2 + 3 * tau**2), rel=1e-12)


def test_a_hanging_rod_carries_weight_and_cables_compress_it():
    area = math.pi / 4 * D**2
    hanging = paper(gravity="down", tip_mass=1.0)
    assert strained(hanging, np.zeros((6, 3)))[1] == pytest.approx((1.0 + 6 * 5.03e-3) * 9.81 / area)
    pulled = strained(paper(**WEIGHTLESS), np.zeros((6, 3)), (5.0, 5.0, 5.0))
    assert pulled[1] == pytest.approx(15.0 / area)


def test_a_robot_without_weight_has_the_strain_of_the_known_bend():
    """All bends are 0.2247325 rad at 5 N; the cable's pull along the rod is a small part beside."""
    state = equilibrium(paper(**WEIGHTLESS), np.array([5.0, 0.0, 0.0]))
    strain, _ = strained(paper(**WEIGHTLESS), state.q, (5.0, 0.0, 0.0))
    axial = 5.0 * math.cos(0.2247325 / 2) / (E * math.pi / 4 * D**2)
    assert strain == pytest.approx(D / 2 * 0.2247325 / 0.08 + axial, rel=1e-6)


# ---------------------------------------------------------------- differences


def test_the_strain_is_that_of_differences_of_the_shape():
    parameters = paper(**WEIGHTLESS)
    q = np.random.default_rng(3).uniform(-0.6, 0.6, (6, 3))
    q[:, 2] = 0.0
    points = backbone(parameters, q, per_arc=200)
    step = 0.08 / 200
    second = np.linalg.norm(np.diff(points, 2, axis=0), axis=1) / step**2
    assert strained(parameters, q)[0] == pytest.approx(D / 2 * second.max(), rel=1e-4)


def test_chains_of_many_states_are_those_of_one():
    states = np.random.default_rng(5).uniform(-1.5, 1.5, (4, 6, 3))
    states[0, 0] = 0.0
    positions, rotations = chains_of_states(0.08, states)
    for place, q in enumerate(states):
        defined = frames(paper(), q)
        assert positions[place] == pytest.approx(defined.positions, abs=1e-14)
        assert rotations[place] == pytest.approx(defined.rotations, abs=1e-14)


@pytest.mark.parametrize("arcs", [1, 2])
def test_axial_forces_are_slopes_of_the_energy_over_the_length_of_an_arc(arcs):
    """An arc that is a little longer lets weight down and cables in: by the mean force along it."""
    parameters = paper(arcs_per_gap=arcs, tip_mass=0.05, tie_disks=[6, 3, 6], gravity=[1.0, -8.0, 3.0])
    body, tensions = robot_of(parameters), np.array([9.0, 4.0, 2.0])
    q = np.random.default_rng(7).uniform(-0.1, 0.1, (6 * arcs, 3))

    def energy(lengths):
        ends = chain_frames([arc(each, length) for each, length in zip(q, lengths, strict=True)])
        work = sum(m * body.gravity @ p for m, p in zip(body.masses, ends.positions[1:], strict=True))
        disks = ends.positions[::arcs], ends.rotations[::arcs]
        cables = 0.0
        for tension, hole, tie in zip(tensions, body.holes, body.ties, strict=True):
            holes = disks[0] + disks[1] @ np.append(hole, 0.0)
            cables += tension * np.linalg.norm(np.diff(holes[: tie + 1], axis=0), axis=1).sum()
        return cables - work

    axial, h = axial_forces(body, tensions[None], q[None])[0], 1e-6
    for place in range(6 * arcs):
        change = np.zeros(6 * arcs)
        change[place] = h
        slope = (energy(body.L + change) - energy(body.L - change)) / (2 * h)
        assert axial[place] == pytest.approx(abs(slope), rel=0.03, abs=0.1)


def test_more_arcs_converge_to_the_moment_at_the_base():
    """A horizontal cantilever: weight times lever at the base, which one arc per gap smooths."""
    errors = []
    for arcs in (1, 2, 4, 8):
        parameters = paper(disk_mass=0.0, tip_mass=0.1, arcs_per_gap=arcs)
        state = equilibrium(parameters, np.zeros(3))
        lever = math.hypot(state.tip[0], state.tip[2])
        bending = D / 2 * 0.1 * 9.81 * lever / parameters.bending
        errors.append(1 - strained(parameters, state.q)[0] / bending)
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert ratios == pytest.approx([2.0] * 3, rel=0.15)
    assert errors[-1] < 0.02


# ---------------------------------------------------------------- laws


def test_lengths_and_forces_scale():
    """Lengths by 2 with forces by 4 change no strain; moduli and forces by 3 change the stress alone."""
    base = {"tip_mass": 0.05, "tensions": [4.0, 1.0, 0.0]}
    one = evaluate("pose", **base).metrics
    larger = evaluate(
        "pose", tip_mass=0.2, disk_mass=4 * 5.03e-3, tensions=[16.0, 4.0, 0.0], disk_spacing=0.16,
        backbone_diameter=0.003, hole_radius=0.056,
    ).metrics  # fmt: skip
    stiffer = evaluate(
        "pose", tip_mass=0.15, disk_mass=3 * 5.03e-3, tensions=[12.0, 3.0, 0.0],
        youngs_modulus=3 * E, shear_modulus=3 * G,
    ).metrics  # fmt: skip
    thicker = 2**-0.145  # the strength of wire of twice the diameter
    for name, scales in (
        ("max_strain", (1, 1)),
        ("max_stress", (1, 3)),
        ("safety_factor", (thicker, 1 / 3)),
    ):
        assert larger[name] == pytest.approx(scales[0] * one[name], rel=1e-9)
        assert stiffer[name] == pytest.approx(scales[1] * one[name], rel=1e-9)


def test_a_given_stiffness_is_that_of_a_round_rod():
    """The preset with I as printed is a rod of 3.17 mm."""
    printed = MODEL.resolve("printed", {})
    assert printed.stressed_diameter == pytest.approx((64 * 4.97e-12 / math.pi) ** 0.25)
    assert paper().stressed_diameter == pytest.approx(D)
    softer = paper(bending_stiffness=paper().bending, youngs_modulus=E / 16)
    assert softer.stressed_diameter == pytest.approx(2 * D)


# ---------------------------------------------------------------- limits


def test_the_papers_robot_bends_beyond_the_limit_and_a_warning_says_so():
    """2 291 MPa by bending with the default rays; the pull of the cables comes on top."""
    outcome = evaluate("workspace", rays=33, tension_steps=81)
    assert outcome.metrics["workspace_max_stress"] == pytest.approx(2309e6, rel=0.03)
    share = 1626.1e6 / outcome.metrics["workspace_max_stress"]
    assert outcome.metrics["workspace_safety_factor"] == pytest.approx(share, rel=1e-4)
    assert any("above the limit of 1626 MPa" in each for each in outcome.warnings)
    factor = MODEL.metric("workspace_safety_factor")
    assert (factor.safety_limit, factor.contains) == (1.0, ("workspace_max_strain", "workspace_max_stress"))


def test_enforced_limits_make_tensions_infeasible_by_what_is_missing():
    violations = []
    for tension in (20.0, 18.0, 17.0):
        settings = {"tensions": [tension, 0.0, 0.0]}
        allowed = evaluate("pose", **settings)
        refused = evaluate("pose", **settings, enforce_material_limits=True)
        assert isinstance(allowed, Evaluation)
        assert isinstance(refused, Infeasible)
        assert refused.violation == pytest.approx(1 - allowed.metrics["safety_factor"])
        violations.append(refused.violation)
    assert violations == sorted(violations, reverse=True)


@pytest.mark.parametrize("cost_class", ["pose", "workspace"])
def test_enforced_limits_change_nothing_of_a_robot_within_them(cost_class):
    weak = {"tensions": [5.0, 0.0, 0.0], "max_tension": 5.0}
    enforced = evaluate(cost_class, **weak, enforce_material_limits=True)
    assert enforced.metrics == evaluate(cost_class, **weak).metrics


def test_the_workspace_ends_where_the_rod_reaches_its_limit():
    """By default: the best robots of a search for area had a safety factor of .51 to .56."""
    outcome = MODEL.evaluate(MODEL.resolve(None, {"rays": 9, "tension_steps": 41}), "workspace", 0)
    metrics = outcome.metrics
    assert 1.0 <= metrics["workspace_safety_factor"] < 1.0 + 1e-8  # the end of a ray counts
    assert metrics["stable_fraction"] < 0.9
    assert outcome.counters["limited_rays"] > 9
    assert any("ends at the limit of the rod's material" in each for each in outcome.warnings)
    areas = [stable_workspace(ContinuumStatics(rays=9, tension_steps=steps)).area for steps in (41, 161)]
    assert areas[0] == pytest.approx(areas[1], rel=2e-3)  # the rim lies at the limit, not at a sample
    beyond = stable_workspace(paper(density=None, rays=9, tension_steps=41))
    assert areas[0] < 0.99 * beyond.area


def test_a_rod_that_yields_without_tensions_has_no_workspace():
    outcome = evaluate("workspace", tip_mass=0.5, enforce_material_limits=True, max_tension=0.1)
    assert isinstance(outcome, Infeasible)
    assert outcome.reason.startswith("without tensions the stress of the rod")
    allowed = evaluate("pose", tip_mass=0.5)
    assert outcome.violation == pytest.approx(1 - allowed.metrics["safety_factor"])


def test_materials_give_moduli_and_limits_and_settings_replace_them():
    tensions = {"tensions": [10.0, 0.0, 0.0]}
    nitinol = evaluate("pose", material="nitinol", **tensions)
    assert MODEL.resolve(None, {"material": "nitinol"}).moduli == (60e9, 23e9)
    assert nitinol.metrics["safety_factor"] == pytest.approx(0.06 / nitinol.metrics["max_strain"])
    assert any("linear up to 0.8 %" in each for each in nitinol.warnings)
    both = evaluate("pose", material="nitinol", stress_limit=1e8, **tensions)
    assert both.metrics["safety_factor"] == pytest.approx(1e8 / both.metrics["max_stress"])
    custom = evaluate("pose", material="custom", **tensions)
    assert custom.metrics["safety_factor"] is None
    assert custom.metrics["max_stress"] == evaluate("pose", **tensions).metrics["max_stress"]
    limited = evaluate("pose", material="custom", strain_limit=0.001, **tensions)
    assert limited.metrics["safety_factor"] == pytest.approx(0.001 / limited.metrics["max_strain"])
    assert "above the limit of 0.1 %" in limited.warnings[0]


def test_a_straight_rod_without_loads_has_the_greatest_margin():
    assert evaluate("pose", **WEIGHTLESS).metrics["safety_factor"] == 1000.0


# ---------------------------------------------------------------- payload


def test_the_payload_ends_where_the_rod_reaches_its_limit():
    found = max_payload(paper())
    assert found.loss == "material"
    assert found.mass is not None
    at_limit = evaluate("pose", tip_mass=found.mass)
    assert at_limit.metrics["safety_factor"] == pytest.approx(1.0, rel=1e-8)
    assert at_limit.metrics["mu_min"] > 0.1
    assert max_payload(paper(), limit=0.9 * found.mass).mass is None
    assert max_payload(paper(material="custom")).mass is None


@pytest.mark.parametrize("gravity", ["horizontal", "down", "up"])
def test_no_rod_of_one_and_a_half_millimetres_carries_a_tonne(gravity):
    outcome = evaluate("payload", gravity=gravity, payload_limit=1000.0)
    assert outcome.metrics["max_payload"] < 300


def test_a_hanging_rod_carries_the_strength_of_its_section():
    found = max_payload(paper(gravity="down", disk_mass=0.0), limit=1000.0)
    assert (found.loss, found.mass) == ("material", pytest.approx(LIMIT * math.pi / 4 * D**2 / 9.81))


def test_a_rod_beyond_its_limit_without_payload_carries_nothing():
    outcome = evaluate("payload", tensions=[20.0, 0.0, 0.0])
    assert outcome.metrics["max_payload"] == 0.0
    assert any("limited by the material" in each for each in outcome.warnings)
