"""The record of the continuum robot, its presets and the arrays made of it."""

import math

import numpy as np
import pytest
from pydantic import ValidationError

from errors import InputError
from models.continuum_statics import PRESETS, ContinuumStatics, robot_of
from models.continuum_statics.evaluation import mass_of
from models.continuum_statics.robot import free, stiffnesses
from models.parameters import resolve
from tests.models.continuum_statics.robots import paper


def settled(**settings):
    return resolve(ContinuumStatics, {}, settings)


def test_the_first_preset_is_the_default_and_says_that_it_is_inferred():
    name, preset = next(iter(PRESETS.items()))
    assert name == "rod-1.5mm"
    assert "inferred" in preset.description
    chosen = resolve(ContinuumStatics, preset.settings, {})
    assert chosen == ContinuumStatics()
    assert chosen.enforce_material_limits


def test_a_rod_weighs_what_its_material_does():
    """A rod of .6 mm and one of 3 mm had the same mass, and bent the robot alike: with none."""
    thin, thick = (ContinuumStatics(backbone_diameter=each) for each in (0.0006, 0.003))
    for parameters in (thin, thick):
        mass = 7850.0 * math.pi / 4 * parameters.backbone_diameter**2 * 0.48
        assert mass_of(parameters) == pytest.approx(6 * 5.03e-3 + mass)
        assert robot_of(parameters).masses.sum() == pytest.approx(6 * 5.03e-3 + mass * 11 / 12)
    assert ContinuumStatics(material="nitinol").rod_mass == pytest.approx(
        6450.0 / 7850.0 * ContinuumStatics().rod_mass
    )


@pytest.mark.parametrize(("diameter", "limit"), [(0.0015, 1626e6), (0.003, 1470e6)])
def test_thicker_wire_is_weaker(diameter, limit):
    """A rod of 3 mm had the limit of one of 1.5 mm."""
    parameters = ContinuumStatics(backbone_diameter=diameter)
    assert parameters.greatest_stress == pytest.approx(limit, rel=5e-4)
    assert parameters.greatest_stress == pytest.approx(0.78 * 2211e6 / (diameter / 1e-3) ** 0.145)
    assert ContinuumStatics(backbone_diameter=diameter, stress_limit=1e9).greatest_stress == 1e9
    ends = [ContinuumStatics(backbone_diameter=each).greatest_stress for each in (0.0065, 0.01)]
    assert ends[0] == ends[1]  # the law of drawn wire ends there


def test_presets_have_the_stiffness_that_the_paper_prints_or_that_its_rod_has():
    rod, printed = (resolve(ContinuumStatics, preset.settings, {}) for preset in PRESETS.values())
    assert rod.bending == pytest.approx(210e9 * 2.48505e-13, rel=1e-5)
    assert rod.torsion == pytest.approx(72e9 * 2 * 2.48505e-13, rel=1e-5)
    assert printed.bending == pytest.approx(210e9 * 4.97e-12)
    assert printed.torsion == pytest.approx(72e9 * 9.94e-12)


def test_stiffnesses_override_the_rod():
    mixed = paper(bending_stiffness=0.5)
    assert mixed.bending == 0.5
    assert mixed.torsion == paper().torsion


def test_whole_length_replaces_the_length_of_a_segment():
    assert settled(length="0.3 m", disks=5).gap == pytest.approx(0.06)
    with pytest.raises(InputError, match="replaces"):
        settled(length=0.3, disk_spacing=0.1)


def test_gravity_is_a_name_or_a_vector():
    assert settled(gravity="down").gravity_vector == (0.0, 0.0, 9.81)
    assert settled(gravity=["1 cm/s^2", 0, 2]).gravity_vector == (0.01, 0.0, 2.0)
    with pytest.raises(InputError, match="or one of horizontal, down, up"):
        settled(gravity="sideways")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"tensions": (1.0, 2.0)}, "'tensions' lists 2 values but 'hole_azimuths' lists 3"),
        ({"tie_disks": (6, 6)}, "'tie_disks' lists 2 values"),
        ({"tie_disks": (6, 6, 7)}, "'tie_disks' names 7, but the disks are 1 to 6"),
        ({"sweep_cable": 4}, "must be the number of a cable, 1 to 3"),
        (
            {"rays": 2000, "tension_steps": 5001},
            "may take about .* minutes of processor time, but at most 10 are allowed; lower 'rays'",
        ),
        ({"refinements": 8, "rays": 300}, "lower 'rays', 'tension_steps' or 'refinements'"),
        ({"disks": 40, "pretension_steps": 20, "rays": 150}, "or 'pretension_steps'"),
        ({"disks": 32, "arcs_per_gap": 2, "rays": 100}, "lower 'rays'"),
        ({"disks": 40, "arcs_per_gap": 2}, "at most 64 arcs"),
        ({"length": 100.0, "disks": 1}, "must be 0.0001 m to 10 m"),
        ({"backbone_diameter": 1e-5, "youngs_modulus": 1e3}, "stiffness is"),
        ({"tension_steps": 2}, "greater than or equal to 3"),
        (
            {"backbone_diameter": 0.001, "bending_stiffness": 0.1, "torsion_stiffness": 0.1},
            "'backbone_diameter' has no effect",
        ),
        ({"shear_modulus": 1e11, "torsion_stiffness": 0.1}, "'shear_modulus' has no effect"),
        ({"hole_radius": math.inf}, "finite"),
    ],
)
def test_what_does_not_fit_is_reported(settings, told):
    with pytest.raises(ValidationError, match=told):
        paper(**settings)


def test_tensions_that_are_not_set_follow_the_cables():
    assert settled(hole_azimuths=["0 deg", "90 deg", "180 deg", "270 deg"]).tensions == (0.0,) * 4
    assert settled(**{"tensions.1": "5 N"}).tensions == (0.0, 5.0, 0.0)


def test_masses_hang_on_disks_and_the_rod_on_the_ends_of_its_arcs():
    parameters = paper(arcs_per_gap=2, tip_mass=0.05, density=7800.0)
    masses = robot_of(parameters).masses
    whole = 7800.0 * math.pi / 4 * 0.0015**2 * 0.48
    assert parameters.rod_mass == pytest.approx(whole)
    assert masses[:3] == pytest.approx([whole / 12, whole / 12 + 5.03e-3, whole / 12])
    assert masses[-1] == pytest.approx(whole / 24 + 5.03e-3 + 0.05)
    assert masses.sum() == pytest.approx(whole * 23 / 24 + 6 * 5.03e-3 + 0.05)


def test_planar_robots_bend_about_x_only():
    assert free(robot_of(paper(planar=True))).tolist() == [0, 3, 6, 9, 12, 15]
    assert len(free(robot_of(paper()))) == 18
    assert stiffnesses(robot_of(paper()))[:3] * 0.08 == pytest.approx(
        np.array([0.05218605, 0.05218605, 0.0357847]), rel=1e-5
    )


def test_a_diameter_counts_beside_stiffnesses_where_it_has_mass_or_decides_one_of_them():
    both = {"bending_stiffness": 0.1, "torsion_stiffness": 0.1}
    assert paper(backbone_diameter=0.001, density=7850.0, **both).rod_mass > 0
    assert paper(backbone_diameter=0.001, bending_stiffness=0.1).torsion < paper().torsion
