"""Scenes and series of the arm show the motion that the equations find."""

import numpy as np
import pytest

from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.scene import MOMENTS, bent_links, even_instants, scene
from models.flexible_arm.series import series
from models.flexible_arm.simulation import simulate
from models.scene import MOST_MOVING_POINTS, motion_fault
from models.series import series_fault

MIXED = {"mode_sets": ("cf", "rigid", "ff"), "link_modes": (2, 1, 3), "duration": 0.5}
HILL = ({"x": -1.5, "height": 0.2}, {"x": 0.0, "height": 0.0})


def record(**settings):
    return FlexibleArm.model_validate({"modes": 1, **settings})


@pytest.mark.parametrize("settings", [{"duration": 0.5}, MIXED, {"duration": 0.1, "links": 40}])
def test_drawn_links_end_where_the_equations_have_their_ends(settings):
    arm = record(**settings)
    motion = simulate(arm)
    for link, points in enumerate(bent_links(arm, motion.states)):
        assert points[:, 0] == pytest.approx(motion.points[:, link], abs=1e-14)
        assert points[:, -1] == pytest.approx(motion.points[:, link + 1], abs=1e-14)


def test_a_link_of_one_sine_is_drawn_as_one():
    arm = record(duration=0.5)
    motion = simulate(arm)
    found = bent_links(arm, motion.states[-1:])[0][0]
    angle, weight = motion.states[-1, 2], motion.states[-1, 5]
    along = np.array([np.cos(angle), np.sin(angle)])
    eta, w = (found - found[0]) @ along, (found - found[0]) @ np.array([-along[1], along[0]])
    assert w == pytest.approx(weight * np.sin(np.pi * eta), abs=1e-12)


def test_moments_are_evenly_spread_though_instants_are_not():
    motion = simulate(record(duration=0.6))
    assert np.diff(motion.times).max() > 1e3 * np.diff(motion.times).min()
    chosen = motion.times[even_instants(motion.times, MOMENTS)]
    assert len(chosen) == MOMENTS
    assert (chosen[0], chosen[-1]) == (0.0, 0.6)
    assert np.diff(chosen) == pytest.approx(0.6 / (MOMENTS - 1), abs=1.1e-3)


@pytest.mark.parametrize("settings", [{}, MIXED, {"ground": HILL, "duration": 0.6}, {"duration": 1e-3}])
def test_scenes_move(settings):
    view = scene(record(**settings))
    assert motion_fault(view) == ""
    assert view.up == "y"
    assert {line.group for line in view.moments[0].lines} == {"links", "ends of links"}


def test_contacts_lie_on_the_ground_that_is_drawn():
    view = scene(record(ground=HILL, duration=0.6))
    ground, contacts = view.shapes[-2:]
    assert (ground.name, contacts.name) == ("ground", "contacts")
    heights = np.interp(contacts.points[:, 0], ground.points[:, 0], ground.points[:, 1])
    assert contacts.points[:, 1] == pytest.approx(heights, abs=1e-4)
    assert heights.max() > 0.1


def test_arms_of_many_links_have_as_many_moments_as_can_be_shown():
    view = scene(record(links=100, duration=0.2))
    points = sum(len(line.points) for line in view.moments[0].lines)
    assert 20 < len(view.moments) <= MOST_MOVING_POINTS // points


def test_series_have_the_motion_and_its_losses():
    arm = record(**MIXED)
    found, motion = series(arm), simulate(arm)
    assert series_fault(found) == ""
    columns = {column.name: column for column in found.columns}
    assert [name for name in columns if "mode" in name] == [
        "link_1_mode_1", "link_1_mode_2", "link_3_mode_1", "link_3_mode_2", "link_3_mode_3"
    ]  # fmt: skip
    assert columns["end_3_y"].values == pytest.approx(motion.points[:, 3, 1])
    assert columns["end_0_normal_force"].values == pytest.approx(motion.normal_forces[:, 0])
    assert columns["link_3_mode_3"].values == pytest.approx(motion.states[:, 9])
    energies = sum(column.values for name, column in columns.items() if name.endswith("_energy"))
    losses = sum(column.values for name, column in columns.items() if name.startswith("loss_"))
    assert energies + losses - energies[0] == pytest.approx(columns["energy_error"].values, abs=1e-12)
