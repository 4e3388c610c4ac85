"""Figures of papers: all are there, with both statements, and ours show what the papers say of theirs."""

import numpy as np
import pytest

from docs import continuum_dynamics_figures, continuum_kinematics_figures, flexible_arm_figures
from docs.continuum_dynamics_figures import azimuth
from docs.flexible_arm_figures import MOTIONS, REGULAR, deflection, frequency
from models.continuum_dynamics.reference import SECOND_CABLE

FIGURES = (
    *flexible_arm_figures.FIGURES,
    *continuum_dynamics_figures.FIGURES,
    *continuum_kinematics_figures.FIGURES,
)


def numbers(module):
    return [figure.number for figure in module.FIGURES]


def test_figures_are_those_of_the_papers():
    assert numbers(flexible_arm_figures) == list(range(4, 15))
    assert numbers(continuum_dynamics_figures) == [6, 7, 10, 11]
    assert [(each.number, each.last) for each in continuum_kinematics_figures.FIGURES] == [(5, 7), (10, 12)]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_a_figure_has_both_statements(figure):
    drawn = figure.drawing
    assert drawn.title.endswith(f": {figure.title}")
    assert drawn.caption.startswith(f"Paper: {figure.statement} Ours: ")
    assert drawn.figure["data"]


@pytest.mark.parametrize("number", [5, 6, 8, 9, 10, 11, 12, 13, 14])
def test_a_figure_of_the_arm_has_a_panel_for_each_set_of_mode_shapes(number):
    layout = flexible_arm_figures.FIGURES[number - 4].drawing.figure["layout"]
    titles = [layout[name]["title"]["text"] for name in layout if name.startswith("yaxis")]
    assert [title.partition(" ")[0] for title in titles] == list(MOTIONS)


def test_clamped_links_bend_less_and_vibrate_faster():
    bends, rates = (
        dict(zip(MOTIONS, (of(flexible_arm_figures.motion(name)) for name in MOTIONS), strict=True))
        for of in (lambda found: deflection(found, 0.0, REGULAR), lambda found: frequency(found, 0))
    )
    clamped, soft = ("cc-cc-cc", "sc-cc-cs"), ("ss-ss-ss", "cs-ss-sc")
    assert max(bends[name] for name in clamped) < 0.7 * min(bends[name] for name in soft)
    assert min(rates[name] for name in clamped) > 1.1 * max(rates[name] for name in soft)


def test_enlarged_deflections_leave_the_joints_where_they_are():
    """Figure 4 may scale the weights alone, as no mode of the paper moves the ends of a link."""
    data = flexible_arm_figures.FIGURES[0].drawing.figure["data"]
    for name, trace in zip(MOTIONS, data, strict=True):
        motion = flexible_arm_figures.motion(name).motion
        joints = motion.points[np.searchsorted(motion.times, flexible_arm_figures.BENT_AT)]
        drawn = np.column_stack([trace["x"], trace["y"]])
        for joint in joints:
            assert np.linalg.norm(drawn - joint, axis=1).min() < 1e-3


def test_the_robot_turns_about_its_backbone_while_the_second_cable_is_driven():
    found = continuum_dynamics_figures.motion("two cables")
    start, end = SECOND_CABLE
    assert azimuth(found, start) == pytest.approx(0.0, abs=1e-9)
    assert azimuth(found, end) > 50.0
    assert azimuth(found, found.motion.times[-1]) == pytest.approx(azimuth(found, end), abs=1.0)
