"""The record of the chain of elastic links, its presets, and what is made of it."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.linalg import eigh

from errors import InputError
from models.flexible_arm.arm import arm_of
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.presets import PRESETS
from models.flexible_arm.processor_time import modal_rate, seconds, values
from models.parameters import resolve
from tests.oracles.flexible_arm_equations import equations


def settled(preset=None, **settings):
    return resolve(FlexibleArm, PRESETS[preset].settings if preset else {}, settings)


def test_the_first_preset_has_the_defaults():
    name, preset = next(iter(PRESETS.items()))
    assert name == "converged"
    assert resolve(FlexibleArm, preset.settings, {}) == FlexibleArm()
    assert FlexibleArm().modal_counts == (8, 8, 8)
    assert settled("paper").modal_counts == settled("as-printed").modal_counts == (1, 1, 1)


def test_the_paper_s_arm_starts_as_an_arch_with_its_outer_ends_at_0_9_m():
    arm = FlexibleArm()
    x = 0.5 + math.sin(math.radians(60))
    assert arm.ends == pytest.approx(np.array([[-x, 0.9], [-0.5, 1.4], [0.5, 1.4], [x, 0.9]]), abs=1e-15)
    assert arm.ends[0, 1] == arm.ends[3, 1], "the arm falls on both outer ends at once"
    assert arm.angles == pytest.approx(np.radians([30.0, 0.0, -30.0]))
    assert len(arm.initial_state) == 5 + 3 * 8
    assert arm.initial_state[:2] == pytest.approx([-x, 0.9])
    assert not arm.initial_state[5:].any()


def test_the_paper_s_section_has_the_numbers_of_its_second_table():
    for section in FlexibleArm().sections:
        assert section.mu == pytest.approx(1.0, rel=1e-15)
        assert pytest.approx(2e11 * 4.8828125e-9, rel=1e-14) == section.EI
        assert section.kAG == pytest.approx(5 / 6 * 2e11 / 2.6 * 3.75e-4, rel=1e-14)
        assert pytest.approx(1.3020833333e-5) == section.J


def test_the_printed_rotary_inertia_counts_in_the_integrals_only():
    paper, printed = FlexibleArm(), settled("as-printed")
    assert pytest.approx(4.883e-9 / 3.75e-4) == printed.sections[0].J
    assert printed.bending_links[0].rotary_inertia == 2.9473e-5
    assert arm_of(printed).m2[0] == pytest.approx(1 / 3 + 2.9473e-5)
    assert arm_of(paper).m2[0] == pytest.approx(1 / 3 + 1.3020833333e-5)


def test_relative_and_absolute_angles_describe_the_same_arch():
    relative = settled(initial_angles=["30 deg", "-30 deg", "-30 deg"])
    absolute = settled(initial_angles=["30 deg", 0.0, "-30 deg"], angle_convention="absolute")
    assert relative.angles == pytest.approx(absolute.angles, abs=1e-15)
    assert relative.angles == pytest.approx(FlexibleArm().angles, abs=1e-15)


def test_a_single_link_lies_level_and_arches_are_mirrored():
    assert settled(links=1).angles.tolist() == [0.0]
    for links in (2, 4, 7, 50):
        angles = settled(links=links, modes=1).angles
        assert (angles == -angles[::-1]).all()
        assert angles[0] == pytest.approx(math.radians(30))


def test_a_tilted_arm_is_turned_as_a_whole_and_dropped_from_the_same_height():
    straight, tilted = settled(), settled(tilt="20 deg")
    assert tilted.angles - straight.angles == pytest.approx(np.full(3, math.radians(20)))
    assert tilted.ends[:, 1].min() == pytest.approx(0.9)
    assert tilted.ends[:, 0].min() == pytest.approx(-tilted.ends[:, 0].max())


def test_a_given_base_replaces_the_drop_height():
    arm = settled(base_position=["-2 m", "3 m"], tilt="10 deg")
    assert arm.ends[0].tolist() == [-2.0, 3.0]
    with pytest.raises(InputError, match="replaces"):
        settled(base_position=[0.0, 3.0], drop_height=1.0)


def test_lists_say_how_many_links_there_are():
    assert settled(link_lengths=[0.5, 1.0]).links == 2
    assert settled(section_heights=["10 mm", "12 mm"]).links == 2
    assert settled(link_modes=[1, 2, 3, 4]).modal_counts == (1, 2, 3, 4)
    assert settled(mode_sets=["cc", "ss"]).sets == ("cc", "ss")
    assert settled(mode_sets=["cc"]).sets == ("cc",) * 3
    unequal = settled(link_lengths=[0.5, 1.0], section_widths=[0.02, 0.03], section_heights=[0.01, 0.02])
    assert [round(section.mu, 9) for section in unequal.sections] == [0.533333333, 1.6]


def test_rigid_links_have_no_modes():
    arm = settled(mode_sets=["rigid", "ss", "rigid"], modes=2)
    assert arm.modal_counts == (0, 2, 0)
    assert arm_of(arm).offsets.tolist() == [5, 5, 7, 7]
    assert settled(mode_sets=["rigid"]).initial_state.shape == (5,)


MIRRORED_HILL = [{"x": -1, "height": 0.1}, {"x": 0, "height": 0.3}, {"x": 1, "height": 0.1}]


@pytest.mark.parametrize(
    ("settings", "symmetric"),
    [
        ({}, True),
        ({"links": 4, "modes": 3}, True),
        ({"mode_sets": ["cs", "ss", "sc"]}, True),
        ({"mode_sets": ["sc", "cc", "cs"]}, True),
        ({"mode_sets": ["cs", "ss", "cs"]}, False),
        ({"mode_sets": ["cf"]}, False),
        ({"link_modes": [2, 1, 2]}, True),
        ({"link_modes": [2, 1, 1]}, False),
        ({"section_heights": [0.01, 0.02, 0.03]}, False),
        ({"tilt": 1e-3}, False),
        ({"pinned": True}, False),
        ({"base_position": [3.0, 1.0]}, True),
        ({"ground": MIRRORED_HILL}, True),
        ({"ground": MIRRORED_HILL, "base_position": [3.0, 1.0]}, False),
    ],
)
def test_an_arm_is_symmetric_that_is_its_mirror_image(settings, symmetric):
    assert settled(**settings).is_symmetric == symmetric


def test_the_ground_reaches_contact():
    profile = [{"x": -1.0, "height": 0.0}, {"x": 1.0, "height": 0.3}]
    contact = settled(ground=profile, restitution=0.5, contact_law="hunt-crossley").contact
    assert contact.ground.heights.tolist() == [0.0, 0.3]
    assert contact.chi == pytest.approx(0.75)
    assert not len(FlexibleArm().contact.ground.x)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"section_height": 0.0}, "section_height: 0.0: must be at least 0.0001"),
        ({"section_widths": [0.03, 0.0, 0.03]}, r"section_widths\[1\]: 0.0: must be at least 0.0001"),
        ({"friction_coefficient": -0.1}, "friction_coefficient: -0.1: must be at least 0"),
        ({"restitution": 0.0}, "restitution: 0.0: must be at least 0.01"),
        ({"restitution": 1.1}, "restitution: 1.1: must be at most 1"),
        ({"shear_modulus": 0.0}, "shear_modulus: 0.0: must be at least 1000"),
        ({"links": 10**6}, "links: 1000000: must be at most 100"),
        ({"links": 0}, "links: 0: must be at least 1"),
        ({"link_lengths": [1.0] * 10**4}, "takes at most 100 items"),
        ({"modes": 0}, "modes: 0: must be at least 1.*a link without any is 'rigid'"),
        ({"modes": 21}, "modes: 21: must be at most 20"),
        ({"link_modes": [1, 0, 1]}, r"link_modes\[1\]: 0: must be at least 1"),
        ({"mode_sets": ["ss", "sx", "ss"]}, r"mode_sets\[1\]: 'sx': must be 'ss', 'cc', 'sc', 'cs', 'cf', 'ff'"),
        ({"mode_sets": []}, "mode_sets: is empty"),
        ({"contact_law": "hertz"}, "contact_law: 'hertz': must be 'hu-guo'"),
        ({"links": 3, "link_lengths": [1.0, 2.0]}, "'link_lengths' has 2 items, but there are 3 links; give one per"),
        ({"links": 3, "initial_angles": [0.0]}, "'initial_angles' has 1 items, but there are 3 links"),
        ({"links": 3, "mode_sets": ["ss", "cc"]}, "one per link, or one for all"),
        ({"links": 3, "link_modes": [1, 1]}, "'link_modes' has 2 items"),
        ({"section_height": 2.0}, "link 1 is 1 m long and its section 2 m high"),
        ({"base_position": [0.0, -0.1]}, "end 0 of the links starts at .* 0.1 m below the ground; raise 'base_"),
        ({"base_position": [0.0, 0.0]}, "0 m below the ground"),
        ({"drop_height": 0.0}, "drop_height: 0.0: must be more than 0"),
        (
            {"ground": [{"x": 0, "height": 0}, {"x": 0.5, "height": 1.5}, {"x": 1, "height": 0}]},
            "end 2 of the links starts at x = 0.5 m, y = 1.4 m, .* m below the ground; raise 'drop_height'",
        ),
        ({"ground": [{"x": 1.0, "height": 0.0}, {"x": 0.0, "height": 0.1}]}, r"'ground\[1\]'.*out of order"),
        ({"ground": [{"x": 0.0, "height": 0.0}, {"x": 0.01, "height": 0.5}]}, "has a slope of"),
        ({"friction_velocities": [1e-3, 1e-4]}, "'friction_velocities'.*two increasing speeds"),
        (
            {"friction_law": "stribeck", "static_friction_coefficient": 0.05},
            "'static_friction_coefficient': 0.05 is less than the kinetic coefficient",
        ),
        ({"pinned": True, "base_position": [0.0, -1.0]}, "below the ground"),
        (
            {"ground": [{"x": -1, "height": 0}, {"x": 0, "height": 1.5}, {"x": 1, "height": 0}]},
            "link 2 starts 0.1 m inside a hill; raise 'drop_height'",
        ),
        ({"ensemble": {"runs": 1}}, "ensemble.runs: 1: must be at least 2"),
        ({"ensemble.jitter": 0.5}, "ensemble.jitter: 0.5: must be at most 0.1"),
        ({"duration": 3600.0}, "minutes of processor time, but at most 10 are allowed; lower 'duration'"),
        ({"links": 100, "modes": 20}, "minutes of processor time"),
        ({"output_interval": 1e-6}, "more than fit in memory"),
        ({"section_height": "nan mm"}, "section_height"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_to_do(settings, told):
    with pytest.raises(InputError, match=told):
        settled(**settings)


def test_numbers_that_are_none_are_refused():
    for value in (math.nan, math.inf):
        with pytest.raises(ValidationError):
            FlexibleArm(youngs_modulus=value)


def test_processor_time_grows_with_what_decides_it():
    base = settled(modes=1).sizes
    assert 1 < seconds(base) < 20
    for harder in (
        {"links": 6}, {"modes": 3}, {"duration": 3.0}, {"rtol": 1e-11}, {"method": "rkf45"},
        {"section_height": 0.1}, {"structural_damping": 1e10}, {"ensemble": {"runs": 100}},
    ):  # fmt: skip
        assert seconds(settled(**{"modes": 1, **harder}).sizes) > 1.2 * seconds(base), harder
    assert values(settled(modes=1, output_interval=1e-4).sizes) == pytest.approx(10 * values(base))


@pytest.mark.parametrize("ends", ["ss", "cc", "sc", "cs", "cf", "ff"])
@pytest.mark.parametrize("height", [0.0125, 0.3])
def test_the_rate_of_modes_is_at_least_their_frequency(ends, height):
    from models.flexible_arm.beam import beam_modes

    for count in (1, 2, 5):
        (link, *_) = settled(
            mode_sets=[ends], modes=count, section_height=height, ensemble={"runs": 2}
        ).bending_links
        exact = beam_modes(link.section, ends, count).frequencies[-1]
        assert modal_rate(link, 0.0) >= exact


@pytest.mark.parametrize("ends", ["ss", "cc", "sc", "cs", "cf", "ff"])
def test_the_rate_of_modes_is_at_least_that_of_air_damping(ends):
    """The fastest decay of a free link by the drag on its bending alone, from its own equations."""
    for count in (1, 2, 5, 20):
        record = settled(links=1, mode_sets=[ends], modes=count, air_damping=1.0, duration=1e-3)
        (link,) = record.bending_links
        still = link._replace(air_damping=0.0)
        mass, _ = equations(arm_of(record), np.zeros(3 + count), np.zeros(3 + count))
        drag = np.zeros_like(mass)
        drag[3:, 3:] = arm_of(record).air[0]
        fastest = float(eigh(drag, mass, eigvals_only=True)[-1])
        assert modal_rate(link, 0.0) - modal_rate(still, 0.0) >= fastest


def test_a_material_of_its_own_has_a_contact_of_its_own():
    assert FlexibleArm.assumed_for({"section_height": 0.01}) == []
    assert FlexibleArm.assumed_for({"youngs_modulus": 7e10, "contact_stiffness": 1e8}) == [
        "structural_damping"
    ]
